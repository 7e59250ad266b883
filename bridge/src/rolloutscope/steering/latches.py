"""Words of steering that both threads share."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final, Literal

PauseMode = Literal["step-boundary", "drain", "now"]

EVERY_PROMPT: Final = "*"
"""The key of the budget that stands for every prompt."""


@dataclass(frozen=True)
class Latch:
    """A pause. `closed` is False while it waits for the step's end or for running rollouts."""

    mode: PauseMode
    author: str
    command: str
    closed: bool
    reason: str | None = None


@dataclass(frozen=True)
class Pin:
    """A person's budget for a prompt, or for all of them: rollouts set or added."""

    command: str
    author: str
    set: int | None
    add: int | None
    charge: str
    from_step: int
    until_step: int | None


@dataclass(frozen=True)
class Skip:
    command: str
    author: str
    from_step: int
    until_step: int | None


@dataclass(frozen=True)
class ForkRequest:
    """Rollouts to launch from position `at` of `node`, under these ids. Probes never enter training."""

    command: str
    decision: str
    node: str
    at: int
    rollouts: tuple[str, ...]
    use: Literal["probe", "train"]
    baseline: bool
    temperature: float | None


def holds(span: Pin | Skip, step: int) -> bool:
    return span.from_step <= step and (span.until_step is None or step <= span.until_step)


@dataclass(frozen=True)
class Wires:
    """What a training loop asks its `Controls` about. Only that is declared as a capability and can be steered."""

    boundary: bool = False
    """`boundary()` between two steps."""
    tokens: bool = False
    """`between_tokens()` between two tokens."""
    launches: bool = False
    """`may_launch()` before a rollout is launched, `wait()` when none runs and none may be launched."""
    freezes: bool = False
    """`freezes()` before a rollout's next token."""
    budgets: bool = False
    """`budget_for()` or `plan()` for what a step plans."""
    totals: bool = False
    """`plan()` for whole steps, so that a budget can be taken from the step's other prompts."""
    skips: bool = False
    """`skipped()` or `plan()` before a prompt is planned."""
    stops: bool = False
    """`stopped()` before a rollout's next token, `group_stopped()` before a launch."""
    forks: bool = False
    """`forks()` between two tokens; what they ask for is launched as probes."""
    train_forks: bool = False
    """Forks for training are launched too, while their group is open."""

    def capabilities(self) -> list[str]:
        """Capabilities of the wire, in the order of the contract."""
        named = [name for field in fields(self) if getattr(self, field.name) for name in _CAPABILITIES[field.name]]
        return [*named, "steer.undo"] if named else []


_CAPABILITIES: Final[dict[str, tuple[str, ...]]] = {
    "boundary": ("steer.pause.step-boundary", "steer.step", "steer.break"),
    "tokens": ("steer.pause.now",),
    "launches": ("steer.pause.drain",),
    "freezes": ("steer.pause.prompt", "steer.pause.node"),
    "budgets": ("steer.allocate.run", "steer.allocate.prompt", "steer.allocate.each"),
    "totals": (),
    "skips": ("steer.skip",),
    "stops": ("steer.stop",),
    "forks": ("steer.fork",),
    "train_forks": ("steer.fork.train",),
}
