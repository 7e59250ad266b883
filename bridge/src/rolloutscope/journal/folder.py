"""The journal's folder: its names, its manifest, and what the server reads back from it (protocol/JOURNAL.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import msgspec

from ..batch_builder import Batch
from ..contract import JOURNAL_VERSION

MANIFEST_NAME: Final = "journal.json"


class RunInfo(msgspec.Struct, omit_defaults=True):
    """Who the run is; `startedAt` in Unix milliseconds."""

    id: str
    name: str
    startedAt: float  # noqa: N815
    framework: str | msgspec.UnsetType = msgspec.UNSET
    device: str | msgspec.UnsetType = msgspec.UNSET


class _Manifest(msgspec.Struct):
    format: Literal["rolloutscope-journal"]
    version: int
    run: RunInfo


class TextPlace(NamedTuple):
    """Where a text record stands: segment, first byte, length."""

    segment: int
    offset: int
    bytes: int


class JournalLine(NamedTuple):
    """A batch of the journal and the byte offset of the line after it."""

    next: int
    batch: Batch
    bytes: int


class JournalUnreadableError(ValueError):
    """A journal that this version cannot go on with."""


def incarnation_folder(folder: Path, incarnation: int) -> Path:
    return folder / f"incarnation-{incarnation:04d}"


def segment_path(folder: Path, incarnation: int, segment: int, part: str) -> Path:
    return incarnation_folder(folder, incarnation) / f"segment-{segment:06d}.{part}"


def open_folder(folder: Path, run: RunInfo) -> tuple[RunInfo, int]:
    """Makes the folder and its manifest, or reads the manifest that is there. Returns the run as the journal knows
    it and the number of the next incarnation. Raises OSError or JournalUnreadableError."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    matches = (re.fullmatch(r"incarnation-(\d+)", path.name) for path in folder.iterdir())
    following = max((int(match[1]) for match in matches if match), default=0) + 1
    path = folder / MANIFEST_NAME
    if path.exists():
        try:
            manifest = msgspec.json.decode(path.read_bytes(), type=_Manifest)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise JournalUnreadableError(f"{path} is not a journal's manifest: {error}") from error
        if manifest.version != JOURNAL_VERSION:
            raise JournalUnreadableError(f"{path} has version {manifest.version}, not {JOURNAL_VERSION}")
        return manifest.run, following
    made = _Manifest("rolloutscope-journal", JOURNAL_VERSION, run)
    write_private(path, msgspec.json.format(msgspec.json.encode(made), indent=2) + b"\n")
    return run, following


def write_private(path: Path, data: bytes) -> None:
    """Writes a whole file, mode 0600, in one move. Raises OSError."""
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    new.touch(mode=0o600)
    new.write_bytes(data)
    new.replace(path)


def list_segments(folder: Path, incarnation: int) -> list[int]:
    """Numbers of the segments of an incarnation, rising."""
    place = incarnation_folder(folder, incarnation)
    if not place.is_dir():
        return []
    matches = (re.fullmatch(r"segment-(\d+)\.jsonl", path.name) for path in place.iterdir())
    return sorted(int(match[1]) for match in matches if match)


def read_head(folder: Path, incarnation: int, segment: int) -> dict[str, Any]:
    """The first line of a segment. Raises OSError or msgspec.DecodeError."""
    with segment_path(folder, incarnation, segment, "jsonl").open("rb") as file:
        head: dict[str, Any] = msgspec.json.decode(file.readline(), type=dict[str, Any])
        return head


def read_index(folder: Path, incarnation: int, segment: int) -> list[dict[str, int]]:
    """Steps that a segment's index names. A torn last line is left out."""
    lines: list[dict[str, int]] = []
    try:
        data = segment_path(folder, incarnation, segment, "index").read_bytes()
    except OSError:
        return lines
    for line in data.split(b"\n")[:-1]:
        try:
            lines.append(msgspec.json.decode(line, type=dict[str, int]))
        except msgspec.DecodeError:
            break
    return lines


def read_batches(folder: Path, incarnation: int, segment: int, offset: int = 0) -> Iterator[JournalLine]:
    """Batches of a segment from a byte offset on (0: its beginning). Ends before a torn or unreadable line."""
    with segment_path(folder, incarnation, segment, "jsonl").open("rb") as file:
        file.seek(offset)
        while (line := file.readline()).endswith(b"\n"):
            offset += len(line)
            try:
                batch = msgspec.json.decode(line, type=dict[str, Any])
            except (msgspec.DecodeError, UnicodeDecodeError):
                return
            if "journal" in batch:
                continue
            yield JournalLine(offset, batch, len(line))


def read_text(folder: Path, incarnation: int, place: TextPlace) -> dict[str, Any]:
    """A text record by its place. Raises OSError or msgspec.DecodeError."""
    with segment_path(folder, incarnation, place.segment, "texts").open("rb") as file:
        file.seek(place.offset)
        record: dict[str, Any] = msgspec.json.decode(file.read(place.bytes), type=dict[str, Any])
        return record
