"""The pages of functions: what many say alike of an argument is said once, and one page lists where each stands."""

import inspect
import pkgutil
import re
from collections import Counter
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

PAGE = "functions"  # lists what the pages below it describe
OFTEN = 3  # functions of a page
NAMES = re.compile(r'<dt class="sig .*?</dt>|<code .*?</code>', re.S)
MARKUP = re.compile(r":\w+:(?=`)|`")
LONG_NAME = re.compile(r"[\w.]{13,}(?=(\(\))?</span>)")


def describe_once(app: Sphinx, page: Any) -> None:
    """Say at the head of a page what several of its functions say alike of an argument; they only name it."""
    if not app.env.docname.startswith(f"{PAGE}-"):
        return
    bodies = [body for title, body in page.findall(nodes.field) if title.astext() == "Parameters"]
    # Items of a list, or all that a list of one would hold.
    arguments = [item for body in bodies for item in (body[0] if isinstance(body[0], nodes.bullet_list) else [body])]
    # What only points to another function stays where it is.
    times = Counter(argument.astext() for argument in arguments if " As for " not in argument.astext())
    # Of two ways to describe an argument the more frequent one is the last.
    often = sorted((each for each in arguments if times[each.astext()] >= OFTEN), key=lambda each: times[each.astext()])
    told = {_name(each): each.astext() for each in often}
    items: dict[str, nodes.list_item] = {}
    for argument in arguments:
        name = _name(argument)
        if told.get(name) == argument.astext():
            items.setdefault(name, nodes.list_item("", *argument.children))
            link = nodes.reference("", "", nodes.strong(text=name), refid="arguments", internal=True)
            argument.children = [nodes.paragraph("", "", link)]
    if items:
        title = nodes.paragraph("", "", nodes.strong(text="Arguments of several functions"))
        head = nodes.container("", title, nodes.bullet_list("", *items.values()), ids=["arguments"])
        section = page.next_node(nodes.section)
        section.insert(section.first_child_matching_class((nodes.section, addnodes.index, addnodes.desc)), head)


def _name(argument: Any) -> str:
    return argument[0][0].astext()


def break_names(_app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Let names and signatures break where a reader would break them: after an underscore, a point, a bracket."""
    if page.startswith(PAGE):
        context["body"] = NAMES.sub(lambda name: _breakable(name[0]), context["body"])


def _breakable(signature: str) -> str:
    broken = LONG_NAME.sub(lambda name: re.sub(r"(?<=[_.])(?=\w)", "<wbr>", name[0]), signature)
    return broken.replace(">(</span>", ">(</span><wbr>")


def list_all(app: Sphinx, page: Any, name: str) -> None:
    """List what the pages below describe: links from before, when all was on one page, find their way (page.js)."""
    rooms = app.env.toctree_includes.get(PAGE)  # none if the page is built alone
    if name != PAGE or not rooms:
        return
    sections = list(page[0].findall(nodes.section))[1:]  # the first is the page
    for section, room in zip(sections, rooms, strict=True):
        address = app.builder.get_relative_uri(PAGE, room)
        for each in app.env.get_doctree(room).findall(nodes.Element):
            if isinstance(each, nodes.title):
                head, entries = nodes.paragraph("", "", nodes.strong(text=each.astext())), nodes.bullet_list()
            elif isinstance(each, addnodes.desc_signature) and each["ids"]:
                place = each["ids"][0]
                section += [] if entries.children else [head, entries]
                entries += _entry(place, f"{address}#{place}")


def _entry(full: str, address: str) -> nodes.list_item:
    """Name a function with the first line of its docstring."""
    name = nodes.literal(text=full.removeprefix("erralign."))
    link = nodes.reference("", "", name, refuri=address, internal=True)
    says = str(inspect.getdoc(pkgutil.resolve_name(full))).partition("\n")[0]
    return nodes.list_item("", nodes.paragraph("", "", link, nodes.Text(f": {MARKUP.sub('', says)}")))
