"""The CLES of independent errors: beside every possible table, beside drawn ones, and where it must equal CLES."""

from itertools import product

import numpy as np
import pytest
from builders import mixed_systems

import erralign
from erralign.behaviour import class_level_error_similarity_from_counts
from erralign.measures.class_level_error_similarity import (
    INDEPENDENT_ERRORS,
    _quasi_independent,
    _similarity_of_independent_errors,
)


def answers_of(table):
    """Return true classes and answers with these errors, and one right answer in each class."""
    truth, said = (list(range(len(table))) for _ in "ab")
    for (row, column), count in np.ndenumerate(table):
        truth += [row] * count
        said += [column] * count
    return np.array(truth), np.array(said)


def with_probabilities(table, shares):
    """Yield all tables with as many errors in each class, and how likely each is: answer after answer."""
    rows = np.repeat(np.arange(len(table)), table.sum(axis=1))
    for answers in product(range(len(table)), repeat=len(rows)):
        likely = np.prod(shares[rows, list(answers)])
        if likely:
            made = np.zeros_like(table)
            np.add.at(made, (rows, list(answers)), 1)
            yield made, likely


def test_it_is_the_mean_over_all_possible_tables():
    a, b = np.array([[0, 2, 1], [0, 0, 1], [1, 0, 0]]), np.array([[0, 0, 2], [1, 0, 1], [0, 0, 0]])
    possible = [list(with_probabilities(table, _quasi_independent(table))) for table in (a, b)]
    assert [sum(likely for _, likely in each) for each in possible] == pytest.approx([1, 1])
    divergence = 0.0
    for (one, of_one), (other, of_other) in product(*possible):
        divergence += of_one * of_other * (1 / class_level_error_similarity_from_counts(one, other) - 1)
    truths, said = zip(*map(answers_of, (a, b)), strict=True)
    # Other trials of A and of B: each is right where the other has its errors.
    truth = np.concatenate(truths)
    ab = np.concatenate([said[0], truths[1]]), np.concatenate([truths[0], said[1]])
    assert _similarity_of_independent_errors(truth, *ab) == pytest.approx(1 / (1 + divergence), abs=1e-12)


def test_drawn_tables_have_this_mean_and_the_same_frequencies():
    responses = mixed_systems(1, n_systems=2, n_trials=400, n_classes=6)
    truth, tables = responses.truth.to_numpy(), []
    for said in responses.answers.to_numpy().T:
        table = np.zeros((6, 6), int)
        wrong = (said != truth) & (said >= 0)
        np.add.at(table, (truth[wrong], said[wrong]), 1)
        tables.append(table)
    shares = [_quasi_independent(table) for table in tables]
    for table, share in zip(tables, shares, strict=True):
        expected = table.sum(axis=1)[:, None] * share
        np.testing.assert_allclose(expected.sum(axis=0), table.sum(axis=0), atol=1e-9)
    rng = np.random.default_rng(0)
    drawn = [
        class_level_error_similarity_from_counts(*map(rng.multinomial, [t.sum(axis=1) for t in tables], shares))
        for _ in range(2000)
    ]
    (value,) = erralign.pairwise(responses, INDEPENDENT_ERRORS)["CLES_independent"]
    assert np.mean(drawn) == pytest.approx(value, abs=4 * np.std(drawn) / np.sqrt(2000) + 0.001)


def test_all_pairs_are_the_function_and_an_answer_throughout_leaves_nothing_to_chance():
    responses = mixed_systems(2, n_systems=4, n_trials=300, n_classes=5, time_outs=0.1)
    table = erralign.pairwise(responses, ["CLES", INDEPENDENT_ERRORS])
    for row in table.itertuples():
        pair = responses.answers[row.system_a], responses.answers[row.system_b]
        alone = _similarity_of_independent_errors(responses.truth, *pair, n_classes=5)
        assert row.CLES_independent == pytest.approx(alone, abs=1e-12)
    truth = np.arange(30) % 3
    throughout = {name: np.full(30, word) for name, word in (("a", 1), ("b", 1), ("c", 2))}
    constant = erralign.Responses.from_table(truth, throughout)
    table = erralign.pairwise(constant, ["CLES", INDEPENDENT_ERRORS])
    np.testing.assert_allclose(table["CLES_independent"], table["CLES"], atol=1e-12)


def test_it_is_undefined_without_errors_and_says_nothing_of_two_classes():
    truth = np.arange(12) % 3
    assert np.isnan(_similarity_of_independent_errors(truth, truth, truth))
    two = erralign.Responses.from_table(truth % 2, {"a": np.zeros(12, int), "b": np.ones(12, int)})
    assert erralign.pairwise(two, INDEPENDENT_ERRORS)["CLES_independent"].isna().all()
