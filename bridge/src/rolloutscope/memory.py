"""What the server knows of the run from its own stream: for reads, for steering, for conditions."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from .token_columns import TokenColumns

_HELD_STEPS: Final = 6
_HELD_DECISIONS: Final = 4096
_HISTORY: Final = 256


@dataclass
class PromptText:
    """Text of a prompt and its reference answer."""

    text: str
    reference: str | None


@dataclass
class NodeInfo:
    id: str
    rollout: RolloutInfo
    parent: NodeInfo | None
    at: int
    length: int = 0
    ended: bool = False
    children: list[NodeInfo] = field(default_factory=list)

    def subtree(self) -> Iterator[NodeInfo]:
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.children

    def ancestors(self) -> Iterator[NodeInfo]:
        node: NodeInfo | None = self
        while node is not None:
            yield node
            node = node.parent


@dataclass
class RolloutInfo:
    id: str
    group: GroupInfo
    use: str
    ended: bool = False
    reward: float | None = None
    nodes: list[NodeInfo] = field(default_factory=list)


@dataclass
class GroupInfo:
    id: str
    prompt: str
    step: int
    planned: int
    closed: bool = False
    used: bool = False
    n: int = 0
    c: int = 0
    rollouts: list[RolloutInfo] = field(default_factory=list)


class Memory:
    """Belongs to the server's thread; `columns` and `prompt_texts` are filled on the job's."""

    def __init__(self, success_threshold: float) -> None:
        self.open_step: int | None = None
        self.done_step = 0
        self.ended = False
        self.planned_total = 0
        self.groups: dict[str, GroupInfo] = {}
        self.rollouts: dict[str, RolloutInfo] = {}
        self.nodes: dict[str, NodeInfo] = {}
        self.columns: dict[str, TokenColumns] = {}
        self.prompt_texts: dict[str, PromptText] = {}
        self.prompts: set[str] = set()
        self.planned: dict[str, int] = {}
        self.history: dict[str, deque[GroupInfo]] = {}
        self.decisions: deque[Mapping[str, Any]] = deque(maxlen=_HELD_DECISIONS)
        self._threshold = success_threshold

    @property
    def next_step(self) -> int:
        return max(self.done_step, self.open_step or 0) + 1

    def running(self) -> Iterator[RolloutInfo]:
        return (rollout for rollout in self.rollouts.values() if not rollout.ended)

    def take(self, kind: str, fields: Mapping[str, Any]) -> None:
        """An event of the run, in the order of the stream."""
        take = _TAKE.get(kind)
        if take is not None:
            take(self, fields)

    def _run_state(self, fields: Mapping[str, Any]) -> None:
        self.ended = fields["state"] in ("ended", "failed")

    def _step_opened(self, fields: Mapping[str, Any]) -> None:
        self.open_step = fields["step"]
        self._trim(fields["step"])

    def _step_closed(self, fields: Mapping[str, Any]) -> None:
        self.done_step = fields["step"]
        self.open_step = None

    def _group_opened(self, fields: Mapping[str, Any]) -> None:
        group = GroupInfo(fields["group"], fields["prompt"], fields["step"], fields["planned"])
        self.groups[group.id] = group
        self.prompts.add(group.prompt)
        self.planned[group.prompt] = group.planned
        self.history.setdefault(group.prompt, deque(maxlen=_HISTORY)).append(group)

    def _group_planned(self, fields: Mapping[str, Any]) -> None:
        group = self.groups.get(fields["group"])
        if group is not None:
            group.planned = fields["planned"]

    def _group_closed(self, fields: Mapping[str, Any]) -> None:
        group = self.groups.get(fields["group"])
        if group is not None:
            group.closed = True
            group.used = fields.get("usedInStep") is not None

    def _rollout_opened(self, fields: Mapping[str, Any]) -> None:
        group = self.groups.get(fields["group"])
        if group is None:
            return
        rollout = RolloutInfo(fields["rollout"], group, fields["use"])
        self.rollouts[rollout.id] = rollout
        group.rollouts.append(rollout)

    def _rollout_closed(self, fields: Mapping[str, Any]) -> None:
        rollout = self.rollouts.get(fields["rollout"])
        if rollout is None:
            return
        rollout.ended = True
        reward = fields.get("reward")
        rollout.reward = None if reward is None else float(reward)
        if rollout.use == "train" and fields["ending"] in ("finished", "truncated"):
            success = fields.get("success")
            if success is None:
                success = rollout.reward is not None and rollout.reward >= self._threshold
            rollout.group.n += 1
            rollout.group.c += 1 if success else 0

    def _node_opened(self, fields: Mapping[str, Any]) -> None:
        rollout = self.rollouts.get(fields["rollout"])
        if rollout is None:
            return
        parent = self.nodes.get(fields.get("parent") or "")
        node = NodeInfo(fields["node"], rollout, parent, fields.get("at") or 0)
        self.nodes[node.id] = node
        rollout.nodes.append(node)
        if parent is not None:
            parent.children.append(node)

    def _node_updated(self, fields: Mapping[str, Any]) -> None:
        node = self.nodes.get(fields["node"])
        if node is not None:
            node.length = fields["length"]

    def _node_closed(self, fields: Mapping[str, Any]) -> None:
        node = self.nodes.get(fields["node"])
        if node is not None:
            node.length = fields["length"]
            node.ended = True

    def _prompt_declared(self, fields: Mapping[str, Any]) -> None:
        self.prompts.add(fields["prompt"])

    def _trim(self, step: int) -> None:
        """Forgets what ended in steps long past; their texts are in the journal."""
        for group in list(self.groups.values()):
            if group.step > step - _HELD_STEPS or any(not rollout.ended for rollout in group.rollouts):
                continue
            del self.groups[group.id]
            for rollout in group.rollouts:
                self.rollouts.pop(rollout.id, None)
                for node in rollout.nodes:
                    self.nodes.pop(node.id, None)
                    self.columns.pop(node.id, None)
            group.rollouts = []


_TAKE: Final[dict[str, Callable[[Memory, Mapping[str, Any]], None]]] = {
    "runState": Memory._run_state,
    "stepOpened": Memory._step_opened,
    "stepClosed": Memory._step_closed,
    "groupOpened": Memory._group_opened,
    "groupPlanned": Memory._group_planned,
    "groupClosed": Memory._group_closed,
    "rolloutOpened": Memory._rollout_opened,
    "rolloutClosed": Memory._rollout_closed,
    "nodeOpened": Memory._node_opened,
    "nodeUpdated": Memory._node_updated,
    "nodeClosed": Memory._node_closed,
    "promptDeclared": Memory._prompt_declared,
    "decision": lambda memory, fields: memory.decisions.append(fields),
}
