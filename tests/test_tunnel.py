"""What the browser works out, against the package: the tunnel of error consistency, measures of decision regions."""

from types import SimpleNamespace

import numpy as np
import pytest

import erralign
from erralign.behaviour.consistency import kappa
from erralign.bounds import error_consistency_bounds
from erralign.planning import simulate_copies
from erralign_book.charts import decision_regions as regions
from erralign_book.charts.error_consistency import DERIVED


def worked_out(p_a, across, up):
    values = {"p_a": p_a, "across": across, "up": up, "abs": abs, "min": min, "max": max}
    for name, expression in DERIVED.items():
        values[name] = eval(expression, {}, values)
    return values


@pytest.mark.parametrize(("p_a", "across", "up"), [(0.9, 0.7, 0.64), (0.3, 0.6, 0.55), (0.2, 0.15, 0.8)])
def test_copying_as_the_page_says_leads_to_the_pair(p_a, across, up):
    values = worked_out(p_a, across, up)
    assert (values["ec_least"], values["ec_most"]) == pytest.approx(error_consistency_bounds(p_a, across))
    assert across == pytest.approx(values["copied"] * p_a + (1 - values["copied"]) * values["alone"])
    shares = simulate_copies(10**7, values["copied"], p_a, across, n_sets=1)[0] / 1e7
    assert values["ec_now"] == pytest.approx(float(kappa(*shares.ravel())), abs=0.002)
    assert values["both_wrong"] == pytest.approx(shares[0, 0], abs=0.001)


@pytest.mark.parametrize(("up", "end", "alone"), [(1, 1, 0), (0, 0, None)])
def test_a_pair_stops_at_the_walls(up, end, alone):
    """At the upper one a less accurate system is right only where it copies."""
    values = worked_out(0.9, 0.6, up)
    assert values["ec_now"] == pytest.approx(error_consistency_bounds(0.9, 0.6)[end])
    assert alone is None or np.isclose(values["alone"], alone)


def test_measures_of_decision_regions_are_those_of_the_package():
    truth, a, b = np.random.default_rng(1).integers(3, size=(3, 300))
    sums = {}
    for name, test in regions._sums().items():
        python = test.replace("!==", "!=").replace("===", "==").replace("&&", "and")
        sums[name] = sum(
            bool(eval(python, {"datum": SimpleNamespace(truth=t, a=x, b=y)}))
            for t, x, y in zip(truth, a, b, strict=True)
        )
    where = {"datum": SimpleNamespace(**sums)}
    assert eval(regions._EC, where) == pytest.approx(erralign.error_consistency(truth, a, b))
    with_joint_errors = regions._MA.removeprefix("datum.n00 < 0.5 ? null : ")
    assert eval(with_joint_errors, where) == pytest.approx(erralign.misclassification_agreement(truth, a, b))
