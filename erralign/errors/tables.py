"""Checks of tables that a caller hands in."""

from collections.abc import Iterable
from typing import Any

SHOWN = 6  # columns in a message
ROWS_AT_MOST = 6000  # in a chart


def check_responses(name: str, responses: Any) -> None:
    """Refuse what is no Responses, such as a bare table of answers."""
    if not hasattr(responses, "answers") or not hasattr(responses, "systems"):
        raise TypeError(
            f"{name} is of type {type(responses).__name__}; expected Responses, which erralign.load, "
            "Responses.from_table and erralign.read_answers give"
        )


def check_columns(name: str, table: Any, needed: Iterable[str], origin: str) -> None:
    """Say which columns a table lacks, and which function returns one that has them."""
    if not hasattr(table, "columns"):
        raise TypeError(f"{name} is of type {type(table).__name__}; expected a table as {origin} returns it")
    present = list(table.columns)
    missing = [column for column in needed if column not in present]
    if missing:
        more = ", …" if len(present) > SHOWN else ""
        raise ValueError(
            f"{name} has no column {_listed(missing)}; it has {_listed(present[:SHOWN]) or 'none'}{more}; "
            f"expected a table as {origin} returns it"
        )


def _listed(names: Iterable[object]) -> str:
    return ", ".join(map(repr, names))


def check_rows(name: str, n_rows: int) -> None:
    """Refuse a table that is too long for a chart."""
    if n_rows == 0:
        raise ValueError(f"{name} is empty; expected at least one row")
    if n_rows > ROWS_AT_MOST:
        raise ValueError(
            f"{name} has {n_rows:,} rows, a chart holds at most {ROWS_AT_MOST:,}; "
            "keep fewer systems, for example with Responses.select"
        )


def check_caption(caption: Any) -> None:
    """Refuse a table without a caption."""
    if not isinstance(caption, str) or not caption.strip():
        raise ValueError(f"caption is {caption!r}; expected text: say what the table shows")
