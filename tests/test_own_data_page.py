"""The page "Your own data": what it computes in the browser equals the package, and nothing leaves it."""

import functools
import re

import numpy as np
import pandas as pd
import pytest
from browsing import COLOURS, READY, shown, violations, visited
from builders import mixed_systems
from files_of_answers import FILES, ON_PAGE

import erralign
from erralign.bounds import error_consistency_bounds
from erralign.measures import MEASURES_OF_ERRORS, short_name
from erralign.measures.class_level_error_similarity import INDEPENDENT_ERRORS
from erralign.reports import Options, compare
from erralign.reports.wording import sentences

ANALYSE = "([text, named]) => work.analyse(read(text, named))"
# The standard deviation of a .025 quantile of 10,000 normal draws, as a share of the width of the interval.
QUANTILE_ERROR = 0.0068


# --- parity with the package ------------------------------------------------------------------------------------------


def frame(truth, **answers):
    """Write a wide file."""
    return pd.DataFrame({"truth": truth, **answers}).rename_axis("trial").to_csv()


def in_words(responses):
    """Write a wide file whose classes are words."""
    words = {-1: "na"} | {id_: f"k{id_}" for id_ in range(len(responses.classes))}
    return frame(responses.truth.map(words), **{name: said.map(words) for name, said in responses.answers.items()})


TEXTS = {
    "time-outs": in_words(mixed_systems(2, time_outs=0.3)),
    "many classes": in_words(mixed_systems(3, n_systems=4, n_trials=500, n_classes=40)),
    "twenty systems": in_words(mixed_systems(4, n_systems=20, n_trials=1280, n_classes=16, time_outs=0.02)),
    "one true class": frame(["cat"] * 60, a=["cat", "dog", "fox"] * 20, b=["dog", "fox", "na", "cat"] * 15),
    "one class at all": frame(["cat"] * 5, a=["cat"] * 5, b=["cat", "na", "cat", "cat", "na"]),
    "no errors": frame([*"xyz"] * 20, a=[*"xyz"] * 20, b=[*"xyz"] * 20),
    "no joint errors": frame([*"xyz"] * 40, a=[*"yzx"] * 10 + [*"xyz"] * 30, b=[*"xyz"] * 30 + [*"zxy"] * 10),
    "nobody is right": frame([*"xy"] * 20, a=[*"yx"] * 20, b=[*"yx"] * 20),
    "no answers": frame([*"xy"] * 20, a=[*"xy"] * 20, b=["na"] * 40),
    "one joint error": frame([*"xyz"] * 9, a=[*"yyz"] + [*"xyz"] * 8, b=[*"xxx"] + [*"xyz"] * 8),
    "a single trial": frame(["x"], a=["x"], b=["na"]),
    "more classes than occur": "trial,truth,a,b\n1,cat,dog,cat\n2,dog,dog,cat\n",
    "not shown": re.sub(r"(?<=,)k2(?=,k[13],)", "unseen", in_words(mixed_systems(1))),
}
NAMED = {
    "more classes than occur": {"classes": ["cat", "dog", "fox", "owl"]},
    "not shown": {"not_shown": ["unseen"]},
}


@pytest.fixture(scope="module")
def both(numerics, tmp_path_factory):
    """Return a function that analyses one of :data:`TEXTS` in the browser and with the package, once."""

    @functools.cache
    def analyse(name):
        path = tmp_path_factory.mktemp("answers") / "mine.csv"
        path.write_text(TEXTS[name])
        named = NAMED.get(name, {})
        mine = erralign.read_answers(path, **named)
        beside = erralign.pairwise(mine, ["MA_blind", INDEPENDENT_ERRORS]).iloc[:, -2:]
        pairs = erralign.pairwise_intervals(mine).join(beside)
        on_page = {ON_PAGE.get(argument, argument): words for argument, words in named.items()}
        return numerics.evaluate(ANALYSE, [TEXTS[name], on_page]), mine, pairs

    return analyse


@pytest.mark.parametrize("name", TEXTS)
def test_values_and_limits_are_those_of_the_package(name, both):
    """Limits in closed form are the same; those of EC, which are drawn, agree within what draws allow."""
    result, mine, pairs = both(name)
    assert [pair["jointErrors"] for pair in result["pairs"]] == pairs["n_joint_errors"].tolist()
    accuracies = [system["accuracy"] for system in result["systems"]]
    expected = erralign.accuracy_intervals(mine)[["accuracy", "low", "high"]]
    np.testing.assert_allclose(accuracies, expected, rtol=0, atol=1e-12)
    blind = np.array([pair.get("blind", np.nan) for pair in result["pairs"]], float)
    np.testing.assert_allclose(blind, pairs["MA_blind"], rtol=0, atol=1e-12)
    independent = np.array([pair.get("independent", np.nan) for pair in result["pairs"]], float)
    np.testing.assert_allclose(independent, pairs["CLES_independent"], rtol=0, atol=1e-10)
    largest = error_consistency_bounds(pairs["accuracy_a"], pairs["accuracy_b"])[1]
    np.testing.assert_allclose([pair["largest"] for pair in result["pairs"]], largest, rtol=0, atol=1e-12)
    for measure in MEASURES_OF_ERRORS:
        short = short_name(measure)
        values, *limits = np.array([pair.get(short, [np.nan] * 3) for pair in result["pairs"]], dtype=float).T
        np.testing.assert_allclose(values, pairs[short], rtol=0, atol=1e-12, err_msg=measure)
        expected = pairs[[f"{short}_low", f"{short}_high"]].to_numpy().T
        np.testing.assert_array_equal(np.isnan(limits), np.isnan(expected))
        # Six standard deviations of a difference of draws, since there are hundreds of limits.
        allowed = 6 * QUANTILE_ERROR * np.sqrt(2) * (expected[1] - expected[0]) if short == "EC" else 1e-12
        assert not (np.abs(limits - expected) > allowed + 1e-12).any(), measure


