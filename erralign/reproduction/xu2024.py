"""Result tables of Xu et al. (2024), "Measuring Error Alignment for Decision-Making Systems"."""

from __future__ import annotations

from functools import cache
from inspect import signature
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import bootstrap, chisquare, spearmanr

from erralign.behaviour import class_level_error_similarity
from erralign.errors import DataError
from erralign.nulls import correlation_interval, error_distribution_test, mantel_test, with_random_errors
from erralign.pairs import pairwise
from erralign.reproduction.frozen import frozen
from erralign.resampling import pairwise_intervals
from erralign.responses import Responses
from erralign.sources import xu2024 as source
from erralign.sources.archives import is_there
from erralign.sources.trials import CATEGORIES, MODEL_VS_HUMAN
from erralign.sources.xu2024 import ERROR_ALIGN

ANSWERS = [ERROR_ALIGN, MODEL_VS_HUMAN]
BEHAVIOUR = ("EC", "MA", "CLES")
REPRESENTATION = ("CKA", "SOC", "SOCE")
SHORT = {"error_consistency": "EC", "misclassification_agreement": "MA", "class_level_error_similarity": "CLES"}
RANDOM_REDRAWS = 20


@cache
def _responses(data_set: str) -> Responses:
    return source.read(data_set)


def _each_data_set(table) -> pd.DataFrame:
    parts = [table(data_set).assign(data_set=data_set) for data_set in source.data_sets().index]
    together = pd.concat(parts, ignore_index=True)
    return together[["data_set", *together.columns.drop("data_set")]]


@frozen(inputs=ANSWERS)
def pairwise_scores() -> pd.DataFrame:
    """Return EC, MA and CLES of all 5,020 pairs, recomputed from the systems' answers.

    Returns
    -------
    pandas.DataFrame
        ``data_set``, the columns of :func:`erralign.pairwise` with ``EC``, ``MA``, ``CLES``, the families, and
        ``CLES printed``, ``CLES unnormalised``, ``CLES random`` (the mean over 20 redraws of random errors on the same
        trials). MA is empty where it is 0/0. ``MA in floats`` is the same number from shares instead of counts, as the
        authors' code has it: it differs in the last bit, which breaks ties of ranks.
    """
    return _each_data_set(_scores)


def _scores(data_set: str) -> pd.DataFrame:
    responses = _responses(data_set)
    cles = ["class_level_error_similarity"]
    pairs = pairwise(responses).rename(columns=SHORT)
    pairs["CLES printed"] = pairwise(responses, cles, variant="printed")[cles[0]]
    pairs["CLES unnormalised"] = pairwise(responses, cles, variant="printed-unnormalised")[cles[0]]
    rng = np.random.default_rng(0)
    redraws = [pairwise(with_random_errors(responses, rng=rng), cles)[cles[0]] for _ in range(RANDOM_REDRAWS)]
    pairs["CLES random"] = np.mean(redraws, axis=0)
    pairs["MA in floats"] = [
        _agreement_in_floats(responses, a, b) for a, b in zip(pairs["system_a"], pairs["system_b"], strict=True)
    ]
    family = responses.systems["family"]
    return pairs.assign(family_a=pairs["system_a"].map(family), family_b=pairs["system_b"].map(family))


def _agreement_in_floats(responses: Responses, a: str, b: str) -> float:
    truth, y_a, y_b = (column.to_numpy() for column in (responses.truth, responses.answers[a], responses.answers[b]))
    joint = (y_a != truth) & (y_b != truth)
    if not joint.any():
        return np.nan
    shares_a, shares_b = (np.bincount(y[joint], minlength=len(responses.classes)) / joint.sum() for y in (y_a, y_b))
    chance = np.cumsum(shares_a * shares_b)[-1]  # added up class by class: another order gives another last bit
    return ((y_a == y_b)[joint].mean() - chance) / (1 - chance) if chance < 1 else np.nan


@frozen(inputs=ANSWERS, slow=True)
def pairwise_limits() -> pd.DataFrame:
    """Return 95 % intervals of EC, MA and CLES of all 5,020 pairs, by the default methods.

    Returns
    -------
    pandas.DataFrame
        ``data_set``, ``system_a``, ``system_b``, and ``EC low``, ``EC high``, ``MA low``, … EC from 10,000 draws, MA in
        closed form (empty with fewer than two joint errors), CLES from 1,000 resamples, about the value expected at
        these error counts.
    """
    return _each_data_set(_limits)


