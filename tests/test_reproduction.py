"""Printed numbers equal ours, with exceptions by name."""

import re

import pandas as pd
import pytest
from conftest import ROOT

from erralign_book.papers import published, xu2024

PRINTED = ("Table 1", "Table 2", "Table 3", "Table 4", "text")
# item, row, column: computed 0.104979, printed 0.11 (rounded twice); the errata page explains it.
EXCEPTIONS = {("Table 1", "Epic-Kitchen", "EC vs CLES")}


@pytest.mark.parametrize("item", PRINTED)
def test_printed_numbers_are_reproduced_from_the_raw_data(requires_data, item):
    """Every number; an exception must stay one, and a number printed with four digits must agree to four."""
    found = published.compare(xu2024.table(item), "xu2024", item)
    differs = {(item, row.row, row.column) for row in found.query("verdict == 'differs'").itertuples()}
    assert differs == {exception for exception in EXCEPTIONS if exception[0] == item}
    correlations = found[found["column"].str.contains(" vs ") & (item not in ("Table 1", "text"))]
    assert (correlations["difference"].abs() <= 0.00005 + 1e-12).all()


def test_the_exception_is_off_by_what_the_errata_say(requires_data):
    value = xu2024.table("Table 1").loc["Epic-Kitchen", "EC vs CLES"]
    assert f"{value:.6f}" == "0.104979"
    assert f"{round(value, 3):.3f}" == "0.105"


def test_shares_instead_of_counts_give_the_released_agreement_to_the_last_bit(requires_data):
    from erralign.sources.xu2024 import released_pairs

    for name, pairs in xu2024.pairwise_scores().groupby("data_set", sort=False):
        assert (pairs["MA in floats"].fillna(1.0).to_numpy() == released_pairs(name)["ma"].to_numpy()).all(), name


def test_every_item_of_the_paper_has_a_row():
    items = set(published.published().query("paper == 'xu2024'")["item"])
    assert items >= {f"Table {i}" for i in range(1, 5)} | {f"Figure {i}" for i in range(1, 27)} | {"text"}


def test_every_figure_has_a_verdict():
    verdicts = published.figures("xu2024")
    assert len(verdicts) == 26
    assert set(verdicts["verdict"]) == {"redrawn", published.NOT_COMPUTABLE}
    assert (verdicts["note"] != "").all()


def test_a_reason_stands_where_a_number_cannot_be_computed():
    rows = published.published()
    excused = rows[rows["note"].str.startswith(published.NOT_COMPUTABLE)]
    assert (excused["note"].str.len() > len(published.NOT_COMPUTABLE) + 10).all()


def test_compare_names_what_ours_lacks():
    with pytest.raises(ValueError, match="Table 1: colour, EC vs MA is printed, but ours lacks it"):
        published.compare(pd.DataFrame(), "xu2024", "Table 1")


def test_compare_names_an_unknown_item():
    with pytest.raises(ValueError, match="xu2024, Table 9 has no row"):
        published.compare(pd.DataFrame(), "xu2024", "Table 9")


@pytest.mark.parametrize(
    ("value", "printed", "verdict"),
    [
        (0.395, "0.40", True),
        (0.405, "0.40", True),
        (0.4051, "0.40", False),
        (0.3949, "0.40", False),
        (98.149, "98.1", True),
        (98.16, "98.1", False),
        (7500, "7500", True),
        (float("nan"), "0.40", False),
    ],
)
def test_rounding(value, printed, verdict):
    assert published.rounds_to(value, printed) is verdict


def test_every_printed_number_and_every_figure_gets_its_verdict():
    rows, found = published.published(), published.verdicts()
    keys = ["paper", "item", "printed"]
    assert found[keys].value_counts().to_dict() == rows[keys].value_counts().to_dict()
    known = {"reproduced", published.WITHIN_SPREAD, "differs", "redrawn", published.RESTATED, published.NOT_COMPUTABLE}
    assert set(found["verdict"]) == known
    excused = found[found["verdict"] == published.NOT_COMPUTABLE]
    assert (excused["note"].str.len() > 10).all()
    assert not excused["note"].str.startswith(published.NOT_COMPUTABLE).any()


def test_what_is_restated_never_counts_as_reproduced():
    rows, found = published.published(), published.verdicts()
    restated = found["verdict"] == published.RESTATED
    assert restated.sum() == rows["note"].str.startswith(published.RESTATED).sum() > 0
    assert found.loc[restated, "ours"].isna().all()
    assert not found.loc[restated, "note"].str.startswith(published.RESTATED).any()


def test_the_table_of_the_errata_lists_every_entry_in_order():
    errata = (ROOT / "notebooks" / "errata.md").read_text()
    listed = re.findall(r"^\| (.+?) \| .+ \| \{ref\}`.+ <(errata-.+)>` \|$", errata, flags=re.M)
    assert listed == [(paper, label) for label, paper in re.findall(r"^\((.+)\)=\n## (.+?): ", errata, flags=re.M)]
    assert len(listed) == errata.count("\n## ")


SMALL = {"6": "six"}


def test_the_errata_name_every_printed_number_that_differs():
    """A value counts as named in any of the spellings of prose; scores of networks trained anew are no faults."""
    errata = (ROOT / "notebooks" / "errata.md").read_text()
    differs = published.verdicts().query("verdict == 'differs'")
    for row in differs[~differs["note"].str.startswith("our networks")].itertuples():
        spellings = {row.printed, row.printed.removeprefix("0"), SMALL.get(row.printed, row.printed)}
        spellings |= {f"{int(row.printed):,}"} if row.printed.isdigit() else set()
        found = [each for each in spellings if re.search(rf"(?<![\d.]){re.escape(each)}(?!\d|\.\d)", errata)]
        assert found, (row.paper, row.item, row.row, row.printed)


def test_every_number_of_ours_is_asked_for():
    """A number that no row compares would be computed in vain; one that is restated must not look computed."""
    keys = ["paper", "item", "row", "column"]
    found = published.verdicts().dropna(subset="ours")
    asked = {tuple(key) for key in found[keys].to_numpy()}
    items = found[["paper", "item"]].drop_duplicates().itertuples(index=False)
    tables = {(paper, item): published.TABLES[paper](item).stack() for paper, item in items}
    computed = {(*of, row, column) for of, table in tables.items() for row, column in table.dropna().index}
    assert computed == asked


def test_a_tally_counts_each_verdict_once():
    found = published.verdicts("geirhos2020")
    assert published.tally(found, "item").to_numpy().sum() == len(found)
    assert published.tally(found, "paper").loc["geirhos2020"].to_dict() == found["verdict"].value_counts().to_dict()
