"""Textbook forms, at most ten lines each, written from the papers and not from the package."""

import numpy as np
from scipy.spatial.distance import jensenshannon
from scipy.stats import t


def kappa(cells):
    both_wrong, only_b, only_a, both_right = cells
    n = sum(cells)
    p, q = (both_right + only_a) / n, (both_right + only_b) / n
    expected = p * q + (1 - p) * (1 - q)
    return ((both_right + both_wrong) / n - expected) / (1 - expected)


def textbook_ec(truth, a, b):
    return kappa(np.bincount(2 * (a == truth) + (b == truth), minlength=4))


def textbook_ma(truth, a, b):
    joint = (a != truth) & (b != truth) & (a >= 0) & (b >= 0)
    a, b = a[joint], b[joint]
    observed = np.mean(a == b)
    expected = sum(np.mean(a == k) * np.mean(b == k) for k in np.union1d(a, b))
    return (observed - expected) / (1 - expected)


def agreement_of_others(truth, a, b):
    """Take the chance of MA over pairs of different joint errors, so that it is not too high where errors are few."""
    both = [(x, y) for t, x, y in zip(truth, a, b, strict=True) if t not in (x, y) and min(x, y) >= 0]
    others = [x == y for i, (x, _) in enumerate(both) for j, (_, y) in enumerate(both) if i != j]
    if not others or all(others):
        return np.nan
    chance = np.mean(others)
    return (np.mean([x == y for x, y in both]) - chance) / (1 - chance)


def agreement_by_options(truth, a, b, options, weight=1.0):
    """Take the chance of MA from how many options each trial has."""
    joint = weight * ((a != truth) & (b != truth) & (a >= 0) & (b >= 0))
    same, chance = joint @ (a == b), joint @ (1 / (options - 1))
    return (same - chance) / (joint.sum() - chance)


def jackknife_error(function, n):
    """Return the standard error of a function of the places of n trials, by leaving out each; and t times as much."""
    moved = np.array([function(np.delete(np.arange(n), i)) for i in range(n)])
    moved -= moved.mean()
    error, free = np.sqrt((n - 1) / n * moved @ moved), (moved @ moved) ** 2 / (moved**4).sum() - 1
    return error, t.ppf(0.975, free) * error


def released_divergence(row_a, row_b, true_class, alpha):
    row_a, row_b = np.delete(row_a, true_class), np.delete(row_b, true_class)
    p, q, pooled = ((row + alpha) / (row + alpha).sum() for row in (row_a, row_b, row_a + row_b))
    return (np.sum(p * np.log(p / pooled)) + np.sum(q * np.log(q / pooled))) / 2


def printed_divergence(row_a, row_b, true_class, alpha):
    p, q = ((row + alpha) / (row + alpha).sum() for row in (row_a, row_b))
    return jensenshannon(p, q) ** 2


def textbook_cles(truth, a, b, n_classes, alpha=0.5, variant="released"):
    divergence = released_divergence if variant == "released" else printed_divergence
    distance = total = 0
    for c in range(n_classes):
        wrong = [[np.sum((truth == c) & (answers == k) & (k != c)) for k in range(n_classes)] for answers in (a, b)]
        distance += np.sum(wrong) * divergence(*np.array(wrong), c, alpha)
        total += np.sum(wrong)
    return 1 / (1 + distance / (1 if variant == "printed-unnormalised" else total))


def cues_named(said, shapes, textures, n_classes=16):
    """Count by shape, of pictures with another texture: answers that name the shape, the texture, and all."""
    counts = np.zeros((n_classes, 3))
    for answers in said:
        for answer, shape, texture in zip(answers, shapes, textures, strict=True):
            counts[shape] += (answer == shape, answer == texture, 1) if shape != texture else (0, 0, 0)
    return counts
