"""Result tables about 33 language-model judges of relevance, beside human assessors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from erralign.datasets import llmjudge
from erralign.diversity import all_wrong, plurality
from erralign.pairs import pairwise
from erralign.responses import Responses
from erralign_book.papers import tables
from erralign_book.papers.frozen import frozen
from erralign_book.papers.leads import around, without_each

ARCHIVES = [llmjudge.JUDGES, llmjudge.ASSESSORS]
GRADES = np.arange(len(llmjudge.GRADES))


@cache
def judges() -> Responses:
    """Return the grades."""
    return llmjudge.read()


def queries() -> np.ndarray:
    """Return the query of each pair, as a number."""
    return pd.factorize(judges().truth.index.get_level_values("query"))[0]


def right() -> np.ndarray:
    """Return which grades are those of the assessors, pairs by judges."""
    return judges().answers.eq(judges().truth, axis=0).to_numpy()


def best_of_teams() -> list[str]:
    """Return the most accurate judge of each team."""
    accuracy = pd.Series(right().mean(axis=0), judges().answers.columns)
    return list(accuracy.groupby(judges().systems["family"]).idxmax())


def within(distance: int) -> Responses:
    """Return the judges with every grade as right that is at most so far from the assessors'."""
    far = judges().answers.sub(judges().truth, axis=0).abs()
    near = (far <= distance) & (judges().answers >= 0)
    return replace(judges(), answers=judges().answers.mask(near, judges().truth, axis=0))


def signed() -> np.ndarray:
    """Return by how much each grade is too high; 0 where there is none."""
    given = judges().answers
    return given.sub(judges().truth, axis=0).where(given >= 0, 0).to_numpy()


def number(errors: np.ndarray) -> float:
    """Return the effective number of systems, from errors that are 0 or 1, or signed."""
    return float(errors.shape[1] * errors.var(axis=0).sum() / errors.sum(axis=1).var())


def consistency_of_pairs(kept: np.ndarray) -> np.ndarray:
    """Return EC of all pairs of judges, on some of the pairs that they graded."""
    return pairwise(judges().select(trials=kept), "EC")["EC"].to_numpy()


BY_PAIR, BY_QUERY = "by pair", "by query"
WORTH = "effective number"


def _row(what: str, found: tuple[float, float, float], by: str = BY_QUERY) -> dict:
    return {"what": what, "by": by} | dict(zip(("value", "low", "high"), found, strict=True))


@frozen(inputs=ARCHIVES)
def together() -> pd.DataFrame:
    """Return what all judges are worth together, with intervals by pair and by query, and mean EC of two judges.

    Errors are counted in three ways: each wrong grade, grades that are off by two or more, and signed errors.
    """
    rows, codes = [], queries()
    for by, clusters in ((BY_PAIR, None), (BY_QUERY, codes)):
        rows += [_row(what, found, by) for what, found in tables.together(judges(), clusters).items()]
    rows.append(_row("number, off by two or more", tables.together(within(1), codes)[WORTH]))
    rows.append(_row("number, signed errors", around(*without_each(lambda kept: number(signed()[kept]), codes))))
    rows.append(
        _row("number, best of each team", tables.together(judges().select(systems=best_of_teams()), codes)[WORTH])
    )
    found, given = all_wrong(judges()), judges().answers
    agreed = given.iloc[:, 0][given.nunique(axis=1) == 1]
    counted = {
        "pairs": len(codes),
        "pairs to which all give one grade": len(agreed),
        "the lowest grade on these": (agreed == GRADES[0]).sum(),
        "pairs that all miss": found["n_trials"],
        "one grade on these": found["same_answer"],
        "always the most frequent grade": judges().truth.value_counts(normalize=True).iloc[0],
    }
    rows += [_row(what, (float(value), np.nan, np.nan)) for what, value in counted.items()]
    teams = judges().systems["family"].to_numpy()
    first, second = np.triu_indices(len(teams), 1)
    same = teams[first] == teams[second]
    whole, without = without_each(consistency_of_pairs, codes)
    for kind, chosen in {"one team": same, "two teams": ~same}.items():
        rows.append(_row(f"EC, {kind}", around(whole[chosen].mean(), without[:, chosen].mean(axis=1))))
    return pd.DataFrame(rows)


