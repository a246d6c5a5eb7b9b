"""The measures of errors as functions of probabilities, which have a gradient, and losses made of them."""

from __future__ import annotations

from typing import Any

from erralign.models.libraries import torch

_ALPHA = 0.5  # as in class-level error similarity


def soft_ec(logits: Any, truth: Any, shares: Any, weights: Any = None) -> Any:
    r"""Return error consistency of a network with people, from probabilities.

    Let :math:`r_i` be the probability that the network gives to the true class of picture i, and :math:`h_i` the share
    of people who named it. With means :math:`\bar r` and :math:`\bar h` over pictures,

    .. math:: EC = \frac{2\,(\overline{r h} - \bar r\,\bar h)}{\bar r + \bar h - 2\,\bar r\,\bar h}.

    Parameters
    ----------
    logits : torch.Tensor, shape (..., n_pictures, C)
        What the network computes; their softmax are the probabilities. Dimensions in front, such as heads that are
        trained side by side, stay apart.
    truth : torch.Tensor of int64, shape (..., n_pictures)
        True class ids.
    shares : torch.Tensor, shape (..., n_pictures, C)
        Which share of people gave each answer. A row sums to less than 1 where some gave none.
    weights : torch.Tensor, shape (..., n_pictures), optional
        How much each picture counts, such as 0 for padding.

    Returns
    -------
    torch.Tensor, shape (...)
        From -1 to 1: :func:`erralign.error_consistency` where probabilities and shares are 0 or 1. nan where that is
        undefined. It needs all pictures at once: the mean over small batches is another quantity.
    """
    right, people = (_of_truth(chances, truth) for chances in (logits.softmax(-1), shares))
    weights = _weights(weights, right)
    weights = weights / weights.sum(-1, keepdim=True)
    p, h, both = ((weights * chances).sum(-1) for chances in (right, people, right * people))
    return 2 * (both - p * h) / (p + h - 2 * p * h)


def soft_ma(logits: Any, truth: Any, shares: Any, weights: Any = None) -> Any:
    r"""Return misclassification agreement of a network with people, from probabilities.

    Let :math:`q_{ik}` be the probability of the wrong class k for picture i, and :math:`s_{ik}` the share of people who
    named it. Two answers, one of the network and one of a person, are expected to be a joint error with the answers j
    and k :math:`M_{jk} = \sum_i q_{ij} s_{ik}` times. The result is Cohen's kappa of M. It divides by the network's own
    probability of being wrong, so a network can raise it by choosing where to be wrong; :func:`wrong_answers` cannot.

    Parameters
    ----------
    logits, truth, shares, weights : torch.Tensor
        As for :func:`soft_ec`.

    Returns
    -------
    torch.Tensor, shape (...)
        From -1 to 1: :func:`erralign.misclassification_agreement` where probabilities and shares are 0 or 1. nan where
        that is undefined.
    """
    own, people = (_wrong(chances, truth) for chances in (logits.softmax(-1), shares))
    own = own * _weights(weights, own[..., 0])[..., None]
    agreed = (own * people).sum((-1, -2))
    rows, columns = (own * people.sum(-1, keepdim=True)).sum(-2), (own.sum(-1, keepdim=True) * people).sum(-2)
    total, chance = rows.sum(-1), (rows * columns).sum(-1)
    return (total * agreed - chance) / (total**2 - chance)


def soft_cles(logits: Any, truth: Any, shares: Any, weights: Any = None) -> Any:
    r"""Return class-level error similarity of a network with people, from probabilities.

    The counts of errors are replaced by expected ones: :math:`f_{ck} = \sum_{i \in c} q_{ik}` for the network and
    :math:`\sum_{i \in c} s_{ik}` for people, who so count as one system. The rest is the released form of the measure,
    with :math:`\alpha = 0.5`.

    Parameters
    ----------
    logits, truth, shares, weights : torch.Tensor
        As for :func:`soft_ec`.

    Returns
    -------
    torch.Tensor, shape (...)
        Above 0, at most 1: :func:`erralign.class_level_error_similarity` where probabilities and shares are 0 or 1.
    """
    wrong = (_wrong(chances, truth) for chances in (logits.softmax(-1), shares))
    of_class = _one_hot(truth, logits) * _weights(weights, logits[..., 0])[..., None]
    own, people = (of_class.mT @ chances for chances in wrong)
    pooled = _smoothed(own + people)
    apart = sum((row * (row / pooled).log()).sum(-1) / 2 for row in (_smoothed(own), _smoothed(people)))
    errors = (own + people).sum(-1)
    return 1 / (1 + (errors * apart).sum(-1) / errors.sum(-1))


def wrong_answers(logits: Any, truth: Any, shares: Any, weights: Any = None) -> Any:
    r"""Return the log loss of people's wrong answers, given that the network is wrong.

    .. math:: -\sum_i \sum_{k \ne y_i} s_{ik} \log\frac{q_{ik}}{1 - q_{iy_i}} \Big/ \sum_i \sum_{k \ne y_i} s_{ik}

    This is the part of decoupled distillation (Zhao et al. 2022, https://doi.org/10.48550/arXiv.2203.08679) that
    concerns the wrong classes, with people as the teacher.

    Parameters
    ----------
    logits, truth, shares, weights : torch.Tensor
        As for :func:`soft_ec`.

    Returns
    -------
    torch.Tensor, shape (...)
        A loss, at least 0; it does not depend on how probable the true class is.
    """
    given_wrong = _wrong(logits, truth, -1e9).log_softmax(-1)
    people = _wrong(shares, truth) * _weights(weights, logits[..., 0])[..., None]
    return -(people * given_wrong).sum((-1, -2)) / people.sum((-1, -2))


_SOFT = {"EC": soft_ec, "MA": soft_ma, "CLES": soft_cles}
EXTRAS = (*_SOFT, "wrong answers")
LOSSES = ("cross-entropy", "people's shares", "category's shares", *EXTRAS)


def extra_loss(name: str, logits: Any, truth: Any, shares: Any, weights: Any = None) -> Any:
    """Return what a loss adds to cross-entropy: 1 minus a soft measure, or the log loss of wrong answers."""
    if name == "wrong answers":
        return wrong_answers(logits, truth, shares, weights)
    return 1 - _SOFT[name](logits, truth, shares, weights)


def _one_hot(truth: Any, logits: Any) -> Any:
    return torch().nn.functional.one_hot(truth, logits.shape[-1]).to(logits.dtype)


def _weights(weights: Any, like: Any) -> Any:
    return torch().ones_like(like) if weights is None else weights


def _of_truth(each: Any, truth: Any) -> Any:
    return each.gather(-1, truth[..., None])[..., 0]


def _wrong(each: Any, truth: Any, right: float = 0.0) -> Any:
    """Put one number in the place of the true class."""
    return each.scatter(-1, truth[..., None], right)


def _smoothed(errors: Any) -> Any:
    """Return the shares of wrong answers for each true class, with alpha added to each count."""
    right = torch().eye(errors.shape[-1], dtype=errors.dtype, device=errors.device)
    rows = (errors + _ALPHA) * (1 - right)
    # The diagonal becomes 1, whose logarithm is 0: right answers are no part of the measure.
    return rows / rows.sum(-1, keepdim=True) + right
