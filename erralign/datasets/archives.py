"""From a public repository at a pinned commit to an open file whose bytes are known."""

import csv
import hashlib
import io
import json
import os
import shutil
import socket
import sys
import tarfile
import warnings
import zlib
from collections.abc import Sequence
from functools import cache
from mmap import ACCESS_READ, mmap
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO
from urllib.parse import urlsplit

import platformdirs

from erralign._validation import DataError
from erralign.files import carried

_GITHUB = "https://github.com/"
# An archive is one request; its members, which are smaller, would be up to 600, of which raw.githubusercontent.com
# allows as few as 60 an hour. A megabyte is 2**20 bytes.
_MEGABYTE = 2**20
_UNASKED = 20 * _MEGABYTE  # what is larger is downloaded only on request
_ANEW = "run `python -m erralign fetch`"


@cache
def manifest() -> dict:
    """Return what ``data/manifest.json`` says: ``owner/name@commit`` to licence and members (path: size, SHA-256)."""
    return json.loads(carried("data/manifest.json").read_text())


@cache
def _offline_copy() -> Path | None:
    # Made absolute once, at the first use, so that a later change of directory does not move it.
    folder = os.environ.get("ERRALIGN_DATA")
    return Path(folder).resolve() if folder else None


def _places(key: str) -> list[Path]:
    relative = _relative(key)
    cached = Path(platformdirs.user_cache_dir("erralign")) / relative
    copy = _offline_copy()
    return [copy / relative, cached] if copy else [cached]


def _files(key: str) -> list[Path]:
    return [place for place in _places(key) if place.is_file()]


def _relative(key: str) -> Path:
    repository, commit = key.split("@")
    return Path(repository, "archive", f"{commit}.tar.gz")


def path_here(key: str) -> Path:
    """Return where an archive lies on this machine, whether or not the manifest lists it."""
    if not (files := _files(key)):
        raise DataError(f"{key} is not on this machine: download its .tar.gz from GitHub as {_places(key)[0]}")
    return files[0]


def is_there(key: str) -> bool:
    """Return whether an archive is on this machine, in ``$ERRALIGN_DATA`` or in the cache."""
    return bool(_files(key))


def is_complete(key: str, folder: str = "") -> bool:
    """Return whether every member of an archive, or of a folder in it, that the manifest lists is on this machine."""
    members = manifest()[key]["members"]
    wanted = {member: entry for member, entry in members.items() if member.startswith(folder and f"{folder}/")}
    if not wanted:
        raise ValueError(f"data/manifest.json lists nothing below {folder} in {key}")
    here = members_here(key)
    missing = {member: entry for member, entry in wanted.items() if member not in here}
    unexpected = [member for member, entry in missing.items() if not entry.get("not_in_copy")]
    if is_there(key) and unexpected:
        raise DataError(_missing(key, unexpected[0]))
    return not missing


def members_here(key: str) -> frozenset[str]:
    """Return the members of an archive, among those that the manifest lists, that are on this machine."""
    return frozenset(member for place in _files(key) for member in _unpacked(key, place)[1])


def open_member(key: str, member: str) -> io.BytesIO:
    """Open one file of a repository, after its SHA-256 was checked; an archive that is not here is downloaded."""
    expected = manifest()[key]["members"].get(member)
    if expected is None:
        raise DataError(f"{member} of {key} is not in data/manifest.json: enter its size and SHA-256 there first")
    bring(key, _line(key))
    for place in _files(key):
        file, members = _unpacked(key, place)
        if member not in members:
            continue
        # Mapped anew for each member: not one byte stays in memory, and threads and forks share no position.
        content = b""
        if members[member].stop > members[member].start:  # nothing can't be mapped
            with mmap(file.fileno(), 0, access=ACCESS_READ) as whole:
                content = whole[members[member]]
        digest, wanted = hashlib.sha256(content).hexdigest(), expected["sha256"]
        if digest != wanted:
            why = f"its SHA-256 is {digest[:12]}…, the manifest says {wanted[:12]}…"
            raise DataError(f"{member} of {key} is damaged: {why}. Delete {place.name}, and {_ANEW}")
        return io.BytesIO(content)
    raise DataError(_missing(key, member))


def _missing(key: str, member: str) -> str:
    if is_there(key):
        why = f"the archive that is here lacks it. To download it:  {_line(key)}  or"
    else:
        why = "the archive is not on this machine and ERRALIGN_OFFLINE=1 forbids the network: unset it, or get"
    return (
        f"{member} of {key} is missing: {why} all data by `python -m erralign fetch`, or set ERRALIGN_DATA to a "
        f"folder that holds {_relative(key)}"
    )


def _unpacked(key: str, place: Path) -> tuple[IO[bytes], dict[str, slice]]:
    return _unpack(key, place, place.stat().st_mtime_ns)


@cache
def _unpack(key: str, place: Path, _changed: int) -> tuple[IO[bytes], dict[str, slice]]:
    """Unpack an archive once per process, since a compressed one can only be read from its beginning.

    Return where each member lies in one nameless file, which the system removes with the process.
    """
    members, file = {}, TemporaryFile()  # noqa: SIM115 - it stays open as long as the process
    try:
        with tarfile.open(place) as archive:
            for entry in archive:
                name = entry.name.partition("/")[2]
                content = archive.extractfile(entry) if name in manifest()[key]["members"] and entry.isfile() else None
                if content is not None:
                    members[name] = slice(file.tell(), file.tell() + entry.size)
                    shutil.copyfileobj(content, file)
    except (tarfile.TarError, EOFError, OSError, zlib.error) as error:
        raise DataError(f"{place.name} of {key} is damaged ({error}): delete it, and {_ANEW}") from error
    file.flush()
    return file, members


