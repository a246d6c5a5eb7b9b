"""The pages of functions: names that break, and one page that lists what those below it describe."""

import inspect
import pkgutil
import re
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

PAGE = "functions"  # lists what the pages below it describe
PART_ENDS = re.compile(r"(?<=[_.])(?=\w)")
MARKUP = re.compile(r":\w+:(?=`)|`")


def break_names(_app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Let long names break where a reader would break them: each part becomes a box of its own (style.css)."""
    for name in doctree.findall(nodes.literal) if page.startswith(PAGE) else ():
        if "py" in name["classes"]:
            parts = PART_ENDS.split(name.astext())
            name.clear()
            name += [nodes.Text(part) for part in parts]


def list_all(app: Sphinx, page: Any, name: str) -> None:
    """List what the pages below describe, each with a link and the first line of its docstring."""
    rooms = app.env.toctree_includes.get(PAGE)  # none if the page is built alone
    if name != PAGE or not rooms:
        return
    sections = list(page[0].findall(nodes.section))[1:]  # the first is the page
    for section, room in zip(sections, rooms, strict=True):
        address = app.builder.get_relative_uri(PAGE, room)
        for node in app.env.get_doctree(room).findall(nodes.Element):
            if isinstance(node, nodes.title):
                head, entries = nodes.paragraph("", "", nodes.strong(text=node.astext())), nodes.bullet_list()
            elif isinstance(node, addnodes.desc_signature) and node["ids"]:
                place = node["ids"][0]
                if not entries.children:
                    section += [head, entries]
                entries += _entry(place, f"{address}#{place}")


def _entry(full: str, address: str) -> nodes.list_item:
    """Name a function with the first line of its docstring."""
    name = nodes.literal(text=full.removeprefix("erralign."))
    link = nodes.reference("", "", name, refuri=address, internal=True)
    says = str(inspect.getdoc(pkgutil.resolve_name(full))).partition("\n")[0]
    return nodes.list_item("", nodes.paragraph("", "", link, nodes.Text(f": {MARKUP.sub('', says)}")))
