"""Tables of the site on a phone, where a row is a card: each cell knows the name of its column."""

import pandas as pd
import pytest
from browsing import shown
from bs4 import BeautifulSoup

from erralign.plot import table
from erralign_book.building.site import accessible

LONG = "a sentence of so many letters is read rather than compared"
LEVELS = pd.MultiIndex.from_tuples([("EC", "low"), ("EC", "high"), ("MA", "")])
TWO_LEVELS = pd.DataFrame([[LONG, 2, 3]], ["ann"], LEVELS)
BY_TWO = pd.DataFrame({"EC": [LONG, "b"]}, pd.MultiIndex.from_tuples([("people", "ann"), ("people", "bob")]))


@pytest.mark.parametrize(
    ("html", "heads"),
    [
        (table(pd.DataFrame({"EC": [LONG], "MA": [2]}, ["ann"]), "Two").html, ["EC", "MA"]),
        (table(TWO_LEVELS, "Two levels").html, ["EC, low", "EC, high", "MA"]),
        (TWO_LEVELS.to_html(), ["EC, low", "EC, high", "MA"]),
        (BY_TWO.to_html(), ["", "EC", "", "EC"]),
    ],
)
def test_each_cell_of_a_card_knows_its_column(html, heads):
    cells = BeautifulSoup(accessible(html), "html.parser").select("tbody :is(td, th)")
    assert [cell["data-head"] for cell in cells if "data-head" in cell.attrs] == heads


def test_columns_of_numbers_are_marked_whole_beside_a_name_that_spans_rows():
    table = pd.DataFrame({"EC": [-0.25, 0.5], "n": [8, 23], "who": ["a", "b"]}, BY_TWO.index)
    soup = BeautifulSoup(accessible(table.to_html()), "html.parser")
    assert [cell.text for cell in soup.select(".number")] == ["EC", "n", "-0.25", "8", "0.50", "23"]


@pytest.mark.slow
def test_on_paper_tables_that_one_can_sort_have_their_heads_and_all_rows(browser, site):
    with shown(browser, (site / "the-board.html").as_uri()) as view:
        view.emulate_media(media="print")
        frames = view.evaluate("""() => [...document.querySelectorAll(".tag_sortable .table-frame")].map((frame) => ({
            cut: frame.scrollHeight - frame.clientHeight, overflow: getComputedStyle(frame).overflowY,
            heads: [...frame.querySelectorAll("thead button")].map((one) => one.getBoundingClientRect().height) }))""")
    assert len(frames) >= 2
    assert all(frame["cut"] <= 1 and frame["overflow"] == "visible" for frame in frames)
    assert all(frame["heads"] and min(frame["heads"]) > 0 for frame in frames)
