"""Where a stranger's notebook runs: a process with limits, in a sandbox where the system has one."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

SHOWN = ("/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives", "/opt")


@cache
def sandbox() -> str:
    """Name what keeps a notebook from the files of this machine: "bubblewrap" where it works, or nothing."""
    try:
        tried = subprocess.run(["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--", "true"], capture_output=True)
    except OSError:
        return ""
    return "bubblewrap" if tried.returncode == 0 else ""


def events(notebook: Path, seconds: float, megabytes: int) -> list[list[Any]]:
    """Run a notebook, and return what it wrote down, and how it ended."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        record, place, copy = (Path(folder, name) for name in ("record", "place", "handed-in.ipynb"))
        place.mkdir()
        shutil.copyfile(notebook, copy)
        command = [sys.executable, "-m", "erralign.course.running", str(copy), str(record), str(megabytes)]
        ended = _run([*_walls(folder), *command], place, seconds)
        lines = record.read_text(encoding="utf-8").splitlines() if record.exists() else []
    found: list[list[Any]] = [json.loads(line) for line in lines if line.endswith("]")]
    if not found or found[-1][0] == "ended":
        return found or [["ended", ended]]
    return [*found, ["ended", f"{ended}, in code cell {max(n for kind, n, *_ in found if kind == 'cell')}"]]


def _run(command: list[str], place: Path, seconds: float) -> str:
    """Run a command in a folder, with all that it starts, and say how it ended."""
    here = os.environ | {"ERRALIGN_OFFLINE": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    here |= {"PYTHONIOENCODING": "utf-8"}  # on Windows a notebook could not print a minus sign
    none = subprocess.DEVNULL
    process = subprocess.Popen(
        command, stdin=none, stdout=none, stderr=none, cwd=place, env=here, start_new_session=True
    )
    try:
        return f"its process died (status {process.wait(seconds)})"
    except subprocess.TimeoutExpired:
        return f"stopped after {seconds:g} s"
    finally:
        _end(process)


def _end(process: subprocess.Popen) -> None:
    """End a process and what it started."""
    if os.name == "posix":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


def _walls(folder: str) -> list[str]:
    """Return what stands before a command so that it sees programs, packages and one folder, and no network."""
    if not sandbox():
        return []
    packages = {Path(each).resolve() for each in (sys.prefix, sys.base_prefix, *sys.path) if Path(each).is_dir()}
    if not Path("erralign").is_dir():
        packages.discard(Path.cwd())  # Python looks for modules here, but what lies here may be others' notebooks
    seen = [each for each in (*SHOWN, *sorted(map(str, packages))) if Path(each).exists()]
    return [
        *("bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--proc", "/proc", "--dev", "/dev"),
        *("--tmpfs", "/tmp"),
        *(word for each in seen for word in ("--ro-bind", each, each)),
        *("--bind", folder, folder, "--"),
    ]
