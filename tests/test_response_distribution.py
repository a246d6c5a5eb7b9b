"""Crowds that are known by shares only, against all people one by one, all answers and a jackknife."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t
from textbook import agreement_by_options, jackknife_error

import erralign
from erralign_book.studies.response_distribution import MEMBERS, Crowd, agreement

RNG = np.random.default_rng(0)
N_ITEMS, N_PEOPLE = 30, 12
TRUTH = RNG.integers(0, 3, N_ITEMS)
# Items have three or four options; people tend to the right one. The model does not answer item 0.
OPTIONS = np.where(np.arange(N_ITEMS) % 2, 3, 4)
CHANCES = [np.where(np.arange(k) == t, 0.4, 0.6 / (k - 1)) for k, t in zip(OPTIONS, TRUTH, strict=True)]
PEOPLE = np.array([RNG.choice(len(p), N_PEOPLE, p=p) for p in CHANCES])
MODEL = np.array([RNG.choice(len(p), p=p) for p in CHANCES])
MODEL[0] = -1
COUNTS = np.array([np.bincount(row, minlength=4) for row in PEOPLE], dtype=float)
COUNTS[np.arange(4) >= OPTIONS[:, None]] = np.nan
CROWD = Crowd(TRUTH, COUNTS)


def enumerated(of_a, of_b, items=slice(None)):
    """Repeat each item for every pair of answers that two people, or a model and a person, may give."""
    n_a, n_b = of_a.shape[1], of_b.shape[1]
    a, b = np.repeat(of_a[items], n_b, axis=1).ravel(), np.tile(of_b[items], (1, n_a)).ravel()
    return *(np.repeat(each[items], n_a * n_b) for each in (TRUTH, OPTIONS)), a, b


def test_values_are_those_of_all_people_one_by_one():
    with_person, two_people = enumerated(MODEL[:, None], PEOPLE), enumerated(PEOPLE, PEOPLE)
    ec, ma = (agreement(CROWD, {"model": MODEL}, each) for each in ("EC", "misclassification_agreement"))
    for place, (truth, k, a, b) in {"model": with_person, MEMBERS: two_people}.items():
        assert ec["value"][place] == pytest.approx(erralign.error_consistency(truth, a, b))
        assert ma["value"][place] == pytest.approx(agreement_by_options(truth, a, b, k))
    assert ec["members"]["model"] == pytest.approx(ec["value"][MEMBERS])
    h = np.equal(PEOPLE, TRUTH[:, None]).mean(axis=1)
    shares = agreement(CROWD, {"model": MODEL}, "accuracy")["value"]
    assert shares.tolist() == pytest.approx([(MODEL == TRUTH).mean(), h.mean()])


def test_a_member_takes_the_place_of_the_model_on_the_items_that_it_missed():
    missed = np.flatnonzero((MODEL != TRUTH) & (MODEL >= 0))
    truth, k, a, b = enumerated(PEOPLE, PEOPLE, missed)
    # Each item counts as often as a person misses it, however many others do.
    wrong = (PEOPLE[missed] != TRUTH[missed, None]).mean(axis=1)
    found = agreement(CROWD, {"model": MODEL}, "MA").loc["model"]
    expected = agreement_by_options(truth, a, b, k, 1 / np.repeat(wrong, N_PEOPLE**2))
    assert found["members"] == pytest.approx(expected)
    assert found["gap"] == pytest.approx(found["value"] - found["members"])
    assert found["n_items"] == len(missed)


@pytest.mark.parametrize("measure", ["EC", "MA", "accuracy"])
def test_limits_are_those_of_a_jackknife_over_items_or_over_what_they_share(measure):
    def found(items, **options):
        return agreement(Crowd(TRUTH[items], COUNTS[items]), {"model": MODEL[items]}, measure, **options).loc["model"]

    whole, every = found(np.arange(N_ITEMS)), np.arange(N_ITEMS).repeat(4)
    for of, value in (("", "value"), ("gap_", "gap")):
        error, half = jackknife_error(lambda kept, value=value: found(kept)[value], N_ITEMS)
        expected = min(half, t.ppf(0.975, 2) * error)  # with one degree of freedom t says nothing
        assert whole[value] - whole[f"{of}low"] == pytest.approx(expected)
    careless, careful = (found(every, clusters=each) for each in (None, every))
    widths = [each["value"] - each["low"] for each in (whole, careless, careful)]
    assert widths[1] < 0.6 * widths[0] < 0.9 * widths[2]  # four copies of an item say what one says


@pytest.mark.parametrize("strata", [np.zeros(5), np.array([0, 0, 1, 1, 1])])
@pytest.mark.parametrize("measure", ["EC", "MA"])
def test_no_answers_that_are_right_as_often_agree_more_with_a_crowd(measure, strata):
    """Against all 243 ways to answer five questions."""
    crowd = Crowd([0, 1, 2, 0, 1], np.random.default_rng(0).dirichlet([1, 1, 1], 5))
    every = pd.DataFrame(list(product(range(3), repeat=5))).T
    found = agreement(crowd, every, measure, strata=strata).drop(MEMBERS)
    right = every.eq(crowd.truth, axis=0)
    alike = right.groupby(strata).sum().T if measure == "EC" else right.T
    best = found["value"].groupby([alike[column] for column in alike]).transform("max")
    np.testing.assert_allclose(found["largest"], best, atol=1e-12)


def test_strata_take_away_what_makes_one_harder_than_another():
    """Two strata, 90 % and 10 %: independent within each, and alike over both."""
    shares = np.repeat([[0.9, 0.1], [0.1, 0.9]], 10, axis=0)
    right = np.array([0] * 9 + [1] + [0] + [1] * 9)
    crowd, strata = Crowd(np.zeros(20, int), shares), np.repeat(["easy", "hard"], 10)
    assert agreement(crowd, {"a": right})["value"].tolist() == pytest.approx([0.64, 0.64])
    assert agreement(crowd, {"a": right}, strata=strata)["value"].tolist() == pytest.approx([0, 0], abs=1e-12)


def test_few_missed_items_give_no_limits():
    said = np.where(np.arange(N_ITEMS) < 4, (TRUTH + 1) % 3, TRUTH)
    found = agreement(CROWD, {"model": said}, "MA").loc["model"]
    assert found[["low", "high", "gap_low", "gap_high", "largest_low", "largest_high"]].isna().all()