def _limits(data_set: str) -> pd.DataFrame:
    responses = _responses(data_set)
    table = pairwise_intervals(responses, ["error_consistency", "misclassification_agreement"])
    cles = pairwise_intervals(responses, ["class_level_error_similarity"], n_resamples=1000)
    limits = {"system_a": table["system_a"], "system_b": table["system_b"]}
    for measure, short in SHORT.items():
        source_of = cles if short == "CLES" else table
        limits |= {f"{short} {end}": source_of[f"{measure}_{end}"].round(6) for end in ("low", "high")}
    return pd.DataFrame(limits)


@frozen(inputs=ANSWERS)
def accuracies() -> pd.DataFrame:
    """Return the accuracy of every system on every data set.

    Returns
    -------
    pandas.DataFrame
        ``data_set``, ``system``, ``kind``, ``family``, ``accuracy`` (a share), ``no_answer`` (time-outs in the
        original trials of people).
    """
    return _each_data_set(_accuracies)


def _accuracies(data_set: str) -> pd.DataFrame:
    responses = _responses(data_set)
    accuracy = responses.answers.eq(responses.truth, axis=0).mean()
    synthetic = source.data_sets().loc[data_set, "kind"] == "synthetic"
    no_answer = source.original_answers(data_set).lt(0).sum() if synthetic else pd.Series(dtype=int)
    table = responses.systems[["kind", "family"]].assign(
        accuracy=accuracy, no_answer=no_answer.reindex(responses.systems.index, fill_value=0)
    )
    return table.rename_axis("system").reset_index()


def released_values() -> pd.DataFrame | None:
    """Return the authors' released CKA, SOC and SOCE of all pairs of models, where the data are on this machine.

    They are other people's results, and not part of this book's repository.

    Returns
    -------
    pandas.DataFrame or None
        ``data_set``, ``system_a``, ``system_b``, ``CKA``, ``SOC``, ``SOCE``; None where the data are not here.
    """
    if not is_there(ERROR_ALIGN):
        return None
    names = {"cka": "CKA", "soc": "SOC", "soce": "SOCE"}
    return (
        _each_data_set(source.released_pairs)
        .rename(columns=names)[["data_set", "system_a", "system_b", *REPRESENTATION]]
        .dropna()
    )


def model_pairs() -> pd.DataFrame:
    """Return the pairs of models, with MA as the authors' tables have it: in floats, and 1 where it is 0/0.

    Returns
    -------
    pandas.DataFrame
        As :func:`pairwise_scores`, pairs of models only; ``MA exact`` comes from counts, ``accuracy`` is a pair's mean.
    """
    pairs = pairwise_scores()
    pairs = pairs[pairs["kind"] == "model-model"].drop(columns="kind")
    exact, floats = pairs["MA"].fillna(1.0), pairs["MA in floats"].fillna(1.0)
    return pairs.assign(**{"MA": floats, "MA exact": exact}, accuracy=(pairs["accuracy_a"] + pairs["accuracy_b"]) / 2)


def _with_released() -> pd.DataFrame:
    released = released_values()
    if released is None:
        raise DataError(f"{ERROR_ALIGN} is needed for the authors' released values; run `python -m erralign fetch`")
    return model_pairs().merge(released, on=["data_set", "system_a", "system_b"], validate="one_to_one")


COMPARED = (*BEHAVIOUR, *REPRESENTATION, "MA exact", "CLES printed", "CLES unnormalised", "CLES random", "accuracy")


@frozen(inputs=ANSWERS)
def correlations() -> pd.DataFrame:
    """Return Spearman's r between all measures, data set by data set, over pairs of models.

    Returns
    -------
    pandas.DataFrame
        ``data_set``, ``measure_a``, ``measure_b``, ``n_pairs``, ``r``, ``p_naive`` (scipy's p-value, which takes pairs
        that share a system for independent). ``accuracy`` is the mean accuracy of a pair.
    """
    rows = [
        (name, *row)
        for name, pairs in _with_released().groupby("data_set", sort=False)
        for row in _spearman(pairs, COMPARED)
    ]
    return pd.DataFrame(rows, columns=["data_set", "measure_a", "measure_b", "n_pairs", "r", "p_naive"])


def _spearman(pairs: pd.DataFrame, measures) -> list[tuple]:
    r, p = spearmanr(pairs[list(measures)])
    return [(measures[i], measures[j], len(pairs), r[i, j], p[i, j]) for i, j in combinations(range(len(measures)), 2)]


