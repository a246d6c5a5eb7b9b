"""What the charts of networks beside people share: the points, and bands for two people and two networks."""

import pandas as pd

from erralign.sources import geirhos2020 as source
from erralign_book.papers.geirhos2020.pair_means import (
    kinds_of_pairs,
    of_the_paper,
    pairwise_scores,
    parts_of_the_trials,
)


def networks_with_people() -> pd.DataFrame:
    """Return the pairs of a network and a person beside the network's accuracy on ImageNet."""
    pairs = of_the_paper(pairwise_scores()).query("kind == 'model-human'")
    named = pairs.rename(columns={"system_a": "person", "system_b": "network"})
    named = named.assign(accuracy=named["network"].map(source.imagenet_accuracies()["top5"]))
    return named[["data_set", "network", "person", "accuracy", "EC"]]


def bands_of_pairs(networks: str) -> pd.DataFrame:
    """Return the mean error consistency of two people and of two networks, with 1.96 standard errors."""
    people = kinds_of_pairs().query("kind == 'human-human'")
    parts = parts_of_the_trials()
    chosen = parts[(parts["networks"] == networks) & (parts["rows"] == "all")]
    both = pd.concat({"two people": people, "two networks": chosen}, names=["group"]).reset_index("group")
    both = both.assign(low=both["EC"] - both["width"], high=both["EC"] + both["width"])
    return both[["data_set", "group", "EC", "low", "high"]]
