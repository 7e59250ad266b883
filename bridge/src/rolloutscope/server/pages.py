"""Pages of batches: the run so far (`snapshot`) and steps of the journal (`readSteps`)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from ..batch_builder import Batch
from ..journal.folder import JournalLine, list_segments, read_batches, read_head, read_index
from ..journal.writer import JournalWriter
from ..publisher import Publisher
from . import rpc
from .batch_shaping import join_batches, run_level_before, without_text_places

PAGE_BYTES: Final = 512 * 1024
"""Bytes of batches in an answer; well under a frame."""
_STRINGS_PIECE: Final = 8192


class Sources(NamedTuple):
    """Where batches come from."""

    publisher: Publisher
    incarnation: int
    journal: JournalWriter | None
    folder: Path | None
    page_bytes: int = PAGE_BYTES


def string_batches(strings: list[str], first: int, end: int, seq: int) -> list[Batch]:
    """Batches without events that hand over a table; `seq` is the first seq that follows."""
    return [
        {
            "from": seq,
            "to": seq - 1,
            "now": 0,
            "strings": {"from": at, "values": strings[at : min(end, at + _STRINGS_PIECE)]},
            "events": {},
        }
        for at in range(first, end, _STRINGS_PIECE)
    ]


class _Place(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """Next seq to hand over; seq where the stream goes on; first seq wanted in full; strings; segment and offset."""

    next: rpc.Count
    until: rpc.Count
    from_: rpc.Count
    strings: rpc.Count
    segment: rpc.Count
    offset: rpc.Count


def _read_place(cursor: str) -> _Place:
    try:
        return msgspec.json.decode(cursor, type=_Place)
    except (msgspec.DecodeError, RecursionError) as error:
        message = "snapshot: this cursor was not given by this server. Start again without one."
        raise rpc.RpcError("invalidParams", message) from error


def _step_seq(publisher: Publisher, step: int) -> int:
    """Seq of the event that opened a step; of the next known one where that was never opened."""
    seqs = [seq for opened, seq in publisher.step_seqs.items() if opened >= step]
    return min(seqs, default=publisher.held.head + 1)


async def snapshot_page(params: rpc.Snapshot, sources: Sources) -> dict[str, Any]:
    """A page of the run so far. What memory no longer holds comes from the journal; without a journal the snapshot
    begins with the oldest batch in memory."""
    publisher = sources.publisher
    held = publisher.held
    if params.cursor is None:
        first = 0 if params.fromStep is None else _step_seq(publisher, params.fromStep)
        place = _Place(1, held.head, first, 0, 1, 0)
    else:
        place = _read_place(params.cursor)
    page: list[Batch] = []
    size = 0

    def take(batch: Batch, line_bytes: int) -> None:
        nonlocal size
        shaped = run_level_before(without_text_places(batch), place.from_)
        bare = page and (not page[-1]["events"] or not shaped["events"])
        # Stretches that were left out are one batch, not thousands of empty ones.
        if bare and page[-1]["from"] <= page[-1]["to"] < place.from_:
            page[-1] = join_batches([page[-1], shaped])
        else:
            page.append(shaped)
        size += line_bytes if shaped is batch else len(msgspec.json.encode(shaped))
        place.next = batch["to"] + 1
        if "strings" in batch:
            place.strings = batch["strings"]["from"] + len(batch["strings"]["values"])

    if place.next < held.first_seq and sources.journal is not None and sources.folder is not None:
        await asyncio.wrap_future(sources.journal.flush())
        for segment, line in await asyncio.to_thread(_older, sources, place, held.first_seq):
            place.segment, place.offset = segment, line.next
            if line.batch["to"] >= place.next:
                take(line.batch, line.bytes)
    if place.next < held.first_seq and size == 0:
        oldest = held.at(held.first_seq)
        needed = 0 if oldest is None else oldest.strings_before
        page += string_batches(publisher.strings, place.strings, needed, held.first_seq)
        place.next = held.first_seq
        place.strings = max(place.strings, needed)
    while size < sources.page_bytes and place.next <= place.until:
        entry = held.at(place.next)
        if entry is None:
            break
        take(entry.batch, len(entry.line))
    more = place.next <= place.until
    return {
        "batches": page,
        "seq": max(place.until, place.next - 1),
        "next": msgspec.json.encode(place).decode() if more else None,
        "stringsSoFar": place.strings,
        "done": 1 if place.until == 0 else min(1, (place.next - 1) / place.until),
    }


def _older(sources: Sources, place: _Place, until: int) -> list[tuple[int, JournalLine]]:
    """Lines of the journal before `until`, a page of them."""
    assert sources.folder is not None
    lines: list[tuple[int, JournalLine]] = []
    size = 0
    following = place.next
    for segment in list_segments(sources.folder, sources.incarnation):
        if segment < place.segment:
            continue
        start = place.offset if segment == place.segment else 0
        for line in read_batches(sources.folder, sources.incarnation, segment, start):
            if line.batch["from"] > following or following >= until or size >= sources.page_bytes:
                return lines
            lines.append((segment, line))
            size += line.bytes
            following = max(following, line.batch["to"] + 1)
    return lines


async def steps_page(params: rpc.ReadSteps, sources: Sources) -> dict[str, Any]:
    """A page of the journal's batches for a range of steps of any incarnation that the journal has."""
    if sources.folder is None:
        raise rpc.RpcError("unsupported", "This run keeps no journal, so older steps cannot be read.")
    if params.incarnation == sources.incarnation and sources.journal is not None:
        await asyncio.wrap_future(sources.journal.flush())
    return await asyncio.to_thread(_steps_page, params, sources.folder, sources.page_bytes)


