"""Speaks the protocol with one client. Whatever a client does ends at its own connection."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any, Final, Protocol

import msgspec
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from ..contract import (
    CLOSE_CODES,
    INITIALIZE_SECONDS,
    MAX_FRAME_BYTES,
    PROTOCOL_VERSION,
    READS,
    STEERING,
)
from . import rpc
from .client_stream import WINDOW_EVENTS, ClientStream
from .pages import Sources, snapshot_page, steps_page

LOG: Final = logging.getLogger("rolloutscope")
_SLOW_SECONDS: Final = 60.0
"""A client that holds the stream back for longer without an ack is closed."""
_SOCKET_SECONDS: Final = 0.25
"""A frame that the socket takes no sooner: what piled up meanwhile is thinned."""


class Job(Protocol):
    """What the server needs of the job. Nothing here waits for the training loop."""

    def describe(self) -> dict[str, Any]:
        """The part of the answer to `initialize` that the job knows."""

    async def read(self, method: str, params: Any) -> Any:
        """Raises RpcError; that is the answer then."""

    def steer(self, name: str, params: Any, connection: str, scope: str) -> rpc.Answer: ...


class Connection:
    """One client: answers its requests one by one and sends it the stream."""

    def __init__(self, socket: ServerConnection, job: Job, sources: Sources, scope: rpc.Scope, name: str) -> None:
        self._socket = socket
        self._job = job
        self._sources = sources
        self._token_scope: rpc.Scope = scope
        self._scope: rpc.Scope | None = None
        self._name = name
        self._stream: ClientStream | None = None
        self._wake = asyncio.Event()
        self._opened_at = time.monotonic()
        self._held_back_since: float | None = None
        self._closing = False

    def advance(self) -> None:
        """A new batch is held."""
        self._wake.set()

    async def serve(self) -> None:
        """Until the client is gone."""
        helpers = [asyncio.create_task(self._send_stream()), asyncio.create_task(self._watch())]
        try:
            async for text in self._socket:
                if isinstance(text, bytes):
                    reason = "frame: binary frames need a capability that this server lacks"
                    await self.close("malformedMessage", reason)
                    return
                await self._receive(text)
        except ConnectionClosed:
            pass
        finally:
            for helper in helpers:
                helper.cancel()
            await asyncio.gather(*helpers, return_exceptions=True)

    async def close(self, code: str, reason: str) -> None:
        if self._closing:
            return
        self._closing = True
        self._stream = None
        await self._socket.close(CLOSE_CODES[code], reason[:120])

    async def _receive(self, text: str) -> None:
        try:
            message = rpc.parse(text)
        except rpc.MalformedError as error:
            await self.close("malformedMessage", str(error))
            return
        if message.method == "ack":
            self._acknowledge(message.params)
        elif message.method is not None and message.id is not None:
            await self._answer(message.id, message.method, message.params)

    def _acknowledge(self, params: Any) -> None:
        try:
            ack = rpc.checked(params, rpc.Ack, "ack")
        except rpc.RpcError:
            # An ack that makes no sense gives no credit; it hurts only who sent it.
            return
        self._held_back_since = None
        if self._stream is not None:
            self._stream.ack(ack.seq)
        self.advance()

    async def _answer(self, request: float | int | str, method: str, params: Any) -> None:
        afterwards: list[Callable[[], None]] = []
        envelope: dict[str, Any] = {"jsonrpc": "2.0", "id": request}
        try:
            text = msgspec.json.encode({**envelope, "result": await self._run(method, params, afterwards)})
            if len(text) > MAX_FRAME_BYTES:
                raise rpc.RpcError("internal", "The answer is larger than a frame. Ask for less at a time.")
        except rpc.RpcError as error:
            text = msgspec.json.encode({**envelope, "error": {"code": error.code, "message": str(error)}})
        except Exception as error:
            LOG.exception("Rolloutscope: a request could not be answered")
            failure = rpc.RpcError("internal", f"The job could not answer: {error}")
            text = msgspec.json.encode({**envelope, "error": {"code": failure.code, "message": str(failure)}})
        await self._socket.send(text, text=True)
        for then in afterwards:
            then()
        # Each on a turn of its own, so that no client takes the loop's time from the others.
        await asyncio.sleep(0)

    async def _run(self, method: str, params: Any, afterwards: list[Callable[[], None]]) -> Any:
        if method == "initialize":
            return self._initialize(params)
        if self._scope is None:
            raise rpc.RpcError("notInitialized", "The first request of a connection is initialize.")
        publisher = self._sources.publisher
        if method == "subscribe":
            return self._subscribe(params, afterwards)
        if method == "snapshot":
            publisher.drain()
            return await snapshot_page(rpc.checked(params, rpc.Snapshot, method), self._sources)
        if method == "readSteps":
            publisher.drain()
            return await steps_page(rpc.checked(params, rpc.ReadSteps, method), self._sources)
        if method in READS:
            publisher.drain()
            return await self._job.read(method, params)
        name = method.removeprefix("steer.")
        if name != method and name in STEERING:
            if self._scope != "steer":
                message = "This connection may read only. Steering needs the steer token and scope."
                raise rpc.RpcError("forbidden", message)
            publisher.drain()
            return self._job.steer(name, params, self._name, self._token_scope)
        raise rpc.RpcError("methodNotFound", f"{method[:64]}: this server has no such request.")

    def _initialize(self, raw: Any) -> dict[str, Any]:
        params = rpc.checked(raw, rpc.Initialize, "initialize")
        message = f"This server speaks protocol version {PROTOCOL_VERSION}."
        if PROTOCOL_VERSION not in params.protocolVersions:
            # The answer goes out before the close, so that the reason is read either way.
            loop = asyncio.get_running_loop()
            self._later = loop.call_later(0.1, lambda: loop.create_task(self.close("wrongProtocol", message)))
            raise rpc.RpcError("unsupported", message)
        if self._scope is not None:
            raise rpc.RpcError("invalidRequest", "This connection is initialized already.")
        publisher = self._sources.publisher
        publisher.drain()
        self._scope = self._token_scope if params.scope == "steer" else "read"
        return {
            "protocolVersion": PROTOCOL_VERSION,
            **self._job.describe(),
            "headSeq": publisher.held.head,
            "firstHeldSeq": publisher.held.first_seq,
            "now": publisher.now(),
            "scope": self._scope,
            "maxFrameBytes": MAX_FRAME_BYTES,
            "window": {"events": WINDOW_EVENTS},
        }

    def _subscribe(self, raw: Any, afterwards: list[Callable[[], None]]) -> dict[str, Any]:
        params = rpc.checked(raw, rpc.Subscribe, "subscribe")
        publisher = self._sources.publisher
        publisher.drain()
        held = publisher.held
        if params.afterSeq + 1 < held.first_seq:
            message = f"Events before {held.first_seq} are no longer held. Take a snapshot."
            raise rpc.RpcError("gone", message)
        if params.afterSeq > held.head or params.strings > len(publisher.strings):
            raise rpc.RpcError("gone", f"This start of the run has come to {held.head}. Take a snapshot.")
        kinds = None if params.kinds is None else frozenset(params.kinds)

        def begin() -> None:
            self._stream = ClientStream(publisher, params.afterSeq, params.strings, kinds)
            self.advance()

        afterwards.append(begin)
        return {"from": params.afterSeq + 1}

    async def _send_stream(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while (stream := self._stream) is not None:
                if not stream.possible:
                    reason = "The stream was held back for too long. Reconnect and take a snapshot."
                    await self.close("slowClient", reason)
                    return
                frame = stream.next_frame()
                if frame is None:
                    break
                began = time.monotonic()
                await self._socket.send(frame, text=True)
                if time.monotonic() - began > _SOCKET_SECONDS:
                    stream.waited()
            self._note_held_back()

    def _note_held_back(self) -> None:
        if self._stream is None or not self._stream.held_back:
            self._held_back_since = None
        elif self._held_back_since is None:
            self._held_back_since = time.monotonic()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(1)
            now = time.monotonic()
            if self._scope is None and now - self._opened_at > INITIALIZE_SECONDS:
                await self.close("initializeTimeout", f"No initialize within {INITIALIZE_SECONDS} s.")
            elif self._held_back_since is not None and now - self._held_back_since > _SLOW_SECONDS:
                await self.close("slowClient", f"No ack for {_SLOW_SECONDS:.0f} s. Reconnect to go on.")
            self.advance()
