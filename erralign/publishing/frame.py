"""What stands around the text of every page: type, print, formulas, finding one's way. A Sphinx extension."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from erralign.publishing.finding import entitle, not_found
from erralign.publishing.formulas import lay_out_mathjax, set_names

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

STYLES = ("type.css", "access.css", "print.css")
SCRIPTS = ("print.js", "scrolling.js", "access.js")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the frame with Sphinx.

    Parameters
    ----------
    app : sphinx.application.Sphinx
        The application.

    Returns
    -------
    dict
        What Sphinx wants to know about an extension.
    """
    app.connect("config-inited", _configure)
    app.connect("doctree-resolved", set_names)
    app.connect("html-collect-pages", not_found)
    app.connect("html-page-context", entitle)
    app.connect("html-page-context", _choose_scripts, priority=900)  # after all that add scripts
    for style in STYLES:
        app.add_css_file(style)
    for script in SCRIPTS:
        app.add_js_file(script, loading_method="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _configure(app: Sphinx, config: Config) -> None:
    lay_out_mathjax(app)
    config.templates_path.insert(0, str(Path(app.srcdir, "templates")))


def _choose_scripts(app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Leave out MathJax where there is no formula: notebooks have it all."""
    if page == "search":
        app.add_js_file("search.js", loading_method="defer")
    if 'class="math' not in context.get("body", ""):
        scripts = context["script_files"]
        scripts[:] = [script for script in scripts if "mathjax" not in str(script).lower()]
