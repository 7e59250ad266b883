"""Conditions at which the run pauses, held against what the stream says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from ..memory import Memory
from ..publisher import Publisher
from .controls import Controls
from .latches import Latch, PauseMode
from .requests import Condition

_NAMES = {
    "budget": "a prompt’s budget",
    "zeroGradientShare": "the share of closed groups without gradient",
    "entropy": "the step’s mean token entropy (nats)",
    "reward": "the step’s mean reward",
    "passRate": "pass@1 of an evaluation",
    "stepSeconds": "the step’s seconds",
    "toolError": "tool errors",
}


def condition_text(condition: Condition) -> str:
    above = "above" if condition.op == ">" else "below"
    return f"{_NAMES[condition.metric]} is {above} {condition.value:g}"


@dataclass
class Breakpoint:
    id: str
    condition: Condition
    mode: PauseMode
    author: str
    command: str
    hits: int = 0


class Breakpoints:
    """Belongs to the server's thread."""

    def __init__(self, memory: Memory, controls: Controls, publisher: Publisher) -> None:
        self.all: dict[str, Breakpoint] = {}
        self._memory = memory
        self._controls = controls
        self._publisher = publisher
        self._counter = 0
        self._tool_errors = 0

    def new_id(self) -> str:
        self._counter += 1
        return f"break-{self._counter}"

    def add(self, added: Breakpoint) -> None:
        self.all[added.id] = added
        sentence = f"The run pauses when {condition_text(added.condition)}."
        self._say(added, "added", sentence)

    def remove(self, removed: Breakpoint) -> None:
        self.all.pop(removed.id, None)
        self._say(removed, "removed", f"No pause any more when {condition_text(removed.condition)}.")

    def take(self, kind: str, fields: Mapping[str, Any]) -> None:
        """An event of the run, after the memory has it."""
        if kind == "stepOpened":
            self._tool_errors = 0
        elif kind == "rolloutClosed" and fields.get("reason") == "toolError":
            self._tool_errors += 1
            self._check("toolError", self._tool_errors)
        elif kind == "groupOpened":
            self._check("budget", fields["planned"])
        elif kind == "metric" and fields["name"] == "entropy":
            self._check("entropy", float(fields["value"]))
        elif kind == "evaluation":
            problems = fields["problems"]
            rates = [c / n for n, c in zip(problems["n"], problems["c"], strict=True) if n > 0]
            if rates:
                self._check("passRate", sum(rates) / len(rates))
        elif kind == "stepClosed":
            self._step_closed(fields["step"], float(fields["seconds"]))

    def _step_closed(self, step: int, seconds: float) -> None:
        groups = [group for group in self._memory.groups.values() if group.step == step and group.closed]
        if groups:
            self._check("zeroGradientShare", sum(not group.used for group in groups) / len(groups))
        rewards = [rollout.reward for group in groups for rollout in group.rollouts if rollout.use == "train"]
        known = [reward for reward in rewards if reward is not None]
        if known:
            self._check("reward", sum(known) / len(known))
        self._check("stepSeconds", seconds)

    def _check(self, metric: str, value: float) -> None:
        for held in list(self.all.values()):
            condition = held.condition
            if condition.metric != metric:
                continue
            if value > condition.value if condition.op == ">" else value < condition.value:
                self._hit(held, value)

    def _hit(self, held: Breakpoint, value: float) -> None:
        held.hits += 1
        step = self._memory.open_step or self._memory.done_step
        sentence = f"Step {step}: {condition_text(held.condition)}: it is {value:.4g}."
        self._say(held, "hit", sentence)
        latch = self._controls.run_latch
        if latch is None or not latch.closed:
            now = held.mode == "now"
            self._controls.set_run(Latch(held.mode, held.author, held.command, now, sentence))

    def _say(self, about: Breakpoint, state: str, sentence: str) -> None:
        fields = {
            "breakpoint": about.id,
            "state": state,
            "hits": about.hits,
            "condition": msgspec.structs.asdict(about.condition),
            "sentence": sentence,
        }
        self._publisher.add("breakpoint", fields)
