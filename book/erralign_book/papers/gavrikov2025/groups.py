"""Agreement that plain progress leaves as it is: the correlation behind right and wrong, if both have a threshold.

Suppose that each picture has an ease for each of two systems, that both eases are normal and correlated, and that a
system is right above its threshold. A lower threshold makes it more accurate and leaves the correlation as it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import product

import numpy as np
import pandas as pd
from scipy.optimize import isotonic_regression

from erralign.bounds import error_consistency_bounds
from erralign.datasets import gavrikov2025, huber2022, model_vs_human
from erralign.measures import Form, Measure, measure_of
from erralign.measures.error_consistency import right_counts
from erralign.measures.matrix import kappa, response_matrix
from erralign.pairs import pairwise
from erralign.responses import Responses
from erralign_book.datasets.years import years
from erralign_book.papers.frozen import frozen
from erralign_book.papers.gavrikov2025 import answers
from erralign_book.papers.gavrikov2025.answers import OPTIONS, members
from erralign_book.papers.leads import Lead, summed, variance_of
from erralign_book.papers.tables import beside_people


def tetrachoric(n: int, a: np.ndarray, b: np.ndarray, both: np.ndarray) -> np.ndarray:
    """Approximate the correlation from how many trials there are, and on how many A, B and both are right.

    Half a count is added to each cell (Bonett & Price 2005, https://doi.org/10.3102/10769986030002213).
    """
    p_a, p_b = a / n, b / n
    odds = (both + 0.5) * (n - a - b + both + 0.5) / ((a - both + 0.5) * (b - both + 0.5))
    least = np.minimum(np.minimum(p_a, 1 - p_a), np.minimum(p_b, 1 - p_b))
    power = (1 - np.abs(p_a - p_b) / 5 - (0.5 - least) ** 2) / 2
    return np.cos(np.pi / (1 + odds**power))


def _of_pair(truth: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
    right_a, right_b = np.asarray(a) == truth, np.asarray(b) == truth
    return float(tetrachoric(len(right_a), right_a.sum(), right_b.sum(), (right_a & right_b).sum()))


TETRACHORIC = Measure("tetrachoric_correlation", "r", _of_pair, form=Form(right_counts, tetrachoric), range=(-1, 1))


# ---- how alike people and each group of models are, beside what their accuracies allow ----------------------------


# Name in charts: measure, and whether wrong answers that name the texture are taken away.
YARDSTICKS: dict[str, tuple[str | Measure, bool]] = {
    "EC": ("EC", False),
    "share of the largest EC": ("H", False),
    "threshold model": (TETRACHORIC, False),
    "MA": ("MA", False),
    "MA without textures": ("MA", True),
    "WMA": ("WMA", False),
}
PICTURES = {"all pictures": lambda responses: responses, "no agreeing cues": answers.with_a_conflict}


@cache
def _on(pictures: str, textures: bool) -> Responses:
    chosen = PICTURES[pictures](answers.everybody())
    return answers.without_textures(chosen) if textures else chosen


@cache
def _mean(yardstick: str, pictures: str, rows: str, columns: str) -> answers.Mean:
    measure, textures = YARDSTICKS[yardstick]
    return answers.mean_of_pairs(_on(pictures, textures), measure, answers.members()[rows], answers.members()[columns])


def _spread(means: list[answers.Mean], pictures: str, *groups: str) -> Lead:
    samples = {group: answers.members()[group] for group in dict.fromkeys(["people", *groups])}
    return answers.lead(_on(pictures, False).truth.index, means, answers.units(), samples)


@frozen(inputs=answers.ANSWERS)
def groups_with_people() -> pd.DataFrame:
    """Return each group's mean agreement with people, by each yardstick, and its members' accuracy and textures."""
    right = answers.everybody().answers.eq(answers.everybody().truth, axis=0).mean()
    textures, rows = answers.texture_shares(answers.everybody()), []
    for group, systems in answers.members().items():
        facts = {"systems": len(systems), "accuracy": right[systems].mean(), "texture": textures[systems].mean()}
        for name in YARDSTICKS:
            found = _spread([_mean(name, "all pictures", "people", group)], "all pictures", group)
            rows.append({"group": group, "yardstick": name} | facts | found)
    return pd.DataFrame(rows)


@frozen(inputs=answers.ANSWERS)
def newer_less_older() -> pd.DataFrame:
    """Return by how much newer models agree more with people than older ones, choice by choice."""
    rows = []
    for name, pictures, newer, older in product(YARDSTICKS, PICTURES, answers.NEWER, answers.OLDER):
        of_newer, of_older = (_mean(name, pictures, "people", group) for group in (newer, older))
        found = _spread([of_newer, answers.less(of_older)], pictures, newer, older)
        ours = (pictures, newer, older) == ("all pictures", answers.OPTIONS, answers.CNNS)
        rows.append(found | {"n": 1, "ours": ours, "yardstick": name, "newer": newer, "older": older, "on": pictures})
    return pd.DataFrame(rows)


# ---- each system, for the picture ------------------------------------------------------------------------------------


@frozen(inputs=[*answers.ANSWERS, *model_vs_human.KEYS])
def systems_with_people() -> pd.DataFrame:
    """Return each network's year, accuracy, mean EC with people and the mean of the largest that accuracies allow.

    Networks of 2020 to 2022 are those of the benchmark model-vs-human. CLIP with its three prompts counts once; a
    classifier that began as CLIP is one of its group.
    """
    people, found = answers.members()["people"], answers.everyone()
    pairs = beside_people(pairwise(found, ["EC", "MA"], with_=people))
    most = error_consistency_bounds(pairs["accuracy_a"], pairs["accuracy_b"])[1]
    named = pairs.assign(largest=most, system=pairs["system_b"], accuracy=pairs["accuracy_b"])
    table = named.groupby("system", sort=False)[["accuracy", "EC", "largest", "MA"]].mean().reset_index()
    groups = table["system"].map({system: name for name, systems in answers.members().items() for system in systems})
    groups = groups.fillna("other older networks").mask(table["system"].str.startswith("CLIP "), answers.CLIP)
    model = table["system"].map(answers.units()).where(groups == answers.CLIP, table["system"])
    kept = table.assign(group=groups, model=model, year=table["system"].map(years()))
    columns = ["year", "accuracy", "EC", "largest", "MA"]
    return kept.groupby(["group", "model"], sort=False)[columns].mean().reset_index()


# ---- how far newer models lie above older networks of their accuracy: above a path through the older ones ---------


DEGREES = {"parabola": 2, "straight line": 1, "cubic": 3}
RISING, NEAR = "only rising", "mean within 0.05"
FORMS = (*DEGREES, RISING, NEAR)
# Older networks that are left out, by names: encoders of CLIP saw captions, SWAG's networks hashtags.
WITHOUT = {"CLIP": "CLIP", "none": "$^", "CLIP, painted textures": "CLIP|SIN", "CLIP, hashtags": "CLIP|swag"}


def height(form: str, accuracy: np.ndarray, value: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Return the height, at some accuracies, of a path through points; nan where none is near."""
    if form == NEAR:
        near = np.abs(accuracy - at[:, None]) < 0.05
        return np.divide(near @ value, near.sum(axis=1), out=np.full(len(at), np.nan), where=near.any(axis=1))
    if form == RISING:
        order = np.argsort(accuracy)
        return np.interp(at, accuracy[order], isotonic_regression(value[order]).x)
    return np.polyval(np.polyfit(accuracy, value, DEGREES[form]), at)


def curve(older: pd.DataFrame, at: np.ndarray) -> pd.DataFrame:
    """Return the height of the curve of older networks at some accuracies, and how far its 95 % interval reaches.

    The interval is the jackknife's, over networks.
    """
    accuracy, value = older[["accuracy", "EC"]].to_numpy().T
    path = partial(height, "parabola", at=at)
    each = range(len(value))
    without = [path(accuracy=np.delete(accuracy, one), value=np.delete(value, one)) for one in each]
    high = 1.96 * np.sqrt((len(value) - 1) * np.var(without, axis=0))
    return pd.DataFrame({"place": at, "EC": path(accuracy=accuracy, value=value), "high": high, "low": -high})


@dataclass(frozen=True)
class Above:
    """How far newer models lie above the path, on average; ``values`` are those of people (rows) with systems."""

    form: str
    newer: np.ndarray
    accuracy: np.ndarray
    values: pd.DataFrame
    without_each: tuple[np.ndarray, np.ndarray]  # accuracies and mean values, without each picture in turn

    def each(self, accuracy: np.ndarray, value: np.ndarray, kept: np.ndarray | bool = True) -> np.ndarray:
        """Return how far each newer model lies above the path."""
        new, old = self.newer & kept, ~self.newer & kept
        return value[new] - height(self.form, accuracy[old], value[old], accuracy[new])

    def without(self, left_out: Sequence[str] = ()) -> float:
        """Return the mean over the models that are left, with the people and older networks that are left."""
        value = self.values[~self.values.index.isin(left_out)].mean().to_numpy()
        return float(np.nanmean(self.each(self.accuracy, value, ~self.values.columns.isin(left_out))))

    @property
    def moved(self) -> np.ndarray:
        """Return what each picture does to the mean."""
        without = np.array([np.nanmean(self.each(*one)) for one in zip(*self.without_each, strict=True)])
        return without.mean() - without


@cache
def _with_people() -> tuple[np.ndarray, pd.DataFrame, np.ndarray, np.ndarray]:
    """Return all networks' accuracy and EC with each person, and accuracy and mean EC without each picture."""
    people = answers.members()["people"]
    systems = answers.everyone().answers.columns.difference(people)
    trials, shape = response_matrix(answers.everyone(), [*people, *systems]), (len(people), len(systems))
    first, second = np.indices(shape).reshape(2, -1)
    values, without = measure_of("EC").leave_one_out(replace(trials, selected=(first, second + len(people))))
    right = (trials.answers == trials.truth)[len(people) :].T
    without = without.reshape(*shape, -1).mean(axis=0).T
    accuracies = (right.sum(axis=0) - right) / (len(right) - 1)
    return right.mean(axis=0), pd.DataFrame(values.reshape(shape), people, systems), accuracies, without


def older(without: str = "CLIP") -> pd.Index:
    """Return the networks of 2012 to 2022 that classify pictures, without some."""
    systems = _with_people()[1].columns
    networks = systems.difference([name for group in answers.NEWER for name in answers.members()[group]])
    return networks[~networks.str.contains(WITHOUT[without])]


def _families() -> pd.Series:
    """Return what is drawn together: a person, networks of one architecture, models whose names begin alike."""
    systems, names = answers.everyone().systems, answers.everyone().systems.index.to_series()
    known = systems["architecture"].replace(["", "person"], None).mask(names.str.contains("-SIN"), "stylised")
    return known.fillna(names.where(systems["kind"] == "human", names.str.extract("^([A-Za-z0-9]+)", expand=False)))


PATHS = tuple(product((answers.OPTIONS, answers.CLIP, answers.DESCRIPTION), FORMS, WITHOUT))


@frozen(inputs=[*answers.ANSWERS, *model_vs_human.KEYS], settings=PATHS, by="newer form without")
def above_older(choice: tuple[str, str, str]) -> pd.DataFrame:
    """Return by how much newer models lie above a path through older networks in EC with people, choice by choice."""
    group, form, without = choice
    right, values, *left_out = _with_people()
    new, old = answers.members()[group], older(without)
    kept = values.columns.isin([*new, *old])
    accuracies, means = (part[:, kept] for part in left_out)
    above = Above(form, values.columns[kept].isin(new), right[kept], values.loc[:, kept], (accuracies, means))
    each = above.each(above.accuracy, above.values.mean().to_numpy())
    accuracy = pd.Series(right, values.columns)
    as_accurate = accuracy[old].between(accuracy[new].min(), accuracy[new].max()).sum()
    facts = {"EC": above.values[new].mean(axis=None), "n_newer": len(new), "n_above": (each > 0).sum()}
    facts |= {"n_older": len(old), "n_as_accurate": as_accurate}
    samples = {"people": list(values.index), "newer": new, "older": list(old)}
    return pd.DataFrame([facts | answers.lead(answers.everyone().truth.index, [above], _families(), samples)])


# ---- vision-language models beside children and adults, on the pictures that each of them saw ----------------------


INPUTS = [gavrikov2025.VLM_SHAPEBIAS, huber2022.DEVELOPMENT]


@frozen(inputs=INPUTS)
def ages() -> pd.DataFrame:
    """Return each age group's agreement with the 19 models asked with options: EC, its bound, and the correlation.

    The trials of a group are taken together, each with what a model said of its picture. Other people, other models and
    other photographs of shapes could have been drawn.
    """
    models = gavrikov2025.read()
    right = models.answers[members()[OPTIONS]].eq(models.truth, axis=0)
    trials = huber2022.trials().query("kind == 'human'")
    rows = []
    for age, seen in trials.groupby("age", sort=False):
        theirs = (seen["truth"] == seen["answer"]).to_numpy(int)
        facts = {"age": age, "people": seen["system"].nunique(), "trials": len(seen), "accuracy": theirs.mean()}
        rows.append(facts | _beside(right.loc[seen["image"]].to_numpy(int), theirs, seen))
    return pd.DataFrame(rows)


def _beside(models: np.ndarray, theirs: np.ndarray, seen: pd.DataFrame) -> Lead:
    values = _consistencies(models, theirs)
    units = [seen["system"].to_numpy(), seen["image"].str.split("-").str[0].to_numpy()]
    kept = [[of != each for each in np.unique(of)] for of in units]
    parts = [variance_of([_consistencies(models[its], theirs[its]).mean() for its in of]) for of in kept]
    parts.append(variance_of([np.delete(values, place).mean() for place in range(len(values))]))
    most = error_consistency_bounds(theirs.mean(), models.mean(axis=0))[1].mean()
    correlations = tetrachoric(len(theirs), theirs.sum(), models.sum(axis=0), theirs @ models)
    facts = {"of_models": models.mean(), "largest": most, "correlation": correlations.mean()}
    return facts | {"value": values.mean()} | summed(parts)


def _consistencies(models: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Return a group's EC with each model."""
    both, a, b = theirs @ models, theirs.sum(), models.sum(axis=0)
    return kappa(len(theirs) - a - b + both, b - both, a - both, both)
