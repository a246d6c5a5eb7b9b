"""Result tables of Geirhos, Meding & Wichmann (2020), "Beyond accuracy"."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import gammaln
from scipy.stats import PermutationMethod, beta, binom, hypergeom, linregress, norm, pearsonr
from scipy.stats import f as f_distribution

from erralign.behaviour import error_consistency_from_counts, misclassification_agreement_from_counts
from erralign.bounds import error_consistency_bounds_from_overlap, overlap_bounds
from erralign.pairs import pairwise
from erralign.reproduction.frozen import frozen
from erralign.resampling import accuracy_intervals, consistency_with_people, pairwise_intervals
from erralign.resampling.interval import limits_of_difference
from erralign.responses import Responses
from erralign.sources import geirhos2020 as source
from erralign.sources import model_vs_human
from erralign.sources.geirhos2020 import ERROR_CONSISTENCY
from erralign.sources.trials import CATEGORIES

ANSWERS = [ERROR_CONSISTENCY]
COLOUR_ANSWERS = [ERROR_CONSISTENCY, *model_vs_human.KEYS]
# Whose photographs these are: two people saw the ones, a third person and the benchmark's people the others.
TWO_PEOPLE, FIVE_PEOPLE = "of two people", "of model-vs-human"
COLOURS = {"colour": "cr", "grey": "bw"}
# Of the benchmark's networks the one that is in this study, too.
SHARED_NETWORK = "resnet50 (Thieringer)"
# As the paper's text calls the data sets, and as its Table 1 does.
PRINTED = {"cue-conflict": "cue conflict", "edges": "edge", "silhouettes": "silhouette"}
SIXTEEN = tuple(source.imagenet_accuracies().index)
ON_STYLIZED = ("resnet50-trained-on-SIN-and-IN-then-finetuned-on-IN", "resnet50-trained-on-SIN-and-IN")
ON_STYLIZED += ("resnet50-trained-on-SIN",)
# The paper's Figure 1 shows four of the networks.
FOUR = ("alexnet", "vgg16-bn", "inception-v3", "resnet50")
BRAIN_SCORES = {
    "avg.": "average",
    "V1": "V1",
    "V2": "V2",
    "V4": "V4",
    "IT": "IT",
    "Behavior": "behaviour",
}
BINS = 99
EDGES_OF_GRID = {"edges at .15": 0.15, "edges at .05": 0.05, "even": None}
# Limits of EC are read off this many cells between -1 and 1.
CELLS_OF_EC = 1_000_000


@cache
def _responses(data_set: str) -> Responses:
    return source.read(data_set)


def _each_data_set(table) -> pd.DataFrame:
    parts = [table(data_set) for data_set in source.DATA_SETS]
    parts = [part.assign(data_set=name) for part, name in zip(parts, source.DATA_SETS, strict=True)]
    together = pd.concat(parts, ignore_index=True)
    return together[["data_set", *together.columns.drop("data_set")]]


def _error_consistencies(responses: Responses) -> pd.DataFrame:
    return pairwise(responses, ["error_consistency"]).rename(columns={"error_consistency": "EC"})


@frozen(inputs=ANSWERS)
def pairwise_scores() -> pd.DataFrame:
    """Return error consistency and overlap of all 1,785 pairs: 35 systems on three data sets.

    Returns
    -------
    pandas.DataFrame
        ``data_set``, the columns of :func:`erralign.pairwise` with ``EC``, ``expected`` and ``observed`` overlap,
        ``architecture_a`` and ``architecture_b``.
    """
    return _each_data_set(_scores)


def _scores(data_set: str) -> pd.DataFrame:
    pairs = _error_consistencies(_responses(data_set))
    p_a, p_b = pairs["accuracy_a"], pairs["accuracy_b"]
    pairs["expected"] = p_a * p_b + (1 - p_a) * (1 - p_b)
    # Both wrong, and then both right: 1 - (wrong a) - (wrong b) + (both wrong).
    both_wrong = pairs["n_joint_errors"] / source.DATA_SETS[data_set]
    pairs["observed"] = p_a + p_b - 1 + 2 * both_wrong
    architecture = source.systems()["architecture"]
    return pairs.assign(
        architecture_a=pairs["system_a"].map(architecture), architecture_b=pairs["system_b"].map(architecture)
    )


@frozen(inputs=ANSWERS)
def accuracies() -> pd.DataFrame:
    """Return the accuracy of each system on each data set.

    Returns
    -------
    pandas.DataFrame
        ``data_set``, ``system``, ``kind``, ``accuracy`` (share of trials; no answer in time is wrong), ``time_outs``.
    """
    return _each_data_set(_accuracies)


def _accuracies(data_set: str) -> pd.DataFrame:
    responses = _responses(data_set)
    right = responses.answers.eq(responses.truth, axis=0).mean()
    columns = {"kind": responses.systems["kind"], "accuracy": right, "time_outs": (responses.answers < 0).sum()}
    return pd.DataFrame(columns).rename_axis("system").reset_index()


def of_the_paper(pairs: pd.DataFrame) -> pd.DataFrame:
    """Keep the pairs of the ten people and the sixteen networks of the paper's Figure 3.

    Parameters
    ----------
    pairs : pandas.DataFrame
        ``system_a``, ``system_b``.

    Returns
    -------
    pandas.DataFrame
        The same columns, fewer rows: 45 pairs of people, 160 mixed ones, 120 of networks in each data set.
    """
    people = source.systems().query("kind == 'human'").index
    chosen = [*people, *SIXTEEN]
    return pairs[pairs["system_a"].isin(chosen) & pairs["system_b"].isin(chosen)]


def groups(pairs: pd.DataFrame) -> pd.Series:
    """Name the group of each pair: its kind in words, and whether two networks share their architecture.

    Parameters
    ----------
    pairs : pandas.DataFrame
        Rows of :func:`pairwise_scores`.

    Returns
    -------
    pandas.Series of str
        Keys of :data:`erralign.charts.theme.GROUPS`.
    """
    names = {"human-human": "two people", "model-human": "a person and a network", "model-model": "two networks"}
    alike = (pairs["kind"] == "model-model") & (pairs["architecture_a"] == pairs["architecture_b"])
    return pairs["kind"].map(names).mask(alike, "two networks of one architecture")


@frozen(inputs=ANSWERS)
def kinds_of_pairs() -> pd.DataFrame:
    """Return the mean error consistency over pairs of people, of the sixteen networks, and mixed pairs.

    Returns
    -------
    pandas.DataFrame
        ``data_set``, ``kind``, ``n_pairs``, ``n_joint_errors`` and ``EC`` (means), ``width`` (what the paper adds and
        subtracts: 1.96 standard errors, as if the pairs were independent), ``lowest``, ``highest``, and the pair
        ``highest_a``, ``highest_b``.
    """
    groups = of_the_paper(pairwise_scores()).groupby(["data_set", "kind"], sort=False)
    return pd.DataFrame([dict(zip(("data_set", "kind"), key, strict=True)) | _spread(pairs) for key, pairs in groups])


def _spread(pairs: pd.DataFrame) -> dict:
    highest = pairs.loc[pairs["EC"].idxmax()]
    return {
        "n_pairs": len(pairs),
        "n_joint_errors": pairs["n_joint_errors"].mean(),
        "EC": pairs["EC"].mean(),
        "width": norm.ppf(0.975) * pairs["EC"].sem(),
        "lowest": pairs["EC"].min(),
        "highest": highest["EC"],
        "highest_a": highest["system_a"],
        "highest_b": highest["system_b"],
    }


@frozen(inputs=ANSWERS)
def two_kappas() -> pd.DataFrame:
    """Return Cohen's kappa of being right, which is EC, beside Cohen's kappa of the answers themselves.

    Returns
    -------
    pandas.DataFrame
        One row a pair of people or of the sixteen networks or both: ``data_set``, ``kind``, ``system_a``, ``system_b``,
        ``EC``, ``kappa_of_answers`` (no answer in time is an answer of its own).
    """
    pairs = of_the_paper(pairwise_scores())[["data_set", "kind", "system_a", "system_b", "EC"]]
    rows = zip(pairs["data_set"], pairs["system_a"], pairs["system_b"], strict=True)
    return pairs.assign(kappa_of_answers=[_kappa_of_answers(*row) for row in rows]).reset_index(drop=True)


def _kappa_of_answers(data_set: str, system_a: str, system_b: str) -> float:
    responses = _responses(data_set)
    size = len(responses.classes) + 1
    a, b = (responses.answers[system].to_numpy() + 1 for system in (system_a, system_b))
    # Misclassification agreement is Cohen's kappa of a table of answers; this one holds all trials.
    return misclassification_agreement_from_counts(np.bincount(size * a + b, minlength=size**2).reshape(size, size))


@frozen(inputs=ANSWERS)
def parts_of_the_trials() -> pd.DataFrame:
    """Return the networks' error consistency from all trials and from part of them, in the order of the files.

    Where a table of trials is compared with a list of four words, R repeats the list along the rows: row 1 meets the
    first word, row 4 the fourth, row 5 the first again. In Figure 3 two of the four words are the network's name in
    the table, the first and the fourth: rows 1, 4, 5, 8, 9, … are kept. In Figure 1 only the fourth is.

    Returns
    -------
    pandas.DataFrame
        ``data_set``, ``networks`` (``sixteen``, or ``four`` of Figure 1), ``rows`` (``all``, ``first and fourth of
        four`` …), ``n_trials``, and for the pairs of networks ``EC``, ``width``, ``lowest``, ``highest``,
        ``highest_a``, ``highest_b``; and ``densenet121 with resnet18``, where both are among them.
    """
    return _each_data_set(_parts)


_ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth"}


def _parts(data_set: str) -> pd.DataFrame:
    halves = {f"{_ORDINALS[a]} and {_ORDINALS[b]} of four": (a, b) for a, b in combinations(_ORDINALS, 2)}
    quarters = {f"{name} of four": (place,) for place, name in _ORDINALS.items()}
    every = {"all": tuple(_ORDINALS)}
    rows = [("sixteen", SIXTEEN, *choice) for choice in (every | halves).items()]
    rows += [("four", FOUR, *choice) for choice in (every | quarters).items()]
    return pd.DataFrame([_part(data_set, *row) for row in rows])


def _part(data_set: str, label: str, networks: tuple[str, ...], rows: str, places: tuple[int, ...]) -> dict:
    every = _responses(data_set)
    kept = np.isin(np.arange(len(every.truth)) % 4 + 1, places)
    answers, systems = every.answers.loc[kept, list(networks)], every.systems.loc[list(networks)]
    pairs = _error_consistencies(Responses(every.name, every.truth[kept], answers, every.classes, systems))
    both = pairs.query("system_a == 'densenet121' and system_b == 'resnet18'")["EC"]
    spread = _spread(pairs)
    del spread["n_pairs"], spread["n_joint_errors"]
    part = {"networks": label, "rows": rows, "n_trials": int(kept.sum())} | spread
    return part | {"densenet121 with resnet18": both.item() if len(both) else np.nan}


@frozen(inputs=ANSWERS)
def regressions() -> pd.DataFrame:
    """Return the straight lines of error consistency with people against ImageNet top-5 accuracy (Figure 3).

    Returns
    -------
    pandas.DataFrame
        ``data_set``, ``points`` (pairs of a network and a person), ``slope`` (EC by percent), ``intercept``, ``F``,
        ``p``, ``R2`` as the paper has them, which take the pairs for independent; ``p_networks``, the
        p-value of a permutation test that takes the sixteen networks for the units: it shuffles their accuracies
        (9,999 times, two-sided).
    """
    return _regress(source.imagenet_accuracies()["top5"])


def _regress(score: pd.Series) -> pd.DataFrame:
    pairs = of_the_paper(pairwise_scores()).query("kind == 'model-human'")
    pairs = pairs.assign(network=_network(pairs), x=_network(pairs).map(score)).dropna(subset="x")
    return pd.DataFrame([{"data_set": name} | _line(points) for name, points in pairs.groupby("data_set", sort=False)])


def _network(pairs: pd.DataFrame) -> pd.Series:
    # People come first in the order of systems, so the network of a mixed pair is its second system.
    return pairs["system_b"]


def _line(points: pd.DataFrame) -> dict:
    line, spare = linregress(points["x"], points["EC"]), len(points) - 2
    by_network = points.groupby("network")[["x", "EC"]].mean()
    shuffled = PermutationMethod(n_resamples=9999, rng=np.random.default_rng(0))
    ratio = line.rvalue**2 / (1 - line.rvalue**2) * spare
    return {
        "points": len(points),
        "slope": line.slope,
        "intercept": line.intercept,
        "F": ratio,
        "p": f_distribution.sf(ratio, 1, spare),
        "R2": line.rvalue**2,
        "p_networks": pearsonr(by_network["x"], by_network["EC"], method=shuffled).pvalue,
    }


@frozen(inputs=ANSWERS)
def brain_score_regressions() -> pd.DataFrame:
    """Return the straight lines of error consistency with people against six Brain-Scores (appendix).

    Returns
    -------
    pandas.DataFrame
        ``score``, then the columns of :func:`regressions`; 14 of the sixteen networks have scores.
    """
    scores = source.brain_scores()
    tables = [_regress(scores[column]).assign(score=name) for column, name in BRAIN_SCORES.items()]
    together = pd.concat(tables, ignore_index=True)
    return together[["score", *together.columns.drop("score")]]


@frozen(inputs=ANSWERS)
def shape_bias() -> pd.DataFrame:
    """Return how often each system names the shape, and how often the texture, on cue-conflict images.

    Returns
    -------
    pandas.DataFrame
        ``system``, ``kind``, ``shape`` and ``texture`` (answers on the 1,200 images in which the two differ),
        ``shape_bias`` (shape / (shape + texture)), ``EC`` (mean with the ten people, over all 1,280 images).
    """
    responses = _responses("cue-conflict")
    texture = source.textures(responses.truth.index)
    differ = texture != responses.truth.to_numpy()
    answers = responses.answers[differ]
    counts = {"shape": answers.eq(responses.truth[differ], axis=0).sum()}
    counts["texture"] = answers.eq(pd.Series(texture[differ], index=answers.index), axis=0).sum()
    table = pd.DataFrame({"kind": responses.systems["kind"]} | counts).rename_axis("system")
    table["shape_bias"] = table["shape"] / (table["shape"] + table["texture"])
    return table.assign(EC=_mean_with_people()["cue-conflict"]).reset_index()


def _mean_with_people() -> pd.DataFrame:
    """Return the mean EC of each system with (other) people: a column a data set."""
    pairs = pairwise_scores()
    pairs = pairs[pairs["kind"] != "model-model"]
    # Both orders of a pair; the partner has to be a person.
    turned = pairs.rename(columns={"system_a": "system_b", "system_b": "system_a"})
    both = pd.concat([pairs, turned])
    both = both[both["system_b"].map(source.systems()["kind"]) == "human"]
    return both.pivot_table(index="system_a", columns="data_set", values="EC", aggfunc="mean")


@frozen(inputs=ANSWERS)
def with_people() -> pd.DataFrame:
    """Return the mean error consistency of each system with the (other) people.

    Returns
    -------
    pandas.DataFrame
        ``system`` and a column a data set.
    """
    return _mean_with_people()[list(source.DATA_SETS)].rename_axis("system", axis=0).reset_index()


@frozen(inputs=ANSWERS)
def distortions() -> pd.DataFrame:
    """Return accuracies under parametric distortions, and the consistency of CORnet-S with ResNet-50 (appendix).

    Returns
    -------
    pandas.DataFrame
        ``experiment``, ``condition`` (as in the files), ``strength`` (place in the order from weak to strong),
        ``people`` (mean accuracy), ``people_low`` and ``people_high`` (range), ``cornet-s`` and ``resnet50``
        (accuracies), and of these two networks ``n_trials``, ``EC``. People saw other pictures: there is no EC with
        them.
    """
    tables = [_distortion(name, trials) for name, trials in _distorted().items()]
    return pd.concat(tables, ignore_index=True)


def _distorted() -> dict[str, pd.DataFrame]:
    experiments = {name: source.distorted(name) for name in source.DISTORTIONS}
    eidolon = experiments.pop("eidolon")
    # reach-coherence-grain: three experiments, by coherence.
    coherence = eidolon["condition"].str.split("-").str[1]
    reach = eidolon["condition"].str.split("-").str[0]
    for name, value in {"eidolon I": "10", "eidolon II": "3", "eidolon III": "0"}.items():
        experiments[name] = eidolon.assign(condition=reach)[coherence == value]
    return experiments


def _distortion(experiment: str, trials: pd.DataFrame) -> pd.DataFrame:
    trials = trials.assign(right=trials["object_response"] == trials["category"])
    accuracy = trials.groupby(["condition", "subj"])["right"].mean().unstack()
    people = accuracy.filter(like="subject")
    columns = {"people": people.mean(axis=1), "people_low": people.min(axis=1), "people_high": people.max(axis=1)}
    table = pd.DataFrame(columns).join(accuracy[list(source.DISTORTED_NETWORKS)])
    networks = trials[trials["subj"].isin(source.DISTORTED_NETWORKS)]
    by_picture = networks.pivot(index=["condition", "image"], columns="subj", values="right")
    table = table.join(by_picture.groupby(level="condition").apply(_network_pair)).reset_index()
    strength = table["condition"].str.lstrip("c").astype(float)
    falling = experiment in ("contrast", "high-pass")
    table["strength"] = strength.rank(ascending=not falling).astype(int)
    table = table.assign(experiment=experiment).sort_values("strength")
    order = ["experiment", "condition", "strength", *columns, *source.DISTORTED_NETWORKS, "n_trials", "EC"]
    return table.astype({"n_trials": int})[order]


def _network_pair(right: pd.DataFrame) -> pd.Series:
    a, b = (right[network].to_numpy(dtype=bool) for network in source.DISTORTED_NETWORKS)
    counts = [[np.sum(~a & ~b), np.sum(~a & b)], [np.sum(a & ~b), np.sum(a & b)]]
    return pd.Series({"n_trials": len(a), "EC": error_consistency_from_counts(counts)})


@cache
def _in_colour_and_grey(pictures: str) -> Responses:
    first, *others = source.COLOUR_PEOPLE
    if pictures == TWO_PEOPLE:
        trials = {person: source.in_colour_and_grey(person) for person in others}
        truth = trials[others[0]]["truth"]
        answers = pd.DataFrame({person: table["answer"].loc[truth.index] for person, table in trials.items()})
        return Responses("geirhos2020/colour", truth, answers, CATEGORIES, _as_systems(answers.columns))
    benchmark = model_vs_human.read("colour")
    people = benchmark.systems.index[benchmark.systems["kind"] == "human"]
    names = {person: f"{person}, benchmark" for person in people} | {SHARED_NETWORK: "resnet50"}
    answers = benchmark.answers[list(names)].rename(columns=names)
    answers.insert(0, first, source.in_colour_and_grey(first)["answer"].loc[benchmark.truth.index])
    return Responses(benchmark.name, benchmark.truth, answers, CATEGORIES, _as_systems(answers.columns))


def _as_systems(names: pd.Index) -> pd.DataFrame:
    kind = np.where(names.str.startswith("subject"), "human", "model")
    return pd.DataFrame({"kind": kind, "family": "", "source": ""}, index=names)


def _half(responses: Responses, colour: str) -> Responses:
    kept = responses.truth.index.get_level_values("condition") == COLOURS[colour]
    return replace(responses, truth=responses.truth[kept], answers=responses.answers[kept])


@frozen(inputs=COLOUR_ANSWERS)
def colour_pairs() -> pd.DataFrame:
    """Return error consistency on photographs in colour and in grey, wherever two systems saw the same ones.

    Returns
    -------
    pandas.DataFrame
        ``pictures`` (:data:`TWO_PEOPLE`, :data:`FIVE_PEOPLE`), ``colour`` (``colour``, ``grey``), ``n_trials``, the
        columns of :func:`erralign.pairwise_intervals` with ``EC``, ``EC_low``, ``EC_high`` (95 %).
    """
    keys = [(pictures, colour) for pictures in (TWO_PEOPLE, FIVE_PEOPLE) for colour in COLOURS]
    levels = ["pictures", "colour"]
    return pd.concat({key: _colour_pairs(*key) for key in keys}, names=levels).reset_index(levels)


def _colour_pairs(pictures: str, colour: str) -> pd.DataFrame:
    half = _half(_in_colour_and_grey(pictures), colour)
    pairs = pairwise_intervals(half, ["error_consistency"]).drop(columns="error_consistency_n_undefined")
    pairs.insert(0, "n_trials", len(half.truth))
    return pairs.rename(columns=lambda name: name.replace("error_consistency", "EC"))


@frozen(inputs=COLOUR_ANSWERS)
def colour_contrasts() -> pd.DataFrame:
    """Return what colour changes: accuracies and error consistencies in colour, in grey, and their difference.

    The pictures in colour and in grey are different ones, so the two values are independent. The limits of their
    difference are Newcombe's: the distances from each value to its own limits, squared and added.

    Returns
    -------
    pandas.DataFrame
        ``pictures``, ``measure`` (``accuracy``, ``EC``), ``of`` (a system, a pair, or whose mean it is); for
        ``colour``, ``grey`` and ``difference`` (colour less grey) the value and its 95 % limits ``…_low``, ``…_high``;
        and ``fewest``, the smaller number of errors (accuracy) or of joint errors (EC; of any pair that enters).

    References
    ----------
    Newcombe (1998), https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8%3C873::AID-SIM779%3E3.0.CO;2-I, on
    differences of independent shares; Zou & Donner (2008), https://doi.org/10.1002/sim.3095, on any two values.
    """
    tables = [_colour_contrasts(pictures) for pictures in (TWO_PEOPLE, FIVE_PEOPLE)]
    return pd.concat(tables, ignore_index=True)


def _colour_contrasts(pictures: str) -> pd.DataFrame:
    colour, grey = (_colour_values(pictures, name) for name in COLOURS)
    table = pd.DataFrame({"fewest": np.minimum(colour.pop("fewest"), grey.pop("fewest"))})
    table = table.join([colour.add_prefix("colour"), grey.add_prefix("grey")])
    table = table.join(_difference(colour, grey).add_prefix("difference"))
    table["fewest"] = table.pop("fewest")
    return table.assign(pictures=pictures).set_index("pictures", append=True).reorder_levels([2, 0, 1]).reset_index()


def _difference(a: pd.DataFrame, b: pd.DataFrame) -> pd.DataFrame:
    """Return a less b with its limits, from two independent values with theirs."""
    columns = ["", "_low", "_high"]
    low, high = limits_of_difference(*(tuple(table[column] for column in columns) for table in (a, b)))
    return pd.DataFrame({"": a[""] - b[""], "_low": low, "_high": high})


def _colour_values(pictures: str, colour: str) -> pd.DataFrame:
    """Return value, limits and number of (joint) errors of each accuracy and each mean EC; the index names them."""
    half = _half(_in_colour_and_grey(pictures), colour)
    shares = accuracy_intervals(half).set_axis(["", "_low", "_high", "fewest"], axis=1)
    if pictures == TWO_PEOPLE:
        pair = colour_pairs().query("pictures == @pictures and colour == @colour").set_index("system_a")
        means = pair[["EC", "EC_low", "EC_high", "n_joint_errors"]].rename(index=lambda _: "the two people")
    else:
        means = consistency_with_people([half]).table[["EC", "low", "high", "fewest_joint_errors"]]
        means = means.rename(index={"resnet50": "resnet50 with five people", "people": "five people"})
    means = means.set_axis(shares.columns, axis=1)
    return pd.concat({"accuracy": shares, "EC": means}, names=["measure", "of"])


def bounds(expected: ArrayLike) -> pd.DataFrame:
    """Return what observed overlap and error consistency can be, given expected overlap (equations 2, 3, 5, 6).

    Parameters
    ----------
    expected : array_like of float
        Expected overlap, from 0 to less than 1.

    Returns
    -------
    pandas.DataFrame
        ``expected``, ``observed_low``, ``observed_high``, ``ec_low``, ``ec_high``.

    Examples
    --------
    >>> bounds([0.5]).iloc[0].tolist()
    [0.5, 0.0, 1.0, -1.0, 1.0]
    """
    columns = {"expected": expected}
    columns |= dict(zip(("observed_low", "observed_high"), overlap_bounds(expected), strict=True))
    columns |= dict(zip(("ec_low", "ec_high"), error_consistency_bounds_from_overlap(expected), strict=True))
    return pd.DataFrame(columns)


def textbook_limits(expected: ArrayLike, n_trials: int) -> pd.DataFrame:
    """Return the limits for independent observers that the paper warns of (dashed in its Figure 2).

    Parameters
    ----------
    expected : array_like of float
        Expected overlap, from 0 to less than 1.
    n_trials : int
        How many trials.

    Returns
    -------
    pandas.DataFrame
        Columns of :func:`bounds`: for overlap the exact binomial interval (Clopper and Pearson), as if the expected
        overlap were known; for error consistency Cohen's first approximation of 1960.
    """
    expected = np.asarray(expected, dtype=float)
    hits = n_trials * expected
    low, high = beta.ppf(0.025, hits, n_trials - hits + 1), beta.ppf(0.975, hits + 1, n_trials - hits)
    width = norm.ppf(0.975) * np.sqrt(expected / (n_trials * (1 - expected)))
    limits = {"expected": expected, "observed_low": low, "observed_high": high, "ec_low": -width, "ec_high": width}
    return pd.DataFrame(limits)


@frozen(inputs=[], slow=True)
def percentiles() -> pd.DataFrame:
    """Return within which limits 95 % of pairs of independent observers lie, by expected overlap (Figure 2).

    Summed up, not simulated. Each observer's accuracy is drawn from a grid; given both numbers of right answers, the
    number of trials on which both are right is hypergeometric, whatever the accuracies. Pairs are put into bins of
    their own expected overlap, 1/99 wide, and the limits are the 2.5 % and 97.5 % points in a bin.

    Returns
    -------
    pandas.DataFrame
        ``n_trials`` (160, 1280), ``grid`` (where the accuracies come from: three times 1,400, dense towards 0 and 1,
        with ``edges at .15`` or ``edges at .05``, or 4,200 ``even`` steps), ``share`` of all pairs in the bin,
        ``expected`` (mean in the bin), ``observed_low``, ``observed_high``, ``ec_low``, ``ec_high`` (to a millionth).
    """
    tables = [_percentiles(n, grid) for n in (160, 1280) for grid in EDGES_OF_GRID]
    return pd.concat(tables, ignore_index=True)


def _grid(edge: float | None) -> np.ndarray:
    if edge is None:
        return np.linspace(0, 1, 4200)
    return np.concatenate([np.linspace(*ends, 1400) for ends in ((0, edge), (edge, 1 - edge), (1 - edge, 1))])


def _share_right(n_trials: int, grid: np.ndarray) -> np.ndarray:
    counts = np.arange(n_trials + 1)[:, None]
    return sum(binom.pmf(counts, n_trials, part).sum(axis=1) for part in np.array_split(grid, 50)) / len(grid)


def _percentiles(n_trials: int, grid: str) -> pd.DataFrame:
    share = _share_right(n_trials, _grid(EDGES_OF_GRID[grid]))
    sums = np.zeros((2, BINS + 1))
    overlaps, consistencies = np.zeros((BINS + 1, n_trials + 1)), np.zeros((BINS + 1, CELLS_OF_EC + 1))
    for right_a in range(n_trials + 1):
        bins, expected, overlap, p = _independent_pairs(right_a, n_trials, share)
        sums += [np.bincount(bins, p.sum(axis=1) * factor, BINS + 1) for factor in (1, expected)]
        np.add.at(overlaps, (bins[:, None], overlap), p)
        np.add.at(consistencies, (bins[:, None], _cell(overlap / n_trials, expected[:, None])), p)
    limits = {
        "n_trials": n_trials,
        "grid": grid,
        "share": sums[0],
        "expected": np.divide(sums[1], sums[0], out=np.full(BINS + 1, np.nan), where=sums[0] > 0),
        "observed_low": _quantile(overlaps, 0.025) / n_trials,
        "observed_high": _quantile(overlaps, 0.975) / n_trials,
        "ec_low": 2 * _quantile(consistencies, 0.025) / CELLS_OF_EC - 1,
        "ec_high": 2 * _quantile(consistencies, 0.975) / CELLS_OF_EC - 1,
    }
    table = pd.DataFrame(limits)
    table.loc[BINS, ["ec_low", "ec_high"]] = np.nan  # expected overlap 1: error consistency is 0/0
    return table


def _independent_pairs(right_a: int, n: int, share: np.ndarray) -> tuple:
    """Return bin, expected overlap, overlaps in trials and their probabilities, for b right at least as often as a."""
    right_b = np.arange(right_a, n + 1)
    middle = right_a * right_b / n
    spread = 9 * np.sqrt(middle * (n - right_a) * (n - right_b) / (n * (n - 1))) + 2
    low = np.maximum(np.maximum(0, right_a + right_b - n), np.floor(middle - spread)).astype(int)
    high = np.minimum(right_a, np.ceil(middle + spread)).astype(int)
    both = low[:, None] + np.arange((high - low).max() + 1)
    outside, both = both > high[:, None], np.minimum(both, high[:, None])
    twice = np.where(right_b == right_a, 1, 2)  # (a, b) and (b, a)
    p = (
        np.exp(_log_hypergeometric(both, right_a, right_b[:, None], n))
        * (twice * share[right_a] * share[right_b])[:, None]
    )
    p[outside] = 0
    expected = (right_a * right_b + (n - right_a) * (n - right_b)) / n**2
    bins = np.minimum(np.floor(expected * BINS + 1e-12).astype(int), BINS)
    return bins, expected, n - right_a - right_b[:, None] + 2 * both, p


def _log_hypergeometric(both: np.ndarray, a: int, b: np.ndarray, n: int) -> np.ndarray:
    logs = gammaln(np.arange(n + 1) + 1)
    chosen = logs[a] - logs[both] - logs[a - both]
    others = logs[n - a] - logs[b - both] - logs[n - a - b + both]
    return chosen + others - logs[n] + logs[b] + logs[n - b]


def _cell(observed: np.ndarray, expected: np.ndarray) -> np.ndarray:
    room = np.where(expected < 1, 1 - expected, 1)
    return np.rint((1 + (observed - expected) / room) / 2 * CELLS_OF_EC).astype(int)


def _quantile(weights: np.ndarray, level: float) -> np.ndarray:
    summed = weights.cumsum(axis=1)
    return (summed < level * summed[:, -1:] - 1e-12).sum(axis=1)


@frozen(inputs=ANSWERS)
def percentiles_against_released() -> pd.DataFrame:
    """Return how far the authors' two files of simulated percentiles lie from ours, grid by grid.

    Returns
    -------
    pandas.DataFrame
        ``n_trials``, ``grid``, the largest absolute differences of ``expected``, ``observed`` (both limits) and
        ``EC`` (both limits), and ``experiments``: how many simulated pairs of observers would make the released bin
        means scatter about ours as they do (in millions; the more, the better the grid fits).
    """
    groups = percentiles().groupby(["n_trials", "grid"], sort=False)
    return pd.DataFrame([_against_released(*key, ours.reset_index(drop=True)) for key, ours in groups])


def _against_released(n_trials: int, grid: str, ours: pd.DataFrame) -> dict:
    gaps = ours - source.released_percentiles(n_trials)
    # Within a bin 1/99 wide, expected overlap spreads about evenly; a mean of k of them scatters by sd / sqrt(k).
    z = gaps["expected"][:BINS] * np.sqrt(ours["share"][:BINS] * 12) * BINS
    largest = {"expected": gaps["expected"].abs().max()}
    for name, columns in (("observed", ["observed_low", "observed_high"]), ("EC", ["ec_low", "ec_high"])):
        largest[name] = gaps[columns].abs().max(axis=None)
    return {"n_trials": n_trials, "grid": grid} | largest | {"experiments": 1e-6 / (z**2).mean()}


@frozen(inputs=ANSWERS)
def outside_percentiles() -> pd.DataFrame:
    """Return how many pairs lie above the limits for independent observers, and how many of those would by chance.

    Returns
    -------
    pandas.DataFrame
        ``data_set``, ``kind``, ``n_pairs`` (people and the sixteen networks), and means over pairs: ``above`` (the
        paper's band), ``false_alarms`` (the probability that independent observers with just these two numbers of
        right answers lie outside the band, above or below; .05 is meant), ``above_own_limit`` (the 97.5 % point for
        just these two numbers, which is a hypergeometric one).
    """
    pairs = of_the_paper(pairwise_scores())
    parts = [_outside(part, source.DATA_SETS[name]) for name, part in pairs.groupby("data_set", sort=False)]
    groups = pd.concat(parts).groupby(["data_set", "kind"], sort=False)
    return groups[["above", "false_alarms", "above_own_limit"]].mean().assign(n_pairs=groups.size()).reset_index()


def _outside(pairs: pd.DataFrame, n: int) -> pd.DataFrame:
    limits, expected = percentile_band(n), pairs["expected"].to_numpy()
    low, high = (np.interp(expected, limits["expected"], limits[side]) for side in ("ec_low", "ec_high"))
    right_a, right_b = ((n * pairs[column]).round().to_numpy() for column in ("accuracy_a", "accuracy_b"))
    independent = hypergeom(n, right_a, right_b)
    # EC is a straight line in the number of trials on which both are right.
    first, last = ((n * (expected + ec * (1 - expected)) - n + right_a + right_b) / 2 for ec in (low, high))
    false_alarms = independent.cdf(np.ceil(first - 1e-9) - 1) + independent.sf(np.floor(last + 1e-9))
    both_right = (n * pairs["observed"].to_numpy() - n + right_a + right_b) / 2
    above_own_limit = both_right > independent.ppf(0.975) + 1e-9
    return pairs.assign(above=pairs["EC"] > high, false_alarms=false_alarms, above_own_limit=above_own_limit)


def percentile_band(n_trials: int) -> pd.DataFrame:
    """Return the limits for independent observers as the paper's figures draw them.

    Parameters
    ----------
    n_trials : int
        160 (accuracies from the grid with edges at .15) or 1280 (edges at .05), as in the released files.

    Returns
    -------
    pandas.DataFrame
        The rows of :func:`percentiles` for that number of trials, without the last bin, which has no limits of EC.

    Examples
    --------
    >>> len(percentile_band(160))
    99
    """
    grid = {160: "edges at .15", 1280: "edges at .05"}[n_trials]
    limits = percentiles()
    return limits[(limits["n_trials"] == n_trials) & (limits["grid"] == grid)].dropna().reset_index(drop=True)


def chance(y: str) -> pd.DataFrame:
    """Return :func:`percentile_band` for each data set, for the charts.

    Parameters
    ----------
    y : str
        ``"EC"`` or ``"observed"`` (overlap).

    Returns
    -------
    pandas.DataFrame
        ``data_set``, ``expected``, ``low``, ``high``.
    """
    ends = {f"{y.lower()}_low": "low", f"{y.lower()}_high": "high"}
    return _each_data_set(
        lambda name: percentile_band(source.DATA_SETS[name])[["expected", *ends]].rename(columns=ends)
    )


def table(item: str) -> pd.DataFrame:
    """Return our numbers for one printed item, in the rows and columns as printed.

    Parameters
    ----------
    item : str
        ``"Table 1"``, ``"Figure 1"``, ``"Figure 3"``, ``"Section S.6"`` or ``"text"``.

    Returns
    -------
    pandas.DataFrame
        For :func:`erralign.reproduction.published.compare`.

    Examples
    --------
    >>> table("Table 1").shape
    (27, 3)
    """
    tables = {"Table 1": _table_1, "Figure 1": _figure_1, "Figure 3": _figure_3, "Section S.6": _section_6}
    return tables.get(item, _text)()


def _table_1() -> pd.DataFrame:
    wide = accuracies().pivot(index="system", columns="data_set", values="accuracy").rename(columns=PRINTED)
    people = source.systems().query("kind == 'human'").index
    return wide.loc[[*people, *SIXTEEN, "cornet-s"], list(PRINTED.values())]


def _wide(facts: list[tuple[str, str, float]]) -> pd.DataFrame:
    return pd.DataFrame(facts, columns=["row", "column", "value"]).pivot(index="row", columns="column", values="value")


def _figure_1() -> pd.DataFrame:
    people = kinds_of_pairs().query("data_set == 'edges' and kind == 'human-human'").iloc[0]
    four = parts_of_the_trials().query("data_set == 'edges' and networks == 'four' and rows == 'all'").iloc[0]
    means = [("edge", "humans, mean", people["EC"]), ("edge", "CNNs, mean", four["EC"])]
    return _wide([*means, ("edge", "humans, ±", people["width"]), ("edge", "CNNs, ±", four["width"])])


def _figure_3() -> pd.DataFrame:
    names = {"human-human": "humans", "model-model": "CNNs"}
    means = kinds_of_pairs().query("kind != 'model-human'")
    facts = [(PRINTED[row.data_set], f"{names[row.kind]}, mean", row.EC) for row in means.itertuples()]
    return _wide(facts + [(PRINTED[row.data_set], f"{names[row.kind]}, ±", row.width) for row in means.itertuples()])


def _section_6() -> pd.DataFrame:
    networks = shape_bias().set_index("system").loc[["resnet50", *ON_STYLIZED]]
    facts = [(name, "EC with people", row["EC"]) for name, row in networks.iterrows()]
    facts += [(name, "shape bias in %", 100 * row["shape_bias"]) for name, row in networks.iterrows()]
    # The paper's correlation is one of rounded numbers.
    r = pearsonr(networks["EC"].round(3), (100 * networks["shape_bias"]).round(2)).statistic
    return _wide([*facts, ("four networks", "correlation of the two", r)])


def _text() -> pd.DataFrame:
    lines = regressions().set_index("data_set")
    facts = [(PRINTED[name], column, row[column]) for name, row in lines.iterrows() for column in ("F", "p", "R2")]
    facts += [(PRINTED[name], "residual degrees of freedom", row["points"] - 2) for name, row in lines.iterrows()]
    facts += [(PRINTED[name], "trials", trials) for name, trials in source.DATA_SETS.items()]
    people = (source.systems()["kind"] == "human").sum()
    facts += [
        ("participants", "number", people),
        ("CNNs", "number", len(SIXTEEN)),
        ("categories", "number", len(CATEGORIES)),
    ]
    pair = colour_pairs().query("pictures == @TWO_PEOPLE")[["system_a", "system_b"]]
    facts.append(("standard ImageNet images", "number of people", np.unique(pair).size))
    return _wide(facts + _text_on_accuracy() + _text_on_consistency() + [_text_on_simulation()])


def _text_on_accuracy() -> list[tuple[str, str, float]]:
    silhouettes = accuracies().query("data_set == 'silhouettes'").set_index("system")
    people = silhouettes.query("kind == 'human'")["accuracy"].mean()
    networks = silhouettes.loc[list(SIXTEEN), "accuracy"].mean()
    return [("silhouette", "human accuracy, mean", people), ("silhouette", "CNN accuracy, mean", networks)]


def _text_on_consistency() -> list[tuple[str, str, float]]:
    cue_conflict = with_people().set_index("system")["cue-conflict"]
    names = {"resnet50": "ResNet-50", "cornet-s": "CORnet-S", "alexnet": "AlexNet"}
    facts = [(f"{name}, cue conflict", "EC with people", cue_conflict[system]) for system, name in names.items()]
    means = kinds_of_pairs().set_index(["data_set", "kind"])["EC"]
    facts.append(("humans, cue conflict", "EC with people", means["cue-conflict", "human-human"]))
    pairs = pairwise_scores().set_index(["data_set", "system_a", "system_b"])["EC"]
    facts.append(("CORnet-S with ResNet-50, cue conflict", "EC", pairs["cue-conflict", "resnet50", "cornet-s"]))
    facts.append(("DenseNet-121 with ResNet-18, edge", "EC", pairs["edges", "densenet121", "resnet18"]))
    return facts


def _text_on_simulation() -> tuple[str, str, float]:
    files = percentiles_against_released().set_index(["n_trials", "grid"])["experiments"]
    return "simulation of Figure 2, 160 trials", "experiments", 1e6 * files[160, "edges at .15"]
