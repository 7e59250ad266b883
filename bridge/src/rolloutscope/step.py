"""What belongs to a step: its groups, their rollouts, their nodes. Used on the job's threads."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from .token_columns import Alternatives, TokenColumns

if TYPE_CHECKING:
    from .run import Run

_COUNTED_AS = {"finished": "finished", "truncated": "finished", "carriedOver": "carriedOver"}


class Step:
    """A generation round and the updates made from it. A context manager; `close` ends it."""

    def __init__(self, run: Run, number: int, planned: int, policy_version: int) -> None:
        self.number = number
        self.policy_version = policy_version
        self.tokens = 0
        self._run = run
        self._began = time.monotonic()
        self._paused = run.controls.paused_seconds
        self._groups: list[Group] = []
        self._drawn: Counter[str] = Counter()
        self._closed = False
        fields = {"step": number, "policyVersion": policy_version, "planned": planned}
        run.publisher.add("stepOpened", fields)

    @property
    def seconds(self) -> float:
        """Seconds since the step was opened, without those in which a person paused it."""
        return time.monotonic() - self._began - (self._run.controls.paused_seconds - self._paused)

    def phase(self, phase: str) -> None:
        """plan, generate, reward, filter, train, evaluate, sync or idle."""
        self._run.publisher.add("stepPhase", {"step": self.number, "phase": phase})

    def group(self, prompt: str, *, planned: int, decision: str | None = None) -> Group:
        """Opens the group of a prompt. A prompt drawn again in the same step gives another group."""
        self._drawn[prompt] += 1
        again = self._drawn[prompt]
        group = Group(self._run, self, self._group_id(prompt, again), prompt, planned, decision)
        self._groups.append(group)
        return group

    def metric(self, name: str, value: float, *, unit: str | None = None) -> None:
        self._run.metric(name, value, step=self.number, unit=unit)

    def close(self, *, policy_version: int | None = None, updates: int | None = None) -> None:
        """The step's updates are done. Groups that were left open are closed and a finding says so."""
        if self._closed:
            return
        self._closed = True
        left = [group for group in self._groups if not group.closed]
        for group in left:
            group.close()
        if left:
            self._run.finding(
                "groups-left-open",
                code="groupLeftOpen",
                step=self.number,
                title=f"{len(left)} groups of step {self.number} were left open",
                evidence=f"{left[0].id} and others were not closed by the job before its step was. They were closed "
                "as unused; their rollouts that still ran count as carried over.",
            )
        fields = {
            "step": self.number,
            "policyVersion": self.policy_version + 1 if policy_version is None else policy_version,
            "seconds": round(self.seconds, 4),
            "tokens": self.tokens,
            "updates": updates,
        }
        self._run.publisher.add("stepClosed", fields)

    def __enter__(self) -> Step:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()

    def _group_id(self, prompt: str, again: int) -> str:
        return f"s{self.number}.{prompt[:180]}" + ("" if again == 1 else f".{again}")


