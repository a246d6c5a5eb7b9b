"""Files of logs: what is in them, and where one is broken."""

import json
import re
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from erralign.errors import install_line

ZSTANDARD = 93  # the number of this compression in the zip format
TEXT = "utf-8-sig"  # some programs begin a file with a mark
LARGEST = 2**30  # bytes of an unpacked member: a small archive may hold more than fits into memory
HEAD = 2**20  # characters of a line, after which it is not looked at further
START, HEADER, SUMMARIES, SAMPLES = "_journal/start.json", "header.json", "summaries.json", "samples/"


def kind_of(path: Path) -> str:
    """Return which tool wrote a file: ``inspect``, ``harness``, or neither (``""``)."""
    if not path.is_file():
        return ""
    if path.suffix == ".eval":
        return "inspect"
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return "" if {START, HEADER}.isdisjoint(archive.namelist()) else "inspect"
    try:
        with path.open(encoding=TEXT) as file:
            head = file.readline(HEAD).lstrip()
            head = head if len(head) > 2 else head + file.readline(HEAD)  # of a log that is indented
    except (UnicodeError, OSError):
        return ""
    if re.match(r'\{\s*"(version|status|eval)"\s*:', head):
        return "inspect"
    return "harness" if re.match(r'\{.*"(doc_id|filtered_resps|resps)"\s*:', head) else ""


def lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each line of a file, as JSON, and where it is."""
    number = 0
    try:
        with path.open(encoding=TEXT) as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield f"{path.name}, line {number}", _object(line)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{path.name}, line {number} is no whole JSON ({error.msg}): was the run or the copy cut short?"
        ) from None
    except UnicodeError:
        raise ValueError(f"{path.name} is damaged after line {number}: it is no text in UTF-8; copy it again") from None


def _object(line: str) -> dict[str, Any]:
    found = json.loads(line)
    if not isinstance(found, dict):
        raise json.JSONDecodeError("no object in braces", line, 0)
    return found


def whole(path: Path) -> dict[str, Any]:
    """Return what a JSON file holds."""
    try:
        return _object(path.read_text(encoding=TEXT))
    except (json.JSONDecodeError, UnicodeError) as error:
        raise ValueError(f"{path.name} is no whole JSON ({error}): was the run or the copy cut short?") from None


def members(path: Path) -> zipfile.ZipFile:
    """Open the archive that a log is."""
    try:
        return zipfile.ZipFile(path)
    except zipfile.BadZipFile:
        raise ValueError(
            f"{path.name} is no zip archive, which an .eval log of Inspect is; copy it again (an archive that is cut "
            "short can't be read)"
        ) from None


def member(archive: zipfile.ZipFile, name: str) -> Any:
    """Return what a JSON file in an archive holds."""
    file = Path(str(archive.filename)).name
    info = archive.getinfo(name)
    if info.file_size > LARGEST:
        raise ValueError(
            f"{file}: {name} has {info.file_size:,} bytes when it is unpacked; expected {LARGEST:,} at most: is it a "
            "log? A run on fewer items at once (inspect eval --limit) has smaller ones"
        )
    try:
        return json.loads(_zstandard(archive, info) if info.compress_type == ZSTANDARD else archive.read(info))
    except (zipfile.BadZipFile, zlib.error, json.JSONDecodeError, UnicodeError) as error:
        raise ValueError(f"{file}: {name} is damaged ({error}); copy the log again") from None


def _zstandard(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Unpack a member, of which a large one has several frames; zipfile would read the first."""
    with Path(str(archive.filename)).open("rb") as file:
        file.seek(info.header_offset + 26)
        file.seek(sum(struct.unpack("<HH", file.read(4))), 1)  # the name and the extra field
        packed = file.read(info.compress_size)
    if sys.version_info >= (3, 14):
        from compression import zstd

        with zstd.open(BytesIO(packed)) as reader:
            return _as_large_as_said(reader, info)
    try:
        from zstandard import ZstdDecompressor
    except ImportError:
        raise ImportError(
            f"{Path(str(archive.filename)).name} is compressed with Zstandard, which Python unpacks from 3.14 on; "
            f"{install_line('inspect')}  installs what does, or make a JSON log of it:  inspect log convert "
            "--to json --output-dir logs FILE"
        ) from None
    with ZstdDecompressor().stream_reader(packed, read_across_frames=True) as reader:
        return _as_large_as_said(reader, info)


def _as_large_as_said(reader: Any, info: zipfile.ZipInfo) -> bytes:
    content = reader.read(info.file_size + 1)
    if len(content) != info.file_size:
        raise zipfile.BadZipFile(f"it does not have the {info.file_size:,} bytes that the archive lists")
    return content
