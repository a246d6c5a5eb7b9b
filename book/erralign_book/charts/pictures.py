"""Pictures of the experiments as readers see them, and who named them."""

from base64 import b64encode
from collections.abc import Mapping
from html import escape

import pandas as pd

from erralign.plot.assets import place
from erralign.plot.colours import BLUE, DARK, NAVY, ORANGE
from erralign.plot.tables import Table
from erralign_book.papers import gavrikov2025

CREDIT = "Pictures: Geirhos et al. (2019), CC BY 4.0"
# Group of the table -> what a card calls it, and its colour.
GROUPS = {
    "people": ("people", ORANGE),
    gavrikov2025.CNNS: ("older CNNs", BLUE),
    gavrikov2025.OPTIONS: ("newer models", NAVY),
}


def in_both_themes(colours: Mapping[str, str]) -> str:
    """Name colours, on a light page and on a dark one, for a style sheet."""
    return "; ".join(f"--light-{name}: {each}; --dark-{name}: {DARK[each]}" for name, each in colours.items())


def cards(named: pd.DataFrame, title: str) -> Table:
    """Show pictures, and under each a dot for everybody who was asked: filled for who named it, else hollow."""
    groups = named.groupby("picture", sort=False)
    html = "".join(_card(str(picture), rows) for picture, rows in groups)
    return Table(figure(html, title), named.to_string(index=False))


def figure(inside: str, title: str) -> str:
    """Frame pictures, with their title and whose they are."""
    style = in_both_themes({f"group-{n}": colour for n, (_, colour) in enumerate(GROUPS.values())})
    words = f'{escape(title)} <span class="subtitle">{CREDIT}</span>'
    return f'<figure class="pictures" style="{style}"><figcaption>{words}</figcaption><div>{inside}</div></figure>'


def picture(name: str, alt: str) -> str:
    """Return a picture among the assets, with the text that stands for it."""
    data = b64encode(place(f"{name}.webp").read_bytes()).decode()
    return f'<img src="data:image/webp;base64,{data}" alt="{escape(alt)}" width="224" height="224">'


def _card(name: str, rows: pd.DataFrame) -> str:
    shows = rows["shows"].iloc[0]
    lines = "".join(_line(row) for row in rows.to_dict("records"))
    return f"<div>{picture(f'stimuli/{name}', f'a picture of the class {shows}')}<b>{escape(shows)}</b>{lines}</div>"


def _line(row: dict) -> str:
    words, colour = GROUPS[row["group"]]
    wrong = row["systems"] - row["right"]
    other = f"; {row['saying']} say “{escape(row['says'])}”" if row["saying"] > 1 else ""
    dots = f'<i aria-hidden="true">{"●" * row["right"]}{"○" * wrong}</i>'
    number = list(GROUPS).index(row["group"])
    return f'<p class="group-{number}">{dots} {row["right"]} of {row["systems"]} {words}{other}</p>'
