"""Linear heads on frozen features, all folds and all losses side by side."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from erralign.models.libraries import torch
from erralign.training.linear import DECAY, main_directions
from erralign.training.losses import EXTRAS, extra_loss

STEPS, RATE = 50, 0.3


@contextmanager
def one_thread() -> Iterator[None]:
    """Let torch compute with one thread: sums then come out the same with any number of cores."""
    with ExitStack() as afterwards:
        afterwards.callback(torch().set_num_threads, torch().get_num_threads())
        torch().set_num_threads(1)
        yield


class Arm(NamedTuple):
    """One way to train a head."""

    loss: str
    strength: float = 0.0
    decay: float = DECAY
    change: Callable[..., np.ndarray] | None = None  # of people's answers: a control


# Cross-entropy with several decays, each of a lower accuracy: what a loss is compared with at its own accuracy.
PATH = tuple(Arm("cross-entropy", decay=decay) for decay in (1e-4, DECAY, 1e-3, 3e-3, 1e-2))
BASE = 1  # the one of them that has the decay of all other losses


def pooled(answers: np.ndarray, heads: np.ndarray) -> np.ndarray:
    """Return for each picture the answer of one head: from (n_arms, n_heads, n_pictures) to (n_arms, n_pictures)."""
    return answers[:, heads, np.arange(len(heads))]


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


def total_loss(name: str, strength: float, logits: Any, truth: Any, shares: Any, weights: Any) -> Any:
    """Return the loss of each head."""
    log = logits.log_softmax(-1)
    true = torch().nn.functional.one_hot(truth, logits.shape[-1]).to(logits.dtype)
    targets = true
    if name == "people's shares":
        targets = shares
    elif name == "category's shares":
        members = true * weights[..., None]
        targets = true @ (members.mT @ shares / members.sum(-2).clamp(min=1)[..., None])
    plain = -(weights * (targets * log).sum(-1)).sum(-1) / weights.sum(-1)
    if name not in EXTRAS:
        return plain
    return plain + strength * extra_loss(name, logits, truth, shares, weights)


def _projected(products: np.ndarray, train: np.ndarray) -> np.ndarray:
    return np.column_stack([main_directions(products, train), np.ones(len(products))])


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
