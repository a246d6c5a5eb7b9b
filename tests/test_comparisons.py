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


def pairs_in(data_set, conditions):
    """Return every pair in some conditions, looped over: kind, difference of accuracies, architectures, EC."""
    responses = source.read(data_set)
    table = responses.answers.eq(responses.truth, axis=0).loc[list(conditions)]
    right = {name: table[name].to_numpy() for name in table}
    network, architecture = responses.systems["kind"] == "model", source.architectures()
    rows = []
    for a, b in combinations(right, 2):
        gap = abs(int(right[a].sum()) - int(right[b].sum())) / len(table)
        built = [architecture[name] if network[name] else name for name in (a, b)]
        kind = KINDS[int(network[a]) + int(network[b])]
        rows.append((kind, gap, built[0] == built[1], textbook_ec(True, right[a], right[b])))
    return pd.DataFrame(rows, columns=["kind", "gap", "copies", "EC"])


def test_specifications_equal_a_loop(requires_data):
    """One in which strengths are pooled, and one in which they are taken one at a time, from pairs looped over."""
    choice = ["strengths", "pooling", "accuracies", "near-copies"]
    stored = table("xu2024/leads").query("measure == 'EC' and over == @NETWORKS").set_index(choice)
    ways = [("used", "pooled", "within 0.05", 0.05, True)]
    ways += [("all", "one at a time", "any accuracies", np.inf, False)]
    for strengths, pooling, words, tolerance, copies in ways:
        kept = {}
        for data_set in source.data_sets().query("kind == 'synthetic'").index:
            left_out = {} if strengths == "all" else model_vs_human.excluded_conditions()
            every = source.read(data_set).truth.index.unique("condition")
            conditions = [condition for condition in every if (data_set, condition) not in left_out]
            parts = [conditions] if pooling == "pooled" else [[each] for each in conditions]
            pairs = [pairs_in(data_set, part) for part in parts]
            kept[data_set] = [each[(each["gap"] < tolerance) & (copies | ~each["copies"])] for each in pairs]

        gaps = []
        for parts in kept.values():
            means = [pairs.groupby("kind")["EC"].mean() for pairs in parts]
            gaps.append(np.nanmean([each[PEOPLE] - each.get(NETWORKS, np.nan) for each in means]))
        names = ("strengths in use" if strengths == "used" else "all strengths", pooling, words)
        row = stored.loc[(*names, "near-copies in" if copies else "near-copies out")]
        assert row["value"] == pytest.approx(np.mean(gaps), abs=1e-12)
