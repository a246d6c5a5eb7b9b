"""What the browser works out, against the package: the tunnel of error consistency, measures of decision regions."""

from types import SimpleNamespace

import numpy as np
import pytest

import erralign
from erralign.behaviour import class_level_error_similarity_from_counts
from erralign.bounds import error_consistency_bounds
from erralign.measures.matrix import kappa
from erralign_book.charts import decision_regions as regions
from erralign_book.charts.class_level_error_similarity import ROWS
from erralign_book.charts.error_consistency import DERIVED


def worked_out(p_a, across, up):
    return evaluated(DERIVED, p_a=p_a, across=across, up=up)


def evaluated(expressions, **values):
    values |= {"abs": abs, "min": min, "max": max, "log": np.log}
    for name, expression in expressions.items():
        values[name] = eval(expression, {}, values)
    return values


@pytest.mark.parametrize(("p_a", "across", "up"), [(0.9, 0.7, 0.64), (0.3, 0.6, 0.3), (0.2, 0.15, 0.7)])
def test_a_pair_has_the_consistency_that_its_tiles_have(p_a, across, up):
    values = worked_out(p_a, across, up)
    assert (values["ec_least"], values["ec_most"]) == pytest.approx(error_consistency_bounds(p_a, across))
    right = values["both_right"]
    assert values["ec_now"] == pytest.approx(float(kappa(1 - p_a - across + right, across - right, p_a - right, right)))


@pytest.mark.parametrize(("up", "end"), [(1, 1), (0, 0)])
def test_a_pair_stops_at_the_walls(up, end):
    values = worked_out(0.9, 0.6, up)
    assert values["ec_now"] == pytest.approx(error_consistency_bounds(0.9, 0.6)[end])
    assert not end or values["both_right"] == pytest.approx(0.6)  # right only where A is


@pytest.mark.parametrize(("n", "dogs"), [(1, (1, 0)), (10, (0.3, 0.8))])
def test_two_rows_have_the_similarity_of_the_package(n, dogs):
    tables = [[[0, round(share * n), round((1 - share) * n)], [0] * 3, [0] * 3] for share in dogs]
    found = evaluated(ROWS, n=n, share_a=dogs[0], share_b=dogs[1])["cles"]
    assert found == pytest.approx(class_level_error_similarity_from_counts(*tables))


def test_measures_of_decision_regions_are_those_of_the_package():
    truth, a, b = np.random.default_rng(1).integers(3, size=(3, 300))
    sums = {}
    for name, test in regions._sums().items():
        python = test.replace("!==", "!=").replace("===", "==").replace("&&", "and")
        rows = (SimpleNamespace(truth=t, a=x, b=y) for t, x, y in zip(truth, a, b, strict=True))
        sums[name] = sum(bool(eval(python, {"datum": row})) for row in rows)
    where = {"datum": SimpleNamespace(**sums)}
    assert eval(regions._EC, where) == pytest.approx(erralign.error_consistency(truth, a, b))
    with_joint_errors = regions._MA.removeprefix("datum.n00 < 0.5 ? null : ")
    assert eval(with_joint_errors, where) == pytest.approx(erralign.misclassification_agreement(truth, a, b))
