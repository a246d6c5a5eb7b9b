"""Photographs in colour and in grey."""

from functools import cache
from itertools import product

import numpy as np
import pandas as pd

from erralign.behaviour import error_consistency_from_counts
from erralign.measures import short_name
from erralign.measures.matrix import limits_of_difference
from erralign.resampling import accuracy_intervals, consistency_with_people, pairwise_intervals
from erralign.responses import Responses
from erralign.sources import model_vs_human
from erralign.sources.geirhos2020 import ERROR_CONSISTENCY
from erralign.sources.trials import CATEGORIES, class_ids, read_file
from erralign_book.papers.frozen import frozen
from erralign_book.papers.geirhos2020.pair_means import ANSWERS

COLOUR_ANSWERS = [ERROR_CONSISTENCY, *model_vs_human.KEYS]
# People to whom photographs were shown in colour (condition cr) or in grey (bw).
PEOPLE = ("subject-01", "subject-02", "subject-03")
# Whose photographs these are: two people saw the ones, a third person and the benchmark's people the others.
TWO_PEOPLE, FIVE_PEOPLE = "of two people", "of model-vs-human"
COLOURS = {"colour": "cr", "grey": "bw"}
# Of the benchmark's networks the one that is in this study, too.
SHARED_NETWORK = "resnet50 (Thieringer)"


def colour_file(person: str) -> str:
    """Name the file of one person's trials with photographs in colour and in grey."""
    return f"raw-data/noise-generalisation_colour/noise-generalisation_colour_{person}_session_1.csv"


def in_colour_and_grey(person: str) -> pd.DataFrame:
    """Read one person's trials with photographs in colour and in grey: the second and the third saw the same ones."""
    trials = read_file(ERROR_CONSISTENCY, colour_file(person), parts=2)
    trials["image"] = trials["image"].str.replace(".JPEG", ".png", regex=False)
    ids = pd.DataFrame({"truth": class_ids(trials["category"]), "answer": class_ids(trials["object_response"])})
    return ids.set_index(pd.MultiIndex.from_frame(trials[["condition", "image"]]))


@cache
def _in_colour_and_grey(pictures: str) -> Responses:
    first, *others = PEOPLE
    if pictures == TWO_PEOPLE:
        trials = {person: in_colour_and_grey(person) for person in others}
        truth = trials[others[0]]["truth"]
        answers = pd.DataFrame({person: table["answer"].loc[truth.index] for person, table in trials.items()})
        return _named("geirhos2020/colour", truth, answers)
    benchmark = model_vs_human.read("colour")
    people = benchmark.systems.index[benchmark.systems["kind"] == "human"]
    names = {person: f"{person}, benchmark" for person in people} | {SHARED_NETWORK: "resnet50"}
    answers = benchmark.answers[list(names)].rename(columns=names)
    answers.insert(0, first, in_colour_and_grey(first)["answer"].loc[benchmark.truth.index])
    return _named(benchmark.name, benchmark.truth, answers)


def _named(name: str, truth: pd.Series, answers: pd.DataFrame) -> Responses:
    kind = {system: "human" if system.startswith("subject") else "model" for system in map(str, answers)}
    return Responses.from_table(truth, answers, classes=CATEGORIES, kind=kind, name=name)


def _half(responses: Responses, colour: str) -> Responses:
    kept = responses.truth.index.get_level_values("condition") == COLOURS[colour]
    return responses.select(trials=kept)


@frozen(inputs=COLOUR_ANSWERS, settings=tuple(product((TWO_PEOPLE, FIVE_PEOPLE), COLOURS)), by="pictures colour")
def colour_pairs(shown: tuple[str, str]) -> pd.DataFrame:
    """Return error consistency on photographs in colour and in grey, wherever two systems saw the same ones."""
    pictures, colour = shown
    half = _half(_in_colour_and_grey(pictures), colour)
    pairs = pairwise_intervals(half, ["error_consistency"]).drop(columns="error_consistency_n_undefined")
    pairs.insert(0, "n_trials", len(half.truth))
    return pairs.rename(columns=short_name)


