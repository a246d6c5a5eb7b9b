"""How a page is found and cited: what templates/layout.html and foot.html know; search engines."""

from collections.abc import Iterator
from pathlib import Path
from textwrap import shorten
from typing import Any

import yaml
from docutils import nodes
from sphinx.application import Sphinx

SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
LENGTH = 200  # characters of a description
NOT_FOUND = Path(__file__).with_name("not-found.html").read_text(encoding="utf-8")


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