@frozen(inputs=ANSWERS, slow=True)
def mantel_tests() -> pd.DataFrame:
    """Return a permutation test and an interval of each printed correlation, which respect that pairs share systems.

    Returns
    -------
    pandas.DataFrame
        ``data_set``, ``measure_a``, ``measure_b``, ``r``, ``p_mantel`` (two-sided, 9,999 permutations of the systems),
        ``low``, ``high`` (95 %, by leaving out each system).
    """
    rows = []
    for name, pairs in _with_released().groupby("data_set", sort=False):
        for a, b in combinations((*BEHAVIOUR, *REPRESENTATION), 2):
            both = _matrix(pairs, a), _matrix(pairs, b)
            rows.append((name, a, b, *mantel_test(*both, rng=0), *correlation_interval(*both)[1:]))
    return pd.DataFrame(rows, columns=["data_set", "measure_a", "measure_b", "r", "p_mantel", "low", "high"])


def _matrix(pairs: pd.DataFrame, measure: str) -> pd.DataFrame:
    systems = list(dict.fromkeys([*pairs["system_a"], *pairs["system_b"]]))
    half = pairs.pivot(index="system_a", columns="system_b", values=measure)
    half = half.reindex(index=systems, columns=systems).fillna(0)
    return half + half.T


def _groups_of_pairs() -> dict[tuple[str, str], pd.DataFrame]:
    kinds = source.data_sets()["kind"]
    models = _with_released()
    everyone = pairwise_scores().fillna({"MA": 1.0})  # 1 where it is 0/0, as in the tables
    synthetic = everyone[everyone["data_set"].map(kinds) == "synthetic"]
    return {
        ("synthetic", "model-model"): models[models["data_set"].map(kinds) == "synthetic"],
        ("naturalistic", "model-model"): models[models["data_set"].map(kinds) == "naturalistic"],
        ("synthetic", "all"): synthetic,
        ("synthetic", "with people"): synthetic[synthetic["kind"] != "model-model"],
    }


@frozen(inputs=ANSWERS)
def global_correlations() -> pd.DataFrame:
    """Return Spearman's r over all pairs of a group of data sets, and the mean of the r within data sets (Figure 5).

    Returns
    -------
    pandas.DataFrame
        ``group`` (synthetic, naturalistic), ``pairs`` (model-model; all; with people: at least one of the two),
        ``measure_a``, ``measure_b``, ``n_pairs``, ``r_global``, ``r_average``.
    """
    rows = [
        (*group, a, b, len(pairs), spearmanr(pairs[a], pairs[b])[0], _average_r(pairs, a, b))
        for group, pairs in _groups_of_pairs().items()
        for a, b in combinations((*BEHAVIOUR, *REPRESENTATION, "CLES printed"), 2)
        if {a, b} <= set(pairs)
    ]
    return pd.DataFrame(rows, columns=["group", "pairs", "measure_a", "measure_b", "n_pairs", "r_global", "r_average"])


def _average_r(pairs: pd.DataFrame, a: str, b: str) -> float:
    return np.mean([spearmanr(part[a], part[b])[0] for _, part in pairs.groupby("data_set")])


@frozen(inputs=ANSWERS, slow=True)
def global_intervals() -> pd.DataFrame:
    """Return 95 % intervals of the global r on the synthetic sets, from 2,000 resamples of whole data sets.

    Pairs of one data set share its pictures, and pairs share systems, so pairs are no independent draws; data sets are
    what one could draw anew. The three naturalistic sets are too few for this.

    Returns
    -------
    pandas.DataFrame
        ``pairs``, ``measure_a``, ``measure_b``, ``low``, ``high`` (percentile intervals).
    """
    rows = [
        (kind, a, b, *_interval_over_data_sets(pairs, a, b))
        for (group, kind), pairs in _groups_of_pairs().items()
        if group == "synthetic"
        for a, b in combinations((*BEHAVIOUR, *REPRESENTATION), 2)
        if {a, b} <= set(pairs)
    ]
    return pd.DataFrame(rows, columns=["pairs", "measure_a", "measure_b", "low", "high"])


def _interval_over_data_sets(pairs: pd.DataFrame, a: str, b: str) -> tuple[float, float]:
    values = [part[[a, b]].to_numpy() for _, part in pairs.groupby("data_set", sort=False)]

    def global_r(chosen: np.ndarray) -> float:
        return spearmanr(np.concatenate([values[int(i)] for i in chosen]))[0]

    found = bootstrap(
        (np.arange(len(values)),), global_r, vectorized=False, n_resamples=2000, method="percentile", rng=0
    )
    return found.confidence_interval.low, found.confidence_interval.high


