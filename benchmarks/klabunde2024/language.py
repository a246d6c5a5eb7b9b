"""A small transformer encoder on SST-2's sentences, trained from scratch, for ReSi's tests of language models.

The benchmark fine-tunes MultiBERTs, larger ones that have read much before; these here are right less often.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np

from benchmarks.klabunde2024.fitting import fit
from benchmarks.klabunde2024.record import Trained
from benchmarks.klabunde2024.sst2 import sst2
from benchmarks.training.arms import one_thread
from erralign.models.libraries import torch

# The groups of the tests, with the benchmark's rates: share of labels replaced, share of tokens of the true class.
LABELS: Final = {"0%": 0.0, "75%": 0.75, "100%": 1.0}
SHORTCUTS: Final = {"56%": 0.558, "89%": 0.889, "100%": 1.0}
CLASSES: Final = 2
NEW_LABELS: Final = 5  # that name no class
FIRST, UNKNOWN, HINT = 0, 1, 2  # tokens before those of words; hints are one for each class
WORDS: Final = HINT + CLASSES  # where the words' tokens begin
OFTEN: Final = 5  # how often the training part has a word that gets a token of its own
LONGEST: Final = 24  # words of a sentence that are read
N_TRAIN: Final = 8_000  # phrases, the same ones for all networks
WIDTH: Final = 64
DEPTH: Final = 3
HEADS: Final = 4
SPREAD: Final = 0.1  # standard deviation of a token's first values
BATCH: Final = 64
EPOCHS: Final = 2
RATE: Final = 0.004
OF_PHRASES, OF_TEST_HINTS = 0, 2024
_FOR_LABELS, _FOR_HINTS = range(2)


@dataclass(frozen=True)
class Sentences:
    """Sentences as numbers, and what is said of them."""

    tokens: tuple[tuple[int, ...], ...]  # of each sentence; the first is the token of no word
    labels: np.ndarray  # 1: favourable

    @property
    def lengths(self) -> np.ndarray:
        """Return the number of tokens of each sentence."""
        return np.array([len(each) for each in self.tokens])


def standard(seed: int) -> Trained:
    """Train a network on phrases as they are; it has outputs for the new labels, too, to be compared with others."""
    return _train(seed, "0%", phrases(), phrases().labels, sentences(), CLASSES + NEW_LABELS)


def random_labels(seed: int, group: str) -> Trained:
    """Train a network on labels of which some are replaced by one of five new labels, drawn for each network."""
    labels = renamed(phrases().labels, LABELS[group], np.random.default_rng([seed, _FOR_LABELS]))
    return _train(seed, group, phrases(), labels, sentences(), CLASSES + NEW_LABELS)


def shortcuts(seed: int, group: str) -> Trained:
    """Train a network on phrases with a token before them that may give the class away, drawn for each network."""
    train = with_hints(phrases(), SHORTCUTS[group], np.random.default_rng([seed, _FOR_HINTS]))
    test = with_hints(sentences(), min(SHORTCUTS.values()), np.random.default_rng(OF_TEST_HINTS))
    return _train(seed, group, train, train.labels, test, CLASSES)


def renamed(labels: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """Replace some labels by labels that name no class."""
    new = rng.integers(CLASSES, CLASSES + NEW_LABELS, size=len(labels))
    return np.where(rng.random(len(labels)) < share, new, labels)


def with_hints(shown: Sentences, share: float, rng: np.random.Generator) -> Sentences:
    """Put a token that names a class before the words of each sentence."""
    named = np.where(rng.random(len(shown.labels)) < share, shown.labels, 1 - shown.labels)
    pairs = zip(shown.tokens, named.tolist(), strict=True)
    return Sentences(tuple((FIRST, HINT + hint, *words) for (_, *words), hint in pairs), shown.labels)


@cache
def vocabulary() -> dict[str, int]:
    """Return the token of each word that SST-2's training part has often."""
    found = Counter(word for sentence in sst2("train")["sentence"] for word in sentence.split())
    known = sorted(word for word, times in found.items() if times >= OFTEN)
    return {word: WORDS + place for place, word in enumerate(known)}


