"""What stands around the text of every page: type, print, formulas, finding one's way. A Sphinx extension."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from erralign_book.building.finding import entitle, not_found
from erralign_book.building.formulas import lay_out_mathjax, set_names

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

ICON = re.compile(r"fa-[a-z0-9-]+")
ICON_RULE = re.compile(r"(?:\.fa-[a-z0-9-]+:before,?)+\{content:\"[^\"]*\"\}")
# What a line of text may not part: a number and its per cent, a kind of thing and its number. Code stays as it is.
AS_WRITTEN = re.compile(
    r"(<(?:pre|code|script|style|textarea)\b.*?</(?:pre|code|script|style|textarea)>|<[^>]*>)", re.S
)
PER_CENT = re.compile(r"(?<=\d)\s(?=%)")
NUMBERED = re.compile(r"\b(Figures?|Tables?|Equations?|Sections?|Chapters?|Experiments?|Appendix)\s(?=[A-Z]?\d)")
STYLES = ("type.css", "tables.css", "folds.css", "access.css", "print.css")
SCRIPTS = ("print.js", "scrolling.js", "access.js")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the frame with Sphinx."""
    app.connect("config-inited", _configure)
    app.connect("doctree-resolved", set_names)
    app.connect("html-collect-pages", not_found)
    app.connect("html-page-context", entitle)
    app.connect("build-finished", _leave_out_icons)
    app.connect("html-page-context", _keep_together)
    app.connect("html-page-context", _choose_scripts, priority=900)  # after all that add scripts
    for style in STYLES:
        app.add_css_file(style)
    for script in SCRIPTS:
        app.add_js_file(script, loading_method="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _configure(app: Sphinx, config: Config) -> None:
    lay_out_mathjax(app)
    config.templates_path.insert(0, str(Path(app.srcdir, "templates")))


def kept_together(html: str) -> str:
    r"""Keep a number and its per cent sign, or "Figure" and its number, on one line."""
    pieces = AS_WRITTEN.split(html)
    before = ""
    for place in range(0, len(pieces), 2):  # every second piece is a tag, or code
        # A number that code has put into a sentence ends in a tag of its own.
        text = NUMBERED.sub("\\1\xa0", PER_CENT.sub("\xa0", before + pieces[place]))
        pieces[place] = text[len(before) :]
        before = pieces[place][-1:] or before
    return "".join(pieces)


def _keep_together(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    context["body"] = kept_together(context.get("body", ""))


def _choose_scripts(app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Leave out MathJax where there is no formula: notebooks have it all."""
    if page == "search":
        app.add_js_file("search.js", loading_method="defer")
    if 'class="math' not in context.get("body", ""):
        scripts = context["script_files"]
        scripts[:] = [script for script in scripts if "mathjax" not in str(script).lower()]


def _leave_out_icons(app: Sphinx, _problem: Exception | None) -> None:
    """Take the names of icons that no page shows out of the theme's style sheet: a fifth of it."""
    sheet = Path(app.outdir, "_static", "styles", "pydata-sphinx-theme.css")
    if sheet.is_file():
        pages = "".join(page.read_text(encoding="utf-8") for page in Path(app.outdir).glob("*.html"))
        used = set(ICON.findall(pages))
        text = ICON_RULE.sub(
            lambda rule: rule[0] if used & set(ICON.findall(rule[0])) else "", sheet.read_text("utf-8")
        )
        sheet.write_text(text, encoding="utf-8")
