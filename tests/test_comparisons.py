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
from erralign_book.papers import geirhos2020, klein2025, leads, xu2024
from erralign_book.papers.klein2025 import shuffled

PEOPLE, MIXED, NETWORKS = xu2024.KINDS


def strengths_of(data_set, strengths):
    """Return the conditions of a data set, all or those that the benchmark uses."""
    every = source.read(data_set).truth.index.unique("condition")
    return [
        each for each in every if strengths == "all" or (data_set, each) not in model_vs_human.excluded_conditions()
    ]


def pairs_in(data_set, conditions):
    """Return every pair in some conditions, looped over: kind, difference of accuracies, near-copies or not, EC."""
    responses = source.read(data_set)
    table = responses.answers.eq(responses.truth, axis=0).loc[list(conditions)]
    right = {name: table[name].to_numpy() for name in table}
    network, architecture = responses.systems["kind"] == "model", source.architectures()
    rows = [
        (
            xu2024.KINDS[int(network[a]) + int(network[b])],
            abs(int(right[a].sum()) - int(right[b].sum())) / len(table),
            bool(network[a] and network[b] and architecture[a] == architecture[b]),
            textbook_ec(True, right[a], right[b]),
        )
        for a, b in combinations(right, 2)
    ]
    return pd.DataFrame(rows, columns=["kind", "gap", "copies", "EC"])


@pytest.mark.slow
@pytest.mark.parametrize(("data_set", "condition"), [("contrast", "c15"), ("stylized", "0"), ("contrast", "used")])
def test_means_of_a_condition_equal_a_loop(requires_data, data_set, condition):
    pairs = pairs_in(data_set, strengths_of(data_set, "used") if condition == "used" else [condition])
    table = xu2024.kinds_by_condition().query("data_set == @data_set and condition == @condition")
    assert len(table) >= 3 * 2
    for row in table.itertuples():
        near = (pairs["gap"] < row.tolerance) & (row.near_copies | ~pairs["copies"])
        chosen = pairs["EC"][near & (pairs["kind"] == row.kind)]
        assert (row.n_pairs, row.EC) == (len(chosen), pytest.approx(chosen.mean(), abs=1e-12))


@pytest.mark.slow
def test_specifications_equal_a_loop(requires_data):
    """One in which strengths are pooled, and one in which they are taken one at a time, from pairs looped over."""
    table = xu2024.leads("EC", PEOPLE, NETWORKS).set_index(["strengths", "pooling", "accuracies", "near-copies"])
    for strengths, pooling, words, tolerance, copies in (
        ("used", "pooled", "within 0.05", 0.05, True),
        ("all", "one at a time", "any accuracies", np.inf, False),
    ):
        gaps = []
        for data_set in source.data_sets().query("kind == 'synthetic'").index:
            conditions = strengths_of(data_set, strengths)
            parts = [conditions] if pooling == "pooled" else [[each] for each in conditions]
            pairs = [pairs_in(data_set, part) for part in parts]
            kept = [each[(each["gap"] < tolerance) & (copies | ~each["copies"])] for each in pairs]
            means = [each.groupby("kind")["EC"].mean() for each in kept]
            gaps.append(np.mean([each[PEOPLE] - each[NETWORKS] for each in means]))
        names = ("strengths in use" if strengths == "used" else "all strengths", pooling, words)
        row = table.loc[(*names, "near-copies in" if copies else "near-copies out")]
        assert row["value"] == pytest.approx(np.mean(gaps), abs=1e-12)
        assert row["se"] == pytest.approx(np.std(gaps, ddof=1) / 14**0.5)


def test_leaving_out_single_systems_is_another_papers_jackknife():
    """Where every network has an architecture of its own, from the widths of the two means, which are independent."""
    pairs = geirhos2020.of_the_paper(geirhos2020.pairwise_scores()).query("data_set == 'edges'").assign(condition="")
    pairs = pairs.assign(architecture_a=pairs["system_a"], architecture_b=pairs["system_b"])
    found = leads.jackknife(pairs, "EC", PEOPLE, NETWORKS).set_index("others").loc["people and networks"]
    widths = geirhos2020.widths_by_system().query("data_set == 'edges'").set_index("kind")["width_systems"]
    assert 1.959964 * found["se"] == pytest.approx(np.hypot(widths[PEOPLE], widths[NETWORKS]))


# --- what the front page and the chapters on EC and MA say in words ---------------------------------------------------

EQUAL = [tolerance for tolerance in xu2024.TOLERANCES if tolerance < 1]
EVERY_CHOICE = [
    {"strengths": strengths, "within": within, "tolerance": tolerance, "near_copies": copies}
    for strengths, within, tolerance, copies in product(
        ["all", "used"], [False, True], xu2024.TOLERANCES, [True, False]
    )
]
APART = {"strengths": "used", "within": True}


def lead(of, over, measure="EC", **choice):
    means = xu2024.kinds_compared(measure, **choice)
    difference = means[of] - means[over]
    limits = ttest_1samp(difference, 0).confidence_interval()
    return difference.mean(), limits.low, limits.high


def test_people_agree_more_with_people_than_with_networks_however_compared():
    assert not [choice for choice in EVERY_CHOICE if lead(PEOPLE, MIXED, **choice)[1] <= 0]


def test_one_strength_at_a_time_networks_lose_most_and_neither_club_leads_clearly_among_equals():
    together, apart = (xu2024.kinds_compared(strengths="used", within=within).mean() for within in (False, True))
    assert apart[PEOPLE] - apart[MIXED] > together[PEOPLE] - together[MIXED]
    assert together[NETWORKS] - apart[NETWORKS] > together[PEOPLE] - apart[PEOPLE] > 0
    for tolerance, near_copies, rule in product(EQUAL, [True, False], [xu2024.KINDS, (PEOPLE, NETWORKS)]):
        choice = {"tolerance": tolerance, "near_copies": near_copies, "kinds": rule}
        _, low, high = lead(PEOPLE, NETWORKS, **APART, **choice)
        assert low < 0 < high, choice


def test_who_leads_over_all_pairs_depends_on_strengths_pooling_near_copies_and_measure():
    level = [lead(PEOPLE, NETWORKS, strengths=strengths) for strengths in ("all", "used")]
    level += [lead(PEOPLE, NETWORKS, **APART), lead(PEOPLE, NETWORKS, within=True, near_copies=False)]
    assert all(low < 0 < high for _, low, high in level)
    assert lead(PEOPLE, NETWORKS, **APART, near_copies=False)[1] > 0
    assert lead(NETWORKS, PEOPLE, tolerance=0.01)[1] > 0 > lead(NETWORKS, PEOPLE, tolerance=0.01, near_copies=False)[1]
    for within in (False, True):
        choice = {"strengths": "used", "within": within}
        assert lead(NETWORKS, PEOPLE, "MA", **choice)[1] > 0
        assert -0.02 < lead(NETWORKS, PEOPLE, "MA", **choice, near_copies=False)[1] < 0


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


def test_more_are_found_than_nearly_every_shuffle_finds():
    table = klein2025.found_by_chance()
    assert table["shuffles"].sum() == shuffled.N_SHUFFLES
    assert table.loc[table["found"] >= 65, "shuffles"].sum() < 0.005 * shuffled.N_SHUFFLES
