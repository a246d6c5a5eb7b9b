"""Strips of answers to flip, and measures that follow."""

from pathlib import Path
from typing import Any

import numpy as np
from jinja2 import Environment

from erralign._validation import check_choice
from erralign.pairs import pairwise
from erralign.plot.html import Table
from erralign.plot.theme import number
from erralign.responses import Responses

MEASURES = ["EC", "MA"]  # those that tiles.js computes
TEMPLATE = Environment(autoescape=True).from_string(
    Path(__file__).with_name("strips.html").read_text(encoding="utf-8"), {"zip": zip}
)


def live_strips(responses: Responses, with_: str, title: str) -> Table:
    """Show the answers of a few systems as tiles to flip, and how each system compares with one of them."""
    names = list(map(str, responses.answers))
    check_choice("with_", with_, names)
    pairs = pairwise(responses, with_=with_)
    other = pairs["system_b"].where(pairs["system_a"] == with_, pairs["system_a"])
    values = pairs.set_index(other)[MEASURES].map(_in_words)
    systems: dict[str, Any] = {}
    for name in names:
        own_values = values.loc[name].to_dict() if name != with_ else {}
        systems[name] = responses.answers[name].tolist(), own_values
    html = TEMPLATE.render(
        about=f"Answers of {', '.join(names)}, and EC, MA of each with {with_}",
        with_=with_,
        classes=list(responses.classes),
        title=title,
        pictures=responses.truth.index.tolist(),
        measures=MEASURES,
        truth=responses.truth.tolist(),
        systems=systems,
    )
    return Table(html, values.rename_axis(None).to_string(col_space=4))


def _in_words(value: float) -> str:
    return "undefined" if np.isnan(value) else number(value, 2)
