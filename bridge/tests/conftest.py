"""What the tests share: a run that is served, and a client that speaks the protocol by hand."""

from __future__ import annotations

import contextlib
import itertools
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

import rolloutscope
from rolloutscope import Run
from rolloutscope.contract import SUBPROTOCOL

Value = TypeVar("Value")


class Client:
    """A plain client. Events are kept with their fields by name."""

    def __init__(self, run: Run, scope: str = "read", **options: Any) -> None:
        assert run.address is not None
        token = run._tokens.steer if scope == "steer" else run._tokens.read
        self._stack = contextlib.ExitStack()
        opened = connect(
            run.address,
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            additional_headers={"Authorization": f"Bearer {token}"},
            compression=None,
            max_size=8 * 1024 * 1024,
            **options,
        )
        self.socket: ClientConnection = self._stack.enter_context(opened)
        self.strings: list[str] = []
        self.events: list[tuple[int, str, dict[str, Any]]] = []
        self.hello: dict[str, Any] = {}
        self._ids = itertools.count(1)
        self._scope = scope

    def send(self, message: dict[str, Any]) -> None:
        self.socket.send(json.dumps({"jsonrpc": "2.0", **message}))

    def call(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The answer: `result` or `error`. Batches that come meanwhile are taken in."""
        request = next(self._ids)
        self.send({"id": request, "method": method, "params": params})
        while True:
            message = self.receive(20)
            if message.get("id") == request:
                return message

    def initialize(self) -> dict[str, Any]:
        client = {"name": "test", "version": "1"}
        params = {"client": client, "protocolVersions": [1], "scope": self._scope}
        self.hello = self.call("initialize", params)["result"]
        return self.hello

    def subscribe(self, after: int = 0) -> None:
        self.initialize()
        answer = self.call("subscribe", {"afterSeq": after, "strings": 0})
        assert "result" in answer, answer

    def receive(self, seconds: float) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=seconds))
        if message.get("method") == "events":
            self.take(message["params"])
            self.send({"method": "ack", "params": {"seq": message["params"]["to"]}})
        return message

    def take(self, batch: dict[str, Any]) -> None:
        if "strings" in batch:
            piece = batch["strings"]
            self.strings[piece["from"] :] = piece["values"]
        rows = []
        for kind, columns in batch["events"].items():
            declared = {column.name: column.type for column in rolloutscope.contract.EVENTS[kind].columns}
            for row, seq in enumerate(columns["seq"]):
                fields = {
                    name: self.strings[cells[row]] if declared.get(name) == "ref" else cells[row]
                    for name, cells in columns.items()
                    if cells[row] is not None
                }
                rows.append((seq, kind, fields))
        self.events += sorted(rows, key=lambda event: event[0])

    def until(self, accept: Callable[[str, dict[str, Any]], bool], seconds: float = 20) -> dict[str, Any]:
        """The first event, seen already or to come, that `accept` takes."""
        deadline = time.monotonic() + seconds
        looked = 0
        while True:
            for _, kind, fields in self.events[looked:]:
                if accept(kind, fields):
                    return fields
            looked = len(self.events)
            self.receive(max(0.01, deadline - time.monotonic()))

    def steer(self, name: str, **params: Any) -> dict[str, Any]:
        common = {
            "commandId": f"c-{next(self._ids)}",
            "incarnation": self.hello["incarnation"]["number"],
            "author": "tester",
        }
        answer = self.call(f"steer.{name}", {**common, **params})
        assert "result" in answer, answer
        result: dict[str, Any] = answer["result"]
        return result


def within(seconds: float, probe: Callable[[], Value | None]) -> Value:
    """What `probe` gives once it gives something; fails after `seconds`."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        value = probe()
        if value:
            return value
        time.sleep(0.01)
    raise AssertionError("it did not come to that in time")


@pytest.fixture(autouse=True)
def _runtime_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "runtime"
    folder.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with rolloutscope.attach("test run", folder=tmp_path / "journal", wires=ALL_WIRES) as attached:
        yield attached


ALL_WIRES = rolloutscope.Wires(**dict.fromkeys(rolloutscope.Wires.__dataclass_fields__, True))


def train(run: Run, steps: int, first: int = 1, prompts: int = 2, rollouts: int = 3, tokens: int = 4) -> None:
    """A training loop without a model: what it publishes is what a loop publishes."""
    for number in range(first, first + steps):
        with run.step(number, planned=prompts * rollouts) as step:
            for prompt in range(prompts):
                with step.group(f"prompt-{prompt}", planned=rollouts) as group:
                    for index in range(rollouts):
                        rollout = group.rollout()
                        for token in range(tokens):
                            rollout.tokens([token], [f"t{token} "], log_probs=[-0.5], entropies=[0.25])
                        rollout.close(reward=float(index % 2))
                    group.close(used=True)
            step.metric("loss", 0.5)
