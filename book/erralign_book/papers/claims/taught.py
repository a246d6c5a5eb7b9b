"""Our own claims about heads that were trained to err like people."""

from collections.abc import Callable
from functools import partial

import pandas as pd

from erralign_book.papers.claims.claim import LESS, MORE, NOT_CLEAR, Claim
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


def _of_what_is_within_reach(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rows.rename(columns={"gain": "first", "room": "second"})
    ours_first = rows.sort_values("knows", key=lambda knows: knows != study.TRAINERS, kind="stable")
    return ours_first[["knows", "first", "second", "value", "low", "high"]]


_taught = partial(
    Claim,
    page="can-a-network-be-taught",
    unit="EC",
    tables=(study.differences,),
    drawn_again="photographs and people of the test, and how both were divided; trained heads stay as they were",
    chance="0",
)
OF_ROOM = "a third or less of what knowing the training people's answers would give"
IN_TRAINING = _taught(
    "taught-in-training",
    "On the pictures and people of its training, a head that was taught EC shares far more failures with people",
    arms=("the EC loss", "cross-entropy"),
    rows=_more_than(study.BASE_NAME, study.EQUAL, places=("in-sample",)),
    says=MORE,
    reach="less than 1, since people disagree, but more than two people have with each other",
)
GAIN = _taught(
    "taught-gain",
    "On new pictures, with new people, a head that was taught EC gains a little; among 12 comparisons it is not clear",
    arms=("the EC loss", "cross-entropy that is equally accurate"),
    rows=_more_than(study.EQUAL, study.BASE_NAME),
    says=MORE,
    reach="several times as much: see the claim on what is within reach",
)
CONTROL = _taught(
    "taught-which-pictures",
    "Whether a head that was taught EC learned which pictures are hard, or only which categories, is not clear",
    arms=("the EC loss", "the same with people's answers shuffled within categories"),
    rows=_more_than("EC loss, shuffled", "EC loss, random errors"),
    says=NOT_CLEAR,
    reach=OF_ROOM,
)
COPY = _taught(
    "taught-or-copied",
    "A loss made of EC gains about as much as one that copies people's shares",
    arms=("the EC loss", "people's shares as labels"),
    rows=_more_than(EACH_GAIN, "people's shares"),
    says=NOT_CLEAR,
    reach=OF_ROOM,
)
REACH = _taught(
    "taught-within-reach",
    "A head that was taught EC gains less than somebody who knows the training people's answers to the test pictures",
    arms=("the gain of the EC loss", "the gain of who knows them, and is equally accurate"),
    tables=(study.within_reach,),
    rows=_of_what_is_within_reach,
    says=LESS,
    reach="0: the second arm is what could be reached",
)
WRONG_ANSWERS = _taught(
    "taught-wrong-answers",
    "A head that was taught people's wrong answers is ahead of one that was taught them renamed",
    arms=("the loss “wrong answers”", "the same with wrong answers renamed"),
    unit="MA",
    rows=_more_than(
        *(f"wrong answers, {control}" for control in ("relabelled", "shuffled", "random errors")),
        loss="wrong answers",
        measure="MA",
    ),
    says=MORE,
    reach="not known: it depends on where a head is wrong",
)
CLAIMS = (IN_TRAINING, GAIN, CONTROL, COPY, REACH, WRONG_ANSWERS)
