"""What a command says while it works."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def log_to_stderr() -> Iterator[None]:
    """Say on standard error what the package is doing where that takes long."""
    logger, handler = logging.getLogger("erralign"), logging.StreamHandler()
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
