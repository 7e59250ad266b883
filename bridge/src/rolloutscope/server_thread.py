"""The server in its own thread with its own event loop. Whatever fails there ends there."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from .contract import DISCOVERY_TOUCH_SECONDS
from .discovery import DiscoveryFiles
from .journal.writer import JournalWriter
from .publisher import LOG, Publisher
from .server.gate import TokenPair
from .server.pages import Sources
from .server.reads import JobReads
from .server.rpc import Answer
from .server.ws_server import ServerOptions, WsServer
from .steering.desk import SteeringDesk

FLUSH_SECONDS: Final = 0.05
"""Time that events wait for the next batch."""
_START_SECONDS: Final = 10.0
_END_SECONDS: Final = 8.0


class JobOfRun:
    """What the server asks of the run."""

    def __init__(self, description: Callable[[], dict[str, Any]], reads: JobReads, desk: SteeringDesk) -> None:
        self._description = description
        self._reads = reads
        self._desk = desk

    def describe(self) -> dict[str, Any]:
        return self._description()

    async def read(self, method: str, params: Any) -> Any:
        return await self._reads.read(method, params)

    def steer(self, name: str, params: Any, connection: str, scope: str) -> Answer:
        return self._desk.steer(name, params, connection, scope)


class ServerThread:
    """Drains the publisher, serves clients, keeps the discovery file fresh."""

    def __init__(
        self,
        publisher: Publisher,
        options: ServerOptions,
        tokens: TokenPair,
        job: JobOfRun,
        sources: Sources,
        discovery: Callable[[str], DiscoveryFiles],
    ) -> None:
        self.address: str | None = None
        self._publisher = publisher
        self._server = WsServer(options, tokens, job, sources)
        self._discovery = discovery
        self._files: DiscoveryFiles | None = None
        self._ready = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="rolloutscope-server", daemon=True)

    def start(self) -> None:
        """Returns when the server listens, or has said in the log why it does not."""
        self._thread.start()
        if not self._ready.wait(_START_SECONDS):
            LOG.warning("Rolloutscope: the server has not come up in %.0f s; the run goes on.", _START_SECONDS)

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def stop(self) -> None:
        """Hands on what was published, says goodbye to the clients and ends the thread, within seconds."""
        self._stopping.set()
        self._thread.join(_END_SECONDS)
        self.remove_discovery()

    def remove_discovery(self) -> None:
        if self._files is not None:
            self._files.remove()

    def _run(self) -> None:
        try:
            asyncio.run(self._main())
        except BaseException as error:
            LOG.exception("Rolloutscope: the server thread has failed")
            self._publisher.close(f"its server thread has failed ({type(error).__name__}: {error})")
        finally:
            self.remove_discovery()
            self._ready.set()

    async def _main(self) -> None:
        try:
            await self._server.listen()
        except (OSError, ValueError) as error:
            LOG.warning(
                "Rolloutscope serves nobody: %s. The run goes on; what it publishes still goes to its journal.",
                error,
            )
        else:
            self.address = self._server.address
            self._files = self._discovery(self.address)
            self._files.publish()
        self._ready.set()
        touch = asyncio.create_task(self._touch())
        try:
            while not self._stopping.is_set():
                more = self._publisher.drain()
                await asyncio.sleep(0 if more else FLUSH_SECONDS)
            while self._publisher.drain():
                await asyncio.sleep(0)
            # What was just sent has a moment to reach its readers.
            await asyncio.sleep(FLUSH_SECONDS)
        finally:
            touch.cancel()
            await self._server.close()

    async def _touch(self) -> None:
        while True:
            await asyncio.sleep(DISCOVERY_TOUCH_SECONDS)
            if self._files is not None:
                await asyncio.to_thread(self._files.touch)


def start_journal(folder: Path | None, context: dict[str, Any], publisher: Publisher) -> JournalWriter | None:
    """The journal of this incarnation; None without a folder. A full disk becomes a finding."""
    if folder is None:
        return None

    def stopped(reason: str) -> None:
        LOG.warning("Rolloutscope: the journal has stopped: %s. The run goes on.", reason)
        body = {
            "code": "journalStopped",
            "severity": "error",
            "title": "The journal has stopped",
            "evidence": f"{reason[:1500]}. The run goes on and can be watched, but what happens from now on is not "
            "kept. Make room on the disk; the next start writes again.",
        }
        publisher.add("finding", {"finding": "journal-stopped", "open": True, "body": body})

    journal = JournalWriter(folder, context, stopped)
    publisher.sinks.append(journal)
    return journal
