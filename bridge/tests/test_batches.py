"""Batches as the TypeScript reader reads them, and the golden journals as every writer reproduces them."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rolloutscope.batch_builder import BadEventError, BatchBuilder
from rolloutscope.contract import EVENTS, Column
from rolloutscope.journal.folder import incarnation_folder, read_batches, read_head
from rolloutscope.journal.writer import JournalWriter
from rolloutscope.server.batch_shaping import without_text_places

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "test/golden/journal-v1/two-starts"
TSX = ROOT / "node_modules/tsx/dist/cli.mjs"

Event = tuple[str, float, dict[str, Any]]

_TEXT = st.text(max_size=40).map(lambda text: text.encode("utf-8", "replace").decode())
_NAME = st.text(min_size=1, max_size=20).map(lambda text: text.encode("utf-8", "replace").decode())
_NUMBER = st.floats(allow_nan=True, allow_infinity=True)
_JSON_KINDS = {
    "rows": st.lists(_NAME, max_size=3),
    "kinds": st.lists(_NAME, max_size=3),
    "versions": st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), max_size=3),
    "rewardParts": st.dictionaries(st.text("abc", min_size=1, max_size=5), _NUMBER, max_size=3),
    "mean": st.lists(_NUMBER, max_size=4),
    "greatest": st.lists(_NUMBER, max_size=4),
    "sampling": st.fixed_dictionaries({}, optional={"temperature": st.floats(0, 5)}),
    "problems": st.just({"prompts": ["p"], "n": [4], "c": [1]}),
    "condition": st.just({"metric": "entropy", "op": "<", "value": 0.5}),
    "subjects": st.just([{"type": "prompt", "id": "p"}]),
    "before": st.just({"latch": "open"}),
    "after": st.just({"latch": "closed"}),
}


def _cells(kind: str, column: Column) -> st.SearchStrategy[Any]:
    by_type: dict[str, st.SearchStrategy[Any]] = {
        "int": st.integers(0, 2**53 - 1),
        "num": _NUMBER,
        "ref": st.sampled_from(sorted(column.words)) if column.words else _NAME,
        "flag": st.booleans(),
        "text": _TEXT,
        "json": _JSON_KINDS.get(column.name, st.none()),
    }
    cell = by_type[column.type]
    return st.one_of(st.none(), cell) if column.optional else cell


def _events() -> st.SearchStrategy[list[Event]]:
    # Bodies of decisions and findings have schemas of their own; the conformance suite reads real ones.
    kinds = [kind for kind in EVENTS.values() if not any(column.name == "body" for column in kind.columns)]
    one = st.one_of(
        *(
            st.tuples(
                st.just(kind.name),
                st.floats(0, 1e6),
                st.fixed_dictionaries({column.name: _cells(kind.name, column) for column in kind.columns}),
            )
            for kind in kinds
        )
    )
    return st.lists(one, min_size=1, max_size=40)


def _said(value: Any) -> Any:
    """A value as the reader prints it."""
    if isinstance(value, (int, float)):
        # Beyond 2^53 the same number has several writings.
        value = float(value)
        return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get(str(value), value)
    if isinstance(value, dict):
        return {key: _said(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_said(item) for item in value]
    return value


@pytest.fixture(scope="module")
def reader() -> Iterator[Callable[[list[bytes]], list[dict[str, Any]]]]:
    """What the reader of the extension makes of a stream of batches."""
    if not TSX.exists() or shutil.which("node") is None:
        pytest.skip("needs node and the repository's node_modules")
    command = ["node", str(TSX), str(ROOT / "test/bridge/decodeLines.ts")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        into, out = process.stdin, process.stdout

        def read(lines: list[bytes]) -> list[dict[str, Any]]:
            into.write(b"".join(line + b"\n" for line in lines) + b"\n")
            into.flush()
            return [json.loads(line) for line in iter(out.readline, b"\n")]

        yield read
        into.close()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(_events(), st.integers(1, 10))
def test_the_reader_of_the_extension_reads_what_was_written(
    reader: Callable[[list[bytes]], list[dict[str, Any]]], events: list[Event], batch_events: int
) -> None:
    builder = BatchBuilder()
    batches = []
    for kind, t, fields in events:
        builder.add(kind, t, fields)
        if builder.size >= batch_events:
            batches.append(builder.take(t))
    batches.append(builder.take(0.0))
    read = reader([msgspec.json.encode(batch) for batch in batches if batch is not None])
    assert [event.get("error") for event in read if "error" in event] == []
    assert [event["seq"] for event in read] == list(range(1, len(events) + 1))
    for event, (kind, _, fields) in zip(read, events, strict=True):
        assert event["kind"] == kind
        assert _said(event["fields"]) == _said({name: value for name, value in fields.items() if value is not None})


def _rows(batch: dict[str, Any], strings: list[str]) -> list[tuple[int, str, float, dict[str, Any]]]:
    rows = []
    for kind, columns in batch["events"].items():
        declared = {column.name: column.type for column in EVENTS[kind].columns}
        for row, seq in enumerate(columns["seq"]):
            fields = {
                name: strings[cells[row]] if declared.get(name) == "ref" and cells[row] is not None else cells[row]
                for name, cells in columns.items()
                if name not in ("seq", "t")
            }
            rows.append((seq, kind, columns["t"][row], fields))
    return sorted(rows)


@pytest.mark.parametrize("incarnation", [1, 2])
def test_events_and_journal_reproduce_the_golden_segment(tmp_path: Path, incarnation: int) -> None:
    head = read_head(GOLDEN, incarnation, 1)
    place = incarnation_folder(GOLDEN, incarnation)
    texts = [json.loads(line) for line in (place / "segment-000001.texts").read_text().splitlines()]
    stopped: list[str] = []
    context = {name: head[name] for name in ("incarnation", "successThreshold", "sampling")}
    writer = JournalWriter(tmp_path, context, stopped.append)
    builder = BatchBuilder()
    strings: list[str] = []
    for line in read_batches(GOLDEN, incarnation, 1):
        strings += line.batch.get("strings", {}).get("values", [])
        plain = without_text_places(line.batch)
        for seq, kind, t, fields in _rows(plain, strings):
            assert builder.add(kind, t, fields) == seq
        made = builder.take(plain["now"])
        assert made is not None
        assert made["strings"] == plain["strings"] if "strings" in plain else "strings" not in made
        assert {name: made[name] for name in ("from", "to", "now", "events")} == {
            name: plain[name] for name in ("from", "to", "now", "events")
        }
        closed = line.batch["events"].get("nodeClosed", {}).get("textBytes", [])
        own = [None if size is None else texts.pop(0) for size in closed]
        before = line.batch["strings"]["from"] if "strings" in line.batch else len(strings)
        writer.batch(made, msgspec.json.encode(made), own, strings, before)
    writer.close()
    assert stopped == []
    assert texts == []
    for part in ("jsonl", "texts", "index"):
        name = f"segment-000001.{part}"
        written = (incarnation_folder(tmp_path, incarnation) / name).read_text().splitlines()
        assert [json.loads(line) for line in written] == [
            json.loads(line) for line in (place / name).read_text().splitlines()
        ]


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("dance", {}),
        ("stepOpened", {"step": -1, "policyVersion": 0, "planned": 0}),
        ("stepOpened", {"step": True, "policyVersion": 0, "planned": 0}),
        ("stepOpened", {"step": 2**53, "policyVersion": 0, "planned": 0}),
        ("stepOpened", {"step": 1.5, "policyVersion": 0, "planned": 0}),
        ("stepOpened", {"policyVersion": 0, "planned": 0}),
        ("metric", {"name": "loss", "value": "0.5"}),
        ("metric", {"name": "", "value": 0.5}),
        ("metric", {"name": 7, "value": 0.5}),
        ("rolloutClosed", {"rollout": "r", "ending": "finished", "length": 1, "rewardParts": {"a": object()}}),
    ],
)
def test_an_event_that_cannot_be_written_is_named_and_leaves_nothing_behind(kind: str, fields: dict[str, Any]) -> None:
    builder = BatchBuilder()
    with pytest.raises(BadEventError, match=kind):
        builder.add(kind, 0.0, fields)
    assert builder.take(0.0) is None
