"""Pictures of the experiments as readers see them, and who named them."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from html import escape
from io import BytesIO

import numpy as np
import pandas as pd

from erralign.plot.html import Table, check_caption
from erralign_book.distortions import check_picture
from erralign_book.files import place

CREDIT = "Pictures: Geirhos et al. (2019), CC BY 4.0"
QUALITY = 32  # of WebP: noise takes a quarter of the bytes of a PNG, and the rest far less
KEY = "Coloured: wrong; grey: right<br>"
# Group of the table -> what a card calls it.
NEWER = "vision-language, options"
GROUPS = {"people": "people", "CNNs of 2020": "CNNs", NEWER: "newer models"}


def cards(named: pd.DataFrame, title: str, *, about: Sequence[str] = (), heads: Sequence[str] = ()) -> Table:
    """Show pictures, and under each a mark for everybody who was asked: coloured for who named it wrongly, else grey.

    With words ``about`` each picture the reader presses to see what is under it; ``heads`` stand above them.
    """
    groups = named.groupby("picture", sort=False)
    shown = zip(groups, about or [""] * len(groups), heads or [""] * len(groups), strict=True)
    html = "".join(_card(str(picture), rows, words, head) for (picture, rows), words, head in shown)
    return Table(figure(html, title, "" if about else KEY), named.to_string(index=False))


def captioned(files: Mapping[str, bytes], words: Sequence[str], caption: str) -> Table:
    """Show pictures that are not ours side by side, each with words below it."""
    check_caption(caption)
    html, lines = "", [caption]
    for (name, file), text in zip(files.items(), words, strict=True):
        source = f"data:image/png;base64,{b64encode(file).decode()}"
        image = f'<img alt="{escape(name)}: {escape(text)}" src="{source}">'
        html += f"<figure>{image}<figcaption>{escape(text)}</figcaption></figure>"
        lines.append(f"{name}: {text}")
    return Table(figure(html, caption, credit=""), "\n".join(lines))


def figure(inside: str, title: str, key: str = "", credit: str = CREDIT) -> str:
    """Frame pictures, with their title, a key to their signs, and whose they are."""
    words = f' <span class="subtitle">{key}{credit}</span>' if key + credit else ""
    return f'<figure class="pictures"><figcaption>{escape(title)}{words}</figcaption><div>{inside}</div></figure>'


def picture(name: str, alt: str) -> str:
    """Return a picture among the assets, with the text that stands for it."""
    return f'<img src="{address_of(name)}" alt="{escape(alt)}" width="224" height="224">'


def webp(picture: np.ndarray) -> str:
    """Return any other picture as an address that holds it."""
    from PIL import Image

    light = np.round(255 * check_picture("picture", picture)).astype(np.uint8)
    file = BytesIO()
    Image.fromarray(light).save(file, "WEBP", quality=QUALITY, method=6)
    return address(file.getvalue())


def address_of(name: str) -> str:
    """Return a picture among the assets as an address that holds it, and ends in its name: pictures.css asks for it."""
    return f"{address(place(f'{name}.webp').read_bytes())}#{name}"


def address(file: bytes) -> str:
    """Return a file of a picture as an address that holds it."""
    return f"data:image/webp;base64,{b64encode(file).decode()}"


def _card(name: str, rows: pd.DataFrame, about: str, head: str) -> str:
    shows = rows["shows"].iloc[0]
    lines = f"<b>{escape(shows)}</b>" + "".join(_line(row) for row in rows.to_dict("records"))
    if about:
        lines = f"<details><summary>What is it?</summary>{lines}<p>{escape(about)}</p></details>"
    shown = picture(f"stimuli/{name}", "to name" if about else f"a picture of the class {shows}")
    above = f' style="grid-row: span 6"><b>{head}</b>' if head else ">"
    return f"<div{above}{shown}{lines}</div>"


def _line(row: dict) -> str:
    wrong = row["systems"] - row["right"]
    other = f"; {row['saying']}&nbsp;say&nbsp;“{escape(row['says'])}”" if row["saying"] > max(1, wrong / 2) else ""
    dots = f'<i aria-hidden="true">{"<s></s>" * wrong}{"<s class=right></s>" * row["right"]}</i>'
    newer = " newer" if row["group"] == NEWER else ""
    whose = "people" if row["group"] == "people" else f"machines{newer}"
    group = GROUPS.get(row["group"], row["group"])
    return f'<p class="{whose}">{dots} {wrong} of {row["systems"]} {group} fail{other}</p>'
