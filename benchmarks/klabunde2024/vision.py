"""Small networks of four families on scikit-learn's digits, or on other pictures, for ReSi's six tests."""

import colorsys
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import Any, Final

import numpy as np

from benchmarks.klabunde2024.families import family, with_layers
from benchmarks.klabunde2024.fitting import fit
from benchmarks.klabunde2024.record import Trained
from benchmarks.training.arms import one_thread
from erralign.models.libraries import torch

# The groups of the tests, by the names of the benchmark: share of labels drawn anew; share of dots that are sure to
# have the colour of the class; largest variance of the noise, on a scale of pixels from 0 to 255.
LABELS: Final = {"0%": 0.0, "50%": 0.5, "100%": 1.0}
SHORTCUTS: Final = {"0%": 0.0, "75%": 0.75, "100%": 1.0}
AUGMENTATION: Final = {"S": 1000.0, "M": 2000.0, "Max": 4000.0}
DOT: Final = 2  # pixels to a side, of the dot in the upper left corner
N_TEST: Final = 500
EPOCHS: Final = 7
BATCH: Final = 100
RATE: Final = 0.005
SMOOTHING: Final = 0.1  # of labels
OF_TEST_DOTS: Final = 2024  # the dots on test pictures are the same for all networks
_FOR_LABELS, _FOR_DOTS = range(2)


@dataclass(frozen=True)
class Pictures:
    """Pictures to train on, and pictures to test on."""

    train: np.ndarray  # (n, 3, side, side), float32 from 0 to 1
    train_labels: np.ndarray
    test: np.ndarray
    test_labels: np.ndarray
    n_classes: int


@cache
def digits() -> Pictures:
    """Return scikit-learn's 1,797 pictures of written digits: 1,297 to train on, 500 to test on."""
    found = import_module("sklearn.datasets").load_digits()
    order = np.random.default_rng(0).permutation(len(found.target))
    grey, labels = (found.images[order] / 16).astype(np.float32), found.target[order]
    pictures = np.repeat(grey[:, None], 3, axis=1)
    return Pictures(pictures[N_TEST:], labels[N_TEST:], pictures[:N_TEST], labels[:N_TEST], 10)


def standard(network: str, seed: int, pictures: Pictures | None = None, **how: Any) -> Trained:
    """Train a network on pictures as they are."""
    return _train(network, seed, "0%", pictures or digits(), **how)


def random_labels(network: str, seed: int, group: str, pictures: Pictures | None = None, **how: Any) -> Trained:
    """Train a network on labels of which some are drawn at random."""
    shown = pictures or digits()
    labels = redrawn(shown.train_labels, LABELS[group], shown.n_classes, np.random.default_rng([seed, _FOR_LABELS]))
    return _train(network, seed, group, replace(shown, train_labels=labels), **how)


def shortcuts(network: str, seed: int, group: str, pictures: Pictures | None = None, **how: Any) -> Trained:
    """Train a network on pictures with a coloured dot that may give the class away (ReSi's is at a random place)."""
    shown = pictures or digits()
    draw, same = np.random.default_rng([seed, _FOR_DOTS]), np.random.default_rng(OF_TEST_DOTS)
    named = redrawn(shown.train_labels, 1 - SHORTCUTS[group], shown.n_classes, draw)
    tested = redrawn(shown.test_labels, 1, shown.n_classes, same)
    train, test = with_dots(shown.train, named, shown.n_classes), with_dots(shown.test, tested, shown.n_classes)
    return _train(network, seed, group, replace(shown, train=train, test=test), **how)


def augmentation(network: str, seed: int, group: str, pictures: Pictures | None = None, **how: Any) -> Trained:
    """Train a network on pictures with noise, other noise in each epoch."""
    return _train(network, seed, group, pictures or digits(), variance=AUGMENTATION[group] / 255**2, **how)


def redrawn(labels: np.ndarray, share: float, n_classes: int, rng: np.random.Generator) -> np.ndarray:
    """Draw some labels anew."""
    return np.where(rng.random(len(labels)) < share, rng.integers(n_classes, size=len(labels)), labels)


def with_dots(pictures: np.ndarray, named: np.ndarray, n_classes: int) -> np.ndarray:
    """Paint a dot into the upper left corner of each picture, in the colour of a class."""
    colours = np.array([colorsys.hsv_to_rgb(place / n_classes, 1, 1) for place in range(n_classes)])
    painted = pictures.copy()
    painted[:, :, :DOT, :DOT] = colours[named][:, :, None, None]
    return painted


def _train(
    network: str,
    seed: int,
    group: str,
    shown: Pictures,
    *,
    variance: float = 0.0,
    device: str = "cpu",
    epochs: int = EPOCHS,
    scale: int = 1,
) -> Trained:
    with one_thread():
        torch().manual_seed(seed)
        built = family(network, shown.train.shape[-1], shown.n_classes, scale=scale)
        built.model.to(device)
        inputs, wanted = (torch().as_tensor(each, device=device) for each in (shown.train, shown.train_labels))
        noise = torch().Generator(device).manual_seed(seed)

        def loss(batch: Any) -> Any:
            seen = _noisy(inputs[batch], variance, noise) if variance else inputs[batch]
            return torch().nn.functional.cross_entropy(built.model(seen), wanted[batch], label_smoothing=SMOOTHING)

        def batches(draw: Any) -> list[Any]:  # without the few that are left over
            return list(torch().randperm(len(inputs), generator=draw)[: len(inputs) // BATCH * BATCH].split(BATCH))

        fit(built.model, loss, batches, seed=seed, epochs=epochs, rate=RATE)
        logits, layers = with_layers(built, torch().as_tensor(shown.test, device=device))
    found = [each.cpu().numpy() for each in (logits, *layers)]
    return Trained(group, seed, shown.test_labels, found[0], tuple(found[1:]))


def _noisy(pictures: Any, variance: float, noise: Any) -> Any:
    """Add normal noise to each picture, with a variance drawn from 0 to the largest."""
    drawn = torch().rand(len(pictures), generator=noise, device=noise.device) * variance
    normal = torch().randn(pictures.shape, generator=noise, device=noise.device)
    return pictures + drawn.sqrt()[:, None, None, None] * normal
