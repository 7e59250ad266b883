"""What clients may read of the job: from memory, and texts of older nodes from the journal."""

from __future__ import annotations

import asyncio
import itertools
import math
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec

from ..batch_builder import BadEventError, plain
from ..journal.folder import read_text
from ..memory import GroupInfo, Memory, NodeInfo
from ..token_columns import utf16_length, window
from . import rpc
from .pages import Sources

_MOST: Final = 1000
_MOST_PROMPT: Final = 1_000_000
_SEARCH_CHUNK: Final = 200_000
"""Characters of model text looked through before the other clients have their turn."""


class JobReads:
    """Answers the requests that read. Errors are RpcErrors."""

    def __init__(self, memory: Memory, sources: Sources, config: dict[str, Any], framework: str) -> None:
        self._memory = memory
        self._sources = sources
        self._config = config
        self._framework = framework
        self._answers: dict[str, tuple[type, Callable[[Any], Awaitable[Any]]]] = {
            "prompt": (rpc.Prompt, self._prompt),
            "groupHistory": (rpc.GroupHistory, self._group_history),
            "tokens": (rpc.Tokens, self._tokens),
            "series": (rpc.Series, self._series),
            "attachment": (rpc.Attachment, self._attachment),
            "search": (rpc.Search, self._search),
            "decisions": (rpc.Decisions, self._decisions),
            "config": (rpc.Config, self._config_of),
        }

    async def read(self, method: str, params: Any) -> Any:
        kind, answer = self._answers[method]
        return await answer(rpc.checked(params, kind, method))

    async def _prompt(self, params: rpc.Prompt) -> dict[str, Any]:
        held = self._memory.prompt_texts.get(params.prompt)
        if held is None:
            raise rpc.RpcError("notFound", f"The run holds no text of a prompt {params.prompt[:100]}.")
        answer = {
            "prompt": params.prompt,
            "text": held.text[:_MOST_PROMPT],
            "truncated": len(held.text) > _MOST_PROMPT,
        }
        return answer if held.reference is None else {**answer, "reference": held.reference[:_MOST_PROMPT]}

    async def _group_history(self, params: rpc.GroupHistory) -> dict[str, Any]:
        if params.prompt not in self._memory.prompts:
            raise rpc.RpcError("notFound", f"The run has no prompt {params.prompt[:100]}.")
        held = self._memory.history.get(params.prompt, ())
        groups: list[GroupInfo] = list(itertools.islice(reversed(held), min(params.limit, _MOST)))
        return {
            "steps": [group.step for group in groups],
            "groups": [group.id for group in groups],
            "planned": [group.planned for group in groups],
            "n": [group.n for group in groups],
            "c": [group.c for group in groups],
        }

    async def _record(self, node: str) -> dict[str, Any]:
        columns = self._memory.columns.get(node)
        try:
            if columns is not None:
                return columns.record(node)
            folder, journal = self._sources.folder, self._sources.journal
            place = None if journal is None else journal.place_of(node)
            if journal is not None and folder is not None and place is not None:
                await asyncio.wrap_future(journal.flush())
                return await asyncio.to_thread(read_text, folder, self._sources.incarnation, place)
        except (OSError, msgspec.DecodeError, BadEventError) as error:
            raise rpc.RpcError("notFound", f"The text of {node[:100]} cannot be read: {error}.") from error
        raise rpc.RpcError("notFound", f"The run holds no text of a node {node[:100]}.")

    async def _tokens(self, params: rpc.Tokens) -> dict[str, Any]:
        return window(await self._record(params.node), params.from_, params.to)

    async def _series(self, params: rpc.Series) -> dict[str, Any]:
        if params.field not in ("entropy", "logProb"):
            raise rpc.RpcError("unsupported", "This run records entropy and logProb of its tokens.")
        mean: list[list[float]] = []
        greatest: list[list[float]] = []
        for node in params.nodes:
            values = (await self._record(node)).get(params.field, [])
            bins = [values[at : at + params.bin] for at in range(0, len(values), params.bin)]
            mean.append([math.fsum(cells) / len(cells) for cells in bins])
            greatest.append([max(cells) for cells in bins])
            await asyncio.sleep(0)
        return {"mean": mean, "greatest": greatest}

    async def _attachment(self, params: rpc.Attachment) -> Any:
        raise rpc.RpcError("unsupported", f"This run serves no attachments, so no {params.attachment[:100]}.")

    async def _search(self, params: rpc.Search) -> dict[str, Any]:
        most = min(params.limit, _MOST)
        nodes: list[str] = []
        positions: list[int] = []
        looked = 0
        for node in reversed(list(self._memory.nodes.values())):
            columns = self._memory.columns.get(node.id)
            if columns is None or not _in_scope(node, params.scope):
                continue
            record = columns.record(node.id)
            found = record["text"].find(params.text)
            if found >= 0:
                unit = utf16_length(record["text"][:found])
                before = [at for at, offset in enumerate(record["offsets"]) if offset <= unit]
                nodes.append(node.id)
                positions.append(before[-1] if before else 0)
                if len(nodes) >= most:
                    return {"nodes": nodes, "positions": positions, "complete": False}
            looked += len(record["text"])
            if looked >= _SEARCH_CHUNK:
                looked = 0
                await asyncio.sleep(0)
        # Only the newest steps are held; older texts are in the journal.
        return {"nodes": nodes, "positions": positions, "complete": self._memory.next_step <= 2}

    async def _decisions(self, params: rpc.Decisions) -> dict[str, Any]:
        subject = params.subject
        rows: list[dict[str, Any]] = []
        for fields in reversed(self._memory.decisions):
            body = fields["body"]
            about = body["subjects"]
            is_step = subject.type == "step" and str(fields.get("step")) == subject.id
            is_about = about["type"] == subject.type and subject.id in about["ids"]
            if subject.type != "run" and not is_step and not is_about:
                continue
            columns = {**(body.get("inputs") or {}), **(body.get("outcome") or {})}
            row = {name: fields[name] for name in ("decision", "kind", "method", "sentence")}
            rows.append({**row, "step": fields.get("step"), "columns": plain(columns)})
            if len(rows) >= min(params.limit, _MOST):
                break
        return {"decisions": rows}

    async def _config_of(self, _: rpc.Config) -> dict[str, Any]:
        return {"framework": self._framework, "values": self._config}


def _in_scope(node: NodeInfo, scope: rpc.Subject | None) -> bool:
    if scope is None or scope.type == "run":
        return True
    group = node.rollout.group
    known = {
        "step": str(group.step),
        "prompt": group.prompt,
        "group": group.id,
        "rollout": node.rollout.id,
        "node": node.id,
    }
    return known.get(scope.type) == scope.id
