"""Networks trained on sentences: what they are shown, what they learn, and what the measures say of them."""

import numpy as np
import pytest

from erralign_book.training import language


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
