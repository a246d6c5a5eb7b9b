"""Numbers that papers print, set beside ours."""

import math
from collections.abc import Callable, Collection, Iterable
from decimal import Decimal

import pandas as pd

from erralign.plot.html import MARKS, UNLIKE, Table, table
from erralign.plot.theme import number
from erralign_book.cells import table as table_of
from erralign_book.papers import gavrikov2025, geirhos2020, klabunde2024, klein2025, xu2024
from erralign_book.papers.tables import published

NOT_COMPUTABLE = "not computable here"
# Sizes and settings of a study: equal by design, so equality proves nothing.
RESTATED = "restated"
# A number that agrees, but so does an earlier table of the paper, which has it too: each number counts once.
AGAIN = "printed again"
# Of numbers that depend on the seeds of networks: as near as another set of seeds would be, or not. A perfect score in
# both is told apart, since a test that most measures pass perfectly says little of a single one.
WITHIN_SPREAD, OUTSIDE_SPREAD, PERFECT = "within seed spread", "outside seed spread", "1.00 in both"
# What gives our numbers for an item of a paper, in its printed rows and columns.
TABLES: dict[str, Callable[[str], pd.DataFrame]] = {
    "xu2024": xu2024.table,
    "geirhos2020": geirhos2020.table,
    "klein2025": klein2025.table,
    "muttenthaler2023": lambda _: table_of("muttenthaler2023/in_text"),
    "klabunde2024": klabunde2024.table,
    "gavrikov2025": gavrikov2025.table,
}
FIVE = tuple(TABLES)[:5]  # the papers that the book takes apart; of others it checks what a lesson needs


def compare(
    ours: pd.DataFrame,
    paper: str,
    item: str,
    spread: pd.DataFrame | None = None,
    cells: Collection[tuple[str, str]] | None = None,
) -> pd.DataFrame:
    """Set our numbers beside the printed ones of one item, or of some of its cells, each a row and a column."""
    rows = published().query("paper == @paper and item == @item and printed != ''")
    if rows.empty:
        raise ValueError(f"{paper}, {item} has no row with a number in data/published.csv")
    if cells is not None:
        rows = rows[[cell in cells for cell in zip(rows["row"], rows["column"], strict=True)]]
    return pd.DataFrame([_compare_row(row, ours, spread) for row in rows.itertuples()])


def _compare_row(row, ours: pd.DataFrame, spread: pd.DataFrame | None) -> dict:
    begun, _, reason = row.note.partition(": ")
    found = {"row": row.row, "column": row.column, "printed": row.printed, "ours": math.nan, "difference": math.nan}
    if begun in (NOT_COMPUTABLE, RESTATED):
        return found | {"verdict": begun, "note": reason}
    if row.row not in ours.index or row.column not in ours.columns:
        raise ValueError(
            f"{row.paper}, {row.item}: {row.row}, {row.column} is printed, but ours lacks it; compute it, or "
            f"begin its note with '{NOT_COMPUTABLE}: <reason>' or '{RESTATED}: <where>'"
        )
    value = float(ours.loc[row.row, row.column])
    verdict = "reproduced" if rounds_to(value, row.printed) else "differs"
    if spread is not None and row.row in spread.index and row.column in spread.columns:
        verdict = _of_seeds(value, row.printed, float(spread.loc[row.row, row.column]))
    return found | {"ours": value, "difference": value - float(row.printed), "verdict": verdict, "note": row.note}


def _of_seeds(value: float, printed: str, spread: float) -> str:
    same = rounds_to(value, printed)
    if same and float(printed) == 1:
        return PERFECT
    return WITHIN_SPREAD if same or abs(value - float(printed)) <= spread else OUTSIDE_SPREAD


def rounds_to(value: float, printed: str) -> bool:
    """Say whether a number rounds to what is printed, either way at an exact tie."""
    if printed == "nan" or math.isnan(value):
        return printed == "nan" and math.isnan(value)
    half_a_digit = 0.5 * 10.0 ** int(Decimal(printed).as_tuple().exponent)
    # A little more, for ties that floating-point numbers miss; relative, since some p-values are smaller than 1e-10.
    return abs(value - float(printed)) <= half_a_digit * (1 + 1e-9)


