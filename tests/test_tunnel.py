"""The tunnel of the chapter on error consistency: what the browser works out, against the package."""

import numpy as np
import pytest

from erralign.behaviour.consistency import kappa
from erralign.bounds import error_consistency_bounds
from erralign.planning import simulate_copies
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
