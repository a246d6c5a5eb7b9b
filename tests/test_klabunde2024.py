"""The tables of Klabunde et al. (2024) as typed, and what they say of each other."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata

import erralign
from erralign_book.papers import klabunde2024, published

PAPER = "klabunde2024"
ITEMS = {"text", *(f"Table {i}" for i in range(1, 20)), *(f"Figure {i}" for i in range(1, 13))}
# Rows and columns of each table in the paper's text, and how many of its cells are nan.
SHAPES = {
    3: (23, 18, 8),
    7: (22, 9, 0),
    13: (23, 22, 2),
    14: (23, 7, 4),
    15: (23, 14, 8),
    **dict.fromkeys(range(8, 13), (22, 18, 0)),
    16: (22, 14, 10),
    17: (23, 14, 44),
    18: (23, 14, 2),
    19: (23, 14, 4),
}
# Sums of all numbers of a table, taken from the paper's text with
# awk -F'|' 'NR>=FIRST && NR<=LAST {for (i=2; i<NF; i++) if ($i ~ /^ -?[0-9.]+ $/) s+=$i} END {printf "%.3f\n", s}'
SUMS = {
    3: 198.37,
    7: -4.93,
    8: 50.47,
    9: 254.5,
    10: 288.9,
    11: 303.8,
    12: 326.46,
    13: 255.73,
    14: 2.044,
    15: 9.617,
    16: 139.357,
    17: 127.748,
    18: 128.722,
    19: 128.308,
}
NOT_IN_TABLE_3 = {
    ("IMD", "accuracy difference", "vision"): (0.16, 0.167),
    ("IMD", "output difference", "vision"): (-0.10, -0.110),
    ("LinReg", "accuracy difference", "vision"): (0.18, 0.187),
    ("RSMDiff", "layers", "language"): (0.84, np.nan),
}


def rows_of(item):
    return published.published().query("paper == @PAPER and item == @item")


def test_every_item_of_the_paper_has_a_row_and_no_other():
    assert set(published.published().query("paper == @PAPER")["item"]) == ITEMS


@pytest.mark.parametrize(("number", "shape"), SHAPES.items())
def test_tables_are_whole_and_sum_up_to_what_the_text_has(number, shape):
    rows = rows_of(f"Table {number}")
    cells = rows.pivot(index="row", columns="column", values="printed")
    assert (*cells.shape, (cells == "nan").sum().sum()) == shape
    assert len(rows) == cells.size
    numbers = rows.loc[rows["printed"] != "nan", "printed"]
    assert set(numbers.str.partition(".")[2].str.len()) == {3 if number > 13 else 2}
    assert numbers.astype(float).sum() == pytest.approx(SUMS[number], abs=1e-9)


def test_rows_are_the_measures_of_the_registry():
    measures = set(klabunde2024.results()["measure"])
    assert len(measures) == 23
    assert measures <= set(erralign.MEASURES)
    for number, (n_rows, _, _) in SHAPES.items():
        rows = set(rows_of(f"Table {number}")["row"].replace("ShapeMet", "AngShape"))
        assert measures - rows == ({"PWCCA"} if n_rows == 22 else set()), number


def test_scores_lie_where_they_can():
    results = klabunde2024.results()
    shares = results["score"].isin(["AUPRC", "Conformity Rate"])
    assert results.loc[shares, "value"].dropna().between(0, 1).all()
    assert results.loc[~shares, "value"].dropna().between(-1, 1).all()


def test_chance_and_a_constant_measure_are_in_the_tables():
    """A measure that is constant gets an AUPRC of 1/6 with three groups of five, and violates every comparison."""
    cells = klabunde2024.results().query("table == 18 and measure == 'UnifDiff'")
    both = cells.pivot(index="network", columns="score", values="value")
    constant = both["Conformity Rate"] == 1
    assert both.index[constant].tolist() == ["RNet18", "ViT B32", "ViT L32"]
    assert (both.loc[constant, "AUPRC"] == 0.167).all()
    assert (both.loc[~constant, "AUPRC"] > 0.167).all()


def test_what_can_be_counted_is_reproduced():
    found = published.compare(klabunde2024.table("text"), PAPER, "text")
    assert found["verdict"].value_counts().to_dict() == {"restated": 45, "reproduced": 4}


def test_table_3_follows_from_the_others_but_for_four_cells():
    overview = klabunde2024.overview()
    assert len(overview) == len(rows_of("Table 3"))
    others = overview[~overview["agrees"]].set_index(["measure", "test", "domain"])
    assert others.index.tolist() == sorted(NOT_IN_TABLE_3)
    for place, (above, behind) in NOT_IN_TABLE_3.items():
        np.testing.assert_equal(others.loc[place, ["printed", "there"]].to_list(), [above, behind])


def test_table_3_follows_from_no_other_columns():
    """What is chosen as its source agrees in more cells than any other data set and network."""
    overview, results = klabunde2024.overview(), klabunde2024.results()
    main = results[results["score"] == results["test"].map(klabunde2024.TESTS)]
    for (domain, test), part in overview.groupby(["domain", "test"]):
        others = main[(main["domain"] == domain) & (main["test"] == test)]
        columns = others.pivot(index="measure", columns=["data", "network"], values="value")
        printed = part.set_index("measure")["printed"].reindex(columns.index)
        agree = (columns.sub(printed, axis=0).abs() <= 0.005 + 1e-9).sum()
        assert agree.idxmax() == tuple(part[["data", "network"]].iloc[0])
        assert agree.nlargest(2).diff().iloc[-1] < 0


def test_the_table_headed_augmentation_twice_is_the_layer_test():
    layers = klabunde2024.overview().query("domain == 'vision' and test == 'layers'")
    assert layers["agrees"].all()
    table_18 = rows_of("Table 18").query("column == 'AUPRC, RNet18'").set_index("row")["printed"].astype(float)
    printed = layers.set_index("measure")["printed"]
    assert ((printed - table_18).abs() <= 0.005 + 1e-9).sum() <= 2


def test_rates_of_conformity_count_violations_in_vision_only():
    """Beside an AUPRC of 1 no comparison can be violated."""
    table = klabunde2024.perfect_scores().set_index("domain")
    vision, others = table.loc["vision"], table.drop("vision")
    assert (others["rho"] > 0.4).all()
    assert (vision["rho"] < -0.9).all()
    assert (others["lowest"].dropna() >= 0.99).all()
    assert (vision["highest"] <= 0.05).all()
    groups = table[table["test"] != "layers"]
    assert (groups.loc["vision", "highest"] == 0).all()
    assert (groups.drop("vision")["lowest"].dropna() == 1).all()


def test_ranks_are_scipys():
    results = klabunde2024.results().query("table == 7")
    columns = results.pivot(index="measure", columns=["data", "network"], values="value")
    ranked = pd.DataFrame(rankdata(-columns.to_numpy(), axis=0), index=columns.index)
    by_test = klabunde2024.claims.main_scores().query("table == 7")
    ours = by_test.groupby(["data", "network"])["value"].rank(ascending=False).groupby(by_test["measure"]).median()
    pd.testing.assert_series_equal(ours, ranked.median(axis=1), check_names=False)


def test_the_paper_describes_its_ranks_as_we_find_them():
    """Section 4: neighbours do well on graphs, angles on language, CKA on vision; OrthProc in the first third."""
    ranks = klabunde2024.ranks().set_index(["domain", "measure"])
    place = ranks.groupby("domain")["median"].rank(method="min")
    assert (place["graphs"][["2nd-Cos", "RankSim", "Jaccard"]] <= 4).all()
    assert (place["language"][["AlignCos", "AngShape"]] <= 3).all()
    assert place["vision"]["CKA"] == 1  # with three others
    orth_proc = place[:, "OrthProc"] / place.groupby("domain").size()
    assert orth_proc["language"] < 1 / 3
    assert orth_proc["vision"] < 1 / 3
    assert orth_proc["graphs"] > 1 / 3  # eleventh of 22: the exception
    assert ranks.groupby("domain")["settings"].max().to_dict() == {"graphs": 54, "language": 12, "vision": 41}


# --- which changes leave a measure as it is ---------------------------------------------------------------------------


def test_the_declarations_that_fail_and_those_that_nobody_made():
    found = klabunde2024.invariances(rng=1)
    wrong, modest = (found.query(each) for each in ("declared and not holds", "holds and not declared"))
    assert set(zip(wrong["measure"], wrong["change"], strict=True)) == {
        ("PWCCA", "translation"),
        ("RSA", "translation"),
        ("SVCCA", "isotropic scaling"),
    }
    assert set(zip(modest["measure"], modest["change"], strict=True)) == {
        ("AlignCos", "isotropic scaling"),
        ("DistCorr", "isotropic scaling"),
        ("LinReg", "translation"),
        ("RSMDiff", "translation"),
    }


@pytest.mark.parametrize("seed", range(4))
def test_what_holds_is_what_the_registry_says(seed):
    for row in klabunde2024.invariances(rng=seed).itertuples():
        assert row.holds == (row.change in erralign.MEASURES[row.measure].invariances), (row.measure, row.change)
        assert not row.holds or (row.first and row.second)


def test_linear_regression_ignores_how_the_predicting_features_are_mixed():
    found = klabunde2024.invariances().set_index(["measure", "change"]).loc[("LinReg", "affine map")]
    assert [bool(found[who]) for who in ("holds", "first", "second")] == [False, False, True]


def test_every_measure_has_a_family():
    families = klabunde2024.families()
    assert set(families) == set(klabunde2024.results()["measure"])
    assert len(set(families.values())) == 6
    assert families["2nd-Cos"] == "neighbours"


# --- which measures agree ---------------------------------------------------------------------------------------------


def test_agreement_of_two_measures_that_order_alike_is_whole():
    found = klabunde2024.agreement()
    assert len(found) == 3 * 2 * 253
    assert found["r"].between(-1, 1).all()
    assert np.allclose(found.query("measure_a == 'AngShape' and measure_b == 'OrthProc'")["r"], 1)
