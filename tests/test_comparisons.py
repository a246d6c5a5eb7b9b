"""People, networks and mixed pairs: tables against loops, and the findings that the pages state in words."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from textbook import textbook_ec

from erralign.datasets import model_vs_human
from erralign.datasets import xu2024 as source
from erralign_book.cells import table

KINDS = PEOPLE, MIXED, NETWORKS = "human-human", "model-human", "model-model"


def pairs_in(responses, conditions):
    """Return every pair in some conditions, looped over: kind, difference of accuracies, EC."""
    table = responses.answers.eq(responses.truth, axis=0).loc[list(conditions)]
    right = {name: table[name].to_numpy() for name in table}
    network = responses.systems["kind"] == "model"
    rows = []
    for a, b in combinations(right, 2):
        gap = abs(int(right[a].sum()) - int(right[b].sum())) / len(table)
        rows.append((KINDS[int(network[a]) + int(network[b])], gap, textbook_ec(True, right[a], right[b])))
    return pd.DataFrame(rows, columns=["kind", "gap", "EC"])


def test_a_specification_equals_a_loop(requires_data):
    """The one in which the strengths in use are pooled, and pairs are about as accurate as each other."""
    left_out = model_vs_human.excluded_conditions()
    gaps = []
    for data_set in source.data_sets().query("kind == 'synthetic'").index:
        responses = source.read(data_set)
        used = [each for each in responses.truth.index.unique("condition") if (data_set, each) not in left_out]
        means = pairs_in(responses, used).query("gap < 0.05").groupby("kind")["EC"].mean()
        gaps.append(means[PEOPLE] - means[NETWORKS])
    ways = ["strengths", "pooling", "accuracies", "near-copies"]
    stored = table("xu2024/leads").query("measure == 'EC' and over == @NETWORKS").set_index(ways)["value"]
    found = stored.loc["strengths in use", "pooled", "within 0.05", "near-copies in"]
    assert found == pytest.approx(np.mean(gaps), abs=1e-12)
