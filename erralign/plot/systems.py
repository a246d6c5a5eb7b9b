"""Systems beside each other: all pairs as a heatmap, values with their intervals, and points between two columns."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.measures.registry import NAMES, limit_columns, short_name, too_few, words_of
from erralign.plot import theme
from erralign.plot.colours import GREY, MACHINES
from erralign.plot.finishing import check_columns, check_rows, finish, layer, measures_in, selector, tooltips
from erralign.responses.model import GUEST

_ROW = 18  # pixels a system
_POINT = 80  # square pixels
_GUESTS = {GUEST: theme.WHOSE["yours"]}
_LOOKS_OF_PAIRS = theme.LOOKS_OF_PAIRS | _GUESTS
_NAMED = 40  # rows that have their names beside them; of more pairs only values are seen
_MORE_DATA = "more data"  # what readers call large networks
_SMALL, _STEPS = 12, (30, 19)  # up to how many systems cells are large, and how large
_PAIRS_COME_FROM = "erralign.pairwise or erralign.pairwise_intervals"
_INTERVALS_COME_FROM = "erralign.pairwise_intervals"
_SCORES_COME_FROM = "erralign.accuracy_intervals or erralign.consistency_with_people(...).table"
_VALUE_AXIS = "value, with its interval"
# A long name loses its middle: what tells systems apart stands at either end.
_LONGEST_LABEL = 26
_SHORT_LABEL = "length(datum.label) > 26 ? slice(datum.label, 0, 12) + '…' + slice(datum.label, -13) : datum.label"
# What stands beside a value that a menu chose: its limits, the interval in words, and the blind value.
_CHOSEN = {
    "value": "datum[measure]",
    "low": "datum[measure + '_low']",
    "high": "datum[measure + '_high']",
    "blind": "datum[measure + '_blind']",
    "interval": "isValid(datum.low) ? format(datum.low, '.3f') + ' to ' + format(datum.high, '.3f') : 'none'",
    "chance": "isValid(datum.blind) ? format(datum.blind, '.3f') : 'none'",
}


def _labels(names: Iterable[object]) -> str:
    """Return how Vega writes names: where several would look the same without their middle, without their start."""
    alike: dict[str, list[str]] = {}
    for name in dict.fromkeys(map(str, names)):
        alike.setdefault(name[:12] + name[-13:] if len(name) > _LONGEST_LABEL else name, []).append(name)
    without_start: dict[str, str] = {}
    for same in alike.values():
        if len(same) > 1:
            differs = next(place for place, letters in enumerate(zip_longest(*same)) if len({*letters}) > 1)
            without_start |= {name: f"…{name[differs:]}" for name in same}
    return f"{json.dumps(without_start)}[datum.label] || ({_SHORT_LABEL})" if without_start else _SHORT_LABEL


def heatmap(
    pairs: pd.DataFrame,
    measures: str | Sequence[str] | None = None,
    *,
    order: Iterable[str] | None = None,
    data_sets: Mapping[str, str] | None = None,
    start: tuple[str, str] | None = None,
    title: str | None = None,
) -> alt.LayerChart:
    """Draw a measure for all pairs of systems as a heatmap, with a menu where there are several measures.

    Parameters
    ----------
    pairs : pandas.DataFrame
        What :func:`erralign.pairwise` or :func:`erralign.pairwise_intervals` returns: ``system_a``, ``system_b``, and
        one column per measure. If the table has limits, hovering shows them.
    measures : str or sequence of str, optional
        The measures from which the reader can choose. Default: all measures that the table has.
    order : iterable of str, optional
        The systems from top to bottom. Default: the order of the table.
    data_sets : mapping of str to str, optional
        For a table of several data sets with a column ``data_set``: its values, and what the menu calls them.
    start : tuple of str, optional
        The data set and the measure shown first. Default: the first ones.
    title : str, optional
        A sentence that says what to see.

    Returns
    -------
    altair.LayerChart
        A heatmap in which each pair is drawn on both sides of the diagonal.
    """
    check_columns("pairs", pairs, ["system_a", "system_b"], _PAIRS_COME_FROM)
    check_rows("pairs", len(pairs))
    shorts = measures_in(pairs, measures, _PAIRS_COME_FROM)
    systems = list(order or pd.unique(pairs[["system_a", "system_b"]].to_numpy().ravel()))
    data_set, measure = start or (next(iter(data_sets or {}), ""), shorts[0])
    there = "isValid(datum[measure])"
    if data_sets:
        there = f"datum.data_set === data_set && {there}"
    # Each pair is stored once and drawn on both sides of the diagonal.
    cells = alt.Chart(_columns_of_cells(pairs, shorts)).transform_filter(there).transform_calculate(**_CHOSEN)
    cells = cells.transform_calculate(half="[0, 1]").transform_flatten(["half"])
    cells = cells.transform_calculate(
        row="datum.half ? datum.system_b : datum.system_a", column="datum.half ? datum.system_a : datum.system_b"
    )
    what = "value"
    if len(shorts) == 1:
        what = shorts[0]
    chart = cells.mark_rect().encode(
        alt.X("column:N", sort=systems, title=None, axis=alt.Axis(labelAngle=-90, labelExpr=_labels(systems))),
        alt.Y("row:N", sort=systems, title=None, axis=alt.Axis(labelExpr=_labels(systems))),
        theme.colour_of_values("value", what),
        tooltip=tooltips(_hover("system_a", "system_b", pairs)),
    )
    menus = [selector("measure", shorts, measure, "measure")]
    if data_sets:
        menus.insert(0, selector("data_set", list(data_sets), data_set, words=list(data_sets.values())))
    step = alt.Step(_STEPS[len(systems) > _SMALL])
    by = " or ".join(shorts)
    words = title or f"Every pair of {len(systems)} systems by {by}: the stronger the colour, the more alike"
    about = f"Heatmap of {', '.join(shorts)} for {len(pairs)} pairs of systems, one measure at a time."
    return finish(layer(chart).add_params(*menus), words, about, step, width=step)


def _columns_of_cells(pairs: pd.DataFrame, measures: Sequence[str]) -> pd.DataFrame:
    limits = [column for name in measures for column in limit_columns(name)[:2]]
    blind = [f"{name}_blind" for name in measures]
    columns = ["data_set", "system_a", "system_b", "n_joint_errors", *measures, *limits, *blind]
    # As many digits as tooltips write: rounded twice, a limit of .91546 would be .916 there.
    return pairs.filter(columns).round(3)


def _hover(system: str, other: str, pairs: pd.DataFrame) -> list[alt.Tooltip]:
    hover = [alt.Tooltip(system, title="system"), alt.Tooltip(other, title="with")]
    hover += [alt.Tooltip("value:Q", format=".3f"), alt.Tooltip("interval:N")]
    if "MA_blind" in pairs:
        hover.append(alt.Tooltip("chance:N", title="blind value"))
    if "n_joint_errors" in pairs:
        hover.append(alt.Tooltip("n_joint_errors"))
    return hover


def beside(
    pairs: pd.DataFrame,
    systems: str | Sequence[str],
    measures: str | Sequence[str] | None = None,
    *,
    title: str | None = None,
) -> alt.LayerChart:
    """Draw the values of a measure for one system with each of the others, with intervals, one row per other system.

    Parameters
    ----------
    pairs : pandas.DataFrame
        What :func:`erralign.pairwise_intervals` returns.
    systems : str or sequence of str
        The system, or several from which the reader can choose.
    measures, title
        As for :func:`heatmap`.

    Returns
    -------
    altair.LayerChart
        A chart with the most similar system on top, and with menus if there is something to choose.
    """
    own_systems = list(systems)
    if isinstance(systems, str):
        own_systems = [systems]
    check_columns("pairs", pairs, ["system_a", "system_b", "kind"], _INTERVALS_COME_FROM)
    shorts = measures_in(pairs, measures, _INTERVALS_COME_FROM)
    check_columns("pairs", pairs, [end for name in shorts for end in limit_columns(name)[:2]], _INTERVALS_COME_FROM)
    rows = pd.concat([_seen_from(pairs, own, shorts) for own in own_systems])
    check_rows("pairs", len(rows))
    base = alt.Chart(rows).transform_filter("datum.own === own && isValid(datum[measure])")
    base = base.transform_calculate(**_CHOSEN)
    highest_first = alt.EncodingSortField("value", order="descending")
    y = alt.Y("other:N", sort=highest_first, title=None, axis=alt.Axis(labelExpr=_labels(rows["other"]), grid=False))
    hover, under = _hover("own:N", "other:N", rows), None
    layers = _interval_per_row(base, "value", _VALUE_AXIS, y, "pairs", _LOOKS_OF_PAIRS, hover)
    if "MA_blind" in rows:
        # A measure without blind values has its ticks behind its points; a layer without data would be warned of.
        blind = base.transform_calculate(at="isValid(datum.blind) ? datum.blind : datum.value")
        seen = alt.when("isValid(datum.blind)").then(alt.value(1)).otherwise(alt.value(0))
        x = alt.X("at:Q", title=_VALUE_AXIS)
        layers.insert(0, blind.mark_tick(thickness=2, color=GREY).encode(x, y, opacity=seen))
        under = "under MA, grey ticks: blind values"
    menus = [selector("measure", shorts, shorts[0], "measure"), selector("own", own_systems, own_systems[0], "system")]
    who = "A system"
    if len(own_systems) == 1:
        who = own_systems[0]
    words = title or f"{who} beside each of the others"
    n_others = rows["other"].nunique()
    about = f"{', '.join(shorts)} of {' or '.join(own_systems)} with each of {n_others} systems, with intervals."
    return finish(layer(*layers).add_params(*menus), words, about, _ROW * n_others, subtitle=under)


def _interval_per_row(
    base: alt.Chart,
    value: str,
    title: str,
    y: alt.Y,
    field: str,
    looks: theme.Looks,
    hover: Sequence[Any],
    *,
    zero: bool = False,
    shape: alt.Shape | None = None,
) -> list[Any]:
    """Draw each row's interval as a line from ``low`` to ``high``, and its value as a point on it."""
    looks = theme.only(looks, base.data[field])
    legend: dict[str, Any] = {"title": field}
    if len(looks) < 2:
        legend["legend"] = None
    scale = alt.Scale(zero=True) if zero else alt.Undefined
    line = base.mark_rule(strokeWidth=3).encode(
        alt.X("low:Q", title=title, scale=scale), y, x2="high:Q", color=theme.colour(field, looks, **legend)
    )
    point = base.mark_point(filled=True, opacity=1, size=_POINT).encode(
        alt.X(f"{value}:Q", title=title, scale=scale),
        y,
        fill=theme.fill(field, looks, **legend),
        shape=shape or theme.shape(field, looks, **legend),
        tooltip=tooltips(hover),
    )
    return [line, point]


