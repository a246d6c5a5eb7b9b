"""How many judges are 33 worth, by pair and by query; and is a vote of them better than one?"""

import warnings
from typing import Any

import numpy as np
import pandas as pd

from erralign.diversity import all_wrong, effective_number, plurality
from erralign_book.papers.frozen import frozen
from erralign_book.papers.judges import counts as panel
from erralign_book.papers.judges.counts import ARCHIVES, GRADES
from erralign_book.papers.leads import around, without_each

BY_PAIR, BY_QUERY, BOOTSTRAP = "by pair", "by query", "by query, bootstrap"
NUMBER, MISSED = "effective number", "all wrong"
DRAWS = 4000


def _row(what: str, found: tuple[float, float, float], by: str = BY_QUERY) -> dict:
    return {"what": what, "by": by} | dict(zip(("value", "low", "high"), found, strict=True))


def _panel(responses: Any, clusters: np.ndarray | None) -> tuple[tuple[float, float, float], ...]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # 25 queries are few, and intervals wide
        worth, missed = effective_number(responses, clusters=clusters), all_wrong(responses, clusters=clusters)
    return (worth.estimate, worth.low, worth.high), tuple(missed[["share", "low", "high"]])


def _bootstrap() -> tuple[np.ndarray, np.ndarray]:
    """Return the effective number, and the share that all miss, in draws of queries."""
    codes, wrong, rng = panel.queries(), (~panel.right()).astype(float), np.random.default_rng(0)
    n_queries, k = codes.max() + 1, wrong.sum(axis=1)
    columns = np.column_stack([np.ones(len(k)), k**2, k == wrong.shape[1], wrong])
    of_query = np.stack([np.bincount(codes, column) for column in columns.T], axis=1)
    n, squares, missed, *sums = rng.multinomial(n_queries, np.full(n_queries, 1 / n_queries), DRAWS).dot(of_query).T
    rates = np.array(sums) / n
    alone, together = (rates * (1 - rates)).sum(axis=0), squares / n - rates.sum(axis=0) ** 2
    return len(rates) * alone / together, missed / n


@frozen(inputs=ARCHIVES)
def together() -> pd.DataFrame:
    """Return what all judges are worth together, with intervals by pair and by query, and mean EC of two judges.

    Errors are counted in three ways: each wrong grade, grades that are off by two or more, and signed errors.
    """
    rows, codes = [], panel.queries()
    for by, clusters in ((BY_PAIR, None), (BY_QUERY, codes)):
        worth, missed = _panel(panel.judges(), clusters)
        rows += [_row(NUMBER, worth, by), _row(MISSED, missed, by)]
    for what, drawn, (value, *_) in zip((NUMBER, MISSED), _bootstrap(), (worth, missed), strict=True):
        rows.append(_row(what, (value, *np.quantile(drawn, [0.025, 0.975])), BOOTSTRAP))
    rows.append(_row("number, off by two or more", _panel(panel.within(1), codes)[0]))
    rows.append(
        _row("number, signed errors", around(*without_each(lambda kept: panel.number(panel.signed()[kept]), codes)))
    )
    rows.append(
        _row("number, best of each team", _panel(panel.judges().select(systems=panel.best_of_teams()), codes)[0])
    )
    found, given = all_wrong(panel.judges()), panel.judges().answers
    agreed = given.iloc[:, 0][given.nunique(axis=1) == 1]
    counted = {
        "pairs": len(codes),
        "pairs to which all give one grade": len(agreed),
        "the lowest grade on these": (agreed == GRADES[0]).sum(),
        "pairs that all miss": found["n_trials"],
        "one grade on these": found["same_answer"],
        "always the most frequent grade": panel.judges().truth.value_counts(normalize=True).iloc[0],
    }
    rows += [_row(what, (float(value), np.nan, np.nan)) for what, value in counted.items()]
    teams = panel.judges().systems["family"].to_numpy()
    first, second = np.triu_indices(len(teams), 1)
    same = teams[first] == teams[second]
    whole, without = without_each(panel.consistency_of_pairs, codes)
    for kind, chosen in {"one team": same, "two teams": ~same}.items():
        rows.append(_row(f"EC, {kind}", around(whole[chosen].mean(), without[:, chosen].mean(axis=1))))
    return pd.DataFrame(rows)


