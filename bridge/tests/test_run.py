"""Whatever fails on the bridge's side, the training loop goes on; bad calls never make a wrong group."""

from __future__ import annotations

import errno
import json
import logging
import os
import socket
import stat
import threading
from pathlib import Path
from typing import Any

import pytest

import rolloutscope
from rolloutscope import Run, ServerOptions
from rolloutscope.journal.folder import list_segments, read_batches, read_head, segment_path
from rolloutscope.journal.writer import JournalWriter

from .conftest import ALL_WIRES, Client, train, within


def _journal_events(folder: Path, incarnation: int) -> list[str]:
    return [
        kind
        for segment in list_segments(folder, incarnation)
        for line in read_batches(folder, incarnation, segment)
        for kind, columns in line.batch["events"].items()
        for _ in columns["seq"]
    ]


def test_ten_lines_are_a_run_that_can_be_watched(tmp_path: Path) -> None:
    with rolloutscope.attach("mine", folder=tmp_path / "journal") as run:
        client = Client(run)
        client.subscribe()
        with run.step(planned=2) as step, step.group("p", planned=2) as group:
            for reward in (0.0, 1.0):
                rollout = group.rollout()
                rollout.tokens([1, 2], ["a", "ñ"], log_probs=[-1, -2], entropies=[0.5, 1.5])
                rollout.close(reward=reward)
        closed = client.until(lambda kind, fields: kind == "groupClosed")
        assert (closed["launched"], closed["finished"]) == (2, 2)
        client.until(lambda kind, fields: kind == "stepClosed")
        node = client.until(lambda kind, fields: kind == "nodeClosed")
        assert (node["length"], node["entropy"], node["logProb"]) == (2, 1, -1.5)
        tokens = client.call("tokens", {"node": node["node"], "from": 1, "to": 2})["result"]
        assert (tokens["text"], tokens["offsets"], tokens["ids"], tokens["logProb"]) == ("ñ", [0], [2], [-2])


def test_texts_go_round_through_the_journal_when_memory_has_let_them_go(run: Run) -> None:
    train(run, 1)
    node = "s1.prompt-0.r1.n1"
    train(run, 12, first=2)
    client = Client(run)
    client.subscribe()
    client.until(lambda kind, fields: kind == "stepClosed" and fields["step"] == 13)
    assert node not in run.memory.columns
    tokens = client.call("tokens", {"node": node, "from": 0, "to": 9})["result"]
    assert tokens["text"] == "t0 t1 t2 t3 "
    assert tokens["offsets"] == [0, 3, 6, 9]


def test_a_restart_goes_on_as_the_next_incarnation_of_the_same_run(tmp_path: Path) -> None:
    folder = tmp_path / "journal"
    with rolloutscope.attach("one name", folder=folder) as first:
        train(first, 2)
        tokens = first._tokens
    with rolloutscope.attach("another name", folder=folder) as second:
        assert second.info.id == first.info.id
        assert second.incarnation == first.incarnation + 1
        assert second._tokens == tokens
        client = Client(second)
        client.initialize()
        page = client.call("readSteps", {"incarnation": 1, "from": 2, "to": 2})["result"]
        assert page["start"]["incarnation"]["number"] == 1
        opened = [batch["events"].get("stepOpened", {"step": []})["step"] for batch in page["batches"]]
        assert [step for steps in opened for step in steps if step == 2] == [2]


def test_a_torn_last_line_is_cut(tmp_path: Path) -> None:
    folder = tmp_path / "journal"
    with rolloutscope.attach("torn", folder=folder) as run:
        train(run, 1)
    whole = len(_journal_events(folder, 1))
    with segment_path(folder, 1, 1, "jsonl").open("ab") as file:
        file.write(b'{"from":9999,"to"')
    assert len(_journal_events(folder, 1)) == whole
    assert read_head(folder, 1, 1)["incarnation"]["number"] == 1


class FullDisk:
    """Takes some bytes, then none."""

    def __init__(self, path: Path, room: int) -> None:
        self._room = room
        self._file = path.open("wb")

    def append(self, data: bytes) -> None:
        if len(data) > self._room:
            raise OSError(errno.ENOSPC, "No space left on device")
        self._room -= len(data)
        self._file.write(data)

    def close(self) -> None:
        self._file.close()


def test_a_full_disk_stops_the_journal_with_a_finding_and_not_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def small(folder: Path, context: dict[str, Any], on_stopped: Any) -> JournalWriter:
        return JournalWriter(folder, context, on_stopped, open_file=lambda path: FullDisk(path, 3000))

    monkeypatch.setattr("rolloutscope.server_thread.JournalWriter", small)
    with rolloutscope.attach("full", folder=tmp_path / "journal") as run:
        client = Client(run)
        client.subscribe()
        train(run, 20)
        finding = client.until(lambda kind, fields: kind == "finding")
        assert finding["body"]["code"] == "journalStopped"
        assert "No space left" in finding["body"]["evidence"]
        client.until(lambda kind, fields: kind == "stepClosed" and fields["step"] == 20)
    assert caplog.text.count("the journal has stopped") == 1


