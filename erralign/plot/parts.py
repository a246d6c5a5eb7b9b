"""Parts that several charts share: how each is finished, what readers choose from, whiskers, lines to compare with."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import altair as alt
import pandas as pd

from erralign.errors import check_columns
from erralign.measures.registry import NAMES, short_name
from erralign.plot.words import heading, in_words

Drawn = TypeVar("Drawn", bound=alt.TopLevelMixin)
HOVER = {"low": "interval from", "high": "to", "p_holm": "p, corrected", "used": "used by the benchmark"}
CHOSEN = "datum.data_set === data_set"  # what a selector of data sets leaves


def finish(
    chart: Drawn,
    title: str,
    description: str,
    height: float | alt.Step,
    *,
    width: float | str | alt.Step = "container",
    subtitle: str | None = None,
) -> Drawn:
    """Give a chart what every chart has: a title, an alternative text and a size."""
    return entitle(chart, title, description, subtitle=subtitle).properties(width=width, height=height)


def entitle(chart: Drawn, title: str, description: str, *, subtitle: str | list[str] | None = None) -> Drawn:
    """Give a title and an alternative text to a chart of several panels, each of which has its own size."""
    words = alt.Title(title, subtitle=subtitle) if subtitle else title
    finished = chart.properties(title=words, description=f"{description} {title}.")
    _name_in_words(finished)
    return finished


def _name_in_words(chart: Any) -> None:
    """Give the values of a mark names in words, in a chart and all that it is made of."""
    for parts in ("layer", "concat", "hconcat", "vconcat"):
        for part in _given(chart, parts):
            _name_in_words(part)
    if spec := _given(chart, "spec"):
        _name_in_words(spec)
    for value in _given(_given(chart, "encoding"), "tooltip"):
        field = str(value["shorthand"]).partition(":")[0]
        if value["title"] is alt.Undefined:
            value["title"] = HOVER.get(field) or heading(field)
        if "_" in str(value["title"]):
            raise ValueError(f"the title of a tooltip is {value['title']!r}; write it in words, without underscores")


def _given(part: Any, name: str) -> Any:
    """Return what a part of a chart has under a name, or nothing."""
    found = getattr(part, name, alt.Undefined)
    return () if found is alt.Undefined else found


def layer(*charts: alt.Chart | alt.LayerChart) -> alt.LayerChart:
    """Draw charts over one another, the last on top."""
    return alt.LayerChart(layer=charts)


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


def with_short_names(name: str, table: pd.DataFrame, needed: Iterable[str], origin: str) -> pd.DataFrame:
    """Return a table of pairs with abbreviations in the names of its columns, or say which of them are missing."""
    check_columns(name, table, needed, origin)
    return table.rename(columns=short_name)


def measures_in(pairs: pd.DataFrame, measures: str | Sequence[str] | None, origin: str) -> list[str]:
    """Return the abbreviations of the measures to draw."""
    if measures is None:
        names = [short for short in NAMES if short in pairs] or [next(iter(NAMES))]
    else:
        names = [short_name(name) for name in ([measures] if isinstance(measures, str) else measures)]
    check_columns("pairs", pairs, names, origin)
    return names
