"""Plans kept: what an experiment of the planned size gives, and the copy model against its own simulation."""

import numpy as np
import pandas as pd
import pytest
from builders import typed
from scipy.optimize import bisect
from scipy.stats import norm

import erralign
from erralign import planning
from erralign.inference import error_consistency_limits
from erralign.measures.matrix import kappa

# --- the copy model ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ec", "a", "b"), [(0.3, 0.75, 0.6), (0.3, 0.5, 0.7), (0.7, 0.8, 0.8), (0.0, 0.9, 0.5)])
def test_copying_gives_the_wanted_consistency_and_accuracies(ec, a, b):
    shares = planning.simulate_copies(1000, planning.copy_probability(ec, a, b), a, b, n_sets=4000).sum(axis=0) / 4e6
    assert (kappa(*shares.ravel()), shares[1].sum(), shares[:, 1].sum()) == pytest.approx((ec, a, b), abs=0.002)
    if a == b or a == 0.5:  # where it is the consistency itself
        assert planning.copy_probability(ec, a, b) == pytest.approx(ec)


@pytest.mark.parametrize(("a", "b"), [(0.75, 0.6), (0.6, 0.75), (0.2, 0.9), (0.5, 0.5)])
def test_the_largest_consistency_is_the_most_that_can_be_copied(a, b):
    most = float(erralign.bounds.error_consistency_bounds(a, b)[1])
    table = planning.simulate_copies(1000, planning.copy_probability(most, a, b), a, b, n_sets=500).sum(axis=0)
    assert min(table[0, 1], table[1, 0]) == 0  # the failures of the better one are all shared
    with pytest.raises(ValueError, match=r"ec is .*; expected"):
        planning.copy_probability(most + 0.01, a, b)


@pytest.mark.parametrize(("a", "b"), [(0.75, 0.6), (0.6, 0.75)])
def test_per_trial_copies_are_a_multinomial_whoever_copies(a, b):
    tables = planning.simulate_copies(50, planning.copy_probability(0.3, a, b), a, b, n_sets=20_000).reshape(-1, 4)
    shares = planning.expected_table(0.3, a, b).ravel()
    assert tables.mean(axis=0) == pytest.approx(50 * shares, abs=0.1)
    assert np.cov(tables.T) == pytest.approx(50 * (np.diag(shares) - np.outer(shares, shares)), abs=0.35)


# --- trials for error consistency -------------------------------------------------------------------------------------


PLANS = [(0.3, 0.75, 0.6, 0.1), (0.05, 0.99, 0.75, 0.2), (1, 0.9, 0.9, 0.2)]


@pytest.mark.slow
@pytest.mark.parametrize(("ec", "a", "b", "width"), PLANS)
def test_the_default_interval_is_as_wide_as_planned(ec, a, b, width):
    n, rng = planning.trials_needed(ec, a, b, width), np.random.default_rng(1)
    tables = rng.multinomial(n, planning.expected_table(ec, a, b).ravel(), size=1500).reshape(-1, 2, 2)
    limits = np.array([error_consistency_limits(table, rng=rng, n_resamples=4000) for table in tables])
    widths = limits[:, 1] - limits[:, 0]
    allowed = 0.01 * width + 3 * widths.std() / np.sqrt(len(widths))
    assert widths.mean() == pytest.approx(width, abs=allowed)


@pytest.mark.slow
def test_the_command_plans_for_ec_for_misclassification_agreement_and_for_a_difference():
    options = "--ec .3 --accuracy-a .75 --accuracy-b .6 --width .5 --ma .4 --options 16 --power .8"
    of_ec, of_agreement, of_difference = typed("plan", *options.split()).output.splitlines()
    n = erralign.trials_needed(0.3, 0.75, 0.6, 0.5)
    assert planning.expected_width(n, 0.3, 0.75, 0.6) <= 0.5 < planning.expected_width(n - 1, 0.3, 0.75, 0.6)
    assert f"{n:,} trials" in of_ec
    assert f"{planning.joint_errors_needed(0.4, [1] * 15, 0.5):,} of which both are wrong" in of_agreement
    assert f"{planning.trials_needed_for_difference(0.3, 0.75, 0.6):,} trials" in of_difference


# --- people and systems -----------------------------------------------------------------------------------------------


def correlation(ec, accuracy):
    """Return the correlation with which two normal variables are below a threshold together, by plain quadrature."""
    t, x = norm.ppf(accuracy), np.linspace(-9, norm.ppf(accuracy), 4001)
    both = accuracy**2 + ec * accuracy * (1 - accuracy)

    return bisect(lambda r: np.trapezoid(norm.pdf(x) * norm.cdf((t - r * x) / np.sqrt(1 - r * r)), x) - both, 0, 0.9999)


def experiment(rng, people, pictures, accuracy, ec, difference, ma=None):
    """Draw right answers (0) and others of A, B and people, on which the loadings of the factor depend."""
    common = np.sqrt(correlation(ec, accuracy))
    less = correlation(ec - difference if ma is None else ec, accuracy) / common
    loads = np.array([common, less] + [common] * people)
    latent = rng.standard_normal((pictures, 1)) * loads
    wrong = latent + rng.standard_normal((pictures, people + 2)) * np.sqrt(1 - loads**2) >= norm.ppf(accuracy)
    if ma is None:
        return wrong.astype(int)
    drawn = np.array([ma, ma - difference] + [ma] * people) / np.sqrt(ma)
    lure, other = rng.integers(1, 16, (pictures, 1)), rng.integers(1, 16, wrong.shape)
    return wrong * np.where(rng.random(wrong.shape) < drawn, lure, other)


