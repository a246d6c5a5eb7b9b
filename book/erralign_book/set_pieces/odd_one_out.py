"""A game: which of three is the odd one out? A reader answers, then sees what people and a network chose."""

import json
import re
from functools import cache
from html import escape

import pandas as pd

from erralign.plot.html import Table
from erralign_book.files import place

PLACES = ("first", "second", "third")
SHARES = [f"people_{each}" for each in PLACES]
SYMBOL = re.compile(r'<symbol id="([^"]+)"(.*?)</symbol>')


@cache
def _symbols() -> dict[str, str]:
    """Return the drawing of each thing."""
    sheet = place("things.svg").read_text(encoding="utf-8")
    return {name.replace("-", " "): rest for name, rest in SYMBOL.findall(sheet)}


def drawing(name: str) -> str:
    """Return a drawing of a thing, as part of a page."""
    return f'<svg aria-hidden="true" width="72"{_symbols()[name]}</svg>'


def odd_one_out_game(triplets: pd.DataFrame, network: str, title: str) -> Table:
    """Let a reader choose the odd one out of some triplets, and compare each choice with people's and a network's."""
    rows = "".join(_row(row) for row in triplets.to_dict("records"))
    html = (
        f'<figure class="odd-one-out" role="group" aria-label="{escape(title)}"'
        f' data-network="{escape(network)}"><figcaption>{escape(title)}</figcaption><ol>{rows}</ol></figure>'
    )
    words, every = triplets[list(PLACES)].to_numpy(), range(len(triplets))
    chosen = {"most people": triplets[SHARES].to_numpy().argmax(axis=1), network: triplets["network"]}
    shown = triplets[list(PLACES)].assign(**{who: words[every, places] for who, places in chosen.items()})
    return Table(html, shown.to_string(index=False))


def _row(row: dict) -> str:
    things = [row[each] for each in PLACES]
    buttons = "".join(
        f'<button type="button">{drawing(thing)}{escape(thing)}<span></span></button>' for thing in things
    )
    people = escape(json.dumps([round(row[each], 4) for each in SHARES]))
    return f'<li data-people="{people}" data-model="{row["network"]}"><div>{buttons}</div></li>'
