"""Three EfficientNets beside the systems of Geirhos et al.: frozen answers, and how they depend on what one chooses."""

import numpy as np
import pytest
from textbook import cues_named

from erralign import load, models
from erralign.models.categories import MAPPINGS
from erralign.sources.geirhos2020 import DATA_SETS, textures
from erralign_book.papers import geirhos2020
from erralign_book.papers.geirhos2020 import EFFICIENTNETS, efficientnet_answers, efficientnet_confidences

LITE0 = EFFICIENTNETS[0]


def changed(**choice):
    """Return the share of Lite0's answers to cue conflict that a choice changes."""
    usual = efficientnet_answers("cue-conflict").answers[LITE0]
    return (efficientnet_answers("cue-conflict", **choice).answers[LITE0] != usual).mean()


@pytest.mark.parametrize("data_set", DATA_SETS)
def test_confidences_belong_to_the_answers_which_stand_beside_people_and_networks(requires_data, data_set):
    answers = efficientnet_answers(data_set)
    assert len(answers.truth) == DATA_SETS[data_set]
    for network in EFFICIENTNETS:
        sure = efficientnet_confidences(network, data_set)
        np.testing.assert_allclose(sure.sum(axis=1), 1)
        assert (sure.to_numpy().argmax(axis=1) == answers.answers[network]).mean() > 0.995  # ties of rounding
    assert load(f"geirhos2020/{data_set}").join(answers).answers.shape == (DATA_SETS[data_set], 38)


def test_what_is_computed_here_is_what_was_frozen(requires_data, requires_models, tmp_path, monkeypatch):
    """On as many of the 1,280 pictures as this machine has."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = models.run(models.load(LITE0, device="cpu"), "geirhos2020/cue-conflict")
    pictures = found.answers.truth.index
    frozen = efficientnet_answers("cue-conflict").answers.loc[pictures, LITE0]
    assert (found.answers.answers[LITE0] != frozen).sum() <= 1
    sure = efficientnet_confidences(LITE0, "cue-conflict").loc[pictures]
    np.testing.assert_allclose(found.confidences, sure, rtol=0.02, atol=1e-6)


# --- what one chose before a network answered ------------------------------------------------------------------------


def test_answers_of_variants_are_those_of_each_choice():
    found = geirhos2020.answers_of_variants().set_index(["network", "preprocessing", "mapping"])
    assert len(found) == 18
    for mapping in MAPPINGS:
        row, answers = found.loc[(LITE0, "whole", mapping)], efficientnet_answers("cue-conflict", mapping=mapping)
        again = efficientnet_answers("cue-conflict", preprocessing="whole", mapping=mapping)
        shapes, others, _ = cues_named([again.answers[LITE0]], again.truth, textures(again.truth.index)).sum(axis=0)
        assert row["shape_bias"] == pytest.approx(shapes / (shapes + others))
        assert row["low"] < row["shape_bias"] < row["high"]
        assert row["changed"] == pytest.approx(changed(preprocessing="whole", mapping=mapping))
        assert (again.truth == answers.truth).all()
