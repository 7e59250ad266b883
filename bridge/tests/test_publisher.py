"""Publishing is a bounded append: what is left out is said, structure is kept, nothing raises."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rolloutscope.batch_builder import Batch
from rolloutscope.publisher import Publisher
from rolloutscope.server.batch_shaping import after_seq, coalesce, count_events, join_batches


class Kept:
    def __init__(self) -> None:
        self.batches: list[Batch] = []

    def batch(self, batch: Batch, line: bytes, texts: list[Any], strings: list[str], before: int) -> None:
        self.batches.append(batch)


def _kept(publisher: Publisher) -> Kept:
    kept = Kept()
    publisher.sinks.append(kept)
    return kept


_METRIC = {"name": "loss", "value": 0.5}
_PHASE = {"step": 1, "phase": "plan"}


def _count(batches: list[Batch], kind: str) -> int:
    return sum(len(batch["events"].get(kind, {"seq": []})["seq"]) for batch in batches)


def test_over_the_limit_samples_are_left_out_and_counted_and_structure_is_kept() -> None:
    publisher = Publisher(sample_limit=10)
    kept = _kept(publisher)
    for _ in range(30):
        publisher.add("metric", _METRIC)
        publisher.add("stepPhase", _PHASE)
    publisher.drain()
    assert _count(kept.batches, "stepPhase") == 30
    samples = _count(kept.batches, "metric")
    assert samples < 30
    dropped = [batch["events"]["dropped"] for batch in kept.batches if "dropped" in batch["events"]]
    assert sum(sum(columns["count"]) for columns in dropped) == 30 - samples
    assert [kinds for columns in dropped for kinds in columns["kinds"]] == [["metric"]]
    assert kept.batches[-1]["to"] == 60, "what was left out keeps its seqs"
    publisher.drain()
    assert publisher.held.head == 60, "it is said once"


def test_a_server_that_takes_nothing_any_more_closes_the_publisher_and_says_so_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    publisher = Publisher(sample_limit=5, event_limit=20)
    with caplog.at_level(logging.WARNING, "rolloutscope"):
        for _ in range(100):
            publisher.add("stepPhase", _PHASE)
            publisher.add("metric", _METRIC)
    assert publisher.closed is not None
    assert len(caplog.records) == 1
    assert "The run goes on" in caplog.text


def test_a_bad_event_is_left_out_with_a_finding_and_the_others_stand() -> None:
    publisher = Publisher()
    kept = _kept(publisher)
    publisher.add("stepPhase", _PHASE)
    publisher.add("metric", {"name": "loss", "value": object()})
    publisher.add("metric", {"name": "loss", "value": object()})
    publisher.add("stepPhase", _PHASE)
    publisher.drain()
    assert _count(kept.batches, "stepPhase") == 2
    assert _count(kept.batches, "metric") == 0
    assert _count(kept.batches, "finding") == 1
    assert kept.batches[-1]["to"] == 3


def test_a_text_that_cannot_be_made_loses_neither_the_node_nor_the_batch() -> None:
    publisher = Publisher()
    kept = _kept(publisher)

    def broken() -> None:
        raise RuntimeError("no text")

    publisher.add("nodeClosed", {"node": "n", "length": 1, "ending": "finished"}, broken)
    publisher.add("stepPhase", _PHASE)
    publisher.drain()
    assert _count(kept.batches, "nodeClosed") == 1
    assert _count(kept.batches, "stepPhase") == 1


_SAMPLES = st.lists(
    st.one_of(
        st.tuples(
            st.just("metric"),
            st.fixed_dictionaries({"name": st.sampled_from(["a", "b"]), "value": st.floats(0, 1)}),
        ),
        st.tuples(
            st.just("nodeUpdated"),
            st.fixed_dictionaries({"node": st.sampled_from(["m", "n"]), "length": st.integers(0, 9)}),
        ),
        st.tuples(st.just("stepPhase"), st.just(_PHASE)),
    ),
    min_size=1,
    max_size=60,
)


@given(_SAMPLES, st.integers(1, 7))
def test_thinned_batches_keep_structure_and_the_newest_sample_and_say_the_rest(
    events: list[tuple[str, dict[str, Any]]], batch_events: int
) -> None:
    publisher = Publisher(batch_events=batch_events)
    kept = _kept(publisher)
    for kind, fields in events:
        publisher.add(kind, fields)
    publisher.drain()
    joined = join_batches(kept.batches)
    assert count_events(joined) == len(events)
    thin = coalesce(joined)
    assert (thin["from"], thin["to"]) == (1, len(events))
    assert thin["events"].get("stepPhase") == joined["events"].get("stepPhase")
    newest: dict[tuple[str, str], int] = {}
    for seq, (kind, fields) in enumerate(events, 1):
        if kind != "stepPhase":
            newest[kind, str(fields.get("name", fields.get("node")))] = seq
    left = [seq for kind in ("metric", "nodeUpdated") for seq in thin["events"].get(kind, {"seq": []})["seq"]]
    assert sorted(left) == sorted(newest.values())
    said = sum(thin["events"].get("dropped", {"count": []})["count"])
    assert said + count_events(thin) - (1 if said else 0) == len(events)


@given(_SAMPLES, st.data())
def test_a_batch_cut_anywhere_holds_what_lies_behind(
    events: list[tuple[str, dict[str, Any]]], data: st.DataObject
) -> None:
    publisher = Publisher()
    kept = _kept(publisher)
    for kind, fields in events:
        publisher.add(kind, fields)
    publisher.drain()
    cut = data.draw(st.integers(0, len(events)))
    rest = after_seq(kept.batches[0], cut)
    assert count_events(rest) == len(events) - cut
