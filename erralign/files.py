"""Files that are whole or not there."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file beside its place, and move it in when it is whole.

    Parameters
    ----------
    path : pathlib.Path
        The place; its folder is made where it is missing.
    content : str or bytes
        Text is written as UTF-8.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_whole(Path(folder, "new", "file.txt"), "whole")
    ...     [path.name for path in Path(folder).rglob("*")]
    ['new', 'file.txt']
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # The process's number, since two may write the same file.
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        beside.write_bytes(content.encode() if isinstance(content, str) else content)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
