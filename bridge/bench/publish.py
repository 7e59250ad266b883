"""What publishing costs the training thread, and what an attached client is sent. One JSON line a figure."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from websockets.sync.client import connect
from websockets.typing import Subprotocol

import rolloutscope
from rolloutscope.contract import SUBPROTOCOL

EVENTS = 50_000
SUSTAINED_SECONDS = 6.0
PAUSE_EVERY = 200


def figure(name: str, value: float, unit: str, n: int) -> None:
    line = {"bench": "bridge", "name": name, "value": round(value, 3), "unit": unit, "n": n}
    print(json.dumps(line), flush=True)


def read(address: str, token: str, go_on: float) -> None:
    """The client's process: acknowledges all it is sent and prints how many events that was, a second."""
    events = 0
    first = last = 0.0
    with connect(
        address,
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        additional_headers={"Authorization": f"Bearer {token}"},
        compression=None,
        max_size=None,
    ) as socket:

        def call(request: int, method: str, params: object) -> None:
            socket.send(json.dumps({"jsonrpc": "2.0", "id": request, "method": method, "params": params}))
            while json.loads(socket.recv()).get("id") != request:
                pass

        client = {"name": "bench", "version": "1"}
        call(1, "initialize", {"client": client, "protocolVersions": [1], "scope": "read"})
        call(2, "subscribe", {"afterSeq": 0, "strings": 0})
        print("ready", flush=True)
        began = time.perf_counter()
        while time.perf_counter() - began < go_on:
            try:
                message = json.loads(socket.recv(timeout=1))
            except TimeoutError:
                continue
            if message.get("method") != "events":
                continue
            batch = message["params"]
            structural = len(batch["events"].get("stepPhase", {"seq": []})["seq"])
            if structural:
                first = first or time.perf_counter()
                last = time.perf_counter()
            events += structural
            socket.send(json.dumps({"jsonrpc": "2.0", "method": "ack", "params": {"seq": batch["to"]}}))
    print(json.dumps({"events": events, "seconds": last - first}), flush=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, rolloutscope.attach("bench", folder=Path(folder) / "journal") as run:
        assert run.address is not None
        command = [sys.executable, __file__, run.address, run._tokens.read, str(SUSTAINED_SECONDS + 4)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as client:
            assert client.stdout is not None
            assert client.stdout.readline() == "ready\n"
            rollout = run.step(1, planned=1).group("p", planned=1).rollout()
            rollout.tokens([1], ["a"], log_probs=[-0.5], entropies=[0.5])
            node = rollout.nodes[0]
            publisher = run.publisher
            costs = []
            for number in range(EVENTS):
                fields = {"node": node.id, "length": number, "entropy": 0.5, "logProb": -0.5}
                began = time.perf_counter_ns()
                publisher.add("nodeUpdated", fields)
                costs.append((time.perf_counter_ns() - began) / 1000)
                if number % PAUSE_EVERY == 0:
                    # The pace of sampling: in bursts, with the model's time between them.
                    time.sleep(0.002)
            percentiles = statistics.quantiles(costs, n=100)
            figure("event_us_p50", percentiles[49], "us", len(costs))
            figure("event_us_p99", percentiles[98], "us", len(costs))
            published = 0
            start = time.perf_counter()
            until = start + SUSTAINED_SECONDS
            while time.perf_counter() < until:
                if len(publisher._queue) > 20_000:
                    time.sleep(0.001)
                    continue
                for number in range(100):
                    # Structure: none of it may be left out for the client.
                    publisher.add("stepPhase", {"step": number, "phase": "generate"})
                published += 100
            while publisher._queue:
                time.sleep(0.001)
            told = json.loads(client.stdout.readline())
            if told["events"] != published:
                raise SystemExit(f"the client was sent {told['events']} of {published} events")
            figure("events_per_s", published / told["seconds"], "events/s", published)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        read(sys.argv[1], sys.argv[2], float(sys.argv[3]))
    else:
        main()
