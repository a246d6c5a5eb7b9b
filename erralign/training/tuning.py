"""A recipe for any network of torch: its adapters, its last block, or all of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from erralign.errors import check_choice, check_positive, check_range, check_whole
from erralign.models.libraries import torch
from erralign.training.linear import Head, Recipe
from erralign.training.losses import LOSSES, total_loss

BATCH = 256  # pictures; the soft measures need many at once


def network_head(
    build: Callable[[], Any],
    loss: str = "cross-entropy",
    strength: float = 1.0,
    *,
    epochs: int = 30,
    rate: float = 1e-3,
    decay: float = 1e-2,
    device: str | None = None,
    rng: int = 0,
) -> Recipe:
    """Return a recipe that trains a network of torch, with mixed precision where there is a GPU.

    Parameters
    ----------
    build : callable
        Returns a network from a batch of pictures (or features) to logits. What is not to be trained has
        ``requires_grad`` false.
    loss, strength
        As for :func:`linear_head`.
    epochs : int
        How often each training picture is shown, in batches of 256.
    rate, decay : float
        Learning rate and weight decay of AdamW.
    device : str, optional
        Such as ``cuda`` or ``cpu``. Default: a GPU if there is one.
    rng : int
        The seed of the initial weights and the order of pictures.

    Returns
    -------
    callable
        A recipe for :meth:`Study.evaluate`.

    Examples
    --------
    >>> import torch  # doctest: +SKIP
    >>> adapter = network_head(lambda: torch.nn.Linear(128, 16), "EC", 3)  # doctest: +SKIP
    """
    check_choice("loss", loss, LOSSES)
    check_range("strength", strength, 0, 1e6)
    check_whole("epochs", epochs, 1)
    check_positive("rate", rate)

    def fit(X: np.ndarray, truth: np.ndarray, shares: np.ndarray) -> Head:
        place = device or ("cuda" if torch().cuda.is_available() else "cpu")
        torch().manual_seed(rng)
        network = build().to(place)
        rows, wanted, said = (torch().tensor(each) for each in (np.float32(X), truth, np.float32(shares)))
        learned = [each for each in network.parameters() if each.requires_grad]
        optimiser = torch().optim.AdamW(learned, rate, weight_decay=decay)
        draw = torch().Generator().manual_seed(rng)
        network.train()
        for _ in range(epochs):
            for batch in torch().randperm(len(rows), generator=draw).split(BATCH):
                logits = _logits(network, rows[batch], place)
                given = wanted[batch].to(place), said[batch].to(place), torch().ones(len(batch), device=place)
                optimiser.zero_grad()
                total_loss(loss, strength, logits, *given).backward()
                optimiser.step()
        return lambda new: _probabilities(network.eval(), new, place)

    return fit


def _logits(network: Any, rows: Any, place: str) -> Any:
    kind = torch().device(place).type
    with torch().autocast(kind, torch().bfloat16, enabled=kind == "cuda"):
        return network(rows.to(place)).float()


def _probabilities(network: Any, new: np.ndarray, place: str) -> np.ndarray:
    with torch().inference_mode():
        parts = torch().tensor(np.float32(new)).split(BATCH)
        return np.concatenate([_logits(network, each, place).softmax(-1).cpu().numpy() for each in parts])
