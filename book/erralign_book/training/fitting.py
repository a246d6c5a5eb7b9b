"""The loop that fits small networks of pictures and of sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from erralign.models.libraries import torch


@contextmanager
def one_thread() -> Iterator[None]:
    """Let torch compute with one thread: sums then come out the same with any number of cores.

    Returns
    -------
    context manager

    Examples
    --------
    >>> with one_thread():  # doctest: +SKIP
    ...     network = build()
    """
    with ExitStack() as afterwards:
        afterwards.callback(torch().set_num_threads, torch().get_num_threads())
        torch().set_num_threads(1)
        yield


def fit(
    network: Any,
    loss: Callable[[Any], Any],
    batches: Callable[[Any], list[Any]],
    *,
    seed: int,
    epochs: int,
    rate: float,
) -> None:
    """Fit a network with AdamW; its learning rate rises, then falls to almost nothing.

    Parameters
    ----------
    network : torch.nn.Module
        Is changed, and left in the state for evaluation.
    loss : callable
        Gives the loss of the inputs with the numbers in a tensor.
    batches : callable
        Gives the batches of one epoch, tensors of numbers of inputs, drawn by a torch.Generator.
    seed : int
        The seed of the order of the inputs.
    epochs : int
        How often each input is seen.
    rate : float
        The largest learning rate.

    Examples
    --------
    >>> fit(network, loss, lambda draw: [...], seed=0, epochs=3, rate=0.005)  # doctest: +SKIP
    """
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
