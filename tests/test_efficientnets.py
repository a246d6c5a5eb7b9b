"""Three EfficientNets beside the systems of Geirhos et al.: frozen answers, and how they depend on what one chooses."""

import numpy as np
import pytest

from erralign import load, models
from erralign.models.categories import MAPPINGS
from erralign.sources.geirhos2020 import DATA_SETS, textures
from erralign_book.distortions.drawings import DRAWINGS, drawn
from erralign_book.papers import geirhos2020
from erralign_book.papers.geirhos2020 import EFFICIENTNETS, efficientnet_answers, efficientnet_confidences

LITE0 = EFFICIENTNETS[0]


def shape_bias(responses, network):
    """Of the answers that name the shape or the texture, where they differ: the share that names the shape."""
    texture = textures(responses.truth.index)
    given, truth = responses.answers[network], responses.truth
    shape, of_texture = ((given == each) & (truth != texture) for each in (truth, texture))
    return shape.sum() / (shape.sum() + of_texture.sum())


@pytest.mark.parametrize(("preprocessing", "near"), [("own", 0.25), ("whole", 0.27)])
def test_shape_bias_of_lite0(preprocessing, near):
    """Near what a prototype found on 320 pictures, whose 95 % interval is about .05 wide to each side."""
    responses = efficientnet_answers("cue-conflict", preprocessing=preprocessing)
    assert shape_bias(responses, LITE0) == pytest.approx(near, abs=0.05)


def changed(**choice):
    """Return the share of Lite0's answers to cue conflict that a choice changes."""
    usual = efficientnet_answers("cue-conflict").answers[LITE0]
    return (efficientnet_answers("cue-conflict", **choice).answers[LITE0] != usual).mean()


def test_choices_change_answers():
    assert changed() == 0
    assert changed(mapping="sum") == pytest.approx(0.39, abs=0.04)
    assert changed(mapping="maximum") == pytest.approx(0.19, abs=0.04)
    assert changed(preprocessing="whole") == pytest.approx(0.23, abs=0.04)


@pytest.mark.parametrize("data_set", DATA_SETS)
def test_confidences_belong_to_the_answers(data_set):
    answers = efficientnet_answers(data_set)
    assert len(answers.truth) == DATA_SETS[data_set]
    for network in EFFICIENTNETS:
        sure = efficientnet_confidences(network, data_set)
        np.testing.assert_allclose(sure.sum(axis=1), 1)
        assert (sure.to_numpy().argmax(axis=1) == answers.answers[network]).mean() > 0.995  # ties of rounding


def test_a_network_that_is_none_of_the_three():
    with pytest.raises(ValueError, match="network is 'tf_efficientnet_lite3'; expected one of tf_efficientnet_lite0,"):
        efficientnet_confidences("tf_efficientnet_lite3", "edges")


@pytest.mark.parametrize("data_set", DATA_SETS)
def test_they_stand_beside_people_and_networks(requires_data, data_set):
    both = load(f"geirhos2020/{data_set}").join(efficientnet_answers(data_set))
    assert both.answers.shape == (DATA_SETS[data_set], 38)


def test_what_is_computed_here_is_what_was_frozen(requires_data, requires_models, tmp_path, monkeypatch):
    """On as many of the 1,280 pictures as this machine has."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = models.run(models.load(LITE0, device="cpu"), "geirhos2020/cue-conflict")
    pictures = found.answers.truth.index
    frozen = efficientnet_answers("cue-conflict").answers.loc[pictures, LITE0]
    assert (found.answers.answers[LITE0] != frozen).sum() <= 1
    sure = efficientnet_confidences(LITE0, "cue-conflict").loc[pictures]
    np.testing.assert_allclose(found.confidences, sure, rtol=0.02, atol=1e-6)


def test_mappings_are_in_the_order_of_the_frozen_columns():
    assert MAPPINGS == ("mean", "sum", "maximum")


# --- what one chose before a network answered ------------------------------------------------------------------------


def test_answers_of_variants_are_those_of_each_choice():
    found = geirhos2020.answers_of_variants().set_index(["network", "preprocessing", "mapping"])
    assert len(found) == 18
    for mapping in MAPPINGS:
        row, answers = found.loc[(LITE0, "whole", mapping)], efficientnet_answers("cue-conflict", mapping=mapping)
        again = efficientnet_answers("cue-conflict", preprocessing="whole", mapping=mapping)
        assert row["shape_bias"] == pytest.approx(shape_bias(again, LITE0))
        assert row["low"] < row["shape_bias"] < row["high"]
        assert row["changed"] == pytest.approx(changed(preprocessing="whole", mapping=mapping))
        assert (again.truth == answers.truth).all()


def test_differences_are_those_of_the_values():
    choices = ["network", "preprocessing", "mapping"]
    values = geirhos2020.variants().set_index(["measure", *choices])["value"]
    gaps = geirhos2020.variant_differences()
    first, second = (
        gaps[["measure", *(f"{choice}{end}" for choice in choices)]].agg(tuple, axis=1).map(values)
        for end in ("", "_b")
    )
    np.testing.assert_allclose(gaps["difference"], second - first, atol=1e-12)
    differing = sum((gaps[choice] != gaps[f"{choice}_b"]).astype(int) for choice in choices)
    assert (differing == 1).all()
    assert gaps["changed"].value_counts().to_dict() == {"network": 72, "mapping": 72, "preprocessing": 36}


def test_values_beside_people_are_the_means_over_pairs():
    pairs = geirhos2020.efficientnet_pairs().query("data_set == 'cue-conflict' and kind == 'model-human'")
    values = geirhos2020.variants().query("preprocessing == 'own' and mapping == 'mean'")
    values = values.pivot(index="network", columns="measure", values="value")
    for measure in ("EC", "MA", "CLES"):
        np.testing.assert_allclose(pairs.groupby("system_b")[measure].mean(), values[measure], atol=1e-6)


def test_fewer_pictures_move_only_class_level_error_similarity():
    few = geirhos2020.fewer_pictures().set_index(["measure", "number", "what"])
    every = geirhos2020.variants().query("preprocessing == 'own' and mapping == 'mean' and network == @LITE0")
    every = every.set_index("measure")["value"]
    for measure in ("EC", "MA"):
        assert few.loc[(measure, 320, LITE0), "mean"] == pytest.approx(every[measure], abs=0.005)
    cles = few.xs(("CLES", LITE0), level=("measure", "what"))["mean"]
    assert (cles.diff().dropna() < -0.01).all()
    assert cles.iloc[-1] > every["CLES"] + 0.01


def test_camps_disagree_and_are_united():
    found = geirhos2020.camps()
    assert (found["people_say"] != found["networks_say"]).all()
    assert (found["people"] == 10).all()
    assert found["networks"].between(25, 28).all()
    assert found["shape"].is_unique


@pytest.mark.parametrize("name", DRAWINGS)
def test_drawings_are_known_without_noise_and_lost_in_it(name):
    said = geirhos2020.drawn_pictures().query("picture == @name").groupby("noise")["confidence"].mean()
    assert said.loc[0.1] > 0.75
    assert said.loc[0.8] < 0.6
    plain, noisy = drawn(name, 0), drawn(name, 0.2)
    assert np.std(noisy.astype(float) - plain) > 20
    assert plain.shape == (224, 224, 3)
