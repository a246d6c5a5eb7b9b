"""Outputs on disk, part by part, so that a run that was stopped goes on where it stopped.

A part is a few pictures in a row. Its file is named by a hash of what the pictures are, its folder by one of all that
the network's outputs depend on. So nothing has to be invalidated: what has changed has another name. Each file is moved
into its place when it is whole; whenever a run is killed, there are whole parts, and at most one that is lost.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
import platformdirs

from erralign.files import write_whole
from erralign.models.classifier import Classifier
from erralign.models.images import Picture

DIGITS = 16  # of a hash, in a name


def folder_of(model: Classifier, layer: str) -> Path | None:
    """Return the folder for the outputs of one layer of one model.

    Parameters
    ----------
    model : Classifier
        The model.
    layer : str
        The layer.

    Returns
    -------
    pathlib.Path or None
        None where nothing says whether the model is the same the next time.
    """
    if "weights" not in model.facts:
        return None
    facts = json.dumps(model.facts | {"layer": layer}, sort_keys=True)
    return Path(platformdirs.user_cache_dir("erralign"), "outputs", _short_hash(facts))


def file_of(folder: Path, pictures: Sequence[Picture]) -> Path:
    """Return the file of one part.

    Parameters
    ----------
    folder : pathlib.Path
        Of the model and layer.
    pictures : sequence of Picture
        Of the part.

    Returns
    -------
    pathlib.Path
    """
    return folder / f"{_short_hash(json.dumps([picture.identity for picture in pictures]))}.npy"


def _short_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def read(file: Path) -> np.ndarray | None:
    """Read a part.

    Parameters
    ----------
    file : pathlib.Path
        As :func:`file_of` names it.

    Returns
    -------
    numpy.ndarray or None
        None where it is not there, or not whole, such as after a power cut.
    """
    try:
        return np.load(file)
    except (OSError, ValueError, EOFError):
        return None


def write(file: Path, outputs: np.ndarray) -> None:
    """Write a part.

    Parameters
    ----------
    file : pathlib.Path
        As :func:`file_of` names it.
    outputs : numpy.ndarray of float32
        One row per picture; nan for a picture that cannot be read.

    Raises
    ------
    OSError
        The disk is full, or the like; the message says what to do.
    """
    content = BytesIO()
    np.save(content, outputs)
    try:
        write_whole(file, content.getvalue())
    except OSError as error:
        raise OSError(
            f"{file} could not be written ({error.strerror}): make room, or name another folder for caches "
            "(XDG_CACHE_HOME), and run the same again: it goes on where it stands"
        ) from error