class Group:
    """The rollouts of one prompt in one step that share a baseline. A context manager; `close` ends it."""

    def __init__(self, run: Run, step: Step, group: str, prompt: str, planned: int, decision: str | None) -> None:
        self.id = group
        self.prompt = prompt
        self.step = step
        self.planned = planned
        self.closed = False
        self.rollouts: list[Rollout] = []
        self._run = run
        fields = {
            "group": group,
            "prompt": prompt,
            "step": step.number,
            "planned": planned,
            "decision": decision,
        }
        run.publisher.add("groupOpened", fields)

    def rollout(
        self,
        *,
        rollout: str | None = None,
        parent: Node | None = None,
        at: int | None = None,
        use: str = "train",
        baseline: bool | None = None,
        decision: str | None = None,
        worker: str | None = None,
        rows: Sequence[str] | None = None,
    ) -> Rollout:
        """Launches a rollout; with `parent` and `at` it leaves that node there (a fork)."""
        identity = rollout or f"{self.id}.r{len(self.rollouts) + 1}"
        origin = "sampled" if parent is None else "forked"
        fields = {
            "rollout": identity,
            "group": self.id,
            "fromNode": None if parent is None else parent.id,
            "at": None if parent is None else at,
            "origin": origin,
            "use": use,
            "baseline": baseline,
            "decision": decision,
            "worker": worker,
            "rows": rows,
        }
        self._run.publisher.add("rolloutOpened", fields)
        made = Rollout(self._run, self, identity, use, origin, parent, at, decision)
        self.rollouts.append(made)
        return made

    def close(self, *, used: bool = False, reason: str | None = None) -> None:
        """No rollout of the group will be launched any more. `used`: the step's update used it; `reason`: why the
        whole group was discarded. Rollouts that still run are carried over."""
        if self.closed:
            return
        self.closed = True
        counts = Counter({"finished": 0, "discarded": 0, "killed": 0, "carriedOver": 0})
        train = [rollout for rollout in self.rollouts if rollout.use == "train"]
        for rollout in train:
            if rollout.ending is None:
                rollout.close(ending="carriedOver")
            kept = _COUNTED_AS.get(rollout.ending or "", "killed")
            counts["discarded" if rollout.discarded and kept == "finished" else kept] += 1
        fields = {
            "group": self.id,
            "launched": len(train),
            **counts,
            "usedInStep": self.step.number if used else None,
            "reason": reason,
        }
        self._run.publisher.add("groupClosed", fields)

    def __enter__(self) -> Group:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()


class Rollout:
    """One run of the policy on a prompt: one node, or several for turns and tool calls."""

    def __init__(
        self,
        run: Run,
        group: Group,
        rollout: str,
        use: str,
        origin: str,
        parent: Node | None,
        at: int | None,
        decision: str | None,
    ) -> None:
        self.id = rollout
        self.group = group
        self.use = use
        self.ending: str | None = None
        self.discarded = False
        self.nodes: list[Node] = []
        self._run = run
        self._origin = origin
        self._from = (parent, at)
        self._decision = decision

    def node(self, *, kind: str = "tokens", origin: str | None = None, tool: str | None = None) -> Node:
        """Begins a stretch, where the last one ended. `tokens` makes the first one by itself."""
        parent, at = self._from
        if self.nodes:
            parent = self.nodes[-1]
            if not parent.closed:
                parent.close()
            at = len(parent.columns)
        first = not self.nodes
        node = Node(
            self._run,
            self,
            f"{self.id}.n{len(self.nodes) + 1}",
            parent,
            at,
            kind,
            origin or (self._origin if first else "sampled"),
            self._decision if first and self._origin == "forked" else None,
            tool,
        )
        self.nodes.append(node)
        return node

    def tokens(
        self,
        ids: Sequence[int],
        pieces: Sequence[str],
        *,
        log_probs: Sequence[float] | None = None,
        entropies: Sequence[float] | None = None,
        trained: Sequence[bool] | None = None,
        alternatives: Sequence[Alternatives] | None = None,
    ) -> None:
        """Tokens that were sampled since the last call: ids, the text of each, log-probability and entropy in nats,
        whether each is in the loss. They are appended to the rollout's open node."""
        node = self.nodes[-1] if self.nodes and not self.nodes[-1].closed else self.node()
        node.tokens(
            ids,
            pieces,
            log_probs=log_probs,
            entropies=entropies,
            trained=trained,
            alternatives=alternatives,
        )

    def span(self, state: str, *, tool: str | None = None, policy_version: int | None = None) -> None:
        """The rollout is queued, generating, tool, paused or reward from now on."""
        fields = {"rollout": self.id, "state": state, "tool": tool, "policyVersion": policy_version}
        self._run.publisher.add("rolloutSpan", fields)

    def close(
        self,
        *,
        reward: float | None = None,
        success: bool | None = None,
        reward_parts: Mapping[str, float] | None = None,
        ending: str = "finished",
        reason: str | None = None,
        decision: str | None = None,
    ) -> None:
        """The rollout ended. A second call does nothing but leave a finding."""
        if self.ending is not None:
            self._run.finding(
                "rollout-closed-twice",
                code="badOrder",
                title="A rollout was closed twice",
                evidence=f"{self.id} was closed as {self.ending} before; the second close was left out.",
            )
            return
        self.ending = ending
        for node in self.nodes:
            if not node.closed:
                node.close(ending=ending)
        fields = {
            "rollout": self.id,
            "ending": ending,
            "length": sum(len(node.columns) for node in self.nodes),
            "success": success,
            "reward": reward,
            "rewardParts": reward_parts,
            "reason": reason,
            "decision": decision,
        }
        self._run.publisher.add("rolloutClosed", fields)

    def discard(self, reason: str, *, decision: str | None = None) -> None:
        """A rollout that ended by itself is taken out of training by a rule."""
        if self.discarded or self.group.closed:
            return
        self.discarded = True
        fields = {"rollout": self.id, "reason": reason, "decision": decision}
        self._run.publisher.add("rolloutDiscarded", fields)

    def credit(self, rule: str, *, advantage: float | None = None, value: float | None = None) -> None:
        """Value and advantage of the whole rollout by a credit rule."""
        fields = {"rollout": self.id, "rule": rule, "advantage": advantage, "value": value}
        self._run.publisher.add("credit", fields)