@frozen(inputs=ANSWERS)
def kinds_of_pairs() -> pd.DataFrame:
    """Return the mean of each measure over pairs of people, of models, and of one of each, data set by data set.

    Returns
    -------
    pandas.DataFrame
        ``data_set``, ``kind``, ``n_pairs``, ``EC``, ``MA``, ``CLES``, ``CLES printed``, ``CLES random`` (means; pairs
        with undefined MA left out), ``n_joint_errors`` (mean); synthetic sets only.
    """
    pairs = pairwise_scores()
    pairs = pairs[pairs["data_set"].map(source.data_sets()["kind"]) == "synthetic"]
    groups = pairs.groupby(["data_set", "kind"], sort=False)
    means = groups[[*BEHAVIOUR, "CLES printed", "CLES random", "n_joint_errors"]].mean()
    return means.assign(n_pairs=groups.size()).reset_index()


@frozen(inputs=ANSWERS)
def time_outs() -> pd.DataFrame:
    """Return what became of people's time-outs in the released arrays, and what that does to pairs of people.

    Returns
    -------
    pandas.DataFrame
        ``data_set``, ``answers`` of all people, ``time_outs``, ``counted_right`` (time-outs whose released class equals
        the truth), ``agreement`` (share of answered trials on which released and original answers are equal), and the
        means over pairs of people of ``EC``, ``MA``, ``CLES`` as released and, with ``… restored``, with -1 put back.
    """
    synthetic = source.data_sets().query("kind == 'synthetic'").index
    return pd.DataFrame([_time_outs(data_set) for data_set in synthetic])


def _time_outs(data_set: str) -> dict:
    responses, original = _responses(data_set), source.original_answers(data_set)
    released, silent = responses.answers[original.columns], original < 0
    means = {}
    for suffix, version in (("", responses), (" restored", source.with_time_outs(responses))):
        people = pairwise(version).query("kind == 'human-human'").rename(columns=SHORT)
        means |= {f"{measure}{suffix}": people[measure].mean() for measure in BEHAVIOUR}
    return {
        "data_set": data_set,
        "answers": original.size,
        "time_outs": int(silent.to_numpy().sum()),
        "counted_right": int((released.eq(responses.truth, axis=0) & silent).to_numpy().sum()),
        "agreement": float((released == original).to_numpy()[~silent.to_numpy()].mean()),
    } | means


@frozen(inputs=ANSWERS)
def time_out_classes() -> pd.DataFrame:
    """Return how often each class stands in the released arrays where the original trial has no answer.

    Returns
    -------
    pandas.DataFrame
        ``category``, ``count``, ``p_uniform`` (chi-square test against equal shares, the same in each row).
    """
    classes = [
        _responses(name).answers[original.columns].to_numpy()[(original < 0).to_numpy()]
        for name in source.data_sets().query("kind == 'synthetic'").index
        for original in [source.original_answers(name)]
    ]
    counts = np.bincount(np.concatenate(classes), minlength=len(CATEGORIES))
    return pd.DataFrame({"category": CATEGORIES, "count": counts, "p_uniform": chisquare(counts).pvalue})


@frozen(inputs=ANSWERS)
def epic_kitchen_classes() -> pd.DataFrame:
    """Return CLES on Epic-Kitchen with the data set's 97 classes, and with 94, the largest label plus one.

    Returns
    -------
    pandas.DataFrame
        ``system_a``, ``system_b``, ``97 classes``, ``94 classes``.
    """
    responses = _responses("epic_kitchen")
    truth = responses.truth.to_numpy()
    rows = [
        (
            a,
            b,
            *(
                class_level_error_similarity(truth, responses.answers[a], responses.answers[b], n_classes=n)
                for n in (97, None)
            ),
        )
        for a, b in combinations(responses.answers, 2)
    ]
    return pd.DataFrame(rows, columns=["system_a", "system_b", "97 classes", "94 classes"])


