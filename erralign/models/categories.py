"""From the outputs of a network to answers: which outputs belong to which class, and how they are put together."""

from collections.abc import Collection, Sequence

import numpy as np
from scipy.special import logsumexp, softmax

from erralign.errors import check_choice, expected
from erralign.models.libraries import timm
from erralign.sources.stimuli import sixteen_categories

IMAGENET = 1000
MAPPINGS = ("mean", "sum", "maximum")


def category_confidences(logits: np.ndarray, members: Sequence[Sequence[int]], mapping: str = "mean") -> np.ndarray:
    r"""Put the probabilities of many classes together into confidences in a few categories.

    With :math:`p = \operatorname{softmax}(z)` of all outputs, the score of category :math:`c` is the mean of
    :math:`p_k` over its classes :math:`k`, their sum, or the largest. Confidences are the scores divided by their sum
    over the categories. Classes that belong to no category are left out.

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
    >>> category_confidences(logits, [[0, 1], [2]], "sum").round(2).tolist()
    [[0.67, 0.33]]
    """
    check_choice("mapping", mapping, MAPPINGS)
    # In logarithms: where one class has nearly all of the probability, the others would be rounded to 0.
    scores = [_score(logits[:, list(places)].astype(np.float64), mapping) for places in members]
    return softmax(np.column_stack(scores), axis=1)


def _score(logits: np.ndarray, mapping: str) -> np.ndarray:
    if mapping == "maximum":
        return logits.max(axis=1)
    return logsumexp(logits, axis=1) - (np.log(logits.shape[1]) if mapping == "mean" else 0)


def imagenet_classes() -> tuple[str, ...]:
    """Name the 1,000 classes of ImageNet, in the order of a network's outputs."""
    return tuple(timm().data.ImageNetInfo().label_names())


def categories_for(
    true: Collection[str], classes: Sequence[str] | None, model: str
) -> tuple[tuple[str, ...], list[list[int]]]:
    """Find the categories that a model answers with, where pictures have these true classes."""
    if classes is not None:
        known = tuple(classes)
    elif all(name[:1] == "n" and name[1:].isdigit() for name in true):
        known = imagenet_classes()
    else:
        known = tuple(sixteen_categories())
    unknown = sorted(set(true) - set(known))
    if unknown:
        raise ValueError(
            f"pictures have the true class {unknown[0]!r}, with which {model} cannot answer; "
            f"{expected(unknown[0], known)}"
        )
    sixteen = classes is None and len(known) < IMAGENET
    return known, list(sixteen_categories().values()) if sixteen else [[place] for place in range(len(known))]
