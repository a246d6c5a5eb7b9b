"""Klabunde et al. (2024): what its tables say of each other, and which changes leave a measure as it is."""

import numpy as np

import erralign
from erralign_book.papers import klabunde2024, published

PAPER = "klabunde2024"
NOT_IN_TABLE_3 = {
    ("IMD", "accuracy difference", "vision"): (0.16, 0.167),
    ("IMD", "output difference", "vision"): (-0.10, -0.110),
    ("LinReg", "accuracy difference", "vision"): (0.18, 0.187),
    ("RSMDiff", "layers", "language"): (0.84, np.nan),
}


def rows_of(item):
    return published.published().query("paper == @PAPER and item == @item")


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
