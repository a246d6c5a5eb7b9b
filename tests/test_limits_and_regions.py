"""What the browser works out, against the package: the limit of a partner, measures of decision regions."""

from types import SimpleNamespace

import numpy as np
import pytest

import erralign
from erralign.behaviour import class_level_error_similarity_from_counts
from erralign.measures.matrix import kappa
from erralign_book.charts import decision_regions as regions
from erralign_book.charts.class_level_error_similarity import ROWS
from erralign_book.papers import klein2025


def evaluated(expressions, **values):
    values |= {"abs": abs, "min": min, "max": max, "log": np.log}
    for name, expression in expressions.items():
        values[name] = eval(expression, {}, values)
    return values


@pytest.mark.parametrize("data_set", ["cue-conflict", "edges", "silhouettes"])
def test_a_partner_has_the_largest_consistency_that_its_failures_have(data_set):
    """Each network has its limit, with failures that include those of each person or lie among them."""
    systems = klein2025.systems_with_people().query("data_set == @data_set").set_index("accuracy")
    are_people = systems["group"] == "people"
    people = systems.index[are_people].to_numpy()
    for b, largest in systems.loc[~are_people, "largest"].items():
        both_right = np.minimum(people, b)
        ec = kappa(1 - people - b + both_right, b - both_right, people - both_right, both_right)
        assert np.mean(ec) == pytest.approx(largest)


def test_partners_are_as_accurate_as_some_that_were_trained_on_more_data():
    systems, partners = klein2025.systems_with_people(), klein2025.as_accurate()
    for data_set, some in partners.groupby("data_set"):
        larger = systems[(systems["data_set"] == data_set) & (systems["group"] == klein2025.LARGER)]
        assert some["accuracy"].between(*larger["accuracy"].agg(["min", "max"])).all()
        assert not set(some["system"]) & set(larger["system"])


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
