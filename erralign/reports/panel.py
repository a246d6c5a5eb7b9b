"""What many systems are worth together: their effective number, trials that all miss, and the most frequent answer."""

from typing import Any

import pandas as pd

from erralign.diversity import all_wrong, effective_number, vote
from erralign.plot.words import number, with_interval
from erralign.responses import Responses

FEWEST = 3
NUMBER, MISSED, VOTE, GAIN = "effective number", "all wrong, %", "vote right, %", "vote less best, %"
MEANINGS = (
    (NUMBER, "how many independent systems would vary as much, from trial to trial, in the share that is wrong."),
    ("vote", "the most frequent answer, ties by lot; independent ones answer like each of yours given the true class."),
)


def panel_of(responses: Responses, *, level: float, clusters: Any) -> pd.DataFrame:
    """Return a row per number: ``value`` with ``low`` and ``high``, and ``independent``, what independent systems have.

    The attributes are ``n_missed``, the trials that all miss, and ``same_answer``, on what share of them at least half
    of all give one wrong answer.
    """
    n = responses.answers.shape[1]
    if n < FEWEST:
        raise ValueError(f"panel is for at least {FEWEST} systems of yours; there are {n}")
    how: dict[str, Any] = {"level": level, "clusters": clusters}
    worth, missed, voted = effective_number(responses, **how), all_wrong(responses, **how), vote(responses, **how)
    best = voted["best"]
    rows = {
        NUMBER: (worth.estimate, worth.low, worth.high, float(n)),
        MISSED: tuple(100 * missed[["share", "low", "high", "if_independent"]]),
        VOTE: tuple(100 * voted[["accuracy", "low", "high", "if_independent"]]),
        GAIN: tuple(100 * pd.Series([*voted[["gain", "gain_low", "gain_high"]], voted["if_independent"] - best])),
    }
    table = pd.DataFrame.from_dict(rows, orient="index", columns=["value", "low", "high", "independent"])
    table.attrs = {"n_missed": int(missed["n_trials"]), "same_answer": float(missed["same_answer"])}
    return table


def sentences(panel: pd.DataFrame) -> list[str]:
    """Say what the panel is worth; nothing where none was asked for."""
    if panel.empty:
        return []
    clear = panel["low"][GAIN] * panel["high"][GAIN] > 0
    said = [
        f"{panel['independent'][NUMBER]:g} systems are worth {_written(panel, NUMBER)} independent ones.",
        f"Their most frequent answer is right on {_written(panel, VOTE)} % of the trials. Over the best one alone it "
        f"gains {_written(panel, GAIN)} points{'' if clear else ', which may be none'}.",
    ]
    if n := panel.attrs["n_missed"]:
        share = 100 * panel.attrs["same_answer"]
        said.append(
            f"On {n:,} trials all are wrong, and on {share:.0f} % of these at least half give one wrong answer: look "
            "there first whether the true class is right."
        )
    return [" ".join(said)]


def table(panel: pd.DataFrame) -> pd.DataFrame:
    """Return the numbers as text."""
    rows = {what: [_written(panel, what), _independent(panel, what)] for what in panel.index}
    shown = pd.DataFrame.from_dict(rows, orient="index", columns=["these systems", "independent ones"])
    return shown.rename_axis("together").reset_index()


def _independent(panel: pd.DataFrame, what: str) -> str:
    value = panel["independent"][what]
    return number(value, 0) if what == NUMBER else number(value, 1, is_p=what == MISSED)


def _written(panel: pd.DataFrame, what: str) -> str:
    value, low, high = (panel[column][what] for column in ("value", "low", "high"))
    return with_interval(value, low, high, digits=2 if what == NUMBER else 1)
