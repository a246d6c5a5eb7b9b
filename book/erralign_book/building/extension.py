"""The site's own Sphinx extension: what of ours runs when, and what every page loads."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from erralign_book.building import course, finding, folds, formulas, frame, functions, numbering, shown, site
from erralign_book.building.pages import BOOK

# In the order of a build; of one moment, in the order in which they run.
MOMENTS: dict[str, tuple[Callable[..., Any], ...]] = {
    "config-inited": (site.lay_out_assets,),
    "doctree-read": (folds.fold,),
    "doctree-resolved": (
        frame.keep_together,
        numbering.number,
        formulas.set_names,
        functions.break_names,
        functions.list_all,
    ),
    "html-collect-pages": (finding.not_found, frame.all_lessons),
    "html-page-context": (frame.gather, finding.describe, site.finish_page),
    "build-finished": (finding.sitemap, finding.redirect),
}
STYLES = ("vendor/colours.css", "style.css", "type.css", "tables.css", "folds.css", "access.css", "print.css")
SCRIPTS = ("page.js", "guest.js", "print.js", "scrolling.js")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register all this with Sphinx."""
    if Path(app.srcdir).name != BOOK.name:  # as where somebody types `jupyter-book build .`
        raise SystemExit("erralign: chapters are executed before they are laid out: type  make book")
    for moment, calls in MOMENTS.items():
        for call in calls:
            app.connect(moment, call)
    app.connect("html-page-context", frame.choose_scripts, priority=900)  # after all that add scripts
    app.connect("html-page-context", frame.fold_contents, priority=900)  # after the theme has made them
    app.connect("html-page-context", course.offer_notebooks, priority=900)
    app.add_config_value("redirects", {}, "html")
    app.add_directive("library", shown.Library)
    app.set_html_assets_policy("always")  # the page of all lessons has formulas, too
    for style in STYLES:
        app.add_css_file(style)
    app.add_js_file("vendor/fonts.js")
    for script in SCRIPTS:
        app.add_js_file(script, loading_method="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
