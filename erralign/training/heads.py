"""Linear heads on frozen features, all folds and all losses side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import eigh

from erralign.models.libraries import torch
from erralign.training.losses import total_loss

COMPONENTS = 128  # of the features of the training pictures, which keep what a head with decay can learn
NUMBERS = {1: (5,), 2: (4, 3)}  # into how many parts each factor is cut
STEPS, RATE = 50, 0.3
DECAY = 3e-4


class Arm(NamedTuple):
    """One way to train a head."""

    loss: str
    strength: float = 0.0
    decay: float = DECAY
    change: Callable[..., np.ndarray] | None = None  # of people's answers: a control


class Folds(NamedTuple):
    """Which head learns from which pictures, and which one answers for a picture."""

    train: np.ndarray  # (n_heads, n_pictures) bools
    test: np.ndarray  # (n_pictures,) the head that has met neither the picture nor one that shares a label with it
    seen: np.ndarray  # (n_pictures,) a head that learned from the picture


def folds(labels: Sequence[np.ndarray], truth: np.ndarray, rng: np.random.Generator, *, grouped: bool = True) -> Folds:
    """Cut pictures into parts by one or two labels: what is tested shares none with what was trained on.

    If not ``grouped``, the same parts go to pictures at random, within each true class.
    """
    numbers = NUMBERS[len(labels)]
    parts = np.stack([_spread(each, number, rng) for each, number in zip(labels, numbers, strict=True)])
    if not grouped:
        parts = parts[:, shuffled_within(truth, rng)]
    heads = np.indices(numbers).reshape(len(numbers), -1).T
    train = (parts != heads[:, :, None]).all(axis=1)
    others = (parts + 1) % np.array(numbers)[:, None]
    return Folds(train, np.ravel_multi_index(parts, numbers), np.ravel_multi_index(others, numbers))


def _spread(labels: np.ndarray, number: int, rng: np.random.Generator) -> np.ndarray:
    """Put each label into a part; neighbours in the alphabet, most often of one class, come into different parts."""
    names, codes = np.unique(labels, return_inverse=True)
    rounds = np.tile(np.arange(number), (-(-len(names) // number), 1))
    return rng.permuted(rounds, axis=1).ravel()[codes.ravel()]


def shuffled_within(truth: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return an order of pictures in which each place keeps its true class."""
    order = np.empty(len(truth), dtype=int)
    order[np.argsort(truth, kind="stable")] = np.lexsort((rng.random(len(truth)), truth))
    return order


def shares_of(answers: np.ndarray, n_classes: int) -> np.ndarray:
    """Return the share of people who gave each answer, from class ids of shape (n_people, n_pictures)."""
    return (answers[..., None] == np.arange(n_classes)).mean(axis=0)


def answers_of_heads(
    features: np.ndarray,
    truth: np.ndarray,
    shares: Sequence[np.ndarray],
    train: np.ndarray,
    arms: Sequence[Arm],
    *,
    hidden: int = 0,
) -> np.ndarray:
    """Train one head per fold and arm, and return what each answers to all rows of features.

    ``shares`` has one array per arm. Rows behind those of ``truth`` are only answered. The result has the shape
    (n_arms, n_heads, n_rows).
    """
    n_classes = shares[0].shape[1]
    size = train.sum(axis=1).max()
    at = np.argsort(~train, axis=1, kind="stable")[:, :size]  # padded where a fold has fewer
    weights = torch().tensor(np.take_along_axis(train, at, axis=1), dtype=torch().float32)
    products = features @ features.T
    projected = torch().tensor(np.stack([_projected(products, np.flatnonzero(of)) for of in train]).astype(np.float32))
    X = torch().take_along_dim(projected, torch().tensor(at)[..., None], dim=1)
    y, S = torch().tensor(truth[at]), [torch().tensor(each[at], dtype=torch().float32) for each in shares]
    head = _Head(X.shape[2], n_classes, len(train), len(arms), hidden)
    decay = torch().tensor([arm.decay for arm in arms])

    def loss() -> Any:
        logits = head(X).permute(2, 0, 1, 3).contiguous()
        each = [total_loss(*arm[:2], logits[a], y, S[a], weights) for a, arm in enumerate(arms)]
        return sum(part.sum() for part in each) + (decay * head.squares()).sum()

    _descend(head.parameters, loss)
    with torch().no_grad():
        return head(projected).argmax(-1).permute(2, 0, 1).numpy().astype(np.int8)


def _projected(products: np.ndarray, train: np.ndarray) -> np.ndarray:
    """Return principal components of the training pictures, of mean squared length 1, and a constant.

    ``products`` are the inner products of the features of any two pictures.
    """
    means = products[:, train].mean(axis=1)
    centred = products - means - means[:, None] + means[train].mean()
    kept = (max(len(train) - COMPONENTS, 1), len(train) - 1)  # one direction is lost to the mean
    values, vectors = eigh(centred[np.ix_(train, train)], subset_by_index=kept)
    sizes = np.sqrt(np.maximum(values, 1e-9 * values[-1]) * np.trace(centred[np.ix_(train, train)]) / len(train))
    return np.column_stack([centred[:, train] @ vectors / sizes, np.ones(len(products))])


class _Head:
    """Linear heads, or heads with one hidden layer, for all folds and arms."""

    def __init__(self, n_in: int, n_classes: int, n_folds: int, n_arms: int, hidden: int) -> None:
        draw = torch().Generator().manual_seed(0)
        sizes = [n_in, hidden, n_classes] if hidden else [n_in, n_classes]
        start = 0.1 if hidden else 0.0  # with a hidden layer, heads that start at 0 would stay there
        self.parameters = [
            (start * torch().randn(n_folds, n_arms, *size, generator=draw)).requires_grad_() for size in pairwise(sizes)
        ]

    def __call__(self, X: Any) -> Any:
        first, *rest = self.parameters
        n_folds, n_arms, n_in, width = first.shape
        out = (X @ first.transpose(1, 2).reshape(n_folds, n_in, n_arms * width)).view(*X.shape[:2], n_arms, width)
        for weights in rest:
            out = torch().einsum("fnai,faic->fnac", out.relu(), weights)
        return out

    def squares(self) -> Any:
        return sum((each**2).sum((0, 2, 3)) for each in self.parameters)


def _descend(parameters: list[Any], loss: Callable[[], Any]) -> None:
    rate = RATE if len(parameters) == 1 else RATE / 10
    optimiser = torch().optim.Adam(parameters, rate, betas=(0.9, 0.99))
    schedule = torch().optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=STEPS, pct_start=0.1)
    for _ in range(STEPS):
        optimiser.zero_grad()
        loss().backward()
        optimiser.step()
        schedule.step()
