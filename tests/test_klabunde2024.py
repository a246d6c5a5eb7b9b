"""The tables of Klabunde et al. (2024) as typed, and what they say of each other."""

import numpy as np
import pytest

import erralign
from erralign_book.papers import klabunde2024, published

PAPER = "klabunde2024"
# Rows, columns and cells that are nan of each table in the paper's text, and the sum of its numbers, taken with
# awk -F'|' 'NR>=FIRST && NR<=LAST {for (i=2; i<NF; i++) if ($i ~ /^ -?[0-9.]+ $/) s+=$i} END {printf "%.3f\n", s}'
TYPED = {
    3: (23, 18, 8, 198.37),
    7: (22, 9, 0, -4.93),
    8: (22, 18, 0, 50.47),
    9: (22, 18, 0, 254.5),
    10: (22, 18, 0, 288.9),
    11: (22, 18, 0, 303.8),
    12: (22, 18, 0, 326.46),
    13: (23, 22, 2, 255.73),
    14: (23, 7, 4, 2.044),
    15: (23, 14, 8, 9.617),
    16: (22, 14, 10, 139.357),
    17: (23, 14, 44, 127.748),
    18: (23, 14, 2, 128.722),
    19: (23, 14, 4, 128.308),
}
NOT_IN_TABLE_3 = {
    ("IMD", "accuracy difference", "vision"): (0.16, 0.167),
    ("IMD", "output difference", "vision"): (-0.10, -0.110),
    ("LinReg", "accuracy difference", "vision"): (0.18, 0.187),
    ("RSMDiff", "layers", "language"): (0.84, np.nan),
}


def rows_of(item):
    return published.published().query("paper == @PAPER and item == @item")


def test_tables_are_whole_and_sum_up_to_what_the_text_has():
    """Their rows are the measures of the registry."""
    measures = set(klabunde2024.results()["measure"])
    assert measures <= set(erralign.MEASURES)
    for number, typed in TYPED.items():
        rows = rows_of(f"Table {number}")
        cells = rows.pivot(index="row", columns="column", values="printed")
        numbers = rows.loc[rows["printed"] != "nan", "printed"]
        found = (*cells.shape, (cells == "nan").sum().sum(), numbers.astype(float).sum())
        assert found == pytest.approx(typed, abs=1e-9), number
        assert set(numbers.str.partition(".")[2].str.len()) == {3 if number > 13 else 2}
        lacking = {"PWCCA"} if typed[0] == 22 else set()
        assert measures - set(cells.index.str.replace("ShapeMet", "AngShape")) == lacking


def test_table_3_follows_from_the_others_but_for_four_cells():
    overview = klabunde2024.overview()
    assert len(overview) == len(rows_of("Table 3"))
    others = overview[~overview["agrees"]].set_index(["measure", "test", "domain"])[["printed", "there"]]
    np.testing.assert_equal({place: tuple(row) for place, row in others.iterrows()}, NOT_IN_TABLE_3)


# --- which changes leave a measure as it is ---------------------------------------------------------------------------


def test_what_holds_is_what_the_registry_says():
    for seed in range(4):
        for row in klabunde2024.invariances(rng=seed).itertuples():
            assert row.holds == (row.change in erralign.MEASURES[row.measure].invariances), (row.measure, row.change)
            assert not row.holds or (row.first and row.second)
