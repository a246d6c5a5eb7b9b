"""Formulas: names of measures upright, and the parts of MathJax that they need."""

import re
import shutil
from importlib.metadata import files
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from erralign.measures import MEASURES

# Letters in a row are a product to TeX; these are names. A single letter is none, and stands for much else.
_LONG = [name for name in MEASURES if len(name) > 1]
NAMES = (*_LONG, "CLED", "HSIC", "JSD", "JS", "KL", "ECE", "tr", "triu", "rank", "diag", "median", "sign")
LABELS = ("obs", "exp", "copy", "err", "real", "Spearman")  # subscripts that are words
_NAME = re.compile(rf"(?<![A-Za-z\\])({'|'.join(NAMES)})(?![A-Za-z])")
_LABEL = re.compile(rf"(?<![A-Za-z\\])({'|'.join(LABELS)})(?![A-Za-z])")
_WORDS = re.compile(r"(\\(?:text|mathrm|operatorname|begin|end)\s*\{[^{}]*\})")

# The combined scripts of MathJax carry what no page uses: 2.3 MB instead of .8.
PARTS = (
    "startup.js",
    "core.js",
    "input/tex.js",
    "a11y/assistive-mml.js",
    "output/chtml.js",
    "output/chtml/fonts/tex.js",
)
FOLDERS = ("output/chtml/fonts/woff-v2", "input/tex/extensions")  # of which a page loads what it needs


def upright(tex: str) -> str:
    r"""Return a formula in which names are set as names, not as products of letters."""
    pieces = _WORDS.split(tex)
    # Every second piece is text already.
    pieces[::2] = [_LABEL.sub(r"\\mathrm{\1}", _NAME.sub(r"\\operatorname{\1}", piece)) for piece in pieces[::2]]
    return "".join(pieces)


def set_names(_app: Sphinx, doctree: nodes.document, _page: str) -> None:
    """Set the names in all formulas of a page upright."""
    for kind in (nodes.math, nodes.math_block):
        for node in doctree.findall(kind):
            node.children = [nodes.Text(upright(node.astext()))]


def lay_out_mathjax(folder: Path) -> None:
    """Copy MathJax, as far as pages use it, from the Python package that has it."""
    for file in files("sphinx-mathjax-offline") or ():
        name = file.as_posix().partition("static/mathjax/")[2]
        if name in PARTS or name.rpartition("/")[0] in FOLDERS:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file.locate(), folder / name)
