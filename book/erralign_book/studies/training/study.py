"""One harness for whatever is trained on people's answers: it is tested with other pictures and other people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from erralign._validation import (
    check_choices,
    check_cluster_labels,
    check_features,
    check_responses,
    check_same_trials,
    check_whole,
    checked,
    places_in,
)
from erralign.inference.clusters import clusters_of
from erralign.models.inference import progress, read, write
from erralign.responses import Responses
from erralign.training.linear import Recipe, main_directions
from erralign_book.studies.training.findings import Findings, Judged
from erralign_book.studies.training.scores import (
    Scores,
    answers_knowing,
    folds,
    scores,
    scores_of_people,
    shares_of,
    shuffled,
    teaching,
)

FEWEST_PEOPLE = 4
CONTROL = ", shuffled"
TEACHERS, TESTERS = "the people who teach", "the people who test"
PLACES = ("new", "seen")


class Study:
    """Divide pictures and people, train heads, and say how alike they and people err.

    In each round some people teach and the others test, and pictures are cut into folds: what is tested shares no
    material with what was trained on. A head is trained for each fold; the answers of all folds are pooled.

    Parameters
    ----------
    people : Responses
        Answers of at least four people. Networks in it are ignored.
    by : DataFrame of one or two columns, or labels, one per picture
        The material that pictures share, such as the photographs of which they are made.
    rounds : int
        How often people and pictures are divided anew.
    rng : int
        The seed of the first round; the next one has the next seed.
    leak : bool
        Put as many pictures into each fold whatever they share, to see how that deceives.

    Examples
    --------
    >>> import erralign
    >>> from erralign.training import linear_head
    >>> from erralign_book.studies.training import Study
    >>> rng = np.random.default_rng(0)
    >>> truth, hard = np.arange(200) % 4, rng.random(200)
    >>> said = {f"p{i}": np.where(hard + rng.normal(0, 0.2, 200) > 0.7, (truth + 1) % 4, truth) for i in range(6)}
    >>> people = erralign.Responses.from_table(truth, said, classes=list("abcd"), kind="human")
    >>> study = Study(people, by=np.arange(200) // 5, rounds=2)
    >>> X = np.column_stack([np.eye(4)[truth] + rng.normal(0, 0.7, (200, 4)), hard])
    >>> heads = {"plain": linear_head(), "plainer": linear_head(decay=0.03), "taught": linear_head("EC", 5)}
    >>> found = study.evaluate(heads, X, baseline=["plain", "plainer"])
    >>> found.gains.query("measure == 'EC' and head == 'taught'")["over"].tolist()[:2]
    ['plain', 'plain, equally accurate']
    """

    def __init__(
        self,
        people: Responses,
        by: Any,
        *,
        rounds: int = 5,
        rng: int = 0,
        leak: bool = False,
    ) -> None:
        check_responses("people", people)
        self.truth, self.people = truth_and_people(people)
        self.index, self.classes = people.truth.index, people.classes
        labels = check_cluster_labels(by, len(self.truth), self.index, "by")
        self.labels = [np.array(list(map(str, of_label))) for of_label in labels]
        self.seeds = range(check_whole("rng", rng, 0), rng + check_whole("rounds", rounds, 1))
        self.teaches = np.stack([teaching(len(self.people), seed) for seed in self.seeds])
        self.cuts = [
            folds(self.labels, self.truth, np.random.default_rng(seed), grouped=not leak) for seed in self.seeds
        ]

    def shares(self, place: int = 0, *, control: bool = False) -> np.ndarray:
        """Return the share of those who teach in a round who gave each answer, shape (n_pictures, C)."""
        own = self.people[self.teaches[place]]
        if control:
            own = shuffled(own, self.truth, np.random.default_rng([self.seeds[place], 2]))
        return shares_of(own, len(self.classes))

    def evaluate(
        self,
        heads: Mapping[str, Recipe],
        pictures: Any,
        *,
        baseline: str | Sequence[str] | None = None,
        controls: bool = True,
        level: float = 0.95,
        keep: str | PathLike[str] | None = None,
    ) -> Findings:
        """Train each head in each fold of each round, and its control on people's answers to other pictures.

        Parameters
        ----------
        heads : mapping
            Name to recipe, such as :func:`linear_head` returns. It gets the training pictures, their true class ids
            and the shares of those who teach, and returns a function from pictures to probabilities.
        pictures : array_like
            Features, or whatever the recipes take, in the order of the answers; a DataFrame is aligned by its index.
        baseline : str or sequence of str, optional
            The heads that know nothing of people. A gain is over the first; *at equal accuracy* over what all of them,
            which should differ in accuracy alone, have at the head's accuracy. Default: the first head.
        controls : bool
            Train each head that is no baseline once more, on shuffled answers. Heads that ask no people need none.
        level : float
            The level of the intervals, which leave out pictures (with what they share), people and rounds in turn.
        keep : path, optional
            A folder for the answers of each fold: if the evaluation is stopped, the next one goes on from there.

        Returns
        -------
        Findings
            Values, gains, and what was within reach.
        """
        checked(level=level)
        names = list(heads)
        base = names[:1] if baseline is None else [baseline] if isinstance(baseline, str) else list(baseline)
        check_choices("baseline", base, names)
        order = [*base, *(name for name in names if name not in base)]
        arms = [(name, False) for name in order]
        arms += [(name + CONTROL, True) for name in order[len(base) :] if controls]
        trained = [(name, heads[name.removesuffix(CONTROL)], control) for name, control in arms]
        answers = self.train(trained, pictures, keep=keep)
        return self.judge([name for name, _ in arms], answers, n_base=len(base), level=level)

    def train(
        self,
        arms: Sequence[tuple[str, Recipe, bool]],
        pictures: Any,
        *,
        components: int | None = None,
        keep: str | PathLike[str] | None = None,
    ) -> np.ndarray:
        """Train names and recipes, on shuffled answers where it is a control, and return what :meth:`judge` takes.

        With ``components`` recipes get so many main directions of the features of each fold's training pictures.
        """
        rows = np.asarray(pictures)
        if hasattr(pictures, "reindex"):
            rows = rows[places_in("pictures", pictures.index, self.index, ", which people answered; leave both out")]
        check_same_trials("pictures", len(rows), "people", len(self.index))
        if components is not None:
            features = check_features("pictures", rows)
            products = features @ features.T
        answers = np.full((len(self.seeds), len(arms), 2, len(self.truth)), -1, dtype=np.int8)
        work = [(place, fold) for place, cut in enumerate(self.cuts) for fold in range(len(cut.train))]
        with progress(total=len(work) * len(arms), desc="heads", unit="head") as bar:
            for place, fold in work:
                train = np.flatnonzero(self.cuts[place].train[fold])
                X = rows if components is None else main_directions(products, train, components)
                for number, arm in enumerate(arms):
                    self._answer(answers[place, number], X, (place, fold), arm, keep)
                    bar.update()
        return answers

    def _answer(self, into: np.ndarray, X: np.ndarray, where: tuple, arm: tuple, keep: Any) -> None:
        """Train one head, and write down what it answers to the pictures that it is asked about."""
        (place, fold), (name, recipe, control) = where, arm
        cut = self.cuts[place]
        asked = [np.flatnonzero(pictures == fold) for pictures in (cut.test, cut.seen)]
        facts = name, self.seeds[place], fold, cut.train[fold].tobytes(), self.teaches[place].tobytes()
        file = Path(keep, blake2b(repr(facts).encode(), digest_size=12).hexdigest() + ".npy") if keep else None
        answers = read(file) if file else None
        if answers is None:
            train = cut.train[fold]
            head = recipe(X[train], self.truth[train], self.shares(place, control=control)[train])
            answers = np.concatenate(
                [_answers(name, head(X[pictures]), len(pictures), len(self.classes)) for pictures in asked]
            )
            if file:
                write(file, answers)
        into[0, asked[0]], into[1, asked[1]] = answers[: len(asked[0])], answers[len(asked[0]) :]

    def scores(self, answers: np.ndarray, *, pictures: str = "new", people: str = "new") -> Scores:
        """Compare answers, shape (n_rounds, n_heads, n_pictures), with those who test (new) or who taught (seen)."""
        asked = np.stack([cut.test if pictures == "new" else cut.seen for cut in self.cuts])
        where: np.ndarray = np.logical_and.reduce(asked >= 0)
        judges = self.teaches if people == "seen" else ~self.teaches
        material = self.truth[where], answers[..., where], self.people[:, where]
        return scores(*material, judges, len(self.classes), self._shared(where))

    def _shared(self, where: np.ndarray) -> Any:
        labels = pd.DataFrame({str(number): of_label[where] for number, of_label in enumerate(self.labels)})
        return clusters_of(labels, pd.Series(0, labels.index))

    def scores_of_people(self) -> Scores:
        """Compare each person with each other one."""
        every = np.ones(len(self.truth), dtype=bool)
        return scores_of_people(self.truth, self.people, len(self.classes), self._shared(every))

    def judge(self, names: Sequence[str], answers: np.ndarray, *, n_base: int = 1, level: float = 0.95) -> Findings:
        """Judge the answers of heads that were trained elsewhere, in the folds of this study.

        Parameters
        ----------
        names : sequence of str
            Of the heads: the baselines first, then others, then controls, whose names end with ``, shuffled``.
        answers : numpy.ndarray of int, shape (n_rounds, n_heads, 2, n_pictures)
            To pictures when they are new (``cuts[round].test`` says which fold answers), and when they are seen.
        n_base : int
            How many of the heads are baselines.
        level : float
            The level of the intervals.

        Returns
        -------
        Findings
            As :meth:`evaluate` returns them.
        """
        own = [place for place in range(n_base, len(names)) if not names[place].endswith(CONTROL)]
        asked = [answers[:, :, PLACES.index(pictures)] for pictures in PLACES]
        asked[0] = np.concatenate([asked[0], self._best(asked[0][:, own])], axis=1)
        of_places = {
            (pictures, people): self.scores(answered, pictures=pictures, people=people)
            for pictures, answered in zip(PLACES, asked, strict=True)
            for people in PLACES
        }
        reach = [
            (place, who, len(names) + 2 * row + which)
            for row, place in enumerate(own)
            for which, who in enumerate((TEACHERS, TESTERS))
        ]
        return Findings.of(Judged(list(names), n_base, own, of_places, reach, self.scores_of_people(), level))

    def _best(self, answers: np.ndarray) -> np.ndarray:
        """Return for each head the answers, as often right, of somebody who knows those who teach or who test."""
        best_answers = np.empty((len(answers), 2 * answers.shape[1], answers.shape[2]), dtype=answers.dtype)
        right = self.people == self.truth
        for place, seed in enumerate(self.seeds):
            ties = np.random.default_rng(seed).random(len(self.truth))
            for row, of_head in enumerate(answers[place]):
                for which, known in enumerate((right[self.teaches[place]], right[~self.teaches[place]])):
                    n_right = int((of_head == self.truth).sum())
                    best = answers_knowing(known, self.truth, n_right, ties, len(self.classes))
                    best_answers[place, 2 * row + which] = best
        return best_answers


def truth_and_people(responses: Responses) -> tuple[np.ndarray, np.ndarray]:
    """Return true class ids and the answers of people, shape (n_people, n_pictures)."""
    people = responses.answers.loc[:, (responses.systems["kind"] == "human").to_numpy()].to_numpy().T
    if len(people) < FEWEST_PEOPLE:
        raise ValueError(
            f"responses has {len(people)} people; expected at least {FEWEST_PEOPLE}, of whom half train and half test: "
            "set kind to 'human' in systems for those who are"
        )
    return responses.truth.to_numpy(), people


def _answers(name: str, probabilities: Any, n: int, n_classes: int) -> np.ndarray:
    """Return the likeliest class of each picture, or say what is wrong with what a head gave."""
    array = np.asarray(probabilities, dtype=float)
    if array.shape != (n, n_classes):
        raise ValueError(
            f"head {name!r} gave an array of shape {array.shape} for {n} pictures; expected ({n}, {n_classes}), the "
            "probability of each class"
        )
    if not np.isfinite(array).all() or (array < 0).any() or (np.abs(array.sum(axis=1) - 1) > 1e-3).any():
        raise ValueError(f"head {name!r} gave rows that are no probabilities; return the softmax of its logits")
    return array.argmax(axis=1).astype(np.int8)