def test_a_folder_that_cannot_be_had_leaves_the_run_without_a_journal(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    with rolloutscope.attach("blocked", folder=blocked / "journal") as run:
        train(run, 2)
        client = Client(run)
        hello = client.initialize()
        assert "read.steps" not in hello["capabilities"]
        assert client.call("readSteps", {"incarnation": 1, "from": 1, "to": 1})["error"]["code"] == -32014
    assert "keeps no journal" in caplog.text


def test_a_port_in_use_gives_another_one(caplog: pytest.LogCaptureFixture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with rolloutscope.attach("port", server=ServerOptions(port=port)) as run:
            train(run, 1)
            assert run.address is not None
            assert not run.address.endswith(f":{port}")
            Client(run).initialize()
    assert f"port {port} cannot be had" in caplog.text


def test_an_address_for_other_machines_without_tls_serves_nobody_and_stops_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with rolloutscope.attach("open", folder=tmp_path / "journal", server=ServerOptions(host="0.0.0.0")) as run:
        assert run.address is None
        train(run, 2)
    assert "needs `tls`" in caplog.text
    assert _journal_events(tmp_path / "journal", 1).count("stepClosed") == 2


def test_a_crash_of_the_server_thread_ends_publishing_and_pauses_and_says_so_once(
    run: Run, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    client = Client(run, "steer")
    client.initialize()
    client.steer("pause", target={"type": "run"}, mode="now")

    def work() -> None:
        run.controls.between_tokens()
        train(run, 50)

    loop = threading.Thread(target=work)
    loop.start()

    def crash(limit: int = 0) -> bool:
        raise MemoryError("the server thread dies")

    with caplog.at_level(logging.WARNING, "rolloutscope"):
        monkeypatch.setattr(run.publisher, "drain", crash)
        loop.join(20)
        assert not loop.is_alive(), "the paused loop goes on and trains to its end"
        within(10, lambda: not run._server.alive)
    assert caplog.text.count("publishes nothing any more") == 1
    assert not list(Path(os.environ["XDG_RUNTIME_DIR"]).rglob("*.json")), "it is not found any more"


def test_the_discovery_file_is_private_and_goes_with_the_run(tmp_path: Path) -> None:
    folder = Path(os.environ["XDG_RUNTIME_DIR"]) / "rolloutscope"
    with rolloutscope.attach("found", folder=tmp_path / "journal") as run:
        (path,) = folder.iterdir()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        content = json.loads(path.read_text())
        assert content["address"] == run.address
        assert content["journal"] == str((tmp_path / "journal").resolve())
        assert len(list((tmp_path / "journal").glob("found-*.json"))) == 1
    assert list(folder.iterdir()) == []
    assert list((tmp_path / "journal").glob("found-*.json")) == []


def _closed_groups(client: Client) -> list[dict[str, Any]]:
    return [fields for _, kind, fields in client.events if kind == "groupClosed"]


def test_a_group_that_was_never_closed_is_closed_with_its_step_and_a_finding(run: Run) -> None:
    client = Client(run)
    client.subscribe()
    step = run.step(1, planned=3)
    group = step.group("p", planned=3)
    group.rollout().close(reward=1.0)
    group.rollout().tokens([1], ["a"])
    step.close()
    finding = client.until(lambda kind, fields: kind == "finding")
    assert finding["body"]["code"] == "groupLeftOpen"
    client.until(lambda kind, fields: kind == "stepClosed")
    (closed,) = _closed_groups(client)
    assert (closed["launched"], closed["finished"], closed["carriedOver"]) == (2, 1, 1)
    assert "usedInStep" not in closed


def test_a_prompt_drawn_twice_gives_two_groups(run: Run) -> None:
    step = run.step(1, planned=2)
    assert step.group("p", planned=1).id != step.group("p", planned=1).id


def test_a_rollout_closed_twice_counts_once_and_leaves_a_finding(run: Run) -> None:
    client = Client(run)
    client.subscribe()
    with run.step(1, planned=1) as step, step.group("p", planned=1) as group:
        rollout = group.rollout()
        rollout.close(reward=1.0)
        rollout.close(reward=0.0)
    client.until(lambda kind, fields: kind == "stepClosed")
    assert [fields["reward"] for _, kind, fields in client.events if kind == "rolloutClosed"] == [1]
    assert client.until(lambda kind, fields: kind == "finding")["body"]["code"] == "badOrder"


def test_a_reward_that_is_no_number_is_said_as_such(run: Run) -> None:
    client = Client(run)
    client.subscribe()
    with run.step(1, planned=2) as step, step.group("p", planned=2) as group:
        group.rollout().close(reward=float("nan"))
        group.rollout().close(reward=None)
    closed = client.until(lambda kind, fields: kind == "groupClosed")
    assert closed["finished"] == 2
    rewards = [fields.get("reward") for _, kind, fields in client.events if kind == "rolloutClosed"]
    assert rewards == ["NaN", None]


def test_tokens_without_a_cell_for_each_are_refused_at_the_caller(run: Run) -> None:
    with run.step(1, planned=1) as step, step.group("p", planned=1) as group:
        rollout = group.rollout()
        with pytest.raises(ValueError, match="2 ids, but 1 log_probs"):
            rollout.tokens([1, 2], ["a", "b"], log_probs=[-1.0])


def test_many_threads_publish_into_one_stream(run: Run) -> None:
    client = Client(run)
    client.subscribe()
    step = run.step(1, planned=64)
    groups = [step.group(f"p{i}", planned=8) for i in range(8)]

    def work(group: rolloutscope.Group) -> None:
        for index in range(8):
            rollout = group.rollout()
            for token in range(10):
                rollout.tokens([token], ["x"])
            rollout.close(reward=float(index % 2))

    threads = [threading.Thread(target=work, args=(group,)) for group in groups]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for group in groups:
        group.close(used=True)
    step.close()
    client.until(lambda kind, fields: kind == "stepClosed")
    assert [fields["finished"] for fields in _closed_groups(client)] == [8] * 8
    assert step.tokens == 640
    seqs = [seq for seq, _, _ in client.events]
    assert seqs == sorted(seqs)


def test_wires_are_all_named_in_the_contract() -> None:
    assert set(ALL_WIRES.capabilities()) <= rolloutscope.contract.CAPABILITIES
