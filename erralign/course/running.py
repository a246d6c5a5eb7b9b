"""Run one notebook in this process, without network, and write down what its checks were given; errors are passed."""

import ast
import builtins
import json
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

from erralign.course.cells import code_cells
from erralign.course.checking import TOLD

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
