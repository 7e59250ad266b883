"""The files by which a job is found: mode 0600, touched while it runs, removed at its end."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import msgspec

from .journal.folder import write_private
from .server.gate import TokenPair


class Discovery(msgspec.Struct, omit_defaults=True):
    """Content of a discovery file, as protocol/PROTOCOL.md has it."""

    host: str
    bootId: str  # noqa: N815
    pid: int
    address: str
    run: str
    name: str
    incarnation: int
    startedAt: float  # noqa: N815
    tokens: TokenPair
    journal: str | msgspec.UnsetType = msgspec.UNSET
    version: int | msgspec.UnsetType = msgspec.UNSET


def host_name() -> str:
    return socket.gethostname()


def read_boot_id() -> str:
    """Changes with every boot of the machine; empty where the system has none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def discovery_folder() -> Path:
    """The user's folder for running jobs: under XDG_RUNTIME_DIR where that is a folder, else under the home folder."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if runtime and Path(runtime).is_dir():
        return Path(runtime) / "rolloutscope"
    return Path.home() / ".rolloutscope" / "run"


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return True


class DiscoveryFiles:
    """A folder that takes no file is passed over: another one, or the logged address, remains."""

    def __init__(self, content: Discovery, folders: list[Path]) -> None:
        content.version = 1
        self._content = content
        self._folders = list(dict.fromkeys(folders))
        self._data = msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n"
        self.written: list[Path] = []

    def publish(self) -> None:
        """Writes the files and takes away those that a killed start of this run left on this machine."""
        for folder in self._folders:
            path = folder / f"{self._content.run}-{self._content.pid}.json"
            try:
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._remove_left_over(folder)
                write_private(path, self._data)
                self.written.append(path)
            except OSError:
                continue

    def touch(self) -> None:
        for path in self.written:
            try:
                os.utime(path)
            except OSError:
                try:
                    write_private(path, self._data)
                except OSError:
                    continue

    def remove(self) -> None:
        for path in self.written:
            try:
                path.unlink(missing_ok=True)
            except OSError:
                continue
        self.written = []

    def _remove_left_over(self, folder: Path) -> None:
        for path in folder.glob("*.json"):
            if not path.name.startswith(f"{self._content.run}-"):
                continue
            try:
                other = msgspec.json.decode(path.read_bytes(), type=Discovery)
            except (OSError, msgspec.DecodeError, UnicodeDecodeError):
                # Not one of ours: left alone.
                continue
            same = other.run == self._content.run and other.host == self._content.host
            if same and (other.bootId != self._content.bootId or not _is_alive(other.pid)):
                path.unlink(missing_ok=True)
