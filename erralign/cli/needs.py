"""What several commands take or say: the address of other machines, what takes long."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from erralign.reports.options import OF_SCHEDULER


def with_scheduler(command: Callable[..., Any]) -> Callable[..., Any]:
    """Let a command take ``--scheduler``."""
    return click.option("--scheduler", default="", metavar="ADDRESS", help=OF_SCHEDULER)(command)


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