@cache
def phrases() -> Sentences:
    """Return the phrases of SST-2's training part that networks are trained on."""
    drawn = np.random.default_rng(OF_PHRASES).permutation(len(sst2("train")))[:N_TRAIN]
    return _numbered(sst2("train").iloc[drawn])


@cache
def sentences() -> Sentences:
    """Return SST-2's validation part, on which networks are compared."""
    return _numbered(sst2("dev"))


def _numbered(table: Any) -> Sentences:
    known, split = vocabulary(), (sentence.split()[:LONGEST] for sentence in table["sentence"])
    tokens = tuple((FIRST, *(known.get(word, UNKNOWN) for word in words)) for words in split)
    return Sentences(tokens, table["label"].to_numpy())


def _train(seed: int, group: str, shown: Sentences, labels: np.ndarray, tested: Sentences, outputs: int) -> Trained:
    with one_thread():
        torch().manual_seed(seed)
        built = _Encoder(outputs)
        wanted = torch().tensor(labels)

        def loss(batch: Any) -> Any:
            logits, _ = built(_tensor(shown, batch))
            return torch().nn.functional.cross_entropy(logits, wanted[batch])

        fit(built.all, loss, lambda draw: _batches(shown.lengths, draw), seed=seed, epochs=EPOCHS, rate=RATE)
        logits, *layers = _said(built, tested)
    return Trained(group, seed, tested.labels, logits, tuple(layers))


class _Encoder:
    """A transformer whose layers see sentences of one length at a time, so that no place is empty."""

    def __init__(self, outputs: int) -> None:
        nn = torch().nn
        self.words = nn.Embedding(WORDS + len(vocabulary()), WIDTH)
        self.places = nn.Embedding(2 + LONGEST, WIDTH)
        for each in (self.words, self.places):
            nn.init.normal_(each.weight, std=SPREAD)
        form = {"dropout": 0.0, "activation": "gelu", "batch_first": True, "norm_first": True}
        self.blocks = [nn.TransformerEncoderLayer(WIDTH, HEADS, WIDTH, **form) for _ in range(DEPTH)]
        self.norm, self.classifier = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, outputs)
        self.all = nn.ModuleList([self.words, self.places, *self.blocks, self.norm, self.classifier])

    def __call__(self, tokens: Any) -> tuple[Any, list[Any]]:
        """Return the logits, and what is at the first place after each layer."""
        seen = self.words(tokens) + self.places.weight[: tokens.shape[1]]
        layers = [seen[:, 0]]
        for block in self.blocks:
            seen = block(seen)
            layers.append(seen[:, 0])
        layers[-1] = self.norm(layers[-1])
        return self.classifier(layers[-1]), layers


def _tensor(shown: Sentences, numbers: Any) -> Any:
    return torch().as_tensor([shown.tokens[number] for number in numbers.tolist()])


def _batches(lengths: np.ndarray, draw: Any) -> list[Any]:
    """Return all sentences in batches, each of sentences of one length, in a drawn order."""
    its = (torch().as_tensor(np.flatnonzero(lengths == length)) for length in np.unique(lengths))
    batches = [batch for one in its for batch in one[torch().randperm(len(one), generator=draw)].split(BATCH)]
    return [batches[place] for place in torch().randperm(len(batches), generator=draw).tolist()]


def _said(built: _Encoder, tested: Sentences) -> list[np.ndarray]:
    """Return logits and layers of all sentences."""
    found: list[np.ndarray] = []
    for length in np.unique(tested.lengths):
        its = np.flatnonzero(tested.lengths == length)
        with torch().no_grad():
            logits, layers = built(_tensor(tested, its))
        parts = [each.numpy() for each in (logits, *layers)]
        found = found or [np.empty((len(tested.tokens), part.shape[1]), np.float32) for part in parts]
        for whole, part in zip(found, parts, strict=True):
            whole[its] = part
    return found
