"""Klabunde et al. (2024): the six tests score as ReSi's release does, and what the paper's tables say of each other.

``resi_scoring.json`` holds matrices with the scores of the release (April 2025) and, for the paper's wording, those of
an implementation other than ours.
"""

import json
import math
from operator import itemgetter
from pathlib import Path

import numpy as np
import pytest

import erralign
from erralign import resi_tests
from erralign.measures import OF_REPRESENTATIONS
from erralign_book.papers import klabunde2024, published
from erralign_book.papers.klabunde2024 import scored
from erralign_book.papers.klabunde2024.graphs import SEED_SETS
from erralign_book.papers.klabunde2024.scored import (
    COLUMNS,
    OF_BEHAVIOUR,
    Setting,
    World,
    precision_by_group,
)

EXAMPLES = json.loads(Path(__file__).with_name("resi_scoring.json").read_text())
DIFFERENCES = {"Disagreement": "disagreement", "JSD": "jsd", "AbsoluteAccDiff": "accuracy_difference"}


def array(rows):
    return np.array([[float(value) for value in row] for row in rows])


def same(expected):
    return pytest.approx(float(expected), rel=0, abs=1e-12, nan_ok=True)


OF_GROUPS = {"auprc": resi_tests.group_precision, "conformity_rate": resi_tests.group_conformity}
OF_LAYERS = {"conformity_rate": resi_tests.layer_conformity, "spearman": resi_tests.layer_correlation}


@pytest.mark.parametrize("example", EXAMPLES["groups"] + EXAMPLES["layers"], ids=itemgetter("name"))
def test_scores_of_groups_and_of_layers(example):
    sizes, values = example.get("group_sizes"), array(example["similarity"])
    groups = [np.repeat([f"group {i}" for i in range(len(sizes))], sizes)] if sizes else []
    for name, score in (OF_GROUPS if groups else OF_LAYERS).items():
        found = score(values, *groups, larger_is_more_similar=example["larger_is_more_similar"])
        assert found == same(example["expected_released"][name]), name


@pytest.mark.parametrize("example", EXAMPLES["differences"], ids=itemgetter("name"))
def test_correlations_to_differences(example):
    values = array(example["similarity"])
    options = {name: example[name] for name in ("larger_is_more_similar", "is_symmetric")}
    for name, key in DIFFERENCES.items():
        found = resi_tests.correlation_to_differences(values, array(EXAMPLES["systems"]["functional"][key]), **options)
        released = example["expected_released"]  # none where one pair is left: there the release fails
        assert found == same("nan" if released is None else released[name]["spearman"])


@pytest.mark.parametrize("example", EXAMPLES["outputs"], ids=itemgetter("name"))
def test_differences_of_outputs(example):
    outputs = array(example["logits_a"]), array(example["logits_b"])
    assert resi_tests.disagreement(*outputs) == same(example["disagreement"])
    assert resi_tests.output_divergence(*outputs) == same(example["jsd"])


@pytest.mark.parametrize("layout", EXAMPLES["chance"])
def test_chance_of_precision(layout):
    expected, groups = EXAMPLES["chance"][layout], np.repeat(np.arange(int(layout[0])), 5)
    chance = resi_tests.precision_by_chance(groups)
    assert chance.random == same(expected["expected_auprc_random_ranking"])
    assert chance.constant == same(expected["auprc_if_constant"])


def test_a_group_of_one_has_no_chance_level():
    assert all(map(math.isnan, resi_tests.precision_by_chance([0, 1, 1])))


# --- the lesson on the six tests --------------------------------------------------------------------------------------


RNG = np.random.default_rng(0)
GROUPS = np.repeat(["a", "b", "c"], 5)


def symmetric(values):
    return (values + values.T) / 2


# --- single groups ---------------------------------------------------------------------------------------------------


def test_single_groups_average_to_the_score_of_all_and_a_group_of_one_has_none():
    values = symmetric(RNG.random((15, 15)))
    for larger in (True, False):
        each = resi_tests.precision_of_each(values, GROUPS, larger_is_more_similar=larger)
        together = resi_tests.group_precision(values, GROUPS, larger_is_more_similar=larger)
        assert list(each) == ["a", "b", "c"]
        assert np.mean([*each.values()]) == pytest.approx(together, abs=1e-12)
    each = resi_tests.precision_of_each(symmetric(RNG.random((4, 4))), ["a", "a", "b", "a"])
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
        expected = resi_tests.precision_of_each(values, GROUPS, larger_is_more_similar=larger)
        assert found[measure].tolist() == pytest.approx(list(expected.values()))


