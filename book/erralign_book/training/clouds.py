"""Small networks that learn in a few hundredths of a second which of four clouds a point comes from."""

import numpy as np
from scipy.special import softmax

N, CLASSES, SIZE = 120, 4, 12  # points to learn from, and as many new ones; clouds; numbers of a point
CODES = 3 * np.eye(CLASSES)  # the shortcut: a hint for each class
Network = tuple[list[np.ndarray], list[np.ndarray]]
Looked = tuple[list[np.ndarray], np.ndarray]


def look(X: np.ndarray, network: Network) -> Looked:
    """Return what each layer makes of some points, the points first, and the outputs."""
    (*inner, last), (*shifts, last_shift) = network
    H = [X]
    for w, shift in zip(inner, shifts, strict=True):
        H.append(np.maximum(H[-1] @ w + shift, 0))
    return H, H[-1] @ last + last_shift


class Clouds:
    """Four clouds of points, and networks that learn them in different ways, each from a start of its own."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        labels = np.arange(2 * N) % CLASSES
        points = rng.normal(size=(CLASSES, SIZE))[labels]
        points = points + 1.1 * rng.normal(size=points.shape)
        self.seed, self.labels, self.new_labels = seed, labels[:N], labels[N:]
        self.points, self.new_points = points[:N], points[N:]
        self.hinted = np.hstack([self.new_points, CODES[rng.integers(CLASSES, size=N)]])

    def train(
        self,
        X: np.ndarray,
        y: np.ndarray,
        start: int,
        *,
        noise: float = 0.0,
        widths: tuple[int, ...] = (16,),
        rate: float = 0.5,
    ) -> Network:
        """Train a network by 300 steps down the gradient."""
        rng, target = np.random.default_rng([self.seed, start]), np.eye(CLASSES)[y]
        sizes = [*zip([X.shape[1], *widths], [*widths, CLASSES], strict=True)]
        W = [rng.normal(size=size) * (2 / size[0]) ** 0.5 for size in sizes]
        b = [np.zeros(size[1]) for size in sizes]
        for _ in range(300):
            H, Z = look(X + noise * rng.normal(size=X.shape), (W, b))
            G = (softmax(Z, axis=1) - target) / len(X)
            for k in reversed(range(len(W))):
                of_weights, of_shifts = H[k].T @ G, G.sum(axis=0)
                G = (G @ W[k].T) * (H[k] > 0)
                W[k] -= rate * of_weights
                b[k] -= rate * of_shifts
        return W, b

    def some_random(self, share: float, start: int) -> np.ndarray:
        """Return the labels, of which a share is drawn anew."""
        rng = np.random.default_rng([self.seed, start, 1])
        return np.where(rng.random(N) < share, rng.integers(CLASSES, size=N), self.labels)

    def with_labels(self, share: float, start: int) -> Looked:
        """Learn labels of which a share is random, drawn for this network."""
        return look(self.new_points, self.train(self.points, self.some_random(share, start), start))

    def with_shortcut(self, share: float, start: int) -> Looked:
        """Learn with hints of which about a share are sure to be true."""
        hints = CODES[self.some_random(1 - share, start)]
        return look(self.hinted, self.train(np.hstack([self.points, hints]), self.labels, start))

    def with_noise(self, size: float, start: int) -> Looked:
        """Learn from points to which noise is added."""
        return look(self.new_points, self.train(self.points, self.labels, start, noise=size))

    def layers(self) -> list[np.ndarray]:
        """Return what five inner layers of one network make of the new points."""
        network = self.train(self.points, self.labels, 0, widths=(16,) * 5, rate=0.2)
        return look(self.new_points, network)[0][1:]