@frozen(inputs=ARCHIVES)
def each_judge() -> pd.DataFrame:
    """Return for each judge its team and accuracy, and what it has in common with others.

    ``EC`` is the mean with other judges. ``kappa`` is the weighted kappa of its grades and the assessors', with
    quadratic weights.
    """
    errors, truth = panel.signed(), panel.judges().truth.to_numpy()
    n, ends = errors.shape[1], np.triu_indices(errors.shape[1], 1)
    found = {
        "team": panel.judges().systems["family"].to_numpy(),
        "accuracy": panel.right().mean(axis=0),
        "kappa": [weighted_kappa(truth + each, truth) for each in errors.T],
    }
    values = panel.consistency_of_pairs(np.ones(len(truth), bool))
    found["EC"] = (np.bincount(ends[0], values, n) + np.bincount(ends[1], values, n)) / (n - 1)
    return pd.DataFrame({"judge": list(panel.judges().answers)} | found)


def weighted_kappa(a: np.ndarray, b: np.ndarray) -> float:
    """Return Cohen's kappa with quadratic weights: one less the mean squared difference over that by chance."""
    by_chance = a.var() + b.var() + (a.mean() - b.mean()) ** 2
    return float(1 - ((a - b) ** 2).mean() / by_chance)


@frozen(inputs=ARCHIVES)
def vote() -> pd.DataFrame:
    """Return how often a vote of all judges is right, by how ties are broken, less the best and independent ones."""
    given, truth, codes = panel.judges().answers.to_numpy(), panel.judges().truth.to_numpy(), panel.queries()
    votes, hit = counts(given), panel.right()
    most = votes == votes.max(axis=1, keepdims=True)
    ways = {
        "ties by lot": plurality(given, truth, len(GRADES)),
        "ties to the lowest": most.argmax(axis=1) == truth,
        "ties to the highest": GRADES[-1] - most[:, ::-1].argmax(axis=1) == truth,
        "the best judge": hit[:, hit.mean(axis=0).argmax()],
    }
    rows = [_row(what, around(*without_each(lambda kept, x=x: x[kept].mean(), codes))) for what, x in ways.items()]
    whole, without = without_each(lambda kept: independent(given[kept], truth[kept]), codes)
    rows.append(_row("independent judges", around(whole, without)))
    lot = without_each(lambda kept: ways["ties by lot"][kept].mean(), codes)
    best = without_each(lambda kept: hit[kept].mean(axis=0).max(), codes)
    for what, other in {"less independent judges": (whole, without), "less the best judge": best}.items():
        rows.append(_row(what, around(lot[0] - other[0], lot[1] - other[1])))
    return pd.DataFrame(rows).drop(columns="by")


@frozen(inputs=ARCHIVES)
def both_wrong() -> pd.DataFrame:
    """Return the share of pairs on which two judges are both wrong; on the diagonal that of each."""
    wrong, names = (~panel.right()).astype(float), panel.judges().answers.columns
    return pd.DataFrame(wrong.T @ wrong / len(wrong), names, names).rename_axis("judge").reset_index()


# ---- the vote: how ties are broken, and what independent judges would reach ----------------------------------------


def counts(given: np.ndarray) -> np.ndarray:
    """Return how many judges gave each grade, pairs by grades."""
    return np.stack([(given == grade).sum(axis=1) for grade in GRADES], axis=1)


def independent(given: np.ndarray, truth: np.ndarray) -> float:
    """Return how often the vote of judges would be right who know the true grade's habits, and nothing of each other.

    A judge grades as on a random pair with the same true grade; all sums over grades of all judges are exact.
    """
    total = 0.0
    for grade in np.unique(truth):
        habits = counts(given[truth == grade].T) / (truth == grade).sum()
        total += _chance_to_lead(habits / habits.sum(axis=1, keepdims=True), grade) * (truth == grade).mean()
    return total


def _chance_to_lead(habits: np.ndarray, grade: int) -> float:
    """Return the chance that a grade is the most frequent one, from the chance of each by judge."""
    n = len(habits)
    chances = np.zeros((n + 1,) * 3)  # how many chose the first three grades; all others chose the last
    chances[0, 0, 0] = 1
    for first, second, third, last in habits:
        moved = last * chances
        moved[1:] += first * chances[:-1]
        moved[:, 1:] += second * chances[:, :-1]
        moved[:, :, 1:] += third * chances[:, :, :-1]
        chances = moved
    votes = np.indices(chances.shape)
    votes = np.concatenate([votes, n - votes.sum(axis=0)[None]])
    leads = votes == votes.max(axis=0)
    return float((chances * leads[grade] / leads.sum(axis=0))[votes[3] >= 0].sum())