WITH_PEOPLE = [
    {"people": 6, "pictures": 200, "accuracy": 0.7, "ec": 0.3, "difference": 0.15},
    {"people": 5, "pictures": 500, "accuracy": 0.5, "ec": 0.3, "difference": 0.2, "ma": 0.4},
]


@pytest.mark.slow
@pytest.mark.parametrize("plan", WITH_PEOPLE)
def test_a_difference_with_people_is_found_as_often_as_planned(plan):
    rng, n_sets, found = np.random.default_rng(1), 200, []
    names = ["A", "B", *(f"person {i}" for i in range(plan["people"]))]
    systems = pd.DataFrame({"kind": ["model", "model"] + ["human"] * plan["people"]}, index=names)
    measure, n_classes = ("EC", 2) if "ma" not in plan else ("MA", 16)
    for _ in range(n_sets):
        answers = pd.DataFrame(experiment(rng, **plan), columns=names)
        turn = rng.integers(n_classes, size=len(answers))  # the true class
        answers = answers.add(turn, axis=0) % n_classes
        one = erralign.Responses("x", pd.Series(turn), answers, tuple(map(str, range(n_classes))), systems)
        means = erralign.consistency_with_people(one, measure)
        for system in ("A", "people"):
            low, high = means.difference(system, "B")
            found.append((means.difference_test(system, "B").statistic, high - low, not low <= 0 <= high))
    values, widths, excluded = np.array(found).reshape(n_sets, 2, 3).transpose(2, 1, 0)
    expected = planning.power_with_people(**plan, systems=1)
    assert values.mean(axis=1) == pytest.approx([plan["difference"]] * 2, abs=0.015)
    assert 2 * 1.96 * values.std(axis=1) == pytest.approx(expected["width"].to_numpy(), rel=0.2)
    assert widths.mean(axis=1) == pytest.approx(expected["width"].to_numpy(), rel=0.07)
    assert excluded.mean(axis=1) == pytest.approx(expected["power"].to_numpy(), abs=0.05 + 2 * 0.5 / np.sqrt(n_sets))


def test_people_repetitions_and_pictures_buy_power_and_more_comparisons_cost_it():
    world = {"accuracy": 0.7, "ec": 0.3, "difference": 0.1}

    def power(people=6, pictures=200, **more):
        return planning.power_with_people(people, pictures, **world, **more)["power"].to_numpy()

    assert (power() < power(repetitions=2, ec_with_self=0.6)).all()
    assert (power(repetitions=2, ec_with_self=0.6) < power(repetitions=2)).all()
    assert power(repetitions=2)[0] == pytest.approx(power(12)[0], abs=0.01)  # a stranger each time
    assert (power(12) < power(pictures=400)).all()
    # Two of four systems are one of six pairs, and each of four is compared with people.
    strict = [power(systems=1, level=1 - 0.05 / n)[place] for place, n in enumerate((6, 4))]
    assert power(systems=4) == pytest.approx(strict, abs=0.015)
    needed = int(planning.power_with_people(6, 200, **world)["pictures_needed"].iloc[0])
    assert power(pictures=needed)[0] == pytest.approx(0.8, abs=0.005)


def test_the_command_plans_with_people_and_says_what_is_lacking():
    line = "plan --people 12 --systems 3 --pictures 400 --accuracy .7 --ec .3 --difference .05"
    options = line.split()
    expected = planning.power_with_people(12, 400, systems=3, accuracy=0.7, ec=0.3, difference=0.05).iloc[0]
    assert f"found in {expected['power']:.0%} of experiments" in typed(*options).output
    assert "give --difference too" in typed(*options[:-2]).output
    impossible = typed(*options, "--accuracy-of-systems", ".2", "--difference", ".2")
    assert "0.2 no system A" in impossible.output


# --- a difference of accuracies ---------------------------------------------------------------------------------------


def test_trials_for_a_difference_are_those_of_connors_formula():
    # The example of powerandsamplesize.com for Connor (1987): p10 = .45, p01 = .05, two-sided, power .8.
    assert planning.trials_needed_for_difference(float(kappa(5, 1, 9, 5)), 0.7, 0.3) == 23


# --- joint errors for misclassification agreement ---------------------------------------------------------------------


OF_AGREEMENT = [(0.4, [1] * 15, 0.2), (0.7, [28, *[1] * 12], 0.2)]


@pytest.mark.parametrize(("agreement", "shares", "width"), OF_AGREEMENT)
def test_the_interval_of_agreement_is_as_wide_as_planned(agreement, shares, width):
    n, n_classes = planning.joint_errors_needed(agreement, shares, width), len(shares)
    rng, widths = np.random.default_rng(0), []
    for _ in range(300):
        said_a, other = rng.choice(n_classes, p=np.array(shares) / np.sum(shares), size=(2, n))
        said_b = np.where(rng.random(n) < agreement, said_a, other)
        interval = erralign.confidence_interval(np.full(n, n_classes), said_a, said_b, "MA")
        widths.append(interval.high - interval.low)
    assert np.mean(widths) == pytest.approx(width, rel=0.03)
