"""Decides on a connection before it becomes a WebSocket: Host, Origin, token, subprotocol."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import ipaddress
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec

from ..contract import SUBPROTOCOL
from ..journal.folder import write_private
from .rpc import Scope

_LOOPBACK = frozenset(("localhost", "127.0.0.1", "[::1]"))
_Token = Annotated[str, msgspec.Meta(min_length=16, max_length=256)]


class TokenPair(msgspec.Struct):
    """`steer` includes `read`."""

    read: _Token
    steer: _Token


def load_tokens(path: Path | None) -> TokenPair:
    """Tokens of a run: kept beside its journal, so that a restart does not turn everybody away."""
    if path is not None:
        with contextlib.suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
            return msgspec.json.decode(path.read_bytes(), type=TokenPair)
    pair = TokenPair(secrets.token_urlsafe(24), secrets.token_urlsafe(24))
    if path is not None:
        # A disk that takes no file still leaves these tokens for this start.
        with contextlib.suppress(OSError):
            write_private(path, msgspec.json.encode(pair) + b"\n")
    return pair


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()


def scope_of(header: str | None, tokens: TokenPair) -> Scope | None:
    """Scope of an `Authorization` header. Takes the same time whichever token is wrong, and where."""
    match = re.fullmatch(r"bearer ([!-~]{1,256})", header or "", re.IGNORECASE)
    given = _digest(match[1] if match else "")
    steer = hmac.compare_digest(given, _digest(tokens.steer))
    read = hmac.compare_digest(given, _digest(tokens.read))
    return "steer" if steer else "read" if read else None


class GateOptions(NamedTuple):
    """`hosts`: names besides loopback; `origins`: those that may connect; `is_open`: bound to more than loopback."""

    tokens: TokenPair
    hosts: frozenset[str]
    origins: frozenset[str]
    is_open: bool


class Refusal(NamedTuple):
    status: int
    message: str


def _host_allowed(header: str | None, options: GateOptions) -> bool:
    if header is None:
        return False
    name = re.sub(r":\d+$", "", header).lower()
    if name in _LOOPBACK or name in options.hosts:
        return True
    if not options.is_open:
        return False
    # A page that was rebound to this address speaks to a name, never to a number.
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def check_upgrade(headers: Mapping[str, str], options: GateOptions) -> Scope | Refusal:
    """The scope that the token grants, or why there is no connection. `headers` by lower-case name."""
    if not _host_allowed(headers.get("host"), options):
        return Refusal(
            403,
            "This host name is not one of the server’s. Connect by 127.0.0.1, or name it in `allow_hosts`.",
        )
    origin = headers.get("origin")
    if origin is not None and origin not in options.origins:
        message = "Web pages may not connect. A page of your own can be let in with `allow_origins`."
        return Refusal(403, message)
    scope = scope_of(headers.get("authorization"), options.tokens)
    if scope is None:
        message = "The token is missing or wrong. It goes into the Authorization header: Bearer TOKEN."
        return Refusal(401, message)
    offered = [word.strip() for word in headers.get("sec-websocket-protocol", "").split(",") if word.strip()]
    if offered and SUBPROTOCOL not in offered:
        return Refusal(426, f"This server speaks {SUBPROTOCOL}.")
    return scope
