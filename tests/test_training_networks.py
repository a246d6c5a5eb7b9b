"""Networks trained on digits, on sentences and on clouds of points: what they are shown, and what they learn."""

import numpy as np
import pytest

from erralign_book.training import families, language, vision
from erralign_book.training.clouds import Clouds

# --- digits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("network", ["plain", "ViT"])
def test_the_last_layer_is_what_the_classifier_gets(requires_models, network):
    import torch

    torch.manual_seed(0)
    built = families.family(network, 8, 10)
    built.model.eval()
    logits, layers = families.with_layers(built, torch.rand(3, 3, 8, 8))
    np.testing.assert_allclose(built.classifier(layers[-1]).detach(), logits, rtol=1e-5, atol=1e-6)


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


# --- sentences --------------------------------------------------------------------------------------------------------


def test_the_share_of_new_labels_is_as_wanted_and_they_are_equally_frequent():
    labels = np.arange(20_000) % 2
    drawn = language.renamed(labels, 0.75, np.random.default_rng(0))
    new = drawn >= language.CLASSES
    assert new.mean() == pytest.approx(0.75, abs=0.02)
    assert np.array_equal(drawn[~new], labels[~new])
    counts = np.bincount(drawn[new])[language.CLASSES :]
    np.testing.assert_allclose(counts / counts.sum(), 1 / language.NEW_LABELS, atol=0.02)


@pytest.mark.parametrize("share", language.SHORTCUTS.values())
def test_hints_are_right_as_often_as_wanted_and_come_before_the_words(share):
    shown = language.Sentences(((language.FIRST, 9, 8),) * 5_000, np.arange(5_000) % 2)
    hinted = language.with_hints(shown, share, np.random.default_rng(0))
    tokens = np.array(hinted.tokens)
    assert (tokens[:, [0, 2, 3]] == [language.FIRST, 9, 8]).all()
    assert (tokens[:, 1] - language.HINT == shown.labels).mean() == pytest.approx(share, abs=0.02)


def test_sentences_are_cut_and_rare_words_have_one_token(requires_data):
    assert language.phrases().lengths.max() <= 1 + language.LONGEST
    words = [token for sentence in language.sentences().tokens for token in sentence[1:]]
    assert 0 < words.count(language.UNKNOWN) / len(words) < 0.15
    assert min(words) >= language.UNKNOWN
    assert not {language.FIRST, language.HINT, language.HINT + 1} & set(words)


# --- clouds -----------------------------------------------------------------------------------------------------------


def test_a_network_learns_true_labels_and_not_random_ones():
    clouds = Clouds(0)
    looks = (clouds.with_labels(share, 0)[1] for share in (0, 1))
    of_true, of_random = (np.mean(look.argmax(axis=1) == clouds.new_labels) for look in looks)
    assert of_true > 0.7 > 0.4 > of_random
    assert np.array_equal(clouds.with_labels(0.5, 1)[1], Clouds(0).with_labels(0.5, 1)[1])
