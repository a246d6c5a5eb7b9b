"""All pairs of many representations: what a representation needs is computed once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from erralign._validation import Seed, check_choices, check_enough_trials, check_rng, check_same_trials
from erralign.similarity.prepared import Prepared, Representation, prepare, prepare_two
from erralign.similarity.profiles import cosines, distance_profile, kernel_cosines, rank_profile

if TYPE_CHECKING:
    from erralign.measures.representations import Similarity

# Measures that are cosines of long vectors: all their pairs are one product of matrices.
_ALL_AT_ONCE: dict[str, Callable[[list[Prepared]], np.ndarray]] = {
    "CKA": kernel_cosines,
    "DistCorr": lambda systems: np.sqrt(np.maximum(cosines([*map(distance_profile, systems)]), 0)),
    "RSA": lambda systems: cosines([*map(rank_profile, systems)]),
}


def pairwise(
    representations: Mapping[str, ArrayLike] | Sequence[ArrayLike], measures: str | Iterable[str] | None = None
) -> dict[str, np.ndarray]:
    """Compare all pairs of representations with some or all of the 23 measures.

    What a measure needs of one representation, such as its nearest neighbours, is computed once for all its pairs.

    Parameters
    ----------
    representations : mapping of str to array_like, or sequence of array_like, each of shape (n_trials, n_features)
        Features of each system for the same trials, in the same order. The numbers of features may differ.
    measures : str or iterable of str, optional
        Abbreviations or names, such as ``"RSA"`` or ``["CKA", "jaccard_similarity"]``. Default: all 23.

    Returns
    -------
    dict of str to numpy.ndarray of float, shape (n_systems, n_systems)
        One matrix per measure, by abbreviation. Row i, column j is the default form of the measure for systems i and j,
        in this order (LinReg and PWCCA are not symmetric); nan if it is undefined.

    Examples
    --------
    >>> X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [4.0, 1.0]])
    >>> pairwise({"ann": X, "ben": 2 * X}, ["CKA", "ProcDist"])["ProcDist"].round(2)
    array([[0.  , 3.28],
           [3.28, 0.  ]])
    """
    chosen = _chosen(measures)
    systems = _prepare_all(representations)
    matrices, module = {}, ""
    for measure in sorted(chosen, key=_module):
        if _module(measure) != module:  # measures of one module need the same things of a representation
            for system in systems:
                system.forget()
        matrices[measure.short], module = _compare_all(measure, systems), _module(measure)
    return {measure.short: matrices[measure.short] for measure in chosen}


def compare(X: Representation, Y: Representation, measures: str | Iterable[str] | None = None) -> dict[str, float]:
    """Compare two representations with some or all of the 23 measures.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        Features of two systems for the same trials, in the same order. The numbers of features may differ.
    measures : str or iterable of str, optional
        As for :func:`pairwise`.

    Returns
    -------
    dict of str to float
        The default form of each measure, by abbreviation; nan if it is undefined.

    Examples
    --------
    >>> X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [4.0, 1.0]])
    >>> {short: round(value, 3) for short, value in compare(X, 2 * X, ["CKA", "ProcDist"]).items()}
    {'CKA': 1.0, 'ProcDist': 3.279}
    """
    x, y = prepare_two(X, Y)
    return {measure.short: measure.function(x, y) for measure in _chosen(measures)}


_N_SHUFFLES = 39  # of a new one, 95 % lie between the lowest and the highest of so many


def compare_shuffled(
    X: Representation, Y: Representation, measures: str | Iterable[str] | None = None, *, rng: Seed = 0
) -> dict[str, tuple[float, float, float]]:
    """Compare two representations when the rows of the second stand in random order, 39 times.

    What is then left of a value has nothing to do with the trials: with more features than trials, CKA of unrelated
    noise is near 1.

    Parameters
    ----------
    X, Y : array_like of float, shape (n_trials, n_features), or Prepared
        As for :func:`compare`.
    measures : str or iterable of str, optional
        As for :func:`pairwise`.
    rng : int, Generator, SeedSequence or None
        Source of the orders.

    Returns
    -------
    dict of str to tuple of float
        By abbreviation, the median of the values, the lowest and the highest: a 95 % band. nan if a value is undefined.

    Examples
    --------
    >>> X, Y = np.random.default_rng(0).normal(size=(2, 20, 400))
    >>> round(compare(X, Y, "CKA")["CKA"], 2), [round(value, 2) for value in compare_shuffled(X, Y, "CKA")["CKA"]]
    (0.96, [0.96, 0.96, 0.97])
    """
    generator = check_rng(rng)
    x, y = prepare_two(X, Y)
    chosen = _chosen(measures)
    narrow_x, narrow_y = _with_few_columns(x), _with_few_columns(y)
    values: dict[str, list[float]] = {measure.short: [] for measure in chosen}
    for _ in range(_N_SHUFFLES):
        order = generator.permutation(y.n)
        shuffled, narrow = y.in_order(order), narrow_y.in_order(order)
        for measure in chosen:
            of_alignment = _module(measure).endswith("alignment")
            if of_alignment and "orthogonal transformation" in measure.invariances:
                values[measure.short].append(measure.function(narrow_x, narrow))
            else:
                values[measure.short].append(measure.function(x, shuffled))
    return {short: (float(np.median(drawn)), min(drawn), max(drawn)) for short, drawn in values.items()}


def _with_few_columns(x: Prepared) -> Prepared:
    """Rotate features into as few columns as there are trials: what aligns by rotations does the same, and sooner."""
    if x.width <= x.n:
        return x
    _, triangular = np.linalg.qr(x.features.T)
    return Prepared(triangular.T)


def _chosen(measures: str | Iterable[str] | None) -> list[Similarity]:
    # Here, not above: the registry lists what this package holds.
    from erralign.measures.representations import OF_REPRESENTATIONS

    short_names = {measure.name: short for short, measure in OF_REPRESENTATIONS.items()}
    asked = [*OF_REPRESENTATIONS] if measures is None else measures
    named = check_choices("measures", asked, [*OF_REPRESENTATIONS, *short_names])
    return [OF_REPRESENTATIONS[short] for short in dict.fromkeys(short_names.get(name, name) for name in named)]


def _module(measure: Similarity) -> str:
    return measure.function.__module__


def _prepare_all(representations: Mapping[str, ArrayLike] | Sequence[ArrayLike]) -> list[Prepared]:
    named = representations.items() if isinstance(representations, Mapping) else enumerate(representations)
    systems = {f"representations[{name!r}]": features for name, features in named}
    if not systems:
        raise ValueError("representations is empty; expected features of at least one system: give names and arrays")
    prepared = {name: prepare(name, features) for name, features in systems.items()}
    (first, x), *others = prepared.items()
    check_enough_trials(first, x.n)
    for name, y in others:
        check_same_trials(name, y.n, first, x.n)
    return list(prepared.values())


def _compare_all(measure: Similarity, systems: list[Prepared]) -> np.ndarray:
    if measure.short in _ALL_AT_ONCE:
        return _ALL_AT_ONCE[measure.short](systems)
    is_symmetric = "order of systems" in measure.invariances
    values = np.empty((len(systems), len(systems)))
    places = range(len(systems))
    for i, j in combinations_with_replacement(places, 2) if is_symmetric else product(places, repeat=2):
        values[i, j] = measure.function(systems[i], systems[j])
        if is_symmetric:
            values[j, i] = values[i, j]
    return values
