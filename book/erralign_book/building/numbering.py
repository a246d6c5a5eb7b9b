"""Numbers of figures and tables by chapter, and links from tables to pages."""

import re
from collections import Counter
from collections.abc import Mapping
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from erralign.plot.html import numbered
from erralign_book.building.chapters import names

CELL = re.compile(r'(<td class="pages"[^>]*>)([^<]*)')


def number(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Count through what a page shows: what a notebook's cells put out stands in the page as raw HTML."""
    chapters = names(Path(app.config.external_toc_path).parent)
    titles = {name: title.astext() for name, title in app.env.titles.items()} | {chapters[0]: "the front page"}
    chapter = chapters.index(page) if page in chapters else 0
    counts: Counter[str] = Counter()
    for node in doctree.findall(lambda node: isinstance(node, nodes.raw | nodes.table)):
        html = node.astext()
        if isinstance(node, nodes.table):
            _number_written(node, counts, chapter)
        elif "<figure" in html:
            node.children = [nodes.Text(linked(numbered(html, counts, chapter or None), titles))]


def _number_written(table: nodes.table, counts: Counter[str], chapter: int) -> None:
    """Put a number before the caption of a table that stands in the text of a chapter."""
    caption = table.next_node(nodes.title)
    if caption is not None:
        counts["table"] += 1
        number = f"Table {chapter}.{counts['table']}."
        # Sphinx numbers what it knows by its first name, with a number of its own.
        table["ids"].insert(0, number.lower().strip(".").replace(" ", "-").replace(".", "-"))
        caption.insert(0, [nodes.inline("", number, classes=["number"]), nodes.Text(" ")])


def linked(html: str, titles: Mapping[str, str]) -> str:
    """Turn the names of pages into links, in cells of tables that are meant to hold such names."""
    longest_first = sorted(map(re.escape, titles), key=len, reverse=True)
    named = re.compile(rf"(?<![\w-])({'|'.join(longest_first)})(?![\w-])")

    def link(name: re.Match[str]) -> str:
        return f'<a href="{name[1]}.html">{escape(titles[name[1]])}</a>'

    return CELL.sub(lambda cell: cell[1] + named.sub(link, cell[2]), html)
