"""The explorer of the chapter on error consistency: its intervals and its expressions against the package."""

import numpy as np
import pytest

from erralign.behaviour.consistency import kappa
from erralign.bounds import error_consistency_bounds
from erralign.planning import expected_table, simulate_copies
from erralign.resampling import error_consistency_limits
from erralign_book.charts.error_consistency import DERIVED, copy_grid

# The grid takes seconds: one worker computes it.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def grid():
    return copy_grid().set_index(["a", "alone", "copied", "trials"])


@pytest.mark.parametrize(("a", "alone", "copied", "trials"), [(15, 15, 5, 1280), (11, 11, 0, 400), (15, 5, 0, 160)])
def test_intervals_are_those_of_the_package(grid, a, alone, copied, trials):
    """Settings at which the expected counts are whole numbers."""
    b = (copied * a + (10 - copied) * alone) / 200
    ec = (copied / 10) * 2 * (a / 20) * (1 - a / 20) / (a / 20 * (1 - b) + b * (1 - a / 20))
    counts = trials * expected_table(ec, a / 20, b)
    assert counts == pytest.approx(counts.round())
    limits = error_consistency_limits(counts.round(), n_resamples=50_000)[:2]
    assert grid.loc[(a, alone, copied, trials)].tolist() == pytest.approx(limits, abs=0.02)


def test_a_chart_can_carry_the_grid(grid):
    assert grid.index.is_unique
    assert len(grid) <= 5000
    assert (grid["low"] < grid["high"]).all()
    assert (grid.xs(10, level="copied")["high"] == 1).all()
    # What it leaves out, accuracies of A below one half, is the mirror image of what it holds.
    mirrored = expected_table(0.2, 0.35, 0.45)[::-1, ::-1]
    assert mirrored == pytest.approx(expected_table(0.2, 0.65, 0.55))


@pytest.mark.parametrize(("a", "alone", "copied"), [(0.75, 0.55, 0.4), (0.95, 0.05, 0.9), (0.25, 0.65, 0.2)])
def test_expressions_of_the_browser_agree_with_the_package(a, alone, copied):
    values = {"accuracy_of_a": a, "accuracy_alone": alone, "copied": copied, "abs": abs}
    for name, expression in DERIVED.items():
        values[name] = eval(expression, {}, values)
    b = values["accuracy_of_b"]
    shares = simulate_copies(10**7, copied, a, b, n_sets=1)[0] / 1e7
    assert values["ec_now"] == pytest.approx(float(kappa(*shares.ravel())), abs=0.002)
    assert values["observed_now"] == pytest.approx(np.trace(shares), abs=0.001)
    assert values["expected_now"] == pytest.approx(a * b + (1 - a) * (1 - b))
    assert (values["ec_least"], values["ec_most"]) == pytest.approx(error_consistency_bounds(a, b))
