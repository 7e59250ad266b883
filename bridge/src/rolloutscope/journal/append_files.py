"""Disk work on a thread of its own: nobody waits for it, and a disk that hangs stops the journal, not the run."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Protocol


class AppendTarget(Protocol):
    """A file that grows; tests stand in a full disk."""

    def append(self, data: bytes) -> None: ...

    def close(self) -> None: ...


class DiskFile:
    """A new file, mode 0600; OSError where it cannot be had or written."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600)

    def append(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._handle, rest) :]

    def close(self) -> None:
        try:
            os.fsync(self._handle)
        finally:
            os.close(self._handle)


class AppendQueue:
    """Runs disk work one after another, bounded by bytes. After the first failure nothing more is done."""

    def __init__(self, limit_bytes: int, on_failure: Callable[[str], None]) -> None:
        self.failure: str | None = None
        self._limit = limit_bytes
        self._on_failure = on_failure
        self._jobs: deque[tuple[int, Callable[[], None]]] = deque()
        self._bytes = 0
        self._wake = threading.Condition()
        self._ended = False
        self._thread = threading.Thread(target=self._work, name="rolloutscope-journal", daemon=True)
        self._thread.start()

    def push(self, size: int, job: Callable[[], None]) -> None:
        with self._wake:
            if self.failure is not None or self._ended:
                return
            behind = self._bytes + size > self._limit
            if not behind:
                self._bytes += size
                self._jobs.append((size, job))
                self._wake.notify()
        if behind:
            self._fail(f"the disk is {round(self._bytes / 1e6)} MB behind")

    def idle(self) -> Future[None]:
        """Done when everything pushed so far is written, or the queue has failed."""
        done: Future[None] = Future()
        with self._wake:
            if self.failure is None and not self._ended:
                self._jobs.append((0, lambda: done.set_result(None)))
                self._wake.notify()
                return done
        done.set_result(None)
        return done

    def end(self, wait_seconds: float) -> None:
        """Finishes what is queued, as long as the disk takes it within `wait_seconds`."""
        with self._wake:
            self._ended = True
            self._wake.notify()
        self._thread.join(wait_seconds)

    def _work(self) -> None:
        while True:
            with self._wake:
                while not self._jobs:
                    if self._ended:
                        return
                    self._wake.wait()
                size, job = self._jobs.popleft()
            try:
                # After a failure only those who wait for the queue are told.
                if self.failure is None or size == 0:
                    job()
            except Exception as error:
                self._fail(f"{error}")
            with self._wake:
                self._bytes -= size

    def _fail(self, reason: str) -> None:
        if self.failure is None:
            self.failure = reason
            self._on_failure(reason)
