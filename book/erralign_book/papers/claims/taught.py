"""Our own claims about heads that were trained to err like people."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd

from erralign_book.papers.claims.claim import Claim, claim
from erralign_book.simulations import training as study

PLACES = {
    "in-sample": "pictures and people in training",
    "grouped": "new pictures, new people",
    "other seeds": "the same, divided otherwise",
    "people in training": "new pictures, people in training",
    "random": "new people, pictures at random",
    "edges": "line drawings",
    "silhouettes": "silhouettes",
    "hidden layer": "a hidden layer",
    "Lite2": "another network",
}
NEW = tuple(PLACES)[1:]
EACH_GAIN = f"people's shares, {study.EACH_AT_ITS_OWN}"


def _more_than(
    differences: pd.DataFrame,
    minus: Sequence[str],
    loss: str = "EC loss",
    measure: str = "EC",
    places: Sequence[str] = NEW,
) -> pd.DataFrame:
    """Choose what a loss has more than each of several others in each place, ours first."""
    found = differences[(differences["loss"] == loss) & (differences["measure"] == measure)]
    found = found.set_index(["minus", "split"])[["value", "low", "high"]]
    order = [(other, place) for other in minus for place in places if (other, place) in found.index]
    return found.loc[order].reset_index().replace({"split": PLACES})


def _claim(name: str, *minus: str, **choice: Any) -> Claim:
    return claim("taught.toml", name, partial(_more_than, minus=minus, **choice), study.differences)


IN_TRAINING = _claim("taught-in-training", study.BASE_NAME, study.EQUAL, places=("in-sample",))
GAIN = _claim("taught-gain", study.EQUAL, study.BASE_NAME)
CONTROL = _claim("taught-which-pictures", "EC loss, shuffled", "EC loss, random errors")
COPY = _claim("taught-or-copied", EACH_GAIN, "people's shares")
OTHERWISE = (f"wrong answers, {control}" for control in ("relabelled", "shuffled", "random errors"))
WRONG_ANSWERS = _claim("taught-wrong-answers", *OTHERWISE, loss="wrong answers", measure="MA")
CLAIMS = (IN_TRAINING, GAIN, CONTROL, COPY, WRONG_ANSWERS)
