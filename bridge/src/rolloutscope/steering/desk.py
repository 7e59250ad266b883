"""Takes steering requests one by one: says what each would do, does it or says why not, puts it on record."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ..server import rpc
from . import requests
from .breakpoints import Breakpoints
from .budgets import propose_allocate, propose_skip
from .interventions import propose_break_add, propose_break_remove, propose_fork, propose_stop
from .latches import ForkRequest
from .pauses import propose_pause, propose_resume, propose_step
from .proposal import Desk, Proposal, RefusedError

_REMEMBERED: Final = 512

_REQUESTS: Final[dict[str, tuple[type[requests.Asked], Callable[[Desk, Any], Proposal] | None]]] = {
    "pause": (requests.Pause, propose_pause),
    "resume": (requests.Resume, propose_resume),
    "step": (requests.Step, propose_step),
    "allocate": (requests.Allocate, propose_allocate),
    "setMethod": (requests.SetMethod, None),
    "skip": (requests.SkipPrompts, propose_skip),
    "undo": (requests.Undo, None),
    "fork": (requests.Fork, propose_fork),
    "stop": (requests.Stop, propose_stop),
    "break.add": (requests.BreakAdd, propose_break_add),
    "break.remove": (requests.BreakRemove, propose_break_remove),
}


@dataclass
class _Recorded:
    action: str
    asked: requests.Asked
    connection: str
    scope: str
    answer: rpc.Answer
    proposal: Proposal | None
    waits_for: set[str]
    undone: bool = False


class SteeringDesk:
    """Belongs to the server's thread."""

    def __init__(self, desk: Desk, incarnation: int, capabilities: frozenset[str]) -> None:
        self._desk = desk
        self._incarnation = incarnation
        self._capabilities = capabilities
        self._commands: OrderedDict[str, _Recorded] = OrderedDict()
        self._waiting: dict[str, _Recorded] = {}
        desk.controls.took_hold = self._took_hold
        desk.controls.refused_fork = self._refused_fork

    @property
    def breakpoints(self) -> Breakpoints:
        return self._desk.breakpoints

    def steer(self, name: str, params: Any, connection: str, scope: str) -> rpc.Answer:
        kind, propose = _REQUESTS[name]
        asked = rpc.checked(params, kind, f"steer.{name}")
        known = self._commands.get(asked.commandId)
        if known is not None:
            return _with(known.answer, changed=False)
        action = name.split(".")[0]
        try:
            proposal = self._propose(name, asked, propose)
        except RefusedError as error:
            answer = rpc.Answer(asked.commandId, "refused", False, str(error), refusal=error.code)
            if not asked.dryRun:
                recorded = _Recorded(action, asked, connection, scope, answer, None, set())
                self._publish(recorded, "refused", f"{name} was refused.", str(error))
                self._remember(recorded)
            return answer
        if asked.dryRun:
            return rpc.Answer(asked.commandId, "preview", False, proposal.sentence, **proposal.effect)
        later = proposal.waits_for_latch or len(proposal.waits_for) > 0
        answer = rpc.Answer(
            asked.commandId,
            "requested" if later else "applied",
            True,
            proposal.sentence,
            **proposal.effect,
        )
        recorded = _Recorded(action, asked, connection, scope, answer, proposal, set(proposal.waits_for))
        self._publish(recorded, "requested", proposal.sentence, asked.reason)
        created = proposal.apply()
        if created:
            answer.created = list(created)
        if later:
            self._waiting[asked.commandId] = recorded
        else:
            self._publish(recorded, "applied", proposal.sentence, asked.reason)
        self._supersede(asked.commandId)
        if proposal.undoes is not None:
            self._undone(proposal.undoes, recorded)
        self._remember(recorded)
        return answer

    def take(self, kind: str, fields: Mapping[str, Any]) -> None:
        """An event of the run: rollouts that requests wait for."""
        if kind not in ("rolloutOpened", "rolloutClosed"):
            return
        rollout = fields["rollout"]
        if kind == "rolloutClosed":
            self._desk.controls.stops.pop(rollout, None)
        action = "fork" if kind == "rolloutOpened" else "stop"
        for recorded in list(self._waiting.values()):
            if recorded.action == action and rollout in recorded.waits_for:
                recorded.waits_for.discard(rollout)
                if not recorded.waits_for:
                    self._applied(recorded)

    def _propose(
        self,
        name: str,
        asked: requests.Asked,
        propose: Callable[[Desk, Any], Proposal] | None,
    ) -> Proposal:
        if asked.incarnation != self._incarnation:
            message = (
                f"The request was made for start {asked.incarnation} of the run; this is start "
                f"{self._incarnation}. Look again and ask anew."
            )
            raise RefusedError("wrongIncarnation", message)
        if self._desk.memory.ended:
            raise RefusedError("ended", "The run has ended. Nothing was changed.")
        self._check_wired(name, asked)
        if isinstance(asked, requests.Undo):
            return self._propose_undo(asked)
        assert propose is not None
        return propose(self._desk, asked)

    def _check_wired(self, name: str, asked: requests.Asked) -> None:
        """Raises RefusedError for what the loop does not ask its controls about."""
        needed = f"steer.{name.split('.')[0]}"
        if isinstance(asked, requests.Pause):
            target = asked.target.type
            needed = f"steer.pause.{asked.mode if target == 'run' else target}"
        elif isinstance(asked, (requests.Resume, requests.Undo)):
            return
        elif isinstance(asked, requests.Allocate):
            needed = f"steer.allocate.{asked.subjects[0].type}"
        elif isinstance(asked, requests.SetMethod):
            needed = "steer.method"
        if needed not in self._capabilities:
            message = f"This loop does not follow {needed.removeprefix('steer.')}. Nothing was changed."
            raise RefusedError("unsupported", message)

    def _propose_undo(self, asked: requests.Undo) -> Proposal:
        earlier = self._commands.get(asked.undoes)
        if earlier is None:
            message = f"No request {asked.undoes} is on record. Nothing was changed."
            raise RefusedError("unknownSubject", message)
        if earlier.proposal is None:
            raise RefusedError("alreadySo", "That request was refused; there is nothing to take back.")
        if earlier.undone:
            raise RefusedError("alreadySo", "That request was taken back already.")
        inverse = earlier.proposal.inverse
        if isinstance(inverse, str):
            raise RefusedError("unsupported", inverse)
        take_back = inverse

        def apply() -> list[dict[str, str]]:
            take_back()
            earlier.undone = True
            return []

        return Proposal(
            sentence=f"Taken back, from now on: {earlier.answer.sentence}",
            subjects=[],
            before={"request": asked.undoes},
            apply=apply,
            inverse="To take back an undo, send the request again.",
            undoes=asked.undoes,
        )

    def _took_hold(self, command: str) -> None:
        """The run's latch has closed by this request, or by a condition set by it."""
        for waiting, recorded in list(self._waiting.items()):
            if recorded.proposal is None or not recorded.proposal.waits_for_latch:
                continue
            if waiting == command:
                self._applied(recorded)

    def _supersede(self, command: str) -> None:
        """Pauses that waited and whose latch another request has replaced will never take hold."""
        latch = self._desk.controls.run_latch
        for waiting, recorded in list(self._waiting.items()):
            if waiting == command or recorded.proposal is None or not recorded.proposal.waits_for_latch:
                continue
            if latch is None or latch.command != waiting:
                del self._waiting[waiting]
                self._publish(recorded, "undone", recorded.answer.sentence, recorded.asked.reason)

    def _applied(self, recorded: _Recorded) -> None:
        self._waiting.pop(recorded.asked.commandId, None)
        recorded.answer = _with(recorded.answer, state="applied")
        self._publish(recorded, "applied", recorded.answer.sentence, recorded.asked.reason)

    def _refused_fork(self, fork: ForkRequest, reason: str) -> None:
        recorded = self._waiting.pop(fork.command, None)
        if recorded is not None:
            self._publish(recorded, "refused", "The fork was not launched.", reason)

    def _undone(self, command: str, by: _Recorded) -> None:
        earlier = self._commands.get(command)
        if earlier is not None:
            sentence = f"Taken back: {earlier.answer.sentence}"
            self._publish(
                _Recorded(earlier.action, earlier.asked, by.connection, by.scope, earlier.answer, None, set()),
                "undone",
                sentence,
                by.asked.reason,
                author=by.asked.author,
            )

    def _publish(
        self, recorded: _Recorded, state: str, sentence: str, reason: str | None, author: str | None = None
    ) -> None:
        proposal = recorded.proposal
        fields: dict[str, Any] = {
            "command": recorded.asked.commandId,
            "action": recorded.action,
            "state": state,
            "author": author or recorded.asked.author,
            "connection": recorded.connection,
            "scope": recorded.scope,
            "sentence": sentence,
            "reason": reason,
        }
        if proposal is not None:
            fields["subjects"] = list(proposal.subjects)
            fields["before"] = proposal.before
            fields["after"] = proposal.after
            fields["undoes"] = proposal.undoes
            fields["fromStep"] = proposal.effect.get("fromStep")
            fields["untilStep"] = proposal.effect.get("untilStep")
        self._desk.publisher.add("steering", fields)

    def _remember(self, recorded: _Recorded) -> None:
        self._commands[recorded.asked.commandId] = recorded
        if len(self._commands) > _REMEMBERED:
            self._commands.popitem(last=False)


def _with(answer: rpc.Answer, **changes: Any) -> rpc.Answer:
    named = {name: getattr(answer, name) for name in rpc.Answer.__struct_fields__}
    return rpc.Answer(**{**named, **changes})
