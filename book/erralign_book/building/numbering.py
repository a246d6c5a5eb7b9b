"""Numbers of figures and tables, by chapter where it has a number, and links from tables to pages."""

import re
from collections import Counter
from collections.abc import Mapping
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from erralign.plot.html import numbered
from erralign_book.building.chapters import names, numbers

CELL = re.compile(r'(<td class="pages"[^>]*>)([^<]*)')


def number(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Count through what a page shows: what a notebook's cells put out stands in the page as raw HTML."""
    root = Path(app.config.external_toc_path).parent
    titles = {name: title.astext() for name, title in app.env.titles.items()} | {names(root)[0]: "the front page"}
    chapter = numbers(root).get(page)
    counts: Counter[str] = Counter()
    for node in doctree.findall(lambda node: isinstance(node, nodes.raw | nodes.table)):
        html = node.astext()
        if isinstance(node, nodes.table):
            _number_written(node, counts, chapter)
        elif "<figure" in html:
            node.children = [nodes.Text(linked(numbered(html, counts, chapter), titles))]


def _number_written(table: nodes.table, counts: Counter[str], chapter: int | None) -> None:
    """Put a number before the caption of a table that stands in the text of a chapter."""
    caption = table.next_node(nodes.title)
    if caption is not None:
        counts["table"] += 1
        place = counts["table"] if chapter is None else f"{chapter}.{counts['table']}"
        number = f"Table {place}."
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
