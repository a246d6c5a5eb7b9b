"""Intervals hold the truth as often as they promise."""

import numpy as np
import pytest
from scipy.stats import binomtest, norm
from textbook import kappa

from erralign.resampling import error_consistency_limits
from erralign_book.simulations import coverage
from erralign_book.simulations.coverage import worlds


@pytest.mark.parametrize(("accuracy_a", "accuracy_b", "ec"), [(0.5, 0.5, 0.3), (0.98, 0.9, 0.0), (0.99, 0.75, 0.3)])
def test_cells_have_the_accuracies_and_the_consistency(accuracy_a, accuracy_b, ec):
    cells = worlds.cells_of_two(accuracy_a, accuracy_b, ec)
    assert cells.sum() == pytest.approx(1)
    assert (cells[2] + cells[3], cells[1] + cells[3]) == pytest.approx((accuracy_a, accuracy_b))
    assert (
        kappa(cells) == pytest.approx(min(ec, 0.0588235294), abs=1e-9)
        if accuracy_a == 0.99
        else kappa(cells) == pytest.approx(ec)
    )


def test_the_default_covers_where_the_percentile_interval_fails():
    """One live cell of the study: accuracies .98 and .9, 160 trials, independent; 0.3 joint errors expected."""
    cells = worlds.cells_of_two(0.98, 0.9, 0.0)
    tables = np.random.default_rng(8).multinomial(160, cells, size=1000)
    held = dict.fromkeys(("dirichlet", "percentile"), 0)
    for table in tables:
        for method in held:
            low, high, _ = error_consistency_limits(table.reshape(2, 2), method=method, n_resamples=500)
            held[method] += low <= 0 <= high
    assert binomtest(held["dirichlet"], 1000, 0.93, alternative="less").pvalue > 0.001
    assert binomtest(held["percentile"], 1000, 0.93, alternative="less").pvalue < 1e-6


@pytest.mark.parametrize("accuracies", [(0.7, 0.9, 0.8), (0.97, 0.5, 0.99)])
def test_cells_of_many_are_those_of_a_simulation(accuracies):
    cells = worlds.cells_of_many(accuracies, (0.6, 0.6, 0.2))
    rng = np.random.default_rng(0)
    difficulty = rng.standard_normal(400_000)
    right = [
        loading * difficulty + np.sqrt(1 - loading**2) * rng.standard_normal(400_000) < norm.ppf(accuracy)
        for accuracy, loading in zip(accuracies, (0.6, 0.6, 0.2), strict=True)
    ]
    drawn, _ = np.histogramdd(np.transpose(right).astype(float), bins=[2, 2, 2])
    np.testing.assert_allclose(cells, drawn / 400_000, atol=0.003)


def test_near_the_ends_of_the_scale_agreement_needs_thirty_joint_errors():
    held = coverage.agreement_near_the_ends().groupby("joint_errors")["coverage"]
    assert held.max()[5] < 0.92
    # Three standard errors of 4,000 simulated data sets, .0034 each.
    assert (held.get_group(30) - 0.95).abs().max() < 3 * 0.0034


def test_where_pictures_share_material_clusters_keep_what_independent_pictures_do_not():
    """Three standard errors of 400 simulated data sets are .033."""
    held = coverage.clusters().set_index(["material", "errors", "value", "clusters"])["coverage"]
    held = held.rename({"ten textures": "ten"}, level="material").unstack("clusters")
    many = held.xs("many", level="errors").drop("ten", level="material")
    few = held.xs("few", level="errors")
    assert many[True].min() > 0.95 - 2 * 0.033
    assert few[True].min() > 0.83
    assert held.loc["ten", True].min() > 0.8
    assert many.loc["much", False].min() < 0.7
    # Where nothing is shared, clusters cost little.
    assert (held.loc["nothing", True] - held.loc["nothing", False]).max() < 0.03


def test_without_clusters_standard_errors_are_too_small_by_what_pictures_share():
    table = coverage.clusters().query("errors == 'many' and value == 'EC' and not clusters").set_index("material")
    expected = {"nothing": 1.0, "little": 1.16, "more": 1.4, "much": 1.66}
    for material, factor in expected.items():
        assert table.loc[material, "inflation"] == pytest.approx(factor, abs=0.13)
