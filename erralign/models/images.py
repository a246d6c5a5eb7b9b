"""Pictures with true classes: of a data set in the catalogue, in a folder, or in a list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from os import PathLike
from pathlib import Path

import numpy as np
import pandas as pd

from erralign._validation import DataError, expected
from erralign.datasets.archives import fetch, members_here, open_member
from erralign.datasets.data_sets import records
from erralign.datasets.stimuli import TEXTURE_VS_SHAPE, stimuli
from erralign.datasets.tables import header_of, read_table
from erralign.datasets.trials import CATEGORIES

ENDINGS = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tif", ".tiff", ".webp")
PARTS = {"test", "train", "training", "val", "valid", "validation"}  # of a data set, in folders above the classes
# 0001_eid_dnn_0_airplane_10_n02690373_3637.png: number, experiment, system, condition, category, a second number,
# the image.
_MODEL_VS_HUMAN = re.compile(
    rf"\d+_[^_]+_[^_]+_(?P<condition>[^_]+)_(?P<category>{'|'.join(CATEGORIES)})_\d+_(?P<image>.+)"
)


@dataclass(frozen=True)
class Picture:
    """One picture: how to name it in a message, how to recognise it, how to open it."""

    file: str  # the path, on this machine or in an archive
    identity: str  # text that changes when the picture changes
    archive: str = ""  # owner/name@commit if the picture is in an archive

    def read(self) -> BytesIO:
        """Return the bytes of the picture, checked if they come from an archive."""
        return open_member(self.archive, self.file) if self.archive else BytesIO(Path(self.file).read_bytes())


@dataclass(frozen=True)
class Images:
    """Pictures, and their true classes.

    Parameters
    ----------
    name : str
        The name of the data set, the folder or the list.
    truth : pandas.Series of str
        The true classes, indexed by trial (``image``, and ``condition`` if the names of the pictures contain it).
    pictures : tuple of Picture
        In the same order.
    note : str
        What a reader should know about the pictures, in a sentence.
    """

    name: str
    truth: pd.Series
    pictures: tuple[Picture, ...]
    note: str = ""

    def keep(self, kept: np.ndarray) -> Images:
        """Keep some of the pictures: ``kept`` has one bool per picture."""
        pictures = tuple(picture for picture, keep in zip(self.pictures, kept, strict=True) if keep)
        return replace(self, truth=self.truth[kept], pictures=pictures)


def open_images(images: str | PathLike[str], *, download: bool = False) -> Images:
    """Find pictures and their true classes.

    Parameters
    ----------
    images : str or path
        One of these: a data set of the catalogue whose pictures are public, such as ``"geirhos2020/cue-conflict"``; a
        folder with one folder per class; a folder of pictures that are named as those of model-vs-human; a CSV file
        with the columns ``file`` (a path relative to the CSV file) and ``class``.
    download : bool
        Whether to fetch the pictures of a data set that are not on this machine.

    Returns
    -------
    Images
        The pictures and their true classes. No picture is decoded yet.

    Raises
    ------
    DataError
        The pictures of a data set are not on this machine.
    """
    public = [each.name for each in records().values() if each.pictures]
    if str(images) in public:
        return _of_data_set(str(images), download)
    path = Path(images)
    if path.is_dir():
        return _in_folder(path)
    if path.is_file():
        return _in_list(path)
    if str(images) in records():
        raise ValueError(
            f"the pictures of {images} are in no archive here: get them from the authors (--images FOLDER)"
        )
    raise ValueError(
        f"images is {str(images)!r}, which is no folder, no CSV file, and no data set whose pictures are public; "
        f"{expected(images, public)}"
    )


def _of_data_set(name: str, download: bool) -> Images:
    if download:
        fetch(TEXTURE_VS_SHAPE)
    table = stimuli(name)
    here = table[table["member"].isin(members_here(TEXTURE_VS_SHAPE))]
    if here.empty:
        raise DataError(
            f"the pictures of {name} are not on this machine: get {TEXTURE_VS_SHAPE} with --download "
            "(download=True in Python), or with  python -m erralign fetch"
        )
    pictures = [Picture(*row, TEXTURE_VS_SHAPE) for row in zip(here["member"], here["sha256"], strict=True)]
    note = f"{len(here):,} of the {len(table):,} pictures of {name} are on this machine, and only these are used."
    return Images(name, here["category"].rename("truth"), tuple(pictures), note if len(here) < len(table) else "")


def _in_folder(folder: Path) -> Images:
    every = sorted(path for path in folder.rglob("*") if path.suffix.lower() in ENDINGS)
    files = [path for path in every if not _is_hidden(path.relative_to(folder))]
    hidden = len(every) - len(files)
    note = f"{hidden} hidden pictures, such as copies that a program keeps, are left out." if hidden else ""
    if not files:
        raise ValueError(f"there is no picture in {folder}; expected files that end with {', '.join(ENDINGS)}")
    named = [_MODEL_VS_HUMAN.fullmatch(path.name) for path in files]
    if all(named):
        parts = pd.DataFrame([match.groupdict() for match in named if match])
        return _images(folder.name, files, list(parts["category"]), parts[["condition", "image"]], note)
    classes = [path.relative_to(folder).parts[0] if path.parent != folder else "" for path in files]
    if "" in classes:
        raise ValueError(
            f"{files[classes.index('')]} is in no folder of a class; expected {folder.name}/<class>/<picture>, or "
            "pictures that are named as those of model-vs-human, or a CSV file with the columns file and class"
        )
    folders = sorted(set(classes))
    if set(folders) <= PARTS and all(len(path.relative_to(folder).parts) > 2 for path in files):
        raise ValueError(f"{folder} has pictures in parts, {', '.join(folders)}; give one: {folder / folders[-1]}")
    return _images(folder.name, files, classes, _trials([str(path.relative_to(folder)) for path in files]), note)


def _is_hidden(path: Path) -> bool:
    """Say whether a picture, or a folder around it, is hidden: macOS and Jupyter put copies into such folders."""
    return any(part.startswith(".") or part == "__MACOSX" for part in path.parts)


def _in_list(path: Path) -> Images:
    table = read_table(path)
    for column in ("file", "class"):
        if column not in table:
            raise ValueError(f"{path.name} has no column {column!r}; its header is {', '.join(header_of(table))}")
    named, classes = (table[column].str.strip().tolist() for column in ("file", "class"))
    files = [path.parent / file for file in named]
    missing = [place for place, file in enumerate(files) if not file.is_file()]
    if missing:
        row = table.index[missing[0]]
        raise ValueError(f"{path.name}, row {row}, column 'file' names {files[missing[0]]}, which is not there")
    return _images(path.stem, files, classes, _trials(named))


def _trials(files: Sequence[str]) -> pd.DataFrame:
    """Name trials by their files, without folders where that is enough."""
    names = [Path(file).name for file in files]
    return pd.DataFrame(
        {"image": names if len(set(names)) == len(names) else [Path(file).as_posix() for file in files]}
    )


def _images(name: str, files: Sequence[Path], classes: list[str], trials: pd.DataFrame, note: str = "") -> Images:
    index = pd.MultiIndex.from_frame(trials) if len(trials.columns) > 1 else pd.Index(trials["image"])
    if not index.is_unique:
        raise ValueError(f"{name} has the picture {index[index.duplicated()][0]!r} twice; list each once")
    return Images(name, pd.Series(classes, index=index, name="truth"), tuple(map(_picture, files)), note)


def _picture(path: Path) -> Picture:
    facts = path.stat()
    return Picture(str(path), f"{path.resolve()} {facts.st_size} {facts.st_mtime_ns}")