def _seen_from(pairs: pd.DataFrame, own: str, measures: Sequence[str]) -> pd.DataFrame:
    """Return the pairs of one system, the other of each pair in a column of its own."""
    first, second = pairs["system_a"] == own, pairs["system_b"] == own
    rows = pairs[first | second]
    if rows.empty:
        raise ValueError(f"pairs has no pair of {own!r}; its systems are {', '.join(pairs['system_a'].unique())}")
    other = np.where(first[rows.index], rows["system_b"], rows["system_a"])
    columns = _columns_of_cells(pairs, measures).columns.difference(["system_a", "system_b"], sort=False)
    return rows[["kind", *columns]].assign(own=own, other=other, pairs=_kinds(rows)).round(3)


def intervals(table: pd.DataFrame, measure: str = "", title: str | None = None) -> alt.LayerChart:
    """Draw a row for each system, or for each pair of systems: its value, as a point on the line of its interval.

    Parameters
    ----------
    table : pandas.DataFrame
        Of systems: what :func:`erralign.accuracy_intervals` returns, or the table of
        :func:`erralign.consistency_with_people`: one row per system (index or column ``system``), ``low``, ``high``,
        and a measure or ``accuracy``; rows keep their order. A column ``family``, such as CNN, decides the colours.
        A row ``people`` is drawn as a band.
        Of pairs: what :func:`erralign.pairwise_intervals` returns; the highest value comes first.
    measure : str
        The column to draw. Default: the first measure of the table, or ``accuracy``.
    title
        As for :func:`heatmap`.

    Returns
    -------
    altair.LayerChart
        A chart whose thick lines are intervals. Pairs are crosses that have fewer than five joint errors, and of EC as
        few expected by chance, or as few joint successes. A pair without a value is left out.
    """
    known = (short_name(measure),) if measure else (*NAMES, "accuracy")
    value = next((name for name in known if name in table), known[0])
    if "system_a" in table:
        return _of_pairs(table, value, title)
    return _of_systems(table, value, title)


