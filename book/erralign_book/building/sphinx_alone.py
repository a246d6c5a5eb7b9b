"""Build the site with Sphinx alone, the way out of jupyter-book 1.x (CONTRIBUTING.md); a weekly workflow calls this."""

import re
import shutil
import sys
from pathlib import Path
from typing import Any

import yaml
from bs4 import BeautifulSoup

from erralign.errors import ChapterError
from erralign_book.building.chapters import names
from erralign_book.building.pages import SITE, build, check_pages

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


def differences(site: Path, other: Path, pages: list[str]) -> list[str]:
    """Name the pages whose text or charts differ between two sites, and those whose links the other site lacks."""
    found = []
    for page in pages:
        one, two = (_seen(html / f"{page}.html") for html in (site, other))
        two["links"] &= one["links"]  # a newer Sphinx may find more
        found += [f"{page}: other {what}" for what, content in one.items() if content != two[what]]
    return found


def _seen(page: Path) -> dict[str, Any]:
    """Return what a reader gets from a page: its words, how many charts, and where its links lead."""
    (article,) = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser").select("article")
    for part in article.select("script:not([type*=json]), style, .made-with, .headerlink"):
        part.decompose()
    return {
        "charts": len(re.findall("vega", str(article))),
        "links": {link["href"] for link in article.select("a[href]")},
        "text": "".join(article.get_text().split()),  # versions differ in spaces
    }


def main() -> None:
    """Build the site with Sphinx alone, and compare it with the site that jupyter-book built."""
    html = render()
    if found := differences(SITE, html, names(Path())):
        raise ChapterError(f"Sphinx alone gives other pages than jupyter-book: {'; '.join(found)}")
    print(f"{html}: the same text, charts and links as {SITE}")


if __name__ == "__main__":
    main()
