"""What a command of the book needs around it: the repository's folder, an extra of the package."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from packaging.requirements import Requirement


def must_be_checkout(needed: str) -> None:
    """Say so when a command is not called in the book's repository."""
    if not Path(needed).exists():
        raise ValueError(f"there is no {needed} in {Path.cwd()}: call this in the folder of the book's repository")


def must_have_extra(extra: str) -> None:
    """Say which extra of the package a command needs, where one is not installed."""
    wanted = (Requirement(line) for line in requires("erralign") or ())
    missing = [
        requirement.name
        for requirement in wanted
        if requirement.marker and requirement.marker.evaluate({"extra": extra}) and not _is_installed(requirement.name)
    ]
    if missing:
        raise ModuleNotFoundError(
            f"this command needs the extra {extra!r} (not installed: {', '.join(missing)}); "
            f"get it, in the repository's folder, with  pip install -e '.[{extra}]'"
        )


def _is_installed(distribution: str) -> bool:
    try:
        version(distribution)
    except PackageNotFoundError:
        return False
    return True
