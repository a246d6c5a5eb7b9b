"""The looks of what single chapters show: one for each meaning, beside those of the library's theme."""

from collections.abc import Iterable

from erralign.plot import colours as c
from erralign.plot.theme import FAMILIES, KINDS, WHOSE, Look, Looks, split

BOTH = (c.ORANGE, c.BLUE)  # a person with a machine
PEOPLE, CNN, LARGE = (FAMILIES[name] for name in ("Human", "CNN", "Large"))
OTHER, LANGUAGE = (Look(*c.MACHINES[name]) for name in ("other", "vision-language"))
# Kinds of pairs once more, where networks of one architecture are told from others.
GROUPS = dict(zip(("two people", "a person and a network", "two networks"), KINDS.values(), strict=True))
GROUPS["two networks of one architecture"] = Look(c.BLUE, "cross")
# Means of pairs of a person and each of these.
OLDER, NEWER = KINDS["model-human"], Look(c.SLATE, "triangle-up", BOTH)
SEEN = {"earlier networks": OLDER, "newer models": NEWER}
ON_THE_BOARD = {"people": PEOPLE, "classifier": split(CNN), "CLIP": split(LARGE._replace(shape="triangle-down"))}
ON_THE_BOARD |= {"vision-language": split(LANGUAGE), "other": split(OTHER)}
SHAPE_AND_TEXTURE = {"people, mean and range": PEOPLE, "CORnet-S": OTHER, "ResNet-50": CNN}
BY_SHAPE = dict(WHOSE) | {"networks": OLDER, "ResNet-50, trained on redrawn pictures": split(LARGE)}

# Answers to a picture: the more is wrong, and wrong alike, the stronger.
OUTCOMES = {
    "both right": Look(c.PALE),
    "only A right": Look(c.PALE_GREY),
    "only B right": Look(c.TILE_GREY),
    "both wrong, same answer": Look(c.BLACK),
    "both wrong, other answers": Look(c.SLATE),
}

USED = {"used": OLDER, "left out": split(OTHER)}


CROWD = 0.35  # how much is seen of crowds of marks, as in the library


def with_guests(looks: Looks, names: Iterable[str]) -> dict[str, Look]:
    """Add the look of a guest for each name that has none."""
    return dict(looks) | {name: WHOSE["yours"] for name in dict.fromkeys(names) if name not in looks}
