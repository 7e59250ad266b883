"""The job's side of the stream: a bounded append on the calling thread, everything else on the server's."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

import msgspec

from .batch_builder import BadEventError, Batch, BatchBuilder
from .contract import EVENTS
from .held_batches import HeldBatch, HeldBatches

LOG: Final = logging.getLogger("rolloutscope")

TextRecord = dict[str, Any]
"""Text and token data of a node as the journal keeps it: node, text, offsets, ids, logProb?, entropy?, …"""

Item = tuple[str, float, Mapping[str, Any], Callable[[], TextRecord | None] | None]

_CALL: Final = "call"
_SAMPLES: Final = tuple(name for name, kind in EVENTS.items() if not kind.structural)
_SAMPLE_SET: Final = frozenset(_SAMPLES)


class BatchSink(Protocol):
    """Where finished batches go. Called on the server's thread; must neither raise nor wait."""

    def batch(
        self, batch: Batch, line: bytes, texts: list[TextRecord | None], strings: list[str], before: int
    ) -> None: ...


class Publisher:
    """`add` numbers nothing, encodes nothing and takes no lock: it appends to a deque that the server drains.

    Beyond `sample_limit` waiting events, samples are left out and counted; the server says `dropped`. Structure is
    kept up to `event_limit`: a server that far behind has stopped, and the publisher closes, saying so once.
    """

    def __init__(
        self,
        *,
        sample_limit: int = 50_000,
        event_limit: int = 1_000_000,
        batch_events: int = 1000,
        hold_bytes: int = 32 * 1024 * 1024,
    ) -> None:
        self.held = HeldBatches(hold_bytes)
        self.step_seqs: dict[int, int] = {}
        self.on_event: Callable[[str, Mapping[str, Any]], None] = lambda _kind, _fields: None
        self.sinks: list[BatchSink] = []
        self._queue: deque[Item] = deque()
        self._sample_limit = sample_limit
        self._event_limit = event_limit
        self._batch_events = batch_events
        self._started = time.perf_counter()
        self._closed: str | None = None
        self._left_out = dict.fromkeys(_SAMPLES, 0)
        self._said_left_out = dict.fromkeys(_SAMPLES, 0)
        # Taken by publishing threads among themselves, only while they leave samples out; never by the server.
        self._counting = threading.Lock()
        self._closing = threading.Lock()
        self._builder = BatchBuilder()
        self._texts: list[TextRecord | None] = []
        self._last_t = 0.0
        self._bad: set[str] = set()

    def now(self) -> float:
        """Milliseconds since the incarnation's start."""
        return round((time.perf_counter() - self._started) * 1000, 3)

    @property
    def closed(self) -> str | None:
        """Why nothing is published any more; None while it is."""
        return self._closed

    @property
    def strings(self) -> list[str]:
        """The string table so far. Server's thread."""
        return self._builder.strings

    def add(
        self,
        kind: str,
        fields: Mapping[str, Any],
        text: Callable[[], TextRecord | None] | None = None,
    ) -> None:
        """Hands an event over. Never raises, never waits. `fields` must not be changed afterwards.

        `text` makes the text record of a `nodeClosed`; it is called on the server's thread.
        """
        if self._closed is not None:
            return
        waiting = len(self._queue)
        if waiting >= self._sample_limit and not self._has_room(kind, waiting):
            return
        self._queue.append((kind, (time.perf_counter() - self._started) * 1000, fields, text))

    def post(self, call: Callable[[], None]) -> None:
        """Runs `call` on the server's thread, after all that was added before it."""
        if self._closed is None:
            self._queue.append((_CALL, 0.0, {"call": call}, None))

    def close(self, reason: str) -> None:
        """Publishes nothing any more; the run goes on. Said once in the log."""
        with self._closing:
            if self._closed is not None:
                return
            self._closed = reason
        self._queue.clear()
        LOG.warning("Rolloutscope publishes nothing any more: %s. The run goes on.", reason)

    def end(self) -> None:
        """The run has ended by itself: nothing more is taken, nothing is logged."""
        self._closed = self._closed or "the run has ended"

    def _has_room(self, kind: str, waiting: int) -> bool:
        if kind in _SAMPLE_SET:
            with self._counting:
                self._left_out[kind] += 1
            return False
        if waiting < self._event_limit:
            return True
        self.close(f"{waiting} events wait, its server thread does not take them")
        return False

    # Server's thread from here on.

    def drain(self, limit: int = 20_000) -> bool:
        """Takes up to `limit` waiting events into batches. True: more wait."""
        for _ in range(limit):
            try:
                kind, t, fields, text = self._queue.popleft()
            except IndexError:
                break
            if kind == _CALL:
                self._call(fields["call"])
            else:
                self._take(kind, t, fields, text)
        self._say_left_out()
        self.flush()
        return len(self._queue) > 0

    def flush(self) -> None:
        """Closes the open batch and hands it on."""
        batch = self._builder.take(self.now())
        if batch is None:
            return
        texts, self._texts = self._texts, []
        strings = self._builder.strings
        before = batch["strings"]["from"] if "strings" in batch else len(strings)
        line = msgspec.json.encode(batch)
        self.held.add(HeldBatch(batch, line, before))
        for sink in list(self.sinks):
            sink.batch(batch, line, texts, strings, before)

    def _take(
        self,
        kind: str,
        t: float,
        fields: Mapping[str, Any],
        text: Callable[[], TextRecord | None] | None,
    ) -> None:
        # Threads stamp before they append, so two of them may stand in the other order.
        self._last_t = max(self._last_t, round(t, 3))
        try:
            seq = self._builder.add(kind, self._last_t, fields)
        except BadEventError as error:
            self._say_bad(kind, str(error))
            return
        if kind == "nodeClosed":
            self._texts.append(self._text_of(text))
        elif kind == "stepOpened":
            self.step_seqs[fields["step"]] = seq
        self.on_event(kind, fields)
        if self._builder.size >= self._batch_events:
            self.flush()

    def _text_of(self, text: Callable[[], TextRecord | None] | None) -> TextRecord | None:
        try:
            return None if text is None else text()
        except Exception as error:
            self._say_bad("nodeClosed", f"its text: {error}")
            return None

    def _call(self, call: Callable[[], None]) -> None:
        try:
            call()
        except Exception:
            LOG.exception("Rolloutscope: a part of the bridge failed; the run goes on.")

    def _say_bad(self, kind: str, message: str) -> None:
        if message in self._bad or len(self._bad) >= 100:
            return
        self._bad.add(message)
        LOG.warning("Rolloutscope: an event was left out: %s", message)
        body = {
            "code": "badEvent",
            "severity": "warning",
            "title": f"An event {kind[:64]} of the job was left out",
            "evidence": f"{message[:1500]}. What the run shows lacks it. Correct the call that publishes it.",
        }
        fields = {"finding": f"bad-event-{len(self._bad)}", "open": True, "body": body}
        self._builder.add("finding", self._last_t, fields)

    def _say_left_out(self) -> None:
        counts = {kind: self._left_out[kind] - self._said_left_out[kind] for kind in _SAMPLES}
        kinds = [kind for kind, count in counts.items() if count > 0]
        if not kinds:
            return
        for kind in kinds:
            self._said_left_out[kind] += counts[kind]
        self._last_t = max(self._last_t, self.now())
        self._builder.left_out(self._last_t, kinds, sum(counts[kind] for kind in kinds))
