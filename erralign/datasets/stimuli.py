"""The pictures that people and networks were shown: where they are, and what is in them.

The name of a folder says 512; its pictures have 224 x 224 pixels. Of THINGS, most pictures that people
judged are public.
"""

from functools import cache
from pathlib import Path

import pandas as pd

from erralign.datasets.archives import manifest
from erralign.datasets.data_sets import records
from erralign.datasets.trials import CATEGORIES

TEXTURE_VS_SHAPE = "rgeirhos/texture-vs-shape@ccd0c01d42c0a8a834e90ec141e7f24fa915dc23"
THINGS = "jobellet/psychophysics@df02d2cd2a90d37c00e8b8aaff6a16f0010a90e8"


def stimuli(data_set: str) -> pd.DataFrame:
    """List the pictures of a data set."""
    members = pd.Series(manifest()[TEXTURE_VS_SHAPE]["members"])
    members = members[members.index.str.startswith(f"{records()[data_set].pictures}/")]
    parts = members.index.str.extract(r"(?P<category>[^/]+)/(?P<image>[^/]+)$")
    return parts.assign(member=members.index, sha256=[entry["sha256"] for entry in members]).set_index("image")


def in_every_copy(data_set: str) -> pd.DataFrame:
    """List the pictures of a data set that also copies of the data without a network have."""
    pictures, members = stimuli(data_set), manifest()[TEXTURE_VS_SHAPE]["members"]
    return pictures[[not members[member].get("not_in_copy") for member in pictures["member"]]]


def things() -> pd.DataFrame:
    """List the pictures of THINGS that people judged, as far as they are public, by the names of the things."""
    members = pd.Series(manifest()[THINGS]["members"])
    names = members.index.str.extract(r"([^/]+)_\d+\w?\.\w+$", expand=False)
    table = pd.DataFrame({"member": members.index, "sha256": [entry["sha256"] for entry in members]}, index=names)
    return table.rename_axis("thing").sort_index()


@cache
def sixteen_categories() -> dict[str, list[int]]:
    """Return which of the 1,000 classes of ImageNet belong to each of the 16 categories.

    From the mapping tables of bethgelab/model-vs-human (79ed7cd), whose lists of numbers and of WordNet ids agree.
    """
    table = pd.read_csv(Path(__file__).parent / "sixteen-categories.csv")
    classes = table.groupby("category")["imagenet_index"].agg(list)
    return {category: classes[category] for category in CATEGORIES}
