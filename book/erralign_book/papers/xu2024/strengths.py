"""How often people and networks were right under each strength of each distortion."""

import pandas as pd

from erralign.resampling import accuracy_intervals
from erralign.responses import Responses
from erralign.sources import xu2024 as source
from erralign_book.papers.frozen import frozen
from erralign_book.papers.leads import lead
from erralign_book.papers.xu2024.pair_scores import ANSWERS
from erralign_book.papers.xu2024.silence import with_time_outs

PEOPLE = "people"
WORDS = {"cr": 0, "bw": 1, "true": 0, "false": 1, "pow": 1}  # colour and grey, true and false colours, equal power
WHAT_IS_LEFT = ("contrast", "high-pass")  # a large number is a weak distortion


@frozen(inputs=ANSWERS)
def accuracy_by_strength() -> pd.DataFrame:
    """Return accuracies of people and of kinds of networks under each condition of the 14 sets of pictures.

    ``behind`` is how far a group is behind people on the same pictures, ``se`` its standard error over pictures.
    """
    data_sets = source.data_sets()
    with_people = data_sets.index[data_sets["people"] > 0]
    return pd.concat([_by_strength(name) for name in with_people], ignore_index=True)


def _by_strength(data_set: str) -> pd.DataFrame:
    responses = with_time_outs(source.read(data_set))
    conditions = sorted(responses.truth.index.unique("condition"), key=lambda condition: _strength(data_set, condition))
    shown = responses.truth.index.get_level_values("condition")
    groups = responses.systems["family"].replace("Human", PEOPLE)
    right = responses.answers.eq(responses.truth, axis=0).T.groupby(groups).mean().T
    behind = right.rsub(right[PEOPLE], axis=0)
    rows = [
        {"data_set": data_set, "condition": condition, "strength": place, "group": group}
        | _together(responses.select(systems=list(members), trials=shown == condition))
        | _over_pictures(behind.loc[shown == condition, str(group)])
        for place, condition in enumerate(conditions, start=1)
        for group, members in groups.groupby(groups, sort=False).groups.items()
    ]
    return pd.DataFrame(rows)


def _strength(data_set: str, condition: str) -> float:
    """Return a number that grows with what was done to a picture: eidolons have their reach before the first hyphen."""
    number = WORDS[condition] if condition in WORDS else float(condition.lstrip("c").split("-")[0])
    return -number if data_set in WHAT_IS_LEFT else number


def _together(responses: Responses) -> dict[str, float]:
    """Return how often systems are right: their answers as one system's, in which a picture comes several times."""
    answers, truth = responses.answers, responses.truth
    every = pd.concat(dict(answers.items()), names=["system"])
    one = Responses.from_table(
        pd.concat(dict.fromkeys(answers, truth), names=["system"]),
        {"all": every},
        classes=range(len(responses.classes)),
    )
    row = accuracy_intervals(one, clusters="image").loc["all", ["accuracy", "low", "high"]]
    return {"systems": len(responses.systems), "pictures": len(responses.truth), **row}


def _over_pictures(behind: pd.Series) -> dict[str, float]:
    found = lead(behind.groupby(level="image").mean())
    return {"behind": found["value"], "se": found["se"], "df": found["df"]}