def _of_pairs(pairs: pd.DataFrame, measure: str, title: str | None) -> alt.LayerChart:
    known = ["system_a", "system_b", "kind", "n_joint_errors", measure]
    ends = ("low", "high") if "low" in pairs else limit_columns(measure)[:2]
    check_columns("table", pairs, [*known, *ends], _INTERVALS_COME_FROM)
    few = np.where(too_few(pairs, measure), *theme.FEW)
    rows = pairs.assign(few=few, pairs=_kinds(pairs), pair=pairs["system_a"] + " and " + pairs["system_b"])
    rows = rows.rename(columns=dict(zip(ends, ("low", "high"), strict=True))).dropna(subset=measure)
    check_rows("table", len(rows))
    rows = rows[[*known, "low", "high", "few", "pairs", "pair"]].sort_values(measure, ascending=False).round(3)
    axis = alt.Axis(labels=len(rows) <= _NAMED, ticks=False, grid=False)
    y = alt.Y("pair:N", sort=list(rows["pair"]), title=None, axis=axis)
    hover = ["system_a", "system_b", measure, "low", "high", "n_joint_errors"]
    shape = theme.shape("few", theme.FEW, legend=None)
    marks = _interval_per_row(alt.Chart(rows), measure, measure, y, "pairs", _LOOKS_OF_PAIRS, hover, shape=shape)
    zero = alt.Chart(pd.DataFrame({measure: [0.0]})).mark_rule(color=GREY, strokeWidth=1.5)
    layers = [zero.encode(alt.X(f"{measure}:Q", title=measure)), *marks]
    about = f"{measure} of {len(rows)} pairs"
    too_few_words = next(iter(theme.FEW))
    crosses = None
    if (rows["few"] == too_few_words).any():
        crosses = f"crosses: {too_few_words}"
    height = _ROW * min(len(rows), _NAMED)
    return finish(layer(*layers), title or about, f"{about}, with intervals.", height, subtitle=crosses)


