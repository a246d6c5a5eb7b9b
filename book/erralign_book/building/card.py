"""The card that other sites show of a page: the third step of the front page's signature, drawn by the build."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from erralign.plot.colours import BLUE, GREY, GROUNDS, INK, ORANGE
from erralign_book.building.stimuli import SIDE, SILHOUETTES
from erralign_book.charts.signature import SIDES, STEPS, Group, Step, asked, in_a_word, place_in_sheet, steps

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

TITLE = "Do they make the same mistakes?"
SIZE, MARGIN, TILE, GAP, FRAME = (1200, 630), 56, 70, 8, 4
FONT = Path("book/assets/fonts/text.woff2")
PLAIN, BOLD = 400, 700


@cache
def step() -> Step:
    """Return what the card shows."""
    return steps()[STEPS.index("Same wrong word?")]


def about() -> str:
    """Return the card's alternative text."""
    groups = "; ".join(f"{len(group.pictures)}: {group.words}" for group in step().groups[1:])
    return f"{TITLE} {step().sentence} Silhouettes in two groups: {groups}."


def write(place: Path, root: Path) -> None:
    """Draw the card."""
    from PIL import Image as images
    from PIL import ImageDraw as drawing

    card = images.new("RGB", SIZE, GROUNDS[0])
    draw = drawing.Draw(card)
    sheet = images.open(root / SILHOUETTES)
    draw.text((MARGIN, 30), TITLE, INK, _font(root, 62, BOLD))
    said = _font(root, 27, PLAIN)
    draw.text((MARGIN, 112), step().sentence, INK, said)
    for who, colour in {"people": ORANGE, "networks": BLUE}.items():
        before = step().sentence.partition(who)[0]
        left, right = (MARGIN + said.getlength(text) for text in (before, before + who))
        draw.rectangle((left, 148, right, 151), colour)
    y = 166
    for group in step().groups[1:]:
        draw.text((MARGIN, y), str(len(group.pictures)), INK, _font(root, 30, BOLD))
        draw.text((MARGIN + 46, y + 5), group.words, INK, _font(root, 25, PLAIN))
        y = _tiles(card, draw, sheet, group, y + 44, _font(root, 17, PLAIN))
    people, networks = asked()
    credit = f"{people} people, {networks} networks. Silhouettes: Geirhos et al. 2019, CC BY 4.0"
    draw.text((MARGIN, SIZE[1] - 40), credit, GREY, _font(root, 19, PLAIN))
    card.quantize(64).save(place, optimize=True)


def _tiles(card: Image, draw: ImageDraw, sheet: Image, group: Group, y: int, font: FreeTypeFont) -> int:
    """Draw the tiles of a group, framed in both colours, and return where the next group begins."""
    line = TILE + GAP + (44 if group.says else 0)
    for place, row in enumerate(group.pictures.reset_index().to_dict("records")):
        x, top = MARGIN + place % group.across * (TILE + GAP), y + place // group.across * line
        left, upper = (SIDE * each for each in place_in_sheet(row["image"], row["shows"]))
        picture = sheet.crop((left, upper, left + SIDE, upper + SIDE))
        draw.rectangle((x, top, x + TILE - 1, top + TILE - 1), BLUE)
        draw.polygon(((x, top), (x + TILE - 1, top), (x, top + TILE - 1)), ORANGE)
        inner = TILE - 2 * FRAME
        card.paste(picture.resize((inner, inner)), (x + FRAME, top + FRAME))
        for number, side in enumerate(SIDES if group.says else ()):
            below = top + TILE + 3 + 20 * number
            draw.rectangle((x, below + 2, x + 2, below + 18), (ORANGE, BLUE)[number])
            draw.text((x + 6, below), in_a_word(row[side]), INK, font)
    return y + -(-len(group.pictures) // group.across) * line + 12


def _font(root: Path, size: int, weight: int) -> FreeTypeFont:
    from PIL import ImageFont

    font = ImageFont.truetype(root / FONT, size)
    font.set_variation_by_axes([weight])
    return font
