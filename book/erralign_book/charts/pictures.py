"""Pictures of the experiments as readers see them, and who named them."""

from base64 import b64encode
from collections.abc import Sequence
from html import escape
from io import BytesIO

import numpy as np
import pandas as pd

from erralign.plot.assets import place
from erralign.plot.tables import Table
from erralign_book.distortions.light import check_picture
from erralign_book.papers import gavrikov2025

CREDIT = "Pictures: Geirhos et al. (2019), CC BY 4.0"
QUALITY = 32  # of WebP: noise takes a quarter of the bytes of a PNG, and the rest far less
KEY = "Coloured: wrong; grey: right<br>"
# Group of the table -> what a card calls it.
GROUPS = {"people": "people", gavrikov2025.CNNS: "older CNNs", gavrikov2025.OPTIONS: "newer models"}


def cards(named: pd.DataFrame, title: str, *, about: Sequence[str] = ()) -> Table:
    """Show pictures, and under each a mark for everybody who was asked: coloured for who named it wrongly, else grey.

    With words ``about`` each picture the reader presses to see what is under it.
    """
    groups = named.groupby("picture", sort=False)
    shown = zip(groups, about or [""] * len(groups), strict=True)
    html = "".join(_card(str(picture), rows, words) for (picture, rows), words in shown)
    return Table(figure(html, title, "" if about else KEY), named.to_string(index=False))


def figure(inside: str, title: str, key: str = "", credit: str = CREDIT) -> str:
    """Frame pictures, with their title, a key to their signs, and whose they are."""
    words = f'{escape(title)} <span class="subtitle">{key}{credit}</span>'
    return f'<figure class="pictures"><figcaption>{words}</figcaption><div>{inside}</div></figure>'


def picture(name: str, alt: str) -> str:
    """Return a picture among the assets, with the text that stands for it."""
    address = _address(place(f"{name}.webp").read_bytes())
    return f'<img src="{address}" alt="{escape(alt)}" width="224" height="224">'


def webp(picture: np.ndarray) -> str:
    """Return any other picture as an address that holds it."""
    from PIL import Image

    light = np.round(255 * check_picture("picture", picture)).astype(np.uint8)
    file = BytesIO()
    Image.fromarray(light).save(file, "WEBP", quality=QUALITY, method=6)
    return _address(file.getvalue())


def _address(file: bytes) -> str:
    return f"data:image/webp;base64,{b64encode(file).decode()}"


def _card(name: str, rows: pd.DataFrame, about: str) -> str:
    shows = rows["shows"].iloc[0]
    lines = f"<b>{escape(shows)}</b>" + "".join(_line(row) for row in rows.to_dict("records"))
    if about:
        lines = f"<details><summary>What is it?</summary>{lines}<p>{escape(about)}</p></details>"
    return f"<div>{picture(f'stimuli/{name}', 'to name' if about else f'a picture of the class {shows}')}{lines}</div>"


def _line(row: dict) -> str:
    wrong = row["systems"] - row["right"]
    other = f"; {row['saying']} say “{escape(row['says'])}”" if row["saying"] > 1 else ""
    dots = f'<i aria-hidden="true">{"<s></s>" * wrong}{"<s class=right></s>" * row["right"]}</i>'
    whose = "people" if row["group"] == "people" else "machines"
    return f'<p class="{whose}">{dots} {wrong} of {row["systems"]} {GROUPS[row["group"]]} fail{other}</p>'
