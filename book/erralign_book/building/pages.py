"""Render the executed chapters into a site, and put it in its place once it is whole."""

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from erralign.errors import ChapterError
from erralign_book.building.chapters import execute_with_parameters, names

BOOK = Path("book")
SITE = Path("_build/html")
WITH_PARAMETERS = Path("_build/with-parameters")
BESIDE = Path("_build/rendering")


def render(root: Path = Path(), book: Path = BOOK, site: Path = SITE) -> None:
    """Build the whole site beside its place, check that every page came out, and swap it in."""
    root = root.resolve()
    shutil.rmtree(root / BESIDE, ignore_errors=True)
    # The script lies beside the interpreter; `python -m jupyter_book` does not exist.
    command = [str(Path(sys.executable).with_name("jupyter-book")), "build", str(book), "-q", "-W", "--keep-going"]
    command += ["--config", "_config.yml", "--toc", str(root / "_toc.yml"), "--path-output", str(root / BESIDE)]
    html = root / BESIDE / "_build" / "html"
    build(command, root)
    check_pages(html, root)
    _swap(html, root / site)
    shutil.rmtree(root / BESIDE)


def render_with_parameters(requests: Mapping[str, Mapping], root: Path = Path()) -> list[Path]:
    """Build the site once more, in a folder of its own, with a reader's values in some chapters."""
    book, site = WITH_PARAMETERS / "book", WITH_PARAMETERS / "html"
    shutil.rmtree(root / book, ignore_errors=True)
    shutil.copytree(root / BOOK, root / book)
    execute_with_parameters(requests, root / book, root)
    render(root, book, site)
    return [root / site / f"{name}.html" for name in requests]


def build(command: Sequence[str], root: Path) -> None:
    """Call a builder of pages that takes warnings as errors."""
    result = subprocess.run(command, cwd=root, capture_output=True, text=True)
    if result.returncode:
        raise ChapterError(click.unstyle(result.stdout + result.stderr))


def check_pages(html: Path, root: Path) -> None:
    """Say which pages a site lacks."""
    missing = [name for name in names(root) if not (html / f"{name}.html").is_file()]
    if missing:
        raise ChapterError(f"the site lacks the pages {', '.join(missing)}; _toc.yml promises them")


def _swap(new: Path, place: Path) -> None:
    old = place.with_name("html.old")
    shutil.rmtree(old, ignore_errors=True)
    if place.exists():
        place.rename(old)
    new.rename(place)
    shutil.rmtree(old, ignore_errors=True)
