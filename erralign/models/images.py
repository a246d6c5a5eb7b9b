"""Pictures with true classes: of a data set in the catalogue, in a folder, or in a list."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from os import PathLike
from pathlib import Path

import numpy as np
import pandas as pd

from erralign._validation import DataError, expected
from erralign.datasets import load
from erralign.datasets.archives import fetch, members_here, open_member
from erralign.datasets.data_sets import records
from erralign.datasets.stimuli import TEXTURE_VS_SHAPE, THINGS, stimuli, things
from erralign.datasets.tables import header_of, read_table

_ENDINGS: tuple[str, ...] = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tif", ".tiff", ".webp")
_ENDINGS += (".ppm", ".pgm", ".pbm", ".pnm", ".jfif", ".jpe", ".jp2", ".avif", ".apng", ".dib", ".tga")
_BEGINNINGS = (
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"BM",
    b"GIF8",
    b"II*\0",
    b"MM\0*",
    b"P6",
    b"P5",
    b"P3",
)  # without an ending
_PARTS = {"test", "train", "training", "val", "valid", "validation"}  # of a data set, in folders above the classes


@dataclass(frozen=True)
class Picture:
    """One picture: how to name it in a message, how to recognise it, how to open it."""

    file: str  # the path, on this machine or in an archive
    identity: str = ""  # text that changes when the picture changes; if empty, a hash of the file says what it is
    archive: str = ""  # owner/name@commit if the picture is in an archive

    def content(self) -> str:
        """Return text that is another for another picture."""
        if self.identity:
            return self.identity
        try:
            return hashlib.sha256(Path(self.file).read_bytes()).hexdigest()
        except OSError as error:
            return f"{self.file}: {error}"

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
        The true classes, indexed by trial.
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


def open_images(
    images: str | PathLike[str], *, folder: str | PathLike[str] | None = None, download: bool = False
) -> Images:
    """Find pictures and their true classes.

    Parameters
    ----------
    images : str or path
        One of these: a data set of the catalogue whose pictures are public, such as ``"geirhos2020/cue-conflict"``, or
        any one whose pictures are in ``folder``; a folder with one folder per class; a CSV file with the columns
        ``file`` (a path relative to the CSV file) and ``class``.
    folder : str or path, optional
        Where the pictures of a data set are, under the names of its trials, as ``bethgelab/model-vs-human`` publishes
        them: in a folder of the set's name, or at any depth below.
    download : bool
        Whether to fetch the pictures, or trials, of a data set that are not on this machine.

    Returns
    -------
    Images
        The pictures and their true classes. No picture is decoded yet.

    Raises
    ------
    DataError
        The pictures of a data set are not on this machine.
    """
    public = [record.name for record in records().values() if record.pictures]
    if folder is not None:
        return _by_names_of_trials(str(images), Path(folder), download)
    if str(images) in public:
        return _of_data_set(str(images), download)
    path = Path(images)
    if path.is_dir():
        return _in_folder(path)
    if path.is_file():
        return _in_list(path)
    if str(images) in records():
        raise ValueError(
            f"the pictures of {images} are in no archive here: get them from the authors, and name their folder with "
            "folder=... (--images FOLDER, beside --data)"
        )
    raise ValueError(
        f"images is {str(images)!r}, which is no folder, no CSV file, and no data set whose pictures are public; "
        f"{expected(images, public)}"
    )


def _by_names_of_trials(name: str, folder: Path, download: bool) -> Images:
    """Find the pictures of a data set by the end of their names: number, observer and condition stand before it."""
    trials = load(name, download=download)
    truth = trials.truth.map(dict(enumerate(trials.classes)))
    if "image" not in truth.index.names:
        raise ValueError(f"the trials of {name} name no pictures; expected a data set such as model-vs-human/sketch")
    images = truth.index.get_level_values("image")
    parts = max(image.count("_") for image in images) + 1  # of a name, divided by "_", which tell the picture
    own = folder / name.partition("/")[2]
    if own.is_dir():
        folder = own
    files = {"_".join(path.name.split("_")[-parts:]): path for path in _pictures_in(folder)[0]}
    there = images.isin(list(files))
    if not there.any():
        raise ValueError(
            f"none of the {len(images):,} pictures of {name} is in {folder}; expected names that end as those of the "
            f"trials do, such as {images[0]}"
        )
    note = ""
    if not there.all():
        counts = f"{there.sum():,} of the {len(images):,} pictures"
        note = f"{counts} of {name} are in {_shown(folder)}, and only these are used."
    pictures = tuple(_picture(files[image]) for image in images[there])
    return Images(name, truth[there].rename("truth"), pictures, note)


def _shown(folder: Path) -> Path:
    """Name a folder from where the reader is, if it is below."""
    whole, here = folder.absolute(), Path.cwd()
    return whole.relative_to(here) if whole.is_relative_to(here) else folder


def pictures_of_things(*, download: bool = False) -> Images:
    """Find the pictures of THINGS that people judged and that are public: one per thing, which is named after it."""
    table = things()
    return _in_archive("things", table.assign(category=table.index), THINGS, download)


def _of_data_set(name: str, download: bool) -> Images:
    return _in_archive(name, stimuli(name), TEXTURE_VS_SHAPE, download)


def _in_archive(name: str, table: pd.DataFrame, archive: str, download: bool) -> Images:
    if download:
        fetch(archive)
    here = table[table["member"].isin(members_here(archive))]
    if here.empty:
        raise DataError(
            f"the pictures of {name} are not on this machine: get {archive} with --download "
            "(download=True in Python), or with  python -m erralign fetch"
        )
    pictures = [Picture(*row, archive) for row in zip(here["member"], here["sha256"], strict=True)]
    note = f"{len(here):,} of the {len(table):,} pictures of {name} are on this machine, and only these are used."
    return Images(name, here["category"].rename("truth"), tuple(pictures), note if len(here) < len(table) else "")


def _pictures_in(folder: Path) -> tuple[list[Path], list[Path]]:
    """Return the pictures in a folder that are not hidden, and all other files; linked folders count as any."""
    files = [path for path in sorted(_walked(folder, ())) if not _is_hidden(path.relative_to(folder))]
    pictures = [path for path in files if _is_picture(path)]
    return pictures, [path for path in files if path not in set(pictures)]


def _walked(folder: Path, above: tuple[Path, ...]) -> Iterator[Path]:
    real = folder.resolve()
    if real in above:
        raise ValueError(f"{folder} is a link to a folder around it, without end; remove the link")
    for path in folder.iterdir():
        if path.is_dir():
            yield from _walked(path, (*above, real))
        else:
            yield path


def _is_picture(path: Path) -> bool:
    if path.suffix or not path.is_file():
        return path.suffix.lower() in _ENDINGS
    with path.open("rb") as file:
        start = file.read(12)
    return start.startswith(_BEGINNINGS) or start[8:] == b"WEBP"


def _in_folder(folder: Path) -> Images:
    files, others = _pictures_in(folder)
    hidden = sum(_is_hidden(path.relative_to(folder)) and _is_picture(path) for path in _walked(folder, ()))
    notes = [f"{hidden} hidden pictures, such as copies that a program keeps, are left out."] if hidden else []
    if others:
        named = ", ".join(str(path.relative_to(folder)) for path in others[:3])
        notes.append(f"{len(others)} files that do not end as pictures do are left out, such as {named}.")
    note = " ".join(notes)
    if not files:
        raise ValueError(f"there is no picture in {folder}; expected files that end with {', '.join(_ENDINGS)}")
    classes = [path.relative_to(folder).parts[0] if path.parent != folder else "" for path in files]
    if "" in classes:
        raise ValueError(
            f"{files[classes.index('')]} is in no folder of a class; expected {folder.name}/<class>/<picture>, or a "
            "CSV file with the columns file and class; pictures of a data set: --data NAME --images FOLDER"
        )
    folders = sorted(set(classes))
    if set(folders) <= _PARTS and all(len(path.relative_to(folder).parts) > 2 for path in files):
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


def _trials(files: Sequence[str]) -> list[str]:
    """Name trials by their files, without folders where that is enough."""
    names = [Path(file).name for file in files]
    return names if len(set(names)) == len(names) else [Path(file).as_posix() for file in files]


def _images(name: str, files: Sequence[Path], classes: list[str], trials: list[str], note: str = "") -> Images:
    index = pd.Index(trials, name="image")
    if not index.is_unique:
        raise ValueError(f"{name} has the picture {index[index.duplicated()][0]!r} twice; list each once")
    return Images(name, pd.Series(classes, index=index, name="truth"), tuple(map(_picture, files)), note)


def _picture(path: Path) -> Picture:
    return Picture(str(path))
