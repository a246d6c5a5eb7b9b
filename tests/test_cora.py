"""The six tests on Cora, from the frozen table: scored as defined, beside chance, and beside the paper's columns."""

import numpy as np
import pytest

from erralign.measures import OF_REPRESENTATIONS
from erralign_book.papers import klabunde2024
from erralign_book.papers.klabunde2024.graphs import SEED_SETS, WORLD
from erralign_book.papers.klabunde2024.scored import ASYMMETRIC, COLUMNS, OF_BEHAVIOUR, matrices_of

pytestmark = pytest.mark.slow  # scores take seconds


@pytest.fixture(scope="module")
def scores():
    return klabunde2024.scores("graphs")


@pytest.fixture(scope="module")
def pairs():
    return klabunde2024.graph_pairs()


def of(pairs, network, seed_set, part):
    place = WORLD.settings.index((network, seed_set, part))
    return [*matrices_of({name: rows[pairs["setting"] == place] for name, rows in pairs.items()})]


def test_every_test_has_a_score_of_every_measure(scores):
    assert scores["test"].unique().tolist() == list(klabunde2024.TESTS)
    for (test, _), part in scores.groupby(["test", "score"]):
        expected = set(OF_REPRESENTATIONS) | (set() if test == "layers" else set(OF_BEHAVIOUR))
        assert set(part["measure"]) == expected
        assert len(part) == len(expected) * sum(SEED_SETS.values())


def test_matrices_are_symmetric_where_the_measure_is(pairs):
    (compared,) = of(pairs, "GCN", 0, "correlations")
    assert len(compared.seeds) == 10
    for name in COLUMNS:
        matrix = compared.values[name]
        assert np.isnan(matrix.diagonal()).all()
        assert np.allclose(matrix, matrix.T, equal_nan=True) == (name not in ASYMMETRIC), name


def test_pass_rates_under_shuffling_are_those_of_a_simulation():
    both = klabunde2024.cora_comparison()
    rng = np.random.default_rng(0)
    columns = both.groupby(["test", "score", "network"])
    means = [_passes(part.assign(printed=rng.permutation(part["printed"]))) for _ in range(100) for _, part in columns]
    assert both["shuffled"].mean() == pytest.approx(np.sum(means) / 100 / len(both), abs=0.005)
    assert both["within"].sum() == sum(_passes(part) for _, part in columns)
    by_test = both.groupby("test")[["within", "shuffled"]].mean()
    assert by_test.loc["accuracy difference", "within"] < by_test.loc["accuracy difference", "shuffled"]


def _passes(part):
    undefined = part["printed"].isna() & part["mean"].isna()
    return (((part["printed"] - part["mean"]).abs() <= part["half"]) | undefined).sum()
