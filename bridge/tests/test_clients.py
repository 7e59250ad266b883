"""Slow, hung and hostile clients hurt themselves only."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from rolloutscope import Run
from rolloutscope.contract import CLOSE_CODES, SUBPROTOCOL

from .conftest import Client, train, within


def _close_code(client: Client) -> int:
    with pytest.raises(ConnectionClosed) as closed:
        while True:
            client.receive(20)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer wrong-wrong-wrong-wrong"},
        {"Authorization": "Basic {read}"},
        {"Authorization": "Bearer {read}", "Origin": "https://evil.example"},
        {"Authorization": "Bearer {read}", "Host": "evil.example"},
    ],
)
def test_the_gate_refuses_before_the_upgrade(run: Run, headers: dict[str, str]) -> None:
    assert run.address is not None
    named = {name: value.format(read=run._tokens.read) for name, value in headers.items()}
    host = named.pop("Host", None)
    if host is not None:
        # The client library writes its own Host header.
        port = int(run.address.rsplit(":", 1)[1])
        with socket.create_connection(("127.0.0.1", port)) as raw:
            raw.sendall(
                f"GET / HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                f"Sec-WebSocket-Protocol: {SUBPROTOCOL}\r\nAuthorization: {named['Authorization']}\r\n\r\n".encode()
            )
            assert raw.recv(100).startswith(b"HTTP/1.1 403")
        return
    with pytest.raises(InvalidStatus) as refused:
        connect(run.address, subprotocols=[Subprotocol(SUBPROTOCOL)], additional_headers=named)
    assert refused.value.response.status_code == (403 if "Origin" in headers else 401)


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("not json", "malformedMessage"),
        ("[1]", "malformedMessage"),
        ('{"jsonrpc":"1.0","id":1,"method":"config"}', "malformedMessage"),
        ('{"jsonrpc":"2.0","id":1,"method":"config","params":' + "[" * 50_000 + "]" * 50_000 + "}", "malformedMessage"),
        (b"\x00\x01", "malformedMessage"),
        ("x" * (5 * 1024 * 1024), "frameTooLarge"),
    ],
)
def test_a_hostile_frame_closes_its_own_connection(run: Run, frame: str | bytes, code: str) -> None:
    bystander, client = Client(run), Client(run)
    bystander.initialize()
    client.initialize()
    client.socket.send(frame)
    assert _close_code(client) == CLOSE_CODES[code]
    train(run, 1)
    assert "error" in bystander.call("dance", {})


@pytest.mark.parametrize(
    "params", [None, [], 7, "x", {"afterSeq": -1}, {"afterSeq": 1e300, "strings": 0}, {"afterSeq": 0}]
)
def test_bad_parameters_are_answered(run: Run, params: Any) -> None:
    client = Client(run)
    client.initialize()
    assert client.call("subscribe", params)["error"]["code"] == -32602
    assert client.call("snapshot", {"cursor": "[1,2]"})["error"]["code"] == -32602
    assert client.call("readSteps", {"incarnation": 1, "from": 0, "to": 1, "cursor": "x"}).get("error") is not None


def test_a_client_that_reads_nothing_stalls_neither_the_run_nor_another_client(run: Run) -> None:
    hung, watcher = Client(run, max_queue=1), Client(run)
    hung.subscribe()
    watcher.subscribe()
    train(run, 60, tokens=20)
    watcher.until(lambda kind, fields: kind == "stepClosed" and fields["step"] == 60, 60)
    assert run.publisher.closed is None
    # It wakes up: what it is told is gapless, and structure is whole.
    within(30, lambda: _reads_until(hung, 60))
    opened = [fields["rollout"] for _, kind, fields in hung.events if kind == "rolloutOpened"]
    assert len(opened) == len(set(opened)) == 60 * 6


def _reads_until(client: Client, step: int) -> bool:
    client.receive(20)
    return any(kind == "stepClosed" and fields["step"] == step for _, kind, fields in client.events)


def test_without_acks_the_stream_stops_at_the_window_and_then_goes_on_thinned(run: Run) -> None:
    client = Client(run)
    client.initialize()
    window = client.hello["window"]["events"]
    client.send({"id": 999, "method": "subscribe", "params": {"afterSeq": 0, "strings": 0}})
    train(run, 60, tokens=20)
    batches: list[dict[str, Any]] = []
    while True:
        try:
            message = json.loads(client.socket.recv(timeout=1))
        except TimeoutError:
            break
        if message.get("method") == "events":
            batches.append(message["params"])
    assert batches[-1]["to"] <= window + 1000
    client.send({"method": "ack", "params": {"seq": batches[-1]["to"]}})
    after = json.loads(client.socket.recv(timeout=5))["params"]
    assert after["from"] == batches[-1]["to"] + 1
    assert "dropped" in after["events"]


def test_what_memory_no_longer_holds_comes_from_the_journal(run: Run) -> None:
    run.publisher.held._limit = 20_000
    train(run, 40)
    client = Client(run)
    client.initialize()
    within(10, lambda: run.publisher.held.first_seq > 1)
    assert client.call("subscribe", {"afterSeq": 0, "strings": 0})["error"]["code"] == -32011
    cursor = None
    expected = 1
    while True:
        page = client.call("snapshot", {} if cursor is None else {"cursor": cursor})["result"]
        for batch in page["batches"]:
            if batch["to"] >= batch["from"]:
                assert batch["from"] == expected
                expected = batch["to"] + 1
            client.take(batch)
        cursor = page["next"]
        if cursor is None:
            break
    assert len({fields["step"] for _, kind, fields in client.events if kind == "stepClosed"}) == 40
    assert client.call("subscribe", {"afterSeq": page["seq"], "strings": len(client.strings)})["result"]
