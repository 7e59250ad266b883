"""Batches kept in memory for readers that come back."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from .batch_builder import Batch


class HeldBatch(NamedTuple):
    """A batch, its JSON, and how many strings of the incarnation a reader needs before it."""

    batch: Batch
    line: bytes
    strings_before: int


class HeldBatches:
    """The newest batches of the stream, bounded by bytes; the newest one always stays."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._held: list[HeldBatch] = []
        self._firsts: list[int] = []
        self._bytes = 0
        self.head = 0

    @property
    def first_seq(self) -> int:
        """Oldest seq held; head + 1 when there is none."""
        return self._firsts[0] if self._firsts else self.head + 1

    def add(self, held: HeldBatch) -> None:
        self._held.append(held)
        self._firsts.append(held.batch["from"])
        self.head = held.batch["to"]
        self._bytes += len(held.line)
        drop = 0
        while self._bytes > self._limit and drop < len(self._held) - 1:
            self._bytes -= len(self._held[drop].line)
            drop += 1
        if drop > 0:
            del self._held[:drop], self._firsts[:drop]

    def at(self, seq: int) -> HeldBatch | None:
        """The batch that speaks of `seq`; None when it is no longer, or not yet, held."""
        place = bisect_right(self._firsts, seq) - 1
        if place < 0 or seq > self.head:
            return None
        return self._held[place]
