"""Series and frames that cannot be written to: what was checked once stays as it was checked.

Their arrays are not writeable, so that what shares their memory (a column, ``to_numpy()``) cannot be written to either,
under pandas 2 and 3 alike. What pandas derives of them (a column, a selection, a copy) is plain pandas.
"""

from typing import Any, NoReturn

import pandas as pd


def _refuse(*_: Any, **__: Any) -> NoReturn:
    raise TypeError(
        "Responses cannot be changed in place, since they were checked when they were made; change a copy "
        "(answers = responses.answers.copy()) and make new ones: dataclasses.replace(responses, answers=answers)"
    )


def _refusing(name: str) -> property:
    indexer = type(getattr(pd.Series(dtype=float), name))
    return property(lambda table: type(name, (indexer,), {"__setitem__": _refuse})(name, table))


class _ReadOnly:
    loc, iloc, at, iat = map(_refusing, ("loc", "iloc", "at", "iat"))
    __setitem__ = __delitem__ = insert = pop = update = _update_inplace = _refuse


class Series(_ReadOnly, pd.Series):  # type: ignore[misc]  # pandas marks what it means not to be overridden
    """A Series that cannot be written to."""

    _constructor = pd.Series
    _constructor_expanddim = pd.DataFrame


class DataFrame(_ReadOnly, pd.DataFrame):  # type: ignore[misc]
    """A frame that cannot be written to."""

    _set_axis = _refuse  # of a Series, pandas calls it to make one
    _constructor = pd.DataFrame
    _constructor_sliced = pd.Series


def read_only(table: Any, *, copy: bool = True) -> Any:
    """Return a table that cannot be written to: itself if it cannot, else one over a copy of its whole numbers."""
    if isinstance(table, _ReadOnly):
        return table
    is_series = isinstance(table, pd.Series)
    array = table.to_numpy(copy=copy)
    if array.dtype.kind not in "iu":  # words, which no measure reads
        return Series(table) if is_series else DataFrame(table)
    array.flags.writeable = False
    if is_series:
        return Series(array, index=table.index, name=table.name, copy=False)
    return DataFrame(array, index=table.index, columns=table.columns, copy=False)
