"""Klabunde et al. (2024): the six tests score as ReSi's release does, and what our networks scored.

``resi_scoring.json`` holds matrices with the scores of the release (April 2025) and, for the paper's wording, those of
an implementation other than ours.
"""

import json
import math
from operator import itemgetter
from pathlib import Path

import numpy as np
import pytest

from benchmarks.klabunde2024 import pairs as klabunde2024
from benchmarks.klabunde2024.record import Trained
from erralign import resi_tests
from erralign.measures import OF_REPRESENTATIONS
from erralign_book.cells import table

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


# --- single groups ---------------------------------------------------------------------------------------------------


RNG = np.random.default_rng(0)
GROUPS = np.repeat(["a", "b", "c"], 5)


def symmetric(values):
    return (values + values.T) / 2


def test_single_groups_average_to_the_score_of_all_and_a_group_of_one_has_none():
    values = symmetric(RNG.random((15, 15)))
    for larger in (True, False):
        each = resi_tests.precision_of_each(values, GROUPS, larger_is_more_similar=larger)
        together = resi_tests.group_precision(values, GROUPS, larger_is_more_similar=larger)
        assert list(each) == ["a", "b", "c"]
        assert np.mean([*each.values()]) == pytest.approx(together, abs=1e-12)
    each = resi_tests.precision_of_each(symmetric(RNG.random((4, 4))), ["a", "a", "b", "a"])
    assert np.isnan(each["b"])
    assert all(map(math.isnan, resi_tests.precision_by_chance([0, 1, 1])))
    assert 0 < each["a"] <= 1


# --- all pairs of networks, and what they score -----------------------------------------------------------------------


def network(seed):
    labels, logits = np.arange(4) % 2, RNG.normal(size=(4, 2))
    return Trained(f"group {seed % 2}", seed, labels, logits, (RNG.normal(size=(4, 3)),))


def test_a_table_of_pairs_has_what_the_measures_say_of_both_orders():
    found = {short: RNG.random((4, 4)) for short in OF_REPRESENTATIONS}
    models = [network(seed) for seed in range(4)]
    rows = klabunde2024.rows(klabunde2024.Setting("GCN", 1, "shortcuts"), models, found)
    assert set(rows["network"]) == {"GCN"}
    assert set(rows["seed_set"]) == {1}
    assert set(rows["test"]) == {"shortcuts"}
    for place, (a, b) in enumerate(zip(rows["a"], rows["b"], strict=True)):
        for end, one in (("a", a), ("b", b)):
            assert rows[f"group_{end}"][place] == models[one].group
            assert (rows[f"seed_{end}"][place], rows[f"accuracy_{end}"][place]) == (one, models[one].accuracy)
        for short, values in found.items():
            assert rows[short][place] == values[a, b]
            if short in klabunde2024.ASYMMETRIC:
                assert rows[f"{short}, turned"][place] == values[b, a]


def test_accuracy_alone_finds_groups_as_the_chapter_scores_it():
    """One score of the frozen table from the pairs, by scikit-learn's average precision."""
    metrics = pytest.importorskip("sklearn.metrics")
    every = table("klabunde2024/graph_pairs.npz")
    its = (every["network"] == "SAGE") & (every["seed_set"] == 1) & (every["test"] == "shortcuts")
    inside = its & (every["group_a"] == every["group_b"])
    by_group = table("klabunde2024/scores_by_group").query(
        "data == 'Cora' and network == 'SAGE' and seed_set == 1 and test == 'shortcuts'"
    )
    for row in by_group.itertuples():
        chosen = its & ((every["group_a"] == row.group) | (every["group_b"] == row.group))
        for name, sign in (("CKA", 1), ("OrthProc", -1), ("accuracy", -1)):
            expected = metrics.average_precision_score(inside[chosen], sign * every[name][chosen])
            assert getattr(row, name) == pytest.approx(expected, abs=1e-6)
