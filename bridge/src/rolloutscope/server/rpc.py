"""JSON-RPC 2.0: envelopes, errors, and the parameters of every request."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ..contract import ERROR_CODES, GREATEST_INT

Count = Annotated[int, Meta(ge=0, le=GREATEST_INT)]
Id = Annotated[str, Meta(min_length=1, max_length=256)]
Scope = Literal["read", "steer"]
SubjectType = Literal["run", "step", "prompt", "group", "rollout", "node", "domain", "worker"]
_Cursor = Annotated[str, Meta(max_length=256)]


class RpcError(Exception):
    """An answer that says why there is no result. The message is for a person: what, and what to do."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.code = ERROR_CODES[kind]


class MalformedError(ValueError):
    """A frame that is no JSON-RPC message."""


class Message(msgspec.Struct):
    jsonrpc: Literal["2.0"]
    id: float | int | Annotated[str, Meta(max_length=64)] | None = None
    method: Annotated[str, Meta(max_length=64)] | None = None
    params: Any = None


def parse(text: str | bytes) -> Message:
    """Raises MalformedError."""
    try:
        return msgspec.json.decode(text, type=Message)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise MalformedError("frame: not a JSON-RPC message") from error


Params = TypeVar("Params")


def checked(params: Any, kind: type[Params], method: str) -> Params:
    """Raises RpcError `invalidParams` with the first place that is not as declared."""
    try:
        return msgspec.convert(params, kind)
    except msgspec.ValidationError as error:
        raise RpcError("invalidParams", f"{method}: {error}"[:500]) from error


class _Client(msgspec.Struct):
    name: Annotated[str, Meta(max_length=120)]
    version: Annotated[str, Meta(max_length=64)]


class Initialize(msgspec.Struct):
    client: _Client
    protocolVersions: Annotated[list[Count], Meta(min_length=1, max_length=16)]  # noqa: N815
    scope: Scope


class Ack(msgspec.Struct):
    seq: Count


class Subscribe(msgspec.Struct):
    afterSeq: Count  # noqa: N815
    strings: Count
    kinds: list[Annotated[str, Meta(max_length=64)]] | None = None


class Snapshot(msgspec.Struct):
    cursor: _Cursor | None = None
    fromStep: Count | None = None  # noqa: N815


class ReadSteps(msgspec.Struct):
    incarnation: Count
    from_: Count = msgspec.field(name="from")
    to: Count
    cursor: _Cursor | None = None


class Subject(msgspec.Struct, frozen=True):
    type: SubjectType
    id: Id


class Prompt(msgspec.Struct):
    prompt: Id


class GroupHistory(msgspec.Struct):
    prompt: Id
    limit: Count = 100


class Tokens(msgspec.Struct):
    node: Id
    from_: Count = msgspec.field(name="from")
    to: Count


class Series(msgspec.Struct):
    nodes: Annotated[list[Id], Meta(max_length=4096)]
    field: Annotated[str, Meta(max_length=64)]
    bin: Annotated[int, Meta(ge=1, le=GREATEST_INT)]


class Attachment(msgspec.Struct):
    attachment: Id
    offset: Count = 0


class Search(msgspec.Struct):
    text: Annotated[str, Meta(min_length=1, max_length=256)]
    scope: Subject | None = None
    limit: Count = 100


class Decisions(msgspec.Struct):
    subject: Subject
    limit: Count = 100


class Config(msgspec.Struct):
    pass


class Answer(msgspec.Struct, omit_defaults=True):
    """Answer of every steering request."""

    commandId: str  # noqa: N815
    state: Literal["requested", "applied", "refused", "preview"]
    changed: bool
    sentence: str
    refusal: str | UnsetType = UNSET
    rollouts: dict[str, float] | UnsetType = UNSET
    fromStep: int | UnsetType = UNSET  # noqa: N815
    untilStep: int | UnsetType = UNSET  # noqa: N815
    subjects: list[dict[str, Any]] | UnsetType = UNSET
    created: list[dict[str, str]] | UnsetType = UNSET
