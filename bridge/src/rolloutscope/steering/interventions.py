"""fork, stop, breakpoints."""

from __future__ import annotations

from typing import Any

from ..memory import GroupInfo, RolloutInfo
from .breakpoints import Breakpoint, condition_text
from .latches import ForkRequest
from .proposal import Desk, Proposal, RefusedError, counted
from .requests import BreakAdd, BreakRemove, Fork, Stop


def _record(desk: Desk, kind: str, asked: Fork | Stop, sentence: str, body: dict[str, Any]) -> str:
    """Puts a person's decision on record. Returns its id."""
    decision = desk.new_id("decision-person")
    fields = {
        "decision": decision,
        "kind": kind,
        "method": "person",
        "step": desk.memory.open_step,
        "command": asked.commandId,
        "sentence": sentence,
        "body": body,
    }
    desk.publisher.add("decision", fields)
    return decision


def propose_fork(desk: Desk, asked: Fork) -> Proposal:
    node = desk.memory.nodes.get(asked.node)
    if node is None:
        message = f"This start of the run holds no node {asked.node}. Nothing was changed."
        raise RefusedError("unknownSubject", message)
    if asked.edit is not None or asked.hint is not None:
        raise RefusedError("unsupported", "This loop cannot put an edit or a hint into a rollout.")
    columns = desk.memory.columns.get(node.id)
    length = node.length if columns is None else max(node.length, len(columns))
    if columns is None:
        raise RefusedError("ended", f"The job holds the tokens of {node.id} no longer.")
    if asked.at > length:
        message = f"{node.id} has {length} tokens; position {asked.at} lies behind its end."
        raise RefusedError("outOfRange", message)
    group = node.rollout.group
    if asked.use == "train":
        if not desk.controls.wires.train_forks:
            raise RefusedError("unsupported", "Forks of this loop are probes; they do not enter training.")
        if group.closed or node.rollout.use == "probe":
            message = f"The group {group.id} is closed, so nothing can enter its training. Fork as a probe."
            raise RefusedError("notOpen", message)
    rollouts = tuple(desk.new_id(f"{node.rollout.id}.fork") for _ in range(asked.n))
    what = counted(asked.n, "probe" if asked.use == "probe" else "rollout for training")
    sentence = f"{what} go on from token {asked.at} of {node.id}."

    def apply() -> list[dict[str, str]]:
        body = {
            "parameters": {"at": asked.at, "n": asked.n, "use": asked.use},
            "subjects": {"type": "node", "ids": [node.id]},
            "inputs": {"length": [length]},
            "reasonCodes": ["person"],
            "reasons": [asked.reason or f"Asked for by {asked.author}."],
            "position": "person",
            "children": "same-policy",
        }
        decision = _record(desk, "fork", asked, f"{asked.author} forks {node.id} at {asked.at}.", body)
        baseline = asked.baseline and asked.use == "train"
        desk.controls.pending_forks.append(
            ForkRequest(
                asked.commandId,
                decision,
                node.id,
                asked.at,
                rollouts,
                asked.use,
                baseline,
                asked.temperature,
            )
        )
        desk.controls.wake()
        return [{"type": "rollout", "id": rollout} for rollout in rollouts]

    return Proposal(
        sentence=sentence,
        subjects=[{"type": "node", "id": node.id}],
        effect={"rollouts": {"before": 0, "after": asked.n}},
        waits_for=frozenset(rollouts),
        apply=apply,
        inverse="Rollouts that were launched cannot be taken back. Stop them.",
    )


def propose_stop(desk: Desk, asked: Stop) -> Proposal:
    subject = asked.subject
    rollouts, groups = _targets(desk, asked)
    running = [rollout for rollout in rollouts if not rollout.ended and rollout.id not in desk.controls.stops]
    still_open = [group for group in groups if not group.closed]
    if not running and not still_open:
        raise RefusedError("ended", f"{subject.id} has ended, with all below it. Nothing was changed.")
    ids = [rollout.id for rollout in running]

    def apply() -> list[dict[str, str]]:
        about = ids or [subject.id]
        body = {
            "parameters": {},
            "subjects": {"type": "rollout" if ids else subject.type, "ids": about},
            "reasonCodes": ["person"] * len(about),
            "reasons": [asked.reason or f"Stopped by {asked.author}."] * len(about),
        }
        sentence = f"{asked.author} stops {counted(len(ids), 'rollout')} of {subject.id}."
        decision = _record(desk, "stop", asked, sentence, body)
        desk.controls.stopped_groups.update(group.id for group in still_open)
        desk.controls.stops.update(dict.fromkeys(ids, decision))
        desk.controls.wake()
        return []

    rest = " Nothing more of it is launched." if still_open else ""
    return Proposal(
        sentence=f"{counted(len(ids), 'running rollout')} of {subject.id} end, without a reward.{rest}",
        subjects=[{"type": subject.type, "id": subject.id}],
        before={"running": len(ids)},
        after={"running": 0},
        effect={"rollouts": {"before": len(ids), "after": 0}},
        waits_for=frozenset(ids),
        apply=apply,
        inverse="A rollout that was stopped cannot be taken up again.",
    )


def _targets(desk: Desk, asked: Stop) -> tuple[list[RolloutInfo], list[GroupInfo]]:
    memory, subject = desk.memory, asked.subject
    if subject.type == "node" and subject.id in memory.nodes:
        return [node.rollout for node in memory.nodes[subject.id].subtree()], []
    if subject.type == "rollout" and subject.id in memory.rollouts:
        return [memory.rollouts[subject.id]], []
    if subject.type == "group" and subject.id in memory.groups:
        group = memory.groups[subject.id]
        return group.rollouts, [group]
    if subject.type == "prompt" and subject.id in memory.prompts:
        groups = [group for group in memory.groups.values() if group.prompt == subject.id]
        return [rollout for group in groups for rollout in group.rollouts], groups
    if subject.type not in ("node", "rollout", "group", "prompt"):
        message = f"A {subject.type} cannot be stopped; nodes, rollouts, groups and prompts can."
        raise RefusedError("unsupported", message)
    message = f"This start of the run holds no {subject.type} {subject.id}. Nothing was changed."
    raise RefusedError("unknownSubject", message)


def propose_break_add(desk: Desk, asked: BreakAdd) -> Proposal:
    added = Breakpoint(desk.breakpoints.new_id(), asked.condition, asked.mode, asked.author, asked.commandId)

    def apply() -> list[dict[str, str]]:
        desk.breakpoints.add(added)
        return []

    return Proposal(
        sentence=f"The run pauses when {condition_text(asked.condition)}.",
        subjects=[{"type": "run", "id": desk.run}],
        after={"breakpoint": added.id},
        apply=apply,
        inverse=lambda: desk.breakpoints.remove(added),
    )


def propose_break_remove(desk: Desk, asked: BreakRemove) -> Proposal:
    held = desk.breakpoints.all.get(asked.breakpoint)
    if held is None:
        message = f"There is no condition {asked.breakpoint}. Nothing was changed."
        raise RefusedError("unknownSubject", message)

    def apply() -> list[dict[str, str]]:
        desk.breakpoints.remove(held)
        return []

    return Proposal(
        sentence=f"No pause any more when {condition_text(held.condition)}.",
        subjects=[{"type": "run", "id": desk.run}],
        before={"breakpoint": held.id},
        apply=apply,
        inverse=lambda: desk.breakpoints.add(held),
    )
