"""Files that are whole or not there, files of numbers, and scripts and style sheets that pages carry.

The build of the wheel (hatch_build.py) runs this file before the package is there, so it imports nothing of ours.
"""

from __future__ import annotations

import contextlib
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import uuid
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

_PART = ".part"  # of a file that is being written
_UNPACKED, _TIMES = 2**21, 40  # a file unpacks to so many bytes at most, or to so many times its own size
_A_DAY = 24 * 60 * 60  # in seconds
_NPY = b"\x93NUMPY"  # how a file of NumPy begins
_MOST_NAMES = 6  # of arrays, in a message
_AS_FLOATS = "expected numbers: write them with numpy.save(path, features.astype(float))"
_FORMULA, _NUMBER = re.compile(r"[=+\-@\t\r]"), re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
HALF, _SURROGATE = re.compile(r"(?i)\\ud[89a-f]"), re.compile("[\ud800-\udfff]")
_VEGA_LITE = "6.4"
VEGA = "vega.js"
OF_CHARTS = (VEGA, "chart-controls.js", "charts.js")  # what a page with charts loads, in this order
_NOTICE = (
    "/* Vega, Vega-Lite and Vega-Embed: University of Washington Interactive Data Lab, BSD-3-Clause; "
    "D3: Mike Bostock, ISC. Bundled by vl-convert. */"
)
_PACKAGE = Path(__file__).parent


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file beside its place, and move it in when it is whole; its mode stays, and a link to it stays a link.

    What is no regular file, such as a pipe or /dev/stdout, is written through.
    """
    if isinstance(content, str):
        content = content.encode(errors="replace")  # half a character is in names of files alone, where these are bytes
    if path.exists() and (not path.is_file() or path.is_relative_to("/dev")):
        with path.open("wb") as file:
            file.write(content)
        return
    path = Path(os.path.realpath(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    _sweep(path)
    # A name of its own, since processes on several machines, and threads of one, may write the same file.
    beside = path.with_name(f".{path.name}.{uuid.uuid4().hex[:12]}{_PART}")
    try:
        beside.write_bytes(content)
        if path.exists():
            shutil.copymode(path, beside)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _sweep(path: Path) -> None:
    """Remove what a writer of the same file left that was killed a day ago or earlier."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.*{_PART}"):
        with contextlib.suppress(FileNotFoundError):  # another process sweeps, too
            if left.stat().st_mtime < time.time() - _A_DAY:
                left.unlink()


def what_is(content: bytes) -> str:
    """Say what a file is that is not what its name says, from how it begins."""
    start = content[:200].lstrip().lower()
    if not content:
        return "it is empty"
    if start.startswith(b"version https://git-lfs"):
        return "it is a pointer of Git LFS: the file itself was not fetched; get it with  git lfs pull"
    if start.startswith((b"<!doctype", b"<html", b"<?xml")):
        return "it is a web page: what was to be downloaded lies elsewhere; fetch it anew"
    known = {b"pk\x03\x04": "a ZIP archive", b"\x1f\x8b": "compressed by gzip", b"%pdf": "a PDF", b"\x80": "a pickle"}
    known |= {b"\x89hdf": "an HDF5 file, such as Keras writes", b"\x93numpy": "an array of NumPy"}
    for begin, words in known.items():
        if start.startswith(begin):
            return f"it is {words}"
    return f"it begins with {content[:12]!r}"


def for_spreadsheets(table: Any) -> Any:
    """Put an apostrophe before text that a spreadsheet would run as a formula: names that begin with =, +, - or @.

    Numbers stay as they are, negative ones too. :func:`from_spreadsheets` takes the apostrophe off again.
    """
    escaped = table.rename(columns=_escaped)
    text = escaped.select_dtypes(exclude="number").columns
    escaped[text] = escaped[text].map(_escaped)
    return escaped


def _escaped(cell: Any) -> Any:
    if isinstance(cell, str) and _FORMULA.match(cell) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


def from_spreadsheets(cell: str) -> str:
    """Take the apostrophe off that :func:`for_spreadsheets` put before a name."""
    if cell.startswith("'") and _FORMULA.match(cell[1:]):
        return cell[1:]
    return cell


def has_half_a_character(value: Any) -> bool:
    """Whether a text in what was read from JSON has one half of a surrogate pair alone, which no file can hold.

    It is there only if the JSON has :data:`HALF`.
    """
    return _SURROGATE.search(json.dumps(value, ensure_ascii=False)) is not None


def may_unpack_to(packed: int) -> int:
    """Return to how many bytes a compressed file may unpack: a few thousand bytes can become gigabytes of one letter.

    Tables become 9 to 25 times as large, arrays less.
    """
    return max(_UNPACKED, _TIMES * packed)


def check_archive(path: Path, instead: str) -> None:
    """Refuse a zip archive that says that it unpacks to much more than it is, before it does."""
    with _readable(path), zipfile.ZipFile(path) as archive:
        size = sum(member.file_size for member in archive.infolist())
    most = may_unpack_to(path.stat().st_size)
    if size > most:
        raise ValueError(
            f"{path.name} unpacks to {size:,} bytes, over {_TIMES} times its size; expected {most:,} at most: {instead}"
        )


