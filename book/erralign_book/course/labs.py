"""Functions that students write in labs: inputs, the right output, and that of each usual mistake.

Unlike those of functions.py they are called with inputs that are always the same and again with fresh ones, of a seed
that each check draws, so that no output can be copied; and they must do without the library. Where what is known is a
list, it has an entry for each call.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType, ModuleType
from typing import Any

import numpy as np
from scipy.special import log_softmax, softmax
from scipy.stats import rankdata

Known = dict[str, Any]
Asked = tuple[list[tuple], Any]  # what is known is a Known, or a list of them


def calls_library(function: Any) -> bool:
    """Say whether a function, or another one that it calls, uses `erralign`, by whatever name."""
    waiting, known = [function], []
    while waiting:
        part = waiting.pop()
        if part in known:
            continue
        known.append(part)
        home = part.__name__ if isinstance(part, ModuleType) else getattr(part, "__module__", None)
        if str(home).partition(".")[0] == "erralign":
            return True
        if isinstance(code := getattr(part, "__code__", None), CodeType):
            names = _names(code)
            if any(name.partition(".")[0] == "erralign" for name in names):
                return True
            waiting += [part.__globals__[name] for name in names if callable(part.__globals__.get(name))]
            modules = [part.__globals__.get(name) for name in names]
            waiting += [module for module in modules if isinstance(module, ModuleType)]
    return False


def _names(code: CodeType) -> set[str]:
    inner = [_names(constant) for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*inner)


# ---- measures --------------------------------------------------------------------------------------------------------


def _two_right(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return on which of 100 pictures two systems are right: 80 and 65; both on 56, in fresh inputs on 54 or 55."""
    order = np.random.default_rng([seed, 18]).permutation(100)
    both = 54 + seed % 2 if seed else 56
    right_a, right_b = np.arange(100) < 80, (np.arange(100) >= 80 - both) & (np.arange(100) < 145 - both)
    return right_a[order], right_b[order]


def _expected_overlap(seed: int = 0) -> Asked:
    inputs = [(float(p), float(q)) for p, q in np.random.default_rng([seed, 19]).uniform(0.55, 0.95, size=(3, 2))]
    known = []
    for p, q in inputs:
        right = p * q + (1 - p) * (1 - q)
        known.append(
            {
                "right": right,
                "both_right": p * q,
                "both_wrong": (1 - p) * (1 - q),
                "complement": 1 - right,
                "largest": 1 - abs(p - q),
                "half": 0.5,
            }
        )
    return inputs, known


