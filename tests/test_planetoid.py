"""Cora as its files have it: nodes in their places, links once, nothing unpickled but arrays and lists."""

import pickle

import numpy as np
import pytest

from erralign.errors import DataError
from erralign.sources import planetoid
from erralign.sources.archives import open_member


@pytest.fixture
def graph(requires_data):
    return planetoid.cora()


def test_cora_has_the_sizes_that_are_published(graph):
    assert graph.features.shape == (2708, 1433)
    assert graph.edges.shape == (2, 10556)
    assert np.bincount(graph.labels).tolist() == [351, 217, 418, 818, 426, 298, 180]
    assert graph.n_classes == 7


def test_the_split_is_the_public_one(graph):
    assert [len(part) for part in (graph.train, graph.validation, graph.test, graph.outside)] == [140, 500, 1000, 1068]
    assert np.bincount(graph.labels[graph.train]).tolist() == [20] * 7


def test_edges_go_both_ways_once_and_to_no_node_itself(graph):
    edges = {*map(tuple, graph.edges.T.tolist())}
    assert len(edges) == graph.edges.shape[1]
    assert edges == {(other, node) for node, other in edges}
    assert all(node != other for node, other in edges)


def test_rows_of_test_nodes_are_put_where_the_index_says(graph):
    lines = [int(line) for line in open_member(planetoid.PLANETOID, "data/ind.cora.test.index")]
    assert lines != sorted(lines)
    rows = planetoid._unpickled("data/ind.cora.tx").toarray()
    np.testing.assert_array_equal(graph.features[lines].toarray(), rows)


def test_linked_papers_mostly_share_their_field(graph):
    """Rows in another order would make links and classes strangers: about 18 % would agree."""
    of_test = np.isin(graph.edges, graph.test).any(axis=0)
    start, end = graph.labels[graph.edges[:, of_test]]
    assert (start == end).mean() > 0.8


def test_nothing_but_arrays_and_lists_is_unpickled(monkeypatch, tmp_path):
    (tmp_path / "bad").write_bytes(pickle.dumps(print))
    monkeypatch.setattr(planetoid, "open_member", lambda *_: (tmp_path / "bad").open("rb"))
    with pytest.raises(DataError, match=r"asks for builtins\.print"):
        planetoid._unpickled("data/ind.cora.x")
