"""People, networks and mixed pairs: tables against loops, and the findings that the pages state in words."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_1samp
from textbook import textbook_ec

import erralign
from erralign.sources import model_vs_human
from erralign.sources import xu2024 as source
from erralign_book.papers import klein2025, xu2024
from erralign_book.papers.klein2025 import shuffled

PEOPLE, MIXED, NETWORKS = xu2024.KINDS


def pairs_in(data_set, condition):
    """Return every pair in one condition, looped over: kind, difference of accuracies, near-copies or not, EC."""
    responses = source.read(data_set)
    right = responses.answers.eq(responses.truth, axis=0).loc[condition]
    network, architecture = responses.systems["kind"] == "model", source.architectures()
    rows = [
        (
            xu2024.KINDS[int(network[a]) + int(network[b])],
            abs(int(right[a].sum()) - int(right[b].sum())) / len(right),
            bool(network[a] and network[b] and architecture[a] == architecture[b]),
            textbook_ec(True, right[a], right[b]),
        )
        for a, b in combinations(right, 2)
    ]
    return pd.DataFrame(rows, columns=["kind", "gap", "copies", "EC"])


@pytest.mark.slow
@pytest.mark.parametrize(("data_set", "condition"), [("contrast", "c15"), ("stylized", "0")])
def test_means_within_a_condition_equal_a_loop(requires_data, data_set, condition):
    pairs = pairs_in(data_set, condition)
    table = xu2024.kinds_by_condition().query("data_set == @data_set and condition == @condition")
    assert len(table) >= 3 * 2
    for row in table.itertuples():
        chosen = pairs[
            (pairs["kind"] == row.kind) & (pairs["gap"] < row.tolerance) & (row.near_copies | ~pairs["copies"])
        ]
        assert row.n_pairs == len(chosen)
        assert pytest.approx(chosen["EC"].mean(), abs=1e-12) == row.EC


def test_conditions_are_those_in_use():
    table = xu2024.kinds_by_condition()
    assert set(table["data_set"]) == set(source.data_sets().query("kind == 'synthetic'").index)
    found = set(zip(table["data_set"], table["condition"], strict=True))
    assert not found & model_vs_human.excluded_conditions()
    assert len(found) == 43 + 14  # 46 less those of edge, silhouette and cue-conflict; and all trials together


def test_all_pairs_together_are_the_kinds_of_pairs():
    for measure in ("EC", "MA", "CLES"):
        means = xu2024.kinds_of_pairs().pivot(index="data_set", columns="kind", values=measure)
        pd.testing.assert_frame_equal(xu2024.kinds_compared(measure), means, check_like=True)


def test_an_unknown_tolerance_is_named():
    with pytest.raises(ValueError, match=r"tolerance is 0.3; expected one of 0.01, 0.02, 0.05, inf"):
        xu2024.kinds_compared(tolerance=0.3)


# --- what the front page and the chapters on EC and MA say in words ---------------------------------------------------

EQUAL = [tolerance for tolerance in xu2024.TOLERANCES if tolerance < 1]
EVERY_CHOICE = [
    {"within": within, "tolerance": tolerance, "near_copies": copies}
    for within, tolerance, copies in product([False, True], xu2024.TOLERANCES, [True, False])
]


def lead(of, over, measure="EC", **choice):
    means = xu2024.kinds_compared(measure, **choice)
    difference = means[of] - means[over]
    limits = ttest_1samp(difference, 0).confidence_interval()
    return difference.mean(), limits.low, limits.high


def test_people_agree_more_with_people_than_with_networks_however_compared():
    assert not [choice for choice in EVERY_CHOICE if lead(PEOPLE, MIXED, **choice)[1] <= 0]


def test_one_strength_at_a_time_the_lead_over_mixed_pairs_grows():
    together, apart = (xu2024.kinds_compared(within=within) for within in (False, True))
    growth = (apart[PEOPLE] - apart[MIXED]) - (together[PEOPLE] - together[MIXED])
    assert ttest_1samp(growth, 0).confidence_interval().low > 0
    assert (apart.mean() < together.mean()).all()
    assert together.mean()[NETWORKS] - apart.mean()[NETWORKS] > together.mean()[PEOPLE] - apart.mean()[PEOPLE]


def test_one_strength_at_a_time_neither_club_leads_clearly_among_equals():
    for tolerance, near_copies, rule in product(EQUAL, [True, False], [xu2024.KINDS, (PEOPLE, NETWORKS)]):
        choice = {"tolerance": tolerance, "near_copies": near_copies, "kinds": rule}
        _, low, high = lead(PEOPLE, NETWORKS, within=True, **choice)
        assert low < 0 < high, choice


def test_who_leads_over_all_pairs_depends_on_pooling_and_near_copies():
    level = lead(PEOPLE, NETWORKS), lead(PEOPLE, NETWORKS, within=True)
    assert all(low < 0 < high for _, low, high in level)
    assert lead(PEOPLE, NETWORKS, within=True, near_copies=False)[1] > 0
    assert lead(NETWORKS, PEOPLE, tolerance=0.01)[1] > 0
    assert lead(NETWORKS, PEOPLE, tolerance=0.01, near_copies=False)[1] < 0


def test_the_lead_of_networks_in_misclassification_agreement():
    assert lead(NETWORKS, PEOPLE, "MA")[1] > 0
    assert lead(NETWORKS, PEOPLE, "MA", within=True)[1] > 0
    assert lead(NETWORKS, PEOPLE, "MA", near_copies=False)[1] > 0
    assert -0.01 < lead(NETWORKS, PEOPLE, "MA", within=True, near_copies=False)[1] < 0


# --- how many pairs a shuffle finds -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_limits_of_joint_errors_are_where_p_crosses_the_level(requires_data):
    people, networks = shuffled.wrong_on("edges")
    people, networks = people[[0, 8]], networks[[0, 19]]
    limits = np.stack(shuffled.found_from(people, networks), axis=-1).reshape(-1, 2)
    for (a, b), (few, many) in zip(product(people.sum(axis=1), networks.sum(axis=1)), limits, strict=True):
        for joint in range(max(0, a + b - 160), min(a, b) + 1):
            p = erralign.p_value([[joint, a - joint], [b - joint, 160 - a - b + joint]])
            assert (p <= 0.05) == (joint <= few or joint >= many)


@pytest.mark.slow
def test_unshuffled_pairs_are_found_as_often_as_their_p_values_say(requires_data):
    people, networks = shuffled.wrong_on("edges")
    few, many = shuffled.found_from(people, networks)
    joint = people @ networks.T
    p = erralign.pairwise_p_values(erralign.load("geirhos2020/edges")).query("kind == 'model-human'")["p_value"]
    assert ((joint <= few) | (joint >= many)).sum() == (p <= 0.05).sum() == 65


def test_more_are_found_than_nearly_every_shuffle_finds():
    table = klein2025.found_by_chance()
    assert table["shuffles"].sum() == shuffled.N_SHUFFLES
    assert table.loc[table["found"] >= 65, "shuffles"].sum() < 0.005 * shuffled.N_SHUFFLES
