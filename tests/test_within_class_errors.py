"""EC within true classes: the formula word by word, shuffles, and intervals that contain the true value."""

import numpy as np
import pytest
from scipy.special import ndtr, ndtri
from scipy.stats import binomtest

import erralign
from erralign import within_class_error_consistency as consistency
from erralign.measures.matrix import ResponseMatrix
from erralign.measures.within_class_errors import _beside_ec


def word_by_word(truth, a, b):
    """Return the formula: each trial, with the others of its class."""
    a, b = a == truth, b == truth
    others = {i: np.flatnonzero((truth == truth[i]) & (np.arange(len(truth)) != i)) for i in range(len(truth))}
    counted = [i for i in others if len(others[i])]
    if not counted:
        return np.nan
    same = np.mean([a[i] == b[i] for i in counted])
    chance = np.mean([np.mean(a[i] == b[others[i]]) for i in counted])
    return np.nan if chance > 1 - 1e-12 else (same - chance) / (1 - chance)


def world(rng, n, n_classes=5):
    truth = rng.integers(n_classes, size=n)
    return truth, *(np.where(rng.random(n) < 0.6, truth, rng.integers(-1, n_classes, n)) for _ in "ab")


def test_chance_compares_each_trial_with_the_others_of_its_class(rng):
    found = []
    for n in (2, 3, 8, 20, 60) * 10:
        truth, a, b = world(rng, n)
        expected = word_by_word(truth, a, b)
        assert consistency(truth, a, b) == pytest.approx(expected, abs=1e-12, nan_ok=True)
        found.append(np.isnan(expected))
    assert 0 < sum(found) < len(found)


def test_of_all_pairs_and_without_each_trial_it_is_the_function(rng):
    truth, *answers = world(rng, 40)
    answers += world(rng, 40)[1:]
    seen = erralign.Responses.from_table(truth, dict(zip("abcd", answers, strict=True)), classes=range(5))
    for row in erralign.pairwise(seen, "WEC").itertuples():
        two = (seen.answers[name].to_numpy() for name in (row.system_a, row.system_b))
        assert pytest.approx(consistency(truth, *two), abs=1e-12) == row.WEC


def test_outcomes_shuffled_within_classes_give_0_on_average_and_a_copy_gives_1(rng):
    truth = np.repeat(np.arange(160), 3)
    a = np.where(rng.random(480) < ndtr(rng.normal(size=160))[truth], truth, 160)
    shuffled = []
    for _ in range(1000):
        order = np.lexsort([rng.random(480), truth])
        shuffled.append(consistency(truth, a, a[order]))
    assert np.mean(shuffled) == pytest.approx(0, abs=0.01)
    assert consistency(truth, a, a) == 1


def test_undefined_where_no_class_has_two_trials_or_no_outcome_differs():
    for truth, said in (([0, 1, 2], [0, 0, 0]), ([0, 0, 1, 1], [0, 0, 0, 0]), ([0, 0], [0, 0])):
        assert np.isnan(consistency(truth, said, said))
        assert consistency(truth, said, said, replace_undefined_by=7) == 7
        found = erralign.confidence_interval(truth, said, said, "WEC", n_classes=3)
        assert np.isnan([found.low, found.high]).all()


def test_letters_of_options_have_no_true_class(rng):
    truth, a, b = world(rng, 40)
    with pytest.raises(ValueError, match="WEC is not given: letters of options"):
        erralign.confidence_interval(truth, a, b, "WEC", n_options=5)


NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(60)
WEIGHTS = WEIGHTS / WEIGHTS.sum()
OF_CLASS = 0.4  # of what makes a picture hard, the share that its class has


def true_value(accuracies, classes, alike):
    """Integrate over what makes a picture of each class hard for both."""
    own = np.sqrt((1 - OF_CLASS) * (1 - alike))
    both = np.sqrt((1 - OF_CLASS) * alike) * NODES
    p = np.array([ndtr((ndtri(each) - classes[:, None] - both) / own) for each in accuracies])
    alone = p @ WEIGHTS
    observed, chance = ((x * y + (1 - x) * (1 - y)) for x, y in (p, alone))
    return ((observed @ WEIGHTS).sum() - chance.sum()) / (1 - chance).sum()


@pytest.mark.slow
@pytest.mark.parametrize("alike", [0, 0.5])
@pytest.mark.parametrize(
    ("accuracies", "n_classes", "of_each"),
    [((0.7, 0.6), 16, 10), ((0.7, 0.6), 16, 80), ((0.95, 0.93), 16, 10), ((0.5, 0.95), 16, 10), ((0.7, 0.6), 80, 2)],
)
def test_it_has_no_bias_and_its_interval_contains_the_true_value(accuracies, n_classes, of_each, alike, rng):
    classes = np.sqrt(OF_CLASS) * ndtri((np.arange(n_classes) + 0.5) / n_classes)
    truth, expected = np.repeat(np.arange(n_classes), of_each), true_value(accuracies, classes, alike)
    values, held = [], []
    for _ in range(400):
        both, own = rng.standard_normal(len(truth)), rng.standard_normal((2, len(truth)))
        hard = classes[truth] + np.sqrt(1 - OF_CLASS) * (np.sqrt(alike) * both + np.sqrt(1 - alike) * own)
        a, b = np.where(hard < ndtri(accuracies)[:, None], truth, n_classes)
        found = erralign.confidence_interval(truth, a, b, "WEC", n_resamples=1000, rng=rng)
        values.append(found.estimate)
        held.append(found.low <= expected <= found.high)
    assert binomtest(sum(held), len(held), 0.95, alternative="less").pvalue > 0.001
    assert np.mean(values) == pytest.approx(expected, abs=0.025)  # with accuracies in each class: 0.12 less with two


@pytest.mark.parametrize(("n", "least", "most"), [(25, 0.6, 1.6), (2000, 0.5, 2)])
def test_where_errors_are_few_it_varies_about_as_much_as_ec(rng, n, least, most):
    """Jackknives of few trials are noise: what they say of the two is drawn to 1, the more the fewer there are."""
    for _ in range(10):
        truth, *answers = world(rng, n)
        matrix = ResponseMatrix(truth, np.stack(answers), 5)
        values, ec, moves = _beside_ec(matrix)
        effect = moves * (1 - ec) / (1 - values)
        assert least < effect[0] < most
