"""What a training loop asks before it goes on. Every question is a look at an attribute unless somebody steers."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace

from ..publisher import LOG, Publisher
from .latches import EVERY_PROMPT, ForkRequest, Latch, Pin, Skip, Wires, holds

_LOOK_SECONDS = 0.5
"""A paused loop looks this often whether the server that could resume it still lives."""


class Controls:
    """The loop's side of steering. The server's thread sets, the loop's threads ask; neither waits for the other,
    except that a paused loop waits to be resumed. When the server stops, every pause ends."""

    def __init__(self, publisher: Publisher, wires: Wires) -> None:
        self.wires = wires
        self.took_hold: Callable[[str], None] = lambda _command: None
        self.refused_fork: Callable[[ForkRequest, str], None] = lambda _fork, _reason: None
        self.run_latch: Latch | None = None
        self.steps_left: int | None = None
        self.prompt_latches: dict[str, Latch] = {}
        self.node_latches: dict[str, Latch] = {}
        self.node_ancestors: Callable[[str], list[str]] = lambda node: [node]
        self.pins: dict[str, Pin] = {}
        self.skips: dict[str, Skip] = {}
        self.stops: dict[str, str] = {}
        self.stopped_groups: set[str] = set()
        self.pending_forks: deque[ForkRequest] = deque()
        self.paused_seconds = 0.0
        self.step = 0
        self._publisher = publisher
        self._changed = threading.Condition()
        self._holding = 0

    def boundary(self) -> None:
        """Between two steps: pauses that waited for it take hold. Returns when the run may go on."""
        if self.run_latch is None:
            return
        with self._changed:
            latch = self.run_latch
            if latch is not None and not latch.closed:
                if self.steps_left is not None and self.steps_left > 1:
                    self.steps_left -= 1
                    return
                self.steps_left = None
                self.run_latch = replace(latch, closed=True)
        self._hold()

    def between_tokens(self) -> None:
        """Between two tokens (or two batches of them): returns when the run is not paused."""
        latch = self.run_latch
        if latch is not None and latch.closed:
            self._hold()

    def may_launch(self, prompt: str) -> bool:
        """False while the run or the prompt launches nothing."""
        latch = self.run_latch
        if latch is not None and (latch.closed or latch.mode == "drain"):
            return False
        own = self.prompt_latches.get(prompt)
        return own is None or own.mode == "step-boundary"

    def wait(self) -> None:
        """Nothing runs and nothing may be launched: a drained run pauses, else waits for the next change."""
        with self._changed:
            latch = self.run_latch
            drained = latch is not None and not latch.closed and latch.mode == "drain"
            if latch is not None and drained:
                self.run_latch = replace(latch, closed=True)
            elif (latch is None or not latch.closed) and self._publisher.closed is None:
                began = time.monotonic()
                self._changed.wait(_LOOK_SECONDS)
                self.paused_seconds += time.monotonic() - began
        self.between_tokens()

    def freezes(self, prompt: str, node: str) -> bool:
        """The rollout stands still between two tokens, by the latch of its prompt or of a node above it."""
        if self.prompt_latches:
            latch = self.prompt_latches.get(prompt)
            if latch is not None and latch.mode == "now":
                return True
        if not self.node_latches:
            return False
        latches = (self.node_latches.get(above) for above in self.node_ancestors(node))
        return any(latch is not None and latch.mode == "now" for latch in latches)

    def stopped(self, rollout: str) -> str | None:
        """The decision by which a person ends the rollout: close it as `stopped` with that decision."""
        return self.stops.get(rollout) if self.stops else None

    def group_stopped(self, group: str) -> bool:
        """Nothing more is launched of the group."""
        return group in self.stopped_groups

    def forks(self) -> list[ForkRequest]:
        """Forks that were asked for since the last call. Launch each rollout under the id that it was given."""
        forks: list[ForkRequest] = []
        while self.pending_forks:
            forks.append(self.pending_forks.popleft())
        return forks

    def refuse(self, fork: ForkRequest, reason: str) -> None:
        """The loop cannot launch a fork; the person is told why."""
        self._publisher.post(lambda: self.refused_fork(fork, reason))

    def skipped(self, prompt: str, step: int | None = None) -> bool:
        """The prompt is left out of a step's plan (default: the open one)."""
        at = self.step if step is None else step
        skip = self.skips.get(prompt)
        latch = self.prompt_latches.get(prompt)
        return (skip is not None and holds(skip, at)) or (latch is not None and latch.mode == "step-boundary")

    def budget_for(self, prompt: str, planned: int, step: int | None = None) -> int:
        """Rollouts of the prompt in a step (default: the open one), of which the loop planned `planned`."""
        pin = self._pin(prompt, self.step if step is None else step)
        return planned if pin is None else _pinned(pin, planned)

    def plan(self, planned: Mapping[str, int], step: int | None = None) -> dict[str, int]:
        """A step's plan, prompt → rollouts, as people want it: skipped ones are left out, budgets charged to the
        total are taken from the others, of which each keeps one."""
        at = self.step if step is None else step
        kept = {prompt: count for prompt, count in planned.items() if not self.skipped(prompt, at)}
        result = {prompt: self.budget_for(prompt, count, at) for prompt, count in kept.items()}
        pins = {prompt: self._pin(prompt, at) for prompt in kept}
        charged = (p for p, pin in pins.items() if pin is not None and pin.charge == "total")
        owed = sum(result[prompt] - kept[prompt] for prompt in charged)
        others = [prompt for prompt, pin in pins.items() if pin is None]
        while owed != 0 and others:
            prompt = max(others, key=lambda p: result[p]) if owed > 0 else min(others, key=lambda p: result[p])
            if owed > 0 and result[prompt] <= 1:
                break
            result[prompt] -= 1 if owed > 0 else -1
            owed -= 1 if owed > 0 else -1
        return {prompt: count for prompt, count in result.items() if count > 0}

    # The server's side.

    def set_run(self, latch: Latch | None, steps_left: int | None = None) -> None:
        with self._changed:
            self.run_latch = latch
            self.steps_left = steps_left
            self._changed.notify_all()

    def wake(self) -> None:
        """Something changed that a waiting loop should look at."""
        with self._changed:
            self._changed.notify_all()

    def _pin(self, prompt: str, step: int) -> Pin | None:
        for key in (prompt, EVERY_PROMPT):
            pin = self.pins.get(key)
            if pin is not None and holds(pin, step):
                return pin
        return None

    def _hold(self) -> None:
        began = time.monotonic()
        latch = self.run_latch
        if latch is None or not latch.closed or self._publisher.closed is not None:
            return
        with self._changed:
            self._holding += 1
            first = self._holding == 1
        if first:
            self._say_paused(latch)
        with self._changed:
            while (latch := self.run_latch) is not None and latch.closed:
                if self._publisher.closed is not None:
                    self.run_latch = None
                    LOG.warning("Rolloutscope: nobody can resume the paused run any more; it goes on.")
                    break
                self._changed.wait(_LOOK_SECONDS)
            self._holding -= 1
            last = self._holding == 0
            if last:
                self.paused_seconds += time.monotonic() - began
        if last:
            fields = {"state": "running", "heldPrompts": len(self.prompt_latches)}
            self._publisher.add("runState", fields)

    def _say_paused(self, latch: Latch) -> None:
        fields = {
            "state": "paused",
            "mode": latch.mode,
            "by": latch.author,
            "reason": latch.reason,
            "heldPrompts": len(self.prompt_latches),
        }
        self._publisher.add("runState", fields)
        self._publisher.post(lambda: self.took_hold(latch.command))


def _pinned(pin: Pin, planned: int) -> int:
    return pin.set if pin.set is not None else max(0, planned + (pin.add or 0))
