"""Our own claims about heads that were trained to err like people."""

from collections.abc import Callable
from functools import partial

import pandas as pd

from erralign_book.papers.claims.claim import claim
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
    *minus: str, loss: str = "EC loss", measure: str = "EC", places: tuple[str, ...] = NEW
) -> Callable[[pd.DataFrame], pd.DataFrame]:
    """Choose what a loss has more than each of several others in each place, ours first."""

    def rows(differences: pd.DataFrame) -> pd.DataFrame:
        found = differences[(differences["loss"] == loss) & (differences["measure"] == measure)]
        found = found.set_index(["minus", "split"])[["value", "low", "high"]]
        order = [(other, place) for other in minus for place in places if (other, place) in found.index]
        return found.loc[order].reset_index().replace({"split": PLACES})

    return rows


_claim = partial(claim, "taught.toml")
IN_TRAINING = _claim(
    "taught-in-training", _more_than(study.BASE_NAME, study.EQUAL, places=("in-sample",)), study.differences
)
GAIN = _claim("taught-gain", _more_than(study.EQUAL, study.BASE_NAME), study.differences)
CONTROL = _claim("taught-which-pictures", _more_than("EC loss, shuffled", "EC loss, random errors"), study.differences)
COPY = _claim("taught-or-copied", _more_than(EACH_GAIN, "people's shares"), study.differences)
OTHERWISE = (f"wrong answers, {control}" for control in ("relabelled", "shuffled", "random errors"))
WRONG_ANSWERS = _claim(
    "taught-wrong-answers", _more_than(*OTHERWISE, loss="wrong answers", measure="MA"), study.differences
)
CLAIMS = (IN_TRAINING, GAIN, CONTROL, COPY, WRONG_ANSWERS)
