"""Maps fitted to what people find alike: what do they do to choices of the odd one out, and to errors on pictures?"""

from functools import cache

import numpy as np
import pandas as pd
from scipy.optimize import minimize

from benchmarks.labs.features_of_things import (
    INPUTS,
    NEEDS,
    correlation_of_48,
    features_of,
    triplets_for,
    with_limits,
)
from benchmarks.training.arms import BASE, PATH
from benchmarks.training.heads import ANSWERS, LITE0, study_of
from erralign._validation import check_choice
from erralign.inference.triplets import odd_one_out_interval
from erralign.similarity import cka
from erralign.training import linear_head
from erralign.triplets import odd_one_out, probe
from erralign.triplets.choices import folds_of
from erralign_book.cells import frozen
from erralign_book.datasets import things
from erralign_book.simulations.labs import features_of as features_of_pictures
from erralign_book.simulations.labs import through

SYSTEM = "EfficientNet-Lite0 penultimate"
RAW, RANDOM = "no map", "random map"
PROBES = {f"probe, λ = {penalty:g}": penalty for penalty in (0.3, 0.1, 0.01, 0.001)}
SHUFFLED = "probe of shuffled choices"
MAPS = (RAW, RANDOM, *PROBES, SHUFFLED, "Procrustes", "regression", "RSA", "CKA")
SEEDS = range(5)
WIDTH = 256  # main directions of the features, in which maps are fitted


@cache
def _problem() -> dict[str, np.ndarray]:
    """Return features of things in their main directions, and which things a map may see.

    A third of the things, and those 48 of which all triplets are known, are left out.
    """
    features = features_of(SYSTEM)
    objects = np.flatnonzero(~np.isnan(features[:, 0]))
    X, judged = features[objects], np.isin(objects, things.forty_eight()[0])
    learned = (folds_of(len(X), 3, 0) != 0) & ~judged
    mean = X[learned].mean(axis=0)
    basis = np.linalg.svd(X[learned] - mean, full_matrices=False)[2][:WIDTH].T
    rows = (X - mean) @ basis
    scale = np.sqrt((rows[learned] ** 2).sum(axis=1).mean() / WIDTH)
    triplets = np.searchsorted(objects, triplets_for(SYSTEM))
    return {
        "objects": objects,
        "rows": rows / scale,
        "learned": learned,
        "mean": mean,
        "basis": basis / scale,
        "triplets": triplets,
        "SPoSE": things.embedding("SPoSE")[objects],
    }


@cache
def _map(name: str) -> np.ndarray:
    """Fit one map to the things that it may see: from main directions to numbers of its own."""
    given = _problem()
    rows, learned, target = (given[part] for part in ("rows", "learned", "SPoSE"))
    if name == RAW:
        return np.eye(WIDTH)
    if name == RANDOM:
        return np.random.default_rng(0).normal(size=(WIDTH, RANK))
    if name in PROBES or name == SHUFFLED:
        triplets = given["triplets"][learned[given["triplets"]].all(axis=1)]
        if name == SHUFFLED:
            triplets = np.random.default_rng(1).permuted(triplets, axis=1)
        return probe(rows, triplets, PROBES.get(name, 0.001), rank=RANK)
    if name == "Procrustes":
        left, _, right = np.linalg.svd(rows[learned][:, : target.shape[1]].T @ target[learned])
        return np.eye(WIDTH, target.shape[1]) @ left @ right
    if name == "regression":
        return _ridge(rows[learned], target[learned])
    likes = target[learned] @ target[learned].T
    return likeness_map(rows[learned], likes, name)


