"""The WebSocket server: binds, lets clients in through the gate, closes with this protocol's codes."""

from __future__ import annotations

import asyncio
import logging
import socket as sockets
import ssl
from typing import Any, Final, NamedTuple

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from ..batch_builder import Batch
from ..contract import CLOSE_CODES, MAX_FRAME_BYTES, PING_SECONDS, SUBPROTOCOL
from ..publisher import TextRecord
from .connection import Connection, Job
from .gate import GateOptions, Refusal, TokenPair, check_upgrade
from .pages import Sources
from .rpc import Scope

LOG: Final = logging.getLogger("rolloutscope")
_MAX_CLIENTS: Final = 32
_STATUS = {401: "Unauthorized", 403: "Forbidden", 426: "Upgrade Required"}

_OUR_CODE: Final = {
    1002: CLOSE_CODES["malformedMessage"],
    1007: CLOSE_CODES["malformedMessage"],
    1009: CLOSE_CODES["frameTooLarge"],
    1011: CLOSE_CODES["slowClient"],
}
"""Codes of the library for what a client sent, or did not answer, by ours."""


class _Peer(ServerConnection):
    """A socket whose protocol errors close it with this protocol's codes."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        fail = self.protocol.fail

        def fail_by_our_code(code: int, reason: str = "") -> None:
            fail(_OUR_CODE.get(int(code), code), reason)

        self.protocol.fail = fail_by_our_code  # type: ignore[method-assign]


class ServerOptions(NamedTuple):
    """`port` 0: any free one. `tls` is needed for anything that is not loopback."""

    host: str = "127.0.0.1"
    port: int = 0
    tls: ssl.SSLContext | None = None
    allow_hosts: tuple[str, ...] = ()
    allow_origins: tuple[str, ...] = ()


def is_loopback(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")


class WsServer:
    """Serves the protocol. A sink of the publisher."""

    def __init__(self, options: ServerOptions, tokens: TokenPair, job: Job, sources: Sources) -> None:
        self._options = options
        self._job = job
        self._sources = sources
        self._connections: set[Connection] = set()
        self._counter = 0
        self._server: Server | None = None
        loopback = is_loopback(options.host)
        own = () if loopback else (options.host, sockets.gethostname())
        hosts = frozenset(name.lower() for name in (*own, *options.allow_hosts))
        self._gate = GateOptions(tokens, hosts, frozenset(options.allow_origins), not loopback)

    async def listen(self) -> None:
        """Raises OSError when there is no port to be had, ValueError when the address needs TLS."""
        host, port, tls, _, _ = self._options
        if not is_loopback(host) and tls is None:
            raise ValueError(
                f"{host} can be reached from other machines, so it needs `tls`. Without it bind to 127.0.0.1 and "
                "use an SSH tunnel"
            )
        try:
            self._server = await self._serve(port)
        except OSError as error:
            if port == 0:
                raise
            LOG.warning("Rolloutscope: port %d cannot be had (%s); any free one is taken.", port, error)
            self._server = await self._serve(0)
        self._sources.publisher.sinks.append(self)

    async def _serve(self, port: int) -> Server:
        server: Server = await serve(
            self._accept,
            self._options.host,
            port,
            ssl=self._options.tls,
            process_request=self._upgrade,
            select_subprotocol=lambda _, offered: Subprotocol(SUBPROTOCOL) if offered else None,
            compression=None,
            server_header=None,
            max_size=MAX_FRAME_BYTES,
            ping_interval=PING_SECONDS,
            ping_timeout=PING_SECONDS,
            close_timeout=5,
            create_connection=_Peer,
            logger=logging.getLogger("rolloutscope.websockets"),
        )
        return server

    @property
    def address(self) -> str:
        assert self._server is not None
        host = self._options.host
        port = next(iter(self._server.sockets)).getsockname()[1]
        # Bound to all of the machine's addresses it is reached by the machine's name.
        name = sockets.gethostname() if host in ("0.0.0.0", "::") else host
        scheme = "ws" if self._options.tls is None else "wss"
        return f"{scheme}://{f'[{name}]' if ':' in name else name}:{port}"

    def batch(self, batch: Batch, line: bytes, texts: list[TextRecord | None], strings: list[str], before: int) -> None:
        for connection in self._connections:
            connection.advance()

    async def close(self) -> None:
        if self._server is None:
            return
        if self in self._sources.publisher.sinks:
            self._sources.publisher.sinks.remove(self)
        await asyncio.gather(
            *(connection.close("shuttingDown", "The job ends.") for connection in list(self._connections)),
            return_exceptions=True,
        )
        self._server.close()
        await self._server.wait_closed()

    def _upgrade(self, _: ServerConnection, request: Request) -> Response | None:
        headers = {name.lower(): value for name, value in request.headers.raw_items()}
        verdict = check_upgrade(headers, self._gate)
        if not isinstance(verdict, Refusal):
            return None
        body = verdict.message.encode()
        answer = Headers(
            {
                "Connection": "close",
                "Content-Type": "text/plain; charset=utf-8",
                "Content-Length": str(len(body)),
            }
        )
        if verdict.status == 401:
            answer["WWW-Authenticate"] = "Bearer"
        if verdict.status == 426:
            answer["Sec-WebSocket-Protocol"] = SUBPROTOCOL
        return Response(verdict.status, _STATUS[verdict.status], answer, body)

    async def _accept(self, socket: ServerConnection) -> None:
        if socket.subprotocol != SUBPROTOCOL:
            await socket.close(CLOSE_CODES["wrongProtocol"], f"This server speaks {SUBPROTOCOL}.")
            return
        if len(self._connections) >= _MAX_CLIENTS:
            await socket.close(CLOSE_CODES["tooManyClients"], f"{_MAX_CLIENTS} clients are connected already.")
            return
        scope = self._scope_of(socket)
        if scope is None:
            await socket.close(CLOSE_CODES["unauthorised"], "The token is missing or wrong.")
            return
        self._counter += 1
        connection = Connection(socket, self._job, self._sources, scope, f"c{self._counter}")
        self._connections.add(connection)
        try:
            await connection.serve()
        finally:
            self._connections.discard(connection)

    def _scope_of(self, socket: ServerConnection) -> Scope | None:
        assert socket.request is not None
        headers = {name.lower(): value for name, value in socket.request.headers.raw_items()}
        verdict = check_upgrade(headers, self._gate)
        return None if isinstance(verdict, Refusal) else verdict