def test_who_is_near_chance_is_said_as_the_command_says_it(numerics, tmp_path):
    """A guesser, one answer throughout, and a copy; the classes are not equally frequent."""
    rng = np.random.default_rng(1)
    truth = np.array([*"aaabbccd"] * 40)
    knows = np.where(rng.random(len(truth)) < 0.7, truth, "a")
    text = frame(truth, guess=rng.choice([*"abcd"], len(truth)), always=["c"] * len(truth), knows=knows, copy=knows)
    path = tmp_path / "mine.csv"
    path.write_text(text)
    comparison = compare(erralign.read_answers(path), how=Options(measures="EC", n_resamples=100))
    told = sentences(comparison)[:2]
    assert numerics.evaluate(ANALYSE, [text, {}])["nearChance"] == told
    assert told[0].startswith("guess is near chance: it is right on 0.2")
    assert told[1].startswith("always gives one answer throughout, 'c': it is right on 0.25 ")


# --- the page ---------------------------------------------------------------------------------------------------------

DONE = "() => ['done', 'failed'].includes(document.getElementById('own-answers').dataset.state)"
DRAWN = "() => [...document.querySelectorAll('#own-results figure.vl')].every(figure => figure.dataset.drawn)"
TRY_TO_TELL = """async () => {
    const refused = new Set();
    document.addEventListener("securitypolicyviolation", event => refused.add(event.effectiveDirective));
    new Image().src = "https://example.org/?answers";
    await fetch("https://example.org/?answers").catch(() => {});
    while (refused.size < 2) await new Promise(resolve => setTimeout(resolve, 10));
    return [...refused].sort();
}"""


def opened(browser, address, visited=shown, **options):
    """Open the page before all that is on it is drawn."""
    return visited(browser, f"{address}/your-own-data.html", ready="() => true", **options)


def wait(view):
    view.wait_for_function(DONE)
    view.wait_for_function(DRAWN)


def choose(view, name, text):
    """Give the page a file, and wait until everything is there."""
    view.locator("#own-file").set_input_files([{"name": name, "mimeType": "text/csv", "buffer": text.encode()}])
    wait(view)


def test_a_reader_of_twenty_systems_sees_the_packages_values_and_nothing_can_leave_the_page(browser, address, both):
    """The rest of the page still works under its policy: charts and search."""
    result, _, pairs = both("twenty systems")
    with opened(browser, address, visited) as (view, troubles):
        choose(view, "twenty.csv", TEXTS["twenty systems"])
        rows = view.locator(".own-table").nth(1).locator("tbody tr").all_inner_texts()
        view.wait_for_function(READY)
        assert troubles == []
        assert view.evaluate(TRY_TO_TELL) == ["connect-src", "img-src"]
        view.keyboard.press("Control+k")
        view.locator("#pst-search-dialog input").fill("interval")
        view.keyboard.press("Enter")
        view.wait_for_url(re.compile("search.html"))
        view.locator("#search-results li a").first.wait_for()
    assert len(rows) == len(pairs)
    low, high = result["pairs"][0]["EC"][1:]
    assert f"{pairs['EC'][0]:z.2f} ({low:z.2f} to {high:z.2f})".replace("-", "−") in rows[0]


def test_on_a_phone_in_every_theme_a_refused_file_and_one_with_cells_that_were_not_shown(browser, site):
    with opened(browser, site.as_uri(), width=390) as view:
        for_spreadsheets = view.evaluate("chartControls.csv([['a', 'b'], ['=1+1', -0.5]])")
        assert for_spreadsheets == "a,b\n'=1+1,-0.5\n"
        choose(view, "marks.csv", FILES["right or wrong"].content)
        assert view.locator("#own-status").inner_text().startswith("marks.csv: 'ok'")
        assert not view.locator("#own-results").is_visible()
        choose(view, "unseen.csv", TEXTS["not shown"])
        view.locator("#own-notshown").fill("unseen")
        view.locator("#own-columns button").click()
        wait(view)
        assert "left out pair by pair: " in view.locator("#own-results").inner_text()
        assert view.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        assert violations(view) == {}
        view.evaluate("document.documentElement.dataset.theme = 'dark'")
        view.locator("#own-results figure").first.scroll_into_view_if_needed()
        view.wait_for_function("() => document.querySelector('#own-results figure').dataset.drawn === 'dark'")
        assert violations(view, runOnly=COLOURS) == {}


def test_a_table_with_a_row_per_answer_by_keyboard_alone(browser, site):
    """Its columns have names of their own, so it is refused until the menus say which holds what."""
    file = FILES["a row per answer, in an order of its own"]
    with opened(browser, site.as_uri()) as view:
        choose(view, "long.csv", file.content)
        assert "choose another under True class" in view.locator("#own-status").inner_text()
        view.locator("#own-truth").press("c")  # correct_response
        view.locator("#own-answer").press("r")
        view.locator("#own-answer").press("r")
        view.locator("#own-system summary").press("Enter")
        for key in ("Tab", "Tab", "Space"):  # subject, the second
            view.keyboard.press(key)
        view.locator("#own-classes").press("Enter")
        wait(view)
        row = view.locator(".own-table").nth(1).locator("tbody tr").inner_text()
        assert f"{file.consistency:.2f} (" in row
