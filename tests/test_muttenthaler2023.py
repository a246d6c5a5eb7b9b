"""Muttenthaler et al. (2023): Table B.1 as typed, what follows from it, and tables of odd-one-out choices."""

import re

import pandas as pd
import pytest
from conftest import ROOT
from scipy.stats import BootstrapMethod, binomtest, pearsonr

from erralign_book.charts.reproducing_muttenthaler_2023 import leads_over_others
from erralign_book.papers import muttenthaler2023, published
from erralign_book.papers.muttenthaler2023.table_b1 import networks

PAPER = "muttenthaler2023"
# Printed accuracy on ImageNet that the authors' file does not have; each row's note says more.
OTHERWISE = {"RN-50-RotNet": (54.93, 48.2), "ResNeXt-101 32x8d": (81.89, 82.89)}


def printed():
    rows = published.published().query("paper == @PAPER and item == 'Table B.1' and printed != ''")
    return rows.pivot(index="row", columns="column", values="printed").astype(float)


def test_printed_accuracies_on_imagenet_are_those_of_the_authors_file():
    both = printed()["ImageNet"].dropna().to_frame("printed").join(networks()["imagenet"])
    differs = both[(both["printed"] - both["imagenet"]).abs() > 0.005 + 1e-9]
    assert {name: tuple(row) for name, row in differs.iterrows()} == OTHERWISE


def test_every_typed_line_belongs_to_a_network_and_no_melted_number_counts_as_printed():
    typed, facts = printed(), networks()
    assert typed.index.isin(facts.index).all()
    assert facts.index.is_unique
    for printed_as, melted in {"Zero-Shot": "melted_zero_shot", "Probing": "melted_probing"}.items():
        assert not set(typed[printed_as].dropna().index) & set(facts[melted].dropna().index)
        assert typed[printed_as].dropna().between(100 / 3, 67.22).all()


@pytest.mark.parametrize("score", ["zero_shot", "probing"])
def test_limits_over_networks_are_scipys(score):
    table = muttenthaler2023.table_b1().dropna(subset=["imagenet", "zero_shot", "probing"])
    row = muttenthaler2023.limits_by_unit().set_index(["score", "drawn"]).loc[(score, "networks")]
    found = pearsonr(table["imagenet"], table[score])
    assert row["r"] == pytest.approx(found.statistic, abs=1e-12)
    drawn = found.confidence_interval(method=BootstrapMethod(n_resamples=4000, method="percentile", rng=1))
    assert (row["low"], row["high"]) == pytest.approx((drawn.low, drawn.high), abs=0.03)


def test_figures_count_as_redrawn_only_where_a_chapter_draws_them():
    rows = published.verdicts(PAPER).query("verdict == 'redrawn'")
    assert len(rows) > 15
    for item, note in zip(rows["item"], rows["note"], strict=True):
        page = re.search(r"\b(reproducing|further)-muttenthaler-2023\b", note)[0]
        number, chapter = re.escape(item.removeprefix("Figure ")), (ROOT / f"notebooks/{page}.md").read_text()
        named = rf"^## .*\b{number}\b|\(Figures? ([^)]*, |[^)]* and )?{number}\b[^)]*\)"  # in a heading or in brackets
        assert re.search(named, chapter, flags=re.M), item


def test_limits_of_a_lead_are_the_published_ones():
    """Newcombe (1998), Table II, example (a), method 10: 56 of 70 less 48 of 80."""
    rows = []
    for system, right, n in (("own", 56, 70), ("other", 48, 80)):
        limits = binomtest(right, n).proportion_ci(method="wilson")
        rows.append({"system": system, "value": right / n, "low": limits.low, "high": limits.high})
    found = leads_over_others(pd.DataFrame(rows).assign(concept="", score=""), "own")
    assert found[["system", "lead", "low", "high"]].iloc[0].tolist() == ["over other", 0.2, 0.052, 0.334]


# --- odd-one-out choices ----------------------------------------------------------------------------------------------


def test_embeddings_agree_with_people_as_well_where_two_orders_differ():
    found = muttenthaler2023.agreement_by_number().set_index(["answers", "system", "displaced"])["accuracy"].unstack()
    lost = (found[False] - found[True]).unstack()
    assert lost.drop("the 440, as shipped").to_numpy().max() < 0.02
    assert lost.loc["the 440, as shipped"].min() > 0.03
