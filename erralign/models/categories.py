"""From the outputs of a network to answers: which outputs belong to which class, and how they are put together."""

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np
from scipy.special import logsumexp, softmax

from erralign._validation import check_choice, check_confidences, expected
from erralign.datasets.stimuli import sixteen_categories
from erralign.models.libraries import timm

IMAGENET = 1000
TINY = float(np.finfo(np.float32).tiny)  # has a logarithm, as 0 has not
MAPPINGS = ("mean", "sum", "maximum")


def category_confidences(logits: np.ndarray, members: Sequence[Sequence[int]], mapping: str = "mean") -> np.ndarray:
    r"""Put the probabilities of many classes together into confidences in a few categories.

    With :math:`p = \operatorname{softmax}(z)` of all outputs, the score of category :math:`c` is the mean of
    :math:`p_k` over its classes :math:`k`, their sum, or the largest. Confidences are the scores divided by their sum.
    Classes that belong to no category are left out.

    Parameters
    ----------
    logits : numpy.ndarray of float, shape (n_images, n_outputs)
        The outputs z, before the softmax.
    members : sequence of sequences of int
        For each category, the places of its classes among the outputs.
    mapping : {"mean", "sum", "maximum"}
        How the probabilities are put together. Geirhos et al. take the mean. The sum favours categories with many
        classes: there are 109 kinds of dogs and two of ovens.

    Returns
    -------
    numpy.ndarray of float, shape (n_images, n_categories)
        Each row sums to 1.

    Examples
    --------
    >>> logits = np.log([[0.3, 0.1, 0.2, 0.4]])
    >>> category_confidences(logits, [[0, 1], [2]]).round(2).tolist()
    [[0.5, 0.5]]
    """
    check_choice("mapping", mapping, MAPPINGS)
    # In logarithms: where one class has nearly all of the probability, the others would be rounded to 0.
    scores = [_score(logits[:, list(places)].astype(np.float64), mapping) for places in members]
    # Where a model rules all categories out, none is likelier than another.
    return softmax(np.maximum(np.column_stack(scores), -np.finfo(np.float64).max / 4), axis=1)


def as_logits(outputs: np.ndarray, model: str) -> tuple[np.ndarray, str]:
    """Return logits, and what the outputs were: probabilities, or refused, if they lie from 0 to 1 or sum to 100."""
    percentages = np.allclose(outputs.sum(axis=1), 100, rtol=0.01)
    if outputs.min() < 0 or (outputs.max() > 1.01 and not percentages):
        return outputs, "logits"
    return np.log(np.maximum(check_confidences(f"what {model} gives", outputs), TINY)), "probabilities"


def _score(logits: np.ndarray, mapping: str) -> np.ndarray:
    if mapping == "maximum":
        return logits.max(axis=1)
    return logsumexp(logits, axis=1) - (np.log(logits.shape[1]) if mapping == "mean" else 0)


def _imagenet_classes() -> tuple[str, ...]:
    """Name the 1,000 classes of ImageNet by their WordNet ids, in the order of a network's outputs."""
    return tuple(timm().data.ImageNetInfo().label_names())


def _imagenet_words() -> tuple[tuple[str, ...], dict[str, int]]:
    """Name the same classes in words, each by its first, and find the class of each word that has only one."""
    ids, known = _imagenet_classes(), timm().data.ImageNetInfo()
    synonyms = [known.label_name_to_description(name).split(", ") for name in ids]
    n_classes = Counter(_plain(word) for words in synonyms for word in set(words))
    n_first = Counter(_plain(words[0]) for words in synonyms)
    first = tuple(
        words[0] if n_first[_plain(words[0])] == 1 else f"{words[0]} ({name})"
        for words, name in zip(synonyms, ids, strict=True)
    )
    others = {_plain(word): place for place, words in enumerate(synonyms) for word in words}
    alone = {word: place for word, place in others.items() if n_classes[word] == 1}
    return first, alone | {_plain(word): place for place, word in enumerate(first)}


def _plain(word: str) -> str:
    return word.casefold().replace("_", " ").replace("-", " ")


def categories_for(
    true: Collection[str], classes: Sequence[str] | None, model: str
) -> tuple[tuple[str, ...], list[list[int]]]:
    """Find the categories that a model answers with, where pictures have these true classes."""
    sixteen = sixteen_categories()
    if classes is None and set(true) <= set(sixteen):
        return tuple(sixteen), list(sixteen.values())
    known = tuple(classes) if classes is not None else _in_imagenet(true)
    unknown = sorted(set(true) - set(known), key=lambda name: (name in sixteen, name))  # a typo before what is right
    if unknown:
        raise ValueError(
            f"pictures have the true class {unknown[0]!r}, with which {model} cannot answer; "
            + (_in_three_ways(unknown[0]) if classes is None else expected(unknown[0], known))
        )
    return known, [[place] for place in range(len(known))]


def _in_imagenet(true: Collection[str]) -> tuple[str, ...]:
    """Return the classes of ImageNet by their ids, or in words, of which those in use are written as they are there."""
    ids = _imagenet_classes()
    if set(true) & set(ids):
        return ids
    words, places = _imagenet_words()
    written = {places[_plain(name)]: name for name in sorted(true) if _plain(name) in places}
    return tuple(written.get(place, word) for place, word in enumerate(words))


def _in_three_ways(unknown: str) -> str:
    sixteen, words = sixteen_categories(), _imagenet_words()[0]
    hints = [] if unknown in (*sixteen, *words) else [expected(unknown, names) for names in (sixteen, words)]
    near = next((hint for hint in hints if hint.startswith("did you mean")), "")
    return (
        f"expected, all in one way, the 16 categories ({', '.join(sixteen)}), ImageNet's words (such as "
        "banana) or its WordNet ids (such as n07753592)" + (near and f"; {near}")
    )
