"""Made-up examples: twelve pictures, and animals named by people and networks."""

import numpy as np
import pandas as pd

from erralign.responses import Responses

_CLASSES = ("cat", "dog", "fox")
_TRUE = "cat cat cat cat dog dog dog dog fox fox fox fox"
_ANSWERS = {
    "A": "cat cat cat dog dog dog dog fox fox fox fox cat",
    "Twin": "cat cat cat dog dog dog dog fox fox fox fox cat",
    "Contrarian": "cat cat cat fox dog dog dog cat fox fox fox dog",
    "Stranger": "cat cat dog cat dog dog fox dog fox fox cat fox",
}

_ANIMALS = ("cat", "cow", "dog", "fox", "horse", "sheep")
_PICTURES_OF_EACH = 40
# What each animal is mostly taken for, by those who look at shapes and by those who look at textures.
_BY_SHAPE = dict(zip(_ANIMALS, ("dog", "horse", "fox", "dog", "cow", "cow"), strict=True))
_BY_TEXTURE = dict(zip(_ANIMALS, ("fox", "sheep", "cat", "cat", "sheep", "cow"), strict=True))
# Accuracy, then how much of what is hard for a system is hard for everybody, for people, and for networks.
_PERSON, _NETWORK = (0.25, 0.5, 0.0), (0.25, 0.0, 0.5)
_THEIRS = {
    "ann": (0.9, *_PERSON),
    "ben": (0.86, *_PERSON),
    "eve": (0.82, *_PERSON),
    "tom": (0.78, *_PERSON),
    "net-1": (0.85, *_NETWORK),
    "net-2": (0.8, *_NETWORK),
    "net-3": (0.72, *_NETWORK),
    "net-4": (0.6, *_NETWORK),
}
_MINE = {"mine-old": (0.7, 0.25, 0.05, 0.4), "mine-new": (0.8, 0.25, 0.35, 0.1)}


ARCHIVES = ()  # made up


def read(name: str) -> Responses:
    """Return one of the two."""
    return {"twelve-pictures": twelve_pictures, "animals": animals}[name]()


def twelve_pictures() -> Responses:
    """Return twelve pictures named by A and three others, each right on nine, who tell the measures apart.

    Twin errs on A's pictures with A's answers, Contrarian on A's pictures with other answers, Stranger on other
    pictures with A's confusions.
    """
    pictures = pd.RangeIndex(1, 13, name="picture")
    truth = pd.Series(_TRUE.split(), index=pictures)
    answers = {system: names.split() for system, names in _ANSWERS.items()}
    name = "example/twelve-pictures"
    return Responses.from_table(
        truth, answers, classes=_CLASSES, name=name, kind="human", family="reader", source="made up"
    )


def animals() -> Responses:
    """Return 240 pictures of six animals, named by four people, who go by shape, and four networks, by texture."""
    named = _animals_named()
    kind = {name: "human" if name in ("ann", "ben", "eve", "tom") else "model" for name in _THEIRS}
    name, theirs = "example/animals", named[list(_THEIRS)]
    return Responses.from_table(named["truth"], theirs, classes=_ANIMALS, kind=kind, source="made up", name=name)


def my_answers() -> pd.DataFrame:
    """Return what two made-up models of a reader called the pictures of :func:`animals`, in an order of their own."""
    named = _animals_named().reset_index()[["image", "truth", *_MINE]]
    named.loc[[50, 130, 170], "mine-old"] = None
    return named.sort_values("image", key=lambda images: images.str[::-1], ignore_index=True)


def _animals_named() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    truth = np.repeat(_ANIMALS, _PICTURES_OF_EACH)
    image = [f"{name}-{number:02d}.png" for name in _ANIMALS for number in range(1, _PICTURES_OF_EACH + 1)]
    hard = rng.random((3, len(truth)))  # for everybody, for people, for networks
    named = {"truth": truth} | {name: _named(truth, hard, setting, rng) for name, setting in (_THEIRS | _MINE).items()}
    return pd.DataFrame(named, index=pd.Index(image, name="image"))


def _named(truth: np.ndarray, hard: np.ndarray, setting: tuple[float, ...], rng: np.random.Generator) -> np.ndarray:
    """Let a system be wrong on what is hardest for it, mostly with the name that its habit suggests."""
    accuracy, *weights = setting
    own, by_habit, which = rng.random((3, len(truth)))
    hardness = np.array([*weights, 1 - sum(weights)]) @ np.array([*hard, own])
    wrong = hardness.argsort().argsort() >= round(accuracy * len(truth))
    habit = _BY_SHAPE if weights[1] > weights[2] else _BY_TEXTURE
    drawn = zip(truth, which, strict=True)
    others = [[name for name in _ANIMALS if name != true][int(5 * share)] for true, share in drawn]
    mistaken = np.where(by_habit < 0.7, [habit[true] for true in truth], others)
    return np.where(wrong, mistaken, truth)