def _ridge(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """Regress on the dimensions of SPoSE, with the penalty of the least error on rows left out one by one."""
    left, sizes, right = np.linalg.svd(X, full_matrices=False)
    best, least = right.T, np.inf
    for penalty in 10.0 ** np.arange(-1, 5):
        shrunk = sizes**2 / (sizes**2 + penalty)
        leverage = (left**2 * shrunk).sum(axis=1)
        residuals = (Y - (left * shrunk) @ (left.T @ Y)) / (1 - leverage)[:, None]
        if (residuals**2).mean() < least:
            best, least = right.T @ ((shrunk / sizes)[:, None] * (left.T @ Y)), (residuals**2).mean()
    return best


@frozen(
    "labs/likeness",
    inputs=(*INPUTS, things.PERTURBATIONS),
    needs=NEEDS,
    slow=True,
    rtol=2e-2,
    settings=MAPS,
    spot=MAPS[:2],
    by=["map"],
)
def likeness(name: str) -> pd.DataFrame:
    """Return how people's choices and similarities of things that no map has seen come out before and after it."""
    given = _problem()
    Z, unseen = given["rows"] @ _map(name), ~given["learned"]
    tested = given["triplets"][unseen[given["triplets"]].all(axis=1)]
    seen = given["triplets"][given["learned"][given["triplets"]].all(axis=1)]
    similarity = "dot" if name in PROBES or name == SHUFFLED else "cosine"
    right = odd_one_out(Z, tested, similarity=similarity) == 2
    row = {"tested": len(tested)} | with_limits(odd_one_out_interval(right, tested), "accuracy")
    row["accuracy_seen"] = (odd_one_out(Z, seen, similarity=similarity) == 2).mean()
    row |= correlation_of_48(Z, given["objects"])
    return pd.DataFrame([row | {"CKA": cka(Z[unseen], given["SPoSE"][unseen])}])


# Cross-entropy without a map, less and less accurate: what maps are compared with at their own accuracy.
DECAYS = (PATH[BASE].decay, *(arm.decay for arm in PATH if arm is not PATH[BASE]), 0.03)
PATHS = {RAW if not place else f"{RAW}, decay {decay:g}": decay for place, decay in enumerate(DECAYS)}
ARMS = (*PATHS, *MAPS[1:])


@frozen(
    "labs/answers.npz",
    inputs=(*INPUTS, things.PERTURBATIONS, *ANSWERS, "training/features.npz"),
    needs=NEEDS,
    slow=True,
    rtol=0.02,  # the share of answers that may fall otherwise on another machine
    settings=ARMS,
    spot=(RAW, RANDOM),
)
def answers(arm: str) -> dict[str, np.ndarray]:
    """Return what heads answer that see pictures through a map, as ``Study.judge`` takes it."""
    given, study = _problem(), study_of(SEEDS)
    X = features_of_pictures(LITE0, "cue-conflict").loc[study.index].to_numpy()
    recipe = through(None if arm in PATHS else _map(arm), linear_head(decay=PATHS.get(arm, PATHS[RAW])))
    found = study.train([(arm, recipe, False)], (X - given["mean"]) @ given["basis"])
    return {"arm": np.full(len(found), ARMS.index(arm), dtype=np.int8), "answers": found[:, 0]}


@frozen("labs/errors", inputs=[*ANSWERS, "labs/answers.npz"])
def errors() -> pd.DataFrame:
    """Return how alike people and heads err that see pictures through each map, and the gain over heads without."""
    found = answers()["answers"].reshape(len(ARMS), len(SEEDS), 2, -1).swapaxes(0, 1)
    findings = study_of(SEEDS).judge(ARMS, found, n_base=len(PATHS))
    new = "pictures == 'new' and people == 'new'"
    tables = findings.values.query(new).assign(over=""), findings.gains.query(new).drop(columns="p")
    return pd.concat(tables, ignore_index=True).drop(columns=["pictures", "people"])


# ---- linear maps that make features alike ----------------------------------------------------------------------------


LIKENESSES = ("RSA", "CKA")
RANK = 48


def likeness_map(X: np.ndarray, alike: np.ndarray, loss: str = "RSA", *, rank: int = RANK) -> np.ndarray:
    """Fit a map under which the products of rows go with how alike people find two things.

    RSA correlates the products of all pairs with ``alike``; CKA centres both matrices, and then takes their cosine. In
    either case what is compared is a projection of the matrix, so that one formula gives both slopes.
    """
    check_choice("loss", loss, LIKENESSES)
    wanted = _compared(alike, loss)
    wanted = wanted / np.linalg.norm(wanted)

    def value(numbers: np.ndarray) -> tuple[float, np.ndarray]:
        Z = X @ numbers.reshape(X.shape[1], rank)
        ours = _compared(Z @ Z.T, loss)
        length = np.linalg.norm(ours)
        alike = (ours * wanted).sum() / length
        slopes = (alike * ours / length - wanted) / length
        return -alike, (2 * X.T @ (slopes @ Z)).ravel()

    start = np.eye(X.shape[1], rank)
    return minimize(value, start.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 60}).x.reshape(start.shape)


def _compared(matrix: np.ndarray, loss: str) -> np.ndarray:
    if loss == "CKA":
        rows = matrix - matrix.mean(axis=0)
        return rows - rows.mean(axis=1, keepdims=True)
    off = 1 - np.eye(len(matrix))
    return (matrix - (matrix * off).sum() / off.sum()) * off
