"""What several commands take or say: the address of other machines, lists of names, what takes long."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click


def with_scheduler(command: Callable[..., Any]) -> Callable[..., Any]:
    """Let a command take ``--scheduler``."""
    words = "Of a Dask scheduler, such as tcp://scheduler:8786, whose workers do the work."
    return click.option("--scheduler", default="", metavar="ADDRESS", help=words)(command)


def names_of(_: click.Context, __: click.Parameter, text: str | None) -> list[str] | None:
    """Split names at commas."""
    return [name.strip() for name in text.split(",")] if text else None


@contextmanager
def told() -> Iterator[None]:
    """Say on standard error what the package is doing where that takes long."""
    logger, said = logging.getLogger("erralign"), logging.StreamHandler()
    level = logger.level
    logger.addHandler(said)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(said)
        logger.setLevel(level)
