"""Result tables of odd-one-out choices: what must hold on every machine, and rows that are quick to recheck."""

import numpy as np
import pytest

from erralign.sources import things
from erralign_book.papers import muttenthaler2023 as tables


def test_accuracies_are_in_the_neighbourhood_of_the_printed_ones():
    """EfficientNet-B0 has 45.42 % in Table B.1, CLIP ViT-B/32 51.41 %, and VICE about 64 % in the text."""
    best = tables.zero_shot().groupby("system")["accuracy"].max()
    assert best["VICE"] == pytest.approx(0.64, abs=0.01)
    assert best["SPoSE"] == pytest.approx(0.64, abs=0.01)
    assert best["CLIP ViT-B/32"] == pytest.approx(0.5141, abs=0.02)
    assert best.filter(like="EfficientNet").between(0.42, 0.48).all()
    assert best["CLIP ViT-B/32"] > best["CLIP ViT-B/32, as shipped"] + 0.015


def test_the_ceiling_is_the_printed_one_within_its_interval():
    ceiling = tables.noise_ceiling().set_index("answers")
    assert ceiling.loc["100 or more", "low"] < 0.6722 < ceiling.loc["100 or more", "high"]
    assert ceiling["share"].between(0.67, 0.69).all()


def test_intervals_of_objects_are_wider():
    table = tables.zero_shot()
    ratio = (table["high"] - table["low"]) / (table["high_independent"] - table["low_independent"])
    assert ratio.between(2, 5).all()


def test_logits_beat_the_layer_before_them_and_cosine_the_dot_product():
    accuracy = tables.zero_shot().set_index(["system", "similarity"])["accuracy"].unstack()
    networks = accuracy.filter(like="EfficientNet", axis=0)
    logits, before = (networks[networks.index.str.endswith(layer)] for layer in ("logits", "penultimate"))
    assert (logits["cosine"].to_numpy() > before["cosine"].to_numpy()).all()
    assert (networks["cosine"] >= networks["dot"]).all()


def test_networks_name_what_is_in_the_pictures():
    shares = tables.shown().set_index("system")["top_1"].dropna()
    assert len(shares) == 3
    assert shares.min() >= 0.85


def test_probes_of_shuffled_triplets_are_at_chance_and_new_objects_cost_accuracy():
    whole = tables.probing().drop_duplicates("system").set_index("system")
    shuffled = whole.index.str.endswith(", shuffled")
    assert whole[shuffled]["low"].max() < 1 / 3 < whole[shuffled]["high"].min()
    assert (whole["accuracy_seen"] > whole["accuracy"])[~shuffled].all()
    assert (whole["accuracy_chosen_on_test"] >= whole["accuracy"] - 0.005).all()
    unlearned = whole[~shuffled].drop(["VICE", "SPoSE"])
    assert (unlearned["accuracy"] > unlearned["zero_shot"] + 0.03).all()


def test_representations_of_people_are_nearest_to_people():
    rsa = tables.rsa_48().set_index("system")["spearman"]
    assert rsa[["SPoSE", "VICE"]].min() > rsa.drop(["SPoSE", "VICE"]).max()
    people = tables.rsa_92().query("kind == 'people'").set_index("matrix")["spearman"]
    assert people["mean of the others"] == pytest.approx(0.478, abs=0.01)
    assert people["mean of all"] == pytest.approx(0.575, abs=0.02)


def test_systems_that_learned_from_one_source_err_alike():
    pairs = tables.errors_of_pairs().set_index(["system_a", "system_b"])
    assert pairs["EC"].idxmax() == ("SPoSE", "VICE")
    assert pairs["MA"].idxmax() == ("SPoSE", "VICE")
    assert (pairs["EC_low"] <= pairs["EC"]).all()
    assert (pairs["EC"] <= pairs["EC_high"]).all()


