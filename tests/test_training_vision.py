"""Networks trained on digits: what they are shown, what they learn, and what the measures say of them."""

import numpy as np
import pytest

from erralign_book.training import families, vision


@pytest.mark.parametrize("network", ["plain", "ViT"])
def test_the_last_layer_is_what_the_classifier_gets(requires_models, network):
    import torch

    torch.manual_seed(0)
    built = families.family(network, 8, 10)
    built.model.eval()
    logits, layers = families.with_layers(built, torch.rand(3, 3, 8, 8))
    np.testing.assert_allclose(built.classifier(layers[-1]).detach(), logits, rtol=1e-5, atol=1e-6)


def test_larger_pictures_and_wider_networks(requires_models):
    rng = np.random.default_rng(0)
    shown = rng.random((100, 3, 16, 16), dtype=np.float32)
    pictures = vision.Pictures(shown, rng.integers(3, size=100), shown[:7], np.arange(7) % 3, 3)
    for network in families.FAMILIES:
        trained = vision.standard(network, 0, pictures, epochs=1, scale=2)
        assert trained.logits.shape == (7, 3)


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
