"""Numbers that papers print, ours beside them, and what became of each: ``data/reproduced.csv``."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from erralign.datasets import xu2024
from erralign.datasets.archives import open_member
from erralign.files import write_whole
from erralign.plot.html import MARKS, UNLIKE
from erralign.plot.theme import number
from erralign_book.files import data_folder

FIVE = ("xu2024", "geirhos2020", "klein2025", "muttenthaler2023", "klabunde2024")
NOT_COMPUTABLE = "not computable here"
# Sizes and settings of a study: equal by design, so equality proves nothing.
RESTATED = "restated"
# A number that agrees, but so does an earlier table of the paper, which has it too: each number counts once.
AGAIN = "printed again"
# A number that agrees, but follows from the definition of a measure: error consistency is 0 for independent systems.
BY_DEFINITION = "by definition"
# Of numbers that depend on the seeds of networks: as near as another set of seeds would be, or not. A perfect score in
# both is told apart, since a test that most measures pass perfectly says little of a single one.
WITHIN_SPREAD, OUTSIDE_SPREAD, PERFECT = "within seed spread", "outside seed spread", "1.00 in both"
RECORD = "ERRALIGN_RECORD"  # set by a build: the file in which a chapter's comparisons are kept
CELL = ["paper", "item", "row", "column"]
COLUMNS = [*CELL, "printed", "ours", "verdict"]


@cache
def published() -> pd.DataFrame:
    """Return every printed number and every figure of the papers, as text: digits are precision."""
    return pd.read_csv(data_folder() / "published.csv", dtype=str, keep_default_na=False)


def printed(paper: str, item: str) -> pd.DataFrame:
    """Return a table as a paper prints it.

    Parameters
    ----------
    paper, item : str
        Such as ``"xu2024"`` and ``"Table 1"``; ``data/published.csv`` lists all.

    Returns
    -------
    pandas.DataFrame
        The numbers as text, since their digits are their precision, in the printed rows and columns; an empty text
        where nothing is printed. ``attrs`` names the paper and the item.

    Raises
    ------
    ValueError
        When no number of such an item is on record.
    """
    rows = published().query("paper == @paper and item == @item and printed != ''")
    if rows.empty:
        raise ValueError(f"{paper}, {item} has no row with a number in data/published.csv")
    wide = rows.pivot(index="row", columns="column", values="printed").fillna("")
    wide = wide.loc[rows["row"].unique(), rows["column"].unique()].rename_axis(index=None, columns=None)
    wide.attrs.update(paper=paper, item=item)
    return wide


def beside(
    ours: pd.DataFrame, printed: pd.DataFrame, spread: pd.DataFrame | None = None, *, asked: bool = True
) -> pd.DataFrame:
    """Set our numbers beside printed ones, each with a verdict: does ours round to what is printed?

    Parameters
    ----------
    ours : DataFrame
        Our numbers, in the printed rows and columns; it may have more of them.
    printed : DataFrame
        What :func:`printed` returns, or some rows and columns of it.
    spread : DataFrame, optional
        For scores of networks trained again: how far one more set of seeds may be from the mean of ours.
    asked : bool
        Whether ours answer the paper's question. Those of other networks, or of a reader's, stand alone.

    Returns
    -------
    pandas.DataFrame
        The printed table, or ours in its rows and columns where they answer another question. Where ours differs, it
        stands after ``≠``. ``attrs["differ"]`` counts these, and ``attrs["compared"]`` all that were compared.

    Raises
    ------
    ValueError
        When ours lacks a printed number that its note does not excuse.
    """
    if not asked:
        print(f"{printed.attrs['item']} asks another question: these numbers are ours, and none is compared")
        alone = ours.reindex(index=printed.index, columns=printed.columns).dropna(how="all").round(2)
        alone.attrs.update(differ=0, compared=0)
        return alone
    compared = compare(ours, printed, spread)
    if RECORD in os.environ:
        _record(compared)
    shown = printed.copy()
    different = compared[compared["verdict"].isin(MARKS["differs"])]
    rows: Any = different.itertuples()
    for line in rows:
        digits = len(line.printed.partition(".")[2])
        shown.loc[line.row, line.column] = f"{line.printed} {UNLIKE} {number(line.ours, digits)}"
    near = "" if spread is None else ", or as near as other seeds come"
    print(f"{printed.attrs['item']}: {len(compared) - len(different)} of {len(compared)} numbers as printed{near}")
    shown.attrs.update(differ=len(different), compared=len(compared))
    return shown


def compare(ours: pd.DataFrame, printed: pd.DataFrame, spread: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return a row per printed number that no note excuses: ours, and the verdict."""
    paper, item = printed.attrs["paper"], printed.attrs["item"]
    rows: Any = published().query("paper == @paper and item == @item and printed != ''").itertuples()
    found = []
    for line in rows:
        asked = line.row in printed.index and line.column in printed.columns and printed.loc[line.row, line.column]
        if not asked or _excuse(line.note):
            continue
        if line.row not in ours.index or line.column not in ours.columns:
            what_to_do = "give ours this row and column"
            if RECORD in os.environ:  # in a build; a reader writes no notes
                what_to_do = (
                    f"compute it, or begin its note in data/published.csv with '{NOT_COMPUTABLE}: <reason>' or "
                    f"'{RESTATED}: <where>', and name the line or place that shows it as its evidence"
                )
            raise ValueError(f"{paper}, {item}: {line.row}, {line.column} is printed, but ours lacks it; {what_to_do}")
        value, near = float(ours.loc[line.row, line.column]), math.nan
        if spread is not None and line.row in spread.index and line.column in spread.columns:
            near = float(spread.loc[line.row, line.column])
        found.append([paper, item, line.row, line.column, line.printed, value, verdict(value, line.printed, near)])
    return pd.DataFrame(found, columns=COLUMNS)


