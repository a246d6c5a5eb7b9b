"""People, networks and mixed pairs on the fourteen sets."""

from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd

from erralign.behaviour import class_level_error_similarity_from_counts as cles
from erralign.datasets import xu2024 as source
from erralign.datasets.trials import CATEGORIES, MODEL_VS_HUMAN, class_ids, read_trials
from erralign.inference import accuracy_intervals
from erralign.measures.matrix import error_matrix
from erralign.responses import Responses
from erralign_book.papers.frozen import frozen
from erralign_book.papers.kinds import KINDS, by_condition, compared, leads_over_sets, pairs_by_condition
from erralign_book.papers.leads import lead
from erralign_book.papers.tables import each_data_set

ANSWERS = [source.ERROR_ALIGN, MODEL_VS_HUMAN]
SYNTHETIC = tuple(source.data_sets().query("kind == 'synthetic'").index)


@cache
def answers_on(data_set: str) -> Responses:
    """Return a data set's answers, read once."""
    return source.read(data_set)


@frozen(inputs=ANSWERS, settings=SYNTHETIC, by="data_set")
def kinds_by_condition(data_set: str) -> pd.DataFrame:
    """Return the mean of each measure over three kinds of pairs, pooled over conditions and within each."""
    return by_condition(answers_on(data_set), source.architectures())


def kinds_compared(measure: str = "EC", **choice) -> pd.DataFrame:
    """Compare kinds of pairs under a choice, as :func:`erralign_book.papers.kinds.compared` does."""
    return compared(kinds_by_condition(), measure, **choice)


@frozen(inputs=ANSWERS)
def leads() -> pd.DataFrame:
    """Return how far two people are ahead of other pairs on the fourteen sets, under all choices crossed."""
    pairs = each_data_set(lambda name: pairs_by_condition(answers_on(name), source.architectures()), SYNTHETIC)
    return pd.concat([leads_over_sets(pairs, over) for over in KINDS[1:]], ignore_index=True)


# ---- whose confusions are alike, once all systems make equally many errors? ---------------------------------------


DRAWS = 10
FEWEST = 3  # pairs of a kind, for their mean to be shown
ONE_BY_ONE, APART, POOLED = 60, 30, 100  # errors of each system


@frozen(inputs=ANSWERS, slow=True, settings=SYNTHETIC, spot=("colour", "power-equalisation"), by="data_set")
def habits_at_equal_numbers(data_set: str) -> pd.DataFrame:
    """Return mean CLES by kind of pairs if each system makes ``n_errors``: at one strength at a time, and over all.

    Of each system so many errors are drawn at random, without replacement; systems with fewer are left out. *shared* is
    the value of the two tables after their errors were shuffled class by class. The errors of a pair come from the same
    pictures, or, on pictures *apart*, from one random half for the first system and from the other for the second.
    """
    every = answers_on(data_set)
    strengths = every.truth.index.get_level_values("condition")
    halves = np.random.default_rng(0).permutation(len(strengths)) % 2 == 0
    parts = []
    for each in strengths.unique():
        chosen = every.select(trials=strengths == each)
        one, other = (every.select(trials=(strengths == each) & (halves == half)) for half in (True, False))
        parts.append(_compared(chosen, chosen, ONE_BY_ONE).assign(strength=each, pictures="the same"))
        parts.append(_compared(one, other, APART).assign(strength=each, pictures="apart"))
    pairs = pd.concat([*parts, _compared(every, every, POOLED).assign(strength="all", pictures="the same")])
    kinds = pairs.groupby(["n_errors", "strength", "pictures", "kind"], sort=False)
    means = kinds[["CLES", "shared"]].mean().round(6).assign(n_pairs=kinds.size()).reset_index()
    return means[means["n_pairs"] >= FEWEST]


