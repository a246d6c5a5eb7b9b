"""What is kept of a network once it is trained."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Trained:
    """What a trained network says of the test inputs, and what it was trained on.

    Parameters
    ----------
    group : str
        How its training differed, such as ``"25%"`` of the labels being random.
    seed : int
        The seed of its initial weights and of all that is drawn in its training.
    labels : numpy.ndarray of int, shape (n_inputs,)
        True classes of the test inputs.
    logits : numpy.ndarray of float, shape (n_inputs, n_classes)
        The outputs for the test inputs.
    layers : tuple of numpy.ndarray of float, each of shape (n_inputs, width)
        Its representations of the test inputs, from the first layer to the last before the classifier.

    Examples
    --------
    >>> one = Trained("0%", 0, np.array([0, 1]), np.array([[2.0, 1.0], [1.0, 0.5]]), (np.eye(2), np.ones((2, 3))))
    >>> one.answers.tolist(), one.accuracy, one.representation.shape
    ([0, 0], 0.5, (2, 3))
    """

    group: str
    seed: int
    labels: np.ndarray
    logits: np.ndarray
    layers: tuple[np.ndarray, ...]

    @property
    def representation(self) -> np.ndarray:
        """Return the last representation before the classifier."""
        return self.layers[-1]

    @property
    def answers(self) -> np.ndarray:
        """Return the class of the largest output; the first where two are equal."""
        return self.logits.argmax(axis=1)

    @property
    def accuracy(self) -> float:
        """Return the share of right answers."""
        return float((self.answers == self.labels).mean())
