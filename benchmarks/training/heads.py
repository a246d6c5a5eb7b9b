"""Features, losses with their aims and controls, and the answers of trained heads."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
import pandas as pd

from benchmarks.training.arms import BASE, PATH, Arm, answers_of_heads, one_thread, pooled
from erralign.datasets import geirhos2020 as source
from erralign.datasets.stimuli import TEXTURE_VS_SHAPE
from erralign.models import features as computed_features
from erralign.models import load
from erralign.models.networks import PACKAGES
from erralign.responses import Responses
from erralign_book.cells import frozen
from erralign_book.simulations.labs import PICTURES, features_of
from erralign_book.studies.training.scores import (
    Folds,
    at,
    minus_at_equal_accuracy,
    shares_of,
    shuffled,
    shuffled_within,
)
from erralign_book.studies.training.study import Study, truth_and_people

LITE0, LITE2 = "tf_efficientnet_lite0", "tf_efficientnet_lite2"
TRANSFER = ("edges", "silhouettes")
ANSWERS = [source.ERROR_CONSISTENCY]


@frozen(
    "training/features.npz",
    inputs=[TEXTURE_VS_SHAPE],
    needs=["torch", "timm", *PACKAGES.values()],
    slow=True,
    rtol=1e-2,  # of numbers that are kept to a thousandth
    settings=PICTURES,
    spot=PICTURES[1:3],
)
def features(setting: tuple[str, str]) -> dict[str, np.ndarray]:
    """Return the penultimate features of pictures that are shown whole, as people saw them."""
    model = load(setting[0], preprocessing="whole", device="cpu")
    rows = computed_features(model, f"geirhos2020/{setting[1]}").to_numpy()
    of = np.full(len(rows), PICTURES.index(setting), dtype=np.int8)
    return {"setting": of, "features": rows.astype(np.float16)}


# --- what is trained, and what each is for: written before any result with the reported seeds was seen ----------------

SEEDS, OTHER_SEEDS, SEEDS_OF_STRENGTHS, SEEDS_OF_CHECKS = range(20), range(20, 30), range(1000, 1005), range(3)
STRENGTHS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
MOST_COST = 0.05  # of accuracy
LOSSES = {
    "cross-entropy": "cross-entropy",
    "people's shares": "people's shares",
    "category's shares": "category's shares",
    "CLES loss": "CLES",
    "MA loss": "MA",
    "EC loss": "EC",
    "wrong answers": "wrong answers",
}


class Aim(NamedTuple):
    """What a loss is meant to raise, and the control that lacks what it is meant to use."""

    target: str
    control: str


AIMS = {
    "people's shares": Aim("EC", "shuffled"),
    "category's shares": Aim("CLES", "relabelled"),
    "CLES loss": Aim("CLES", "relabelled"),
    "MA loss": Aim("MA", "relabelled"),
    "EC loss": Aim("EC", "shuffled"),
    "wrong answers": Aim("MA", "relabelled"),
}
WITH_STRENGTH = ("CLES loss", "MA loss", "EC loss", "wrong answers")


def relabelled(answers: np.ndarray, truth: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Call each wrong class otherwise, within a category always in the same way."""
    n = truth.max() + 1
    names = np.tile(np.arange(n), (n, 1))
    for category in range(n):
        wrong = rng.permutation(np.delete(np.arange(n), category))
        names[category, wrong] = np.roll(wrong, 1)
    return np.where(answers < 0, -1, names[truth, answers])