def _of_systems(table: pd.DataFrame, value: str, title: str | None) -> alt.LayerChart:
    if "system" not in table:
        table = table.rename_axis("system").reset_index()
    check_columns("table", table, [value, "low", "high"], _SCORES_COME_FROM)
    is_people = table["system"] == "people"
    rows = table[~is_people].round(4)
    if "family" not in rows:
        rows["family"] = "networks"
    rows = rows.replace({"family": {"Large": _MORE_DATA}})
    words = words_of(value)
    axis = f"{words} with people" if value in NAMES else words
    hover = rows.filter(["system", value, "low", "high", "fewest_joint_errors", "n_errors"]).columns.tolist()
    label = alt.Axis(labelExpr=_labels(rows["system"]), labelOverlap=False, grid=False)
    y = alt.Y("system:N", sort=list(rows["system"].unique()), title=None, axis=label)
    looks = _families(rows["family"], with_people=value in NAMES)
    layers = _interval_per_row(alt.Chart(rows), value, axis, y, "family", looks, hover, zero=True)
    if is_people.any():
        layers = [*_people(table[is_people].round(4), value, axis), *layers]
    about = f"{words[0].upper()}{words[1:]} of {len(rows)} systems"
    return finish(layer(*layers), title or about, f"{about} with an interval each.", _ROW * len(rows))


