"""Strips of answers to flip, and measures that follow."""

import json
from collections.abc import Hashable, Iterable, Mapping
from html import escape

import numpy as np

from erralign._validation import check_choice
from erralign.pairs import pairwise
from erralign.plot.html import Table
from erralign.plot.theme import number
from erralign.responses import Responses

MEASURES = ("EC", "MA")  # those that tiles.js computes


def live_strips(responses: Responses, with_: str, title: str, *, measures: Iterable[str] = MEASURES) -> Table:
    """Show the answers of a few systems as tiles to flip, and how each system compares with one of them.

    Without ``measures`` nothing can be flipped.
    """
    systems = list(map(str, responses.answers))
    check_choice("with_", with_, systems)
    pairs = pairwise(responses, with_=with_)
    other = pairs["system_b"].where(pairs["system_a"] == with_, pairs["system_a"])
    values = pairs.set_index(other)[list(measures)]
    of_system = values.to_dict("index")
    tag = 'button type="button"' if len(values.columns) else "span"
    rows = "".join(_row(responses, system, with_, of_system.get(system, {}), tag) for system in systems)
    heads = "".join(f'<th scope="col" class="value">{measure} with {escape(with_)}</th>' for measure in values)
    pictures = "".join(f'<th scope="col">{picture}</th>' for picture in responses.truth.index)
    about = f"Answers of {', '.join(systems)}, and {', '.join(map(str, values)) or 'agreement'} of each with {with_}"
    html = (
        f'<figure class="live-strips" role="group" aria-label="{escape(about)}"'
        f' data-with="{escape(with_)}" data-classes="{escape(json.dumps(responses.classes))}">'
        f'<figcaption>{escape(title)}</figcaption><table><thead><tr><th scope="col">picture</th>{pictures}{heads}</tr>'
        f"</thead><tbody>{_truth(responses)}{rows}</tbody></table></figure>"
    )
    return Table(html, values.map(_in_words).rename_axis(None).to_string(col_space=4))


def _in_words(value: float) -> str:
    return "undefined" if np.isnan(value) else number(value, 2)


def _truth(responses: Responses) -> str:
    cells = "".join(f'<td data-truth="{label}">{escape(responses.classes[label])}</td>' for label in responses.truth)
    hidden = "" if responses.truth.nunique() > 1 else " hidden"
    return f'<tr{hidden}><th scope="row">what it shows</th>{cells}</tr>'


def _row(responses: Responses, system: str, with_: str, values: Mapping[Hashable, float], tag: str) -> str:
    said = zip(responses.truth.index, responses.truth, responses.answers[system], strict=True)
    tags = {False: tag, True: tag.replace("span", "b")}  # a notebook has no other style
    tiles = "".join(
        f'<td><{tags[label != truth]} class="tile" data-said="{label}"'
        f"{' data-wrong' if label != truth else ''}"
        f' aria-label="{escape(system)}, picture {picture}: {escape(responses.classes[label])}">'
        f"{escape(responses.classes[label])}</{tags[label != truth].split()[0]}></td>"
        for picture, truth, label in said
    )
    value = '<td class="value" data-measure="{0}"><b>{0} with {1}</b> <span>{2}</span></td>'.format
    cells = "".join(value(measure, escape(with_), _in_words(each)) for measure, each in values.items())
    return f'<tr data-system="{escape(system)}"><th scope="row">{escape(system)}</th>{tiles}{cells}</tr>'
