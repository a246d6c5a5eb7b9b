"""Trained networks on disk, outside the repository, so that what is made of them can be made again quickly."""

from __future__ import annotations

import ast
import hashlib
import inspect
import json
import zipfile
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs

from erralign.files import write_whole
from erralign_book.training.record import Trained

DIGITS = 16  # of a hash, in a name
LIBRARIES = ("torch", "torch-geometric", "timm", "numpy")  # what the weights after training depend on


def kept(train: Callable[..., Trained], **settings: Any) -> Trained:
    """Train a network, or read what a call with equal settings, code and libraries kept of it."""
    file = _file(train, settings)
    found = _read(file)
    if found is None:
        found = train(**settings)
        _write(file, found)
    return found


def _file(train: Callable[..., Trained], settings: dict[str, Any]) -> Path:
    code = _code(inspect.getsource(import_module(train.__module__)))
    facts = json.dumps([train.__name__, settings, code, [*map(_version, LIBRARIES)]], sort_keys=True)
    name = hashlib.sha256(facts.encode()).hexdigest()[:DIGITS]
    return Path(platformdirs.user_cache_dir("erralign"), "trained", train.__name__, f"{name}.npz")


def _code(source: str) -> str:
    """Return the code without comments and docstrings, which change no weights."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""


def _write(file: Path, trained: Trained) -> None:
    content = BytesIO()
    arrays: dict[str, Any] = {"group": np.array(trained.group), "seed": np.array(trained.seed)}
    arrays |= {"labels": trained.labels, "logits": trained.logits}
    arrays |= {f"layer {place}": layer for place, layer in enumerate(trained.layers)}
    np.savez(content, **arrays)
    write_whole(file, content.getvalue())


def _read(file: Path) -> Trained | None:
    """Read a record; none where it is not there, or not whole, such as after a power cut."""
    try:
        arrays = dict(np.load(file))
    except (OSError, ValueError, EOFError, zipfile.BadZipFile):
        return None
    layers = tuple(arrays[f"layer {place}"] for place in range(sum(name.startswith("layer ") for name in arrays)))
    return Trained(str(arrays["group"]), int(arrays["seed"]), arrays["labels"], arrays["logits"], layers)