def verdict(value: float, printed: str, spread: float = math.nan) -> str:
    """Say what becomes of a number that we computed; ``spread`` is known of scores of networks trained again."""
    same = rounds_to(value, printed)
    if math.isnan(spread):
        return "reproduced" if same else "differs"
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


def _begun(note: str) -> str:
    return note.partition(": ")[0]


def _excuse(note: str) -> str:
    return _begun(note) if _begun(note) in (NOT_COMPUTABLE, RESTATED) else ""


def released(data_set: str) -> pd.DataFrame:
    """Read the values that authors released for all pairs of a data set: shown where the archive is, never committed.

    Parameters
    ----------
    data_set : str
        ``xu2024/<name>``.

    Returns
    -------
    pandas.DataFrame
        A row per pair: ``system_a``, ``system_b``, and the authors' ``EC``, ``MA``, ``CLES``, ``CKA``, ``SOC``,
        ``SOCE``.

    Raises
    ------
    DataError
        When the archive is not on this machine.
    """
    name = data_set.removeprefix("xu2024/")
    synthetic = xu2024.data_sets()["kind"][name] == "synthetic"
    models, everyone = (f"{folder}/{name}" if synthetic else name for folder in ("model_vs_human_mm", "model_vs_human"))
    order = pd.Index(xu2024.systems_of(name).index)
    upper = np.triu_indices(len(order), k=1)
    pairs = pd.DataFrame({"system_a": order.take(upper[0]), "system_b": order.take(upper[1])})
    files = {"EC": "ec", "MA": "ma", "CLES": "jsd", "CKA": "cka", "SOC": "conf_div", "SOCE": "conf_div_e"}
    for measure, file in files.items():
        folder = f"data/values_for_metrics/{everyone if measure in ('EC', 'MA', 'CLES') else models}"
        values = np.load(open_member(xu2024.ERROR_ALIGN, f"{folder}/{file}.npy"))
        agents = np.load(open_member(xu2024.ERROR_ALIGN, f"{folder}/agent_list.npy"))
        matrix = pd.DataFrame(values, index=agents, columns=agents).reindex(index=order, columns=order)
        pairs[measure] = matrix.to_numpy()[upper]
    for measure in ("CLES", "SOC", "SOCE"):  # the files have divergences
        pairs[measure] = 1 / (1 + pairs[measure])
    return pairs


# --- what became of each number: data/reproduced.csv ------------------------------------------------------------------


