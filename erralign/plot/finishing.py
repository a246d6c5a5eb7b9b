"""What every chart gets at last, a title, an alternative text, a size; menus; and checks of the tables of charts."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import altair as alt
import pandas as pd

from erralign.measures.registry import NAMES, short_name
from erralign.plot.theme import ROWS_AT_MOST, heading, in_words

_SHOWN = 6  # columns in a message
_Drawn = TypeVar("_Drawn", bound=alt.TopLevelMixin)
_HOVER = {"low": "interval from", "high": "to", "p_holm": "p, corrected", "used": "used by the benchmark"}


def finish(
    chart: _Drawn,
    title: str,
    description: str,
    height: float | alt.Step,
    *,
    width: float | str | alt.Step = "container",
    subtitle: str | None = None,
) -> _Drawn:
    """Give a chart what every chart has: a title, an alternative text and a size."""
    return entitle(chart, title, description, subtitle=subtitle).properties(width=width, height=height)


def entitle(chart: _Drawn, title: str, description: str, *, subtitle: str | list[str] | None = None) -> _Drawn:
    """Give a title and an alternative text to a chart of several panels, each of which has its own size."""
    words: Any = title
    if subtitle:
        words = alt.Title(title, subtitle=subtitle)
    return chart.properties(title=words, description=f"{description} {title}.")


def layer(*charts: alt.Chart | alt.LayerChart) -> alt.LayerChart:
    """Draw charts over one another, the last on top."""
    return alt.LayerChart(layer=charts)


def tooltips(columns: Iterable[str | alt.Tooltip]) -> list[alt.Tooltip]:
    """Say what a mark shows when it is read, with the names of columns in words."""
    named = []
    for column in columns:
        tooltip: Any = column if isinstance(column, alt.Tooltip) else alt.Tooltip(column)
        if tooltip["title"] is alt.Undefined:
            field = str(tooltip["shorthand"]).partition(":")[0]
            tooltip["title"] = _HOVER.get(field) or heading(field)
        named.append(tooltip)
    return named


def selector(
    name: str,
    options: Sequence[str | int],
    start: str | int,
    label: str = "data set",
    *,
    words: Sequence[str] | None = None,
) -> alt.Parameter:
    """Let the reader choose from a menu under the chart's title."""
    if len(options) == 1:
        return alt.param(name=name, value=start)
    labels = list(words or map(in_words, options))
    menu = alt.binding_select(options=list(options), labels=labels, name=f"{label} ")
    return alt.param(name=name, value=start, bind=menu)


def measures_in(pairs: pd.DataFrame, measures: str | Sequence[str] | None, origin: str) -> list[str]:
    """Return the abbreviations of the measures to draw."""
    if measures is None:
        names = [short for short in NAMES if short in pairs] or [next(iter(NAMES))]
    else:
        names = [short_name(name) for name in ([measures] if isinstance(measures, str) else measures)]
    check_columns("pairs", pairs, names, origin)
    return names


# ---- checks of tables that a caller hands in ---------------------------------------------------------------------


def check_columns(name: str, table: Any, needed: Iterable[str], origin: str) -> None:
    """Say which columns a table lacks, and which function returns one that has them."""
    if not hasattr(table, "columns"):
        raise TypeError(f"{name} is of type {type(table).__name__}; expected a table as {origin} returns it")
    present = list(table.columns)
    missing = [column for column in needed if column not in present]
    if missing:
        more = ", …" if len(present) > _SHOWN else ""
        raise ValueError(
            f"{name} has no column {_listed(missing)}; it has {_listed(present[:_SHOWN]) or 'none'}{more}; "
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
