"""Trials and classes by name, where pandas names them: what belongs together is brought into one order.

Nothing of pandas is imported: whoever hands in a Series has done so.
"""

from collections.abc import Mapping
from typing import Any


def in_one_order(given: Mapping[str, Any]) -> dict[str, Any]:
    """Bring Series and frames into the order of the first one, by their index."""
    named = [name for name, each in given.items() if hasattr(each, "index") and hasattr(each, "reindex")]
    ordered = dict(given)
    for name in named[1:]:
        if not given[name].index.equals(given[named[0]].index):
            if len(named) < len(given):
                plain = next(other for other in given if other not in named)
                raise ValueError(
                    f"{name} has its trials in another order than {named[0]}, and {plain} has no index that says which "
                    "is right: give all as Series, or none"
                )
            check_same_names(name, given[name].index, named[0], given[named[0]].index, "trial")
            ordered[name] = given[name].reindex(given[named[0]].index)
    return ordered


def shown(label: Any) -> str:
    """Write the name of a trial as its owner would, without NumPy's types."""
    if isinstance(label, tuple):
        return f"({', '.join(map(shown, label))})"
    return repr(label.item() if hasattr(label, "item") else label)


def check_once(name: str, index: Any, what: str = "trial") -> None:
    """Refuse an index that names something twice."""
    if not index.is_unique:
        raise ValueError(f"{name} has {what} {shown(index[index.duplicated()][0])} twice; name each once")


def places_in(name: str, index: Any, wanted: Any, hint: str, what: str = "trial") -> Any:
    """Return where an index, which names each once, has what is wanted, or say what it lacks."""
    check_once(name, index, what)
    places = index.get_indexer(wanted)
    if (places < 0).any():
        raise ValueError(f"{name} has no {what} {shown(wanted[places < 0][0])}{hint}")
    return places


def check_same_names(name: str, index: Any, first: str, wanted: Any, what: str) -> None:
    """Refuse two indexes that do not hold the same names, each once."""
    places_in(name, index, wanted, f", which {first} has; give both the same", what)
    places_in(first, wanted, index, f", which {name} has; give both the same", what)


def in_order_of_rows(name: str, matrix: Any) -> Any:
    """Bring the columns of a frame into the order of its rows, which name the same things."""
    if not hasattr(matrix, "reindex") or not hasattr(matrix, "columns") or matrix.index.equals(matrix.columns):
        return matrix
    rows, columns = matrix.index, matrix.columns
    hint = "; give all classes both: reindex(index=classes, columns=classes, fill_value=0)"
    places_in(name, rows, columns, hint, "row")
    places_in(name, columns, rows, hint, "column")
    return matrix[rows]


def with_both_answers(table: Any) -> Any:
    """Bring a frame of counts by right and wrong into the order wrong, right, and add what did not occur."""
    if not hasattr(table, "reindex") or not hasattr(table, "columns"):
        return table
    names = table.index.tolist() + table.columns.tolist()
    # A table without names has 0 and 1: with one row, nobody knows which it is.
    are_named = all(isinstance(name, bool) for name in names) or table.shape == (2, 2)
    if not are_named or not all(name in (False, True) for name in names):
        raise ValueError(f"table has rows and columns {names}; expected False and True (wrong, right), or plain counts")
    for each in (table.index, table.columns):
        check_once("table", each, "row or column")
    return table.reindex(index=[False, True], columns=[False, True], fill_value=0)
