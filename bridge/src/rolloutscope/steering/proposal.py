"""What a request would do, worked out before anything is changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..memory import Memory
from ..publisher import Publisher
from .breakpoints import Breakpoints
from .controls import Controls


class RefusedError(Exception):
    """Why a request is not followed. The message is for a person."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


Subject = dict[str, str]


@dataclass
class Proposal:
    """`waits_for_latch`, `waits_for`: it is applied when the loop has done its part; else at once. `inverse` takes it
    back; a text says why it cannot be."""

    sentence: str
    subjects: Sequence[Subject]
    apply: Callable[[], Sequence[Subject]]
    inverse: Callable[[], None] | str
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None
    effect: dict[str, Any] = field(default_factory=dict)
    waits_for_latch: bool = False
    waits_for: frozenset[str] = frozenset()
    """Rollouts that the loop has to open or close first."""
    undoes: str | None = None


@dataclass(frozen=True)
class Desk:
    """What proposals look at and change. Belongs to the server's thread."""

    run: str
    memory: Memory
    controls: Controls
    breakpoints: Breakpoints
    publisher: Publisher
    new_id: Callable[[str], str]
    """A new id with this beginning, unique within the incarnation."""


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def known_prompt(desk: Desk, prompt: str) -> None:
    if prompt not in desk.memory.prompts:
        message = f"This run has no prompt {prompt}. Nothing was changed."
        raise RefusedError("unknownSubject", message)


def span(desk: Desk, until_step: int | None) -> int:
    """The first step that can still change."""
    first = desk.memory.next_step
    if until_step is not None and until_step < first:
        message = f"Step {until_step} is over or planned already; the next one that can still change is {first}."
        raise RefusedError("outOfRange", message)
    return first
