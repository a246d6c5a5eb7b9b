"""The book's own code: what chapters share, the drawings that readers play with, and what builds the site."""

from importlib import import_module
from typing import Any

# What a chapter imports from here. The first ones give numbers, the others only show.
HOMES = {
    "frozen": "cells",
    "table": "cells",
    "printed": "published",
    "beside": "published",
    "released": "published",
    "reproduced": "published",
    "compared": "building.compared",
    "glue": "building.glue",
    "guess": "building.guess",
    "guess_curve": "building.guess",
    "guesses": "building.guess",
    "you": "building.you",
    "yours": "guests",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: a page that only reads a table needs no Sphinx."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)
