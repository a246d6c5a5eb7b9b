"""Photographs in colour, and networks and people under parametric distortions."""

import numpy as np
import pandas as pd

from erralign.behaviour import error_consistency_from_counts
from erralign.datasets.geirhos2020 import ERROR_CONSISTENCY
from erralign.datasets.trials import CATEGORIES, class_ids, read_file
from erralign.inference import pairwise_intervals
from erralign.responses import Responses
from erralign_book.papers.frozen import frozen
from erralign_book.papers.geirhos2020.pair_means import ANSWERS

# The two people who saw the same photographs in colour (condition cr).
TWO_PEOPLE = ("subject-02", "subject-03")


@frozen(inputs=ANSWERS)
def two_people_in_colour() -> pd.DataFrame:
    """Return the error consistency of two people on photographs in colour (the fourth panel of Figure 3)."""
    trials = {person: _in_colour(person) for person in TWO_PEOPLE}
    truth = trials[TWO_PEOPLE[0]]["truth"]
    answers = pd.DataFrame({person: table["answer"].loc[truth.index] for person, table in trials.items()})
    two = Responses.from_table(truth, answers, classes=CATEGORIES, kind="human", name="geirhos2020/colour")
    return pairwise_intervals(two, "EC")


def _in_colour(person: str) -> pd.DataFrame:
    folder = "raw-data/noise-generalisation_colour/noise-generalisation_colour"
    trials = read_file(ERROR_CONSISTENCY, f"{folder}_{person}_session_1.csv", parts=2).query("condition == 'cr'")
    ids = {"truth": class_ids(trials["category"]), "answer": class_ids(trials["object_response"])}
    return pd.DataFrame(ids).set_index(pd.Index(trials["image"]))


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
    experiments = {name: distorted(name) for name in DISTORTIONS}
    eidolon = experiments.pop("eidolon")
    # reach-coherence-grain: three experiments, by coherence.
    parts = eidolon["condition"].str.split("-")
    for name, coherence in {"eidolon I": "10", "eidolon II": "3", "eidolon III": "0"}.items():
        experiments[name] = eidolon.assign(condition=parts.str[0])[parts.str[1] == coherence]
    return pd.concat([_distortion(*each) for each in experiments.items()], ignore_index=True)


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
