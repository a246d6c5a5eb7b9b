"""Result tables of Klein et al. (2025), "Quantifying uncertainty in error consistency"."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy as np
import pandas as pd
from scipy.stats import kendalltau, norm, pearsonr, spearmanr

from erralign.behaviour import kappa
from erralign.nulls import p_value
from erralign.planning import copy_probability, simulate_copies
from erralign.reproduction.frozen import frozen
from erralign.resampling import ConsistencyWithPeople, consistency_with_people
from erralign.resampling.worlds import drawn_kappas
from erralign.responses import Responses
from erralign.sources import geirhos2020, xu2024
from erralign.sources import model_vs_human as source

ANSWERS = list(source.KEYS)
OTHER_ANSWERS = [*ANSWERS, xu2024.ERROR_ALIGN, geirhos2020.ERROR_CONSISTENCY]
DATA_SETS = tuple(source.data_sets().index)
FOURTEEN = tuple(name for name in DATA_SETS if name in xu2024.data_sets().index)
# As the older repository calls the three others.
THREE = {"edge": "edges", "silhouette": "silhouettes", "cue-conflict": "cue-conflict"}
N_CLASSES = 16
N_RESAMPLES = 10_000
LEVEL = 0.95
ALPHA = 0.05
FEW = 5
# A model that knows its task is right more than twice as often as a guess; the four that are not are at .06 to .07.
AT_CHANCE = 2 / N_CLASSES
# Two models that differ on less than one trial in a thousand are one: the nearest others differ on 159 in a thousand.
COPY = 0.001
ACCURACIES = (0.5, 0.75, 0.9, 0.95)
TRIALS = (40, 80, 160, 320, 400, 640, 1000, 1280, 2500, 5000, 10_000)
TRIALS_OF_FIGURE_6 = 400
TRUE_EC = tuple(step / 20 for step in range(21))
TAILS = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
SIMULATIONS = 1000
COPIES = (("middle", "fixed-count"), ("lowest", "fixed-count"), ("own", "fixed-count"), ("own", "per-trial"))
# What the ways of `copy_intervals`, its accuracy and its copies, mean to a reader.
IN_WORDS = {
    "middle, fixed-count": "middle accuracy, exact number of copies (Figure 5)",
    "lowest, fixed-count": "lowest accuracy, exact number of copies (Figure 7)",
    "own, fixed-count": "own accuracy, exact number of copies",
    "own, per-trial": "own accuracy, copies by chance",
    "own, none": "real trials, resampled for each person",
}
# Models of the paper's Table 2 in public data: ours, and those of two other repositories, by name.
TABLE_2 = source.HERE / "klein2025-table-2.csv"


@frozen(inputs=ANSWERS)
def model_files() -> pd.DataFrame:
    """Return what checks of every model's files find: are they complete, above chance, and no copies?

    Returns
    -------
    pandas.DataFrame
        ``system``, ``archive``, ``family``, and the columns of :func:`checked`.
    """
    answers = {name: source.all_answers(name) for name in DATA_SETS}
    found = checked({name: (truth, table[_models_in(table)]) for name, (truth, table) in answers.items()})
    return source.models()[["archive", "family"]].join(found).reset_index()


def _models_in(answers: pd.DataFrame) -> list[str]:
    return [system for system in answers if system in source.models().index]


def checked(answers: Mapping[str, tuple[pd.Series, pd.DataFrame]]) -> pd.DataFrame:
    """Check files of models: all trials there, right more often than twice as often as a guess, no copy of another.

    Parameters
    ----------
    answers : mapping of str to tuple
        Data set to true class ids, and to answers with a column a system; nan where a trial is missing.

    Returns
    -------
    pandas.DataFrame
        Indexed by system: ``data_sets`` (with a file), ``missing_trials`` in these, ``accuracy`` (mean over them),
        ``copy_of`` (an earlier system with which it disagrees on less than one trial in a thousand),
        ``different_answers`` (from that one; 0 where there is none), ``verdict``: ``sound``, ``copy``, or what is
        wrong.
    """
    systems = list(dict.fromkeys(system for _, table in answers.values() for system in table))
    rows = pd.DataFrame([_check(system, answers) for system in systems], index=systems)
    together = pd.concat([table.reset_index(drop=True) for _, table in answers.values()])
    for column, (name, other) in enumerate(zip(systems, map(together.get, systems), strict=True)):
        for earlier in systems[:column]:
            different = int((other.notna() & (together[earlier] != other)).sum())
            if different < COPY * other.notna().sum():
                rows.loc[name, ["copy_of", "different_answers", "verdict"]] = earlier, different, "copy"
                break
    return rows


def _check(system: str, answers: Mapping[str, tuple[pd.Series, pd.DataFrame]]) -> dict:
    own = [(truth, table[system]) for truth, table in answers.values() if system in table]
    accuracy = float(np.mean([(given == truth)[given.notna()].mean() for truth, given in own]))
    missing = sum(int(given.isna().sum()) for _, given in own)
    wrong = ["incomplete"] if missing or len(own) < len(answers) else []
    wrong += ["at chance"] if accuracy < AT_CHANCE else []
    facts = {"data_sets": len(own), "missing_trials": missing, "accuracy": accuracy, "copy_of": ""}
    return facts | {"different_answers": 0, "verdict": ", ".join(wrong) or "sound"}


# ---- the data --------------------------------------------------------------------------------------------------------


@cache
def _responses(data_set: str) -> Responses:
    return source.used_conditions(source.read(data_set))


def _sound() -> list[str]:
    return list(model_files().query("verdict == 'sound'")["system"])


def _complete() -> list[str]:
    """Every model with a complete file, once: the sound ones, and those at chance."""
    return list(model_files().query("verdict in ['sound', 'at chance']")["system"])


def _with(data_set: str, models: Sequence[str]) -> Responses:
    """Return people and the given models on the conditions that the benchmark uses."""
    every = _responses(data_set)
    people = list(every.systems.query("kind == 'human'").index)
    return _only(every, [*people, *models])


def _only(every: Responses, systems: Sequence[str]) -> Responses:
    return Responses(every.name, every.truth, every.answers[systems], every.classes, every.systems.loc[systems])


@cache
def _consistency(models: tuple[str, ...], data_sets: tuple[str, ...] = DATA_SETS, rng: int = 0):
    chosen = [_with(name, models) for name in data_sets]
    return consistency_with_people(chosen, level=LEVEL, n_resamples=N_RESAMPLES, rng=rng)


@frozen(inputs=ANSWERS)
def conditions() -> pd.DataFrame:
    """Return the 78 conditions: how many trials and people, how accurate, and how many errors there are to compare.

    Returns
    -------
    pandas.DataFrame
        ``data_set``, ``condition``, ``used`` (by the benchmark), ``n_trials``, ``people``, ``accuracy`` (mean of
        people), ``comparisons`` (of a sound model and a person), ``few`` (of these, with fewer than five joint
        errors).
    """
    rows = [
        {"data_set": name, "condition": condition, "used": (name, condition) not in source.excluded_conditions()}
        | _condition(right)
        for name in DATA_SETS
        for condition, right in _right(name)
    ]
    return pd.DataFrame(rows)


def _right(data_set: str) -> list[tuple[str, pd.DataFrame]]:
    """Return, condition by condition, who of the people and the sound models was right on what."""
    responses = source.read(data_set)
    right = responses.answers.eq(responses.truth, axis=0)
    chosen = right[[*right.filter(like="subject-"), *_sound()]]
    return list(chosen.groupby(level="condition", sort=False))


def _condition(right: pd.DataFrame) -> dict:
    people, models = right.filter(like="subject-"), right[_sound()]
    joint_errors = (~models).to_numpy().T.astype(int) @ (~people).to_numpy().astype(int)
    return {
        "n_trials": len(right),
        "people": people.shape[1],
        "accuracy": people.to_numpy().mean(),
        "comparisons": joint_errors.size,
        "few": int((joint_errors < FEW).sum()),
    }


@frozen(inputs=ANSWERS)
def accuracies() -> pd.DataFrame:
    """Return the pairs of accuracies in which a model, or a person, is compared with people (Figure 2b).

    Returns
    -------
    pandas.DataFrame
        ``data_set``, ``condition``, ``used``, ``kind`` (``model-human`` or ``human-human``), ``system``,
        ``accuracy``, and ``accuracy of people``: the mean of those with whom it is compared.
    """
    parts = [
        _accuracies(right).assign(data_set=name, condition=condition)
        for name in DATA_SETS
        for condition, right in _right(name)
    ]
    table = pd.concat(parts, ignore_index=True)
    keys = zip(table["data_set"], table["condition"], strict=True)
    table["used"] = [key not in source.excluded_conditions() for key in keys]
    return table[["data_set", "condition", "used", "kind", "system", "accuracy", "accuracy of people"]]


def _accuracies(right: pd.DataFrame) -> pd.DataFrame:
    accuracy = right.mean()
    human = accuracy.index.str.startswith("subject-")
    people = accuracy[human]
    others = (people.sum() - accuracy.where(human, 0)) / (len(people) - human)
    kind = np.where(human, "human-human", "model-human")
    return pd.DataFrame({"kind": kind, "accuracy": accuracy, "accuracy of people": others}).reset_index(names="system")


# ---- Figures 4 and 8, Table 2 ----------------------------------------------------------------------------------------


@frozen(inputs=ANSWERS)
def ranking() -> pd.DataFrame:
    """Return error consistency with people over the whole benchmark (Figure 4), without and with models at chance.

    Returns
    -------
    pandas.DataFrame
        ``models`` (``sound``, or ``with models at chance``), ``rank`` (0 is best, as printed; nan for people), and the
        columns of :func:`scores`.
    """
    groups = {"sound": _sound(), "with models at chance": _complete()}
    return pd.concat([scores(_consistency(tuple(group))).assign(models=name) for name, group in groups.items()])


def scores(found: ConsistencyWithPeople) -> pd.DataFrame:
    """Put our intervals and the paper's beside each other.

    Parameters
    ----------
    found : ConsistencyWithPeople
        Of any data sets.

    Returns
    -------
    pandas.DataFrame
        Best first: ``system``, ``family``, ``rank``, ``EC``, ``low`` and ``high`` (ours), ``bias``,
        ``percentile_low`` and ``percentile_high`` (the paper's: the middle 95 % of plain bootstrap draws),
        ``fewest_joint_errors``, ``n_undefined``.
    """
    limits = found.percentile_draws.quantile([(1 - found.level) / 2, (1 + found.level) / 2])
    table = found.table.drop(columns="n_conditions").assign(
        percentile_low=limits.iloc[0], percentile_high=limits.iloc[1]
    )
    table = table.sort_values("EC", ascending=False).rename_axis("system").reset_index()
    person = table["system"] == "people"
    table.insert(1, "family", table["system"].map(source.models()["family"]).fillna("Human"))
    table.insert(2, "rank", (~person).cumsum().where(~person) - 1)
    return table


@frozen(inputs=ANSWERS)
def phase_scrambling() -> pd.DataFrame:
    """Return error consistency with people on phase-scrambled photographs alone (Figure 8).

    Returns
    -------
    pandas.DataFrame
        The columns of :func:`scores`, for the sound models.
    """
    return scores(_consistency(tuple(_sound()), ("phase-scrambling",)))


def _with_error_align(data_set: str) -> Responses:
    """Return people and the sound models, with the models of another repository, on the conditions in use."""
    ours, theirs = _with(data_set, _sound()), xu2024.read(data_set)
    # Of all its names, only this one is known to be a model that we have: 99.8 % of its answers are the same, or more.
    others = theirs.systems.query("kind == 'model'").drop(index="resnet50")
    answers = theirs.answers.loc[ours.answers.index, others.index]
    together, systems = ours.answers.join(answers), pd.concat([ours.systems, others])
    return Responses(ours.name, ours.truth, together, ours.classes, systems.rename_axis("system"))


@frozen(inputs=OTHER_ANSWERS)
def ranking_on_fourteen() -> pd.DataFrame:
    """Return error consistency with people on 14 of the 17 data sets, where another repository has more models.

    Returns
    -------
    pandas.DataFrame
        The columns of :func:`scores`, for 25 models of the benchmark's form and 21 of error_align, whose names stand
        with that in brackets.
    """
    table = scores(_on_fourteen())
    known = table["system"].isin(source.models().index)
    table["family"] = table["family"].where(known, table["system"].map(xu2024.systems_of("colour")["family"]))
    table.loc[table["system"] == "people", "family"] = "Human"
    table["system"] = table["system"].where(known | (table["system"] == "people"), table["system"] + " (error_align)")
    return table


@cache
def _on_fourteen() -> ConsistencyWithPeople:
    chosen = [_with_error_align(name) for name in FOURTEEN]
    return consistency_with_people(chosen, level=LEVEL, n_resamples=1000, rng=0)


@frozen(inputs=OTHER_ANSWERS)
def table_2() -> pd.DataFrame:
    """Return the paper's 52 models: which have public answers, from where, and how consistent with people they are.

    Returns
    -------
    pandas.DataFrame
        ``index`` and ``name`` as printed, ``evidence`` (see the chapter), ``EC`` over all 17 data sets; for
        ``two sources`` 14 of them come from a model of that name in error_align, three from one in
        error-consistency; nan where there are no answers to all 17.
    """
    table = pd.read_csv(TABLE_2, keep_default_na=False)
    found = _ten().table["EC"]
    kinds = [table["model_vs_human"] != "", table["error_align"] != "", table["error_consistency"] != ""]
    table["evidence"] = np.select(kinds, ["all 17 sets", "two sources", "three sets only"], "no public answers")
    table["EC"] = table["model_vs_human"].map(found).fillna(table["name"].map(found))
    return table[["index", "name", "evidence", "EC"]]


@cache
def _ten() -> ConsistencyWithPeople:
    """Put together the models of Table 2 with answers to all 17 data sets, six of them out of two repositories."""
    names = pd.read_csv(TABLE_2, keep_default_na=False).set_index("name")
    spliced = names[(names["error_align"] != "") & (names["error_consistency"] != "")]
    own = names.loc[names["model_vs_human"] != "", "model_vs_human"]
    parts = [_renamed(name, xu2024.read(name), spliced["error_align"], own) for name in FOURTEEN]
    parts += [_renamed(ours, geirhos2020.read(old), spliced["error_consistency"], own) for ours, old in THREE.items()]
    return consistency_with_people(parts, level=LEVEL, n_resamples=N_RESAMPLES, rng=0)


def _renamed(data_set: str, theirs: Responses, names: pd.Series, own: pd.Series) -> Responses:
    """Put people, models of another repository under the names that the paper prints, and our own side by side."""
    ours = _with(data_set, list(own))
    trials = ours.answers.index.to_frame(index=False)[list(theirs.answers.index.names)]
    trials = trials.iloc[:, 0] if trials.shape[1] == 1 else pd.MultiIndex.from_frame(trials)
    answers = theirs.answers.loc[trials, names].set_axis(names.index, axis=1).set_index(ours.truth.index)
    systems = theirs.systems.loc[names, ["kind", "family", "source"]].set_index(names.index)
    systems = pd.concat([ours.systems, systems]).rename_axis("system")
    return Responses(ours.name, ours.truth, ours.answers.join(answers), ours.classes, systems)


def order_of_table_2() -> pd.DataFrame:
    """Compare the printed order of models with ours, as far as there are public answers to all 17 data sets.

    Returns
    -------
    pandas.DataFrame
        ``models`` (``the four`` with answers to all 17 sets in one place; ``all ten``, with those of two sources),
        ``n_models``, ``tau`` (Kendall's), ``concordant`` pairs of ``pairs``.
    """
    table = table_2().dropna(subset="EC")
    groups = {"the four": table[table["evidence"] == "all 17 sets"], "all ten": table}
    rows = []
    for name, group in groups.items():
        tau = float(kendalltau(-group["index"], group["EC"]).statistic)
        pairs = len(group) * (len(group) - 1) // 2
        rows.append((name, len(group), tau, round(pairs * (1 + tau) / 2), pairs))
    return pd.DataFrame(rows, columns=["models", "n_models", "tau", "concordant", "pairs"])


# ---- how stable is the ranking? --------------------------------------------------------------------------------------


@frozen(inputs=OTHER_ANSWERS)
def rank_stability() -> pd.DataFrame:
    """Return how far bootstrap rankings agree with the ranking, and what the choice of models does to that.

    Returns
    -------
    pandas.DataFrame
        ``models``, ``n_models``, ``tau`` (mean Kendall's tau between a bootstrap ranking and the ranking; for random
        choices a mean over 200 of them), ``sd`` (over bootstraps, or over choices), ``best_stays`` (share of
        bootstraps in which the best stays best; nan for random choices).
    """
    sound = _sound()
    every = _agreement(_consistency(tuple(_complete())))
    without = [system for system in sound if not system.startswith("bagnet")]
    rows = [
        ("sound", *_whole(_agreement(_consistency(tuple(sound))), sound)),
        ("with models at chance", *_whole(every, _complete())),
        ("sound, without the two BagNets", *_whole(every, without)),
    ]
    rng = np.random.default_rng(0)
    ten = _agreement(_ten())
    rows.append(("the ten of Table 2", *_whole(ten, ten[0])))
    rows += [(f"{n} of the sound, at random", *_random(every, sound, n, rng)) for n in (5, 10, 15, 20)]
    return pd.DataFrame(rows, columns=["models", "n_models", "tau", "sd", "best_stays"])


def _agreement(found: ConsistencyWithPeople) -> tuple[pd.Index, np.ndarray]:
    """Return, for each bootstrap, +1 for each pair of systems in the order of the ranking, -1 for one that is not."""
    names = found.table.index.drop("people")
    values, draws = found.table.loc[names, "EC"].to_numpy(), found.percentile_draws[names].to_numpy()
    first, second = np.triu_indices(len(names), k=1)
    signs = np.sign(values[first] - values[second]) * np.sign(draws[:, first] - draws[:, second])
    square = np.zeros((len(names), len(names), len(draws)), dtype=np.int8)
    square[first, second] = square[second, first] = signs.T
    order = np.argsort(-values)
    return names[order], square[np.ix_(order, order)]


def _taus(square: np.ndarray) -> np.ndarray:
    n = len(square)
    return square.sum(axis=(0, 1), dtype=float) / (n * (n - 1))


def _whole(agreement: tuple[pd.Index, np.ndarray], models: Sequence[str]) -> tuple:
    names, square = agreement
    places = np.flatnonzero(names.isin(models))
    square = square[np.ix_(places, places)]
    taus = _taus(square)
    best_stays = (square[0].sum(axis=0, dtype=int) == len(places) - 1).mean()
    return len(places), taus.mean(), taus.std(), best_stays


def _random(agreement: tuple[pd.Index, np.ndarray], models: Sequence[str], n: int, rng: np.random.Generator) -> tuple:
    names, square = agreement
    means = square.mean(axis=2)
    places = np.flatnonzero(names.isin(models))
    choices = [rng.choice(places, n, replace=False) for _ in range(200)]
    taus = np.array([means[np.ix_(choice, choice)].sum() / (n * (n - 1)) for choice in choices])
    return n, taus.mean(), taus.std(), np.nan


@frozen(inputs=ANSWERS)
def differences() -> pd.DataFrame:
    """Return the difference of each pair of sound models, tested on the trials that both saw.

    Returns
    -------
    pandas.DataFrame
        ``system_a`` (the better), ``system_b``, ``rank_a``, ``rank_b``, ``difference``, ``low``, ``high`` (paired, of
        the difference less its bias), ``p`` (two-sided, normal, with the jackknife's variance: counting bootstraps
        could not go below 2 / 10,001, which is above what Holm's correction asks for), ``p_holm``, ``overlap`` (of the
        paper's intervals of the two).
    """
    return _differences(_consistency(tuple(_sound())))


def _differences(found: ConsistencyWithPeople) -> pd.DataFrame:
    table = scores(found).dropna(subset="rank").reset_index(drop=True)
    better, worse = np.triu_indices(len(table), k=1)
    a, b = table.iloc[better].reset_index(drop=True), table.iloc[worse].reset_index(drop=True)
    difference = a["EC"] - b["EC"]
    covariance, place = found.covariance.to_numpy(), found.covariance.index.get_indexer
    i, j = place(a["system"]), place(b["system"])
    spread = np.sqrt(covariance[i, i] + covariance[j, j] - 2 * covariance[i, j])
    centre, half = difference - (a["bias"] - b["bias"]), norm.ppf((1 + LEVEL) / 2) * spread
    low, high = centre - half, centre + half
    p = 2 * norm.sf(np.abs(centre) / spread)
    names = {"system_a": a["system"], "system_b": b["system"], "rank_a": a["rank"], "rank_b": b["rank"]}
    tests = {"difference": difference, "low": low, "high": high, "p": p, "p_holm": holm(p)}
    return pd.DataFrame(names | tests | {"overlap": a["percentile_low"] <= b["percentile_high"]})


def holm(p_values: Sequence[float]) -> np.ndarray:
    """Correct p-values for their number: at most this share of families of true nulls has a p below its own value.

    Parameters
    ----------
    p_values : sequence of float
        From 0 to 1, in any order, dependent or not.

    Returns
    -------
    numpy.ndarray
        In the same order, from 0 to 1; never below the given ones.

    References
    ----------
    Holm (1979), https://www.jstor.org/stable/4615733.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    p_values = np.asarray(p_values, dtype=float)
    order = np.argsort(p_values)
    times = np.arange(len(p_values), 0, -1)
    corrected = np.empty(len(p_values))
    corrected[order] = np.maximum.accumulate(times * p_values[order]).clip(max=1)
    return corrected


# ---- Figure 9 --------------------------------------------------------------------------------------------------------


@frozen(inputs=ANSWERS)
def scores_by_data_set() -> pd.DataFrame:
    """Return error consistency with people on each data set.

    Returns
    -------
    pandas.DataFrame
        ``data_set``, ``system`` (the sound models, and ``people``), ``EC``.
    """
    parts = [_by_data_set([_with(name, _sound())]).assign(data_set=name) for name in DATA_SETS]
    return pd.concat(parts, ignore_index=True)[["data_set", "system", "EC"]]


def _by_data_set(responses: Sequence[Responses]) -> pd.DataFrame:
    return consistency_with_people(responses, n_resamples=2).table["EC"].reset_index()


@frozen(inputs=OTHER_ANSWERS)
def correlations() -> pd.DataFrame:
    """Return how far pairs of data sets rank the models alike (Figure 9).

    Returns
    -------
    pandas.DataFrame
        ``models`` (``25 models, 17 sets``, or ``46 models, 14 sets`` with those of error_align), ``data_set_a``,
        ``data_set_b``, ``n_models``, ``r`` (Spearman's), ``p`` (two-sided, t distribution), ``p_holm`` (for all pairs
        of data sets), ``p_kendall`` and ``p_pearson`` (of the other two correlations).
    """
    more = [_by_data_set([_with_error_align(name)]).assign(data_set=name) for name in FOURTEEN]
    tables = {"25 models, 17 sets": (scores_by_data_set(), DATA_SETS)}
    tables["46 models, 14 sets"] = pd.concat(more), FOURTEEN
    return pd.concat(_correlations(*table).assign(models=name) for name, table in tables.items())


def _correlations(by_data_set: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    wide = by_data_set.pivot(index="system", columns="data_set", values="EC").drop(index="people")[list(names)]
    found = spearmanr(wide.to_numpy())
    first, second = np.triu_indices(len(names), k=1)
    pairs = {"data_set_a": np.array(names)[first], "data_set_b": np.array(names)[second], "n_models": len(wide)}
    p = found.pvalue[first, second]
    tests = {"r": found.statistic[first, second], "p": p, "p_holm": holm(p)}
    for name, test in {"p_kendall": kendalltau, "p_pearson": pearsonr}.items():
        tests[name] = [test(wide.iloc[:, i], wide.iloc[:, j]).pvalue for i, j in zip(first, second, strict=True)]
    return pd.DataFrame(pairs | tests)


# ---- Figure 10 -------------------------------------------------------------------------------------------------------


@frozen(inputs=ANSWERS)
def clip_p_values() -> pd.DataFrame:
    """Return p-values of the error consistency between CLIP and each person in each condition (Figure 10).

    Returns
    -------
    pandas.DataFrame
        ``data_set``, ``condition``, ``used``, ``person``, ``n_joint_errors``, ``EC``, ``p`` (exact, uniform prior),
        ``p_printed`` (exact, with the posterior as printed), ``p_simulated`` (10,000 tables; the paper simulates
        them alike and does not say how many), ``p_holm`` (of ``p``, for all comparisons).
    """
    rows = [row for name in DATA_SETS for condition, right in _right(name) for row in _clip(name, condition, right)]
    table = pd.DataFrame(rows)
    return table.assign(p_holm=_holm_of_defined(table["p"]))


def _holm_of_defined(p: pd.Series) -> pd.Series:
    defined = p.dropna()
    return pd.Series(holm(defined), index=defined.index).reindex(p.index)


def _clip(data_set: str, condition: str, right: pd.DataFrame) -> list[dict]:
    used = (data_set, condition) not in source.excluded_conditions()
    start = {"data_set": data_set, "condition": condition, "used": used}
    return [start | _p_values(right["clip"], right[person]) for person in right.filter(like="subject-")]


def _p_values(clip: pd.Series, person: pd.Series, rng: int = 0) -> dict:
    counts = np.bincount(2 * clip.to_numpy() + person.to_numpy(), minlength=4).reshape(2, 2)
    return {
        "person": person.name,
        "n_joint_errors": int(counts[0, 0]),
        "EC": float(kappa(*counts.ravel().astype(float))),
        "p": p_value(counts),
        "p_printed": p_value(counts, prior="as-printed"),
        "p_simulated": p_value(counts, method="as-printed", n_samples=N_RESAMPLES, rng=rng),
    }


# ---- Figures 5 and 7: the copy model in place of trials --------------------------------------------------------------


@frozen(inputs=ANSWERS, slow=True)
def copy_intervals() -> pd.DataFrame:
    """Return the intervals that the paper's method for Brain-Score gives where trials are there to check it.

    The method knows a model's mean error consistency in each condition and people's accuracies, not the trials and
    not the model's accuracy. It simulates a sequence of trials for each person, in which the model copies that person.

    Returns
    -------
    pandas.DataFrame
        ``system``, ``accuracy`` (``middle``: of what is possible; ``lowest`` possible; ``own``: the model's real
        one), ``copies`` (``fixed-count``, as in the paper; ``per-trial``; or ``none``: the real trials, resampled anew
        for each person), ``EC`` (mean of the simulated), ``low``, ``high``, ``skipped`` (comparisons that no copying
        gives: error consistency below 0, or a person who is always right).
    """
    rng = np.random.default_rng(0)
    parts = [_copied_all(*choice, rng) for choice in COPIES]
    return pd.concat([*parts, _anew_for_each_person(rng)], ignore_index=True)


def _copied_all(choice: str, variant: str, rng: np.random.Generator) -> pd.DataFrame:
    facts = pd.concat([_facts(name, condition, right) for name in DATA_SETS for condition, right in _used(name)])
    groups = facts.groupby("system", sort=False)
    return pd.DataFrame([_copied(name, group, choice, variant, rng) for name, group in groups])


def _anew_for_each_person(rng: np.random.Generator) -> pd.DataFrame:
    """Break nothing but the pictures that people share: a bootstrap of its own for each of them."""
    models = _sound()
    draws = [np.mean([_alone(right, rng) for _, right in _used(name)], axis=0) for name in DATA_SETS]
    score = np.mean(draws, axis=0)
    low, high = np.quantile(score, TAILS, axis=0)
    facts = {"accuracy": "own", "copies": "none", "EC": score.mean(axis=0), "low": low, "high": high, "skipped": 0}
    return pd.DataFrame({"system": models} | facts)


def _alone(right: pd.DataFrame, rng: np.random.Generator) -> np.ndarray:
    """Return draws of each model's mean over people in a condition."""
    models = _sound()
    first, second = np.arange(len(models)), np.full(len(models), len(models))
    people = [right[[*models, person]].to_numpy().T for person in right.filter(like="subject-")]
    draws = [drawn_kappas(each, first, second, SIMULATIONS, rng, pseudo_trials=False) for each in people]
    return np.nanmean(draws, axis=0)


def _used(data_set: str) -> list[tuple[str, pd.DataFrame]]:
    return [(name, right) for name, right in _right(data_set) if (data_set, name) not in source.excluded_conditions()]


def _facts(data_set: str, condition: str, right: pd.DataFrame) -> pd.DataFrame:
    """Return what the method may know: mean EC in a condition, people's accuracies, and the model's, to check."""
    people, models = right.filter(like="subject-").to_numpy(float), right[_sound()].to_numpy(float)
    both = models.T @ people
    alone_a, alone_b = models.sum(axis=0)[:, None], people.sum(axis=0)[None]
    n = len(right)
    ec = kappa(n - alone_a - alone_b + both, alone_b - both, alone_a - both, both)
    start = {"data_set": data_set, "condition": condition, "n_trials": n}
    rows = [
        {"system": system, "EC": np.nanmean(ec[i]), "own": models[:, i].mean(), "person": person, **start}
        for i, system in enumerate(_sound())
        for person in people.mean(axis=0)
    ]
    return pd.DataFrame(rows)


def accuracy_range(ec: float, accuracy: float) -> tuple[float, float]:
    r"""Return which accuracies a system can have whose error consistency with another is known.

    .. math:: p_{low} = \frac{k\,a}{2(1 - a) - k(1 - 2a)}, \qquad p_{high} = \frac{a(2 - k)}{k(1 - 2a) + 2a}

    where all errors of the one are errors of the other.

    Parameters
    ----------
    ec : float
        k, from 0 to 1.
    accuracy : float
        a, of the other system, between 0 and 1.

    Returns
    -------
    tuple of float
        The lowest and the highest possible accuracy, from 0 to 1.

    Examples
    --------
    >>> accuracy_range(0.0, 0.8), accuracy_range(1.0, 0.75)
    ((0.0, 1.0), (0.75, 0.75))
    """
    low = ec * accuracy / (2 * (1 - accuracy) - ec * (1 - 2 * accuracy))
    return low, accuracy * (2 - ec) / (ec * (1 - 2 * accuracy) + 2 * accuracy)


def _copied(system: str, facts: pd.DataFrame, choice: str, variant: str, rng: np.random.Generator) -> dict:
    facts = facts.reset_index(drop=True)
    possible = (facts["EC"] >= 0) & (facts["person"] < 1)
    # What copying cannot give stays as observed, without a spread.
    draws = np.repeat(facts["EC"].to_numpy()[:, None], SIMULATIONS, axis=1)
    for place in np.flatnonzero(possible):
        draws[place] = _simulated(facts.iloc[place], choice, variant, rng)
    draws = pd.DataFrame(draws).groupby([facts["data_set"], facts["condition"]], sort=False).mean()
    score = draws.groupby(level="data_set").mean().mean()
    low, high = np.quantile(score, TAILS)
    limits = {"EC": score.mean(), "low": low, "high": high}
    return {"system": system, "accuracy": choice, "copies": variant} | limits | {"skipped": int((~possible).sum())}


def _simulated(facts: pd.Series, choice: str, variant: str, rng: np.random.Generator) -> np.ndarray:
    low, high = accuracy_range(facts["EC"], facts["person"])
    accuracy = {"middle": (low + high) / 2, "lowest": low, "own": np.clip(facts["own"], low, high)}[choice]
    # A hair inside the bounds, so that rounding does not leave them.
    p_copy = copy_probability(facts["EC"] * (1 - 1e-9), facts["person"], accuracy) * (1 - 1e-9)
    n, sets = int(facts["n_trials"]), {"n_sets": SIMULATIONS, "variant": variant, "rng": rng}
    tables = simulate_copies(n, p_copy, facts["person"], accuracy, **sets).reshape(-1, 4).T
    # Nobody right, or nobody wrong, in a simulated experiment: no error consistency, and 0 in the paper's view.
    return np.nan_to_num(kappa(*tables.astype(float)))


# ---- Figures 3 and 6: how wide, for which accuracies -----------------------------------------------------------------


@frozen(inputs=[])
def widths() -> pd.DataFrame:
    """Return how wide 95 % of error consistency spreads over experiments, or a bootstrap interval is (Figure 3).

    Both systems have one accuracy and a true error consistency of .5.

    Returns
    -------
    pandas.DataFrame
        ``accuracy``, ``n_trials``, ``how`` (``bootstrap``: mean width of percentile intervals of 200 experiments with
        1,000 resamples each; ``fixed-count`` and ``per-trial``: spread of 10,000 experiments of the copy model by how
        the copied trials are chosen), ``low`` and ``high`` (means, for the bootstrap), ``width``, ``EC`` (mean over
        bootstraps, or experiments).
    """
    return _widths(0)


def _widths(rng: int) -> pd.DataFrame:
    rng = np.random.default_rng(rng)
    return pd.DataFrame([row for accuracy in ACCURACIES for n in TRIALS for row in _widths_at(accuracy, n, rng)])


def _widths_at(accuracy: float, n: int, rng: np.random.Generator) -> list[dict]:
    tables = simulate_copies(n, 0.5, accuracy, accuracy, n_sets=200, rng=rng).reshape(200, 4)
    drawn = kappa(*np.moveaxis(rng.multinomial(n, tables[:, None] / n, size=(200, 1000)), 2, 0).astype(float))
    # An experiment without an error has no bootstrap interval.
    drawn = drawn[~np.isnan(drawn).all(axis=1)]
    low, high = np.nanquantile(drawn, TAILS, axis=1).mean(axis=1)
    start = {"accuracy": accuracy, "n_trials": n}
    rows = [start | {"how": "bootstrap", "low": low, "high": high, "width": high - low, "EC": np.nanmean(drawn)}]
    return rows + [start | _spread(n, 0.5, accuracy, variant, rng) for variant in ("fixed-count", "per-trial")]


def _experiments(n: int, ec: float, accuracy: float, variant: str, n_sets: int, rng: np.random.Generator) -> np.ndarray:
    # Equal accuracies make the copy probability the error consistency.
    tables = simulate_copies(n, ec, accuracy, accuracy, n_sets=n_sets, variant=variant, rng=rng)
    return kappa(*tables.reshape(-1, 4).T.astype(float))


def _spread(n: int, ec: float, accuracy: float, variant: str, rng: np.random.Generator) -> dict:
    values = _experiments(n, ec, accuracy, variant, N_RESAMPLES, rng)
    low, high = np.nanquantile(values, TAILS)
    return {"how": variant, "low": low, "high": high, "width": high - low, "EC": np.nanmean(values)}


@frozen(inputs=[])
def deltas() -> pd.DataFrame:
    """Return how far measured error consistency lies from the true one, by the true one (Figure 6).

    Returns
    -------
    pandas.DataFrame
        ``how`` (``fixed-count`` or ``per-trial`` copies), ``accuracy`` (of both systems, as text; ``pooled`` puts all
        nine from .1 to .9 in one heap), ``EC`` (true), ``low``, ``high`` (of measured less true, 95 %), ``width``;
        40,000 experiments of 400 trials each.
    """
    return _deltas(0)


def _deltas(rng: int) -> pd.DataFrame:
    rng = np.random.default_rng(rng)
    return pd.DataFrame(
        [row for variant in ("fixed-count", "per-trial") for ec in TRUE_EC for row in _deltas_at(variant, ec, rng)]
    )


def _deltas_at(variant: str, ec: float, rng: np.random.Generator) -> list[dict]:
    heap = (TRIALS_OF_FIGURE_6, ec)
    heaps = {str(accuracy): _experiments(*heap, accuracy, variant, 40_000, rng) for accuracy in ACCURACIES}
    tenths = [_experiments(*heap, tenth / 10, variant, N_RESAMPLES, rng) for tenth in range(1, 10)]
    heaps["pooled"] = np.concatenate(tenths)
    rows = []
    for accuracy, values in heaps.items():
        low, high = np.nanquantile(values - ec, TAILS)
        rows.append({"how": variant, "accuracy": accuracy, "EC": ec, "low": low, "high": high, "width": high - low})
    return rows


def standard_error(ec: float | np.ndarray, accuracy: float) -> float | np.ndarray:
    r"""Return the standard error of error consistency of two equally accurate systems, for many trials.

    .. math:: \sqrt{N}\, se = \sqrt{(1 - k) \left[(1 - k)(1 - 2k) + \frac{k(2 - k)}{2 p (1 - p)}\right]}

    It is largest at k = 0 when p is one half, and at :math:`1 - 1 / \sqrt 3 = .42` when p nears 0 or 1.

    Parameters
    ----------
    ec : float or numpy.ndarray
        k, the true error consistency, from 0 to 1.
    accuracy : float
        p, of both, between 0 and 1.

    Returns
    -------
    float or numpy.ndarray
        Times the root of the number of trials; divide by that root.

    References
    ----------
    Fleiss, Cohen & Everitt (1969), for any two systems, https://doi.org/10.1037/h0028106; here equal accuracies are
    put in.

    Examples
    --------
    >>> float(standard_error(0.0, 0.5)), round(float(standard_error(0.5, 0.95)) * 3.92 / 20, 2)
    (1.0, 0.39)
    """
    spread = (1 - ec) * (1 - 2 * ec) + ec * (2 - ec) / (2 * accuracy * (1 - accuracy))
    return np.sqrt((1 - ec) * spread)


def widest_at(accuracy: float) -> float:
    """Return the true error consistency at which measurements spread most, for two equally accurate systems.

    Parameters
    ----------
    accuracy : float
        Of both, between 0 and 1.

    Returns
    -------
    float
        From 0 to .42, to a thousandth.

    Examples
    --------
    >>> widest_at(0.5), widest_at(0.95)
    (0.0, 0.396)
    """
    grid = np.linspace(0, 1, 1001)
    return float(grid[np.argmax(standard_error(grid, accuracy))])


# ---- a leaderboard's faults, and seeds -------------------------------------------------------------------------------


@frozen(inputs=ANSWERS)
def leaderboard() -> pd.DataFrame:
    """Return what the absolute value, and the standard deviation over conditions, would do to scores.

    Returns
    -------
    pandas.DataFrame
        ``system`` (sound models), ``EC`` (mean over data sets of means over conditions, as in :func:`ranking`),
        ``absolute`` (the same mean of the absolute values), ``below_0`` (conditions in which the mean over people is),
        ``sd`` (over conditions), ``half_width`` (of our 95 % interval of ``EC``).
    """
    by_condition = pd.concat({name: _means_over_people(name) for name in DATA_SETS}, names=["data_set"])
    ours = ranking().query("models == 'sound'").set_index("system")
    table = pd.DataFrame(
        {
            "EC": _over_sets(by_condition),
            "absolute": _over_sets(by_condition.abs()),
            "below_0": (by_condition < 0).sum(),
            "sd": by_condition.std(),
            "half_width": (ours["high"] - ours["low"]).reindex(by_condition.columns) / 2,
        }
    )
    return table.rename_axis("system").reset_index()


def _over_sets(by_condition: pd.DataFrame) -> pd.Series:
    return by_condition.groupby(level="data_set").mean().mean()


def _means_over_people(data_set: str) -> pd.DataFrame:
    facts = pd.concat([_facts(data_set, condition, right) for condition, right in _used(data_set)])
    return facts.drop_duplicates(["condition", "system"]).pivot(index="condition", columns="system", values="EC")


@frozen(inputs=ANSWERS, slow=True)
def seeds() -> pd.DataFrame:
    """Return what another seed changes, figure by figure.

    Returns
    -------
    pandas.DataFrame
        ``item``, ``quantity``, ``seed_0``, ``seed_1``, ``largest`` (difference of any single value in the item).
    """
    sound = tuple(_sound())
    rows = [
        _two_seeds("Figure 4", "mean width", lambda seed: _limits(_consistency(sound, DATA_SETS, seed))),
        _two_seeds("Figure 8", "mean width", lambda seed: _limits(_consistency(sound, ("phase-scrambling",), seed))),
        _two_seeds("Figure 4", "mean tau", lambda seed: _mean_tau(_consistency(sound, DATA_SETS, seed))),
        _two_seeds("Figure 4", "pairs resolved after correction", _resolved),
        _two_seeds("Figure 3", "mean width", lambda seed: _widths(seed)["width"].to_numpy()),
        _two_seeds("Figure 5", "mean width", lambda seed: _copy_widths("middle", seed)),
        _two_seeds("Figure 7", "mean width", lambda seed: _copy_widths("lowest", seed)),
        _two_seeds("Figure 6", "mean width", lambda seed: _deltas(seed)["width"].to_numpy()),
        _two_seeds("Figure 10", "mean p", _clip_with_seed),
    ]
    return pd.DataFrame(rows, columns=["item", "quantity", "seed_0", "seed_1", "largest"])


def _two_seeds(item: str, quantity: str, compute: Callable[[int], np.ndarray]) -> tuple:
    first, second = np.asarray(compute(0), dtype=float), np.asarray(compute(1), dtype=float)
    return item, quantity, np.nanmean(first), np.nanmean(second), np.nanmax(np.abs(first - second))


def _limits(found: ConsistencyWithPeople) -> np.ndarray:
    table = scores(found).sort_values("system")
    return (table["percentile_high"] - table["percentile_low"]).to_numpy()


def _copy_widths(choice: str, seed: int) -> np.ndarray:
    found = _copied_all(choice, "fixed-count", np.random.default_rng(seed))
    return (found["high"] - found["low"]).to_numpy()


def _mean_tau(found: ConsistencyWithPeople) -> float:
    return float(_taus(_agreement(found)[1]).mean())


def _resolved(seed: int) -> int:
    return int((_differences(_consistency(tuple(_sound()), DATA_SETS, seed))["p_holm"] <= ALPHA).sum())


def _clip_with_seed(seed: int) -> np.ndarray:
    found = [
        _p_values(right["clip"], right[person], rng=seed)["p_simulated"]
        for name in DATA_SETS
        for _, right in _used(name)
        for person in right.filter(like="subject-")
    ]
    return np.array(found)


# ---- the printed numbers ---------------------------------------------------------------------------------------------


def table(item: str) -> pd.DataFrame:
    """Return our numbers for one printed item, in the rows and columns as printed.

    Parameters
    ----------
    item : str
        ``"text"``: all numbers that the paper prints outside its figures.

    Returns
    -------
    pandas.DataFrame
        For :func:`erralign.reproduction.published.compare`.

    Raises
    ------
    ValueError
        Another item: the paper's tables print symbols and names.

    Examples
    --------
    >>> table("text").loc["corruptions", "number"].item()
    17.0
    """
    if item != "text":
        raise ValueError(f"item is {item!r}; expected 'text': no other item of this paper prints numbers")
    every = conditions()
    people = every.groupby("data_set")["people"].first()
    facts = [
        ("corruptions", "number", len(DATA_SETS)),
        ("classes", "number", N_CLASSES),
        ("images in a condition", "fewest", every["n_trials"].min()),
        ("images in a condition", "most", every["n_trials"].max()),
        ("people in a corruption", "fewest", people.min()),
        ("people in a corruption", "most", people.max()),
        ("two models at the mean tau", "chance of being concordant in %", 100 * (1 + 0.88) / 2),
        ("true EC with the largest intervals", "EC", max(widest_at(tenth / 1000) for tenth in range(1, 501))),
    ]
    return pd.DataFrame(facts, columns=["row", "column", "value"]).pivot(index="row", columns="column", values="value")
