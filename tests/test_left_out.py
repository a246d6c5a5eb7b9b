"""Values without each trial, against the scalar functions on what is left."""

import numpy as np
import pytest
from builders import mixed_systems

from erralign import class_level_error_similarity, error_consistency, misclassification_agreement
from erralign.behaviour.class_level import CLES_VARIANTS
from erralign.behaviour.counting import joint_answers
from erralign.pairs.left_out import leave_one_out
from erralign.resampling.misclassification_agreement import wilson_limits

CASES = [
    ("error_consistency", error_consistency, {}),
    ("misclassification_agreement", misclassification_agreement, {}),
    *(
        ("class_level_error_similarity", class_level_error_similarity, {"variant": variant, "alpha": alpha})
        for variant in CLES_VARIANTS
        for alpha in (0.5, 2.0)
    ),
]


@pytest.mark.parametrize(("name", "function", "options"), CASES)
@pytest.mark.parametrize("n_trials", [2, 12, 60])
def test_values_without_each_trial_are_those_of_the_others(name, function, options, n_trials):
    """Brute force, trial by trial; a value that becomes 0/0 stays as it was."""
    responses = mixed_systems(n_trials, n_systems=4, n_trials=n_trials, n_classes=4, time_outs=0.1)
    truth, answers = responses.truth.to_numpy(), responses.answers.to_numpy().T
    first, second = np.triu_indices(4, k=1)
    found = leave_one_out(name, truth, answers, first, second, 4, **options)
    more = {"n_classes": 4, **options} if name.startswith("class") else {}
    for i, (a, b) in enumerate(zip(first, second, strict=True)):
        value = function(truth, answers[a], answers[b], **more)
        assert found.values[i] == pytest.approx(value, abs=1e-12, nan_ok=True)
        for trial in range(n_trials):
            rest = (np.delete(each, trial) for each in (truth, answers[a], answers[b]))
            without = function(*rest, **more, replace_undefined_by=value)
            assert found.without[i, found.place[trial]] == pytest.approx(without, abs=1e-12, nan_ok=True)


def test_agreement_without_self_pairs_is_the_value_of_wilsons_limits():
    responses = mixed_systems(5, n_systems=4, n_trials=80, n_classes=4, time_outs=0.1)
    truth, answers = responses.truth.to_numpy(), responses.answers.to_numpy().T
    pairs = np.triu_indices(4, k=1)
    found = leave_one_out("misclassification_agreement", truth, answers, *pairs, 4, self_pairs=False)
    for i, (a, b) in enumerate(zip(*pairs, strict=True)):
        for trial in (None, *range(80)):
            kept = np.arange(80) if trial is None else np.delete(np.arange(80), trial)
            said = joint_answers(truth[kept], answers[a][kept], answers[b][kept])
            value = found.values[i] if trial is None else found.without[i, found.place[trial]]
            assert value == pytest.approx(wilson_limits(*said, 4, 0.95)[2], abs=1e-12)


def test_accuracy_without_each_trial():
    responses = mixed_systems(3, n_systems=3, n_trials=20)
    right = responses.answers.eq(responses.truth, axis=0).to_numpy().T
    truth, answers = responses.truth.to_numpy(), responses.answers.to_numpy().T
    found = leave_one_out("accuracy", truth, answers, np.arange(3), np.arange(3), 6)
    for trial in range(20):
        np.testing.assert_allclose(found.without[:, found.place[trial]], np.delete(right, trial, axis=1).mean(axis=1))