@frozen(inputs=ANSWERS)
def without_resnet50() -> pd.DataFrame:
    """Return the correlations on ImageNet-A with and without resnet50, against which that data set was chosen.

    Returns
    -------
    pandas.DataFrame
        ``measure_a``, ``measure_b``, ``r`` (22 models), ``r_without`` (21 models).
    """
    pairs = _with_released().query("data_set == 'image_net_a'")
    others = pairs.query("system_a != 'resnet50' and system_b != 'resnet50'")
    measures = (*BEHAVIOUR, *REPRESENTATION)
    rows = [
        (*both[:2], both[3], fewer[3])
        for both, fewer in zip(_spearman(pairs, measures), _spearman(others, measures), strict=True)
    ]
    return pd.DataFrame(rows, columns=["measure_a", "measure_b", "r", "r_without"])


@frozen(inputs=ANSWERS)
def inception_among_networks() -> pd.DataFrame:
    """Return how far pairs of Inception with other CNNs lie below the pairs of those CNNs, on ImageNet-A (Figure 6).

    Returns
    -------
    pandas.DataFrame
        ``measure``, ``with_inception`` and ``others`` (mean z-scores over all pairs of models), ``overlap`` (share of
        Inception's pairs that lie above the lowest of the others).
    """
    pairs = _with_released().query("data_set == 'image_net_a'")
    measures = [*REPRESENTATION, *BEHAVIOUR]
    scores = (pairs[measures] - pairs[measures].mean()) / pairs[measures].std(ddof=0)
    networks = (pairs["family_a"] == "CNN") & (pairs["family_b"] == "CNN")
    inception = (pairs["system_a"] == "inception") | (pairs["system_b"] == "inception")
    one, others = scores[networks & inception], scores[networks & ~inception]
    return pd.DataFrame(
        {
            "measure": measures,
            "with_inception": one.mean().to_numpy(),
            "others": others.mean().to_numpy(),
            "overlap": (one > others.min()).mean().to_numpy(),
        }
    )


@frozen(inputs=ANSWERS)
def agreement_with_released() -> pd.DataFrame:
    """Return the largest difference between our EC, MA, CLES and the authors' released matrices.

    Returns
    -------
    pandas.DataFrame
        ``data_set``, ``n_pairs``, ``undefined_MA`` (pairs with 0/0, which the authors count as 1), and the largest
        absolute differences ``EC``, ``MA``, ``CLES``, rounded to one digit.
    """
    ours = pairwise_scores()
    rows = []
    for name, pairs in ours.groupby("data_set", sort=False):
        released = source.released_pairs(name)
        gaps = {
            measure: (pairs[measure].fillna(1.0).to_numpy() - released[measure.lower()]).abs().max()
            for measure in BEHAVIOUR
        }
        rows.append(
            {"data_set": name, "n_pairs": len(pairs), "undefined_MA": int(pairs["MA"].isna().sum())}
            | {measure: float(f"{gap:.0e}") for measure, gap in gaps.items()}
        )
    return pd.DataFrame(rows)


@frozen(inputs=ANSWERS)
def similarity_with_itself() -> pd.DataFrame:
    """Return what the released form of CLES gives a system compared with itself.

    Returns
    -------
    pandas.DataFrame
        ``data_set``, ``lowest`` and ``highest`` CLES of a system with itself, over all systems.
    """
    rows = []
    for data_set, size in source.data_sets().iterrows():
        responses = _responses(data_set)
        values = [
            class_level_error_similarity(responses.truth, answers, answers, n_classes=size["classes"])
            for _, answers in responses.answers.items()
        ]
        rows.append((data_set, min(values), max(values)))
    return pd.DataFrame(rows, columns=["data_set", "lowest", "highest"])


@frozen(inputs=ANSWERS)
def released_divergences() -> pd.DataFrame:
    """Return the range of the divergences behind the authors' released SOC and SOCE.

    Returns
    -------
    pandas.DataFrame
        ``measure``, ``n_pairs``, ``largest`` divergence. A Jensen-Shannon divergence cannot exceed log 2; half the
        Jeffreys divergence has no bound.
    """
    released = released_values()
    return pd.DataFrame(
        [(measure, len(released), (1 / released[measure] - 1).max()) for measure in ("SOC", "SOCE")],
        columns=["measure", "n_pairs", "largest"],
    )


@frozen(inputs=ANSWERS, slow=True)
def error_distribution_tests() -> pd.DataFrame:
    """Return, for every pair of models, in how many classes "same error distribution" is rejected (appendix 2).

    Returns
    -------
    pandas.DataFrame
        ``data_set``, ``system_a``, ``system_b``, ``n_classes`` (in which both err), and how many are rejected at .05
        and .001 by a permutation test that keeps the pairing of answers (``permutation_05``, ``permutation_001``) and
        by the chi-square distribution, which takes all answers for independent (``chi2_05``, ``chi2_001``).
    """
    return _each_data_set(_distribution_tests)


