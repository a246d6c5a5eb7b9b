"""Means over kinds of pairs of equal accuracy, and their differences, against loops and SciPy."""

import numpy as np
import pandas as pd
import pytest
from builders import mixed_systems
from scipy import stats

import erralign


def of_set(seed, name):
    """Make a set of answers at two strengths."""
    seen = mixed_systems(seed, n_systems=8, n_trials=240)
    trials = pd.MultiIndex.from_arrays([["low", "high"] * 120, range(240)], names=["condition", "image"])
    kinds = ["human"] * 4 + ["model"] * 4
    systems = seen.systems.assign(kind=kinds)
    return erralign.Responses(name, seen.truth.set_axis(trials), seen.answers.set_axis(trials), seen.classes, systems)


SETS = [of_set(seed, f"set {seed}") for seed in range(4)]
PAIRS = pd.concat([erralign.pairs_by_strength(seen, "EC") for seen in SETS], ignore_index=True)


def test_each_strength_is_compared_by_itself():
    for seen in SETS:
        for strength in ("low", "high"):
            here = seen.truth.index.get_level_values("condition") == strength
            expected = erralign.pairwise(seen.select(trials=here), "EC")
            ours = PAIRS[(PAIRS["set"] == seen.name) & (PAIRS["strength"] == strength)].reset_index(drop=True)
            pd.testing.assert_frame_equal(ours[list(expected)], expected)


@pytest.mark.parametrize("apart", [0.05, 0.1, 2])
def test_means_are_those_of_a_loop(apart):
    means = erralign.means_of_kinds(PAIRS, apart=apart)
    assert len(means) > 0
    for name in means.index:
        of_strengths = []
        for strength in ("low", "high"):
            values = {kind: [] for kind in means}
            for _, pair in PAIRS[(PAIRS["set"] == name) & (PAIRS["strength"] == strength)].iterrows():
                if round(120 * abs(pair["accuracy_a"] - pair["accuracy_b"])) < round(120 * apart, 9):
                    values[pair["kind"]].append(pair["EC"])
            if all(values.values()):
                of_strengths.append([np.mean(values[kind]) for kind in means])
        np.testing.assert_allclose(means.loc[name], np.mean(of_strengths, axis=0))


def test_a_guest_and_sets_without_all_kinds_are_left_out():
    guest = PAIRS.assign(kind=PAIRS["kind"].where(PAIRS["set"] != "set 0", "guest-human"))
    assert "set 0" not in erralign.means_of_kinds(guest, apart=2).index
    assert len(erralign.means_of_kinds(guest, apart=2)) == 3


def test_differences_have_the_interval_of_a_t_test():
    means = erralign.means_of_kinds(PAIRS, apart=2)
    table = erralign.mean_differences(means, level=0.9)
    for kind in ("human-human", "model-model"):
        test = stats.ttest_1samp(means[kind] - means["model-human"], 0).confidence_interval(0.9)
        np.testing.assert_allclose(table.loc[kind, ["low", "high"]].astype(float), [test.low, test.high])
        assert table.loc[kind, "above"] == (means[kind] > means["model-human"]).sum()


def test_wrong_use_is_answered():
    with pytest.raises(ValueError, match="pairs have no column MA"):
        erralign.means_of_kinds(PAIRS, "MA")
    with pytest.raises(ValueError, match="over is 'people'; expected one of the columns: human-human"):
        erralign.mean_differences(erralign.means_of_kinds(PAIRS), over="people")
