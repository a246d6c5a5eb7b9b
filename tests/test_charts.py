"""Charts: what all share, and where a reader would be misled without an error."""

import json
import re

import altair as alt
import numpy as np
import pandas as pd
import pytest
import vl_convert

import erralign
from erralign import plot
from erralign.plot import finishing


def test_a_finished_chart_says_in_words_what_it_shows():
    chart = alt.Chart(pd.DataFrame({"x": [1]})).mark_point().encode(x="x:Q")
    spec = finishing.finish(chart, "One is one", "A point.", 100, subtitle="a dot").to_dict()
    assert spec["description"] == "A point. One is one."
    assert spec["title"] == {"text": "One is one", "subtitle": "a dot"}
    assert (spec["width"], spec["height"]) == ("container", 100)


def test_what_is_no_number_is_null_also_beside_years():
    """Altair turns such a column back into numbers, and leaves its nan."""
    table = pd.DataFrame({"year": pd.Series([2020, np.nan], dtype=object), "EC": [0.5, np.inf]})
    (rows,) = alt.Chart(table).mark_point().encode(x="EC:Q").to_dict()["datasets"].values()
    assert rows == [{"year": 2020, "EC": 0.5}, {"year": None, "EC": None}]


def test_what_a_reader_hovers_over_is_named_in_words():
    named = finishing.tooltips(["n_joint_errors", alt.Tooltip("low:Q", format=".3f"), alt.Tooltip("p", title="chance")])
    assert [tooltip["title"] for tooltip in named] == ["joint errors", "interval from", "chance"]


# --- charts of the package's own tables ------------------------------------------------------------------------------


def drawn(chart):
    return [row for rows in chart.to_dict()["datasets"].values() for row in rows]


@pytest.mark.parametrize("draw", [plot.intervals, plot.heatmap])
def test_three_systems_that_differ_in_the_middle_of_long_names_have_three_labels(draw):
    names = [f"efficientnet-of-step-{step}-with-augmentations" for step in ("100", "200", "1000")]
    answers = {name: np.roll([0, 0, 1, 1, 2, 2] * 5, place) for place, name in enumerate(names)}
    systems = erralign.Responses.from_table([0, 1, 1, 2, 2, 0] * 5, answers)
    tables = {plot.intervals: erralign.accuracy_intervals, plot.heatmap: erralign.pairwise}
    svg = vl_convert.vegalite_to_svg(draw(tables[draw](systems)).properties(width=400).to_dict())
    written = set(re.findall(r">(…[^<]*)<", svg))
    assert written == {"…100-with-augmentations", "…200-with-augmentations", "…1000-with-augmentations"}


def test_tables_of_the_package_become_charts_as_they_are():
    pictures = erralign.load("example/twelve-pictures")
    pairs = erralign.pairwise_intervals(pictures, n_resamples=100)
    people = pictures.systems.assign(kind=["human", "human", "model", "model"])
    mixed = erralign.Responses("mixed", pictures.truth, pictures.answers, pictures.classes, people)
    rows = drawn(plot.heatmap(pairs))
    assert [row["EC"] for row in rows] == pairs["EC"].round(3).tolist()
    rows = drawn(plot.beside(pairs, "Contrarian"))
    assert [row["other"] for row in rows] == ["A", "Twin", "Stranger"]
    assert rows[1]["EC_low"] == pytest.approx(pairs["EC_low"][3], abs=6e-4)
    for measure in ("EC", "MA"):
        rows = drawn(plot.intervals(pairs, measure))
        assert [row[measure] for row in rows if "pair" in row] == sorted(pairs[measure].dropna().round(3))[::-1]
        rows = drawn(plot.points(pairs, "accuracy_b", measure))
        assert [row[measure] for row in rows] == pairs[measure].dropna().round(4).tolist()
    for table in (erralign.accuracy_intervals(pictures), erralign.consistency_with_people(mixed).table):
        rows = drawn(plot.intervals(table))
        assert {row["system"] for row in rows if "system" in row} == set(table.index) - {"people"}
    whose = [np.nan if name == "people" else "networks" for name in table.index]
    family = pd.Series(whose, table.index, dtype=object)  # as pandas 2 has it
    assert "NaN" not in json.dumps(plot.intervals(table.assign(family=family)).to_dict())
