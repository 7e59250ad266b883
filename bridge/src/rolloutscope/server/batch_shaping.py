"""Batches cut, filtered, joined and thinned for one reader; `from..to` stay: they say what a batch speaks of."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from ..batch_builder import Batch, Columns
from ..contract import EVENTS

RUN_LEVEL = frozenset(
    ("runState", "promptDeclared", "promptStatistics", "evaluation", "steering", "breakpoint", "finding")
)
"""What a reader needs of the run even when it leaves out a step."""

_REPLACED_BY = {
    "rolloutSpan": ("rollout",),
    "nodeUpdated": ("node",),
    "credit": ("node", "rollout", "rule"),
    "metric": ("name", "step", "worker"),
    "worker": ("worker",),
}
"""Columns that say which sample a later one replaces."""


def count_events(batch: Batch) -> int:
    return sum(len(columns["seq"]) for columns in batch["events"].values())


def _pick(columns: Columns, rows: Sequence[int]) -> Columns:
    return {name: [cells[row] for row in rows] for name, cells in columns.items()}


def _filtered(batch: Batch, keep: Callable[[str, int], bool]) -> dict[str, Columns]:
    kept: dict[str, Columns] = {}
    for kind, columns in batch["events"].items():
        rows = [row for row, seq in enumerate(columns["seq"]) if keep(kind, seq)]
        if len(rows) == len(columns["seq"]):
            kept[kind] = columns
        elif rows:
            kept[kind] = _pick(columns, rows)
    return kept


def after_seq(batch: Batch, seq: int) -> Batch:
    """What lies after `seq`. Strings stay whole: a reader may be told again what it knows."""
    if batch["from"] > seq:
        return batch
    return {**batch, "from": seq + 1, "events": _filtered(batch, lambda _, at: at > seq)}


def only_kinds(batch: Batch, kinds: Collection[str]) -> Batch:
    return {**batch, "events": _filtered(batch, lambda kind, _: kind in kinds or kind == "dropped")}


def run_level_before(batch: Batch, seq: int) -> Batch:
    """Before `seq` only what concerns the whole run."""
    if batch["from"] >= seq:
        return batch
    return {**batch, "events": _filtered(batch, lambda kind, at: kind in RUN_LEVEL or at >= seq)}


def without_text_places(batch: Batch) -> Batch:
    """`textOffset` and `textBytes` belong to the journal and are taken off what goes over the wire."""
    closed = batch["events"].get("nodeClosed")
    if closed is None or "textOffset" not in closed:
        return batch
    columns = {name: cells for name, cells in closed.items() if name not in ("textOffset", "textBytes")}
    return {**batch, "events": {**batch["events"], "nodeClosed": columns}}


def join_batches(batches: Sequence[Batch]) -> Batch:
    """One batch of several that follow each other."""
    if len(batches) == 1:
        return batches[0]
    events: dict[str, Columns] = {}
    values: list[str] = []
    strings_from: int | None = None
    for batch in batches:
        if "strings" in batch:
            strings = batch["strings"]
            if strings_from is None:
                strings_from = strings["from"]
            # A piece may repeat what an earlier one said.
            values += strings["values"][strings_from + len(values) - strings["from"] :]
        for kind, columns in batch["events"].items():
            into = events.setdefault(kind, {"seq": []})
            before = len(into["seq"])
            for name, cells in columns.items():
                into.setdefault(name, [None] * before).extend(cells)
            for cells in into.values():
                cells.extend([None] * (before + len(columns["seq"]) - len(cells)))
    joined: Batch = {"from": batches[0]["from"], "to": batches[-1]["to"], "now": batches[-1]["now"]}
    if strings_from is not None:
        joined["strings"] = {"from": strings_from, "values": values}
    return {**joined, "events": events}


def coalesce(batch: Batch) -> Batch:
    """Thins the samples of a batch for a reader that fell behind: of several about one thing the newest stays;
    series pieces that follow each other become one. `dropped` takes the seq of the last event left out.
    Structural events are never touched."""
    events: dict[str, Columns] = {}
    left: list[tuple[int, float, str]] = []
    for kind, columns in batch["events"].items():
        key = _REPLACED_BY.get(kind)
        if kind == "nodeSeries":
            events[kind] = _join_series(columns)
        elif key is None or kind not in EVENTS or EVENTS[kind].structural:
            events[kind] = columns
        else:
            events[kind] = _newest(kind, columns, key, left)
    if left:
        left.sort()
        earlier = events.get("dropped")
        seq, t, _ = left[-1]
        dropped: Columns = {
            "seq": [seq],
            "t": [t],
            "from": [left[0][0]],
            "to": [seq],
            "kinds": [sorted({kind for _, _, kind in left})],
            "count": [len(left)],
        }
        events["dropped"] = dropped if earlier is None else _merged(earlier, dropped)
    return {**batch, "events": events}


def _merged(a: Columns, b: Columns) -> Columns:
    columns = {name: cells + b[name] for name, cells in a.items()}
    order = sorted(range(len(columns["seq"])), key=lambda row: columns["seq"][row])
    return _pick(columns, order)


def _key(columns: Columns, names: Sequence[str], row: int) -> tuple[Any, ...]:
    return tuple(columns[name][row] if name in columns else None for name in names)


def _newest(kind: str, columns: Columns, key: Sequence[str], left: list[tuple[int, float, str]]) -> Columns:
    rows: dict[tuple[Any, ...], int] = {}
    for row in range(len(columns["seq"])):
        name = _key(columns, key, row)
        earlier = rows.get(name)
        if earlier is not None:
            left.append((columns["seq"][earlier], columns["t"][earlier], kind))
        rows[name] = row
    return columns if len(rows) == len(columns["seq"]) else _pick(columns, sorted(rows.values()))


def _join_series(columns: Columns) -> Columns:
    open_pieces: dict[tuple[Any, ...], tuple[list[int], int]] = {}
    pieces: list[list[int]] = []
    for row, start in enumerate(columns["from"]):
        name = _key(columns, ("node", "field", "bin"), row)
        end = start + len(columns["mean"][row])
        earlier = open_pieces.get(name)
        if earlier is not None and earlier[1] == start:
            earlier[0].append(row)
            open_pieces[name] = (earlier[0], end)
        else:
            rows = [row]
            open_pieces[name] = (rows, end)
            pieces.append(rows)
    pieces.sort(key=lambda rows: rows[-1])

    def cell(name: str, cells: list[Any], rows: list[int]) -> Any:
        if name in ("mean", "greatest"):
            return [value for row in rows for value in cells[row]]
        return cells[rows[0] if name == "from" else rows[-1]]

    return {name: [cell(name, cells, rows) for rows in pieces] for name, cells in columns.items()}
