"""``ro-crate-metadata.json``: what was computed from which archive by which function (``erralign crate`` writes it)."""

import json
from pathlib import Path
from typing import Any

import yaml

from erralign.datasets.archives import GITHUB, manifest
from erralign.files import write_whole
from erralign_book.building.freezing import index

FILE = Path("ro-crate-metadata.json")
CODE = ("erralign/", "book/erralign_book/", "notebooks/")
FORMATS = {".csv": "text/csv", ".npz": "application/x-npz"}


def crate() -> dict[str, Any]:
    """Return the description of the repository in the form of RO-Crate 1.1."""
    citation = yaml.safe_load(Path("CITATION.cff").read_text(encoding="utf-8"))
    results = [_result(str(file), row["function"], row["inputs"]) for file, row in index().iterrows()]
    archives = [
        {
            "@id": _address(key),
            "@type": "Dataset",
            "name": key,
            "description": f"{len(of['members'])} files are read, each checked against the manifest's SHA-256",
            "conditionsOfAccess": of["licence"],
        }
        for key, of in manifest().items()
    ]
    code = [{"@id": folder, "@type": "Dataset", "name": f"code and text in {folder}"} for folder in CODE]
    makers = [{"@id": "#developers", "@type": "Organization", "name": citation["authors"][0]["name"]}]
    files, actions = (list(each) for each in zip(*results, strict=True))
    conforms = {"@id": "https://w3id.org/ro/crate/1.1"}
    descriptor = {"@id": FILE.name, "@type": "CreativeWork", "conformsTo": conforms, "about": {"@id": "./"}}
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": citation["title"],
        "description": "A library of measures of error alignment, the book that explains them, and its results.",
        "version": citation["version"],
        "datePublished": str(citation["date-released"]),
        "license": {"@id": f"https://spdx.org/licenses/{citation['license']}"},
        "author": {"@id": "#developers"},
        "hasPart": _ids(code + archives + files),
        "mentions": _ids(actions),
    }
    graph = [descriptor, root, *makers, *code, *archives, *files, *actions]
    return {"@context": f"{conforms['@id']}/context", "@graph": graph}


def _address(key: str) -> str:
    return GITHUB + key.replace("@", "/tree/")


def _result(file: str, function: str, inputs: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a result's file, and the action that computed it from archives and from other results."""
    path = f"data/frozen/{file}"
    read = [name.rpartition("=")[0] for name in inputs.split()]
    sources = [_address(name) if name in manifest() else (Path("data/frozen", name)).as_posix() for name in read]
    action = {
        "@id": f"#{function}",
        "@type": "CreateAction",
        "name": f"compute {file}",
        "instrument": {"@id": f"{'book/' if function.startswith('erralign_book') else ''}{function.split('.')[0]}/"},
        "object": [{"@id": source} for source in sources if ".." not in source],
        "result": {"@id": path},
    }
    return {"@id": path, "@type": "File", "name": function, "encodingFormat": FORMATS[Path(file).suffix]}, action


def _ids(entities: list[dict]) -> list[dict[str, str]]:
    return [{"@id": each["@id"]} for each in entities]


def written() -> str:
    """Return the content of the file."""
    return json.dumps(crate(), indent=1, ensure_ascii=False) + "\n"


def write() -> None:
    """Write the file."""
    write_whole(FILE, written())
