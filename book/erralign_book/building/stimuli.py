"""The pictures of *Sit the experiment* and of the front page; run by hand, this writes them.

Those of the experiment go to ``book/assets/stimuli``, all 160 silhouettes into ``book/assets/signature.webp``.
"""

import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from erralign._validation import DataError
from erralign.datasets import gavrikov2025, load
from erralign.datasets.archives import is_there, open_member
from erralign.datasets.geirhos2020 import ERROR_CONSISTENCY, systems
from erralign.datasets.stimuli import TEXTURE_VS_SHAPE, stimuli
from erralign.datasets.trials import CATEGORIES
from erralign.responses import Responses
from erralign_book.cells import table as frozen_table

FOLDER = Path("book/assets/stimuli")
KINDS = {"cue-conflict": 4, "edges": 3, "silhouettes": 3}  # how many of the ten objects of a class in the long form
LETTERS = "abcdefghijklmnop-"  # the classes, and no answer
MOST_BYTES = 1_200_000
SILHOUETTES = Path("book/assets/signature.webp")
ACROSS, DOWN, SIDE, GREYS = 16, 10, 224, 4  # a column per class, in pixels of the archive, with so many greys
QUALITY = 80  # of cue conflict, which has all colours; the others have few greys and keep every pixel


@cache
def forms() -> pd.DataFrame:
    """Return the pictures of the long form, and which of them are in the short one."""
    # The rule, which looks at nobody's answers: each of the 160 objects occurs once. The ten objects of a class are
    # shuffled; four are shown under cue conflict, with a texture of another class drawn at random, three as edges,
    # three as silhouettes. The short form has the first of each kind in each class.
    rng = np.random.default_rng(36)
    every = {kind: stimuli(f"geirhos2020/{kind}") for kind in KINDS}
    places = [(kind, place) for kind, n in KINDS.items() for place in range(n)]
    rows = []
    for category in CATEGORIES:
        for (kind, place), number in zip(places, rng.permutation(10) + 1, strict=True):
            image = f"{kind}/{_picture(every[kind], f'{category}{number}', rng)}"
            rows.append({"image": image, "truth": category, "is_short": place == 0})
    return pd.DataFrame(rows).set_index("image")


def _picture(pictures: pd.DataFrame, name: str, rng: np.random.Generator) -> str:
    """Name the picture of an object; under cue conflict one of several, with the texture of another class."""
    names = pictures.index[pictures.index.str.match(rf"{name}[.-]")]
    texture = names.str.extract(r"-([a-z]+)\d+\.", expand=False)
    return str(rng.choice(names[texture != name.rstrip("0123456789")]))


def laboratory() -> dict[str, Any]:
    """Return the pictures, how many people and networks missed each, and, where the data are, what everybody said.

    ``missed`` is a result of the page, so every copy of the book has it: ``of`` so many people, and so many networks.
    """
    table = forms()
    parts = [load(f"geirhos2020/{kind}") for kind in KINDS] if is_there(ERROR_CONSISTENCY) else []
    newer = [load("gavrikov2025/cue-conflict")] if is_there(gavrikov2025.VLM_SHAPEBIAS) else []
    asked = gavrikov2025.systems().query("prompt == 'options'")
    short = np.flatnonzero(table["is_short"])
    missed = frozen_table("sit_the_experiment/missed")
    missed = missed.set_index(missed["kind"] + "/" + missed["image"])[["people", "networks"]]
    return {
        "classes": list(CATEGORIES),
        "images": table.index.tolist(),
        "truth": [CATEGORIES.index(name) for name in table["truth"]],
        "short": short.tolist(),
        "minute": [int(short[3 * place + place % 3]) for place in range(12)],  # a word each, four of each kind
        "missed": missed.loc[table.index].to_numpy().tolist(),
        "of": missed.max().tolist(),
        "systems": _said(parts, systems()["kind"]),
        "newer": _said(newer, asked["kind"].replace("model", "newer")),
    }


def _said(parts: list[Responses], kind: pd.Series) -> list[dict[str, str]]:
    """Return systems with a letter per picture of the long form; none where there are no data."""
    if not parts:
        return []
    answers = [part.answers.rename(f"{part.name.partition('/')[2]}/{{}}".format) for part in parts]
    classes = pd.concat(answers).reindex(forms().index, fill_value=-1)
    names = {name: str(name).removesuffix(" (options)") for name in kind.index}
    letters = {name: "".join(LETTERS[place] for place in classes[name]) for name in kind.index}
    return [{"name": names[name], "kind": of, "said": letters[name]} for name, of in kind.items()]


def write(folder: Path = FOLDER) -> int:
    """Write all pictures as WebP, and return how many bytes those of the experiment take."""
    places = {(folder / image).with_suffix(".webp"): image for image in forms().index}
    for place, image in places.items():
        _save(image, place)
    size = sum(place.stat().st_size for place in places)
    if size > MOST_BYTES:
        raise DataError(f"the pictures take {size:,} bytes; expected at most {MOST_BYTES:,}: lower QUALITY")
    return size


def _save(image: str, place: Path) -> None:
    from PIL import Image

    kind, name = image.split("/")
    place.parent.mkdir(parents=True, exist_ok=True)
    member = str(stimuli(f"geirhos2020/{kind}").loc[name, "member"])
    with Image.open(open_member(TEXTURE_VS_SHAPE, member)) as picture:
        small = picture.convert("RGB").resize((SIDE, SIDE))
        small.save(place, quality=QUALITY, lossless=kind != "cue-conflict", method=6)


def silhouettes() -> np.ndarray:
    """Return the 160 silhouettes side by side, a column per class, as greys from 0 to ``GREYS - 1``."""
    from PIL import Image

    pictures = stimuli("geirhos2020/silhouettes")["member"]
    sheet = np.empty((DOWN, SIDE, ACROSS, SIDE), dtype=np.uint8)
    for column, category in enumerate(CATEGORIES):
        for row in range(DOWN):
            member = str(pictures[f"{category}{row + 1}.png"])
            with Image.open(open_member(TEXTURE_VS_SHAPE, member)) as picture:
                sheet[row, :, column] = np.rint(np.asarray(picture.convert("L")) / 255 * (GREYS - 1))
    return sheet.reshape(DOWN * SIDE, ACROSS * SIDE)


def write_silhouettes() -> int:
    """Write them without loss, and return how many bytes they take."""
    from PIL import Image

    greys = silhouettes() * np.uint8(255 // (GREYS - 1))
    Image.fromarray(greys).convert("RGB").save(SILHOUETTES, lossless=True, method=6, quality=100)
    return SILHOUETTES.stat().st_size


if __name__ == "__main__":
    sys.stdout.write(f"{len(forms())} pictures, {write():,} bytes in {FOLDER}\n")
    sys.stdout.write(f"{ACROSS * DOWN} silhouettes, {write_silhouettes():,} bytes in {SILHOUETTES}\n")