def _answers(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return true classes and two systems' answers, a fifth of them the same mistake."""
    rng = np.random.default_rng([seed, 20])
    truth = rng.integers(4, size=150)
    common = np.where(rng.random(150) < 0.3, (truth == 0).astype(int), truth)  # what is wrong is mostly called 0
    a, b = (np.where(rng.random(150) < 0.25, rng.integers(4, size=150), common) for _ in range(2))
    return truth, a, b


def _kappa(observed: Any, expected: Any) -> Any:
    return (observed - expected) / (1 - expected)


def _ec(seed: int = 0) -> Asked:
    rng = np.random.default_rng([seed, 22])
    right_a = rng.random(150) < 0.88
    right_b = np.where(rng.random(150) < 0.5, right_a, rng.random(150) < 0.6)
    p, q, observed = right_a.mean(), right_b.mean(), np.mean(right_a == right_b)
    expected = p * q + (1 - p) * (1 - q)
    return [(right_a, right_b)], {
        "right": _kappa(observed, expected),
        "overlap": observed,
        "expected": expected,
        "beyond": observed - expected,
        "undivided": (observed - expected) / expected,
        "both_right": _kappa(observed, p * q),
        "only_right": _kappa(np.mean(right_a & right_b), p * q),
        "one_half": 2 * observed - 1,
        "correlation": np.corrcoef(right_a, right_b)[0, 1],
    }


def _same_by_chance(a: np.ndarray, b: np.ndarray) -> float:
    return float(sum(np.mean(a == word) * np.mean(b == word) for word in range(4)))


def _ma(seed: int = 0) -> Asked:
    truth, a, b = _answers(seed)
    wrong_a, wrong_b = a != truth, b != truth
    wrong, either = wrong_a & wrong_b, wrong_a | wrong_b
    share, expected = np.mean(a[wrong] == b[wrong]), _same_by_chance(a[wrong], b[wrong])
    return [(truth, a, b)], {
        "right": _kappa(share, expected),
        "share": share,
        "expected": expected,
        "beyond": share - expected,
        "of_all": np.mean(wrong & (a == b)),
        "all_trials": _kappa(np.mean(a == b), _same_by_chance(a, b)),
        "either": _kappa(np.mean(a[either] == b[either]), _same_by_chance(a[either], b[either])),
        "apart": _kappa(share, _same_by_chance(a[wrong_a], b[wrong_b])),
        "evenly": _kappa(share, 1 / 3),
        "classes": _kappa(share, 1 / 4),
    }


def _table(truth: np.ndarray, said: np.ndarray) -> np.ndarray:
    counts = np.zeros((4, 4))
    np.add.at(counts, (truth, said), 1)
    return counts


def _error_table(seed: int = 0) -> Asked:
    truth, a, _ = _answers(seed)
    counts = _table(truth, a)
    right = counts - np.diag(np.diag(counts))
    return [(truth, a, 4)], {
        "right": right,
        "right_too": counts,
        "turned": right.T,
        "shares": (right / right.sum(), right / right.sum(axis=1, keepdims=True), right / 150),
        "once": (right > 0).astype(int),
        "rows": right.sum(axis=1),
        "of_errors": right.sum(),
    }


def _distances(F: np.ndarray, G: np.ndarray, alpha: float, *, diagonal: bool = False) -> np.ndarray:
    """Return for each class the mean divergence of two rows from their common row."""
    kept = np.ones_like(F, dtype=bool) if diagonal else ~np.eye(len(F), dtype=bool)
    rows = [table[kept].reshape(len(F), -1) + alpha for table in (F, G, F + G)]
    pi_f, pi_g, common = (row / row.sum(axis=1, keepdims=True) for row in rows)
    both = [(pi * np.log(pi / common)).sum(axis=1) for pi in (pi_f, pi_g)]
    return (both[0] + both[1]) / 2


def _cles(seed: int = 0) -> Asked:
    rng = np.random.default_rng([seed, 21])
    F, G = (rng.multinomial(n, rng.dirichlet(np.ones(16))).reshape(4, 4) for n in (60, 40))
    F, G = (table - np.diag(np.diag(table)) for table in (F, G))
    weights = (F + G).sum(axis=1) / (F + G).sum()
    distance = weights @ _distances(F, G, 0.5)
    return [(F, G)], {
        "right": 1 / (1 + distance),
        "distance": distance,
        "complement": distance / (1 + distance),
        "exponential": np.exp(-distance),
        "one_each": 1 / (1 + weights @ _distances(F, G, 1)),
        "diagonal": 1 / (1 + weights @ _distances(F, G, 0.5, diagonal=True)),
        "unweighted": 1 / (1 + _distances(F, G, 0.5).mean()),
        "weights": 1 / (1 + F.sum(axis=1) / F.sum() @ _distances(F, G, 0.5)),
        "sum": 1 / (1 + 2 * distance),
        "bits": 1 / (1 + distance / np.log(2)),
    }


def _ec_of(both_right: np.ndarray, only_a: np.ndarray, only_b: np.ndarray, both_wrong: np.ndarray) -> np.ndarray:
    n = both_right + only_a + only_b + both_wrong
    p, q = (both_right + only_a) / n, (both_right + only_b) / n
    return _kappa((both_right + both_wrong) / n, p * q + (1 - p) * (1 - q))


def _ec_interval(seed: int = 0) -> Asked:
    right_a, right_b = _two_right(seed)
    both = int(np.sum(right_a & right_b))
    counts = np.array([both, 80 - both, 65 - both, both - 45])
    value = float(_ec_of(*counts))
    draws = _ec_of(*np.random.default_rng(0).multinomial(100, counts / 100, size=100_000).T)
    apart = _ec_of(*np.random.default_rng(0).multinomial(100, [0.52, 0.28, 0.13, 0.07], size=100_000).T)
    low, high = np.quantile(draws, [0.025, 0.975])
    inputs = [(right_a, right_b, 10_000, np.random.default_rng(seed))]
    known = {
        "tolerance": 0.018,
        "right": [low, high],
        "order": [high, low],
        "put_back": [value, value],
        "apart": np.quantile(apart, [0.025, 0.975]),
        "narrow": np.quantile(draws, [0.05, 0.95]),
        "one_error": [value - draws.std(), value + draws.std()],
        "width": high - low,
        "largest": ([-1, 1], [draws.min(), draws.max()]),
    }
    calls, of_calls = _few_pictures()
    return (inputs, known) if seed else (inputs + calls, [known, *of_calls])


def _few_pictures() -> tuple[list[tuple], list[Known]]:
    """Return few pictures, with one joint error, which comes last, or first; and what is known of them.

    Of so few the draws are skewed, so no standard deviation gives the ends, and their EC has steps: one lies between
    2.5 and 3 %, or is another where a picture less is drawn. Whoever never draws the last picture, or never the first,
    misses the only joint error.
    """
    calls, known = [], []
    for counts, tolerance, n_draws in (([10, 8, 5, 1], 0.017, 40_000), ([5, 10, 6, 1], 0.0125, 40_000)):
        right_a, right_b = np.repeat([True, True, False, False], counts), np.repeat([True, False, True, False], counts)
        n, value, rng = sum(counts), float(_ec_of(*np.array(counts))), np.random.default_rng(0)
        draws = _ec_of(*rng.multinomial(n, np.array(counts) / n, size=100_000).T)
        without = _ec_of(*rng.multinomial(n, np.array([*counts[:3], 0]) / (n - 1), size=100_000).T)
        low, high = ends = np.quantile(draws, [0.025, 0.975])
        reach = np.array([-1.96, 1.96]) * draws.std()
        calls.append((right_a, right_b, n_draws, rng))
        known.append({"tolerance": tolerance, "right": ends, "left_out": np.quantile(without, [0.025, 0.975])})
        known[-1] |= {"normal": value + reach, "reversed": [2 * value - high, 2 * value - low]}
    turned = (right_a[::-1].copy(), right_b[::-1].copy(), 4_000, np.random.default_rng(0))
    return [*calls, turned], [*known, known[-1] | {"tolerance": 0.03}]


def _shuffled_p(seed: int = 0) -> Asked:
    from scipy.stats import hypergeom

    right_a, right_b = _two_right(seed)
    both = int(np.sum(right_a & right_b))
    shares = hypergeom(100, 80, 65).pmf(np.arange(101))  # of the pictures that both have right, and so of all overlaps
    reached, above = shares[both:].sum(), shares[both + 1 :].sum()
    never = np.tile([True, False], 30)  # an overlap with itself that no shuffle reaches
    inputs = [(right_a, right_b, 10_000, np.random.default_rng(seed)), (never, never, 9, np.random.default_rng(seed))]
    return inputs, [
        {
            "tolerance": 0.014,
            "right": reached,
            "above": above,
            "complement": 1 - above,
            "below": 1 - reached,
            "two_sides": reached + shares[: 105 - both].sum(),
            "count": (10_000 * reached, 10_001 * reached),
            "overlap": np.mean(right_a == right_b),
            "mean": 0.59,
        },
        {"right": 1 / 10, "uncounted": (0, 1 / 9)},
    ]


# ---- soft labels -----------------------------------------------------------------------------------------------------


def _logits_and_shares(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng([seed, 2])
    return rng.normal(size=(12, 4)) * 2, rng.dirichlet(np.ones(4), size=12)


def _hard(shares: np.ndarray) -> np.ndarray:
    return np.eye(shares.shape[1])[shares.argmax(axis=1)]


def _confidences(seed: int = 0) -> Asked:
    logits, _ = _logits_and_shares(seed)
    logits[0] += 2500  # whoever takes e to the power of this gets infinity
    T = 2.5
    with np.errstate(all="ignore"):
        overflow = np.exp(logits / T) / np.exp(logits / T).sum(axis=1, keepdims=True)
    return [(logits, T)], {
        "tolerance": 2e-4,  # of logits of 2500, single precision has four digits after the point
        "right": softmax(logits / T, axis=1),
        "multiplied": softmax(logits * T, axis=1),
        "temperature": softmax(logits, axis=1),
        "columns": softmax(logits / T, axis=0),
        "all": softmax(logits / T),
        "largest": _hard(logits),
        "logarithm": log_softmax(logits / T, axis=1),
        "overflow": overflow,
    }


def _soft_cross_entropy(seed: int = 0) -> Asked:
    logits, shares = _logits_and_shares(seed)
    logits[0] = [0, 2000, 0, 0]  # three confidences are 0 for a computer, and their logarithm is not a number
    log = log_softmax(logits, axis=1)
    each = -(shares * log).sum(axis=1)
    right = each.mean()
    return [(logits, shares)], {
        "right": right,
        "overflow": (np.inf, np.nan),
        "sum": each.sum(),
        "each": each,
        "cells": right / 4,
        "sign": -right,
        "hard": -(_hard(shares) * log).sum(axis=1).mean(),
        "turned": -(np.exp(log) * np.log(shares)).sum(axis=1).mean(),
        "divergence": right + (shares * np.log(shares)).sum(axis=1).mean(),
        "bits": right / np.log(2),
    }


def _logit_slopes(seed: int = 0) -> Asked:
    logits, shares = _logits_and_shares(seed)
    q, n = softmax(logits, axis=1), len(logits)
    right = (q - shares) / n
    return [(logits, shares)], {
        "right": right,
        "sum": right * n,
        "cells": right / 4,
        "sign": -right,
        "hard": (q - _hard(shares)) / n,
        "confidence": -shares / q / n,
        "logits": (logits - shares) / n,
    }


def _train_head(seed: int = 0) -> Asked:
    rng = np.random.default_rng([seed, 3])
    X, shares = rng.normal(size=(30, 5)), rng.dirichlet(np.ones(3), size=30)
    decay, rate, steps = 0.05, 0.4, 12

    def trained(
        targets: np.ndarray = shares, decay: float = decay, rate: float = rate, steps: int = steps, n: int = 30
    ) -> np.ndarray:
        W = np.zeros((5, 3))
        for _ in range(steps):
            W = W - rate * (X.T @ (softmax(X @ W, axis=1) - targets) / n + 2 * decay * W)
        return W

    return [(X, shares, decay, rate, steps)], {
        "right": trained(),
        "sign": (trained(rate=-rate), -trained()),
        "no_decay": trained(decay=0),
        "half_decay": trained(decay=decay / 2),
        "sum": trained(n=1),
        "hard": trained(_hard(shares)),
        "one": trained(steps=1),
        "early": trained(steps=steps - 1),
        "late": trained(steps=steps + 1),
        "start": np.zeros((5, 3)),
    }


def _soft_ec(seed: int = 0) -> Asked:
    rng = np.random.default_rng([seed, 4])
    head, people = rng.uniform(size=(2, 40)) ** 0.4  # means far from one half, where chance is one half, too
    head = 0.5 * head + 0.5 * people

    def parts(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
        p, q = a.mean(), b.mean()
        return np.mean(a * b + (1 - a) * (1 - b)), p * q + (1 - p) * (1 - q)

    observed, expected = parts(head, people)
    hard_observed, hard_expected = parts(head > 0.5, people > 0.5)
    by_chance = head.mean() * people.mean()
    return [(head, people)], {
        "right": (observed - expected) / (1 - expected),
        "overlap": observed,
        "expected": expected,
        "beyond": observed - expected,
        "undivided": (observed - expected) / expected,
        "only_right": (np.mean(head * people) - by_chance) / (1 - by_chance),
        "one_half": 2 * observed - 1,
        "counted": (hard_observed - hard_expected) / (1 - hard_expected),
        "correlation": np.corrcoef(head, people)[0, 1],
    }


def _soft_ec_slopes(seed: int = 0) -> Asked:
    ((head, people),), _ = _soft_ec(seed)
    n, p, q = len(head), head.mean(), people.mean()
    expected = p * q + (1 - p) * (1 - q)
    of_observed, of_expected = (2 * people - 1) / n, np.full(n, (2 * q - 1) / n)
    of_ec = _soft_ec_slopes_of(head, people)
    return [(head, people)], {
        "right": of_ec,
        "sum": n * of_ec,
        "sign": -of_ec,
        "chance": of_observed / (1 - expected),
        "length": (of_observed - of_expected) / (1 - expected),
        "overlap": of_observed,
    }


def _soft_ec_slopes_of(head: np.ndarray, people: np.ndarray) -> np.ndarray:
    n, p, q = len(head), head.mean(), people.mean()
    observed, expected = np.mean(head * people + (1 - head) * (1 - people)), p * q + (1 - p) * (1 - q)
    of_observed, of_expected = (2 * people - 1) / n, (2 * q - 1) / n
    return np.asarray(of_observed / (1 - expected) - of_expected * (1 - observed) / (1 - expected) ** 2)


def _train_for_ec(seed: int = 0) -> Asked:
    rng = np.random.default_rng([seed, 27])
    X, shares, truth = rng.normal(size=(30, 5)), rng.dirichlet(np.ones(3), size=30), rng.integers(3, size=30)
    true, strength, decay, rate, steps = np.eye(3)[truth], 2.5, 0.05, 0.4, 8
    of_true = (shares * true).sum(axis=1)

    def of_ec(q: np.ndarray, people: np.ndarray = of_true) -> np.ndarray:
        """Return the slopes of soft EC by the probability of the true class."""
        h = (q * true).sum(axis=1)
        return _soft_ec_slopes_of(h, people)

    def by_logits(q: np.ndarray) -> np.ndarray:
        return (of_ec(q) * (q * true).sum(axis=1))[:, None] * (true - q)

    def by_true_logit(q: np.ndarray) -> np.ndarray:
        return by_logits(q) * true

    def by_probability(q: np.ndarray) -> np.ndarray:
        return of_ec(q)[:, None] * true

    def by_majority(q: np.ndarray) -> np.ndarray:
        return (of_ec(q, shares.max(axis=1)) * (q * true).sum(axis=1))[:, None] * (true - q)

    def trained(
        slopes_of_ec: Callable[[np.ndarray], np.ndarray] = by_logits,
        strength: float = strength,
        targets: np.ndarray = true,
        fit: float = 1,
        decay: float = decay,
        rate: float = rate,
        steps: int = steps,
    ) -> np.ndarray:
        W = np.zeros((5, 3))
        for _ in range(steps):
            q = softmax(X @ W, axis=1)
            slopes = fit * (q - targets) / 30 - strength * slopes_of_ec(q)
            W = W - rate * (X.T @ slopes + 2 * decay * W)
        return W

    return [(X, truth, shares, strength, decay, rate, steps)], {
        "right": trained(),
        "sign": trained(strength=-strength),
        "no_ec": trained(strength=0),
        "strength": trained(strength=1),
        "only_ec": trained(fit=0),
        "shares": trained(targets=shares),
        "majority": trained(by_majority),
        "true_logit": trained(by_true_logit),
        "probability": trained(by_probability),
        "no_decay": trained(decay=0),
        "half_decay": trained(decay=decay / 2),
        "uphill": (trained(rate=-rate), -trained()),
        "early": trained(steps=steps - 1),
        "late": trained(steps=steps + 1),
    }


# ---- representations -------------------------------------------------------------------------------------------------


def _centred(K: np.ndarray) -> np.ndarray:
    rows = K - K.mean(axis=0)
    return rows - rows.mean(axis=1, keepdims=True)


def _centred_gram(seed: int = 0) -> Asked:
    X = np.random.default_rng([seed, 5]).normal(size=(7, 4)) + 1
    Z, K = X - X.mean(axis=0), X @ X.T
    rows = X - X.mean(axis=1, keepdims=True)
    unit = Z / np.linalg.norm(Z, axis=1, keepdims=True)
    return [(X,)], {
        "right": Z @ Z.T,
        "uncentred": K,
        "rows": rows @ rows.T,
        "features": Z.T @ Z,
        "once": (K - K.mean(axis=0), K - K.mean(axis=1, keepdims=True)),
        "mean": K - K.mean(),
        "cosines": unit @ unit.T,
        "averaged": (Z @ Z.T / 6, Z @ Z.T / 7, Z @ Z.T / 4),
    }


def _gram_likeness(seed: int = 0) -> Asked:
    rng = np.random.default_rng([seed, 6])
    X = rng.normal(size=(8, 4)) * [3, 1, 1, 1]
    Y = X @ rng.normal(size=(4, 4)) + rng.normal(size=(8, 4))
    K, L = _centred(X @ X.T), _centred(Y @ Y.T)
    upper = np.triu_indices(8, 1)
    right = (K * L).sum() / np.linalg.norm(K) / np.linalg.norm(L)
    return [(K, L)], {
        "right": right,
        "undivided": (K * L).sum(),
        "squares": (K * L).sum() / (K**2).sum() / (L**2).sum(),
        "one_length": ((K * L).sum() / (K**2).sum(), (K * L).sum() / (L**2).sum()),
        "largest": (K * L).sum() / np.linalg.norm(K, 2) / np.linalg.norm(L, 2),
        "triangle": (K[upper] @ L[upper]) / np.linalg.norm(K[upper]) / np.linalg.norm(L[upper]),
        "distance": 1 - right,
    }


def _rdm(seed: int = 0) -> Asked:
    X = np.random.default_rng([seed, 7]).normal(size=(6, 9)) + 0.5
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    r = np.asarray(np.corrcoef(X))
    return [(X,)], {
        "right": 1 - r,
        "likeness": r,
        "features": 1 - np.asarray(np.corrcoef(X.T)),
        "cosine": 1 - unit @ unit.T,
        "euclidean": np.linalg.norm(X[:, None] - X, axis=2),
        "absolute": 1 - abs(r),
        "half": (1 - r) / 2,
        "squared": (1 - r**2, (1 - r) ** 2),
    }


def _rsa(seed: int = 0) -> Asked:
    rng = np.random.default_rng([seed, 8])
    X = rng.normal(size=(9, 12))
    Y = X + rng.normal(size=(9, 12))
    A, B = (1 - np.asarray(np.corrcoef(rows)) for rows in (X, Y))
    upper, with_diagonal = np.triu_indices(9, 1), np.triu_indices(9)

    def r(a: np.ndarray, b: np.ndarray) -> float:
        return float(np.corrcoef(a, b)[0, 1])

    def by_rank(a: np.ndarray, b: np.ndarray) -> float:
        return r(rankdata(a), rankdata(b))

    right = by_rank(A[upper], B[upper])
    return [(A, B)], {
        "right": right,
        "values": r(A[upper], B[upper]),
        "diagonal": (by_rank(A[with_diagonal], B[with_diagonal]), by_rank(A.ravel(), B.ravel())),
        "values_diagonal": (r(A[with_diagonal], B[with_diagonal]), r(A.ravel(), B.ravel())),
        "places": r(np.argsort(A[upper]), np.argsort(B[upper])),
        "distance": 1 - right,
    }


def _world_of_maps(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng([seed, 9])
    X = rng.normal(size=(10, 5)) + 1
    Y = X[:, :3] + 0.5 * rng.normal(size=(10, 3))
    return rng.normal(size=(5, 2)), X, _centred(Y @ Y.T)


def _likeness_of(W: np.ndarray, X: np.ndarray, K: np.ndarray) -> float:
    S = _centred(X @ W @ W.T @ X.T)
    return float((S * K).sum() / np.linalg.norm(S) / np.linalg.norm(K))


def _cka_loss(seed: int = 0) -> Asked:
    W, X, K = _world_of_maps(seed)
    plain = X @ W @ W.T @ X.T
    right = 1 - _likeness_of(W, X, K)
    return [(W, X, K)], {
        "right": right,
        "likeness": 1 - right,
        "sign": right - 1,
        "no_map": 1 - _likeness_of(np.eye(5), X, K),
        "uncentred": 1 - (plain * K).sum() / np.linalg.norm(plain) / np.linalg.norm(K),
        "squares": np.mean((_centred(plain) - K) ** 2),
    }


def _cka_slopes(seed: int = 0) -> Asked:
    W, X, K = _world_of_maps(seed)
    S = _centred(X @ W @ W.T @ X.T)
    length = np.linalg.norm(S)
    s, k = S / length, K / np.linalg.norm(K)
    of_products = ((s * k).sum() * s - k) / length
    right = 2 * X.T @ of_products @ X @ W
    return [(W, X, K)], {
        "right": right,
        "sign": -right,
        "half": right / 2,
        "length": -2 * X.T @ k @ X @ W / length,
        "undivided": right * length,
        "features": 2 * of_products @ X @ W,
        "products": of_products,
        "no_map": 2 * X.T @ of_products @ X,
    }


def _numerical_slopes(seed: int = 0) -> Asked:
    rng = np.random.default_rng([seed, 10])
    A, W, step = rng.normal(size=(3, 2)), rng.normal(size=(3, 2)), 0.1

    def f(W: np.ndarray) -> float:
        return float((A * W**3).sum() + W.sum() ** 2)

    def differences(up: float, down: float) -> np.ndarray:
        """Return what f changes by, if each number in turn is moved up, and down."""
        changes = np.empty_like(W)
        for place in np.ndindex(W.shape):
            unit = np.zeros_like(W)
            unit[place] = step
            changes[place] = f(W + up * unit) - f(W - down * unit)
        return changes

    central = differences(1, 1) / (2 * step)
    together = (f(W + step) - f(W - step)) / (2 * step)
    return [(f, W, step)], {
        "right": central,
        "forward": (differences(1, 0) / step, differences(0, 1) / step),
        "twice": central * 2,
        "undivided": central * 2 * step,
        "together": (together, np.full(W.shape, together)),
        "sign": -central,
        "values": f(W),
        "mean": central.mean(),
    }


def _procrustes(seed: int = 0) -> Asked:
    rng = np.random.default_rng([seed, 11])
    X = rng.normal(size=(9, 4)) * [2, 1, 1, 0.5]
    Y = X @ np.linalg.qr(rng.normal(size=(4, 4)))[0] + 0.3 * rng.normal(size=(9, 4))
    U, sizes, Vt = np.linalg.svd(X.T @ Y)
    Q = U @ Vt
    return [(X, Y)], {
        "right": Q,
        "turned_back": Q.T,
        "not_transposed": U @ Vt.T,
        "regression": np.linalg.lstsq(X, Y, rcond=None)[0],
        "sizes": X.T @ Y,
        "stretched": Q * sizes.sum() / (X**2).sum(),
        "moved": X @ Q,
        "mirrored": (U * [1, 1, 1, -1]) @ Vt,
    }


# ---- odd one out -----------------------------------------------------------------------------------------------------


def _similarities(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng([seed, 12])
    X = rng.normal(size=(12, 3))
    triplets = np.array([rng.permutation(12)[:3] for _ in range(40)])
    return X @ X.T, triplets


def _pairs(S: np.ndarray, triplets: np.ndarray) -> np.ndarray:
    """Return for each triplet the similarity of its first and second thing, first and third, second and third."""
    a, b, c = triplets.T
    return np.stack([S[a, b], S[a, c], S[b, c]], axis=1)


def _odd_place(seed: int = 0) -> Asked:
    S, triplets = _similarities(seed)
    pairs = _pairs(S, triplets)
    right = 2 - pairs.argmax(axis=1)
    a, b, c = triplets.T
    sums = np.stack([S[a].sum(axis=1), S[b].sum(axis=1), S[c].sum(axis=1)], axis=1)
    return [(S, triplets)], {
        "right": right,
        "pair": pairs.argmax(axis=1),
        "least": 2 - pairs.argmin(axis=1),
        "one": right + 1,
        "thing": triplets[np.arange(40), right],
        "all": sums.argmin(axis=1),
    }


def _triplet_likelihood(seed: int = 0) -> Asked:
    S, triplets = _similarities(seed)
    pairs = _pairs(S, triplets)
    each = log_softmax(pairs, axis=1)
    right = each[:, 0].mean()
    positive = pairs - pairs.min() + 1
    return [(S, triplets)], {
        "right": right,
        "sum": each[:, 0].sum(),
        "each": each[:, 0],
        "sign": -right,
        "odd": (each[:, 1].mean(), each[:, 2].mean()),
        "probability": np.exp(each[:, 0]).mean(),
        "outside": np.log(np.exp(each[:, 0]).mean()),
        "unnormalised": pairs[:, 0].mean(),
        "linear": np.log(positive[:, 0] / positive.sum(axis=1)).mean(),
        "hits": np.mean(pairs.argmax(axis=1) == 0),
    }


def _slopes_of_probe(
    W: np.ndarray, X: np.ndarray, triplets: np.ndarray, penalty: float, pair: int = 0, columns: int = 3
) -> np.ndarray:
    Y = X @ W
    by_pair = softmax(_pairs(Y @ Y.T, triplets), axis=1) - np.eye(3)[pair]
    by_thing = np.zeros_like(Y)
    for (one, other), slopes in zip(((0, 1), (0, 2), (1, 2)), by_pair.T[:columns], strict=False):
        np.add.at(by_thing, triplets[:, one], slopes[:, None] * Y[triplets[:, other]])
        np.add.at(by_thing, triplets[:, other], slopes[:, None] * Y[triplets[:, one]])
    return X.T @ by_thing / len(triplets) + 2 * penalty * W


def _probe_slopes(seed: int = 0) -> Asked:
    rng = np.random.default_rng([seed, 13])
    X, W, penalty = rng.normal(size=(9, 4)), rng.normal(size=(4, 2)), 0.3
    triplets = np.array([rng.permutation(9)[:3] for _ in range(25)])
    right, plain = (_slopes_of_probe(W, X, triplets, each) for each in (penalty, 0))
    decay = 2 * penalty * W
    a, b, _ = triplets.T
    Y = X @ W
    lost = np.zeros_like(Y)
    by_pair = softmax(_pairs(Y @ Y.T, triplets), axis=1) - [1, 0, 0]
    lost[a] = by_pair[:, [0]] * Y[b] + by_pair[:, [1]] * Y[triplets[:, 2]]
    lost[b] += by_pair[:, [0]] * Y[a] + by_pair[:, [2]] * Y[triplets[:, 2]]
    lost[triplets[:, 2]] += by_pair[:, [1]] * Y[a] + by_pair[:, [2]] * Y[b]
    return [(W, X, triplets, penalty)], {
        "right": right,
        "sign": (-right, decay - plain),
        "no_penalty": plain,
        "half_penalty": plain + decay / 2,
        "sum": 25 * plain + decay,
        "half": plain / 2 + decay,
        "other_pair": (
            _slopes_of_probe(W, X, triplets, penalty, pair=1),
            _slopes_of_probe(W, X, triplets, penalty, pair=2),
        ),
        "one_pair": _slopes_of_probe(W, X, triplets, penalty, columns=1),
        "overwritten": X.T @ lost / 25 + decay,
    }


def _split_by_things(seed: int = 0) -> Asked:
    rng = np.random.default_rng([seed, 14])
    triplets = np.array([rng.permutation(12)[:3] for _ in range(60)])
    is_test = rng.permutation(12) < 5
    inside = is_test[triplets]
    every, some = inside.all(axis=1), inside.any(axis=1)
    return [(triplets, is_test)], {
        "right": [~some, every],
        "order": [every, ~some],
        "rest": [~every, every],
        "any": [~some, some],
        "first": [~inside[:, 0], inside[:, 0]],
        "odd": [~inside[:, 2], inside[:, 2]],
    }


def _cross_validate(seed: int = 0) -> Asked:
    rng = np.random.default_rng([seed, 15])
    X, folds = rng.normal(size=(18, 4)), rng.permutation(18) % 3
    triplets = np.array([rng.permutation(18)[:3] for _ in range(300)])
    pairs = _pairs((X * [2, 1, 0, 0]) @ X.T, triplets)
    odd = 2 - (pairs + rng.gumbel(size=pairs.shape)).argmax(axis=1)
    order = np.stack([(odd + 1) % 3, (odd + 2) % 3, odd], axis=1)
    triplets = np.take_along_axis(triplets, order, axis=1)
    penalty, rate, steps = 0.05, 0.1, 8

    def likelihood(train: np.ndarray, test: np.ndarray, W: np.ndarray | None = None, steps: int = steps) -> float:
        W = np.eye(4) if W is None else W
        for _ in range(steps):
            W = W - rate * _slopes_of_probe(W, X, triplets[train], penalty)
        return float(log_softmax(_pairs(X @ W @ W.T @ X.T, triplets[test]), axis=1)[:, 0].mean())

    inside = [(folds == fold)[triplets] for fold in range(3)]
    everything = np.ones(300, dtype=bool)
    of_folds = [likelihood(~each.any(axis=1), each.all(axis=1)) for each in inside]
    return [(X, triplets, folds, penalty, rate, steps)], {
        "right": np.mean(of_folds),
        "each": of_folds,
        "one": (of_folds[0], of_folds[-1]),
        "sum": np.sum(of_folds),
        "sign": -np.mean(of_folds),
        "seen": np.mean([likelihood(~each.any(axis=1), ~each.any(axis=1)) for each in inside]),
        "all": np.mean([likelihood(everything, each.all(axis=1)) for each in inside]),
        "rest": np.mean([likelihood(~each.all(axis=1), each.all(axis=1)) for each in inside]),
        "some": np.mean([likelihood(~each.any(axis=1), each.any(axis=1)) for each in inside]),
        "untrained": np.mean([likelihood(everything, each.all(axis=1), steps=0) for each in inside]),
    }


def _neighbours(seed: int) -> tuple[np.ndarray, np.ndarray, float]:
    rng = np.random.default_rng([seed, 16])
    return rng.normal(size=(8, 4)), rng.normal(size=(4, 3)), 2.0


def _near(Y: np.ndarray, temperature: float, own: bool = False) -> np.ndarray:
    """Return the logarithms of how near each other picture is to each."""
    products = Y @ Y.T / temperature
    if not own:
        np.fill_diagonal(products, -np.inf)
    return log_softmax(products, axis=1)


def _cross(P: np.ndarray, log_q: np.ndarray) -> float:
    """Return the mean over pictures of the cross-entropy of two rows."""
    return float(-(P * np.where(P > 0, log_q, 0)).sum() / len(P))


def _local_loss(seed: int = 0) -> Asked:
    X, W, T = _neighbours(seed)
    old, new = _near(X, T), _near(X @ W, T)
    right = _cross(np.exp(old), new)
    everyone = np.exp(_near(X, T, own=True))
    return [(W, X, T)], {
        "right": right,
        "diagonal": np.nan,
        "itself": _cross(everyone, _near(X @ W, T, own=True)),
        "sum": 8 * right,
        "cells": (right / 7, right / 8),
        "sign": -right,
        "turned": _cross(np.exp(new), old),
        "temperature": _cross(np.exp(_near(X, 1)), _near(X @ W, 1)),
        "multiplied": _cross(np.exp(_near(X, 1 / T)), _near(X @ W, 1 / T)),
        "no_map": _cross(np.exp(old), old),
        "divergence": right - _cross(np.exp(old), old),
    }


def _local_slopes(seed: int = 0) -> Asked:
    X, W, T = _neighbours(seed)
    apart = (np.exp(_near(X @ W, T)) - np.exp(_near(X, T))) / 8 / T
    right = X.T @ (apart + apart.T) @ X @ W
    return [(W, X, T)], {
        "right": right,
        "one_side": (X.T @ apart @ X @ W, X.T @ apart.T @ X @ W),
        "twice": (2 * X.T @ apart @ X @ W, 2 * X.T @ apart.T @ X @ W),
        "sign": -right,
        "sum": 8 * right,
        "temperature": T * right,
        "features": (apart + apart.T) @ X @ W,
        "no_map": X.T @ (apart + apart.T) @ X,
    }


def _glocal_step(seed: int = 0) -> Asked:
    ((W, X, T),), of_local = _local_slopes(seed)
    rng = np.random.default_rng([seed, 17])
    triplets = np.array([rng.permutation(8)[:3] for _ in range(20)])
    alpha, penalty, rate = 0.3, 0.1, 0.2
    local, of_triplets, decay = of_local["right"], _slopes_of_probe(W, X, triplets, 0), 2 * penalty * W
    slopes = (1 - alpha) * of_triplets + alpha * local + decay
    return [(W, X, triplets, alpha, penalty, T, rate)], {
        "right": W - rate * slopes,
        "uphill": W + rate * slopes,
        "slopes": (slopes, rate * slopes, -rate * slopes),
        "turned": W - rate * (alpha * of_triplets + (1 - alpha) * local + decay),
        "added": W - rate * (of_triplets + alpha * local + decay),
        "weighted": W - rate * ((1 - alpha) * (of_triplets + decay) + alpha * local),
        "no_penalty": W - rate * (slopes - decay),
        "no_rate": W - slopes,
        "only_triplets": W - rate * ((1 - alpha) * of_triplets + decay),
    }


# ---- a network, by slopes of one's own -------------------------------------------------------------------------------


def _student_and_teacher(seed: int) -> tuple[np.ndarray, np.ndarray, float]:
    rng = np.random.default_rng([seed, 23])
    return rng.normal(size=(10, 4)) * 2, rng.normal(size=(10, 4)) * 3, 2.5


def _distillation_loss(seed: int = 0) -> Asked:
    logits, teacher, T = _student_and_teacher(seed)
    n = len(logits)

    def cross(p: np.ndarray, log_q: np.ndarray) -> float:
        return float(-(p * log_q).sum() / n)

    p, log_q = softmax(teacher / T, axis=1), log_softmax(logits / T, axis=1)
    right = T**2 * cross(p, log_q)
    return [(logits, teacher, T)], {
        "right": right,
        "unscaled": right / T**2,
        "once": right / T,
        "temperature": cross(softmax(teacher, axis=1), log_softmax(logits, axis=1)),
        "teacher_only": T**2 * cross(p, log_softmax(logits, axis=1)),
        "student_only": T**2 * cross(softmax(teacher, axis=1), log_q),
        "multiplied": T**2 * cross(softmax(teacher * T, axis=1), log_softmax(logits * T, axis=1)),
        "hard": T**2 * cross(_hard(teacher), log_q),
        "turned": T**2 * cross(np.exp(log_q), np.log(p)),
        "divergence": T**2 * (cross(p, log_q) - cross(p, np.log(p))),
        "sum": n * right,
        "sign": -right,
    }


def _distillation_slopes(seed: int = 0) -> Asked:
    logits, teacher, T = _student_and_teacher(seed)
    n = len(logits)
    p, q = softmax(teacher / T, axis=1), softmax(logits / T, axis=1)
    right = T * (q - p) / n
    return [(logits, teacher, T)], {
        "right": right,
        "unscaled": right / T**2,
        "inner": T * right,
        "outer": right / T,
        "temperature": (softmax(logits, axis=1) - softmax(teacher, axis=1)) / n,
        "hard": T * (q - _hard(teacher)) / n,
        "sum": n * right,
        "sign": -right,
    }


def _pictures_of_rsa(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return logits of a student, and how unlike people find the same pictures."""
    rng = np.random.default_rng([seed, 24])
    return 2 * rng.normal(size=(9, 5)) + rng.normal(size=(9, 1)), _unlike(rng.dirichlet(np.ones(5), size=9))


def _unlike(rows: np.ndarray) -> np.ndarray:
    return 1 - np.asarray(np.corrcoef(rows))


def _upper(matrix: np.ndarray, first: int = 1) -> np.ndarray:
    return matrix[np.triu_indices(len(matrix), first)]


def _correlation(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.corrcoef(a, b)[0, 1])


def _losses_of_rsa(people: np.ndarray) -> dict[str, Callable[[np.ndarray], Any]]:
    """Return the RSA loss as a function of logits, and what the usual mistakes make of it."""
    wanted, off = _upper(people), _upper(people, 0)

    def likeness(logits: np.ndarray) -> float:
        return _correlation(_upper(_unlike(logits)), wanted)

    def by_cosine(logits: np.ndarray) -> float:
        unit = logits / np.linalg.norm(logits, axis=1, keepdims=True)
        return 1 - _correlation(_upper(1 - unit @ unit.T), wanted)

    def uncentred(logits: np.ndarray) -> float:
        own = _upper(_unlike(logits))
        return float(1 - own @ wanted / np.linalg.norm(own) / np.linalg.norm(wanted))

    return {
        "right": lambda logits: 1 - likeness(logits),
        "likeness": likeness,
        "sign": lambda logits: likeness(logits) - 1,
        "similarity": lambda logits: 1 + likeness(logits),
        "ranks": lambda logits: 1 - _correlation(rankdata(_upper(_unlike(logits))), rankdata(wanted)),
        "diagonal": lambda logits: 1 - _correlation(_upper(_unlike(logits), 0), off),
        "both_and_diagonal": lambda logits: 1 - _correlation(_unlike(logits).ravel(), people.ravel()),
        "cosine": by_cosine,
        "euclidean": lambda logits: 1 - _correlation(_upper(np.linalg.norm(logits[:, None] - logits, axis=2)), wanted),
        "uncentred": uncentred,
        "squares": lambda logits: np.mean((_upper(_unlike(logits)) - wanted) ** 2),
    }


def _rsa_loss(seed: int = 0) -> Asked:
    logits, people = _pictures_of_rsa(seed)
    known = {key: loss(logits) for key, loss in _losses_of_rsa(people).items()}
    known["diagonal"] = (known["diagonal"], known.pop("both_and_diagonal"))
    return [(logits, people)], known


def _rsa_slopes(seed: int = 0) -> Asked:
    logits, people = _pictures_of_rsa(seed)
    centred = logits - logits.mean(axis=1, keepdims=True)
    lengths = np.linalg.norm(centred, axis=1, keepdims=True)
    U, places = centred / lengths, np.triu_indices(len(logits), 1)
    own, wanted = _upper(1 - U @ U.T), _upper(people)
    own, wanted = own - own.mean(), wanted - wanted.mean()
    length = np.linalg.norm(own)
    d, p = own / length, wanted / np.linalg.norm(wanted)

    def by_logits(by_pair: np.ndarray, *, projected: bool = True, turned: tuple[int, ...] = (0, 1)) -> np.ndarray:
        G = np.zeros((len(U), len(U)))
        G[places] = by_pair
        V = -sum((G, G.T)[side] for side in turned) @ U
        if projected:
            V = V - (V * U).sum(axis=1, keepdims=True) * U
        return V

    g = ((d @ p) * d - p) / length
    right = by_logits(g) / lengths
    return [(logits, people)], {
        "right": right,
        "sign": -right,
        "factor": (right / 2, 2 * right),
        "one_side": (by_logits(g, turned=(0,)) / lengths, by_logits(g, turned=(1,)) / lengths),
        "unit": by_logits(g, projected=False),
        "rows": by_logits(g, projected=False) / lengths,
        "lengths": by_logits(g),
        "correlation": by_logits(-p / length) / lengths,
        "length": right * length,
    }


def _mixed_slopes(seed: int = 0) -> Asked:
    logits, people = _pictures_of_rsa(seed)
    rng = np.random.default_rng([seed, 25])
    teacher, shares = 3 * rng.normal(size=(9, 5)), rng.dirichlet(np.ones(5), size=9)
    weights, T, n = (0.6, 0.3, 1.7), 2.5, 9
    of_teacher = T * (softmax(logits / T, axis=1) - softmax(teacher / T, axis=1)) / n
    of_people = (softmax(logits, axis=1) - shares) / n
    of_rsa = _rsa_slopes(seed)[1]["right"]

    def mixed(a: float, b: float, c: float, of_people: np.ndarray = of_people) -> np.ndarray:
        return a * of_teacher + b * of_people + c * of_rsa

    a, b, c = weights
    return [(logits, teacher, shares, people, weights, T)], {
        "right": mixed(a, b, c),
        "order": (mixed(b, a, c), mixed(a, c, b), mixed(c, b, a), mixed(b, c, a), mixed(c, a, b)),
        "unweighted": mixed(1, 1, 1),
        "normalised": mixed(a, b, c) / (a + b + c),
        "no_teacher": mixed(0, b, c),
        "no_people": mixed(a, 0, c),
        "no_rsa": mixed(a, b, 0),
        "temperature": (
            mixed(a, b, c, (softmax(logits / T, axis=1) - shares) / n),
            mixed(a, b, c, T * (softmax(logits / T, axis=1) - shares) / n),
        ),
        "hard": mixed(a, b, c, (softmax(logits, axis=1) - _hard(shares)) / n),
        "sum": mixed(a, b, c, of_people * n),
        "sign": -mixed(a, b, c),
    }


# ---- the same in torch: the check calls these with tensors (in_torch.py) ---------------------------------------------


def _with_slopes(loss: Callable[[np.ndarray], Any], logits: np.ndarray, step: float = 1e-5) -> np.ndarray:
    """Return a loss and its slopes by each logit, by small steps."""
    slopes = np.zeros(logits.shape)
    for place in np.ndindex(logits.shape):
        moved = np.zeros(logits.shape)
        moved[place] = step
        slopes[place] = (loss(logits + moved) - loss(logits - moved)) / (2 * step)
    return np.append(loss(logits), slopes)


def _without_slopes(loss: float, logits: np.ndarray) -> np.ndarray:
    return np.append(loss, np.zeros(logits.size))


def _distillation_in_torch(seed: int = 0) -> Asked:
    logits, teacher, T = _student_and_teacher(seed)
    n = len(logits)

    def loss(z: np.ndarray, by: float = T, own: float = T, factor: float = T**2, targets: Any = None) -> float:
        p = softmax(teacher / by, axis=1) if targets is None else targets
        return float(-factor * (p * log_softmax(z / own, axis=1)).sum() / n)

    def turned(z: np.ndarray) -> float:
        return float(-(T**2) * (softmax(z / T, axis=1) * log_softmax(teacher / T, axis=1)).sum() / n)

    p = softmax(teacher / T, axis=1)
    entropy = T**2 * (p * np.log(p)).sum() / n
    right = _with_slopes(loss, logits)
    divergence = right + _without_slopes(entropy, logits)
    wrong = {
        "unscaled": lambda z: loss(z, factor=1),
        "once": lambda z: loss(z, factor=T),
        "temperature": lambda z: loss(z, 1, 1, 1),
        "teacher_only": lambda z: loss(z, own=1),
        "student_only": lambda z: loss(z, by=1),
        "multiplied": lambda z: loss(z, 1 / T, 1 / T),
        "hard": lambda z: loss(z, targets=_hard(teacher)),
        "turned": turned,
    }
    return [(logits, teacher, T)], {
        "right": right,
        **{key: _with_slopes(wrong[key], logits) for key in wrong},
        "divergence": divergence,
        "cells": (divergence / teacher.shape[1], right / teacher.shape[1]),
        "sum": n * right,
        "sign": -right,
        "detached": _without_slopes(right[0], logits),
    }


def _rsa_in_torch(seed: int = 0) -> Asked:
    logits, people = _pictures_of_rsa(seed)
    losses = _losses_of_rsa(people)
    ranks = _without_slopes(losses.pop("ranks")(logits), logits)  # a rank does not change with a small step
    known: dict[str, Any] = {key: _with_slopes(losses[key], logits) for key in losses}
    known["diagonal"] = (known["diagonal"], known.pop("both_and_diagonal"))
    return [(logits, people)], known | {"ranks": ranks, "detached": _without_slopes(known["right"][0], logits)}


def _training_in_torch(seed: int = 0) -> Asked:
    rng = np.random.default_rng([seed, 26])
    X, shares, start = rng.normal(size=(12, 4)), rng.dirichlet(np.ones(3), size=12), rng.normal(size=(4, 3))
    decay, rate, steps = 0.05, 0.4, 6

    def loss(W: np.ndarray) -> float:
        return float(-(shares * log_softmax(X @ W, axis=1)).sum() / 12)

    def slopes(W: np.ndarray) -> np.ndarray:
        return X.T @ (softmax(X @ W, axis=1) - shares) / 12

    def trained(decay: float = 2 * decay, rate: float = rate, steps: int = steps, kept: float = 0) -> np.ndarray:
        """Return the losses before each step, and the weights at the end."""
        W, losses, total = start, [], np.zeros(start.shape)
        for _ in range(steps):
            losses.append(loss(W))
            total = kept * total + slopes(W)
            W = W - rate * (total + decay * W)
        return np.append(losses, W)

    def by_adam(decoupled: bool) -> np.ndarray:
        W, losses, mean, square = start, [], np.zeros(start.shape), np.zeros(start.shape)
        for step in range(1, steps + 1):
            losses.append(loss(W))
            gradient = slopes(W)
            if decoupled:
                W = W * (1 - rate * 2 * decay)
            else:
                gradient = gradient + 2 * decay * W
            mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
            W = W - rate * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        return np.append(losses, W)

    right = trained()
    walked = [start, *(trained(steps=step)[step:].reshape(start.shape) for step in range(1, steps + 1))]
    with_decay = [loss(W) + decay * (W**2).sum() for W in walked[:-1]]
    return [(start, X, shares, decay, rate, steps)], {
        "right": right,
        "accumulated": trained(kept=1),
        "still": np.append(np.full(steps, loss(start)), start),
        "uphill": (trained(rate=-rate), trained(rate=-rate, decay=-2 * decay)),
        "no_decay": trained(decay=0),
        "half_decay": trained(decay=decay),
        "counted": np.append(with_decay, walked[-1]),
        "adam": (by_adam(False), by_adam(True)),
        "early": trained(steps=steps - 1),
        "late": trained(steps=steps + 1),
        "after": np.append([loss(W) for W in walked[1:]], walked[-1]),
        "last": np.append(right[steps - 1], walked[-1]),
    }


LABS: dict[str, Callable[..., Asked]] = {
    "expected_overlap": _expected_overlap,
    "ec": _ec,
    "ma": _ma,
    "error_table": _error_table,
    "cles": _cles,
    "ec_interval": _ec_interval,
    "shuffled_p": _shuffled_p,
    "confidences": _confidences,
    "soft_cross_entropy": _soft_cross_entropy,
    "logit_slopes": _logit_slopes,
    "train_head": _train_head,
    "soft_ec": _soft_ec,
    "soft_ec_slopes": _soft_ec_slopes,
    "train_for_ec": _train_for_ec,
    "centred_gram": _centred_gram,
    "gram_likeness": _gram_likeness,
    "rdm": _rdm,
    "rsa": _rsa,
    "cka_loss": _cka_loss,
    "cka_slopes": _cka_slopes,
    "numerical_slopes": _numerical_slopes,
    "procrustes": _procrustes,
    "odd_place": _odd_place,
    "triplet_likelihood": _triplet_likelihood,
    "probe_slopes": _probe_slopes,
    "split_by_things": _split_by_things,
    "cross_validate": _cross_validate,
    "local_loss": _local_loss,
    "local_slopes": _local_slopes,
    "glocal_step": _glocal_step,
    "distillation_loss": _distillation_loss,
    "distillation_slopes": _distillation_slopes,
    "rsa_loss": _rsa_loss,
    "rsa_slopes": _rsa_slopes,
    "mixed_slopes": _mixed_slopes,
    "distillation_in_torch": _distillation_in_torch,
    "rsa_in_torch": _rsa_in_torch,
    "training_in_torch": _training_in_torch,
}