def _compared(first: Responses, second: Responses, n_errors: int) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    of_first = _thinned(first, n_errors, rng)
    of_second = of_first if second is first else _thinned(second, n_errors, rng)
    people = first.systems["kind"].eq("human")
    rows = []
    for a, b in combinations([name for name in of_first if name in of_second], 2):
        two = of_first[a], of_second[b]
        ways = {"CLES": two, "shared": _shuffled(*two, rng)}
        values = {way: np.mean([cles(*both) for both in zip(*tables, strict=True)]) for way, tables in ways.items()}
        rows.append({"n_errors": n_errors, "kind": KINDS[2 - people[a] - people[b]], **values})
    return pd.DataFrame(rows, columns=["n_errors", "kind", "CLES", "shared"])


def _thinned(responses: Responses, n_errors: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Draw so many errors of each system that made them, as tables of true classes and answers."""
    truth, size = responses.truth.to_numpy(), len(CATEGORIES)
    tables = {name: error_matrix(truth, said.to_numpy(), size) for name, said in responses.answers.items()}
    return {
        str(name): rng.multivariate_hypergeometric(table.ravel(), n_errors, size=DRAWS).reshape(DRAWS, size, size)
        for name, table in tables.items()
        if table.sum() >= n_errors
    }


def _shuffled(a: np.ndarray, b: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    heap, numbers = a + b, a.sum(axis=2)
    cells = zip(heap.reshape(-1, heap.shape[-1]), numbers.ravel(), strict=True)
    dealt = np.array([rng.multivariate_hypergeometric(row, n) for row, n in cells]).reshape(heap.shape)
    return dealt, heap - dealt


# ---- how often people and networks were right under each strength of each distortion ------------------------------


def original_answers(data_set: str) -> pd.DataFrame:
    """Read what people answered in the original trials of a synthetic set, in the order of the released arrays."""
    order, answers = source.trial_names(data_set), {}
    for person in range(1, source.data_sets()["people"][data_set] + 1):
        trials = read_trials(data_set, person).set_index(["condition", "image"]).loc[order]
        answers[f"s{person}"] = class_ids(trials["object_response"])
    return pd.DataFrame(answers, index=order)


def with_time_outs(responses: Responses) -> Responses:
    """Return the same responses, with -1 where a person gave no answer in time in the original trials."""
    original = original_answers(responses.name.partition("/")[2])
    answers = responses.answers.copy()
    answers[original.columns] = answers[original.columns].where(original >= 0, -1)
    return replace(responses, answers=answers)


PEOPLE = "people"
WORDS = {"cr": 0, "bw": 1, "true": 0, "false": 1, "pow": 1}  # colour and grey, true and false colours, equal power
WHAT_IS_LEFT = ("contrast", "high-pass")  # a large number is a weak distortion


@frozen(inputs=ANSWERS, settings=tuple(source.data_sets().query("people > 0").index), by="data_set")
def accuracy_by_strength(data_set: str) -> pd.DataFrame:
    """Return accuracies of people and of kinds of networks under each condition of the 14 sets of pictures.

    ``behind`` is how far a group is behind people on the same pictures, ``se`` its standard error over pictures.
    """
    responses = with_time_outs(source.read(data_set))
    conditions = sorted(responses.truth.index.unique("condition"), key=lambda condition: _strength(data_set, condition))
    shown = responses.truth.index.get_level_values("condition")
    groups = responses.systems["family"].replace("Human", PEOPLE)
    right = responses.answers.eq(responses.truth, axis=0).T.groupby(groups).mean().T
    behind = right.rsub(right[PEOPLE], axis=0)
    rows = [
        {"condition": condition, "strength": place, "group": group}
        | _together(responses.select(systems=list(members), trials=shown == condition))
        | {"behind": over["value"], "se": over["se"], "df": over["df"]}
        for place, condition in enumerate(conditions, start=1)
        for group, members in groups.groupby(groups, sort=False).groups.items()
        for over in [lead(behind.loc[shown == condition, str(group)].groupby(level="image").mean())]
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
    truths = pd.concat(dict.fromkeys(answers, truth), names=["system"])
    one = Responses.from_table(truths, {"all": every}, classes=range(len(responses.classes)))
    row = accuracy_intervals(one, clusters="image").loc["all", ["accuracy", "low", "high"]]
    return {"systems": len(responses.systems), "pictures": len(responses.truth), **row}
