"""The looks of what single chapters show: one for each meaning, beside those of the library's theme."""

from collections.abc import Iterable, Sequence

import altair as alt

from erralign.plot import colours as c
from erralign.plot.theme import FAMILIES, KINDS, WHOSE, Look, Looks, legend, split

BOTH = (c.ORANGE, c.BLUE)  # a person with a machine
PEOPLE, CNN, VIT, LARGE = (FAMILIES[name] for name in ("Human", "CNN", "ViT", "Large"))
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
CLASSES = (Look(c.BLACK), Look(c.GREY, "square"), Look(c.SILVER, "triangle-up"))  # of pictures, as points

# Intervals and tests. The default of each measure comes first.
METHODS = dict.fromkeys(("dirichlet", "wilson", "recentred"), Look(c.BLACK))
METHODS |= {"score": Look(c.SLATE, "diamond"), "percentile": Look(c.GREY, "square")}
METHODS |= {"hdi": Look(c.SILVER, "triangle-up")}
# What charts and tables call the methods of which the code has a name of one word.
INTERVALS = {
    "dirichlet": "half a count per cell",
    "score": "score interval",
    "percentile": "percentile interval",
    "hdi": "shortest interval",
    "wilson": "Wilson's interval",
    "recentred": "recentred interval",
}
USED = {"used": OLDER, "left out": split(OTHER)}

# Measures, data sets and simulations have no look of their own.
CASES = (Look(c.BLACK, "circle"), Look(c.SLATE, "diamond"), Look(c.SILVER, "square"))
DASHES = ([1, 0], [8, 3], [2, 2])

CROWD = 0.35  # how much is seen of crowds of marks, as in the library


def with_guests(looks: Looks, names: Iterable[str]) -> dict[str, Look]:
    """Add the look of a guest for each name that has none."""
    return dict(looks) | {name: WHOSE["yours"] for name in dict.fromkeys(names) if name not in looks}


def cases(names: Iterable[str], looks: Sequence[Look] = CASES) -> dict[str, Look]:
    """Give looks to names that mean nothing beyond their chart."""
    return {name: looks[place] for place, name in enumerate(dict.fromkeys(names))}


def colour_of_correlations(title: str = "Spearman's r") -> alt.Color:
    """Encode correlations as colour, faint at zero, from −1 to 1."""
    scale = alt.Scale(domain=[-1, -0.5, 0, 0.5, 1], range=list(c.TWO_SIDED), interpolate="rgb")
    return alt.Color(
        "r:Q", title=f"{title}, from −1 to 1", scale=scale, legend=legend(gradientLength=180, values=[-1, 0, 1])
    )
