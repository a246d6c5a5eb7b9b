"""Build the site with Sphinx alone, in whatever version is installed: the way out of jupyter-book 1.x.

That version is in maintenance and pins Sphinx 7. A weekly workflow calls
``python -m erralign_book.building.sphinx_alone`` beside the newest Sphinx, myst-nb and sphinx-book-theme, so that the
book can leave it on any day.
"""

import shutil
import sys
from pathlib import Path
from typing import Any

import yaml

from erralign_book.building.pages import build, check_pages

FOLDER = Path("_build/sphinx-alone")
# What only jupyter-book itself needs.
LEFT_OUT = {"jupyter_book", "sphinx_comments", "sphinx_multitoc_numbering"}


def settings(root: Path) -> dict[str, Any]:
    """Return what ``_config.yml`` says, and what jupyter-book adds to it, in Sphinx's own names."""
    book = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    sphinx = book["sphinx"]["config"]
    return {
        "author": book["author"],
        "copyright": book["copyright"],
        "bibtex_bibfiles": [str(root / "book" / name) for name in book["bibtex_bibfiles"]],
        "html_title": book["title"],
        "html_logo": str(root / "book" / book["logo"]),
        "html_favicon": str(root / "book" / book["html"]["favicon"]),
        "html_baseurl": book["html"]["baseurl"],
        "html_theme": "sphinx_book_theme",
        "html_sourcelink_suffix": "",
        "external_toc_path": str(root / "_toc.yml"),
        "external_toc_exclude_missing": book["only_build_toc_files"],
        "nb_execution_mode": book["execute"]["execute_notebooks"],
        "myst_enable_extensions": ["colon_fence", "dollarmath", "linkify", "substitution", "tasklist"],
        "numfig": True,
        **sphinx,
        "extensions": [name for name in sphinx["extensions"] if name not in LEFT_OUT],
        "html_theme_options": {**_buttons(book), **sphinx["html_theme_options"]},
    }


def _buttons(book: dict[str, Any]) -> dict[str, Any]:
    repository, html = book["repository"], book["html"]
    return {
        "repository_url": repository["url"],
        "repository_branch": repository["branch"],
        "path_to_docs": repository["path_to_book"],
        "launch_buttons": book["launch_buttons"],
        "use_repository_button": html["use_repository_button"],
        "use_issues_button": html["use_issues_button"],
    }


def render(root: Path = Path()) -> Path:
    """Build the site from the executed chapters."""
    root = root.resolve()
    folder = root / FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    lines = [f"{name} = {value!r}\n" for name, value in settings(root).items()]
    (folder / "conf.py").write_text("".join(lines), encoding="utf-8")
    html = folder / "html"
    build([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-c", str(folder), "book", str(html)], root)
    check_pages(html, root)
    return html


if __name__ == "__main__":
    print(render())
