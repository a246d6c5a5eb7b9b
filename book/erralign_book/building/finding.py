"""How a page is found and shown elsewhere: its title, a description, a card; search; the page for what is not there."""

import tomllib
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import yaml
from bs4 import BeautifulSoup
from docutils import nodes
from sphinx.application import Sphinx

from erralign_book.building.pictures import CARD
from erralign_book.set_pieces.signature import steps

SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
LENGTH = 200  # characters of a description
BIBTEX, NOT_FOUND = (Path(__file__).with_name(f"{name}.html").read_text("utf-8") for name in ("cite", "not-found"))
MOVED = tomllib.loads(Path(__file__).with_name("moved.toml").read_text(encoding="utf-8"))


def description(body: str) -> str:
    """Return what a page is about: its first paragraph, cut at a word."""
    paragraph = BeautifulSoup(body, "html.parser").find("p")
    text = " ".join(paragraph.get_text().split()) if paragraph else ""
    return text if len(text) <= LENGTH else text[:LENGTH].rsplit(" ", 1)[0] + " …"


@cache
def about_card() -> str:
    """Return the alternative text of the card, which has the second step of the front page's signature."""
    shown = steps()[1]
    groups = "; ".join(f"{len(group.pictures)}: {group.words}" for group in shown.groups)
    return f"{shown.sentence} Silhouettes in groups: {groups}."


def cite(app: Sphinx, page: str, _template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Say how a page is cited, for people at its end and in its head for programs that collect references."""
    if doctree is None:
        return
    software = yaml.safe_load(Path(app.config.external_toc_path).with_name("CITATION.cff").read_text(encoding="utf-8"))
    fields = {
        "citation_title": BeautifulSoup(context["title"], "html.parser").get_text(),
        "citation_author": "; ".join(author["name"] for author in software["authors"]),
        "citation_publication_date": f"{software['date-released']:%Y/%m/%d}",
        "citation_inbook_title": app.config.html_title,
        "citation_public_url": f"{app.config.html_baseurl.rstrip('/')}/{page}.html",
    }
    fields = {name: escape(text) for name, text in fields.items()}
    context["metatags"] += "".join(f'<meta name="{name}" content="{text}" />\n' for name, text in fields.items())
    context["body"] += BIBTEX.format(page=page, version=software["version"], **fields)


def entitle(app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Give a page a title that says each thing once, and what other sites show of it."""
    if page == app.config.root_doc:
        context["docstitle"] = ""
    body = context.get("body", "")
    address = app.config.html_baseurl.rstrip("/")
    shown = {
        "og:type": "article",
        "og:site_name": app.config.html_title,
        "og:title": BeautifulSoup(context.get("title", ""), "html.parser").get_text(),
        "og:description": description(body),
        "og:url": f"{address}/{page}.html",
        "og:image": f"{address}/_static/{CARD.name}",
        "og:image:alt": about_card(),
    }
    tags = [f'<meta property="{name}" content="{escape(text)}" />' for name, text in shown.items() if text]
    tags += [f'<meta name="description" content="{escape(shown["og:description"])}" />'] if body else []
    tags += ['<meta name="twitter:card" content="summary_large_image" />']
    context["metatags"] = context.get("metatags", "") + "\n".join(tags) + "\n"


def sitemap(app: Sphinx, error: Exception | None) -> None:
    """List the addresses of all pages for search engines."""
    if error is not None or not app.config.html_baseurl:
        return
    address = app.config.html_baseurl.rstrip("/")
    pages = sorted(app.env.found_docs)
    urls = "\n".join(f"<url><loc>{address}/{page}.html</loc></url>" for page in pages)
    text = f'<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="{SITEMAP}">\n{urls}\n</urlset>\n'
    Path(app.outdir, "sitemap.xml").write_text(text, encoding="utf-8")


def not_found(_app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Make the page that a server shows for an address that does not exist."""
    yield "404", {"title": "Not found", "body": NOT_FOUND}, "page.html"


def moved(_app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Lead from the addresses of pages that became part of another one to that page."""
    for old, new in MOVED.items():
        body = f'<h1>Moved</h1><p>This page is now part of <a href="{new}.html">another one</a>.</p>'
        refresh = f'<meta http-equiv="refresh" content="0; url={new}.html">'
        yield old, {"title": "Moved", "body": body, "metatags": refresh}, "page.html"
