"""Many systems at once: panels of judges, and crowds that are known by shares only."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from builders import typed
from scipy.special import ndtri
from scipy.stats import beta, binomtest, t
from textbook import agreement_by_options, jackknife_error

import erralign
from erralign.diversity import all_wrong, effective_number, vote
from erralign.response_distribution import MEMBERS, Crowd, agreement

RATES, LOADING = np.array([0.2, 0.3, 0.4]), 0.7


def of_wrongs(wrong):
    return erralign.Responses.from_table(np.zeros(len(wrong), int), {f"s{i}": row for i, row in enumerate(wrong.T)})


def wrongs(rng, n_trials):
    """Draw errors of three systems that share how hard each trial is."""
    hard, own = rng.standard_normal((n_trials, 1)), rng.standard_normal((n_trials, 3))
    return (LOADING * hard + np.sqrt(1 - LOADING**2) * own < ndtri(RATES)).astype(int)


@pytest.mark.parametrize(("missed", "level"), [(0, 0.95), (7, 0.95), (7, 0.8), (50, 0.95)])
def test_the_limits_of_all_wrong_are_those_of_clopper_and_pearson(missed, level):
    wrong = np.zeros((50, 3), int)
    wrong[:missed] = 1
    wrong[missed : missed + 10, 0] = 1
    found = all_wrong(of_wrongs(wrong), level=level)
    expected = binomtest(missed, 50).proportion_ci(level)
    assert (found["low"], found["high"]) == pytest.approx((expected.low, expected.high))
    assert found["if_independent"] == pytest.approx(min(missed + 10, 50) / 50 * (missed / 50) ** 2)


def test_half_of_the_systems_have_to_give_the_same_wrong_answer():
    answers = np.array([[1, 1, 2, 3], [1, 2, 3, -1], [-1, -1, 2, 3], [2, 2, 2, 2], [0, 1, 1, 1]])
    assert all_wrong(of_wrongs(answers))[["n_trials", "same_answer"]].tolist() == [4, 0.5]


def test_the_effective_number_is_that_of_the_mean_correlation_with_a_jackknife():
    wrong = wrongs(np.random.default_rng(1), 60)

    def number(wrong):
        covariance = np.cov(wrong.T)
        mean = covariance[np.triu_indices(3, k=1)].mean() / np.diag(covariance).mean()
        return 3 / (1 + 2 * mean)

    found, (_, half) = effective_number(of_wrongs(wrong)), jackknife_error(lambda kept: number(wrong[kept]), 60)
    assert found.estimate == pytest.approx(number(wrong))
    assert found.high - found.estimate == pytest.approx(half)
    copies = of_wrongs(np.repeat(wrong, 5, axis=0))
    careless, careful = (effective_number(copies, clusters=by) for by in (None, np.repeat(np.arange(60), 5)))
    assert careful.high - careful.low > 2 * (careless.high - careless.low)
    assert effective_number(of_wrongs(np.repeat(wrong[:, :1], 4, axis=1))).estimate == pytest.approx(1)
    nearly = np.repeat(wrong[:, :1], 4, axis=1)
    nearly[0, 0] = ~nearly[0, 0]
    assert effective_number(of_wrongs(nearly)).low == 1  # no fewer than one
    assert np.isnan(effective_number(of_wrongs(np.eye(3, dtype=int))).estimate)


def test_clusters_count_where_missed_trials_lie_in_hardly_any():
    groups, wrong = np.repeat(np.arange(20), 20), np.zeros((400, 3), int)
    found = all_wrong(of_wrongs(wrong), clusters=groups)
    assert found["high"] == pytest.approx(1 - 0.025 ** (1 / 20))
    wrong[:3] = 1
    found = all_wrong(of_wrongs(wrong), clusters=groups)
    expected = beta.ppf(0.025, 0.15, 20.85), beta.ppf(0.975, 1.15, 19.85)
    assert (found["low"], found["high"]) == pytest.approx(expected)


# --- judges -----------------------------------------------------------------------------------------------------------


RNG = np.random.default_rng(0)


def test_a_panel_of_two_is_refused(here):
    for name in "ab":
        (here / f"{name}.csv").write_text("query,truth,answer\n" + "".join(f"{i},{i % 2},1\n" for i in range(40)))
    said = typed("compare", "a.csv", "b.csv", "--trial", "query", "--panel")
    assert "panel is for at least 3 systems" in said.output


# --- votes ------------------------------------------------------------------------------------------------------------


def test_a_vote_is_compared_with_the_best_elsewhere_and_with_independent_systems():
    wrong = wrongs(np.random.default_rng(0), 240)

    def gain(kept):
        return (wrong[kept].sum(axis=1) < 2).mean() - (1 - wrong[kept]).mean(axis=0).max()

    found, (_, half) = vote(of_wrongs(wrong)), jackknife_error(gain, 240)
    assert found["accuracy"] == pytest.approx((wrong.sum(axis=1) < 2).mean())
    assert found["gain"] == pytest.approx(gain(slice(None)))
    assert found["gain_high"] - found["gain"] == pytest.approx(half)
    p = 1 - wrong.mean(axis=0)
    alone = sum(np.prod(np.where(r, p, 1 - p)) for r in product((0, 1), repeat=3) if sum(r) > 1)
    assert found["if_independent"] == pytest.approx(alone, abs=0.01)


# --- crowds -----------------------------------------------------------------------------------------------------------


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
