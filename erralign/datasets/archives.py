"""From a public repository at a pinned commit to an open file whose bytes are known."""

import hashlib
import io
import json
import os
import shutil
import tarfile
import zlib
from functools import cache
from mmap import ACCESS_READ, mmap
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import platformdirs

from erralign._validation import DataError
from erralign.files import carried

GITHUB = "https://github.com/"
ANEW = "run `python -m erralign fetch`"


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
    """Open one file of a repository, after its SHA-256 was checked."""
    expected = manifest()[key]["members"].get(member)
    if expected is None:
        raise DataError(f"{member} of {key} is not in data/manifest.json: enter its size and SHA-256 there first")
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
            raise DataError(f"{member} of {key} is damaged: {why}. Delete {place.name}, and {ANEW}")
        return io.BytesIO(content)
    raise DataError(_missing(key, member))


def _missing(key: str, member: str) -> str:
    where = "the archive that is here lacks it" if is_there(key) else "the archive is not on this machine"
    return (
        f"{member} of {key} is missing: {where}. Get it by erralign.load(..., download=True), or "
        f"all data by `python -m erralign fetch`, or set ERRALIGN_DATA to a folder that holds {_relative(key)}"
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
        raise DataError(f"{place.name} of {key} is damaged ({error}): delete it, and {ANEW}") from error
    file.flush()
    return file, members


def fetch(key: str) -> None:
    """Download one archive into the cache, unless it is whole here, and check every member that is listed."""
    if not is_complete(key):
        instead = f"set ERRALIGN_DATA to a folder that holds {_relative(key)}"
        if os.environ.get("ERRALIGN_OFFLINE") == "1":
            why = "is not whole on this machine and ERRALIGN_OFFLINE=1 forbids the network: unset it, or"
            raise DataError(f"{key} {why} {instead}")
        import pooch  # here, not above: only a download needs it, and it is slow to import

        place, address = _places(key)[-1], GITHUB + _relative(key).as_posix()
        try:
            pooch.retrieve(address, known_hash=None, fname=place.name, path=place.parent, progressbar=True)
        except OSError as error:
            why = f"could not be downloaded ({type(error).__name__}). Check the network, or"
            raise DataError(f"{key} {why} {instead}") from error
    for member in manifest()[key]["members"]:
        open_member(key, member)


def fetch_all() -> None:
    """Download every archive of the manifest, with progress, and check what was read."""
    # What is whole here is checked before anything is downloaded.
    for key in sorted(manifest(), key=is_complete, reverse=True):
        print(f"{key} (licence: {manifest()[key]['licence']})", flush=True)
        fetch(key)
