"""Table B.1 of Muttenthaler et al. (2023) as typed, and what follows from it."""

import re

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT
from scipy.stats import bootstrap, pearsonr

from erralign.sources.muttenthaler2023 import networks
from erralign_book.papers import muttenthaler2023, published

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


def test_melted_lines_are_only_added():
    without, with_melted = muttenthaler2023.table_b1(), muttenthaler2023.table_b1(melted=True)
    scores = ["zero_shot", "probing"]
    pd.testing.assert_frame_equal(with_melted[scores].where(without[scores].notna()), without[scores])
    assert (with_melted[scores].count() > without[scores].count()).all()


@pytest.mark.parametrize("score", ["zero_shot", "probing"])
def test_limits_over_networks_are_scipys(score):
    table = muttenthaler2023.table_b1().dropna(subset=["imagenet", "zero_shot", "probing"])
    pair = (table["imagenet"].to_numpy(), table[score].to_numpy())
    row = muttenthaler2023.limits_by_unit().set_index(["score", "drawn"]).loc[(score, "networks")]
    options = {"paired": True, "n_resamples": 4000, "method": "percentile", "rng": np.random.default_rng(1)}
    found = bootstrap(pair, lambda x, y, axis: pearsonr(x, y, axis=axis).statistic, **options).confidence_interval
    assert row["r"] == pytest.approx(pearsonr(*pair).statistic, abs=1e-12)
    assert (row["low"], row["high"]) == pytest.approx((found.low, found.high), abs=0.03)


def test_figures_count_as_redrawn_only_where_a_chapter_draws_them():
    rows = published.verdicts(PAPER).query("verdict == 'redrawn'")
    drawn = ["5", "B.2", "F.1", "F.2", "F.3", "F.4", "G.1", "G.2", "I.1", "E.1", "E.2"]
    drawn += [f"J.{number}" for number in range(1, 8)]
    assert {f"Figure {name}" for name in drawn} < set(rows["item"])
    for item, note in zip(rows["item"], rows["note"], strict=True):
        page = re.search(r"\b(reproducing|further)-muttenthaler-2023\b", note)[0]
        chapter = (ROOT / "notebooks" / f"{page}.md").read_text()
        number = re.escape(item.removeprefix("Figure "))
        named = rf"^## .*\b{number}\b|\(Figures? ([^)]*, |[^)]* and )?{number}\b[^)]*\)"  # in a heading or in brackets
        assert re.search(named, chapter, flags=re.M), item
