"""The data model: what every system answered on every trial."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from erralign.errors import check_labels


@dataclass(frozen=True)
class Responses:
    """All that the measures of errors need, and no more: true classes, answers, classes, systems.

    Parameters
    ----------
    name : str
        The catalogue's name, such as ``"xu2024/stylized"``, or one of your own.
    truth : pandas.Series of int, length n_trials
        True class ids, 0 … C - 1. The index names the trials (``condition``, ``image`` where known).
    answers : pandas.DataFrame of int, shape (n_trials, n_systems)
        One column a system, the same index; -1 where a system gave no answer in time (wrong, never dropped).
    classes : tuple of str
        C class names (or ids as text). C is part of class-level error similarity.
    systems : pandas.DataFrame
        Indexed by system, in the order of the columns: ``kind`` (``human`` or ``model``), ``family``, ``source``.

    Raises
    ------
    ValueError, TypeError
        A label out of range, NaN, text, trials or systems that do not match; the message names them.

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.Series([0, 1, 1])
    >>> answers = pd.DataFrame({"ann": [0, 1, 0], "net": [1, 1, 0]})
    >>> systems = pd.DataFrame({"kind": ["human", "model"], "family": ["people", "CNN"], "source": "made up"},
    ...                        index=["ann", "net"])
    >>> Responses("mine", truth, answers, ("cat", "dog"), systems).answers.shape
    (3, 2)
    """

    name: str
    truth: pd.Series
    answers: pd.DataFrame
    classes: tuple[str, ...]
    systems: pd.DataFrame

    def __post_init__(self) -> None:
        """Check once, here, so that no measure has to check again."""
        check_labels(f"truth of {self.name}", self.truth, n_classes=len(self.classes))
        for system in self.answers:
            check_labels(f"{self.name}, {system}", self.answers[system], n_classes=len(self.classes), may_time_out=True)
        if not self.answers.index.equals(self.truth.index):
            raise ValueError(f"{self.name}: answers and truth have different trials; give both the same index")
        if list(self.systems.index) != list(self.answers.columns):
            raise ValueError(
                f"{self.name}: systems lists {list(self.systems.index)}, answers has the columns "
                f"{list(self.answers.columns)}; give both the same systems in the same order"
            )
        unknown = set(self.systems["kind"]) - {"human", "model"}
        if unknown:
            raise ValueError(f"{self.name}: kind is {sorted(unknown)[0]!r}; expected 'human' or 'model'")
