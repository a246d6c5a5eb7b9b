"""The six tests of a measure score as ReSi's release does, ties and nan included, and as its paper says.

``resi_scoring.json`` holds matrices with the scores of the release (April 2025) and, for the paper's wording, those of
an implementation other than ours.
"""

import json
import math
from operator import itemgetter
from pathlib import Path

import numpy as np
import pytest

from erralign import grounding

EXAMPLES = json.loads(Path(__file__).with_name("resi_scoring.json").read_text())
DIFFERENCES = {"Disagreement": "disagreement", "JSD": "jsd", "AbsoluteAccDiff": "accuracy_difference"}


def array(rows):
    return np.array([[float(value) for value in row] for row in rows])


def same(expected):
    return pytest.approx(float(expected), rel=0, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("example", EXAMPLES["groups"], ids=itemgetter("name"))
def test_scores_of_groups(example):
    sizes = example["group_sizes"]
    arguments = array(example["similarity"]), np.repeat([f"group {i}" for i in range(len(sizes))], sizes)
    options = {"larger_is_more_similar": example["larger_is_more_similar"]}
    released = example["expected_released"]
    assert grounding.group_precision(*arguments, **options) == same(released["auprc"])
    assert grounding.group_conformity(*arguments, **options) == same(released["conformity_rate"])


@pytest.mark.parametrize("example", EXAMPLES["layers"], ids=itemgetter("name"))
def test_scores_of_layers(example):
    values, options = array(example["similarity"]), {"larger_is_more_similar": example["larger_is_more_similar"]}
    released = example["expected_released"]
    assert grounding.layer_conformity(values, **options) == same(released["conformity_rate"])
    assert grounding.layer_correlation(values, **options) == same(released["spearman"])


@pytest.mark.parametrize("example", EXAMPLES["differences"], ids=itemgetter("name"))
def test_correlations_to_differences(example):
    values = array(example["similarity"])
    options = {name: example[name] for name in ("larger_is_more_similar", "is_symmetric")}
    for name, key in DIFFERENCES.items():
        found = grounding.correlation_to_differences(values, array(EXAMPLES["systems"]["functional"][key]), **options)
        released = example["expected_released"]  # none where one pair is left: there the release fails
        assert found == same("nan" if released is None else released[name]["spearman"])


@pytest.mark.parametrize("example", EXAMPLES["outputs"], ids=itemgetter("name"))
def test_differences_of_outputs(example):
    outputs = array(example["logits_a"]), array(example["logits_b"])
    assert grounding.disagreement(*outputs) == same(example["disagreement"])
    assert grounding.output_divergence(*outputs) == same(example["jsd"])


@pytest.mark.parametrize("layout", EXAMPLES["chance"])
def test_chance_of_precision(layout):
    expected, groups = EXAMPLES["chance"][layout], np.repeat(np.arange(int(layout[0])), 5)
    chance = grounding.precision_by_chance(groups)
    assert chance.random == same(expected["expected_auprc_random_ranking"])
    assert chance.constant == same(expected["auprc_if_constant"])


def test_a_group_of_one_has_no_chance_level():
    assert all(map(math.isnan, grounding.precision_by_chance([0, 1, 1])))