def random_errors(answers: np.ndarray, truth: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Let each person err as often in each category as before, on any picture and with any wrong class."""
    right = np.stack([(each == truth)[shuffled_within(truth, rng)] for each in answers])
    n = truth.max() + 1
    return np.where(right, truth, (truth + rng.integers(1, n, size=answers.shape)) % n)


def controls() -> dict[str, Callable[..., np.ndarray]]:
    """Return what takes away from people's answers what a loss is meant to use."""
    return {"shuffled": shuffled, "relabelled": relabelled, "random errors": random_errors}


def arms_of(kind: str) -> dict[str, Arm]:
    """Return what is trained: cross-entropy with several decays first, then each loss, then controls."""
    arms = {f"cross-entropy, decay {arm.decay:g}": arm for arm in PATH}
    chosen = chosen_strengths()
    main = {name: Arm(loss, chosen.get(name, 0.0)) for name, loss in LOSSES.items() if name in AIMS}
    arms |= main
    if kind == "grouped":
        controlled = [name for name in main if name != "category's shares"]
        for name in controlled:
            arms |= {f"{name}, {what}": main[name]._replace(change=change) for what, change in controls().items()}
        arms["category's shares, relabelled"] = main["category's shares"]._replace(change=relabelled)
        arms |= {f"{name}, λ = {STRENGTHS[-1]:g}": Arm(LOSSES[name], STRENGTHS[-1]) for name in WITH_STRENGTH}
    return arms


class Material(NamedTuple):
    """Pictures of cue conflict with people's answers, in one order."""

    responses: Responses
    truth: np.ndarray
    people: np.ndarray
    exemplars: pd.DataFrame

    @property
    def n_classes(self) -> int:
        """The number of categories."""
        return len(self.responses.classes)


@cache
def material() -> Material:
    """Return pictures, people and the photographs of which pictures are made."""
    responses = source.read("cue-conflict")
    return Material(responses, *truth_and_people(responses), source.exemplars(responses.truth.index))


def study_of(seeds: range, *, grouped: bool = True) -> Study:
    """Return the harness: pictures that share no photograph, half of the people teach."""
    found = material()
    return Study(found.responses, found.exemplars, rounds=len(seeds), rng=seeds.start, leak=not grouped)


def trained(
    arms: list[Arm], seed: int, X: np.ndarray, *, grouped: bool = True, hidden: int = 0
) -> tuple[np.ndarray, Folds]:
    """Return what all heads of a seed answer, and who was asked about which picture."""
    study = study_of(range(seed, seed + 1), grouped=grouped)
    truth, cut, own = study.truth, study.cuts[0], study.people[study.teaches[0]]
    shares = [
        shares_of(own if arm.change is None else arm.change(own, truth, np.random.default_rng([seed, 2])), 16)
        for arm in arms
    ]
    with one_thread():
        return answers_of_heads(X, truth, shares, cut.train, arms, hidden=hidden), cut


def _features_in_order(network: str) -> np.ndarray:
    return features_of(network, "cue-conflict").loc[material().responses.truth.index].to_numpy()


# --- how strong each loss is: on seeds of its own ---------------------------------------------------------------------


TRIED = tuple((name, strength) for name in WITH_STRENGTH for strength in STRENGTHS)


@frozen(
    "training/tried.npz",
    inputs=[*ANSWERS, "training/features.npz"],
    needs=["torch"],
    slow=True,
    rtol=0.02,  # the share of answers that may fall otherwise on another machine
    settings=tuple(SEEDS_OF_STRENGTHS),
    spot=tuple(SEEDS_OF_STRENGTHS)[:2],
)
def tried(seed: int) -> dict[str, np.ndarray]:
    """Return what heads answer to pictures not trained on, for each strength of each loss."""
    arms = [*PATH, *(Arm(LOSSES[name], strength) for name, strength in TRIED)]
    found, cut = trained(arms, seed, _features_in_order(LITE0))
    return {"seed": np.full(len(arms), seed, dtype=np.int16), "new": pooled(found, cut.test)}


@frozen("training/strengths", inputs=[*ANSWERS, "training/tried.npz"])
def strengths() -> pd.DataFrame:
    """Return what each strength of a loss does to its target, and the gain at equal accuracy."""
    study = study_of(SEEDS_OF_STRENGTHS)
    heads = study.scores(tried()["new"].reshape(len(study.seeds), -1, len(study.truth))).values
    rows = []
    for place, (name, strength) in enumerate(TRIED, start=len(PATH)):
        target = AIMS[name].target
        gain = minus_at_equal_accuracy(place, slice(len(PATH)), target)(heads)
        cost = heads[BASE, 0] - heads[place, 0]
        rows.append((name, strength, heads[place, 0], cost, target, at(place, target)(heads), gain))
    return pd.DataFrame(rows, columns=["loss", "strength", "accuracy", "cost", "measure", "value", "gain"])


@cache
def chosen_strengths() -> dict[str, float]:
    """Return for each loss the strength with the largest gain among those that cost little accuracy."""
    # Without that limit, losses win by ruining the head: at the same accuracy decay ruins it even more.
    little = strengths().query("cost <= @MOST_COST")
    best = little.loc[little.groupby("loss")["gain"].idxmax()]
    return dict(zip(best["loss"], best["strength"], strict=True))


# --- answers of all heads ---------------------------------------------------------------------------------------------

KINDS = {
    "grouped": SEEDS,
    "random": SEEDS[:10],
    "other seeds": OTHER_SEEDS,
    "hidden layer": SEEDS_OF_CHECKS,
    "Lite2": SEEDS_OF_CHECKS,
}
HIDDEN = 32
SETTINGS = tuple((kind, seed) for kind, seeds in KINDS.items() for seed in seeds)


@frozen(
    "training/answers.npz",
    inputs=[*ANSWERS, "training/features.npz", "training/tried.npz"],
    needs=["torch"],
    slow=True,
    rtol=0.02,  # the share of answers that may fall otherwise on another machine
    settings=SETTINGS,
    spot=[("random", 9), ("other seeds", 29)],
)
def answers(setting: tuple[str, int]) -> dict[str, np.ndarray]:
    """Return the answers of heads: to pictures not trained on, to pictures trained on, to edges and silhouettes."""
    kind, seed = setting
    arms = list(arms_of(kind).values())
    X = _features_in_order(LITE2 if kind == "Lite2" else LITE0)
    if kind == "grouped":
        X = np.vstack([X, *(features_of(LITE0, name).loc[source.read(name).truth.index] for name in TRANSFER)])
    hidden = HIDDEN if kind == "hidden layer" else 0
    found, cut = trained(arms, seed, X, grouped=kind != "random", hidden=hidden)
    n = len(material().truth)
    new, seen = pooled(found, cut.test), np.full((len(arms), n), -1, dtype=np.int8)
    other = np.full((len(arms), sum(source.DATA_SETS[name] for name in TRANSFER)), -1, dtype=np.int8)
    if kind == "grouped":
        seen, other = pooled(found, cut.seen), pooled(found[:, :, n:], _heads_for_transfer(cut))
    of = np.full(len(arms), SETTINGS.index(setting), dtype=np.int16)
    return {"setting": of, "new": new, "seen": seen, "transfer": other}


def _heads_for_transfer(cut: Folds) -> np.ndarray:
    """Return for each edge drawing and silhouette a head that has not met the photograph of which it is made."""
    first = material().exemplars["shape"].reset_index(drop=True).drop_duplicates()
    heads = pd.Series(cut.test[first.index], index=first.to_numpy())
    names = [source.read(data_set).truth.index.str.removesuffix(".png") for data_set in TRANSFER]
    return heads.loc[np.concatenate(names)].to_numpy()
