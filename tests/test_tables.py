"""The one function for tables: what a reader sees of names, numbers and verdicts."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup

from erralign import plot
from erralign.plot.html import numbered


def parsed(frame, caption="Caption", **options):
    return BeautifulSoup(plot.table(frame, caption, **options).html, "html.parser")


def shown(frame, **options):
    """Return the rows of a table as a reader sees them, the head first."""
    return [[cell.get_text() for cell in row(["th", "td"])] for row in parsed(frame, **options)("tr")]


def column(values, name="EC", **options):
    return [row[-1] for row in shown(pd.DataFrame({name: values}), **options)[1:]]


WRITTEN = {
    "EC": ([0.123456, -0.5, -0.0001, np.nan, 1.0], ["0.12", "−0.50", "0.00", "undefined", "1.00"]),
    "n_trials": ([1280, 3], ["1,280", "3"]),
    "p": ([0.0499, 3e-12, 0.001], ["0.050", "< 0.001", "0.001"]),
    "p, networks": ([0.25, 0.75], ["0.250", "0.750"]),
    "p ≤ 0.05": ([0, 19], ["0", "19"]),
    "paper": (["xu2024", None], ["Xu et al. (2024)", "undefined"]),
    "interval": (["-.02 (-0.08 to .05)"], ["−0.02 (−0.08\u00a0to\u00a00.05)"]),
    "printed": (["1.21e-11", "9e−15", "2e+06"], ["1.21 × 10⁻¹¹", "9 × 10⁻¹⁵", "2 × 10⁶"]),
    "commit": (["12e45678", "a3e07", "1.2e3"], ["12e45678", "a3e07", "1.2e3"]),
    "system": (["vgg11-bn", "swin_b"], ["vgg11-bn", "swin_b"]),
    "mixed": ([0.18, 1280, "", None], ["0.18", "1,280", "", "undefined"]),
    "limit": ([np.inf, -np.inf], ["∞", "−∞"]),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_values_are_written_as_prose_writes_them(name):
    values, expected = WRITTEN[name]
    assert column(values, name) == expected


def test_digits_are_chosen_for_all_columns_or_for_one():
    frame = pd.DataFrame({"EC": [0.12345], "width": [0.12344], "n_trials": [160.0]})
    assert shown(frame, digits=3)[1] == ["0.123", "0.123", "160"]
    assert shown(frame, digits={"width": 4, "n_trials": 1})[1] == ["0.12", "0.1234", "160.0"]
    assert column([0.5, np.nan], missing="") == ["0.50", ""]


def test_an_index_that_only_counts_is_left_out_and_any_other_names_the_rows():
    frame = pd.DataFrame({"EC": [0.5, 0.25]})
    assert shown(frame)[0] == shown(frame.iloc[::-1])[0] == ["EC"]
    assert shown(frame.rename_axis("n_trials"))[:2] == [["trials", "EC"], ["0", "0.50"]]
    assert shown(frame.set_axis(["image_net_a", "edges"]))[:2] == [["", "EC"], ["ImageNet-A", "0.50"]]


def test_names_that_rows_share_stand_once_and_names_that_columns_share_span_them():
    rows = pd.MultiIndex.from_product([["all", "equal"], ["mixed", "people"]], names=["pairs", "kind"])
    table = pd.concat({"EC": pd.DataFrame({"low": range(4), "high": range(4)}, rows)}, axis=1)
    assert parsed(table).select_one("th[colspan='2'][scope='colgroup']").get_text() == "EC"
    assert [row[0] for row in shown(table)[2:]] == ["all", "", "equal", ""]


def test_decimal_points_are_aligned():
    cells = parsed(pd.DataFrame({"printed": ["0.25", "0.1", "−3", "1,280.125", "0.2 ≠ 0.3"]}))("td")
    assert [cell.get("style") for cell in cells] == ["--short: 1", "--short: 2", "--short: 3.5", None, None]


def test_heads_numbers_and_sentences_are_marked_as_such_and_text_is_no_html():
    note = "a sentence that takes several lines of a phone"
    frame = pd.DataFrame({"EC": [0.5], "printed": ["1.21e-11"], "a<b": ["<script>"], "note": [note]}, ["colour"])
    soup = parsed(frame, "Less < more")
    found = {place: [cell.get_text() for cell in soup.select(place)] for place in (".number", "td.words", "script")}
    assert found == {".number": ["EC", "printed", "0.50", "1.21 × 10⁻¹¹"], "td.words": [note], "script": []}
    assert soup.select_one("tbody th")["scope"] == "row"


MARKS = {"reproduced": "agrees", "not reproduced": "differs", "restated": "without"}
MARKS |= {"holds, roughly": "open", "holds: on two sets": "agrees", "not settled": "unsettled"}


def test_verdicts_are_words_with_a_mark():
    cells = parsed(pd.DataFrame({"verdict": list(MARKS)})).select(".verdict")
    assert {cell.get_text(): cell["class"][-1] for cell in cells} == MARKS


def test_figures_and_tables_are_counted_apart_and_can_be_linked_to():
    figure = '<figure class="vl" aria-label="x"><figcaption>Title</figcaption></figure>'
    counts, table = Counter(), plot.table(pd.Series([1]), "Caption").html
    both = numbered(figure + table, counts, 4) + numbered(figure, counts, 4)
    for part in ('<span class="number">Figure 4.1.</span> Title', 'id="table-4-1"', 'id="figure-4-2"'):
        assert part in both
    assert ">Table 1.</span> Caption" in numbered(table, Counter())


def test_a_name_of_rows_that_comes_again_stands_once():
    index = pd.MultiIndex.from_product([["noise", "blur"], ["low", "middle", "high"]], names=["kind", "strength"])
    rows = shown(pd.DataFrame({"EC": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]}, index))[1:]
    assert [row[0] for row in rows] == ["noise", "", "", "blur", "", ""]
