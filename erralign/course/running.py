"""Run one notebook in this process, without network, and write down what its checks say: cells that fail are passed."""

import json
import sys
from pathlib import Path
from typing import Any

from erralign.course.cells import code_cells
from erralign.course.checking import SAID


def run(notebook: Path, record: Path) -> None:
    """Write down each cell as it begins, what went wrong in it, what its checks said, and how the notebook ended."""
    sys.addaudithook(_without_network)
    names: dict[str, Any] = {"__name__": "__main__", "display": print}
    with record.open("w", encoding="utf-8") as file:

        def tell(*event: str | int) -> None:
            print(json.dumps(event), file=file, flush=True)

        try:
            sources = code_cells(notebook)
        except ValueError as error:
            tell("ended", str(error))
            return
        for number, source in enumerate(sources, start=1):
            tell("cell", number)
            try:
                exec(compile(source, f"code cell {number}", "exec"), names)
            except BaseException as error:  # sys.exit, too: the next cells may be right
                tell("failed", f"code cell {number}: {type(error).__name__}: {error}".partition("\n")[0])
            for said in SAID:
                tell("said", *said)
            SAID.clear()
        tell("ended", "ran to its end")


def _without_network(event: str, given: tuple) -> None:
    # Sockets with a path for their address join processes of this machine.
    if event == "socket.getaddrinfo" or (event == "socket.connect" and not isinstance(given[1], str | bytes)):
        raise OSError("there is no network while notebooks are graded")


if __name__ == "__main__":
    run(*map(Path, sys.argv[1:]))