def _distribution_tests(data_set: str) -> pd.DataFrame:
    responses = _responses(data_set)
    truth = responses.truth.to_numpy()
    models = responses.systems.query("kind == 'model'").index
    rows = []
    for a, b in combinations(models, 2):
        tests = error_distribution_test(truth, responses.answers[a], responses.answers[b], n_permutations=999, rng=0)
        rows.append(
            (a, b, len(tests), *((tests[p] <= level).sum() for p in ("p_value", "p_chi2") for level in (0.05, 0.001)))
        )
    return pd.DataFrame(
        rows, columns=["system_a", "system_b", "n_classes", "permutation_05", "permutation_001", "chi2_05", "chi2_001"]
    )


def table(item: str) -> pd.DataFrame:
    """Return our numbers for one printed table or for the numbers of the text, in the rows and columns as printed.

    Parameters
    ----------
    item : str
        ``"Table 1"`` … ``"Table 4"``, or ``"text"``.

    Returns
    -------
    pandas.DataFrame
        For :func:`erralign.reproduction.published.compare`.

    Examples
    --------
    >>> table("Table 1").shape
    (17, 6)
    """
    return {"Table 1": _table_1, "text": _text}.get(item, lambda: _table_with_accuracy(item))()


def _printed_correlations() -> pd.DataFrame:
    found = correlations()
    both = pd.concat([found, found.rename(columns={"measure_a": "measure_b", "measure_b": "measure_a"})])
    both["column"] = both["measure_a"] + " vs " + both["measure_b"]
    wide = both.pivot(index="data_set", columns="column", values="r")
    return wide.loc[source.data_sets().index].set_axis(source.data_sets()["printed"])


def _table_1() -> pd.DataFrame:
    return _printed_correlations()[["EC vs MA", "EC vs CLES", "MA vs CLES", "CKA vs EC", "CKA vs MA", "CKA vs CLES"]]


def _table_with_accuracy(item: str) -> pd.DataFrame:
    reference = {"Table 2": "CKA", "Table 3": "SOC", "Table 4": "SOCE"}[item]
    others = [measure for measure in (*REPRESENTATION, *BEHAVIOUR) if measure != reference]
    models = accuracies().query("kind == 'model'").groupby("data_set", sort=False)["accuracy"]
    # Population deviation, as printed: these are all models of the study, not a sample of them.
    spread = pd.DataFrame({"mean accuracy": 100 * models.mean(), "accuracy sd": 100 * models.std(ddof=0)})
    spread = spread.set_axis(source.data_sets()["printed"])
    return spread.join(_printed_correlations()[[f"{reference} vs {other}" for other in others]])


def _text() -> pd.DataFrame:
    sizes = source.data_sets().set_index("printed")
    found = global_correlations().query("pairs == 'model-model' and measure_a == 'EC' and measure_b == 'MA'")
    r = found.set_index("group")["r_global"]
    kinds = sizes["kind"].value_counts()
    synthetic = sizes.query("kind == 'synthetic'")["trials"]
    facts = [(f"{group}, all pairs of models together", "EC vs MA", r[group]) for group in r.index]
    facts += [("data sets", kind, kinds[kind]) for kind in kinds.index]
    facts += [
        ("ImageNet-A", "images", sizes.loc["ImageNet-A", "trials"]),
        ("CLES", "alpha", signature(class_level_error_similarity).parameters["alpha"].default),
        ("stylized", "people", sizes.loc["stylized", "people"]),
        ("3D ConvNet", "settings", (source.systems_of("epic_kitchen")["family"] == "3D ConvNet").sum()),
        ("smallest synthetic set", "thousand images", synthetic.min() / 1000),
        ("largest synthetic set", "thousand images", synthetic.max() / 1000),
    ]
    facts += [(name, "classes", sizes.loc[name, "classes"]) for name in ("ImageNet-A", "MPII-Cooking", "Epic-Kitchen")]
    facts += [
        (name, "thousand evaluated videos", sizes.loc[name, "trials"] / 1000)
        for name in ("MPII-Cooking", "Epic-Kitchen")
    ]
    return pd.DataFrame(facts, columns=["row", "column", "value"]).pivot(index="row", columns="column", values="value")
