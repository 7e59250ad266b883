"""The stream of one client: a place in the batches that the publisher holds, never a queue of its own."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import msgspec

from ..batch_builder import Batch
from ..publisher import Publisher
from .batch_shaping import after_seq, coalesce, count_events, join_batches, only_kinds
from .pages import string_batches

WINDOW_EVENTS: Final = 8192
"""Events that may be on their way without an ack."""
JOIN_BYTES: Final = 512 * 1024
"""Bytes of one joined batch."""


def _frame(batch: bytes) -> bytes:
    return b'{"jsonrpc":"2.0","method":"events","params":' + batch + b"}"


class ClientStream:
    """Held back by the ack window and by the socket; what piled up meanwhile is thinned."""

    def __init__(
        self,
        publisher: Publisher,
        after: int,
        strings: int,
        kinds: Collection[str] | None,
        window: int = WINDOW_EVENTS,
    ) -> None:
        self._publisher = publisher
        self._next = after + 1
        self._acked = after
        self._kinds = kinds
        self._window = window
        self._thin_until = 0
        self.held_back = False
        first = publisher.held.at(self._next)
        needed = first.strings_before if first else len(publisher.strings)
        self._pieces = string_batches(publisher.strings, strings, needed, self._next)

    @property
    def possible(self) -> bool:
        """False: what the client needs next is no longer held."""
        held = self._publisher.held
        return self._next > held.head or held.at(self._next) is not None

    def ack(self, seq: int) -> None:
        if seq > self._acked:
            self._acked = min(seq, self._next - 1)

    def waited(self) -> None:
        """The socket took no frame for a while."""
        self._thin_until = self._publisher.held.head

    def next_frame(self) -> bytes | None:
        """What may be sent now."""
        if self._pieces:
            return _frame(msgspec.json.encode(self._pieces.pop(0)))
        held = self._publisher.held
        if self._next > held.head:
            self.held_back = False
            return None
        room = self._window - (self._next - 1 - self._acked)
        if room <= 0:
            self.held_back = True
            return None
        if self.held_back:
            self.held_back = False
            self._thin_until = held.head
        entry = held.at(self._next)
        if entry is None:
            return None
        if self._next <= self._thin_until:
            return self._shaped(coalesce(self._stretch(room)))
        if self._kinds is None and self._next == entry.batch["from"]:
            self._next = entry.batch["to"] + 1
            return _frame(entry.line)
        return self._shaped(entry.batch)

    def _stretch(self, room: int) -> Batch:
        """What piled up from `next` on, joined, as far as it fits the window and a frame."""
        batches: list[Batch] = []
        size = events = 0
        seq = self._next
        while seq <= self._thin_until:
            entry = self._publisher.held.at(seq)
            if entry is None:
                break
            batch = after_seq(entry.batch, self._next - 1)
            events += count_events(batch)
            if batches and (size + len(entry.line) > JOIN_BYTES or events > room):
                break
            batches.append(batch)
            size += len(entry.line)
            seq = entry.batch["to"] + 1
        return join_batches(batches)

    def _shaped(self, batch: Batch) -> bytes:
        rest = after_seq(batch, self._next - 1)
        self._next = batch["to"] + 1
        return _frame(msgspec.json.encode(rest if self._kinds is None else only_kinds(rest, self._kinds)))
