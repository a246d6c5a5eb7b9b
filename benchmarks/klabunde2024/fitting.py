"""The loop that fits small networks of pictures and of sentences."""

from collections.abc import Callable
from typing import Any

from erralign.models.libraries import torch


def fit(
    network: Any,
    loss: Callable[[Any], Any],
    batches: Callable[[Any], list[Any]],
    *,
    seed: int,
    epochs: int,
    rate: float,
) -> None:
    """Fit a network with AdamW; its learning rate rises, then falls to almost nothing."""
    draw = torch().Generator().manual_seed(seed)
    epoch = [batches(draw) for _ in range(epochs)]
    optimiser = torch().optim.AdamW(network.parameters(), rate)
    schedule = torch().optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=sum(map(len, epoch)))
    network.train()
    for batch in (batch for each in epoch for batch in each):
        optimiser.zero_grad()
        loss(batch).backward()
        optimiser.step()
        schedule.step()
    network.eval()
