"""Slides: a deck per lesson, made of its charts, tables, formulas and numbers, with what the speaker says and asks.

A deck is a text in book/slides. What stands above its first heading is the opening, which begins with the deck's own
title, if it has one (``# Title``), or gets the page's; each heading begins a slide, and ``## {title}`` takes the title
of what the slide shows. ``show: words`` stands for the one formula or output of the
lesson whose source has these words; a list after ``bars: 1`` becomes bars up to 1. What follows ``Note:`` is for the
speaker. The lesson's votes (book/votes.yml) come last.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping
from functools import cache, partial
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

import nbformat
import yaml
from nbformat import NotebookNode

from erralign._validation import ChapterError
from erralign.files import OF_CHARTS, write_whole
from erralign_book.building import chapters
from erralign_book.building.chapters import CHART
from erralign_book.building.course import numbers, plain, titles
from erralign_book.building.drawings import with_drawing
from erralign_book.building.formulas import upright
from erralign_book.building.own_data import live_parts
from erralign_book.building.pages import BOOK, SITE
from erralign_book.building.site import accessible, lay_out_libraries

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

SOURCES, VOTES, TEMPLATE = BOOK / "slides", BOOK / "votes.yml", BOOK / "templates" / "slides.html"
SLIDES = Path("_build/slides")
STYLES = ("vendor/colours.css", "type.css", "style.css", "tables.css", "slides.css")
SCRIPTS = ("slides.js", *OF_CHARTS[1:])
# Of live parts of a page that decks show, too (own_data.LIVE_PARTS).
LIVE = ("pictures.css", "signature.css", "signature.webp", "tiles.css", "tiles.js", "own-data/measures.js")
ASSETS = (*STYLES[1:], *SCRIPTS, *LIVE)  # lie in book/assets; the colours are written
HIGHEST = 230  # pixels of a chart, before it is enlarged
SHOW = re.compile(r"^show: (.+)$", re.M)
BARS = re.compile(r"^bars: ([\d.]+)\n((?:\* .+\n?)+)", re.M)
ITEM = re.compile(r"^\* (.+): (\D*([\d.]+).*)$", re.M)
FORMULA = re.compile(r"^\$\$.+?\$\$", re.M | re.S)
# In pixels: a chart with such a part, or whose scale ends at its height, keeps its height.
AT_PIXELS = re.compile(r'"y2?": {"value"|"range": \[\d')
CAPTION = re.compile(r"<figcaption>(.*?)</figcaption>", re.S)


def names(root: Path = Path()) -> list[str]:
    """List the pages that have a deck, in the reader's order."""
    return [name for name in chapters.names(root) if (root / SOURCES / f"{name}.md").is_file()]


def write(name: str, root: Path = Path()) -> None:
    """Write the deck of a lesson, which shows what the executed lesson shows."""
    notebook = nbformat.read(root / BOOK / f"{name}.ipynb", 4)
    text = (root / SOURCES / f"{name}.md").read_text(encoding="utf-8")
    try:
        opening, *others = plain(text, numbers(notebook), root).split("\n## ")
    except KeyError as missing:
        raise ChapterError(f"slides of {name}: the lesson has no number {missing}; name another, or drop it") from None
    title = titles(root)[name]
    if opening.startswith("# "):
        title, _, opening = opening.removeprefix("# ").partition("\n")
    show = partial(_found, name, notebook)
    slides = [_slide(text, show) for text in (f"{title}\n{opening}", *others)]
    slides += [_vote(vote) for vote in votes(root) if vote["lesson"] == name]
    template = Template((root / TEMPLATE).read_text(encoding="utf-8"))
    live_styles, live_scripts = live_parts("".join(slides))
    styles = [f'<link rel="stylesheet" href="_static/{style}">' for style in (*STYLES, *live_styles)]
    scripts = ("vendor/mathjax/startup.js", *SCRIPTS, *live_scripts)
    loaded = ['<script src="_static/vendor/fonts.js"></script>']
    loaded += [f'<script defer src="_static/{script}"></script>' for script in scripts]
    parts = {"styles": styles, "scripts": loaded, "slides": slides}
    deck = template.substitute(title=escape(title), **{name: "\n".join(part) for name, part in parts.items()})
    (root / SLIDES).mkdir(parents=True, exist_ok=True)
    write_whole(root / SLIDES / f"{name}.html", deck)


@cache
def votes(root: Path) -> list[dict[str, Any]]:
    """Read the questions on which a class votes."""
    return list(yaml.safe_load((root / VOTES).read_text(encoding="utf-8")))


