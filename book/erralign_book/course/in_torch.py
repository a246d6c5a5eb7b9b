"""Functions of the lab on networks that work on torch's tensors: called with the arrays of a check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from erralign.models.libraries import torch


def loss_and_slopes(loss: Callable[..., Any]) -> Callable[..., np.ndarray | None]:
    """Return a function of arrays: the loss, and its slopes by the first of them, 0 where autograd finds none."""

    def on_arrays(logits: np.ndarray, *others: Any) -> np.ndarray | None:
        given = _tensor(logits).requires_grad_()
        value = loss(given, *map(_tensor, others))
        if value is None:
            return None
        if not getattr(value, "requires_grad", False):
            return np.append(float(value), np.zeros(logits.size))
        (slopes,) = torch().autograd.grad(value, given)
        return np.append(value.item(), slopes.numpy())

    return on_arrays


def losses_and_weights(train: Callable[..., Any]) -> Callable[..., np.ndarray | None]:
    """Return a function of arrays: it lets a loop train a linear head, and returns its losses and the weights."""

    def on_arrays(
        start: np.ndarray, X: np.ndarray, shares: np.ndarray, decay: float, rate: float, steps: int
    ) -> np.ndarray | None:
        network = torch().nn.Linear(*start.shape, bias=False, dtype=torch().float64)
        with torch().no_grad():
            network.weight.copy_(_tensor(start.T))
        targets = _tensor(shares)

        def loss_of(logits: Any) -> Any:
            return torch().nn.functional.cross_entropy(logits, targets)

        losses = train(network, _tensor(X), loss_of, decay, rate, steps)
        if losses is None:
            return None
        every = losses if np.iterable(losses) else [losses]
        numbers = [torch().as_tensor(loss, dtype=torch().float64).item() for loss in every]
        return np.append(numbers, network.weight.detach().numpy().T)

    return on_arrays


def _tensor(number: Any) -> Any:
    return torch().tensor(number) if isinstance(number, np.ndarray) else number


IN_TORCH: dict[str, Callable[[Callable[..., Any]], Callable[..., np.ndarray | None]]] = {
    "distillation_in_torch": loss_and_slopes,
    "rsa_in_torch": loss_and_slopes,
    "training_in_torch": losses_and_weights,
}
