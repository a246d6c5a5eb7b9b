"""Result tables of odd-one-out choices: what must hold on every machine, and rows that are quick to recheck."""

import numpy as np
import pytest

from erralign_book.papers import muttenthaler2023 as tables
from erralign_book.sources import things


def test_accuracies_are_in_the_neighbourhood_of_the_printed_ones():
    """EfficientNet-B0 has 45.42 % in Table B.1, CLIP ViT-B/32 51.41 %, and VICE about 64 % in the text."""
    best = tables.zero_shot().groupby("system")["accuracy"].max()
    assert best[["VICE", "SPoSE"]].tolist() == pytest.approx([0.64] * 2, abs=0.01)
    assert best["CLIP ViT-B/32"] == pytest.approx(0.5141, abs=0.02)
    assert best.filter(like="EfficientNet").between(0.42, 0.48).all()
    ceiling = tables.noise_ceiling().iloc[0]
    assert ceiling["low"] < 0.6722 < ceiling["high"]


def test_two_people_are_two_different_people(requires_data):
    rows = things.answers_of_people().to_numpy()
    same = [(row[:, None] == row)[np.triu_indices(len(row), 1)].mean() for row in rows]
    shared = tables.two_people().set_index("asked").loc["the same 199 people"]
    assert shared["least"] == shared["most"] == pytest.approx(np.mean(same))


def test_embeddings_agree_with_people_as_well_where_two_orders_differ():
    found = tables.agreement_by_number().set_index(["answers", "system", "displaced"])["accuracy"].unstack()
    lost = (found[False] - found[True]).unstack()
    assert lost.drop("the 440, as shipped").to_numpy().max() < 0.02
    assert lost.loc["the 440, as shipped"].min() > 0.03


def test_probes_gain_what_they_say_and_those_of_shuffled_triplets_are_at_chance():
    whole = tables.probing().drop_duplicates("system").set_index("system")
    shuffled = whole.index.str.endswith(", shuffled")
    assert whole[shuffled]["low"].max() < 1 / 3 < whole[shuffled]["high"].min()
    assert (whole["accuracy_seen"] > whole["accuracy"])[~shuffled].all()
    probed = tables.concept_accuracies_probed().dropna()
    np.testing.assert_allclose(probed["gain"], probed["probed"] - probed["zero_shot"], atol=1e-9)
    mean = probed.groupby("system")["gain"].mean()
    gained = whole["accuracy"] - whole["zero_shot"]
    assert mean.corr(gained[mean.index]) > 0.85  # on triplets that VICE gets right, so not the same


def test_a_concept_has_the_triplets_of_the_largest_sum_and_the_rule_moves_clip_on_vehicles():
    rules = tables.concept_rules().set_index(["rule", "dimension"])["accuracy"]
    by_sum = tables.concept_accuracies().query("system == 'CLIP ViT-B/32'").set_index("dimension")["accuracy"].dropna()
    np.testing.assert_allclose(rules["sum"][by_sum.index], by_sum, atol=1e-3)
    (vehicles,) = tables.dimensions().query("rank == 11")["dimension"]
    assert rules["product", vehicles] > rules["sum", vehicles] + 0.05