@contextlib.contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Say of a file of arrays that it is damaged, whatever NumPy and zipfile raise of it."""
    try:
        yield
    except Exception as error:
        if "pickle" in str(error):
            raise ValueError(f"{path} holds pickled Python objects, which may run any code; {_AS_FLOATS}") from None
        reason = str(error).splitlines()[:1] or [type(error).__name__]
        what = "damaged, or too large for the memory" if isinstance(error, MemoryError) else "damaged"
        raise ValueError(f"{path} is {what} ({reason[0]}); write it again") from None


def names_in_archive(path: Path) -> list[str]:
    """Return the names of the arrays in an archive that NumPy wrote, and none of any other file."""
    if not path.is_file() or not zipfile.is_zipfile(path):
        return []
    with _readable(path), zipfile.ZipFile(path) as archive:
        return [name.removesuffix(".npy") for name in archive.namelist() if name.endswith(".npy")]


@contextlib.contextmanager
def arrays_in(path: Path) -> Iterator[Any]:
    """Open an archive of arrays, which reads each when it is asked for."""
    import numpy as np

    check_archive(path, "write it with numpy.savez, which does not compress")
    with _readable(path), np.load(path, allow_pickle=False) as arrays:
        yield arrays


def read_features_with_ids(path: Path) -> tuple[np.ndarray, np.ndarray | None]:
    """Read the features of one system from a file that NumPy wrote, and the ids of its rows, if it has them.

    ``features.npz:name`` is one array of several.
    """
    place, colon, wanted = str(path).rpartition(":")
    if not path.is_file() and colon and names_in_archive(Path(place)):
        path = Path(place)
    else:
        wanted = ""
    there = names_in_archive(path)
    networks = [name for name in there if name != "ids"]
    if networks and "ids" in there:
        name = wanted or networks[0]
        if name not in networks:
            raise ValueError(f"{path} has no array {name!r}; it has {', '.join(networks)}")
        if len(networks) > 1 and not wanted:
            some = ", ".join(networks[:_MOST_NAMES])
            raise ValueError(f"{path} has several networks ({some}); name one of them, such as {path}:{name}")
        with arrays_in(path) as arrays:
            return arrays[name], arrays["ids"]
    return _read_npy(path), None


def _read_npy(path: Path) -> np.ndarray:
    import numpy as np

    if not path.is_file():
        raise ValueError(f"there is no file {str(path)!r}; give the path of a .npy file")
    with path.open("rb") as file:
        start = file.read(len(_NPY))
        if start != _NPY:
            kind = "is no array"
            remedy = "write one with numpy.save(path, features)"
            if names := names_in_archive(path):
                kind = f"is an archive of arrays ({', '.join(names[:_MOST_NAMES])})"
                single = f"{path.stem}-{names[0]}.npy"
                code = f"import numpy; numpy.save({single!r}, numpy.load({str(path)!r})[{names[0]!r}])"
                remedy = f"write one of them with  python -c {_quoted(code)}"
            raise ValueError(f"{path} {kind}; expected a .npy file: {remedy}")
        file.seek(0)
        with _readable(path):
            array = np.lib.format.read_array(file, allow_pickle=False)
    if array.dtype == "V2":  # as NumPy writes what it has no name for
        code = (
            f"import numpy; x = numpy.load({str(path)!r}).view(numpy.uint16).astype(numpy.uint32); "
            f"numpy.save({path.stem + '-float32.npy'!r}, (x * 65536).view(numpy.float32))"
        )
        raise ValueError(
            f"{path} holds two bytes a number, as bfloat16 has; expected floats: write them with  python -c "
            f"{_quoted(code)}"
        )
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{path} holds {array.dtype}; {_AS_FLOATS}")
    return array


def _quoted(code: str) -> str:
    """Quote code for a shell, if it may be, in double quotes, which Windows knows too."""
    return shlex.quote(code) if {*code} & {*'$`"!\\'} else f'"{code}"'


def bundle() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script, out of the Python package that has them.

    The package runs V8, which ends the whole program where memory is short: so it does in a program of its own.
    """
    write = (
        "import sys, vl_convert; "
        f"sys.stdout.buffer.write(vl_convert.javascript_bundle(vl_version={_VEGA_LITE!r}).encode())"
    )
    bundled = subprocess.run([sys.executable, "-c", write], capture_output=True)
    errors = bundled.stderr.decode(errors="replace").strip()
    if "ModuleNotFoundError" in errors:
        raise ImportError("a page with charts needs vl-convert-python; get it with  pip install vl-convert-python")
    if bundled.returncode:
        last = errors.splitlines()[-1:] or ["without a word"]
        raise ChildProcessError(
            "Vega, which draws the charts of a page, could not be prepared: its program ended with "
            f"{bundled.returncode} ({last[0]}); where that is too little memory (ulimit -v), raise the limit, or write "
            "NAME.md"
        )
    script = bundled.stdout.decode()
    # Unwrapped, the bundle declares `const _` for the whole page and dies beside other scripts.
    return f"{_NOTICE}\n(() => {{ {script} }})();"


def carried(name: str) -> Path:
    """Return where a file of the repository lies; an installed package carries the few that it needs."""
    file = _PACKAGE / "_data" / name
    return file if file.is_file() else _PACKAGE.parent / name


def asset(name: str) -> str:
    """Return a script or style sheet of the site's pages; a checkout takes Vega from the package vl-convert."""
    file = carried(f"book/assets/{name}")
    return bundle() if name == VEGA and not file.is_file() else file.read_text(encoding="utf-8")
