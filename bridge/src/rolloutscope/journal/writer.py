"""Writes the batches of one incarnation: texts before the batch that points at them, the batch before its index."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Final

import msgspec

from ..batch_builder import Batch
from ..contract import JOURNAL_VERSION, SEGMENT_BYTES
from ..publisher import TextRecord
from .append_files import AppendQueue, AppendTarget, DiskFile
from .folder import TextPlace, incarnation_folder, segment_path

_REMEMBERED_PLACES: Final = 100_000
_QUEUE_BYTES: Final = 64 * 1024 * 1024
_CLOSE_SECONDS: Final = 5.0


class _Segment:
    def __init__(self, number: int, head_bytes: int) -> None:
        self.number = number
        self.jsonl_bytes = head_bytes
        self.text_bytes = 0
        self.files: dict[str, AppendTarget] = {}


class JournalWriter:
    """A sink of the publisher. Neither raises nor waits; `on_stopped` says why the journal cannot go on."""

    def __init__(
        self,
        folder: Path,
        context: dict[str, Any],
        on_stopped: Callable[[str], None],
        *,
        segment_bytes: int = SEGMENT_BYTES,
        open_file: Callable[[Path], AppendTarget] = DiskFile,
    ) -> None:
        """`context`: incarnation, successThreshold and sampling of the segment heads."""
        self._folder = folder
        self._context = context
        self._incarnation: int = context["incarnation"]["number"]
        self._segment_bytes = segment_bytes
        self._open_file = open_file
        self._places: OrderedDict[str, TextPlace] = OrderedDict()
        self._segment: _Segment | None = None
        self._closed = False
        self._queue = AppendQueue(_QUEUE_BYTES, on_stopped)
        place = incarnation_folder(folder, self._incarnation)
        self._queue.push(1, lambda: place.mkdir(parents=True, exist_ok=True, mode=0o700))

    @property
    def stopped(self) -> bool:
        return self._closed or self._queue.failure is not None

    def place_of(self, node: str) -> TextPlace | None:
        """Where the text of one of the newest closed nodes of this incarnation stands."""
        return self._places.get(node)

    def batch(self, batch: Batch, line: bytes, texts: list[TextRecord | None], strings: list[str], before: int) -> None:
        if self.stopped:
            return
        records = [None if text is None else msgspec.json.encode(text) + b"\n" for text in texts]
        text_data = b"".join(record for record in records if record is not None)
        segment = self._segment
        if (
            segment is None
            or (segment.text_bytes > 0 and segment.text_bytes + len(text_data) > self._segment_bytes)
            or segment.jsonl_bytes + len(line) > self._segment_bytes
        ):
            segment = self._next_segment(batch["from"], strings[:before])
        if records:
            line = msgspec.json.encode(self._placed(segment, batch, records, texts))
        data = line + b"\n"
        index = _index_lines(batch, segment.jsonl_bytes)
        segment.jsonl_bytes += len(data)

        def write(files: dict[str, AppendTarget] = segment.files) -> None:
            for part, content in (("texts", text_data), ("jsonl", data), ("index", index)):
                if content:
                    files[part].append(content)

        self._queue.push(len(data) + len(text_data) + len(index), write)

    def flush(self) -> Future[None]:
        """Done when everything so far is with the system, or the journal has stopped."""
        return self._queue.idle()

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._segment is not None:
            self._close_files(self._segment)
        self._queue.end(_CLOSE_SECONDS)

    def _close_files(self, segment: _Segment) -> None:
        def close() -> None:
            for file in segment.files.values():
                file.close()

        self._queue.push(1, close)

    def _next_segment(self, first_seq: int, strings: list[str]) -> _Segment:
        last = self._segment
        if last is not None:
            self._close_files(last)
        number = 1 if last is None else last.number + 1
        head = {"journal": JOURNAL_VERSION, "segment": number, **self._context}
        data = msgspec.json.encode({**head, "firstSeq": first_seq, "strings": strings}) + b"\n"
        segment = self._segment = _Segment(number, len(data))

        def open_files() -> None:
            for part in ("texts", "index", "jsonl"):
                path = segment_path(self._folder, self._incarnation, number, part)
                segment.files[part] = self._open_file(path)
            segment.files["jsonl"].append(data)

        self._queue.push(len(data), open_files)
        return segment

    def _placed(
        self, segment: _Segment, batch: Batch, records: list[bytes | None], texts: list[TextRecord | None]
    ) -> Batch:
        """The batch with the places of its nodes' texts."""
        offsets: list[int | None] = []
        sizes: list[int | None] = []
        for record, text in zip(records, texts, strict=True):
            offsets.append(None if record is None else segment.text_bytes)
            sizes.append(None if record is None else len(record))
            if record is None or text is None:
                continue
            self._places[text["node"]] = TextPlace(segment.number, segment.text_bytes, len(record))
            if len(self._places) > _REMEMBERED_PLACES:
                self._places.popitem(last=False)
            segment.text_bytes += len(record)
        closed = {**batch["events"]["nodeClosed"], "textOffset": offsets, "textBytes": sizes}
        return {**batch, "events": {**batch["events"], "nodeClosed": closed}}


def _index_lines(batch: Batch, offset: int) -> bytes:
    """Steps that open in the batch whose line begins at `offset`."""
    opened = batch["events"].get("stepOpened", {"step": [], "seq": []})
    lines = (
        msgspec.json.encode({"step": step, "seq": seq, "offset": offset}) + b"\n"
        for step, seq in zip(opened["step"], opened["seq"], strict=True)
    )
    return b"".join(lines)
