"""What the site needs beyond its text: charts without a network, the foot of each page, cures for the theme."""

from __future__ import annotations

import base64
import json
import platform
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bs4 import BeautifulSoup, Tag
from docutils import nodes

from erralign.files import OF_CHARTS, VEGA, bundle
from erralign.plot.colours import BLUE, DARK, MAGENTA, ORANGE
from erralign.plot.html import NUMERIC
from erralign_book.building import own_data
from erralign_book.building.chapters import CHART
from erralign_book.building.drawings import with_drawing
from erralign_book.building.formulas import lay_out_mathjax

if TYPE_CHECKING:
    from myst_nb.core.render import MimeData, NbElementRenderer
    from sphinx.application import Sphinx
    from sphinx.config import Config

LIBRARIES = ("erralign", "numpy", "scipy", "pandas", "altair")
FONTS = {
    "text": ("Erralign Sans", "normal"),
    "text-italic": ("Erralign Sans", "italic"),
    "code": ("Erralign Code", "normal"),
}
TABLE = re.compile(r"<table\b.*?</table>", re.S)
SENTENCE = 40  # letters of a cell that is read rather than compared
# From a style sheet a font comes after the text is laid out, and lines break anew.
BRING_FONTS = """\
for (const [family, style, data] of %s) {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  document.fonts.add(new FontFace(family, bytes, { style, weight: "400 700" }));
}
"""


class ChartRenderer:
    """Turn a chart in a notebook into a figure that is drawn, and that ``charts.js`` draws once it is touched."""

    mime_priority_overrides = (("html", CHART, 1),)

    @staticmethod
    def handle_mime(renderer: NbElementRenderer, data: MimeData, _inline: bool) -> list[nodes.Element] | None:
        """Return the figure, or None for anything but a chart (myst-nb's protocol)."""
        if data.mime_type != CHART:
            return None
        return [nodes.raw("", with_drawing(data.content, Path(renderer.source).stem), format="html")]


@cache
def made_with(root: Path) -> str:
    """Return, for whoever reads a page's source, the versions and the commit that made it."""
    versions = ", ".join(f"{library} {version(library)}" for library in LIBRARIES)
    return f"Python {platform.python_version()}, {versions}, {commit(root)}"


def commit(root: Path) -> str:
    """Name the commit that a folder is at."""
    command = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    try:
        described = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown commit"
    return f"commit {described.stdout.strip()}"


def lay_out_assets(app: Sphinx, config: Config) -> None:
    """Take the libraries from Python packages: the site needs no network."""
    vendored, assets = Path(app.outdir).with_name("assets"), Path(app.srcdir, "assets")
    lay_out_libraries(vendored / "vendor", assets)
    own_data.write_published(vendored)
    # Not book/_static: jupyter-book puts every script there on every page, too early.
    config.html_static_path = [str(assets), str(vendored)]
    config.templates_path.insert(0, str(Path(app.srcdir, "templates")))


