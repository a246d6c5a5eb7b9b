"""Networks trained on digits: what they are shown, what they learn, and what the measures say of them."""

import numpy as np
import pytest

from erralign_book.papers.klabunde2024 import patterns
from erralign_book.papers.klabunde2024.results import TESTS
from erralign_book.training import families, vision


@pytest.mark.parametrize("network", families.FAMILIES)
def test_a_network_learns_digits_and_keeps_five_layers(requires_models, network):
    trained = vision.standard(network, 0)
    assert trained.accuracy > 0.8
    assert len(trained.layers) == families.BLOCKS
    assert all(layer.shape[0] == vision.N_TEST for layer in trained.layers)


@pytest.mark.parametrize("network", ["plain", "ViT"])
def test_the_last_layer_is_what_the_classifier_gets(requires_models, network):
    import torch

    torch.manual_seed(0)
    built = families.family(network, 8, 10)
    built.model.eval()
    logits, layers = families.with_layers(built, torch.rand(3, 3, 8, 8))
    np.testing.assert_allclose(built.classifier(layers[-1]).detach(), logits, rtol=1e-5, atol=1e-6)


def test_the_same_seed_gives_the_same_network_and_another_one_another(requires_models):
    one, again, other = (vision.standard("plain", seed, epochs=1) for seed in (0, 0, 1))
    assert np.array_equal(one.logits, again.logits)
    assert not np.array_equal(one.logits, other.logits)


def test_groups_are_told_apart_by_accuracy(requires_models):
    assert vision.random_labels("plain", 0, "100%").accuracy < 0.3
    assert vision.shortcuts("plain", 0, "100%").accuracy < 0.5 < vision.shortcuts("plain", 0, "0%").accuracy


def test_noise_is_in_training_only(requires_models):
    noisy = vision.augmentation("plain", 0, "Max")
    assert noisy.accuracy > 0.9
    assert not np.array_equal(noisy.logits, vision.standard("plain", 0).logits)


def test_larger_pictures_and_wider_networks(requires_models):
    rng = np.random.default_rng(0)
    shown = rng.random((100, 3, 16, 16), dtype=np.float32)
    pictures = vision.Pictures(shown, rng.integers(3, size=100), shown[:7], np.arange(7) % 3, 3)
    for network in families.FAMILIES:
        trained = vision.standard(network, 0, pictures, epochs=1, scale=2)
        assert trained.logits.shape == (7, 3)


def test_unknown_groups_and_families_are_refused(requires_models):
    with pytest.raises(ValueError, match="group is '30%'"):
        vision.random_labels("plain", 0, "30%")
    with pytest.raises(ValueError, match="name is 'AlexNet'"):
        families.family("AlexNet", 8, 10)


def test_labels_are_drawn_anew_with_the_true_ones_among_them():
    labels = np.zeros(10_000, dtype=int)
    drawn = vision.redrawn(labels, 0.5, 10, np.random.default_rng(0))
    assert (drawn == 0).mean() == pytest.approx(0.55, abs=0.02)


def test_dots_have_the_colours_of_their_classes_and_leave_the_picture_alone():
    shown = vision.digits().test
    painted = vision.with_dots(shown, np.arange(len(shown)) % 10, 10)
    assert len(np.unique(painted[:, :, 0, 0], axis=0)) == 10
    assert np.array_equal(painted[:, :, 2:], shown[:, :, 2:])
    # Hardly any digit has ink where the dot is.
    assert (shown[:, :, : vision.DOT, : vision.DOT] > 0.5).mean() < 0.05


def test_no_digit_is_in_training_and_test():
    digits = vision.digits()
    assert len(digits.train) + len(digits.test) == 1797
    seen = {picture.tobytes() for picture in digits.train}
    assert sum(picture.tobytes() in seen for picture in digits.test) == 0


# ---- the frozen scores -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_patterns_compare_only_measures_that_the_paper_has():
    found = patterns()
    assert list(found["test"]) == list(TESTS)
    assert found["measures"].between(15, 23).all()
    assert found[["rho", "rho_ours", "rho_printed"]].abs().max().max() <= 1
