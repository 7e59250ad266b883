"""The wire contract as `protocol/` declares it: contract.json is made from it by `npm run generate`."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Final, NamedTuple

import msgspec


class Column(NamedTuple):
    """A column of an event kind: int, num, ref, flag, text or json."""

    name: str
    type: str
    optional: bool
    words: frozenset[str] | None


class Kind(NamedTuple):
    """An event kind. Structural ones are never left out."""

    name: str
    structural: bool
    columns: tuple[Column, ...]


_RAW: Final[dict[str, Any]] = msgspec.json.decode(files(__package__).joinpath("contract.json").read_bytes())


def _kind(name: str, raw: dict[str, Any]) -> Kind:
    columns = tuple(
        Column(column, spec["type"], spec["optional"], frozenset(spec["words"]) if "words" in spec else None)
        for column, spec in raw["columns"].items()
    )
    return Kind(name, raw["structural"], columns)


EVENTS: Final[dict[str, Kind]] = {name: _kind(name, raw) for name, raw in _RAW["events"].items()}
SUBPROTOCOL: Final[str] = _RAW["subprotocol"]
PROTOCOL_VERSION: Final = 1
CAPABILITIES: Final[frozenset[str]] = frozenset(_RAW["capabilities"])
READS: Final[frozenset[str]] = frozenset(_RAW["reads"])
STEERING: Final[frozenset[str]] = frozenset(_RAW["steering"])
CLOSE_CODES: Final[dict[str, int]] = _RAW["closeCodes"]
ERROR_CODES: Final[dict[str, int]] = _RAW["errorCodes"]
MAX_FRAME_BYTES: Final[int] = _RAW["limits"]["maxFrameBytes"]
PING_SECONDS: Final[int] = _RAW["limits"]["pingSeconds"]
INITIALIZE_SECONDS: Final[int] = _RAW["limits"]["initializeSeconds"]
DISCOVERY_TOUCH_SECONDS: Final[int] = _RAW["limits"]["discoveryTouchSeconds"]
SEGMENT_BYTES: Final[int] = _RAW["limits"]["segmentBytes"]
JOURNAL_VERSION: Final[int] = _RAW["journal"]["version"]
GREATEST_INT: Final = 2**53 - 1