@frozen(inputs=ARCHIVES)
def vote() -> pd.DataFrame:
    """Return how often a vote of all judges is right, by how ties are broken, and less independent ones."""
    given, truth, codes = judges().answers.to_numpy(), judges().truth.to_numpy(), queries()
    votes = counts(given)
    most = votes == votes.max(axis=1, keepdims=True)
    ways = {
        "ties by lot": plurality(given, truth, len(GRADES)),
        "ties to the lowest": most.argmax(axis=1) == truth,
        "ties to the highest": GRADES[-1] - most[:, ::-1].argmax(axis=1) == truth,
        "the best judge": best_elsewhere(),
    }
    rows = [_row(what, around(*without_each(lambda kept, x=x: x[kept].mean(), codes))) for what, x in ways.items()]
    whole, without = without_each(lambda kept: independent(given[kept], truth[kept]), codes)
    rows.append(_row("independent judges", around(whole, without)))
    lot = without_each(lambda kept: ways["ties by lot"][kept].mean(), codes)
    rows.append(_row("less independent judges", around(lot[0] - whole, lot[1] - without)))
    return pd.DataFrame(rows).drop(columns="by")


@frozen(inputs=ARCHIVES)
def both_wrong() -> pd.DataFrame:
    """Return the share of pairs on which two judges are both wrong; on the diagonal that of each."""
    wrong, names = (~right()).astype(float), judges().answers.columns
    return pd.DataFrame(wrong.T @ wrong / len(wrong), names, names).rename_axis("judge").reset_index()


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


LARGEST, N_RANDOM = 9, 300
RANDOM, ACCURATE, NUMBER, VOTE = "at random", "most accurate", "for the number", "for the vote"
Score = Callable[[list[int], np.ndarray], float]


def _worth(chosen: list[int], kept: np.ndarray) -> float:
    return number(~right()[kept][:, chosen])


def _voted(chosen: list[int], kept: np.ndarray) -> float:
    given, truth = judges().answers.to_numpy()[kept][:, chosen], judges().truth.to_numpy()[kept]
    return float(plurality(given, truth, len(GRADES)).mean())


def _accurate(chosen: list[int], kept: np.ndarray) -> float:
    return float(right()[kept][:, chosen].mean())


def greedy(score: Score, kept: np.ndarray, n: int) -> list[int]:
    """Return judges in the order in which they are chosen: the first is the most accurate, then the best addition."""
    chosen = [max(range(n), key=lambda judge: _accurate([judge], kept))]
    while len(chosen) < LARGEST:
        others = [judge for judge in range(n) if judge not in chosen]
        chosen.append(max(others, key=lambda judge: score([*chosen, judge], kept)))
    return chosen


RULES: dict[str, Score] = {ACCURATE: _accurate, NUMBER: _worth, VOTE: _voted}


@frozen(inputs=ARCHIVES)
def sizes() -> pd.DataFrame:
    """Return effective number and vote of panels of 1 to 9 judges, by how they are chosen, and its gain over the best.

    They are measured on a fifth of the queries at a time, with panels and the best judge chosen on the others. Panels
    at random are a mean over draws.
    """
    rows = [row for how, score in RULES.items() for row in _elsewhere(how, score, queries())]
    return pd.DataFrame(rows + _at_random(*right().shape))


def folds(codes: np.ndarray) -> np.ndarray:
    """Return in which of five parts each query is."""
    return (np.random.default_rng(0).permutation(codes.max() + 1) % 5)[codes]


def best_elsewhere() -> np.ndarray:
    """Return where the best judge is right: for a fifth of the queries the one that is most accurate on the others."""
    part, hit = folds(queries()), right()
    best = [hit[part != fold].mean(axis=0).argmax() for fold in range(5)]
    return hit[np.arange(len(hit)), np.take(best, part)].astype(float)


def _beside_the_best(hit: np.ndarray) -> dict[str, float]:
    """Return how often a vote is right, and its gain over the best judge alone, with an interval for new queries."""
    more = hit - best_elsewhere()
    gain = without_each(lambda kept: more[kept].mean(), queries())
    return {"vote": float(hit.mean())} | dict(zip(("gain", "low", "high"), around(*gain), strict=True))


def _elsewhere(how: str, score: Score, codes: np.ndarray) -> list[dict]:
    part, wrong = folds(codes), ~right()
    given, truth = judges().answers.to_numpy(), judges().truth.to_numpy()
    orders = [greedy(score, part != fold, wrong.shape[1]) for fold in range(5)]
    rows = []
    for size in range(1, LARGEST + 1):
        errors, said = (np.zeros((len(codes), size), int) for _ in range(2))
        for fold, order in enumerate(orders):
            here = part == fold
            errors[here], said[here] = wrong[here][:, order[:size]], given[here][:, order[:size]]
        found = {"number": number(errors)} | _beside_the_best(plurality(said, truth, len(GRADES)))
        rows.append({"how": how, "size": size} | found)
    return rows


