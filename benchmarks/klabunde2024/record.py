"""What is kept of a network once it is trained."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Trained:
    """What a trained network says of the test inputs, and what it was trained on."""

    group: str  # how its training differed, such as "25%" of the labels being random
    seed: int  # of its initial weights and of all that is drawn in its training
    labels: np.ndarray  # true classes of the test inputs
    logits: np.ndarray  # (n_inputs, n_classes)
    layers: tuple[np.ndarray, ...]  # (n_inputs, width) each, from the first to the last before the classifier

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
