"""Steering reaches the loop, is verified by it, and is refused where the loop asks nothing."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rolloutscope
from rolloutscope import Controls, Run, Wires
from rolloutscope.publisher import Publisher
from rolloutscope.steering.latches import Pin

from .conftest import ALL_WIRES, Client, train, within

RUN = {"type": "run"}


def _steerer(run: Run) -> Client:
    client = Client(run, "steer")
    client.subscribe()
    return client


def _is(action: str, state: str) -> Any:
    return lambda kind, fields: kind == "steering" and fields["action"] == action and fields["state"] == state


def test_a_pause_is_requested_until_the_loop_stands_still(run: Run) -> None:
    client = _steerer(run)
    answer = client.steer("pause", target=RUN, mode="now", reason="look")
    assert answer["state"] == "requested"
    done = threading.Event()

    def wait() -> None:
        run.controls.between_tokens()
        done.set()

    loop = threading.Thread(target=wait)
    assert not any(_is("pause", "applied")(kind, fields) for _, kind, fields in client.events)
    loop.start()
    assert client.until(_is("pause", "applied"))["reason"] == "look"
    paused = client.until(lambda kind, fields: kind == "runState" and fields["state"] == "paused")
    assert (paused["mode"], paused["by"]) == ("now", "tester")
    assert not done.is_set()
    client.steer("resume", target=RUN)
    loop.join(10)
    assert done.is_set()


def test_step_counts_boundaries(run: Run) -> None:
    client = _steerer(run)
    client.steer("step", n=3)
    passed: list[int] = []

    def loop() -> None:
        for number in range(1, 6):
            train(run, 1, first=number)
            run.controls.boundary()
            passed.append(number)

    thread = threading.Thread(target=loop)
    thread.start()
    client.until(lambda kind, fields: kind == "runState" and fields["state"] == "paused")
    assert passed == [1, 2]
    client.steer("resume", target=RUN)
    thread.join(10)
    assert passed == [1, 2, 3, 4, 5]


def test_drain_launches_nothing_and_pauses_when_nothing_runs(run: Run) -> None:
    client = _steerer(run)
    client.steer("pause", target=RUN, mode="drain")
    assert not run.controls.may_launch("p")
    thread = threading.Thread(target=run.controls.wait)
    thread.start()
    client.until(_is("pause", "applied"))
    client.steer("resume", target=RUN)
    thread.join(10)
    assert run.controls.may_launch("p")


def test_latches_of_prompts_and_nodes_freeze_only_what_is_theirs(run: Run) -> None:
    client = _steerer(run)
    with run.step(1, planned=2) as step, step.group("p", planned=2) as group:
        parent = group.rollout()
        parent.tokens([1, 2], ["a", "b"])
        child = group.rollout(parent=parent.nodes[0], at=1)
        child.tokens([3], ["c"])
        node, below = parent.nodes[0].id, child.nodes[0].id
        client.steer("pause", target={"type": "node", "id": below}, mode="now")
        assert run.controls.freezes("p", below)
        assert not run.controls.freezes("p", node)
        client.steer("resume", target={"type": "node", "id": below})
        client.steer("pause", target={"type": "node", "id": node}, mode="now")
        assert run.controls.freezes("p", below), "a latch holds all below it"
        client.steer("resume", target={"type": "node", "id": node})
        client.steer("pause", target={"type": "prompt", "id": "p"}, mode="now")
        assert run.controls.freezes("p", node)
        assert not run.controls.may_launch("p")
        assert run.controls.may_launch("q")


def test_a_stop_is_applied_when_the_loop_has_ended_the_rollout(run: Run) -> None:
    client = _steerer(run)
    with run.step(1, planned=1) as step, step.group("p", planned=1) as group:
        rollout = group.rollout()
        rollout.tokens([1], ["a"])
        answer = client.steer("stop", subject={"type": "rollout", "id": rollout.id})
        assert answer["state"] == "requested"
        decision = run.controls.stopped(rollout.id)
        assert decision is not None
        rollout.close(ending="stopped", reason="person", decision=decision)
        client.until(_is("stop", "applied"))
    closed = client.until(lambda kind, fields: kind == "groupClosed")
    assert (closed["killed"], closed["finished"]) == (1, 0)
    assert client.steer("stop", subject={"type": "rollout", "id": rollout.id})["refusal"] == "ended"


def test_forks_come_to_the_loop_with_their_ids_and_refusals_go_back(run: Run) -> None:
    client = _steerer(run)
    step = run.step(1, planned=1)
    group = step.group("p", planned=1)
    rollout = group.rollout()
    rollout.tokens([1, 2, 3], ["a", "b", "c"])
    node = rollout.nodes[0]
    assert client.steer("fork", node=node.id, at=4, n=1, use="probe")["refusal"] == "outOfRange"
    made = client.steer("fork", node=node.id, at=2, n=2, use="probe")["created"]
    (fork,) = run.controls.forks()
    assert [subject["id"] for subject in made] == list(fork.rollouts)
    for identity in fork.rollouts:
        group.rollout(rollout=identity, parent=node, at=fork.at, use=fork.use, decision=fork.decision)
    client.until(_is("fork", "applied"))
    client.steer("fork", node=node.id, at=1, n=1, use="train")
    (refused,) = run.controls.forks()
    run.controls.refuse(refused, "too late")
    client.until(lambda kind, fields: _is("fork", "refused")(kind, fields) and fields["reason"] == "too late")
    rollout.close(reward=1.0)
    group.close()
    assert client.steer("fork", node=node.id, at=1, n=1, use="train")["refusal"] == "notOpen"


def test_budgets_and_skips_hold_from_the_next_step_until_they_are_taken_back(run: Run) -> None:
    client = _steerer(run)
    train(run, 1)
    prompt = {"type": "prompt", "id": "prompt-0"}
    common = {"subjects": [prompt], "charge": "extra"}
    preview = client.steer("allocate", **common, rollouts={"set": 9}, dryRun=True)
    assert (preview["state"], preview["rollouts"]) == ("preview", {"before": 3, "after": 9})
    assert run.controls.budget_for("prompt-0", 3, step=2) == 3
    client.steer("allocate", **common, rollouts={"set": 9}, commandId="budget")
    assert run.controls.budget_for("prompt-0", 3, step=2) == 9
    assert run.controls.budget_for("prompt-0", 3, step=1) == 3, "a step that is over is not changed"
    assert run.controls.budget_for("prompt-1", 3, step=2) == 3
    assert client.steer("allocate", **common, rollouts={"set": 1}, commandId="budget")["changed"] is False
    client.steer("undo", undoes="budget")
    assert run.controls.budget_for("prompt-0", 3, step=2) == 3
    client.steer("skip", prompts=["prompt-1"], untilStep=2, commandId="skip")
    assert run.controls.skipped("prompt-1", step=2)
    assert not run.controls.skipped("prompt-1", step=3)


@pytest.mark.parametrize(
    ("name", "params", "refusal"),
    [
        ("pause", {"target": {"type": "prompt", "id": "nobody"}, "mode": "now"}, "unknownSubject"),
        ("pause", {"target": {"type": "node", "id": "nobody"}, "mode": "now"}, "unknownSubject"),
        ("resume", {"target": RUN}, "alreadySo"),
        ("stop", {"subject": {"type": "worker", "id": "w"}}, "unsupported"),
        ("fork", {"node": "nobody", "at": 0, "n": 1, "use": "probe"}, "unknownSubject"),
        ("undo", {"undoes": "nothing"}, "unknownSubject"),
        ("setMethod", {"kind": "allocation", "method": "m", "parameters": {}}, "unsupported"),
        ("break.remove", {"breakpoint": "none"}, "unknownSubject"),
        ("pause", {"target": RUN, "mode": "now", "incarnation": 7}, "wrongIncarnation"),
    ],
)
def test_what_cannot_be_done_is_refused_with_its_reason(
    run: Run, name: str, params: dict[str, Any], refusal: str
) -> None:
    client = _steerer(run)
    answer = client.steer(name, **params)
    assert (answer["state"], answer["refusal"]) == ("refused", refusal)
    assert len(answer["sentence"]) > 10
    client.until(lambda kind, fields: kind == "steering" and fields["state"] == "refused")


def test_a_loop_that_asks_nothing_declares_nothing_and_refuses_everything(tmp_path: Path) -> None:
    with rolloutscope.attach("read only", folder=tmp_path / "journal", wires=Wires()) as run:
        client = _steerer(run)
        assert not [name for name in client.hello["capabilities"] if name.startswith("steer.")]
        assert client.steer("pause", target=RUN, mode="now")["refusal"] == "unsupported"
        assert client.steer("step", n=1)["refusal"] == "unsupported"
        run.controls.between_tokens()
        run.controls.boundary()


def test_the_read_scope_steers_nothing(run: Run) -> None:
    client = Client(run)
    client.initialize()
    params = {"commandId": "c", "incarnation": 1, "author": "a", "target": RUN, "mode": "now"}
    assert client.call("steer.pause", params)["error"]["code"] == -32010
    assert run.controls.run_latch is None


def test_a_condition_pauses_the_run_where_it_holds(run: Run) -> None:
    client = _steerer(run)
    client.steer("break.add", condition={"metric": "reward", "op": ">", "value": 0.2}, mode="now")
    train(run, 1)
    hit = client.until(lambda kind, fields: kind == "breakpoint" and fields["state"] == "hit")
    assert hit["hits"] == 1
    latch = within(5, lambda: run.controls.run_latch)
    assert latch.closed
    client.steer("resume", target=RUN)


def _controls(pins: dict[str, Pin]) -> Controls:
    controls = Controls(Publisher(), ALL_WIRES)
    controls.pins.update(pins)
    return controls


_PLANS = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 40), min_size=1)
_PINS = st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 60))


@given(_PLANS, _PINS)
def test_a_budget_charged_to_the_total_leaves_the_total_where_the_others_can_give(
    planned: dict[str, int], pins: dict[str, int]
) -> None:
    held = {prompt: Pin("c", "a", count, None, "total", 1, None) for prompt, count in pins.items()}
    result = _controls(held).plan(planned, 1)
    for prompt in planned:
        if prompt in pins:
            assert result.get(prompt, 0) == pins[prompt]
        else:
            assert result[prompt] >= 1
    others = [prompt for prompt in planned if prompt not in pins]
    if others and any(result[prompt] > 1 for prompt in others):
        assert sum(result.values()) == sum(planned.values())


@given(_PLANS, _PINS)
def test_a_budget_charged_as_extra_changes_nobody_else(planned: dict[str, int], pins: dict[str, int]) -> None:
    held = {prompt: Pin("c", "a", None, count, "extra", 1, None) for prompt, count in pins.items()}
    result = _controls(held).plan(planned, 1)
    assert result == {prompt: count + pins.get(prompt, 0) for prompt, count in planned.items()}