@frozen(inputs=COLOUR_ANSWERS, settings=(TWO_PEOPLE, FIVE_PEOPLE), by="pictures")
def colour_contrasts(pictures: str) -> pd.DataFrame:
    """Return what colour changes: accuracies and error consistencies in colour, in grey, and their difference."""
    colour, grey = (_colour_values(pictures, name) for name in COLOURS)
    table = pd.DataFrame({"fewest": np.minimum(colour.pop("fewest"), grey.pop("fewest"))})
    table = table.join([colour.add_prefix("colour"), grey.add_prefix("grey")])
    table = table.join(_difference(colour, grey).add_prefix("difference"))
    table["fewest"] = table.pop("fewest")
    return table.reset_index()


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
        means = consistency_with_people([half]).table[["error_consistency", "low", "high", "fewest_joint_errors"]]
        means = means.rename(index={"resnet50": "resnet50 with five people", "people": "five people"})
    means = means.set_axis(shares.columns, axis=1)
    return pd.concat({"accuracy": shares, "EC": means}, names=["measure", "of"])


# ---- networks and people under parametric distortions -------------------------------------------------------------


# Experiment with distorted photographs: its folder, the prefix of people's files, the people, sessions of people and of
# networks.
DISTORTIONS = {
    "uniform noise": ("uniform-noise", "noise-experiment", (1, 2, 3, 5, 6), 1, 7),
    "contrast": ("contrast-png", "contrast-png-experiment", (1, 5, 6), 1, 7),
    "low-pass": ("low-pass", "lowpass-experiment", (1, 2, 3, 4, 5, 6), 1, 6),
    "high-pass": ("high-pass", "highpass-experiment", (1, 2, 3, 4, 5, 6), 1, 6),
    "phase scrambling": ("phase-scrambling", "phase-scrambling-experiment", (1, 2, 3, 4, 5, 6), 1, 6),
    "eidolon": ("eidolon", "eidolon-experiment", (3, 5, 6, 7, 8), 3, 2),
}
NETWORKS = ("cornet-s", "resnet50")


@frozen(inputs=ANSWERS)
def distortions() -> pd.DataFrame:
    """Return accuracies under parametric distortions, and the consistency of CORnet-S with ResNet-50 (appendix)."""
    tables = [_distortion(name, trials) for name, trials in _distorted().items()]
    return pd.concat(tables, ignore_index=True)


@frozen(inputs=ANSWERS, settings=tuple(DISTORTIONS), by="experiment")
def shared_trials(experiment: str) -> pd.DataFrame:
    """Return how far the observers of distorted photographs saw the same picture under the same distortion."""
    trials = distorted(experiment)
    seen = {str(name): set(zip(part["condition"], part["image"], strict=True)) for name, part in trials.groupby("subj")}
    of_networks = seen[NETWORKS[0]]
    people = [pictures for name, pictures in seen.items() if name.startswith("subject")]
    return pd.DataFrame({"with_networks": [max(len(one & of_networks) / len(one) for one in people)]})


def distorted(experiment: str) -> pd.DataFrame:
    """Read the trials of one experiment with distorted photographs.

    People saw almost only other pictures than networks did, and than each other (but for two of them under phase
    scrambling); the two networks saw the same.
    """
    name, prefix, people, of_people, of_networks = DISTORTIONS[experiment]
    folder = f"raw-data/noise-generalisation_{name}/"
    starts = {f"{folder}{prefix}_subject-{person:02d}_session_": of_people for person in people}
    starts |= {f"{folder}noise-generalisation_{name}_{network}_session-": of_networks for network in NETWORKS}
    files = [f"{start}{session + 1}.csv" for start, sessions in starts.items() for session in range(sessions)]
    return pd.concat([read_file(ERROR_CONSISTENCY, file, parts=2) for file in files], ignore_index=True)


def _distorted() -> dict[str, pd.DataFrame]:
    experiments = {name: distorted(name) for name in DISTORTIONS}
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
    table = pd.DataFrame(columns).join(accuracy[list(NETWORKS)])
    networks = trials[trials["subj"].isin(NETWORKS)]
    by_picture = networks.pivot(index=["condition", "image"], columns="subj", values="right")
    table = table.join(by_picture.groupby(level="condition").apply(_network_pair)).reset_index()
    strength = table["condition"].str.lstrip("c").astype(float)
    falling = experiment in ("contrast", "high-pass")
    table["strength"] = strength.rank(ascending=not falling).astype(int)
    table = table.assign(experiment=experiment).sort_values("strength")
    order = ["experiment", "condition", "strength", *columns, *NETWORKS, "n_trials", "EC"]
    return table.astype({"n_trials": int})[order]


def _network_pair(right: pd.DataFrame) -> pd.Series:
    a, b = (right[network].to_numpy(dtype=bool) for network in NETWORKS)
    counts = [[np.sum(~a & ~b), np.sum(~a & b)], [np.sum(a & ~b), np.sum(a & b)]]
    return pd.Series({"n_trials": len(a), "EC": error_consistency_from_counts(counts)})
