"""The lesson on the six tests: its charts, single groups, intervals over seeds."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from erralign import grounding
from erralign_book.charts.what_should_a_good_measure_notice import ranks_of_pairs
from erralign_book.papers.klabunde2024 import scored, seed_intervals
from erralign_book.papers.klabunde2024.scored import COLUMNS, Setting, World, precision_by_group

RNG = np.random.default_rng(0)
GROUPS = np.repeat(["a", "b", "c"], 5)
ONE = {"domain": "graphs", "data": "Cora", "test": "shortcuts", "score": "AUPRC"}


def symmetric(values):
    return (values + values.T) / 2


# --- single groups ---------------------------------------------------------------------------------------------------


def test_single_groups_average_to_the_score_of_all_and_a_group_of_one_has_none():
    values = symmetric(RNG.random((15, 15)))
    for larger in (True, False):
        each = grounding.precision_of_each(values, GROUPS, larger_is_more_similar=larger)
        together = grounding.group_precision(values, GROUPS, larger_is_more_similar=larger)
        assert list(each) == ["a", "b", "c"]
        assert np.mean([*each.values()]) == pytest.approx(together, abs=1e-12)
    each = grounding.precision_of_each(symmetric(RNG.random((4, 4))), ["a", "a", "b", "a"])
    assert np.isnan(each["b"])
    assert 0 < each["a"] <= 1


def rows_of(values):
    a, b = np.triu_indices(15, 1)
    group = np.repeat([0, 1, 2], 5)
    zero = np.zeros_like(a)
    places = np.column_stack([zero, a, b, group[a], group[b], zero, zero])
    accuracies = np.column_stack([0.9 - 0.3 * group[a], 0.9 - 0.3 * group[b]])
    table = np.tile(values[a, b][:, None], len(COLUMNS))
    table[:, COLUMNS.index("accuracy")] = np.abs(accuracies[:, 0] - accuracies[:, 1])
    return {"setting": zero, "places": places, "accuracies": accuracies, "values": table, "turned": table[:, :2]}


def test_accuracy_alone_finds_groups_that_differ_in_nothing_else():
    world = World("graphs", "Cora", (Setting("GCN", 0, "shortcuts"),), {"shortcuts": ("0%", "50%", "100%")})
    values = symmetric(RNG.random((15, 15)))
    found = precision_by_group(world, rows_of(values)).set_index(["measure", "group"])["value"]
    assert found["accuracy"].tolist() == [1, 1, 1]
    for measure, larger in (("CKA", True), ("OrthProc", False)):
        expected = grounding.precision_of_each(values, GROUPS, larger_is_more_similar=larger)
        assert found[measure].tolist() == pytest.approx(list(expected.values()))


def test_what_measures_say_of_two_orders_comes_back_as_it_was():
    found = {short: RNG.random((4, 4)) for short in scored.OF_REPRESENTATIONS}
    rows = scored._rows(found, [(0, 1, 0.9), (0, 2, 0.8), (1, 1, 0.7), (1, 2, 0.6)], 0)
    (back,) = scored.matrices_of(rows)
    assert (back.groups.tolist(), back.seeds.tolist()) == ([0, 0, 1, 1], [1, 2, 1, 2])
    assert back.accuracies.tolist() == [0.9, 0.8, 0.7, 0.6]
    for short, values in found.items():
        upper = np.triu(values, 1)
        expected = values if short in scored.ASYMMETRIC else upper + upper.T
        np.testing.assert_array_equal((back.values[short])[~np.eye(4, dtype=bool)], expected[~np.eye(4, dtype=bool)])


# --- seeds -----------------------------------------------------------------------------------------------------------


def interval(values, networks):
    table = pd.DataFrame({"value": values, "network": networks, "seed_set": range(len(values))})
    return seed_intervals(table.assign(measure="CKA", chance=0.2186, constant=1 / 6, **ONE)).iloc[0]


def test_interval_is_that_of_students_test_and_architectures_may_differ():
    values, networks = np.array([0.41, 0.47, 0.52]), ["GCN"] * 3 + ["GAT"] * 3
    one = interval(values, networks[:3])
    near, far = (interval([*values, *others], networks) for others in (values, values + 0.3))
    expected = stats.ttest_1samp(values, 0).confidence_interval()
    assert (one["low"], one["high"]) == pytest.approx(tuple(expected), abs=1e-12)
    assert far["high"] - far["low"] == pytest.approx(near["high"] - near["low"])
    assert far["value"] == pytest.approx(near["value"] + 0.15)


def test_intervals_end_where_scores_do_and_need_two_seed_sets():
    assert interval([0.9, 1.0, 1.0], ["GCN"] * 3)["high"] == 1
    assert np.isnan(interval([0.5, 0.6], ["GCN", "GAT"])["low"])
    known = interval([0.5, np.nan, 0.6], ["GCN"] * 3)
    assert (known["n_scores"], known["value"]) == (2, pytest.approx(0.55))


# --- charts ----------------------------------------------------------------------------------------------------------


def test_ranks_go_from_the_least_alike_to_the_most():
    for larger in (True, False):
        ranks = ranks_of_pairs(symmetric(RNG.random((6, 6))), larger_is_more_similar=larger)
        assert (np.nanmin(ranks), np.nanmax(ranks)) == (0, 1)
        assert np.isnan(ranks.diagonal()).all()
    for values in (np.ones((4, 4)), np.full((4, 4), np.nan)):  # of a constant or undefined measure too
        assert not np.isinf(ranks_of_pairs(values)).any()
