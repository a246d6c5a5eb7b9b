"""Render the executed chapters into a site, and put it in its place once it is whole."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import yaml

from erralign._validation import ChapterError
from erralign.files import write_whole
from erralign_book.building.chapters import names

BOOK = Path("book")
SITE = Path("_build/html")
BESIDE = Path("_build/rendering")
ONE_PAGE = Path("_build/page")


def render(root: Path = Path(), book: Path = BOOK, site: Path = SITE, toc: Path | None = None) -> None:
    """Build the whole site beside its place, check that every page came out, and swap it in."""
    root = root.resolve()
    shutil.rmtree(root / BESIDE, ignore_errors=True)
    html = _built(root, book, (toc or root / "_toc.yml").resolve(), root / BESIDE, "-W", "--keep-going")
    if missing := [name for name in names(root) if not (html / f"{name}.html").is_file()]:
        raise ChapterError(f"the site lacks the pages {', '.join(missing)}; _toc.yml promises them")
    place = root / site
    old = place.with_name("html.old")
    shutil.rmtree(old, ignore_errors=True)
    if place.exists():
        place.rename(old)
    html.rename(place)
    for done in (old, root / BESIDE):
        shutil.rmtree(done, ignore_errors=True)


def beside(page: str) -> list[str]:
    """List what is rendered with a single page: the pages that its terms and its citations lead to."""
    return [page, *(other for other in ("glossary", "bibliography") if other != page)]


def render_page(page: str, book: Path = BOOK) -> Path:
    """Render one page alone, for a look: links to other pages lead nowhere."""
    folder = ONE_PAGE.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy("CITATION.cff", folder)  # how a page is cited
    start, *others = reversed(beside(page))
    part = {"caption": page, "chapters": [{"file": name} for name in others]}
    toc = {"format": "jb-book", "root": start, "parts": [part]}
    write_whole(folder / "_toc.yml", yaml.safe_dump(toc))
    return _built(Path.cwd(), book, folder / "_toc.yml", folder) / f"{page}.html"


def _built(root: Path, book: Path, toc: Path, folder: Path, *options: str) -> Path:
    """Call jupyter-book, and return where it put the pages."""
    # The script lies beside the interpreter; `python -m jupyter_book` does not exist.
    command = [str(Path(sys.executable).with_name("jupyter-book")), "build", str(book), "-q", *options]
    build([*command, "--config", "_config.yml", "--toc", str(toc), "--path-output", str(folder)], root)
    return folder / "_build" / "html"


def build(command: Sequence[str], root: Path) -> None:
    """Call a builder of pages that takes warnings as errors."""
    result = subprocess.run(command, cwd=root, capture_output=True, text=True)
    if result.returncode:
        raise ChapterError(click.unstyle(result.stdout + result.stderr))
