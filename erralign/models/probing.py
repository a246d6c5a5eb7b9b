"""The loss of a probe through torch: the same numbers, on a GPU where there is one."""

import numpy as np

from erralign.models.libraries import torch
from erralign.models.networks import checked
from erralign.triplets.probing import PAIRS, Loss, Value


def loss_on(device: str = "cuda") -> Loss:
    """Return the loss that :func:`erralign.triplets.probe` makes small, computed by torch on a device."""
    checked(device)

    def loss(rows: np.ndarray, triplets: np.ndarray, penalty: float) -> Value:
        X = torch().tensor(rows, device=device)
        places = torch().tensor(triplets, device=device)
        pairs = torch().stack([places[:, a] * len(rows) + places[:, b] for a, b in PAIRS], dim=1)

        def value(W: np.ndarray) -> tuple[float, np.ndarray]:
            there = torch().tensor(W, device=device, requires_grad=True)
            Z = X @ there
            each = (Z @ Z.T).flatten()[pairs]
            whole = (each.logsumexp(dim=1) - each[:, 0]).mean() + penalty * (there**2).sum()
            whole.backward()
            return float(whole.detach()), there.grad.cpu().numpy()

        return value

    return loss