def lay_out() -> None:
    """Put what decks load where the site has it, too: they need no network."""
    static = SLIDES / "_static"
    shutil.copytree(BOOK / "assets" / "fonts", static / "fonts", dirs_exist_ok=True)
    (static / "own-data").mkdir(exist_ok=True)
    for asset in ASSETS:
        shutil.copy(BOOK / "assets" / asset, static / asset)
    lay_out_libraries(static / "vendor", BOOK / "assets")


def offer() -> None:
    """Put the decks into the site."""
    for deck in SLIDES.glob("*.html"):
        shutil.copy(deck, SITE / f"slides-{deck.name}")


def _slide(text: str, show: Callable[[str], str]) -> str:
    """Return a slide: its heading, its words with what it shows, and the notes."""
    heading, _, rest = text.partition("\n")
    body, _, notes = rest.partition("\nNote: ")
    body = SHOW.sub(lambda line: f'\n<div class="shown">{show(line[1])}</div>\n', body)
    body = BARS.sub(lambda bars: f'\n<div class="shown">{_bars(bars[2], float(bars[1]))}</div>\n', body)
    caption = CAPTION.search(body)
    title = caption[1] if caption and heading == "{title}" else markdown().renderInline(heading)
    return _framed(title, markdown().render(CAPTION.sub("", body)), notes)


def _bars(items: str, most: float) -> str:
    """Return numbers as bars, in the colours of whom they are of."""
    rows = ""
    for label, words, value in ITEM.findall(items):
        kind = "people" if "people" in label else "networks" if "network" in label else ""
        bar = f'<span class="bar" style="--value: {100 * float(value) / most:.1f}"><i>{escape(words)}</i></span>'
        rows += f'<li class="{kind}"><span>{escape(label)}</span>{bar}</li>'
    return f'<ul class="bars">{rows}</ul>'


def _vote(vote: Mapping[str, Any]) -> str:
    """Return a slide on which a class votes; its notes have the answer."""
    options = "".join(f"<li>{markdown().renderInline(option)}</li>" for option in vote["options"])
    right = vote["options"]["ABCD".index(vote["right"])]
    notes = f"Vote alone, talk to a neighbour, vote again.\n\n**Right: {vote['right']}** ({right}). {vote['why']}"
    return _framed(markdown().renderInline(vote["question"]), f'<ol type="A">{options}</ol>', notes)


def _framed(title: str, body: str, notes: str) -> str:
    aside = f'<aside class="notes">{markdown().render(notes)}</aside>'
    return f'<section class="slide"><div class="frame"><h2>{title}</h2>\n{body}</div>{aside}</section>'


def _found(name: str, notebook: NotebookNode, words: str) -> str:
    """Return the one formula or output of a lesson whose source has these words, as HTML without an empty line."""
    parts = [html for cell in notebook.cells for source, html in _shows(cell, name) if words in source]
    if len(parts) != 1:
        raise ChapterError(f"slides of {name}: {len(parts)} formulas or outputs of the lesson have {words!r}, not one")
    return re.sub(r"\n\s*\n", "\n", parts[0])


def _shows(cell: NotebookNode, name: str) -> list[tuple[str, str]]:
    """List what a cell shows, each beside the source in which a deck's words are looked for."""
    if cell.cell_type == "markdown":
        return [(formula, markdown().render(formula)) for formula in FORMULA.findall(cell.source)]
    outputs = [output["data"] for output in cell.get("outputs", []) if "data" in output]
    charts = [with_drawing(_less_high(data[CHART]), name) for data in outputs if CHART in data]
    tables = [accessible(data["text/html"]) for data in outputs if "text/html" in data]
    return [(cell.source, html) for html in charts + tables]


def _less_high(chart: dict[str, Any]) -> dict[str, Any]:
    """Return a chart for a slide, which is wider than a page: the less high it is, the larger is its type."""
    height, layers = chart.get("height"), json.dumps(chart.get("layer"))
    if not isinstance(height, int | float) or AT_PIXELS.search(layers) or f"[{height}, 0]" in layers:
        return chart
    return {**chart, "height": min(height, HIGHEST)}


@cache
def markdown() -> MarkdownIt:
    """Return the parser of slides: Markdown, with formulas for MathJax."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    def in_brackets(formula: str, how: Mapping[str, bool]) -> str:
        first, last = (r"\[", r"\]") if how["display_mode"] else (r"\(", r"\)")
        return escape(f"{first}{upright(formula)}{last}")

    return MarkdownIt("commonmark", {"html": True}).use(dollarmath_plugin, renderer=in_brackets)
