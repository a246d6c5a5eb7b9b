"""Systems beside each other: all pairs as a heatmap, values with their intervals, and points between two columns."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.measures.registry import IN_WORDS, NAMES, limit_columns, short_name, too_few
from erralign.plot import grammar, theme
from erralign.plot.colours import GREY, MACHINES
from erralign.responses.model import GUEST

ROW = 18  # pixels a system
MARK = alt.expr("width < 300 ? 50 : 100")  # in a ranking; on a phone a large one hides its interval
GUESTS = {GUEST: theme.WHOSE["yours"]}
OF_PAIRS: Any = {"look": ("pairs", theme.LOOKS_OF_PAIRS | GUESTS), "columns": 3, "title": "pairs"}
NAMED = 40  # rows that have their names beside them; of more pairs only values are seen
MORE_DATA = "more data"  # what readers call large networks
SMALL, STEPS = 12, (30, 19)  # up to how many systems cells are large, and how large
PAIRS_COME_FROM = "erralign.pairwise or erralign.pairwise_intervals"
INTERVALS_COME_FROM = "erralign.pairwise_intervals"
SCORES_COME_FROM = "erralign.accuracy_intervals or erralign.consistency_with_people(...).table"
# A long name loses its middle: what tells systems apart stands at either end.
SHORT_LABEL = "length(datum.label) > 26 ? slice(datum.label, 0, 12) + '…' + slice(datum.label, -13) : datum.label"


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
    grammar.check_columns("pairs", pairs, ["system_a", "system_b"], PAIRS_COME_FROM)
    shorts = grammar.measures_in(pairs, measures, PAIRS_COME_FROM)
    order = list(order or pd.unique(pairs[["system_a", "system_b"]].to_numpy().ravel()))
    data_set, measure = start or (next(iter(data_sets or {}), ""), shorts[0])
    of_which = " or ".join(filter(None, [", ".join(shorts[:-1]), shorts[-1]]))
    # Each pair is stored once and drawn on both sides of the diagonal.
    mirrored = {"half": "[0, 1]"} | _beside_values()
    grammar.check_rows("pairs", len(pairs))
    x = grammar.names("column", order, labelAngle=-90, labelExpr=SHORT_LABEL)
    y = grammar.names("row", order, labelExpr=SHORT_LABEL)
    plot = grammar.Plot(_columns_of_cells(pairs, shorts), x, y, computed=mirrored)
    plot.where = f"{grammar.CHOSEN if data_sets else 'true'} && isValid(datum[measure])"
    cells = plot.base().transform_flatten(["half"])
    a, b = "datum.system_a", "datum.system_b"
    cells = cells.transform_calculate(row=f"datum.half ? {b} : {a}", column=f"datum.half ? {a} : {b}").mark_rect()
    colours = theme.colour_of_values("value", shorts[0] if len(shorts) == 1 else "value")
    plot.draw(cells.encode(alt.X(**x), alt.Y(**y), colours, tooltip=_hover("system_a", "system_b", pairs)))
    if data_sets:
        plot.menu("data_set", data_sets, data_set, "data set", list(data_sets.values()))
    plot.menu("measure", shorts, measure, "measure")
    step = alt.Step(STEPS[len(order) > SMALL])
    words = title or f"Every pair of {len(order)} systems by {of_which}: the stronger the colour, the more alike"
    about = f"Heatmap of {', '.join(shorts)} for {len(pairs)} pairs of systems, one measure at a time."
    return plot.done(words, about, step, width=step)


def _columns_of_cells(pairs: pd.DataFrame, measures: Sequence[str]) -> pd.DataFrame:
    limits = [column for name in measures for column in limit_columns(name)[:2]]
    blind = [f"{name}_blind" for name in measures]
    kept = ["data_set", "system_a", "system_b", "n_joint_errors", *measures, *limits, *blind]
    # As many digits as tooltips write: rounded twice, a limit of .91546 would be .916 there.
    return pairs.filter(kept).round(3)


def _beside_values() -> dict[str, str]:
    """Return what stands beside a value: its limits, the interval in words, and the blind value."""
    low, high, blind = (f"datum[measure + '{ending}']" for ending in (*limit_columns("")[:2], "_blind"))
    interval = f"isValid({low}) ? format({low}, '.3f') + ' to ' + format({high}, '.3f') : 'none'"
    chance = f"isValid({blind}) ? format({blind}, '.3f') : 'none'"
    beside = {"low": low, "high": high, "interval": interval, "blind": blind, "chance": chance}
    return {"value": "datum[measure]"} | beside


def _hover(system: str, other: str, pairs: pd.DataFrame) -> list[alt.Tooltip]:
    hover = [alt.Tooltip(system, title="system"), alt.Tooltip(other, title="with")]
    hover += [alt.Tooltip("value:Q", format=".3f"), alt.Tooltip("interval:N")]
    hover += [alt.Tooltip("chance:N", title="blind value")] if "MA_blind" in pairs else []
    hover += [alt.Tooltip("n_joint_errors")] if "n_joint_errors" in pairs else []
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
    owns = [systems] if isinstance(systems, str) else list(systems)
    needed = ["system_a", "system_b", "kind"]
    grammar.check_columns("pairs", pairs, needed, INTERVALS_COME_FROM)
    shorts = grammar.measures_in(pairs, measures, INTERVALS_COME_FROM)
    limits = [end for name in shorts for end in limit_columns(name)[:2]]
    grammar.check_columns("pairs", pairs, limits, INTERVALS_COME_FROM)
    rows = pd.concat([_seen_from(pairs, own, shorts) for own in owns])
    grammar.check_rows("pairs", len(rows))
    best, others = alt.EncodingSortField("value", order="descending"), rows["other"].nunique()
    x = grammar.numbers("value", "value, with its interval")
    y = grammar.names("other", best, labelExpr=SHORT_LABEL, grid=False)
    hover = _hover("own:N", "other:N", rows)
    plot = grammar.Plot(rows, x, y, hover=hover, computed=_beside_values(), **OF_PAIRS)
    plot.where = "datum.own === own && isValid(datum[measure])"
    if "MA_blind" in rows:
        # A measure without blind values has its ticks behind its points; a layer without data would be warned of.
        blind = plot.base().transform_calculate(at="isValid(datum.blind) ? datum.blind : datum.value")
        seen = alt.when("isValid(datum.blind)").then(alt.value(1)).otherwise(alt.value(0))
        plot.draw(blind.mark_tick(thickness=2, color=GREY).encode(x="at:Q", opacity=seen))
    plot.spans(strokeWidth=3).points()
    plot.menu("measure", shorts, shorts[0], "measure").menu("own", owns, owns[0], "system")
    about = f"{', '.join(shorts)} of {' or '.join(owns)} with each of {others} systems, with intervals."
    words = title or f"{owns[0] if len(owns) == 1 else 'A system'} beside each of the others"
    ticks = "under MA, grey ticks: blind values" if "MA_blind" in rows else None
    return plot.done(words, about, ROW * others, ticks)


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
        and a measure or ``accuracy``; rows keep their order. A column ``family``, such as CNN, decides the colours;
        ``percentile_low`` and ``percentile_high`` give a second, thin interval. A row ``people`` is drawn as a band.
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
    grammar.check_columns("table", pairs, [*known, *ends], INTERVALS_COME_FROM)
    few = np.where(too_few(pairs, measure), *theme.FEW)
    rows = pairs.assign(few=few, pairs=_kinds(pairs), pair=pairs["system_a"] + " and " + pairs["system_b"])
    rows = rows.rename(columns=dict(zip(ends, ("low", "high"), strict=True))).dropna(subset=measure)
    grammar.check_rows("table", len(rows))
    rows = rows[[*known, "low", "high", "few", "pairs", "pair"]].sort_values(measure, ascending=False).round(3)
    hover = ["system_a", "system_b", measure, "low", "high", "n_joint_errors"]
    y = grammar.names("pair", list(rows["pair"]), labels=len(rows) <= NAMED, ticks=False, grid=False)
    plot = grammar.Plot(rows, grammar.numbers(measure), y, hover=hover, **OF_PAIRS)
    plot.shape["shape"] = theme.shape("few", theme.FEW, legend=None)  # two legends do not fit a phone
    about = f"{measure} of {len(rows)} pairs"
    crosses = f"crosses: {next(iter(theme.FEW))}" if (rows["few"] == next(iter(theme.FEW))).any() else None
    height = ROW * min(len(rows), NAMED)
    return plot.level(0).spans().points(MARK).done(title or about, f"{about}, with intervals.", height, crosses)


def _of_systems(table: pd.DataFrame, value: str, title: str | None) -> alt.LayerChart:
    if "system" not in table:
        table = table.rename_axis("system").reset_index()
    grammar.check_columns("table", table, [value, "low", "high"], SCORES_COME_FROM)
    is_people = table["system"] == "people"
    rows, thin = table[~is_people], "percentile_low" in table
    several = "family" in rows
    rows = rows.replace({"family": {"Large": MORE_DATA}}) if several else rows.assign(family="networks")
    name = IN_WORDS.get(value, value)
    person = table[is_people].assign(name="people with each other")
    limits = ["percentile_low", "percentile_high"] if thin else []
    hover = ["system", value, "low", "high", *limits, "fewest_joint_errors", "n_errors"]
    x = grammar.numbers(value, f"{name} with people" if value in NAMES else name, scale={"zero": True})
    look = "family", _families(rows["family"], with_people=value in NAMES)
    hover = [column for column in hover if column in rows]
    plot = grammar.Plot(rows, x, by_system(rows["system"]), look=look, hover=hover, columns=2 * several)
    if not person.empty:
        _people(plot, person)
    plot.spans(strokeWidth=3)
    if thin:
        plot.spans(*limits, strokeWidth=1.5, yOffset=6, color=GREY)
    about = f"{name[0].upper()}{name[1:]} of {len(rows)} systems"
    under = "thick: our interval; thin and grey: the plain bootstrap's" if thin else None
    intervals = f"with {'two intervals' if thin else 'an interval'} each."
    return plot.points(MARK).done(title or about, f"{about} {intervals}", ROW * len(rows), under)


def _people(plot: grammar.Plot, person: pd.DataFrame) -> None:
    hue = theme.FAMILIES["Human"].colour
    person = person.drop(columns=["system", "family"], errors="ignore")  # across all rows
    band = plot.base(person, x="low").mark_rect(opacity=theme.BAND, color=hue).encode(x2="high:Q")
    hover = [alt.Tooltip("name", title="system"), plot.x["shorthand"].rpartition(":")[0], "low", "high"]
    plot.draw(band, plot.base(person).mark_rule(color=hue, strokeWidth=2).encode(tooltip=hover))
    plot.words("name", person, x="high", align="right", baseline="bottom", y=-4, color=hue)  # above all rows


def _families(families: pd.Series, *, with_people: bool) -> theme.Looks:
    known = {**theme.FAMILIES, MORE_DATA: theme.FAMILIES["Large"], **theme.WHOSE}
    if with_people:  # a pair of both
        machines = {colour for colour, _ in MACHINES.values()}
        known |= {name: theme.split(look) for name, look in known.items() if look.colour in machines}
    return known | GUESTS | {name: theme.Look(GREY) for name in families.unique() if name not in {*known, *GUESTS}}


def by_system(systems: pd.Series) -> grammar.Axis:
    """Put systems one below the other."""
    return grammar.names("system", list(systems.unique()), labelExpr=SHORT_LABEL, labelOverlap=False, grid=False)


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
    grammar.check_columns("table", table, [x, y], PAIRS_COME_FROM)
    rows, looks = table.dropna(subset=[x, y]), dict(theme.WHOSE)
    grammar.check_rows("table", len(rows))
    if "system_a" in rows:
        rows, looks = rows.assign(what=_kinds(rows)), theme.LOOKS_OF_PAIRS | GUESTS
    elif "family" in rows:
        rows, looks = rows.assign(what=rows["family"]), dict(_families(rows["family"], with_people=False))
    else:
        rows = rows.assign(what=rows["kind"].map({"human": "people", "model": "networks"}))
    hover = [name for name in ("system", "system_a", "system_b", x, y, "n_joint_errors") if name in rows]
    axes = [grammar.numbers(name, theme.heading(name)) for name in (x, y)]
    plot = grammar.Plot(rows[[*hover, "what"]], *axes, look=("what", looks), hover=hover, columns=3)
    about = f"{theme.heading(y)} by {theme.heading(x)}"
    return plot.points(MARK).done(title or about, f"{about}, {len(rows)} points.", 300)


def _kinds(pairs: pd.DataFrame) -> pd.Series:
    """Return in words whether a pair is one of people, of networks, or mixed; or that a guest is in it."""
    with_guest = (pairs.filter(["family_a", "family_b"]) == GUEST).any(axis=1)
    return pairs["kind"].map(theme.PAIRS).mask(with_guest, GUEST)
