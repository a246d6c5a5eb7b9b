"""Outputs on disk, part by part, so that a run that was stopped goes on where it stopped.

A part is a few pictures in a row. Its file is named by a hash of what the pictures are, its folder by one of all that
the network's outputs depend on: what has changed has another name.
"""

import hashlib
import json
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
import platformdirs

from erralign.files import write_whole
from erralign.models.images import Picture
from erralign.models.networks import Classifier

DIGITS = 16  # of a hash, in a name


def folder_of(model: Classifier, layer: str) -> Path | None:
    """Return the folder for the outputs of one layer of one model."""
    if "weights" not in model.facts:
        return None
    facts = json.dumps(model.facts | {"layer": layer, "decoding": 2}, sort_keys=True)
    return Path(platformdirs.user_cache_dir("erralign"), "outputs", _short_hash(facts))


def file_of(folder: Path, pictures: Sequence[Picture]) -> Path:
    """Return the file of one part."""
    return folder / f"{_short_hash(json.dumps([picture.identity for picture in pictures]))}.npy"


def _short_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def read(file: Path) -> np.ndarray | None:
    """Read a part."""
    try:
        return np.load(file)
    except (OSError, ValueError, EOFError):
        return None


def write(file: Path, outputs: np.ndarray) -> None:
    """Write a part."""
    content = BytesIO()
    np.save(content, outputs)
    try:
        write_whole(file, content.getvalue())
    except OSError as error:
        raise OSError(
            f"{file} could not be written ({error.strerror}): make room, or name another folder for caches "
            "(XDG_CACHE_HOME), and run the same again: it goes on where it stands"
        ) from error
