"""What a page folds: exercises, and answers with their code and output."""

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx_design.shared import is_component

_MINUTES = re.compile("[●○]{3} ([0-9]+) min[.]")  # how hard an exercise is, and how long it takes


def fold(_app: Sphinx, page: nodes.document) -> None:
    """Fold the cells of a page."""
    cells = [node for node in page.findall(nodes.container) if node.get("nb_element") == "cell_code" and node.children]
    for cell in cells:
        if "hide-cell" in _tags(cell):
            _into_answer(cell)
        elif "hide-input" in _tags(cell) and len(cell) == 1:
            _into_next(cell)
    _behind_a_guess(page)
    _exercises(page)


def _tags(cell: nodes.container) -> list[str]:
    return cell["cell_metadata"].get("tags", [])


def _behind_a_guess(page: nodes.Element) -> None:
    """Put what answers a question behind a fold in each section, from the first part that is marked to the last."""
    words = "The answer"
    for section in list(page.findall(nodes.section)):
        # A cell has the tag, words stand in a div of this class.
        parts = [part if isinstance(part, nodes.Element) else nodes.Element() for part in section]
        marked = [at for at, part in enumerate(parts) if {"guessed", "tag_guessed"} & set(part.get("classes", []))]
        if marked:
            answer = slice(marked[0], marked[-1] + 1)
            first = _html(f'<details class="guessed"><summary>{words}</summary>')
            section[answer] = [first, *section[answer], _html("</details>")]
            words = "What follows (gives away the answer)"


def _exercises(page: nodes.Element) -> None:
    """Fold the exercises of a page under a line that says how many there are, and how long they take."""
    for section in page.findall(nodes.section):
        minutes = [int(number) for number in _MINUTES.findall(section.astext())]
        if minutes and section[0].astext().endswith("Exercises"):
            line = f"{len(minutes)} exercises with answers, {sum(minutes)} minutes in all"
            if len(minutes) == 1:
                line = f"1 exercise with its answer, {minutes[0]} minutes"
            section.insert(1, _html(f'<details class="exercises"><summary>{line}</summary>'))
            section.append(_html("</details>"))


def _html(code: str) -> nodes.raw:
    return nodes.raw("", code, format="html")


def _into_answer(cell: nodes.container) -> None:
    """Put a cell behind the words of the fold that follows it, such as an answer."""
    answer = cell.next_node(lambda node: is_component(node, "dropdown"), descend=False, siblings=True)
    if isinstance(answer, nodes.container):
        cell.parent.remove(cell)
        del cell["hide_mode"]
        answer.append(cell)


def _into_next(cell: nodes.container) -> None:
    """Put folded code that shows nothing, such as a function, into the fold of the cell that follows."""
    following = cell.next_node(descend=False, siblings=True)
    if isinstance(following, nodes.container) and following.get("hide_mode") == "input":
        cell.parent.remove(cell)
        sources = [cell.pop(0), following.pop(0)]
        following.insert(0, nodes.container("", *sources, nb_element="cell_code_source"))
