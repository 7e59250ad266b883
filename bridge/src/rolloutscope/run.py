"""`attach`: makes a training run visible. The run, its steps and everything that belongs to neither."""

from __future__ import annotations

import atexit
import itertools
import os
import re
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from . import __version__
from .discovery import Discovery, DiscoveryFiles, discovery_folder, host_name, read_boot_id
from .journal.folder import JournalUnreadableError, RunInfo, open_folder
from .memory import Memory, PromptText
from .publisher import LOG, Publisher
from .server.gate import load_tokens
from .server.pages import Sources
from .server.reads import JobReads
from .server.ws_server import ServerOptions
from .server_thread import JobOfRun, ServerThread, start_journal
from .steering.breakpoints import Breakpoints
from .steering.controls import Controls
from .steering.desk import SteeringDesk
from .steering.latches import Wires
from .steering.proposal import Desk
from .step import Step

_READ_CAPABILITIES = ("read.prompt", "read.tokens", "read.series", "read.search", "stream.resume")


@dataclass(frozen=True)
class Sampling:
    """Sampling settings; what is None the run does not say."""

    temperature: float | None = None
    topP: float | None = None  # noqa: N815
    topK: int | None = None  # noqa: N815
    maxTokens: int | None = None  # noqa: N815

    def fields(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value is not None}


def attach(
    name: str,
    *,
    folder: str | Path | None = None,
    run_id: str | None = None,
    framework: str = "python",
    device: str | None = None,
    success_threshold: float = 1.0,
    sampling: Sampling | None = None,
    config: Mapping[str, Any] | None = None,
    wires: Wires | None = None,
    server: ServerOptions | None = None,
) -> Run:
    """Begins to publish a run and serves it; returns at once. Nothing that fails here stops the run.

    `folder`: where the journal, the tokens and the number of the start are kept; a later start with the same folder
    goes on as the next incarnation of the same run. None: nothing is kept.
    `success_threshold`: a reward from here on is a success where the job sends none.
    `wires`: what the loop asks `run.controls` about; nothing else can be steered.
    """
    return Run(
        name,
        None if folder is None else Path(folder),
        run_id,
        framework,
        device,
        success_threshold,
        sampling or Sampling(),
        config or {},
        wires or Wires(),
        server or ServerOptions(),
    )


