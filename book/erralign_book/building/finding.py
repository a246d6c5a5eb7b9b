"""How a page is found and cited: what templates/layout.html and foot.html know; search engines."""

from collections.abc import Iterator
from pathlib import Path
from textwrap import shorten
from typing import Any

import yaml
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ConfigError

SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
LENGTH = 200  # characters of a description
NOT_FOUND = Path(__file__).with_name("not-found.html").read_text(encoding="utf-8")
MOVED = Path(__file__).with_name("moved.html").read_text(encoding="utf-8")


def describe(app: Sphinx, page: str, _template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Say what a page is about, which is its first paragraph, and how it is cited."""
    if page == app.config.root_doc:
        context["docstitle"] = ""  # the title says it already
    if doctree is None:
        return
    software = yaml.safe_load(Path(app.config.external_toc_path).with_name("CITATION.cff").read_text(encoding="utf-8"))
    paragraph = doctree.next_node(nodes.paragraph)
    context["description"] = shorten(paragraph.astext(), LENGTH, placeholder=" …") if paragraph else ""
    context["citation"] = {
        "author": "; ".join(author["name"] for author in software["authors"]),
        "book": app.config.html_title,
        "date": str(software["date-released"]),
        "url": f"{app.config.html_baseurl.rstrip('/')}/{page}.html",
        "version": software["version"],
    }


def sitemap(app: Sphinx, error: Exception | None) -> None:
    """List the addresses of all pages for search engines."""
    if error is not None or not app.config.html_baseurl:
        return
    address = app.config.html_baseurl.rstrip("/")
    urls = "\n".join(f"<url><loc>{address}/{page}.html</loc></url>" for page in sorted(app.env.found_docs))
    text = f'<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="{SITEMAP}">\n{urls}\n</urlset>\n'
    Path(app.outdir, "sitemap.xml").write_text(text, encoding="utf-8")


def not_found(_app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Make the page that a server shows for an address that does not exist."""
    yield "404", {"title": "Not found", "body": NOT_FOUND}, "page.html"


def redirect(app: Sphinx, error: Exception | None) -> None:
    """Keep the addresses of pages that became a part of another one: ``redirects`` in _config.yml names both."""
    if error is not None:
        return
    for old, new in app.config.redirects.items():
        if old in app.env.found_docs:
            raise ConfigError(f"redirects in _config.yml: {old} is still a page; expected one that has moved")
        page, hash_sign, section = new.partition("#")
        file, section = f"{page}.html", hash_sign + section
        text = MOVED.format(place=file + section, page=file, section=section)
        Path(app.outdir, f"{old}.html").write_text(text, encoding="utf-8")
