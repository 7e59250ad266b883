"""Token data of one node, as it grows on the job's thread and is read on the server's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .batch_builder import BadEventError, plain
from .publisher import TextRecord

Alternatives = Sequence[tuple[str, float]]
"""The most probable tokens at a position with their probabilities, the sampled one included."""


def utf16_length(text: str) -> int:
    """Length in UTF-16 code units, in which offsets are counted."""
    return len(text) if text.isascii() else sum(2 if ord(letter) > 0xFFFF else 1 for letter in text)


class TokenColumns:
    """One cell a token in each list. A column is kept only while it has a cell for every token."""

    def __init__(self) -> None:
        self.ids: list[int] = []
        self.pieces: list[str] = []
        self.log_prob: list[float] = []
        self.entropy: list[float] = []
        self.trained: list[int] = []
        self.alternatives: list[Alternatives] = []
        self._sums = {"log_prob": 0.0, "entropy": 0.0}
        self._sampled = 0

    def __len__(self) -> int:
        return len(self.ids)

    def append(
        self,
        ids: Sequence[int],
        pieces: Sequence[str],
        log_probs: Sequence[float] | None,
        entropies: Sequence[float] | None,
        trained: Sequence[bool] | None,
        alternatives: Sequence[Alternatives] | None,
    ) -> None:
        self.ids.extend(ids)
        self.pieces.extend(pieces)
        self._sampled += len(ids) if trained is None else sum(1 for flag in trained if flag)
        for name, column, cells in (("log_prob", self.log_prob, log_probs), ("entropy", self.entropy, entropies)):
            if cells is None:
                continue
            column.extend(cells)
            self._sums[name] += (
                sum(cells) if trained is None else sum(c for c, flag in zip(cells, trained, strict=True) if flag)
            )
        if trained is not None or self.trained:
            # Tokens that came without a mask were sampled and are in the loss.
            self.trained.extend([1] * (len(self.ids) - len(ids) - len(self.trained)))
            self.trained.extend([1] * len(ids) if trained is None else [1 if flag else 0 for flag in trained])
        if alternatives is not None:
            self.alternatives.extend(alternatives)

    def mean(self, column: str) -> float | None:
        """Mean over the sampled tokens of `log_prob` or `entropy`; None where the job does not give it."""
        given = self.log_prob if column == "log_prob" else self.entropy
        if self._sampled == 0 or len(given) != len(self.ids):
            return None
        return self._sums[column] / self._sampled

    def record(self, node: str) -> TextRecord:
        """The text record of the node. Columns with missing or non-finite cells are left out. Raises BadEventError."""
        length = min(len(self.ids), len(self.pieces))
        pieces = [
            piece if piece.isascii() else piece.encode("utf-8", "replace").decode() for piece in self.pieces[:length]
        ]
        offsets: list[int] = []
        at = 0
        for piece in pieces:
            offsets.append(at)
            at += utf16_length(piece)
        ids = plain(self.ids[:length])
        if any(not isinstance(token, int) or token < 0 for token in ids):
            raise BadEventError(f"tokens of {node}: ids must be integers from 0 on")
        record: TextRecord = {"node": node, "text": "".join(pieces), "offsets": offsets, "ids": ids}
        for name, cells in (("logProb", self.log_prob), ("entropy", self.entropy)):
            values = [float(cell) for cell in cells[:length]]
            if values and len(values) == length and all(map(math.isfinite, values)):
                record[name] = values
        if length and len(self.trained) >= length:
            record["trained"] = self.trained[:length]
        if length and len(self.alternatives) >= length:
            record["alternatives"] = [
                [[str(piece), float(share)] for piece, share in row] for row in self.alternatives[:length]
            ]
        return record


def window(record: dict[str, Any], begin: int, end: int) -> dict[str, Any]:
    """Positions begin..end (excluded) of a text record, as the answer to `tokens`."""
    length = len(record["ids"])
    begin = min(begin, length)
    end = max(begin, min(end, length))
    # Offsets count UTF-16 units, so the text is cut in that encoding.
    units = record["text"].encode("utf-16-le", "surrogatepass")
    offsets = [*record["offsets"], len(units) // 2]
    start, stop = offsets[begin], offsets[end]
    answer: dict[str, Any] = {
        "node": record["node"],
        "from": begin,
        "to": end,
        "length": length,
        "text": units[2 * start : 2 * stop].decode("utf-16-le", "replace"),
        "offsets": [offset - start for offset in record["offsets"][begin:end]],
        "ids": record["ids"][begin:end],
    }
    for name in ("logProb", "entropy", "trained", "alternatives"):
        if name in record:
            answer[name] = record[name][begin:end]
    return answer
