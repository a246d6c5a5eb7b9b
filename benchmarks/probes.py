"""One probe, beside the loop in plain torch that a user would write; needs the extra ``models``.

python benchmarks/probes.py         -> data/frozen/scale/probes.csv
python benchmarks/probes.py cuda    -> data/frozen/scale/probes_gpu.csv: ours on a GPU, beside all cores of its machine

Both sides start from the same features and triplets. The loop ends when its loss over all triplets is within 1 % of
ours, or after ``MOST_EPOCHS``. They take turns on one thread, in seconds of the processor, and medians are kept.
"""

import os
import sys

if __name__ == "__main__" and sys.argv[1:] != ["cuda"]:
    os.environ |= {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}

import time
from collections.abc import Callable

import numpy as np
import pandas as pd

from erralign.models.libraries import torch
from erralign.models.networks import checked
from erralign.triplets import in_span, odd_one_out, probe
from erralign.triplets.probing import PAIRS, Loss, Value, penalised_loss
from erralign_book.cells import keep

SIZES = (300, 20_000, 50), (600, 20_000, 300)  # objects, triplets, features
LARGE = 1854, 200_000, 768  # as many objects as THINGS, and the features of a large network
PENALTY, NEAR, MOST_EPOCHS, ROUNDS = 0.01, 1.01, 30, 3
BATCH, RATE = 256, 1e-3  # as in Algorithm 1 of Muttenthaler et al. (2023)


def simulate(n_objects: int, n_triplets: int, n_features: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw features, and triplets whose odd one out depends on ten of them, with noise."""
    rng = np.random.default_rng(0)
    rows = in_span(rng.standard_normal((n_objects, n_features)))
    triplets = np.argsort(rng.random((n_triplets, n_objects)), axis=1)[:, :3]
    odd = odd_one_out(rows[:, :10] + 0.5 * rng.standard_normal((n_objects, 10)), triplets, similarity="dot")
    each = np.arange(n_triplets)
    triplets[each, odd], triplets[:, 2] = triplets[:, 2], triplets[each, odd]
    return rows, triplets


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


def plain_loop(rows: np.ndarray, triplets: np.ndarray, enough: float) -> tuple[float, int]:
    """Fit a square map with Adam, batch by batch, until its loss is small enough; return the loss, and the epochs."""
    X, places = torch().tensor(rows, dtype=torch().float32), torch().tensor(triplets)
    W = (0.01 * torch().randn(X.shape[1], X.shape[1])).requires_grad_()
    adam = torch().optim.Adam([W], lr=RATE)

    def loss(batch):
        i, j, k = (X[batch[:, place]] @ W for place in range(3))
        pairs = torch().stack([(i * j).sum(1), (i * k).sum(1), (j * k).sum(1)], dim=1)
        return -pairs.log_softmax(1)[:, 0].mean() + PENALTY * (W**2).sum()

    reached: list[float] = []
    while len(reached) < MOST_EPOCHS and (not reached or reached[-1] > enough):
        for batch in places[torch().randperm(len(places))].split(BATCH):
            adam.zero_grad()
            loss(batch).backward()
            adam.step()
        with torch().no_grad():
            reached.append(float(loss(places)))
    return reached[-1], len(reached)


def seconds(work: Callable) -> float:
    """Return the seconds of the processor that a call takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def measure() -> pd.DataFrame:
    """Time our probe, the same through torch, and the plain loop, in turns."""
    rows = []
    for size in SIZES:
        X, triplets = simulate(*size)
        best = penalised_loss(X, triplets, PENALTY)(probe(X, triplets, PENALTY))[0]
        torch().manual_seed(0)
        reached, epochs = plain_loop(X, triplets, NEAR * best)
        works = {
            "erralign": lambda X=X, triplets=triplets: probe(X, triplets, PENALTY),
            "erralign through torch": lambda X=X, triplets=triplets: probe(X, triplets, PENALTY, loss=loss_on("cpu")),
            "plain torch": lambda X=X, triplets=triplets, best=best: plain_loop(X, triplets, NEAR * best),
        }
        taken = pd.DataFrame([{name: seconds(work) for name, work in works.items()} for _ in range(ROUNDS)]).median()
        facts = dict(zip(("objects", "triplets", "features"), size, strict=True))
        facts |= {"loss_ours": best, "loss_plain": reached, "epochs": epochs, "load": os.getloadavg()[0]}
        rows += [facts | {"side": side, "seconds": value} for side, value in taken.items()]
    return pd.DataFrame(rows)


def measure_gpu() -> pd.DataFrame:
    """Time our probe by NumPy and through torch on a GPU, by the clock on the wall."""
    X, triplets = simulate(*LARGE)
    of = {"NumPy": penalised_loss, "torch on a GPU": loss_on("cuda")}
    taken: dict[str, list[float]] = {side: [] for side in of}
    for _ in range(ROUNDS + 1):
        for side, loss in of.items():
            start = time.perf_counter()
            W = probe(X, triplets, PENALTY, loss=loss)
            taken[side].append(time.perf_counter() - start)
            reached = penalised_loss(X, triplets, PENALTY)(W)[0]
            print(f"{side}: {taken[side][-1]:.2f} s, loss {reached:.6f}")
    facts = dict(zip(("objects", "triplets", "features"), LARGE, strict=True))
    facts |= {"gpu": torch().cuda.get_device_name(), "cores": os.cpu_count()}
    return pd.DataFrame([facts | {"side": side, "seconds": np.median(each[1:])} for side, each in taken.items()])


if __name__ == "__main__" and sys.argv[1:] == ["cuda"]:
    keep("scale/probes_gpu", measure_gpu())
elif __name__ == "__main__":
    torch().set_num_threads(1)
    keep("scale/probes", measure())
