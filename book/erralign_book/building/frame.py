"""What stands around the text of every page: scripts, contents, and one page of all lessons."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from bs4 import BeautifulSoup, Tag
from docutils import nodes
from sphinx.application import Sphinx

from erralign_book.building.chapters import lessons

# What a line of text may not part: a number and its per cent, a kind of thing and its number.
PARTED = re.compile(r"\s(?=%)|(?<=\bFigure)\s(?=\d)|(?<=\bTable)\s(?=\d)")
AS_WRITTEN = (nodes.literal, nodes.literal_block, nodes.math, nodes.math_block, nodes.raw)


def keep_together(_app: Sphinx, doctree: nodes.document, _page: str) -> None:
    """Keep a number and its per cent sign, or "Figure" and its number, on one line."""
    for text in list(doctree.findall(nodes.Text)):
        if not isinstance(text.parent, AS_WRITTEN) and PARTED.search(text):
            text.parent.replace(text, nodes.Text(PARTED.sub("\xa0", text)))


LESSONS: dict[str, str] = {}  # of all lessons, before anything stands around them


def gather(app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Keep the lessons for the page that has them all."""
    if page in lessons(Path(app.config.external_toc_path).parent):
        LESSONS[page] = context["body"]


def all_lessons(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Make one page of all lessons, to print or to save as PDF."""
    bodies = [LESSONS[page] for page in lessons(Path(app.config.external_toc_path).parent)]
    # The theme's script asks for a second sidebar, where something is wide.
    bodies.append('<div class="bd-sidebar-secondary" hidden></div>')
    yield "print", {"title": "All lessons", "body": "".join(bodies)}, "page.html"


def keywords(folder: Path) -> dict[str, list[str]]:
    """Read what readers call the subject of each page."""
    words = yaml.safe_load((folder / "keywords.yml").read_text(encoding="utf-8"))
    return {page: [word.lower() for word in its] for page, its in words.items()}


def choose_scripts(app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Leave out MathJax where there is no formula: notebooks have it all."""
    if page == "search":
        app.add_js_file(None, body=f"const KEYWORDS = {json.dumps(keywords(Path(app.srcdir)))};")
        app.add_js_file("search.js", loading_method="defer")
    if 'class="math' not in context.get("body", ""):
        scripts = context["script_files"]
        scripts[:] = [script for script in scripts if "mathjax" not in str(script).lower()]


def fold_contents(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Show where to start, the lessons and the part of the page in the contents, and the names of the other parts."""
    made = context["generate_toctree_html"]
    context["generate_toctree_html"] = lambda *kind, **options: folded(str(made(*kind, **options)))


def folded(contents: str) -> str:
    """Put each part behind the lessons into a fold, open where it holds the page."""
    soup = BeautifulSoup(contents, "html.parser")
    for caption in soup.select("p.caption")[2:]:
        pages = caption.find_next_sibling("ul")
        if isinstance(pages, Tag):
            attributes = {"open": ""} if pages.select_one(".current") else {}
            fold = caption.wrap(soup.new_tag("details", attrs=attributes))
            fold.append(pages.extract())
            caption.name = "summary"
            caption.attrs = {"class": "caption"}
    for toggle in soup.select("summary:has(> .toctree-toggle)"):
        toggle["aria-label"] = "Pages of this chapter"
    return str(soup)
