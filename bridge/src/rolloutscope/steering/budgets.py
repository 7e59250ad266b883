"""allocate and skip."""

from __future__ import annotations

from typing import Any, TypeVar

from .latches import EVERY_PROMPT, Pin, Skip
from .proposal import Desk, Proposal, RefusedError, counted, known_prompt, span
from .requests import Allocate, SkipPrompts

_MOST_ROLLOUTS = 1024
_NAMED = 4096
_Entry = TypeVar("_Entry", Pin, Skip)


def propose_allocate(desk: Desk, asked: Allocate) -> Proposal:
    keys = _keys(desk, asked)
    first = span(desk, asked.untilStep)
    held = desk.controls.pins
    before = {key: held.get(key) for key in keys}
    after = {key: _pin(asked, i, first, before[key]) for i, key in enumerate(keys)}
    if all(before[key] is None and after[key] is None for key in keys):
        raise RefusedError("alreadySo", "No budget of a person is set there; there is nothing to clear.")
    changes = [_change(desk, key, before[key], after[key]) for key in keys]
    total_before = sum(old for old, _ in changes)
    total_after = sum(new for _, new in changes)
    until = "until it is cleared" if asked.untilStep is None else f"until step {asked.untilStep}"
    what = "every prompt" if keys == [EVERY_PROMPT] else counted(len(keys), "prompt")
    charged = (
        "The step’s other prompts give or take the difference."
        if asked.charge == "total"
        else "It is added to the step."
    )
    rows = [
        {"subject": {"type": "prompt", "id": key}, "before": old, "after": new}
        for key, (old, new) in zip(keys, changes, strict=True)
        if key != EVERY_PROMPT and old != new
    ]

    def apply() -> list[dict[str, str]]:
        _put(held, after)
        desk.controls.wake()
        return []

    return Proposal(
        sentence=f"From step {first} on, {until}: {what} of the last plan, {total_before} rollouts, get "
        f"{total_after}. {charged}",
        subjects=[{"type": subject.type, "id": subject.id} for subject in asked.subjects[:_NAMED]],
        before={"rollouts": total_before},
        after={"rollouts": total_after},
        effect={
            "rollouts": {"before": total_before, "after": total_after},
            "fromStep": first,
            **({} if asked.untilStep is None else {"untilStep": asked.untilStep}),
            "subjects": rows[:_NAMED],
        },
        apply=apply,
        inverse=lambda: _put(held, before),
    )


def _keys(desk: Desk, asked: Allocate) -> list[str]:
    """Prompts that the request is for, or the key of all of them. Raises RefusedError."""
    if asked.tokens is not None or asked.turns is not None or asked.temperature is not None:
        message = "This loop takes budgets of rollouts only, none of tokens, turns or temperature."
        raise RefusedError("unsupported", message)
    if asked.charge == "total" and not desk.controls.wires.totals:
        message = "This loop plans prompt by prompt, so a budget cannot be taken from others. Charge it as extra."
        raise RefusedError("unsupported", message)
    types = {subject.type for subject in asked.subjects}
    if len(types) != 1 or not types <= {"run", "prompt"}:
        message = "This loop takes budgets of prompts, or one for the run. Send one request for each kind."
        raise RefusedError("unsupported", message)
    if types == {"run"}:
        if asked.each is not None or asked.charge == "total":
            message = "A budget of every prompt is one number, charged as extra."
            raise RefusedError("outOfRange", message)
        keys = [EVERY_PROMPT]
    else:
        keys = [subject.id for subject in asked.subjects]
        for key in keys:
            known_prompt(desk, key)
        if len(set(keys)) != len(keys):
            raise RefusedError("outOfRange", "The request names a prompt twice. Nothing was changed.")
    _check_amounts(asked, len(keys))
    return keys


def _check_amounts(asked: Allocate, count: int) -> None:
    rollouts, each = asked.rollouts, asked.each
    if (rollouts is None) == (each is None):
        raise RefusedError("outOfRange", "The request needs one of `rollouts` and `each`.")
    if each is not None and len(each) != count:
        message = f"{counted(len(each), 'budget')} for {counted(count, 'prompt')}: give one for each."
        raise RefusedError("outOfRange", message)
    if rollouts is not None:
        given = [rollouts.set is not None, rollouts.add is not None, rollouts.clear is not None]
        if sum(given) != 1:
            raise RefusedError("outOfRange", "Give one of set, add and clear.")
    amounts = each or ([rollouts.set or abs(rollouts.add or 0)] if rollouts is not None else [])
    if any(amount > _MOST_ROLLOUTS for amount in amounts):
        raise RefusedError("outOfRange", f"A budget is at most {_MOST_ROLLOUTS} rollouts.")


def _pin(asked: Allocate, row: int, first: int, before: Pin | None) -> Pin | None:
    number: int | None
    add: int | None
    if asked.each is not None:
        number, add = asked.each[row], None
    else:
        assert asked.rollouts is not None
        if asked.rollouts.clear:
            return None
        number, add = asked.rollouts.set, asked.rollouts.add
        if add is not None and before is not None:
            # What a person adds is added to what a person set before.
            number, add = (None, (before.add or 0) + add) if before.set is None else (before.set + add, None)
            number = None if number is None else max(0, number)
    return Pin(asked.commandId, asked.author, number, add, asked.charge, first, asked.untilStep)


def _change(desk: Desk, key: str, before: Pin | None, after: Pin | None) -> tuple[int, int]:
    """Rollouts of the last plan, and with the new budget in its place."""
    planned = desk.memory.planned
    keys = list(planned) if key == EVERY_PROMPT else [key]
    old = sum(planned.get(prompt, 0) for prompt in keys)
    if after is None:
        return old, old
    if after.set is not None:
        return old, after.set * len(keys)
    added = (after.add or 0) - ((before.add or 0) if before is not None else 0)
    return old, sum(max(0, planned.get(prompt, 0) + added) for prompt in keys)


def _put(held: dict[str, _Entry], entries: dict[str, _Entry | None]) -> None:
    for key, entry in entries.items():
        if entry is None:
            held.pop(key, None)
        else:
            held[key] = entry


def propose_skip(desk: Desk, asked: SkipPrompts) -> Proposal:
    prompts = list(dict.fromkeys(asked.prompts))
    for prompt in prompts:
        known_prompt(desk, prompt)
    first = span(desk, asked.untilStep)
    held = desk.controls.skips
    before = {prompt: held.get(prompt) for prompt in prompts}
    after: dict[str, Skip | None] = {
        prompt: Skip(asked.commandId, asked.author, first, asked.untilStep) for prompt in prompts
    }
    until = "until that is taken back" if asked.untilStep is None else f"until step {asked.untilStep}"

    def apply() -> list[dict[str, str]]:
        _put(held, after)
        return []

    def said(entries: dict[str, Skip | None]) -> dict[str, Any]:
        return {"skipped": sum(entry is not None for entry in entries.values())}

    return Proposal(
        sentence=f"{counted(len(prompts), 'prompt')} are left out of planning from step {first} on, {until}.",
        subjects=[{"type": "prompt", "id": prompt} for prompt in prompts[:_NAMED]],
        before=said(before),
        after=said(after),
        effect={"fromStep": first, **({} if asked.untilStep is None else {"untilStep": asked.untilStep})},
        apply=apply,
        inverse=lambda: _put(held, before),
    )
