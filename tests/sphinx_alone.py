"""Build the site with Sphinx alone, beside jupyter-book's: a workflow asks each week whether we could leave that."""

import re
import shutil
import sys
from pathlib import Path

import yaml
from bs4 import BeautifulSoup

from erralign_book.building.chapters import names
from erralign_book.building.pages import SITE, build

# What only jupyter-book itself needs.
LEFT_OUT = {"jupyter_book", "sphinx_comments", "sphinx_multitoc_numbering"}


def settings(root):
    """Return what ``_config.yml`` says, and what jupyter-book adds to it, in Sphinx's own names."""
    book = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    sphinx, html, repository = book["sphinx"]["config"], book["html"], book["repository"]
    buttons = {
        "repository_url": repository["url"],
        "repository_branch": repository["branch"],
        "path_to_docs": repository["path_to_book"],
        "launch_buttons": book["launch_buttons"],
        **{name: html[name] for name in ("use_repository_button", "use_issues_button")},
    }
    return {
        **{name: book[name] for name in ("author", "copyright")},
        "bibtex_bibfiles": [str(root / "book" / name) for name in book["bibtex_bibfiles"]],
        "html_title": book["title"],
        "html_logo": str(root / "book" / book["logo"]),
        "html_favicon": str(root / "book" / html["favicon"]),
        "html_baseurl": html["baseurl"],
        "html_theme": "sphinx_book_theme",
        "html_sourcelink_suffix": "",
        "external_toc_path": str(root / "_toc.yml"),
        "external_toc_exclude_missing": book["only_build_toc_files"],
        "nb_execution_mode": book["execute"]["execute_notebooks"],
        "myst_enable_extensions": ["colon_fence", "dollarmath", "linkify", "substitution", "tasklist"],
        "numfig": True,
        **sphinx,
        "extensions": [name for name in sphinx["extensions"] if name not in LEFT_OUT],
        "html_theme_options": buttons | sphinx["html_theme_options"],
    }


def render(root):
    """Build the site from the executed chapters."""
    folder = root / "_build" / "sphinx-alone"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "conf.py").write_text("".join(f"{name} = {value!r}\n" for name, value in settings(root).items()))
    build([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-c", folder, "book", folder / "html"], root)
    return folder / "html"


def differences(site, other, pages):
    """Name the pages whose text or charts differ between two sites, and those whose links the other site lacks."""
    found = []
    for page in pages:
        one, two = (_seen(html / f"{page}.html") for html in (site, other))
        two["links"] &= one["links"]  # a newer Sphinx may find more
        found += [f"{page}: other {what}" for what, content in one.items() if content != two[what]]
    return found


def _seen(page):
    """Return what a reader gets from a page: its words, how many charts, and where its links lead."""
    (article,) = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser").select("article")
    for part in article.select("script:not([type*=json]), style, .made-with, .headerlink"):
        part.decompose()
    return {
        "charts": len(re.findall("vega", str(article))),
        "links": {link["href"] for link in article.select("a[href]")},
        "text": "".join(article.get_text().split()),  # versions differ in spaces
    }


if __name__ == "__main__":
    if found := differences(SITE, render(Path().resolve()), names()):
        sys.exit(f"Sphinx alone gives other pages than jupyter-book: {'; '.join(found)}")
