"""The one function for tables: what a reader sees of names, numbers and verdicts; and tables as pages show them."""

import re
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from conftest import ROOT

from erralign import plot
from erralign.measures import MEASURES
from erralign.plot import words
from erralign.plot.html import numbered
from erralign_book.building.chapters import names


def shown(frame, **options):
    """Return the rows of a table as a reader sees them, the head first."""
    soup = BeautifulSoup(plot.table(frame, "Caption", **options).html, "html.parser")
    return [[cell.get_text() for cell in row(["th", "td"])] for row in soup("tr")]


def column(values, name="EC", **options):
    return [row[-1] for row in shown(pd.DataFrame({name: values}), **options)[1:]]


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("EC", [0.123456, -0.5, -0.0001, np.nan], ["0.12", "−0.50", "0.00", "undefined"]),
        ("EC", [1.0, 0.0], ["1.00", "0.00"]),
        ("trials", [7500.0, 14.0], ["7,500", "14"]),
        ("trials", [1280, 3], ["1,280", "3"]),
        ("p", [0.0499, 3e-12, 0.001], ["0.050", "< 0.001", "0.001"]),
        ("p_mantel", [0.5, 0.0], ["0.500", "< 0.001"]),
        ("p, networks", [0.25, 0.75], ["0.250", "0.750"]),
        ("p ≤ 0.05", [0, 19], ["0", "19"]),
        ("paper", ["xu2024", None], ["Xu et al. (2024)", "undefined"]),
        ("interval", ["-.02 (-0.08 to .05)"], ["−0.02 (−0.08 to 0.05)"]),
        ("printed", ["1.21e-11", "9e−15", "2e+06"], ["1.21 × 10⁻¹¹", "9 × 10⁻¹⁵", "2 × 10⁶"]),
        ("commit", ["12e45678", "a3e07", "1.2e3"], ["12e45678", "a3e07", "1.2e3"]),
        ("system", ["vgg11-bn", "swin_b"], ["vgg11-bn", "swin_b"]),
        ("found", [True, False], ["yes", "no"]),
        ("mixed", [0.18, 1280, "", None], ["0.18", "1,280", "", "undefined"]),
        ("limit", [np.inf, -np.inf], ["∞", "−∞"]),
    ],
)
def test_values_are_written_as_prose_writes_them(name, values, expected):
    assert column(values, name) == expected


def test_digits_are_chosen_for_all_columns_or_for_one():
    frame = pd.DataFrame({"EC": [0.12345], "width": [0.12344], "n_trials": [160.0]})
    assert shown(frame, digits=3)[1] == ["0.123", "0.123", "160"]
    assert shown(frame, digits={"width": 4, "n_trials": 1})[1] == ["0.12", "0.1234", "160.0"]


def test_what_is_missing_has_the_words_that_the_caller_chose():
    assert column([0.5, np.nan], missing="") == ["0.50", ""]


@pytest.mark.parametrize("name", [*words.COLUMNS, "error_consistency", "EC_low", "CLES_n_undefined", "median_EC"])
def test_no_heading_has_an_underscore(name):
    assert "_" not in words.heading(name)


def test_every_measure_and_limit_has_a_heading_of_its_own():
    names = [name for each in MEASURES for name in (each, f"{each}_low", f"{each}_high", f"{each}_n_undefined")]
    assert len({words.heading(name) for name in names}) == len(names)


def test_an_index_that_only_counts_is_left_out_and_any_other_names_the_rows():
    frame = pd.DataFrame({"EC": [0.5, 0.25]})
    assert shown(frame)[0] == shown(frame.iloc[::-1])[0] == ["EC"]
    assert shown(frame.rename_axis("n_trials"))[:2] == [["trials", "EC"], ["0", "0.50"]]
    assert shown(frame.set_axis(["image_net_a", "edges"]))[:2] == [["", "EC"], ["ImageNet-A", "0.50"]]
    assert shown(frame.set_axis([0.5, 0.25]))[1:] == [["0.50", "0.50"], ["0.25", "0.25"]]


def test_names_that_rows_share_stand_once_and_names_that_columns_share_span_them():
    rows = pd.MultiIndex.from_product([["all", "equal"], ["mixed", "people"]], names=["pairs", "kind"])
    table = pd.concat({"EC": pd.DataFrame({"low": range(4), "high": range(4)}, rows)}, axis=1)
    html = plot.table(table, "Caption").html
    assert '<th scope="colgroup" colspan="2">EC</th>' in html
    assert [row[0] for row in shown(table)[2:]] == ["all", "", "equal", ""]
    named = pd.DataFrame({0.05: [1], 0.5: [2], "pooled": [3]}).rename_axis(columns="accuracy")
    assert shown(named)[:2] == [["accuracy"], ["0.05", "0.50", "pooled"]]


def test_a_head_has_no_empty_heading_and_numbers_are_set_as_numbers():
    frame = pd.DataFrame({"EC": [0.5], "kind": ["people"]}, ["colour"])
    soup = BeautifulSoup(plot.table(frame, "Caption").html, "html.parser")
    assert all(cell.get_text() for cell in soup("th"))
    assert [cell.get_text() for cell in soup.select(".number")] == ["EC", "0.50"]
    assert soup.select_one("tbody th")["scope"] == "row"