def _steps_page(params: rpc.ReadSteps, folder: Path, page_bytes: int) -> dict[str, Any]:
    segments = list_segments(folder, params.incarnation)
    if not segments:
        raise rpc.RpcError("notFound", f"The journal has no start {params.incarnation} of this run.")
    opened = [
        (line["step"], line["seq"], segment, line["offset"])
        for segment in segments
        for line in read_index(folder, params.incarnation, segment)
    ]
    found = next((line for line in opened if params.from_ <= line[0] <= params.to), None)
    if found is None and opened:
        return {"strings": [], "batches": [], "next": None}
    # What comes before the first step is told with it.
    if found is None or found is opened[0]:
        first_seq, segment, offset = 1, segments[0], 0
    else:
        _, first_seq, segment, offset = found
    end = next((seq for step, seq, _, _ in opened if step > params.to), None)
    batches: list[Batch] = []
    answer: dict[str, Any] = {"strings": [], "batches": batches, "next": None}
    if params.cursor is None:
        strings = _strings_before(folder, params.incarnation, segment, offset)
        batches += string_batches(strings, 0, len(strings), first_seq)
        head = read_head(folder, params.incarnation, segment)
        answer["start"] = {name: head[name] for name in ("incarnation", "successThreshold", "sampling")}
    else:
        segment, offset = _read_steps_cursor(params.cursor)
    size = 0
    for number in segments:
        if number < segment:
            continue
        start = offset if number == segment else 0
        for line in read_batches(folder, params.incarnation, number, start):
            if end is not None and line.batch["from"] >= end:
                return answer
            batches.append(without_text_places(line.batch))
            size += line.bytes
            if size >= page_bytes:
                answer["next"] = f"[{number},{line.next}]"
                return answer
    return answer


def _read_steps_cursor(cursor: str) -> tuple[int, int]:
    try:
        return msgspec.json.decode(cursor, type=tuple[rpc.Count, rpc.Count])
    except (msgspec.DecodeError, RecursionError) as error:
        message = "readSteps: this cursor was not given by this server. Start again without one."
        raise rpc.RpcError("invalidParams", message) from error


def _strings_before(folder: Path, incarnation: int, segment: int, offset: int) -> list[str]:
    """The string table as it stands at a byte offset of a segment."""
    strings: list[str] = list(read_head(folder, incarnation, segment)["strings"])
    for line in read_batches(folder, incarnation, segment):
        if line.next > offset:
            break
        if "strings" in line.batch:
            piece = line.batch["strings"]
            strings += piece["values"][len(strings) - piece["from"] :]
    return strings
