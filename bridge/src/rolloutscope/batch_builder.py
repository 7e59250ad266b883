"""Events as columnar batches: what stands on the wire and, a line each, in the journal."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from typing import Any

from .contract import EVENTS, GREATEST_INT, Column, Kind

Columns = dict[str, list[Any]]
Batch = dict[str, Any]
"""`{from, to, now, strings?: {from, values}, events: {kind: columns}}`, as protocol/PROTOCOL.md has it."""


class BadEventError(ValueError):
    """An event that cannot be written: the kind, the column and what was expected."""


def plain(value: Any) -> Any:
    """A structured value as JSON can carry it: non-finite numbers as texts, tuples as lists, scalars unwrapped.

    Raises BadEventError for anything else.
    """
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else _special(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    raise BadEventError(f"a {type(value).__name__} cannot be written as JSON")


def _special(value: float) -> str:
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


class BatchBuilder:
    """Collects events into a batch. It numbers them, so one builder stands for one incarnation."""

    def __init__(self) -> None:
        self.strings: list[str] = []
        self._handles: dict[str, int] = {}
        self._events: dict[str, Columns] = {}
        self._from = 1
        self._next = 1
        self._strings_from = 0

    @property
    def head(self) -> int:
        """Seq of the last event; 0 before the first."""
        return self._next - 1

    @property
    def size(self) -> int:
        """Events (and left-out samples) waiting."""
        return self._next - self._from

    def add(self, kind: str, t: float, fields: Mapping[str, Any]) -> int:
        """Adds an event at `t` ms and returns its seq. Raises BadEventError, and then nothing was added."""
        declared = EVENTS.get(kind)
        if declared is None:
            raise BadEventError(f"{kind}: there is no such event")
        cells = [(column, _checked(declared, column, fields.get(column.name))) for column in declared.columns]
        columns = self._events.get(kind)
        if columns is None:
            columns = self._events[kind] = {"seq": [], "t": [], **{c.name: [] for c in declared.columns}}
        columns["seq"].append(self._next)
        columns["t"].append(t)
        for column, cell in cells:
            is_ref = column.type == "ref" and cell is not None
            columns[column.name].append(self._handle(cell) if is_ref else cell)
        self._next += 1
        return self._next - 1

    def left_out(self, t: float, kinds: list[str], count: int) -> None:
        """Says that `count` samples were left out: they keep their seqs, the last one speaks for them."""
        first = self._next
        self._next += count - 1
        self.add("dropped", t, {"from": first, "to": first + count - 1, "kinds": kinds, "count": count})

    def take(self, now: float) -> Batch | None:
        """What was collected, or None. Columns without any value are left out."""
        if self.size == 0:
            return None
        events = {
            kind: {name: cells for name, cells in columns.items() if any(cell is not None for cell in cells)}
            for kind, columns in self._events.items()
        }
        batch: Batch = {"from": self._from, "to": self._next - 1, "now": now}
        if len(self.strings) > self._strings_from:
            batch["strings"] = {"from": self._strings_from, "values": self.strings[self._strings_from :]}
        batch["events"] = events
        self._events = {}
        self._from = self._next
        self._strings_from = len(self.strings)
        return batch

    def _handle(self, value: str) -> int:
        handle = self._handles.get(value)
        if handle is None:
            handle = self._handles[value] = len(self.strings)
            self.strings.append(value)
        return handle


def _checked(kind: Kind, column: Column, value: Any) -> Any:
    if value is None:
        if column.optional:
            return None
        raise BadEventError(f"{kind.name}.{column.name}: missing")
    try:
        return _CELLS[column.type](value)
    except (TypeError, ValueError, OverflowError, AttributeError) as error:
        detail = error if isinstance(error, BadEventError) else f"a {type(value).__name__} is no {column.type}"
        raise BadEventError(f"{kind.name}.{column.name}: {detail}") from error


def _int(value: Any) -> int:
    number = operator.index(value) if not isinstance(value, bool) else -1
    if not 0 <= number <= GREATEST_INT:
        raise BadEventError("expected an integer from 0 to 2^53 - 1")
    return number


def _num(value: Any) -> float | int | str:
    if isinstance(value, (str, bytes)):
        raise BadEventError("expected a number, not text")
    number = float(value)
    if not math.isfinite(number):
        return _special(number)
    return int(number) if number.is_integer() and abs(number) < GREATEST_INT else number


def _ref(value: Any) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= 256:
        raise BadEventError("expected a string of 1 to 256 characters")
    return _text(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise BadEventError("expected text")
    # Half of a surrogate pair cannot be written as UTF-8.
    return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")


_CELLS = {
    "int": _int,
    "num": _num,
    "ref": _ref,
    "flag": lambda value: 1 if value else 0,
    "text": _text,
    "json": plain,
}
