"""What the registry says of one measure."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from erralign.errors import check_choice
from erralign.measures import generic
from erralign.measures.trials import Intervals, LeftOut, Trials

# What may be changed about the data of two systems, in words. A measure lists those changes that leave it as it is.
INVARIANCES: dict[str, str] = {
    "order of systems": "A and B change places",
    "order of trials": "all trials are put into another order, the same one everywhere",
    "names of classes": "the classes are numbered otherwise, the same way everywhere (confidences without ties)",
    "choice of wrong answers": "a wrong answer becomes another wrong answer",
    "pairing of trials": "the answers of B change places among the trials of one true class",
    "correct trials": "trials that both answered correctly are left out",
    "trials without joint errors": "trials that at least one of them answered correctly are left out",
    "permutation of features": "the features of either system are put into another order",
    "orthogonal transformation": "the features of either system are rotated, mirrored or put into another order",
    "isotropic scaling": "all features of either system are multiplied by one positive number",
    "invertible linear map": "the features of either system are mixed by an invertible matrix",
    "translation": "a vector is added to the features of either system on all trials",
    "affine map": "the features of either system are mixed by an invertible matrix, and a vector is added",
}


# What leaves every measure of errors unchanged.
ORDER_AND_NAMES = frozenset({"order of systems", "order of trials", "names of classes"})
# What leaves those unchanged that look at joint errors alone.
ON_JOINT_ERRORS = frozenset({"correct trials", "trials without joint errors"})
ANSWERS = "answers"
# What becomes of trials on which a system gave no answer, or none that could be read.
UNREAD = ("wrong", "left out")
# Why measures of wrong answers lack a value.
NOT_GIVEN = "not given: with fewer than three classes there is one wrong answer, on which any two systems agree"
OF_POSITIONS = (
    "not given: letters of options mean nothing on other trials, and shuffling them within each trial would change the "
    "value; if classes do mean the same on all trials, leave out options"
)
_WRITTEN = {"cka": "CKA", "cca": "CCA", "gulp": "GULP", "rsm": "RSM", "jaccard": "Jaccard", "procrustes": "Procrustes"}
_WORDS = re.compile("|".join(_WRITTEN))


@dataclass(frozen=True, eq=False)
class Measure:
    """A measure of how alike two systems are, with all that the package needs to know about it.

    A measure of errors needs no more than its name, its abbreviation and its function. For what it lacks, a generic
    form serves: pairs one after another, and intervals by the jackknife, which say so in their method.

    Parameters
    ----------
    name : str
        The name of the function, and of the measure's column in tables.
    short : str
        The abbreviation, and the key in ``erralign.MEASURES``.
    function : callable
        The measure of two systems. What it takes depends on ``reads``: for ``answers`` that is ``(y_true, y_a, y_b)``,
        arrays of class ids of shape (n_trials,), where -1 is "no answer in time".
    reads : {"answers", "confidences", "features"}
        What is compared: the answers of two systems, their confidences or their features.
    all_pairs : callable, optional
        From :class:`~erralign.measures.Trials`: the values of all pairs of many systems, in the order of ``pairs``.
    left_out, unbiased : callable, optional
        From true classes, the answers of all systems, the systems of each pair and the number of classes: values and
        values without each trial, a :class:`~erralign.measures.LeftOut`; and the same for a form of the measure without
        bias, by whose difference means with people are corrected.
    intervals : Intervals, optional
        How limits are found: :class:`~erralign.measures.Intervals`.
    needs_classes : bool
        Whether the function takes the number of classes, ``n_classes``.
    range : tuple of float
        The lowest and the highest possible value.
    undefined : float
        What the function returns where the measure is 0/0. Everywhere else that is nan.
    larger_is_more_similar : bool
        Whether the value grows with similarity; otherwise it is a distance.
    invariances : frozenset of str
        Changes of the data that leave the value of the default form as it is: keys of :data:`INVARIANCES`.
    variants : mapping of str to callable
        The forms of the measure by name, the default first, each as a function of the same arguments.
    options : mapping of str to callable
        Further arguments of the function that a caller may choose, each with a function that refuses wrong values.
    words, meaning : str
        The name in a sentence (default: ``name``, with blanks), and what the value says, for reports.
    keeps_bias : bool
        Whether the value is meant for as many errors as there are. Means with people are then not corrected.
    with_half_counts : callable, optional
        From true classes, the answers of all systems and the systems of each pair: how much values change with the
        count of each trial and of pseudo-trials, which stand for what was not seen, and these counts. Means with people
        have at least the variance that follows, which does not vanish where errors are few.
    enough_joint_errors : int
        How many joint errors each pair must have in each condition for an interval of a mean with people.
    enough_errors : int
        On how many trials of each condition one of a pair must err, and one be right, for the same.
    fewest_classes : int
        With fewer classes the value says nothing: tables hold nan, and functions of one measure refuse it.
    own_options : {"ignored", "used", "refused"}
        What becomes of the measure where each trial has options of its own, so that classes are positions: it looks at
        single trials only; it takes their numbers, as ``n_options``; it compares classes over trials, and says nothing.
    may_leave_unread : bool
        Whether trials on which either system gave no answer may be left out, as :func:`erralign.pairwise` offers it.

    Examples
    --------
    >>> largest = Measure("largest", "MAX", max, "features", variants={"largest": max, "smallest": min})
    >>> largest.function(3, 4), largest.variants["smallest"](3, 4), largest.words
    (4, 3, 'largest')
    """

    name: str
    short: str
    function: Callable[..., float]
    reads: str = ANSWERS
    _: KW_ONLY
    # Filled in below, unless it reads something else than answers.
    all_pairs: Callable[..., np.ndarray] = None  # type: ignore[assignment]
    left_out: Callable[..., LeftOut] = None  # type: ignore[assignment]
    intervals: Intervals = None  # type: ignore[assignment]
    needs_classes: bool = False
    range: tuple[float, float] = (-math.inf, math.inf)
    undefined: float = math.nan
    larger_is_more_similar: bool = True
    invariances: frozenset[str] = frozenset()
    variants: Mapping[str, Callable[..., float]] = field(default_factory=dict)
    options: Mapping[str, Callable[[Any], None]] = field(default_factory=dict)
    words: str = ""
    meaning: str = ""
    unbiased: Callable[..., LeftOut] | None = None
    keeps_bias: bool = False
    with_half_counts: Callable[..., tuple[np.ndarray, np.ndarray]] | None = None
    enough_joint_errors: int = 0
    enough_errors: int = 0
    fewest_classes: int = 0
    own_options: str = "ignored"
    may_leave_unread: bool = False

    def __post_init__(self) -> None:
        """Put generic forms in the place of what the measure lacks."""
        plain = self.name.replace("_", " ").replace("class level", "class-level")
        self._fill("words", _WORDS.sub(lambda found: _WRITTEN[found[0]], plain))
        if self.reads == ANSWERS:
            self._fill("all_pairs", generic.all_pairs(self.value))
            self._fill("left_out", generic.left_out(self.value))
            self._fill("intervals", generic.intervals(self.left_out, self.range))

    def _fill(self, name: str, generic_form: Any) -> None:
        object.__setattr__(self, name, getattr(self, name) or generic_form)

    def value(self, truth: np.ndarray, a: np.ndarray, b: np.ndarray, n_classes: int, **options: Any) -> float:
        """Return the value of two systems, nan where it is undefined."""
        classes = {"n_classes": n_classes} if self.needs_classes else {}
        found = float(self.function(truth, a, b, **classes, **options))
        return math.nan if found == self.undefined else found

    def of_all_pairs(self, trials: Trials, options: Mapping[str, Any]) -> np.ndarray:
        """Return the values of all pairs of systems, nan where one is undefined."""
        if self.why_not(trials.n_classes, trials.n_options):
            return np.full(len(trials.pairs[0]), np.nan)
        values = np.array(self.all_pairs(trials, **self.own(options)), dtype=float)
        if values.shape != trials.pairs[0].shape:
            raise ValueError(
                f"all_pairs of {self.name} gives an array of shape {values.shape}; expected one value for each of "
                f"{len(trials.pairs[0])} pairs: leave it out, and they are computed one after another"
            )
        return values

    def why_not(self, n_classes: int, n_options: ArrayLike | None) -> str:
        """Say why the value says nothing with so many classes, or with options of each trial; empty where it does."""
        if n_classes < self.fewest_classes:
            return NOT_GIVEN
        return OF_POSITIONS if n_options is not None and self.own_options == "refused" else ""

    def check_classes(self, n_classes: int, n_options: ArrayLike | None = None) -> None:
        """Refuse classes with which the measure says nothing."""
        if reason := self.why_not(n_classes, n_options):
            hint = "; if there are more classes, declare them" if reason == NOT_GIVEN else ""
            raise ValueError(f"{self.short} is {reason}{hint}")

    def check_unread(self, unread: str) -> None:
        """Refuse to leave out unread answers of a measure that cannot."""
        check_choice("unread", unread, UNREAD)
        if unread != UNREAD[0] and not self.may_leave_unread:
            raise ValueError(f"{self.short} counts no answer as wrong; unread={unread!r} is there for EC, MA and CLES")

    def chance(self, n_options: np.ndarray | None) -> dict[str, np.ndarray]:
        """Return the numbers of options of each trial as an argument, if there are any and the measure takes them."""
        return {} if n_options is None or self.own_options != "used" else {"n_options": n_options}

    def own(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return those of some options that the measure has."""
        return {name: value for name, value in options.items() if name in self.options}

    def leave_one_out(
        self,
        truth: np.ndarray,
        answers: np.ndarray,
        first: np.ndarray,
        second: np.ndarray,
        n_classes: int,
        **options: Any,
    ) -> LeftOut:
        """Compute the measure of pairs, and again without each trial in turn."""
        self.check_classes(n_classes)
        # A value that would become 0/0 stays as it was, since the last error does not show how the value would move.
        return steadied(self.left_out(truth, answers, first, second, n_classes, **options))


def steadied(found: LeftOut) -> LeftOut:
    """Put the value with all trials where the value without one is undefined."""
    return found._replace(without=np.where(np.isnan(found.without), found.values[:, None], found.without))