@cache
def _sizes() -> dict[str, tuple[float, str]]:
    """Return how many megabytes GitHub's own archives have, and whether that is only about right.

    Measured from public copies of the repositories at these commits. Where a copy lacks its largest files, it is a
    lower bound.
    """
    with Path(__file__).with_name("archive-sizes.csv").open(encoding="utf-8", newline="") as file:
        return {row["archive"]: (float(row["megabytes"]), row["about"]) for row in csv.DictReader(file)}


def _size_of(key: str) -> str:
    """Say how large an archive is."""
    if key not in _sizes():
        return "of unknown size"
    megabytes, about = _sizes()[key]
    return f"{about} {megabytes:g} MB".strip()


def is_offline() -> bool:
    """Return whether ``ERRALIGN_OFFLINE=1`` forbids the network."""
    return os.environ.get("ERRALIGN_OFFLINE") == "1"


def all_here() -> bool:
    """Return whether every archive is on this machine."""
    return all(map(is_there, manifest()))


def can_download() -> bool:
    """Return whether the network may be used, and the server answers."""
    if is_offline():
        return False
    address = urlsplit(_GITHUB)
    try:
        socket.create_connection((address.hostname or "", address.port or 443), timeout=5).close()
    except OSError:
        return False
    return True


def bring(key: str, line: str) -> None:
    """Download an archive that is not here, unless it is large or the network forbidden.

    Parameters
    ----------
    key : str
        ``owner/name@commit``.
    line : str
        The line of Python that downloads it however large it is.

    Raises
    ------
    DataError
        It is larger than 20 MB, as far as is known beforehand, or as the download shows.
    """
    if is_there(key) or is_offline():
        return  # what is missing then, its reader says
    if key in _sizes() and _sizes()[key][0] * _MEGABYTE > _UNASKED:
        raise DataError(_too_large(key, _size_of(key), line))
    name, place = key.partition("@")[0], _in_home(_places(key)[-1].parent)
    print(f"{name}: {_size_of(key)}, downloaded once and kept in {place}", file=sys.stderr, flush=True)
    _download(key, _Limit(_too_large(key, f"more than {_UNASKED // _MEGABYTE} MB", line)))


def missing(parts: Sequence[str]) -> str:
    """Say in two lines which archives are to be downloaded, how large they are, and what downloads them.

    Parameters
    ----------
    parts : sequence of str
        What is not here: ``owner/name@commit``, or ``owner/name@commit:folder``.
    """
    keys = list(dict.fromkeys(part.partition(":")[0] for part in parts))
    named = ", ".join(f"{key.partition('@')[0]} ({_size_of(key)})" for key in keys)
    lines = ["import os", 'os.environ["ERRALIGN_OFFLINE"] = "0"'] if is_offline() else []
    return f"download {named}:\n  {'; '.join([*lines, *map(_line, keys)])}"


def _line(key: str) -> str:
    return f'erralign.datasets.archives.fetch("{key}")'


def _too_large(key: str, size: str, line: str) -> str:
    return f"{key.partition('@')[0]} is not on this machine; its archive is {size}. To download it:  {line}"


def _in_home(place: Path) -> str:
    home = Path.home()
    return f"~/{place.relative_to(home).as_posix()}" if place.is_relative_to(home) else str(place)


class _Limit:
    """What pooch tells of a download in place of a bar: one that is larger than was known is stopped."""

    def __init__(self, message: str) -> None:
        self.message, self.received, self.total = message, 0, 0

    def update(self, more: int) -> None:
        self.received += more
        if max(self.received, self.total) > _UNASKED:
            raise DataError(self.message)

    def reset(self) -> None:
        """Begin to count anew, as pooch does when all has come."""
        self.received = 0

    def close(self) -> None:
        """Do nothing: there is no bar to end."""


def fetch(key: str) -> None:
    """Download one archive into the cache, unless it is whole here, and check every member that is listed."""
    if not is_complete(key):
        if is_offline():
            why = "is not whole on this machine and ERRALIGN_OFFLINE=1 forbids the network: unset it, or"
            raise DataError(f"{key} {why} {_instead(key)}")
        _download(key, True)
    for member in manifest()[key]["members"]:
        open_member(key, member)


def _download(key: str, bar: "_Limit | bool") -> None:
    with warnings.catch_warnings(action="ignore"):  # that no bar can be drawn in a notebook
        import pooch  # here, not above: only a download needs it, and it is slow to import

    pooch.get_logger().setLevel("WARNING")  # what is downloaded was said, and hashes are of members
    place, address = _places(key)[-1], _GITHUB + _relative(key).as_posix()
    downloader = pooch.HTTPDownloader(progressbar=bar, chunk_size=2**14)
    try:
        pooch.retrieve(address, known_hash=None, fname=place.name, path=place.parent, downloader=downloader)
    except OSError as error:
        why = f"could not be downloaded ({type(error).__name__}). Check the network, or"
        raise DataError(f"{key} {why} {_instead(key)}") from error


def _instead(key: str) -> str:
    return f"set ERRALIGN_DATA to a folder that holds {_relative(key)}"


def fetch_all() -> None:
    """Download every archive of the manifest, with progress, and check what was read."""
    # What is whole here is checked before anything is downloaded.
    for key in sorted(manifest(), key=is_complete, reverse=True):
        print(f"{key} (licence: {manifest()[key]['licence']})", flush=True)
        fetch(key)
