"""Our numbers for what Gavrikov et al. print in the text of their workshop paper."""

import pandas as pd

from erralign.sources import gavrikov2025 as source
from erralign_book.papers.gavrikov2025.among import answers_of_each
from erralign_book.papers.geirhos2020 import shape_bias

BIAS = "shape bias in %"


def table(_: str) -> pd.DataFrame:
    """Return our numbers in the rows and columns of the text, the only item that prints any."""
    counted = answers_of_each().set_index("system")
    bias, prompt = 100 * counted["shape_bias"], source.systems()["prompt"]
    generic = 100 * counted["generic"]
    options = bias[prompt == "options"].drop("GPT-4V (options)")
    described = bias[prompt == "description"].sort_values()
    people = shape_bias().query("kind == 'human'")["shape_bias"].mean()
    rows = {
        ("people", BIAS): 100 * people,
        ("ResNet-50", BIAS): bias["ResNet-50 (torchvision)"],
        ("CLIP ViT-L/14", BIAS): bias["CLIP ViT-L/14 (a photo of a)"],
        ("options, lowest", BIAS): options.min(),
        ("options, highest", BIAS): options.max(),
        ("descriptions, lowest", BIAS): described.iloc[0],
        ("descriptions, lowest but outliers", BIAS): described.iloc[2],
        ("descriptions, highest", BIAS): described.iloc[-1],
        ("GPT-4V, options", "answers that could not be read"): counted.loc["GPT-4V (options)", "unread"],
        ("descriptions, mean", "naming no class in %"): generic[described.index].mean(),
        ("GPT-4V, description", "naming no class in %"): generic["GPT-4V (description)"],
    }
    return pd.Series(rows).unstack()
