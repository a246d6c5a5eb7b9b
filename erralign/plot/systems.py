"""Systems beside each other: all pairs as a heatmap or in order, each system's scores, and their ranking."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.measures.registry import IN_WORDS, NAMES, limit_columns, short_name, too_few
from erralign.plot import grammar, theme
from erralign.plot.colours import GREY, MACHINES
from erralign.plot.theme import number

ROW = 18  # pixels a system
MARK = alt.expr("width < 300 ? 50 : 100")  # in a ranking; on a phone a large one hides its interval
OF_PAIRS: Any = {"look": ("pairs", theme.LOOKS_OF_PAIRS), "columns": 3, "title": "pairs"}
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
        one column per measure, called by its name or its abbreviation. If the table has limits, hovering shows them.
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
    shown = grammar.with_short_names("pairs", pairs, ["system_a", "system_b"], PAIRS_COME_FROM)
    shorts = grammar.measures_in(shown, measures, PAIRS_COME_FROM)
    order = list(order or pd.unique(shown[["system_a", "system_b"]].to_numpy().ravel()))
    data_set, measure = start or (next(iter(data_sets or {}), ""), shorts[0])
    of_which = " or ".join(filter(None, [", ".join(shorts[:-1]), shorts[-1]]))
    # Each pair is stored once and drawn on both sides of the diagonal.
    mirrored = {"half": "[0, 1]"} | _beside_values()
    grammar.check_rows("pairs", len(shown))
    x = grammar.names("column", order, labelAngle=-90, labelExpr=SHORT_LABEL)
    y = grammar.names("row", order, labelExpr=SHORT_LABEL)
    plot = grammar.Plot(_columns_of_cells(shown, shorts), x, y, computed=mirrored)
    plot.where = f"{grammar.CHOSEN if data_sets else 'true'} && isValid(datum[measure])"
    cells = plot.base().transform_flatten(["half"])
    a, b = "datum.system_a", "datum.system_b"
    cells = cells.transform_calculate(row=f"datum.half ? {b} : {a}", column=f"datum.half ? {a} : {b}").mark_rect()
    colours = theme.colour_of_values("value", shorts[0] if len(shorts) == 1 else "value")
    plot.draw(cells.encode(alt.X(**x), alt.Y(**y), colours, tooltip=_hover("system_a", "system_b", shown)))
    if data_sets:
        plot.menu("data_set", data_sets, data_set, "data set", list(data_sets.values()))
    plot.menu("measure", shorts, measure, "measure")
    step = alt.Step(STEPS[len(order) > SMALL])
    words = title or f"Every pair of {len(order)} systems by {of_which}: the stronger the colour, the more alike"
    about = f"Heatmap of {', '.join(shorts)} for {len(shown)} pairs of systems, one measure at a time."
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
    shown = grammar.with_short_names("pairs", pairs, needed, INTERVALS_COME_FROM)
    shorts = grammar.measures_in(shown, measures, INTERVALS_COME_FROM)
    limits = [end for name in shorts for end in limit_columns(name)[:2]]
    grammar.check_columns("pairs", shown, limits, INTERVALS_COME_FROM)
    rows = pd.concat([_seen_from(shown, own, shorts) for own in owns])
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
    return rows[["kind", *columns]].assign(own=own, other=other, pairs=rows["kind"].map(theme.PAIRS)).round(3)


def ranking(scores: pd.DataFrame, title: str | None = None) -> alt.LayerChart:
    """Draw systems one below the other, each with its score and interval, in the order of the table.

    Parameters
    ----------
    scores : pandas.DataFrame
        What :func:`erralign.accuracy_intervals` returns, or the table of :func:`erralign.consistency_with_people`: one
        row per system (index or column ``system``), ``low``, ``high``, and a measure or ``accuracy``. A column
        ``family``, such as CNN, decides the colours; ``percentile_low`` and ``percentile_high`` give a second, thin
        interval. A row ``people`` is drawn as a band.
    title
        As for :func:`heatmap`.

    Returns
    -------
    altair.LayerChart
        A chart whose thick lines are intervals.
    """
    table = (scores if "system" in scores else scores.rename_axis("system").reset_index()).rename(columns=short_name)
    known = (*NAMES, "accuracy")
    value = next((name for name in known if name in table), known[0])
    grammar.check_columns("scores", table, [value, "low", "high"], SCORES_COME_FROM)
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
    return known | {name: theme.Look(GREY) for name in families.unique() if name not in known}


def by_system(systems: pd.Series) -> grammar.Axis:
    """Put systems one below the other."""
    return grammar.names("system", list(systems.unique()), labelExpr=SHORT_LABEL, labelOverlap=False, grid=False)


def whiskers(pairs: pd.DataFrame, measure: str = "EC", title: str | None = None) -> alt.LayerChart:
    """Draw pairs from the lowest value of a measure to the highest, each with its interval.

    Parameters
    ----------
    pairs : pandas.DataFrame
        What :func:`erralign.pairwise_intervals` returns: ``system_a``, ``system_b``, ``kind``, ``n_joint_errors``, the
        measure, and its limits (``EC_low`` and ``EC_high``, or just ``low`` and ``high``).
    measure, title
        One measure, and as for :func:`heatmap`.

    Returns
    -------
    altair.LayerChart
        A chart in which pairs are crosses that have fewer than five joint errors, and of EC as few expected by chance,
        or as few joint successes. A pair without a value is left out.
    """
    measure = short_name(measure)
    known = ["system_a", "system_b", "kind", "n_joint_errors"]
    table = grammar.with_short_names("pairs", pairs, known, INTERVALS_COME_FROM)
    ends = ("low", "high") if "low" in table else limit_columns(measure)[:2]
    grammar.check_columns("pairs", table, [measure, *ends], INTERVALS_COME_FROM)
    shown = table[[*known, measure, *ends]].set_axis([*known, measure, "low", "high"], axis=1).dropna(subset=measure)
    grammar.check_rows("pairs", len(shown))
    shown = shown.sort_values([measure, "system_a", "system_b"]).round(3)
    few = too_few(table, measure).reindex(shown.index)
    shown = shown.assign(rank=range(len(shown)), pairs=shown["kind"].map(theme.PAIRS), few=np.where(few, *theme.FEW))
    x = grammar.numbers("rank", "pairs, lowest first", scale={"nice": False, "padding": 6})
    x["axis"] = {"grid": False, "labels": False, "ticks": False}
    hover = ["system_a", "system_b", measure, "low", "high", "n_joint_errors"]
    plot = grammar.Plot(shown, x, grammar.numbers(measure), hover=hover, **OF_PAIRS)
    plot.shape["shape"] = theme.shape("few", theme.FEW, legend=None)  # two legends do not fit a phone
    size = alt.expr(f"datum.few === '{next(iter(theme.FEW))}' ? 130 : 44")
    low, high = shown[measure].agg(["min", "max"])
    words = title or f"{measure} of {len(shown)} pairs, from {number(low, 2)} to {number(high, 2)}"
    about = f"{measure} of {len(shown)} pairs in ascending order with intervals."
    crosses = f"crosses: {next(iter(theme.FEW))}" if few.any() else None
    return plot.level(0).spans().points(size).done(words, about, 300, crosses)
