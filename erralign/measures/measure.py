"""What the registry says of one measure."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from erralign._validation import check_choice
from erralign._validation.labels import check_all_answers, check_n_options
from erralign.measures.matrix import Ends, Limits, Resampling, ResponseMatrix, count_classes

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


# How a result says that no method of the measure's own was at work.
JACKKNIFE = "generic jackknife"


class LeftOut(NamedTuple):
    """Values of pairs, and the same values without one trial; nan where undefined."""

    values: np.ndarray  # (n_pairs,)
    without: np.ndarray  # (n_pairs, n_trials)


@dataclass(frozen=True)
class Form:
    """A measure as a function of sums over trials; what else it has makes a value faster, or an interval right.

    Each function is given a :class:`~erralign.measures.ResponseMatrix`, whose ``pairs`` it is about, and the options of
    the measure by their names.
    """

    # What each trial adds for each pair: arrays that broadcast to (n_pairs, n_trials). And the value from their sums.
    contributions: Callable[..., tuple[np.ndarray, ...]] | None = None
    value: Callable[..., np.ndarray] | None = None
    # Faster: sums of all pairs; values of all pairs; values without each trial (None where options allow no such way).
    sums: Callable[..., tuple[np.ndarray, ...]] | None = None
    all_pairs: Callable[..., np.ndarray] | None = None
    left_out: Callable[..., LeftOut | None] | None = None
    # Without bias: by how much this differs from the values, means with people are corrected.
    unbiased: Callable[..., LeftOut] | None = None
    # How values change with the count of each trial and of pseudo-trials, which stand for what was not seen, and these
    # counts. Means with people have at least the variance that follows, which does not vanish where errors are few.
    half_counts: Callable[..., tuple[np.ndarray, np.ndarray]] | None = None
    # Estimands with the methods of their limits; the first of each is the default.
    methods: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: {"population": (JACKKNIFE,)})
    limits: Callable[..., Limits] | None = None  # from values, a Resampling and a method, too
    choose: Callable[..., str] | None = None  # the method of all pairs, where that is not always the default one
    draw: Callable[..., np.ndarray] | None = None  # values of pairs, (n_resamples, n_pairs), for paired differences
    recentred: bool = False  # whether limits of differences lose the bias that draws show


# The measures of the package by their names, once all of its modules are imported.
PACKAGE: dict[str, "Measure"] = {}


@dataclass(frozen=True, eq=False)
class Measure:
    """A measure of how alike two systems are, with all that the package needs to know about it.

    A measure of errors needs no more than its name, its abbreviation and its function. Without a form, pairs are
    computed one after another, and intervals by the jackknife, which say so in their method.

    A measure is what its name says: a pickled one is found again by its name, if it is one of the package.

    Parameters
    ----------
    name : str
        The name of the function.
    short : str
        The abbreviation: the key in ``erralign.MEASURES``, and the measure's column in tables.
    function : callable
        The measure of two systems. What it takes depends on ``reads``: for ``answers`` that is ``(y_true, y_a, y_b)``,
        arrays of class ids of shape (n_trials,), where -1 is "no answer in time".
    reads : {"answers", "confidences", "features"}
        What is compared: the answers of two systems, their confidences or their features.
    form : Form, optional
        The measure as *contributions of each trial* and a *function from their sums to the value*, from which all
        else is computed: :class:`~erralign.measures.Form`. Without it, the function is called for each pair, and again
        without each trial.
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
    of_one_system : bool
        Whether it is about single systems, as accuracy is, and not about pairs.
    keeps_bias : bool
        Whether the value is meant for as many errors as there are. Means with people are then not corrected.
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
    form: Form = field(default_factory=Form)
    needs_classes: bool = False
    range: tuple[float, float] = (-math.inf, math.inf)
    undefined: float = math.nan
    larger_is_more_similar: bool = True
    invariances: frozenset[str] = frozenset()
    variants: Mapping[str, Callable[..., float]] = field(default_factory=dict)
    options: Mapping[str, Callable[[Any], None]] = field(default_factory=dict)
    words: str = ""
    meaning: str = ""
    of_one_system: bool = False
    keeps_bias: bool = False
    enough_joint_errors: int = 0
    enough_errors: int = 0
    fewest_classes: int = 0
    own_options: str = "ignored"
    may_leave_unread: bool = False

    def __post_init__(self) -> None:
        """Write the name as words, unless the measure brings some."""
        plain = self.name.replace("_", " ").replace("class level", "class-level")
        object.__setattr__(self, "words", self.words or _WORDS.sub(lambda match: _WRITTEN[match[0]], plain))

    def __reduce__(self) -> Any:
        """Pickle a measure of the package as its name, so that it is the same one in another process."""
        if PACKAGE.get(self.name) is self:
            return _named, (self.name,)
        return super().__reduce__()

    def matrix_of(
        self, n_classes: int | None, n_options: ArrayLike | None = None, **answers: ArrayLike
    ) -> ResponseMatrix:
        """Return true classes (``y_true``) and the answers of systems as a matrix, unless the measure says nothing."""
        given = check_all_answers(n_classes, self.right_or_wrong, **answers)
        named = dict(zip(answers, given, strict=True))
        offered = None if n_options is None else check_n_options(n_options, answers["y_true"], named)
        size = int(n_classes or count_classes(*given))
        self.check_classes(size, offered)
        return ResponseMatrix(given[0], np.stack(given[1:]), size, n_options=offered)

    # ---- values --------------------------------------------------------------------------------------------------

    def value(
        self,
        truth: np.ndarray,
        a: np.ndarray,
        b: np.ndarray,
        n_classes: int,
        n_options: np.ndarray | None = None,
        **options: Any,
    ) -> float:
        """Return the value of two systems, nan where it is undefined."""
        if self.needs_classes:
            options["n_classes"] = n_classes
        if n_options is not None and self.own_options == "used":
            options["n_options"] = n_options
        value = float(self.function(truth, a, b, **options))
        return math.nan if value == self.undefined else value

    def of_all_pairs(self, matrix: ResponseMatrix, options: Mapping[str, Any]) -> np.ndarray:
        """Return the values of all pairs of systems, nan where one is undefined."""
        if self.why_not(matrix.n_classes, matrix.n_options):
            return np.full(len(matrix.pairs[0]), np.nan)
        form, own = self.form, self.own(options)
        if form.all_pairs is not None and len(matrix.pairs[0]) > 1:
            values = form.all_pairs(matrix, **own)
        elif form.contributions is not None and form.value is not None:
            sums = form.sums(matrix) if form.sums else [each.sum(axis=-1) for each in form.contributions(matrix)]
            values = form.value(*sums)
        else:
            each_pair = (self.value(*each, matrix.n_classes, matrix.n_options, **own) for each in matrix.each())
            values = np.fromiter(each_pair, dtype=float)
        values = np.asarray(values, dtype=float)
        if values.shape != matrix.pairs[0].shape:
            raise ValueError(
                f"the form of {self.name} gives an array of shape {values.shape}; expected one value for each of "
                f"{len(matrix.pairs[0])} pairs: leave it out, and they are computed one after another"
            )
        return values

    def leave_one_out(self, matrix: ResponseMatrix, options: Mapping[str, Any] = MappingProxyType({})) -> LeftOut:
        """Compute the measure of pairs, and again without each trial in turn."""
        self.check_classes(matrix.n_classes, matrix.n_options)
        form, own = self.form, self.own(options)
        left_out = None if form.left_out is None else form.left_out(matrix, **own)
        if left_out is not None:
            return steadied(left_out)
        if form.contributions is None or form.value is None:
            pairs = [self._without_each(*each, matrix.n_classes, matrix.n_options, **own) for each in matrix.each()]
            values, without = zip(*pairs, strict=True)
            return steadied(LeftOut(np.array(values, dtype=float), np.stack(without)))
        return steadied(left_out_of_sums(form.value, form.contributions(matrix)))

    def _without_each(
        self, truth: np.ndarray, a: np.ndarray, b: np.ndarray, n_classes: int, n_options: np.ndarray | None, **own: Any
    ) -> tuple[float, np.ndarray]:
        """Compute the function again without each trial, once for equal trials."""
        rows = [truth, a, b] if n_options is None else [truth, a, b, n_options]
        _, at, place = np.unique(np.stack(rows), axis=1, return_index=True, return_inverse=True)
        without = [np.nan] * (len(truth) == 1)
        for kept in (np.arange(len(truth)) != trial for trial in (at if len(truth) > 1 else ())):
            options = None if n_options is None else n_options[kept]
            without.append(self.value(truth[kept], a[kept], b[kept], n_classes, options, **own))
        return self.value(truth, a, b, n_classes, n_options, **own), np.array(without)[place.ravel()]

    # ---- limits --------------------------------------------------------------------------------------------------

    def limits(
        self,
        matrix: ResponseMatrix,
        values: np.ndarray,
        resampling: Resampling,
        method: str,
        options: Mapping[str, Any],
    ) -> Limits:
        """Return the limits of all pairs by a method."""
        if self.form.limits is not None:
            return self.form.limits(matrix, values, resampling, method, **self.own(options))
        _, moves = self.influences(matrix, options)
        low, high = jackknife_limits(values, moves, resampling.level, self.range)
        return Limits(low, high, np.zeros(len(values), dtype=int), values)

    def influences(self, matrix: ResponseMatrix, options: Mapping[str, Any]) -> LeftOut:
        """Return values of pairs, and how far each without a trial is from their mean."""
        values, without = self.leave_one_out(matrix, options)
        return LeftOut(values, without - without.mean(axis=1, keepdims=True))

    @property
    def right_or_wrong(self) -> bool:
        """Whether it asks no more than who was right, so that answers may be right or wrong themselves."""
        return self.of_one_system or "choice of wrong answers" in self.invariances

    @property
    def default_method(self) -> str:
        """The first method of the first estimand."""
        return next(iter(self.form.methods.values()))[0]

    def method_of_all_pairs(self, matrix: ResponseMatrix, resampling: Resampling, options: Mapping[str, Any]) -> str:
        """Return the method by which all pairs of systems get their limits."""
        choose = self.form.choose
        return choose(matrix, resampling, **self.own(options)) if choose else self.default_method

    # ---- what it can be asked ------------------------------------------------------------------------------------

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
        if not self.may_leave_unread:
            raise ValueError(f"{self.short} counts no answer as wrong; unread={unread!r} is there for EC, MA and CLES")

    def own(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return those of some options that the measure has."""
        return {name: value for name, value in options.items() if name in self.options}


def _named(name: str) -> Measure:
    return PACKAGE[name]


def left_out_of_sums(value: Callable[..., np.ndarray], columns: Sequence[np.ndarray]) -> LeftOut:
    """Compute a function of sums, and again without each trial, from what each trial adds: (n_pairs, n_trials)."""
    sums = [column.sum(axis=-1, keepdims=True) for column in columns]
    without = value(*(whole - one for whole, one in zip(sums, columns, strict=True)))
    return LeftOut(value(*sums)[:, 0], without)


def steadied(left_out: LeftOut) -> LeftOut:
    """Put the value with all trials where the value without one is undefined: how it would move is not known."""
    values, without = left_out
    return LeftOut(values, np.where(np.isnan(without), values[:, None], without))


def jackknife_limits(values: np.ndarray, moves: np.ndarray, level: float, within: tuple[float, float]) -> Ends:
    """Return values ± z standard errors by the jackknife, within the range of the measure."""
    n = moves.shape[1]
    half = ndtri((1 + level) / 2) * np.sqrt((n - 1) / n * (moves**2).sum(axis=1))
    return np.clip(values - half, *within), np.clip(values + half, *within)
