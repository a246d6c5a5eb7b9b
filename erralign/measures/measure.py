"""What the registry says of one measure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

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


@dataclass(frozen=True)
class Measure:
    """A measure of how alike two systems are.

    Parameters
    ----------
    name : str
        The name of the function, and of the measure's column in tables with long names.
    short : str
        The abbreviation, and the key in ``MEASURES``.
    function : callable
        The measure, from labels, confidences or features of two systems.
    from_counts : callable, optional
        The same from counts. Only measures of errors have it.
    needs_classes : bool
        Whether the number of classes is part of the measure, an argument ``n_classes`` of the function.
    larger_is_more_similar : bool
        Whether the value grows with similarity; otherwise it is a distance.
    invariances : frozenset of str
        Changes of the data that leave the value of the default form as it is: keys of :data:`INVARIANCES`.
    variants : mapping of str to callable
        The forms of the measure by name, the default first, each as a function of the same arguments.
    options : tuple of str
        What a caller of an interval may choose of the measure, too: arguments of the function.

    Examples
    --------
    >>> largest = Measure("largest", "MAX", max, variants={"largest": max, "smallest": min})
    >>> largest.function(3, 4), largest.variants["smallest"](3, 4)
    (4, 3)
    """

    name: str
    short: str
    function: Callable[..., float]
    from_counts: Callable[..., float] | None = None
    needs_classes: bool = False
    larger_is_more_similar: bool = True
    invariances: frozenset[str] = frozenset()
    variants: Mapping[str, Callable[..., float]] = field(default_factory=dict)
    options: tuple[str, ...] = ()