class Run:
    """A run that is published. A context manager; `close` ends it."""

    def __init__(
        self,
        name: str,
        folder: Path | None,
        run_id: str | None,
        framework: str,
        device: str | None,
        success_threshold: float,
        sampling: Sampling,
        config: Mapping[str, Any],
        wires: Wires,
        server: ServerOptions,
    ) -> None:
        self.publisher = Publisher()
        self.controls = Controls(self.publisher, wires)
        self._started = time.time() * 1000
        self._sampling = sampling.fields()
        self._threshold = success_threshold
        identity = RunInfo(_safe_id(run_id or name), name[:256] or "run", self._started)
        identity.framework = framework[:64]
        if device is not None:
            identity.device = device[:120]
        self._folder = folder
        self.info, self.incarnation = self._open(identity)
        self.memory = Memory(success_threshold)
        self.controls.node_ancestors = self._node_ancestors
        self._counter = itertools.count(1)
        self._evaluations = itertools.count(1)
        self._steps = 0
        self._closed = threading.Lock()
        context = {
            "incarnation": {
                "number": self.incarnation,
                "id": f"{self.info.id}.{self.incarnation}",
                "startedAt": self._started,
            },
            "successThreshold": success_threshold,
            "sampling": self._sampling,
        }
        self._journal = start_journal(self._folder, context, self.publisher)
        sources = Sources(self.publisher, self.incarnation, self._journal, self._folder)
        reads = JobReads(self.memory, sources, _plain_config(config), framework)
        breakpoints = Breakpoints(self.memory, self.controls, self.publisher)
        desk = SteeringDesk(
            Desk(self.info.id, self.memory, self.controls, breakpoints, self.publisher, self.new_id),
            self.incarnation,
            frozenset(wires.capabilities()),
        )

        def on_event(kind: str, fields: Mapping[str, Any]) -> None:
            self.memory.take(kind, fields)
            breakpoints.take(kind, fields)
            desk.take(kind, fields)

        self.publisher.on_event = on_event
        description = {
            "server": {"name": "rolloutscope-bridge", "version": __version__},
            "run": _run_fields(self.info),
            "incarnation": context["incarnation"],
            "capabilities": self._capabilities(wires, bool(config)),
            "successThreshold": success_threshold,
            "sampling": self._sampling,
            "methods": [],
        }
        self._tokens = load_tokens(None if self._folder is None else self._folder / "tokens.json")
        self._server = ServerThread(
            self.publisher,
            server,
            self._tokens,
            JobOfRun(lambda: description, reads, desk),
            sources,
            self._discovery,
        )
        self.publisher.add("runState", {"state": "starting"})
        self._server.start()
        if self._server.address is not None:
            LOG.info("Rolloutscope: run %s is served at %s", self.info.id, self._server.address)
        self.publisher.add("runState", {"state": "running"})
        atexit.register(self.close)

    @property
    def address(self) -> str | None:
        """The ws:// or wss:// address; None when nobody is served."""
        return self._server.address

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        failed = kind is not None and not issubclass(kind, (SystemExit, KeyboardInterrupt))
        self.close("failed" if failed else "ended", None if kind is None else f"{kind.__name__}: {error}"[:1000])

    def close(self, state: str = "ended", reason: str | None = None) -> None:
        """Ends the run for whoever watches it. A second call does nothing."""
        if not self._closed.acquire(blocking=False):
            return
        atexit.unregister(self.close)
        self.publisher.add("runState", {"state": state, "reason": reason})
        self._server.stop()
        self.publisher.end()
        if self._journal is not None:
            self._journal.close()

    def prompt(
        self,
        prompt: str,
        *,
        text: str | None = None,
        reference: str | None = None,
        difficulty: str | None = None,
        domain: str | None = None,
        split: str | None = None,
        length: int | None = None,
    ) -> None:
        """What is known of a prompt: its id (stable over the run), its text, the right answer, length in tokens."""
        if text is not None:
            self.memory.prompt_texts[prompt] = PromptText(text, reference)
        fields = {
            "prompt": prompt,
            "difficulty": difficulty,
            "domain": domain,
            "split": split,
            "length": length,
            "excerpt": None if text is None else text[:200],
        }
        self.publisher.add("promptDeclared", fields)

    def step(self, number: int | None = None, *, planned: int = 0, policy_version: int | None = None) -> Step:
        """Opens a step: a generation round and the updates made from it. Numbers rise from 1."""
        self._steps = self._steps + 1 if number is None else number
        self.controls.step = self._steps
        version = self._steps - 1 if policy_version is None else policy_version
        return Step(self, self._steps, planned, version)

    def metric(
        self,
        name: str,
        value: float,
        *,
        step: int | None = None,
        worker: str | None = None,
        unit: str | None = None,
    ) -> None:
        """A number of the run, a step or a worker; standard names are listed in protocol/PROTOCOL.md."""
        fields = {"name": name, "value": value, "step": step, "worker": worker, "unit": unit}
        self.publisher.add("metric", fields)

    def decision(
        self,
        kind: str,
        method: str,
        sentence: str,
        *,
        subject_type: str,
        subjects: Sequence[str],
        inputs: Mapping[str, Sequence[Any]] | None = None,
        outcome: Mapping[str, Sequence[Any]] | None = None,
        parameters: Mapping[str, Any] | None = None,
        shared: Mapping[str, Any] | None = None,
        step: int | None = None,
    ) -> str:
        """A choice with the inputs it was made from, a cell for each subject in every column. Returns its id."""
        decision = self.new_id("decision")
        columns = {"inputs": inputs, "outcome": outcome, "shared": shared}
        body = {
            "parameters": dict(parameters or {}),
            "subjects": {"type": subject_type, "ids": list(subjects)},
            **{name: value for name, value in columns.items() if value is not None},
        }
        for name, cells in itertools.chain((inputs or {}).items(), (outcome or {}).items()):
            if len(cells) != len(subjects):
                self.finding(
                    f"decision-{name}",
                    code="badEvent",
                    title="A decision was left out",
                    evidence=f"{name} has {len(cells)} cells for {len(subjects)} subjects; it needs one for each.",
                )
                return decision
        fields = {
            "decision": decision,
            "kind": kind,
            "method": method,
            "step": self._steps or None if step is None else step,
            "sentence": sentence,
            "body": body,
        }
        self.publisher.add("decision", fields)
        return decision

    def evaluation(
        self,
        name: str,
        problems: Mapping[str, tuple[int, int]],
        *,
        step: int,
        policy_version: int,
        sampling: Sampling | None = None,
    ) -> None:
        """Samples on a set of problems, outside training: problem → (n samples, c successes)."""
        counts = list(problems.values())
        fields = {
            "evaluation": f"evaluation-{next(self._evaluations)}",
            "name": name,
            "step": step,
            "policyVersion": policy_version,
            "sampling": self._sampling if sampling is None else sampling.fields(),
            "problems": {
                "prompts": list(problems),
                "n": [n for n, _ in counts],
                "c": [c for _, c in counts],
            },
        }
        self.publisher.add("evaluation", fields)

    def finding(
        self,
        finding: str,
        *,
        code: str,
        title: str,
        evidence: str,
        severity: str = "warning",
        is_open: bool = True,
        step: int | None = None,
    ) -> None:
        """The job's own finding; open until the same id is closed."""
        body = {"code": code, "severity": severity, "title": title[:256], "evidence": evidence[:2048]}
        fields = {"finding": finding, "open": is_open, "step": step, "body": body}
        self.publisher.add("finding", fields)

    def new_id(self, beginning: str) -> str:
        """A new id, unique within the incarnation."""
        return f"{beginning}-{next(self._counter)}"

    def _open(self, identity: RunInfo) -> tuple[RunInfo, int]:
        if self._folder is None:
            return identity, 1
        try:
            return open_folder(self._folder, identity)
        except (OSError, JournalUnreadableError) as error:
            LOG.warning("Rolloutscope keeps no journal: %s. The run goes on.", error)
            self._folder = None
            return identity, 1

    def _capabilities(self, wires: Wires, has_config: bool) -> list[str]:
        reads = [*_READ_CAPABILITIES]
        if self._journal is not None:
            reads.append("read.steps")
        if has_config:
            reads.append("read.config")
        return [*reads, *wires.capabilities()]

    def _node_ancestors(self, node: str) -> list[str]:
        info = self.memory.nodes.get(node)
        return [node] if info is None else [above.id for above in info.ancestors()]

    def _discovery(self, address: str) -> DiscoveryFiles:
        content = Discovery(
            host_name(),
            read_boot_id(),
            os.getpid(),
            address,
            self.info.id,
            self.info.name,
            self.incarnation,
            self._started,
            self._tokens,
        )
        folders = [discovery_folder()]
        if self._folder is not None:
            content.journal = str(self._folder.resolve())
            folders.append(self._folder)
        return DiscoveryFiles(content, folders)


def _safe_id(name: str) -> str:
    """The id stands in file names."""
    return re.sub(r"[^\w.-]+", "-", name).strip("-.")[:100] or "run"


def _run_fields(info: RunInfo) -> dict[str, Any]:
    named = {name: getattr(info, name) for name in ("id", "name", "startedAt", "framework", "device")}
    return {name: value for name, value in named.items() if isinstance(value, (str, float, int))}


def _plain_config(config: Mapping[str, Any]) -> dict[str, Any]:
    simple = (str, int, float, bool, type(None))
    return {str(name): value if isinstance(value, simple) else str(value)[:1024] for name, value in config.items()}