class Node:
    """A stretch that exactly one rollout generates."""

    def __init__(
        self,
        run: Run,
        rollout: Rollout,
        node: str,
        parent: Node | None,
        at: int | None,
        kind: str,
        origin: str,
        decision: str | None,
        tool: str | None,
    ) -> None:
        self.id = node
        self.rollout = rollout
        self.parent = parent
        self.at = at
        self.columns = TokenColumns()
        self.closed = False
        self._run = run
        run.memory.columns[node] = self.columns
        fields = {
            "node": node,
            "rollout": rollout.id,
            "parent": None if parent is None else parent.id,
            "at": None if parent is None else at,
            "kind": kind,
            "origin": origin,
            "policyVersion": rollout.group.step.policy_version,
            "decision": decision,
            "tool": tool,
        }
        run.publisher.add("nodeOpened", fields)

    def tokens(
        self,
        ids: Sequence[int],
        pieces: Sequence[str],
        *,
        log_probs: Sequence[float] | None = None,
        entropies: Sequence[float] | None = None,
        trained: Sequence[bool] | None = None,
        alternatives: Sequence[Alternatives] | None = None,
    ) -> None:
        """Appends tokens. Raises ValueError, at the caller, when the columns have not one cell a token."""
        count = len(ids)
        for name, column in (
            ("pieces", pieces),
            ("log_probs", log_probs),
            ("entropies", entropies),
            ("trained", trained),
            ("alternatives", alternatives),
        ):
            if column is not None and len(column) != count:
                raise ValueError(f"tokens of {self.id}: {count} ids, but {len(column)} {name}")
        self.columns.append(ids, pieces, log_probs, entropies, trained, alternatives)
        self.rollout.group.step.tokens += count
        fields = {
            "node": self.id,
            "length": len(self.columns),
            "entropy": self.columns.mean("entropy"),
            "logProb": self.columns.mean("log_prob"),
        }
        self._run.publisher.add("nodeUpdated", fields)

    def close(self, *, ending: str = "finished") -> None:
        """The node will not grow any more; its text goes to the journal."""
        if self.closed:
            return
        self.closed = True
        columns = self.columns
        trained = columns.trained
        fields: dict[str, Any] = {
            "node": self.id,
            "length": len(columns),
            "ending": ending,
            "entropy": columns.mean("entropy"),
            "logProb": columns.mean("log_prob"),
            "trainShare": sum(trained) / len(trained) if trained and len(trained) == len(columns) else None,
        }
        self._run.publisher.add("nodeClosed", fields, lambda: columns.record(self.id))
