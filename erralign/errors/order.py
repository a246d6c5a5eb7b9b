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


def check_same_names(name: str, index: Any, first: str, wanted: Any, what: str) -> None:
    """Refuse two indexes that do not hold the same names, each once."""
    for owner, each in ((first, wanted), (name, index)):
        if not each.is_unique:
            raise ValueError(f"{owner} has {what} {shown(each[each.duplicated()][0])} twice; name each once")
    for owner, other, lacking in ((name, first, wanted.difference(index)), (first, name, index.difference(wanted))):
        if len(lacking):
            raise ValueError(f"{owner} has no {what} {shown(lacking[0])}, which {other} has; give both the same")


def in_order_of_rows(name: str, matrix: Any) -> Any:
    """Bring the columns of a frame into the order of its rows, which name the same things."""
    if not hasattr(matrix, "reindex") or not hasattr(matrix, "columns") or matrix.index.equals(matrix.columns):
        return matrix
    rows, columns = matrix.index, matrix.columns
    for there, lacking in (("row", columns.difference(rows)), ("column", rows.difference(columns))):
        if len(lacking):
            raise ValueError(
                f"{name} has no {there} {shown(lacking[0])}; give all classes both: "
                "reindex(index=classes, columns=classes, fill_value=0)"
            )
    check_same_names(name, columns, f"the rows of {name}", rows, "class")
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
        check_same_names("table", each, "table", each, "row or column")
    return table.reindex(index=[False, True], columns=[False, True], fill_value=0)
