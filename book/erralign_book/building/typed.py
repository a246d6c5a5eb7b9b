"""The code of a page as a reader types it."""

import re

from docutils import nodes
from sphinx.application import Sphinx

# A page's parameter `level`, given to a call. The notebook keeps it, for readers who change the parameter.
_LEVEL = re.compile(r",\s*level=level\b")


def type_out(_app: Sphinx, page: nodes.document) -> None:
    """Leave out the level where the site shows code: it is the default there (see tests/test_chapters.py)."""
    for block in page.findall(nodes.literal_block):
        if _LEVEL.search(block.astext()):
            text = _LEVEL.sub("", block.astext())
            block.rawsource = text  # Sphinx colours code only where both are the same
            block.children = [nodes.Text(text)]