def _people(person: pd.DataFrame, value: str, axis: str) -> list[Any]:
    """Draw the mean of people with each other across all rows, in a band that is its interval."""
    hue = theme.FAMILIES["Human"].colour
    base = alt.Chart(person.drop(columns=["system", "family"], errors="ignore").assign(name="people with each other"))
    band = base.mark_rect(opacity=theme.BAND, color=hue).encode(alt.X("low:Q", title=axis), x2="high:Q")
    hover: list[Any] = [alt.Tooltip("name", title="system"), value, "low", "high"]
    line = base.mark_rule(color=hue, strokeWidth=2).encode(alt.X(f"{value}:Q", title=axis), tooltip=tooltips(hover))
    name = base.mark_text(align="right", baseline="bottom", y=-4, color=hue)  # above all rows
    return [band, line, name.encode(alt.X("high:Q", title=axis), text="name:N")]


def _families(families: pd.Series, *, with_people: bool) -> theme.Looks:
    known = {**theme.FAMILIES, _MORE_DATA: theme.FAMILIES["Large"], **theme.WHOSE}
    if with_people:  # a pair of both
        machines = {colour for colour, _ in MACHINES.values()}
        known |= {name: theme.split(look) for name, look in known.items() if look.colour in machines}
    return known | _GUESTS | {name: theme.Look(GREY) for name in families.unique() if name not in {*known, *_GUESTS}}


def points(table: pd.DataFrame, x: str, y: str, title: str | None = None) -> alt.LayerChart:
    """Draw pairs of systems, or systems, as points between two of their columns, in the colours of what they are.

    Parameters
    ----------
    table : pandas.DataFrame
        What :func:`erralign.pairwise` returns, whose ``kind`` decides the looks: people, mixed pairs or networks, and
        pairs with a guest; or a table with a row per system, whose ``family`` or ``kind`` does.
    x, y : str
        Columns of numbers, such as ``"accuracy_b"`` and ``"EC"``.
    title
        As for :func:`heatmap`.

    Returns
    -------
    altair.LayerChart
        A chart of one mark per row. A row without a number is left out.
    """
    if table.index.name == "system":
        table = table.reset_index()
    check_columns("table", table, [x, y], _PAIRS_COME_FROM)
    rows, looks = table.dropna(subset=[x, y]), dict(theme.WHOSE)
    check_rows("table", len(rows))
    if "system_a" in rows:
        rows, looks = rows.assign(what=_kinds(rows)), dict(_LOOKS_OF_PAIRS)
    elif "family" in rows:
        rows, looks = rows.assign(what=rows["family"]), dict(_families(rows["family"], with_people=False))
    else:
        rows = rows.assign(what=rows["kind"].map({"human": "people", "model": "networks"}))
    hover = rows.filter(["system", "system_a", "system_b", x, y, "n_joint_errors"]).columns.tolist()
    looks = theme.only(looks, rows["what"])
    base = alt.Chart(rows[[*dict.fromkeys(hover), "what"]].round(4))
    chart = base.mark_point(filled=True, opacity=1, size=_POINT).encode(
        alt.X(f"{x}:Q", title=theme.heading(x)),
        alt.Y(f"{y}:Q", title=theme.heading(y)),
        fill=theme.fill("what", looks),
        shape=theme.shape("what", looks),
        tooltip=tooltips(hover),
    )
    about = f"{theme.heading(y)} by {theme.heading(x)}"
    return finish(layer(chart), title or about, f"{about}, {len(rows)} points.", 300)


def _kinds(pairs: pd.DataFrame) -> pd.Series:
    """Return in words whether a pair is one of people, of networks, or mixed; or that a guest is in it."""
    with_guest = (pairs.filter(["family_a", "family_b"]) == GUEST).any(axis=1)
    return pairs["kind"].map(theme.PAIRS).mask(with_guest, GUEST)
