"""Enter files of a public archive into ``data/manifest.json``: only what is listed there is read, and is checked."""

import hashlib
import json
import tarfile
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path

from erralign._validation import DataError
from erralign.datasets.archives import path_here
from erralign.files import write_whole


def enter(key: str, patterns: Sequence[str], licence: str) -> list[str]:
    """Enter the members of ``owner/name@commit`` that fit a pattern, and its size; return their names."""
    place, members = path_here(key), {}
    with tarfile.open(place) as archive:
        for entry in archive:
            name = entry.name.partition("/")[2]
            content = archive.extractfile(entry)
            if content and any(fnmatch(name, pattern) for pattern in patterns):
                digest = hashlib.sha256(content.read()).hexdigest()
                members[name] = {"size": entry.size, "sha256": digest}
    if not members:
        raise DataError(f"no file of {key} fits {' or '.join(map(repr, patterns))}")
    manifest_file = Path("data/manifest.json")
    manifest = json.loads(manifest_file.read_text(encoding="utf-8"))
    before = manifest.get(key, {}).get("members", {})
    manifest[key] = {"licence": licence, "members": dict(sorted((before | members).items()))}
    write_whole(manifest_file, _as_text(dict(sorted(manifest.items()))))
    _enter_size(key, place)
    return list(members)


def _as_text(manifest: dict) -> str:
    """Write one member a line, so that a change is seen in a diff."""
    entries = []
    for key, entry in manifest.items():
        members = [
            f"  {json.dumps(name, ensure_ascii=False)}: {json.dumps(facts)}" for name, facts in entry["members"].items()
        ]
        licence = json.dumps(entry["licence"], ensure_ascii=False)
        entries.append(f' {json.dumps(key)}: {{"licence": {licence}, "members": {{\n' + ",\n".join(members) + "\n }}")
    return "{\n" + ",\n".join(entries) + "\n}\n"


def _enter_size(key: str, place: Path) -> None:
    """Note how large the archive is that GitHub offers, as far as the copy on this machine tells."""
    sizes = Path("erralign/datasets/archive-sizes.csv")
    header, *rows = sizes.read_text(encoding="utf-8").splitlines()
    if not any(row.startswith(f"{key},") for row in rows):
        rows.append(f"{key},{max(0.1, place.stat().st_size / 2**20):.1f},about")
        write_whole(sizes, "\n".join([header, *sorted(rows)]) + "\n")
