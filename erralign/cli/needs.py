"""What a command needs around it: the repository's folder, an extra of the package, other machines."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import click
from packaging.requirements import Requirement

on_cluster = click.option(
    "--cluster",
    default="",
    metavar="ADDRESS",
    help="Of a Dask scheduler, such as tcp://scheduler:8786, whose workers do the work.",
)


def must_be_checkout(needed: str) -> None:
    """Say so when a command is not called in the book's repository.

    Parameters
    ----------
    needed : str
        A file or folder of the repository.

    Raises
    ------
    ValueError
        It is not here.
    """
    if not Path(needed).exists():
        raise ValueError(f"there is no {needed} in {Path.cwd()}: call this in the folder of the book's repository")


def must_have_extra(extra: str) -> None:
    """Say which extra of the package a command needs, where one is not installed.

    Parameters
    ----------
    extra : str
        A name under ``optional-dependencies`` in ``pyproject.toml``.

    Raises
    ------
    ModuleNotFoundError
        A distribution that the extra lists is missing.
    """
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