def _record(compared: pd.DataFrame) -> None:
    path = Path(os.environ[RECORD])
    known = pd.read_csv(path, dtype={"printed": str}) if path.is_file() else None
    write_whole(path, pd.concat([known, compared]).to_csv(index=False))


def collect(records: Iterable[Path]) -> None:
    """Write ``data/reproduced.csv`` from what a build's chapters compared; a number without a verdict is an error."""
    texts = {"printed": str, "row": str, "column": str}
    compared = pd.concat([pd.read_csv(path, dtype=texts, keep_default_na=False) for path in records])
    compared = compared.astype({"ours": float}).drop_duplicates(CELL, keep="last")
    numbers = published().query("paper in @FIVE and printed != ''")
    found = numbers.merge(compared[[*CELL, "ours", "verdict"]], how="left", on=CELL)
    found["verdict"] = found["note"].map(_excuse).replace("", np.nan).fillna(found["verdict"])
    if (missing := found[found["verdict"].isna()]).size:
        items = missing.groupby(["paper", "item"], sort=False)["row"].agg(["size", "first"]).reset_index()
        rows: Any = items.itertuples(index=False)
        listed = "; ".join(f"{paper}, {item}: {n}, such as {row}" for paper, item, n, row in rows)
        raise ValueError(f"printed numbers that no chapter sets beside ours: {listed}")
    agrees = found["verdict"] == "reproduced"
    found.loc[agrees & _again(found), "verdict"] = AGAIN
    found.loc[agrees & (found["note"].map(_begun) == BY_DEFINITION), "verdict"] = BY_DEFINITION
    found, path = found[COLUMNS].reset_index(drop=True), data_folder() / "reproduced.csv"
    if not path.is_file() or not _equal(found, _known()):
        write_whole(path, found.to_csv(index=False, float_format="%.12g"))


def _again(found: pd.DataFrame) -> pd.Series:
    """Say which numbers stand in an earlier table of Xu et al., too; a correlation has either variable first."""
    what = found["column"].str.split(" vs ").map(sorted).str.join(" vs ")
    in_tables = (found["paper"] == "xu2024") & found["item"].str.startswith("Table")
    return in_tables & found.assign(column=what).duplicated(["paper", "row", "column"])


def _equal(found: pd.DataFrame, known: pd.DataFrame) -> bool:
    texts = found.drop(columns="ours").equals(known.drop(columns="ours"))
    return texts and np.allclose(found["ours"], known["ours"], rtol=1e-9, atol=1e-12, equal_nan=True)


def _known() -> pd.DataFrame:
    texts = dict.fromkeys([*CELL, "printed", "verdict"], str)
    found = pd.read_csv(data_folder() / "reproduced.csv", dtype=texts, keep_default_na=False, na_values={"ours": [""]})
    return found.astype({"ours": float})


def reproduced(*papers: str) -> pd.DataFrame:
    """Return what became of every printed number and every figure of some papers, or of the five.

    Parameters
    ----------
    *papers : str
        Such as ``"xu2024"``; without any, the five that the book takes apart.

    Returns
    -------
    pandas.DataFrame
        The rows of ``data/reproduced.csv``, ``paper, item, row, column, printed, ours, verdict``, each with its
        ``note``, why a number is not computed or where it comes from, and its ``evidence``, what shows this: a line of
        a file in a repository, or a place in the paper. A figure without numbers has no ``printed``.

    Raises
    ------
    ValueError
        When no number of a paper is on record.
    """
    if unknown := set(papers) - set(published()["paper"]):
        raise ValueError(f"no paper is called {', '.join(sorted(unknown))}; expected some of {', '.join(FIVE)}")
    rows = published().merge(_known(), how="left", on=[*CELL, "printed"])
    figures = rows["printed"] == ""
    parts = rows["note"].str.partition(": ")
    rows["verdict"] = rows["verdict"].where(~figures, parts[0])
    excused = figures | rows["verdict"].isin([NOT_COMPUTABLE, RESTATED, BY_DEFINITION])
    rows["note"] = rows["note"].where(~excused, parts[2])
    chosen = rows[rows["paper"].isin(papers or FIVE)]
    return chosen[[*COLUMNS, "note", "evidence"]].reset_index(drop=True)
