"""pause, resume, step."""

from __future__ import annotations

from typing import Any

from ..memory import NodeInfo
from .latches import Latch
from .proposal import Desk, Proposal, RefusedError, counted, known_prompt
from .requests import Pause, Resume, Step

_WHEN = {
    "step-boundary": "at the end of the step",
    "drain": "when running rollouts have ended",
    "now": "between two tokens",
}


def _state(latch: Latch | None, steps_left: int | None = None) -> dict[str, Any]:
    if latch is None:
        return {"latch": "open"}
    state = {"latch": "closed" if latch.closed else "closing", "mode": latch.mode, "by": latch.author}
    return state if steps_left is None else {**state, "stepsLeft": steps_left}


def _live_node(desk: Desk, node: str) -> NodeInfo:
    info = desk.memory.nodes.get(node)
    if info is None:
        message = f"This start of the run holds no node {node}. Nothing was changed."
        raise RefusedError("unknownSubject", message)
    if info.rollout.group.closed and all(below.rollout.ended for below in info.subtree()):
        raise RefusedError("ended", f"{node} and all below it have ended. Nothing was changed.")
    return info


def propose_pause(desk: Desk, asked: Pause) -> Proposal:
    if asked.target.type == "run":
        return _pause_run(desk, asked)
    target = asked.target.id or ""
    if asked.target.type == "prompt":
        known_prompt(desk, target)
        latches = desk.controls.prompt_latches
        running = sum(rollout.group.prompt == target for rollout in desk.memory.running())
    elif asked.mode == "step-boundary":
        raise RefusedError("unsupported", "A node does not outlive its step. Pause it now, or drain it.")
    else:
        latches = desk.controls.node_latches
        running = sum(not node.rollout.ended for node in _live_node(desk, target).subtree())
    before = latches.get(target)
    if before is not None and before.mode == asked.mode:
        raise RefusedError("alreadySo", f"{target} is paused already, by {before.author}.")
    latch = Latch(asked.mode, asked.author, asked.commandId, True, asked.reason)
    rest = {
        "now": f"{counted(running, 'running rollout')} of it stand still between two tokens, and none is launched",
        "drain": f"{counted(running, 'running rollout')} of it go on to their end, and none is launched",
        "step-boundary": "it is left out of planning from the next step on; what runs of it goes on",
    }[asked.mode]

    def put(value: Latch | None) -> None:
        if value is None:
            latches.pop(target, None)
        else:
            latches[target] = value
        desk.controls.wake()

    def apply() -> list[dict[str, str]]:
        put(latch)
        return []

    return Proposal(
        sentence=f"{target} is paused: {rest}.",
        subjects=[{"type": asked.target.type, "id": target}],
        before=_state(before),
        after=_state(latch),
        apply=apply,
        inverse=lambda: put(before),
    )


def _pause_run(desk: Desk, asked: Pause) -> Proposal:
    controls, memory = desk.controls, desk.memory
    run, left = controls.run_latch, controls.steps_left
    if run is not None and run.closed:
        raise RefusedError("alreadySo", f"The run is paused already, by {run.author}.")
    if run is not None and run.mode == asked.mode and left is None:
        message = f"{run.author} has asked for this pause already; it takes hold {_WHEN[asked.mode]}."
        raise RefusedError("alreadySo", message)
    latch = Latch(asked.mode, asked.author, asked.commandId, asked.mode == "now", asked.reason)
    running = counted(sum(1 for _ in memory.running()), "running rollout")
    step = memory.next_step if memory.open_step is None else memory.open_step
    sentence = {
        "step-boundary": f"The run pauses at the end of step {step}.",
        "drain": f"The run launches nothing more and pauses when {running} have ended.",
        "now": f"The run pauses in step {step}: {running} stand still between two tokens.",
    }[asked.mode]

    def apply() -> list[dict[str, str]]:
        controls.set_run(latch)
        return []

    return Proposal(
        sentence=sentence,
        subjects=[{"type": "run", "id": desk.run}],
        before=_state(run, left),
        after=_state(latch),
        waits_for_latch=True,
        apply=apply,
        inverse=lambda: controls.set_run(run, left),
    )


def propose_resume(desk: Desk, asked: Resume) -> Proposal:
    controls = desk.controls
    kind = asked.target.type
    target = desk.run if kind == "run" else asked.target.id or ""
    latches = {"prompt": controls.prompt_latches, "node": controls.node_latches}.get(kind, {})
    before = controls.run_latch if kind == "run" else latches.get(target)
    left = controls.steps_left if kind == "run" else None
    if before is None:
        if kind == "prompt":
            known_prompt(desk, target)
        elif kind == "node":
            _live_node(desk, target)
        raise RefusedError("alreadySo", f"{'The run' if kind == 'run' else target} is not paused.")
    latch = before

    def apply() -> list[dict[str, str]]:
        if kind == "run":
            controls.set_run(None)
        else:
            latches.pop(target, None)
            controls.wake()
        return []

    def undo() -> None:
        if kind == "run":
            controls.set_run(latch, left)
        else:
            latches[target] = latch

    run = controls.run_latch
    still = " The run itself is still paused." if kind != "run" and run is not None and run.closed else ""
    taken_back = "" if before.closed else "; the pause that was asked for is taken back"
    return Proposal(
        sentence=f"{'The run' if kind == 'run' else target} goes on{taken_back}.{still}",
        subjects=[{"type": kind, "id": target}],
        before=_state(before, left),
        after=_state(None),
        apply=apply,
        inverse=undo,
    )


def propose_step(desk: Desk, asked: Step) -> Proposal:
    controls, memory = desk.controls, desk.memory
    before, left = controls.run_latch, controls.steps_left
    first = memory.next_step if memory.open_step is None else memory.open_step
    last = first + asked.n - 1
    rest = "" if memory.open_step is None else f" The rest of step {first} counts as the first."
    latch = Latch("step-boundary", asked.author, asked.commandId, False, asked.reason)

    def apply() -> list[dict[str, str]]:
        controls.set_run(latch, asked.n)
        return []

    return Proposal(
        sentence=f"The run goes on for {counted(asked.n, 'step')} and pauses at the end of step {last}.{rest}",
        subjects=[{"type": "run", "id": desk.run}],
        before=_state(before, left),
        after=_state(latch, asked.n),
        effect={"fromStep": first, "untilStep": last},
        apply=apply,
        inverse=lambda: controls.set_run(before, left),
    )
