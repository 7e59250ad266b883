"""Parameters of the steering requests."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from ..server.rpc import Count, Id, Subject


class Asked(Struct, kw_only=True):
    """Fields of every steering request."""

    commandId: Id  # noqa: N815
    incarnation: Count
    author: Annotated[str, Meta(min_length=1, max_length=120)]
    reason: Annotated[str, Meta(max_length=1024)] | None = None
    dryRun: bool = False  # noqa: N815


class Target(Struct):
    type: Literal["run", "prompt", "node"]
    id: Id | None = None


class Pause(Asked):
    target: Target
    mode: Literal["step-boundary", "drain", "now"]


class Resume(Asked):
    target: Target


class Step(Asked):
    n: Annotated[int, Meta(ge=1, le=1_000_000)]


class Rollouts(Struct):
    """One of the three."""

    set: Count | None = None
    add: int | None = None
    clear: Literal[True] | None = None


class Allocate(Asked):
    subjects: Annotated[list[Subject], Meta(min_length=1, max_length=100_000)]
    charge: Literal["total", "extra"]
    rollouts: Rollouts | None = None
    each: Annotated[list[Count], Meta(max_length=100_000)] | None = None
    tokens: Rollouts | None = None
    turns: Rollouts | None = None
    temperature: float | None = None
    untilStep: Count | None = None  # noqa: N815


class SetMethod(Asked):
    kind: Literal["allocation", "branching", "credit"]
    method: Id
    parameters: dict[str, Any]


class SkipPrompts(Asked):
    prompts: Annotated[list[Id], Meta(min_length=1, max_length=100_000)]
    untilStep: Count | None = None  # noqa: N815


class Undo(Asked):
    undoes: Id


class ForkText(Struct):
    text: Annotated[str, Meta(max_length=16384)]


class Fork(Asked):
    node: Id
    at: Count
    n: Annotated[int, Meta(ge=1, le=1024)]
    use: Literal["probe", "train"]
    temperature: Annotated[float, Meta(gt=0)] | None = None
    edit: ForkText | None = None
    hint: ForkText | None = None
    baseline: bool = False


class Stop(Asked):
    subject: Subject


class Condition(Struct, frozen=True):
    metric: Literal["budget", "zeroGradientShare", "entropy", "reward", "passRate", "stepSeconds", "toolError"]
    op: Literal[">", "<"]
    value: float


class BreakAdd(Asked):
    condition: Condition
    mode: Literal["step-boundary", "drain", "now"] = "step-boundary"


class BreakRemove(Asked):
    breakpoint: Id