def test_concepts_and_dimensions():
    assert sorted(tables.dimensions()["rank"]) == list(range(1, 43))
    accuracies = tables.concept_accuracies()
    assert accuracies["accuracy"].isna().equals(accuracies["triplets"] < 100)
    vice = accuracies[accuracies["system"] == "VICE"]["accuracy"].mean()
    others = accuracies[~accuracies["system"].isin(["VICE", "SPoSE"])].groupby("system")["accuracy"].mean()
    assert vice > others.max() + 0.1
    explained = tables.dimensions_explained().query("dimension == 0").set_index("system")["r2"]
    assert explained.idxmax() == "SPoSE"


def test_concepts_after_the_probe_are_those_of_the_probe_in_all():
    probed = tables.concept_accuracies_probed().dropna()
    weighed = (probed["gain"] * probed["triplets"]).groupby(probed["system"]).sum()
    mean = weighed / probed.groupby("system")["triplets"].sum()
    whole = tables.probing().drop_duplicates("system").set_index("system").loc[mean.index]
    gained = whole["accuracy"] - whole["zero_shot"]
    assert mean.corr(gained) > 0.9  # on triplets that VICE gets right, so not the same
    assert (mean.drop("SPoSE") > 0.03).all()
    assert (probed["gain"] - (probed["probed"] - probed["zero_shot"])).abs().max() < 1e-9
    assert (probed["gain_low"] < probed["gain"]).all()


def test_the_probe_brings_similarities_of_new_things_closer_to_people():
    rsa = tables.rsa_48_probed().set_index("system")
    learners = rsa.drop(["SPoSE", "VICE"])
    assert (learners["gain"] > 0).all()
    np.testing.assert_allclose(rsa["gain"], rsa["after"] - rsa["before"], atol=1e-9)
    raw = tables.rsa_48().set_index("system")["spearman"]
    assert raw.corr(rsa["before"]) > 0.95  # another kernel of the same features


def test_doubts_of_people_are_not_those_of_networks():
    doubts = tables.entropies_of_pairs().set_index(["system_a", "system_b"])
    assert doubts["pearson"].between(doubts["low"], doubts["high"]).all()
    assert doubts["pearson"].idxmax() != ("SPoSE", "CLIP ViT-B/32")
    assert doubts.loc[("SPoSE", "VICE"), "pearson"] > doubts.xs("VICE").max()["pearson"]


def test_animals_have_animals_as_neighbours():
    near = tables.concept_neighbours()
    assert (near["share"] > near["chance"]).mean() > 0.9
    animals = near[near["dimension"] == 13].set_index("system")["share"]
    assert animals["CLIP ViT-B/32"] > animals.filter(like="EfficientNet").max()


def test_errors_with_people_have_limits_of_objects():
    table = tables.errors_with_people()
    for short in ("EC", "MA"):
        assert (table[f"{short}_low"] < table[f"{short}_high"]).all()
        assert table[f"{short}_narrow"].between(0.95, 1.5).all()


def test_stages_of_a_network_lie_between_chance_and_its_logits():
    stages, zero_shot = tables.accuracy_by_stage(), tables.zero_shot().set_index("system")
    logits = zero_shot.loc["EfficientNet-Lite0 logits"]
    assert set(stages["triplets"]) == set(logits["triplets"])
    assert stages["low"].gt(1 / 3).all()
    assert stages["high"].lt(logits["accuracy"].min()).all()


@pytest.mark.parametrize("table", [tables.zero_shot, tables.rsa_48, tables.accuracy_by_entropy])
def test_rows_that_need_no_network_equal_fresh_ones(requires_data, table):
    assert table.table.spot_difference(table.table.function("word2vec")) == ""


def test_words_for_a_model_of_text():
    words = tables.systems.words()
    assert len(words) == things.N_OBJECTS
    assert not words.str.contains(r"[0-9_]").any()
    assert len(np.unique(words)) == things.N_OBJECTS - 31