def lay_out_libraries(folder: Path, assets: Path) -> None:
    """Put Vega, MathJax and the fonts into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / VEGA).write_text(bundle(), encoding="utf-8")
    (folder / "colours.css").write_text(colours(), encoding="utf-8")
    fonts = {name: (assets / "fonts" / f"{name}.woff2").read_bytes() for name in FONTS}
    faces = [(*face, base64.b64encode(fonts[name]).decode()) for name, face in FONTS.items()]
    (folder / "fonts.js").write_text(BRING_FONTS % json.dumps(faces), encoding="utf-8")
    lay_out_mathjax(folder / "mathjax")


def colours() -> str:
    """Return the one colour law for style sheets."""
    named = {"people": ORANGE, "machines": BLUE, "you": MAGENTA}
    light = "; ".join(f"--{name}: {colour}" for name, colour in named.items())
    dark = "; ".join(f"--{name}: {DARK[colour]}" for name, colour in named.items())
    return f'html {{ {light} }}\n@media not print {{ html[data-theme="dark"] {{ {dark} }} }}\n'


def accessible(html: str) -> str:
    """Return tables as axe-core wants them, in which an empty cell is no heading, with cells that know their column."""
    soup = BeautifulSoup(html, "html.parser")
    for cell in soup.select("th:empty"):
        cell.name = "td"
    for table in soup("table"):
        if heads := table.select("table:is(.table, .dataframe) thead tr:last-child"):
            _align_numbers(heads + table.select("tbody tr"))
        cells = table.select("tbody :is(td, th)")
        if _is_wide(table) or table.select_one("td.words, td.pages") or any(map(_is_read, cells)):
            _name_cells(table)  # on a phone a row is a card: tables.css
    return str(soup)


def _align_numbers(rows: list[Tag]) -> None:
    """Mark the numbers of a table that is typed or printed, as plot.table does."""
    # From the right: a name that spans rows is in the first of them only.
    for head, *cells in zip(*(row(["th", "td"])[::-1] for row in rows), strict=False):
        if all(NUMERIC.match(cell.get_text(strip=True).replace("-", "−")) for cell in cells):
            for cell in (head, *cells):
                cell["class"] = "number"


def _is_read(cell: Tag) -> bool:
    return len(cell.get_text()) > SENTENCE * (2 if cell.name == "th" else 1)  # a name of a row may be long


def _is_wide(table: Tag) -> bool:
    """Return whether a short table is wider than a phone; a long one scrolls, with its names in sight."""
    heads, rows = table.select("thead tr"), table.select("tbody tr")
    return len(heads) == 1 and 0 < len(rows) <= 10 and 5 < len(rows[0](["th", "td"])) < 9


def _name_cells(table: Tag) -> None:
    """Tell each cell behind a row's first the name of its column: of heads of several levels, all of them."""
    names: dict[int, list[str]] = {}
    for column, cell in _in_columns(table.select("thead tr")):
        if words := cell.get_text(strip=True):
            names.setdefault(column, []).append(words)
    for column, cell in _in_columns(table.select("tbody tr")):
        if column and cell.get_text(strip=True) != "–":  # a card leaves out what there is none of
            cell.attrs.setdefault("data-head", ", ".join(names.get(column, [])))


def _in_columns(rows: list[Tag]) -> Iterator[tuple[int, Tag]]:
    """Yield the cells of rows, each with the columns that it covers; a cell may reach down into later rows."""
    reaching: Counter[int] = Counter()  # column -> rows below, in which it is taken
    for row in rows:
        taken, column = set(reaching), 0
        reaching -= Counter(taken)
        for cell in row(["th", "td"]):
            while column in taken:
                column += 1
            for _ in range(int(str(cell.get("colspan", "1")))):
                yield column, cell
                reaching[column] += int(str(cell.get("rowspan", "1"))) - 1
                column += 1
        reaching = +reaching


def finish_page(app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Give a page its foot, its forms, and the styles and scripts that its parts need."""
    body = context.get("body", "")
    styles, scripts = own_data.live_parts(body)
    body = TABLE.sub(lambda table: accessible(table[0]), body)
    body = body.replace(' aria-label="Toggle hidden content"', "")  # myst-nb's, of folds that say what they hold
    body_with_forms = own_data.FORM.sub(lambda form: Path(app.srcdir, f"forms/{form[1]}.html").read_text("utf-8"), body)
    foot = app.builder.templates.render("foot.html", context | {"made_with": made_with(Path(app.srcdir))})
    context["body"] = body_with_forms + foot
    context["metatags"] = own_data.policy(body) + context.get("metatags", "")
    if page == app.config.root_doc:
        styles = [*styles, "front.css"]
    if "tag_sortable" in body:
        scripts = [*scripts, "sorting.js"]
    if scripts or 'class="vl"' in body:
        scripts = [*OF_CHARTS[1:], *scripts]
    for style in styles:
        app.add_css_file(style)
    for script in scripts:
        app.add_js_file(script, loading_method="defer")