def test_a_column_with_powers_of_ten_is_one_of_numbers():
    soup = BeautifulSoup(plot.table(pd.DataFrame({"printed": ["0.769", "1.21e-11"]}), "Caption").html, "html.parser")
    assert [cell.get_text() for cell in soup.select("tbody .number")] == ["0.769", "1.21 × 10⁻¹¹"]


def test_a_column_of_sentences_is_known_as_words():
    frame = pd.DataFrame({"kind": ["people"], "note": ["a sentence that takes several lines of a phone"]})
    soup = BeautifulSoup(plot.table(frame, "Caption").html, "html.parser")
    assert [cell.get_text() for cell in soup.select("td.words")] == frame["note"].tolist()
    long = pd.DataFrame({"note": ["a sentence that takes several lines of a phone"], "EC": [1]})
    assert BeautifulSoup(plot.table(long, "Caption").html, "html.parser").select_one("tbody th.words")


def test_only_groups_of_several_rows_stand_apart():
    def groups(names):
        index = pd.MultiIndex.from_tuples(names, names=["kind", "pair"])
        return plot.table(pd.DataFrame({"EC": [1, 2]}, index), "Caption").html.count('class="group"')

    assert groups([("people", "a"), ("networks", "b")]) == 0
    assert groups([("people", "a"), ("people", "b")]) == 1


def test_verdicts_are_words_with_a_mark():
    html = plot.table(
        pd.DataFrame({"verdict": ["reproduced", "differs", "not reproduced", "restated", "holds, roughly"]}), "Caption"
    ).html
    assert re.findall(r'class="verdict (\w+)">([^<]+)', html) == [
        ("agrees", "reproduced"),
        ("differs", "differs"),
        ("differs", "not reproduced"),
        ("without", "restated"),
        ("open", "holds, roughly"),
    ]


def test_text_is_no_html():
    html = plot.table(pd.DataFrame({"a<b": ["<script>"]}), "Less < more").html
    assert "<script>" not in html
    assert "Less &lt; more" in html


@pytest.mark.parametrize(
    ("frame", "caption", "options", "message"),
    [
        (pd.DataFrame({"EC": [1]}), " ", {}, "caption is ' '; expected text: say what the table shows"),
        (pd.DataFrame({"EC": [1]}), None, {}, "caption is a NoneType; expected text"),
        ([1], "Caption", {}, "the table is of type list; expected a DataFrame or a Series"),
        (pd.DataFrame({"EC": [1]}), "Caption", {"digits": {"MA": 2}}, "digits or pages is 'MA'; expected one of EC"),
        (pd.DataFrame({"EC": [1]}), "Caption", {"pages": "note"}, "digits or pages is 'note'"),
    ],
)
def test_wrong_use_says_what_to_do(frame, caption, options, message):
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
        plot.table(frame, caption, **options)


def test_figures_and_tables_are_counted_apart_and_can_be_linked_to():
    figure = '<figure class="vl" role="group" aria-label="x"><figcaption>Title</figcaption></figure>'
    counts = Counter()
    first = numbered(figure + plot.table(pd.Series([1]), "Caption").html, counts, 4)
    second = numbered(figure, counts, 4)
    assert '<span class="number">Figure 4.1.</span> Title' in first
    assert 'id="table-4-1"' in first
    assert 'id="figure-4-2"' in second
    assert ">Table 1.</span> Caption" in numbered(plot.table(pd.Series([1]), "Caption").html, Counter())


@pytest.mark.parametrize("page", names(ROOT))
def test_every_table_of_a_page_is_in_words_and_has_a_number(site, page):
    soup = BeautifulSoup((site / f"{page}.html").read_text(encoding="utf-8"), "html.parser")
    # The live strips are a figure whose cells are buttons.
    tables = soup.select(".cell_output table:not(.live-strips table)")
    assert [table for table in tables if table.find_parent("figure", class_="table") is None] == [], "use plot.table"
    for table in tables:
        numbers = table.find_parent("figure").select("figcaption .number")
        assert re.fullmatch(r"Table\s(\d+\.)?\d+\.", "".join(number.get_text() for number in numbers))
        assert [cell.get_text() for cell in table.select("thead *") if "_" in cell.get_text()] == []
        assert [cell for cell in table(["td", "th"]) if cell.get_text() in {"nan", "NaN", "None", "<NA>"}] == []


def test_figures_and_tables_of_a_page_have_one_number_each_those_in_the_text_too(site):
    for page in names(ROOT)[1:]:
        soup = BeautifulSoup((site / f"{page}.html").read_text(encoding="utf-8"), "html.parser").article
        captions = soup.select("figure.table > figcaption, table > caption")
        assert soup.select(".caption-number") == []  # Sphinx's own, a second one
        numbers = [caption.select_one(".number").get_text() for caption in captions]
        assert [int(number.rpartition(".")[0].rpartition(".")[2]) for number in numbers] == list(
            range(1, len(numbers) + 1)
        )
        assert soup.select("table:not(figure table, :has(caption), .docutils.field-list, .live-strips)") == [], page


def test_names_of_pages_in_tables_are_links(site):
    links = BeautifulSoup((site / "reproduction.html").read_text(encoding="utf-8"), "html.parser").select("td.pages a")
    assert links
    for link in links:
        assert (site / link["href"]).is_file()
        assert link.get_text() not in names(ROOT)
