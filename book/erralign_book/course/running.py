"""Run one notebook in a process with limits, without network, and write down what its checks were given."""

from __future__ import annotations

import ast
import builtins
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import MagicMock

from erralign_book.course.checking import TOLD

# Lines for the notebook program: %magic, !command, files = !ls, ?help, help?.
FOR_THE_PROGRAM = re.compile(r"^([ \t]*)(?:[\w, ]+=[ \t]*)?(?:[%!?].*|[\w.]+\?+)$", re.M)
OF_PYTHON = re.compile(r"%%(?:time|timeit|capture|prun)\b")  # cells of these hold Python; those of other %% do not


def code_cells(notebook: Path) -> list[str]:
    """Return the code of each cell, without lines that only a notebook program understands."""
    try:
        cells = json.loads(notebook.read_text(encoding="utf-8-sig"))["cells"]
        return [_plain("".join(cell["source"])) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError):
        raise ValueError("this is no notebook; expected a file that Jupyter or Colab saved") from None


def _plain(source: str) -> str:
    source = source.replace("\r\n", "\n")
    if source.lstrip().startswith("%%") and not OF_PYTHON.match(source.lstrip()):
        return "pass"
    try:
        ast.parse(source)
    except SyntaxError:
        return FOR_THE_PROGRAM.sub(r"\1pass", source)
    return source


# ---- a process with walls --------------------------------------------------------------------------------------------


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
        command = [sys.executable, "-m", "erralign_book.course.running", str(copy), str(record), str(megabytes)]
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
    quiet: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    process = subprocess.Popen(command, cwd=place, env=here, start_new_session=True, **quiet)
    try:
        return f"its process died (status {process.wait(seconds)})"
    except subprocess.TimeoutExpired:
        return f"stopped after {seconds:g} s"
    finally:
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


# ---- what runs in it -------------------------------------------------------------------------------------------------


IN_COLAB = ("google", *(f"google.colab{part}" for part in ("", ".drive", ".files", ".output", ".userdata")))
FILES = 200 * 2**20  # bytes of a file that a notebook writes, at most


def run(notebook: Path, record: Path, megabytes: int) -> None:
    """Write down each cell as it begins, what went wrong in it, what its checks were given, and how all ended."""
    _limit(megabytes)
    sys.addaudithook(_without_network)
    for name in IN_COLAB:
        sys.modules.setdefault(name, MagicMock())
    builtins.input = lambda *_: ""
    names: dict[str, Any] = {"__name__": "__main__", "display": print, "get_ipython": MagicMock()}
    with record.open("w", encoding="utf-8") as file:

        def tell(*event: Any) -> None:
            print(json.dumps(event), file=file, flush=True)

        try:
            sources = code_cells(notebook)
        except ValueError as error:
            tell("ended", str(error))
            return
        for number, source in enumerate(sources, start=1):
            tell("cell", number)
            _run_cell(source, f"code cell {number}", names, lambda words: tell("failed", words))
            for told in TOLD:
                tell("told", told)
            TOLD.clear()
        tell("ended", "ran to its end")


def _run_cell(source: str, name: str, names: dict[str, Any], fails: Callable[[str], None]) -> None:
    """Run a cell up to its first error; what is not installed here stops only the line that wants it."""
    try:
        for statement in ast.parse(source, name).body:
            try:
                exec(compile(ast.Module([statement], []), name, "exec"), names)
            except ImportError as error:
                fails(f"{name}: {type(error).__name__}: {error}".partition("\n")[0])
    except BaseException as error:  # sys.exit, too: the next cells may be right
        fails(f"{name}: {type(error).__name__}: {error}".partition("\n")[0])


def _limit(megabytes: int) -> None:
    with suppress(ImportError, ValueError, OSError):  # Windows has no such limits, and macOS not all
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (megabytes * 2**20,) * 2)
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILES, FILES))


def _without_network(event: str, given: tuple) -> None:
    # Sockets with a path for their address join processes of this machine.
    if event == "socket.getaddrinfo" or (event == "socket.connect" and not isinstance(given[1], str | bytes)):
        raise OSError("there is no network while notebooks are graded")


if __name__ == "__main__":
    run(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
