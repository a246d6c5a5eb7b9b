"""What a room shows: the names that its stub lists, each imported when it is first used.

A stub (``__init__.pyi``) is the one list of a room's public names, for type checkers and at run time (PEP 562): pandas
and SciPy take their time, and not everybody needs both.
"""

import re
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

IMPORT, NAME = re.compile(r"^from (\S+) import (\([^)]*\)|.*)$", re.M), re.compile(r"(\w+) as \1\b")


def shown(room: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a room; rooms in it are shown, and no part of the last."""
    stub = Path(file).with_suffix(".pyi").read_text(encoding="utf-8")
    homes = {name: home for home, names in IMPORT.findall(stub) for name in NAME.findall(names)}

    def found(name: str) -> Any:
        if homes.get(name, room) != room:
            # A second look finds it at once.
            return vars(sys.modules[room]).setdefault(name, getattr(import_module(homes[name]), name))
        if find_spec(f"{room}.{name}"):
            return import_module(f"{room}.{name}")
        raise AttributeError(f"module {room!r} has no attribute {name!r}")

    return found, lambda: sorted(homes), sorted(name for name, home in homes.items() if home != room)