def _at_random(n_pairs: int, n: int) -> list[dict]:
    given, truth, rng = judges().answers.to_numpy(), judges().truth.to_numpy(), np.random.default_rng(0)
    rows = []
    for size in (*range(1, LARGEST + 1), 15, 21, 27, n):
        drawn = [list(rng.choice(n, size, replace=False)) for _ in range(N_RANDOM if size < n else 1)]
        numbers = [_worth(each, np.ones(n_pairs, bool)) for each in drawn]
        votes = [plurality(given[:, each], truth, len(GRADES)) for each in drawn[:60]]
        means = {"number": np.mean(numbers)} | _beside_the_best(np.mean(votes, axis=0))
        rows.append({"how": RANDOM, "size": size} | means)
    return rows


@frozen(inputs=ARCHIVES)
def five_or_best() -> pd.DataFrame:
    """Return what five judges' vote gains over the best, all chosen here or on other parts, in twenty divisions."""
    given, truth, codes, hit = judges().answers.to_numpy(), judges().truth.to_numpy(), queries(), right()
    rows, rng = [], np.random.default_rng(0)
    for parts, where in {1: "these queries", 5: "four fifths of the queries", 2: "one half of the queries"}.items():
        voted, alone = np.zeros((2, len(codes)))
        for part in (rng.permutation(codes.max() + 1)[codes] % parts for _ in range(20)):
            for here in (part == fold for fold in range(parts)):
                chosen = here if parts == 1 else ~here
                five = np.argsort(-hit[chosen].mean(axis=0), kind="stable")[:5]
                voted[here] += plurality(given[here][:, five], truth[here], len(GRADES)) / 20
                alone[here] += hit[here, five[0]] / 20
        whole = without_each(lambda kept, gain=voted - alone: gain[kept].mean(), codes)
        facts = {"benchmark": "llmjudge", "rule": f"the five most accurate on {where}", "best": alone.mean()}
        rows.append(facts | dict(zip(("value", "low", "high"), around(*whole), strict=True)))
    return pd.DataFrame(rows)


# How often would the key have to be wrong for shared errors to vanish?
# Let the key be right with probability a on each trial, and else name any other class, each as likely, whatever systems
# say. Then what is seen beside the key follows from what would be seen beside the truth, and that can be turned round.
# Where p is how often a system is right by the key, and x how often two are, and A how often two agree,
#
#     true p = (p - s) / (a - s),  true x = (x - s A) / (a - s),  s = (1 - a) / (number of classes - 1).
#
# And a is bounded: a key that slips whatever systems say is right, on trials that their answers pick out, as often as
# anywhere. So where all systems agree, the key has what they say on at most the share a, or s, of the trials.
AT = np.round(np.arange(1, 0.499, -0.01), 2)
LEAST, VANISH = "at least", "no shared errors"
LOWEST = 0.3  # where roots are sought; a key that is right on a quarter says nothing


class Seen:
    """What is seen beside a key: how often each system is right, how often two are, and how often two agree."""

    def __init__(self, hit: np.ndarray, both: np.ndarray, agree: np.ndarray, other: float, least: float) -> None:
        self.hit, self.both, self.agree, self.other, self.least = hit, both, agree, other, least

    @classmethod
    def of(cls, given: np.ndarray, hit: np.ndarray, n_classes: int) -> Seen:
        """Count answers, trials by systems, -1 for none, which never agree."""
        ends = np.triu_indices(given.shape[1], 1)
        chosen = [(given == each).astype(float) for each in range(n_classes)]
        agree = sum((each.T @ each)[ends] for each in chosen) / len(given)
        both = (hit.T.astype(float) @ hit)[ends] / len(given)
        agreed = (given == given[:, :1]).all(axis=1) & (given[:, 0] >= 0)
        return cls(hit.mean(axis=0), both, agree, 1 / (n_classes - 1), hit[agreed, 0].mean())

    def covariances(self, a: float) -> tuple[np.ndarray, np.ndarray]:
        """Return variances of errors and covariances of two beside the truth, if the key is right that often."""
        slip = (1 - a) * self.other
        p, both = (self.hit - slip) / (a - slip), (self.both - slip * self.agree) / (a - slip)
        first, second = np.triu_indices(len(p), 1)
        return p * (1 - p), both - p[first] * p[second]

    def number(self, a: float) -> float:
        """Return the effective number beside the truth, or nan where fewer errors are shared than by chance."""
        alone, shared = self.covariances(a)
        variance = alone.sum() + 2 * shared.sum()
        return len(alone) * alone.sum() / variance if shared.sum() > 0 else np.nan

    def vanishing(self) -> float:
        """Return how often the key would be right if systems shared no errors."""
        return brentq(lambda a: self.covariances(a)[1].sum(), LOWEST, 1)