def figures(paper: str) -> pd.DataFrame:
    """Return the verdict on every item of a paper that prints no numbers."""
    rows = published()[lambda every: (every["paper"] == paper) & (every["printed"] == "")]
    parts = rows["note"].str.partition(": ")
    return pd.DataFrame({"item": rows["item"], "verdict": parts[0], "note": parts[2]}).reset_index(drop=True)


def verdicts(*papers: str) -> pd.DataFrame:
    """Return the verdict on every printed number and every figure of some papers, or of the five."""
    parts = [part for paper in papers or FIVE for part in (_numbers(paper), figures(paper).assign(paper=paper))]
    columns = ["paper", "item", "row", "column", "printed", "ours", "difference", "verdict", "note"]
    found = pd.concat(parts, ignore_index=True).reindex(columns=columns).fillna({"printed": ""})
    found.loc[_again(found) & (found["verdict"] == "reproduced"), "verdict"] = AGAIN
    return found


def _again(found: pd.DataFrame) -> pd.Series:
    """Say which numbers stand in an earlier table of Xu et al., too; a correlation has either variable first."""
    what = found["column"].fillna("").str.split(" vs ").map(sorted).str.join(" vs ")
    in_tables = (found["paper"] == "xu2024") & found["item"].str.startswith("Table")
    return in_tables & found.assign(column=what).duplicated(["paper", "row", "column"])


def _numbers(paper: str) -> pd.DataFrame:
    items = published().query("paper == @paper and printed != ''")["item"].unique()
    spreads = {item: klabunde2024.spread(item) for item in items if paper == "klabunde2024"}
    every = {item: compare(TABLES[paper](item), paper, item, spreads.get(item)) for item in items}
    return pd.concat(each.assign(paper=paper, item=item) for item, each in every.items())


def tally(compared: pd.DataFrame, *by: str) -> pd.DataFrame:
    """Count verdicts."""
    counted = compared.groupby([*by, "verdict"], sort=False).size()
    return counted.unstack(fill_value=0, sort=False).rename_axis(columns=None)


def in_short(items: Iterable[str]) -> str:
    """Write a list of items with runs of numbers drawn together."""
    runs: list[tuple[str, int, int]] = []
    for item in dict.fromkeys(item.removeprefix("Figure ") for item in items):
        prefix = item.rstrip("0123456789")
        last = int(item.removeprefix(prefix))
        follows = bool(runs) and runs[-1][0] == prefix and runs[-1][2] + 1 == last
        first = runs.pop()[1] if follows else last
        runs.append((prefix, first, last))
    written = [f"{prefix}{first}" + (f" to {prefix}{last}" if last > first else "") for prefix, first, last in runs]
    place = sum(prefix.startswith("Table") for prefix, _, _ in runs)  # of the first figure
    return ", ".join(
        [*written[:place], *(f"Figure {each}" for each in written[place : place + 1]), *written[place + 1 :]]
    )


def beside_ours(comparisons: pd.DataFrame, caption: str) -> Table:
    """Show a printed table as it is printed, with our number beside each that differs."""
    of_cells = (comparisons[name] for name in ("printed", "ours", "verdict"))
    cells = [_beside(*each) for each in zip(*of_cells, strict=True)]
    rows, columns = (list(comparisons[name].unique()) for name in ("row", "column"))
    grid = comparisons.assign(cell=cells).pivot(index="row", columns="column", values="cell")
    return table(grid.loc[rows, columns].rename_axis(index=None, columns=None), caption, missing="")


def _beside(printed: str, ours: float, verdict: str) -> str:
    digits = len(printed.partition(".")[2])
    return f"{printed} {UNLIKE} {number(ours, digits)}" if verdict in MARKS["differs"] else printed
