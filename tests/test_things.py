"""THINGS, Cora and SST-2: rows are where their lists have them, and as many as their releases state."""

import pickle

import numpy as np
import pytest

from benchmarks.klabunde2024 import planetoid
from benchmarks.klabunde2024.sst2 import sst2
from erralign._validation import DataError
from erralign.datasets.archives import open_member
from erralign.triplets import pair_similarities
from erralign_book.datasets import things


def test_the_union_is_made_unique(requires_data):
    triplets = things.triplets()
    assert len(triplets) == len(np.unique(triplets, axis=0)) == 317_049


# --- what a number means: where two orders of objects differ ----------------------------------------------------------

MOVED = things.objects_sorted_by(str.upper) != np.arange(things.N_OBJECTS)


def test_numbers_of_triplets_asked_often_mean_what_we_think(requires_data):
    """Where people agree, VICE is sure."""
    table = things.repeated_triplets()
    triplets = table[["first", "second", "third"]].to_numpy()
    sure = np.ptp(np.sort(pair_similarities(things.embedding("VICE"), triplets))[:, 1:], axis=1)
    moved = MOVED[triplets].any(axis=1)
    agree = [np.corrcoef(sure[its], table["most_frequent"][its])[0, 1] for its in (moved, ~moved)]
    assert agree[0] > agree[1] - 0.05 > 0.5


def test_the_order_of_48_objects(requires_data):
    """Of choices that SPoSE predicts, the share in which a pair stays together is how alike people find it."""
    objects, matrix = things.forty_eight()
    odds = np.exp(things.embedding("SPoSE")[objects] @ things.embedding("SPoSE")[objects].T)
    predicted = []
    for i, j in zip(*np.triu_indices(48, 1), strict=True):
        others = np.delete(np.arange(48), [i, j])
        predicted.append(np.mean(odds[i, j] / (odds[i, j] + odds[i, others] + odds[j, others])))
    assert np.corrcoef(predicted, 1 - matrix[np.triu_indices(48, 1)])[0, 1] == pytest.approx(0.9, abs=0.005)


# --- Cora: nodes in their places, links once, nothing unpickled but arrays and lists ----------------------------------


@pytest.fixture
def graph(requires_data):
    return planetoid.cora()


def test_cora_has_the_sizes_and_the_split_that_are_published(graph):
    assert (graph.features.shape, graph.edges.shape) == ((2708, 1433), (2, 10556))
    assert [len(part) for part in (graph.train, graph.validation, graph.test, graph.outside)] == [140, 500, 1000, 1068]


def test_edges_go_both_ways_once_and_to_no_node_itself(graph):
    edges = {*map(tuple, graph.edges.T.tolist())}
    assert edges == {(other, node) for node, other in edges}
    assert all(node != other for node, other in edges)


def test_rows_of_test_nodes_are_put_where_the_index_says(graph):
    lines = [int(line) for line in open_member(planetoid.PLANETOID, "data/ind.cora.test.index")]
    assert lines != sorted(lines)
    rows = planetoid._unpickled("data/ind.cora.tx").toarray()
    np.testing.assert_array_equal(graph.features[lines].toarray(), rows)


def test_nothing_but_arrays_and_lists_is_unpickled(monkeypatch, tmp_path):
    (tmp_path / "bad").write_bytes(pickle.dumps(print))
    monkeypatch.setattr(planetoid, "open_member", lambda *_: (tmp_path / "bad").open("rb"))
    with pytest.raises(DataError, match=r"asks for builtins\.print"):
        planetoid._unpickled("data/ind.cora.x")


def test_quotation_marks_and_line_ends_of_sst2_are_no_traps(requires_data):
    for part, counts in (("train", [29_780, 37_569]), ("dev", [428, 444]), ("test", [912, 909])):
        table = sst2(part)
        assert table["label"].value_counts().sort_index().tolist() == counts
        assert table["sentence"].str.fullmatch("[^\r\n\t]+").all()