def test_what_measures_say_of_two_orders_comes_back_as_it_was():
    found = {short: RNG.random((4, 4)) for short in scored.OF_REPRESENTATIONS}
    (back,) = scored.matrices_of(scored._rows(found, [(0, 1, 0.9), (0, 2, 0.8), (1, 1, 0.7), (1, 2, 0.6)], 0))
    assert (back.groups.tolist(), back.seeds.tolist()) == ([0, 0, 1, 1], [1, 2, 1, 2])
    assert back.accuracies.tolist() == [0.9, 0.8, 0.7, 0.6]
    apart = ~np.eye(4, dtype=bool)
    for short, values in found.items():
        expected = values if short in scored.ASYMMETRIC else np.triu(values) + np.triu(values).T
        np.testing.assert_array_equal(back.values[short][apart], expected[apart])


# --- on Cora, from the frozen table -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_test_has_a_score_of_every_measure():
    scores = klabunde2024.scores("graphs")
    assert scores["test"].unique().tolist() == list(klabunde2024.TESTS)
    for (test, _), part in scores.groupby(["test", "score"]):
        expected = set(OF_REPRESENTATIONS) | (set() if test == "layers" else set(OF_BEHAVIOUR))
        assert set(part["measure"]) == expected
        assert len(part) == len(expected) * sum(SEED_SETS.values())


@pytest.mark.slow
def test_pass_rates_under_shuffling_are_those_of_a_simulation(rng):
    both = klabunde2024.cora_comparison()
    columns = both.groupby(["test", "score", "network"])
    means = [_passes(part.assign(printed=rng.permutation(part["printed"]))) for _ in range(100) for _, part in columns]
    assert both["shuffled"].mean() == pytest.approx(np.sum(means) / 100 / len(both), abs=0.005)
    assert both["within"].sum() == sum(_passes(part) for _, part in columns)
    by_test = both.groupby("test")[["within", "shuffled"]].mean()
    assert by_test.loc["accuracy difference", "within"] < by_test.loc["accuracy difference", "shuffled"]


def _passes(part):
    undefined = part["printed"].isna() & part["mean"].isna()
    return (((part["printed"] - part["mean"]).abs() <= part["half"]) | undefined).sum()


# --- the paper's tables -----------------------------------------------------------------------------------------------


NOT_IN_TABLE_3 = {
    ("IMD", "accuracy difference", "vision"): (0.16, 0.167),
    ("IMD", "output difference", "vision"): (-0.10, -0.110),
    ("LinReg", "accuracy difference", "vision"): (0.18, 0.187),
    ("RSMDiff", "layers", "language"): (0.84, np.nan),
}


def test_table_3_follows_from_the_others_but_for_four_cells():
    overview = klabunde2024.overview()
    assert len(overview) == len(published.published().query("paper == 'klabunde2024' and item == 'Table 3'"))
    others = overview[~overview["agrees"]].set_index(["measure", "test", "domain"])[["printed", "there"]]
    np.testing.assert_equal({place: tuple(row) for place, row in others.iterrows()}, NOT_IN_TABLE_3)


# --- which changes leave a measure as it is ---------------------------------------------------------------------------


def test_what_holds_is_what_the_registry_says():
    for seed in range(4):
        for row in klabunde2024.invariances(rng=seed).itertuples():
            assert row.holds == (row.change in erralign.MEASURES[row.measure].invariances), (row.measure, row.change)
            assert not row.holds or (row.first and row.second)


def test_the_release_declares_three_changes_that_matter_and_not_four_that_do_not():
    table = klabunde2024.invariances()
    wrong, modest = table.query("declared and not holds"), table.query("holds and not declared")
    assert set(zip(wrong["measure"], wrong["change"], strict=True)) == {
        ("PWCCA", "translation"), ("RSA", "translation"), ("SVCCA", "isotropic scaling")
    }  # fmt: skip
    assert set(zip(modest["measure"], modest["change"], strict=True)) == {
        ("AlignCos", "isotropic scaling"), ("DistCorr", "isotropic scaling"),
        ("LinReg", "translation"), ("RSMDiff", "translation"),
    }  # fmt: skip
