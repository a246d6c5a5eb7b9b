"""The page "Your own data": what it computes in the browser equals the package, and nothing leaves it."""

import functools
import re

import numpy as np
import pandas as pd
import pytest
from browsing import COLOURS, READY, shown, violations, visited
from builders import mixed_systems

import erralign
from erralign.measures import MEASURES_OF_ERRORS, short_name

ANALYSE = "([text, classes]) => work.analyse({ text, classes }, () => {})"
# The standard deviation of a .025 quantile of 10,000 normal draws, as a share of the width of the interval.
QUANTILE_ERROR = 0.0068
DEFAULT_DRAWS = 10_000


# --- parity with the package ------------------------------------------------------------------------------------------


def frame(truth, **answers):
    """Write a wide file."""
    return pd.DataFrame({"truth": truth, **answers}).rename_axis("trial").to_csv()


def as_csv(responses):
    return frame(responses.truth, **responses.answers)


def apart(n=120):
    """Two systems that are never wrong together, and a third that is always right."""
    truth = np.arange(n) % 3
    first, second = truth.copy(), truth.copy()
    first[:30], second[30:60] = (truth[:30] + 1) % 3, (truth[30:60] + 2) % 3
    return frame(truth, first=first, second=second, perfect=truth)


FILES = {
    "random": as_csv(mixed_systems(1)),
    "time-outs": as_csv(mixed_systems(2, time_outs=0.3)),
    "many classes": as_csv(mixed_systems(3, n_systems=4, n_trials=500, n_classes=40)),
    "twenty systems": as_csv(mixed_systems(4, n_systems=20, n_trials=1280, n_classes=16, time_outs=0.02)),
    "one true class": frame(["cat"] * 60, a=["cat", "dog", "fox"] * 20, b=["dog", "fox", "na", "cat"] * 15),
    "one class at all": frame(["cat"] * 5, a=["cat"] * 5, b=["cat", "na", "cat", "cat", "na"]),
    "no errors": frame([0, 1, 2] * 20, a=[0, 1, 2] * 20, b=[0, 1, 2] * 20),
    "no joint errors": apart(),
    "nobody is right": frame([0, 1] * 20, a=[1, 0] * 20, b=[1, 0] * 20),
    "no answers": frame(["x", "y"] * 20, a=["x", "y"] * 20, b=["na"] * 40),
    "one joint error": frame([*"xyz"] * 9, a=[*"yyz"] + [*"xyz"] * 8, b=[*"xxx"] + [*"xyz"] * 8),
    "a single trial": frame(["x"], a=["x"], b=["na"]),
}


@pytest.fixture(scope="module")
def both(numerics, tmp_path_factory):
    """Return a function that analyses a file of :data:`FILES` in the browser and with the package, once."""

    @functools.cache
    def analyse(name):
        path = tmp_path_factory.mktemp("answers") / "mine.csv"
        path.write_text(FILES[name])
        mine = erralign.read_answers(path)
        pairs = erralign.pairwise_intervals(mine).join(erralign.pairwise(mine, "MA_blind").iloc[:, -1])
        return numerics.evaluate(ANALYSE, [FILES[name], ""]), mine, pairs

    return analyse


@pytest.mark.parametrize("name", FILES)
def test_values_and_limits_are_those_of_the_package(name, both):
    """Limits in closed form are the same; those that are drawn agree within what draws allow."""
    result, mine, pairs = both(name)
    assert result["nClasses"] == len(mine.classes)
    assert [pair["jointErrors"] for pair in result["pairs"]] == pairs["n_joint_errors"].tolist()
    accuracies = [system["accuracy"][1:] for system in result["systems"]]
    np.testing.assert_allclose(accuracies, erralign.accuracy_intervals(mine)[["low", "high"]], rtol=0, atol=1e-12)
    blind = np.array([pair.get("blind", np.nan) for pair in result["pairs"]], float)
    np.testing.assert_allclose(blind, pairs["MA_blind"], rtol=0, atol=1e-12)
    for measure in MEASURES_OF_ERRORS:
        short = short_name(measure)
        values, *limits = np.array([pair.get(short, [np.nan] * 3) for pair in result["pairs"]], dtype=float).T
        np.testing.assert_allclose(values, pairs[short], rtol=0, atol=1e-12, err_msg=measure)
        expected = pairs[[f"{short}_low", f"{short}_high"]].to_numpy().T
        np.testing.assert_array_equal(np.isnan(limits), np.isnan(expected))
        # Six standard deviations, since there are hundreds of limits; and single precision.
        draws = 1 + DEFAULT_DRAWS / (result["draws"].get(short) or np.inf)
        allowed = 6 * QUANTILE_ERROR * np.sqrt(draws) * (expected[1] - expected[0]) + 1e-6
        assert not (np.abs(limits - expected) > (1e-12 if short == "MA" else allowed)).any()


def test_declared_classes_are_part_of_similarity(numerics, tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("trial,truth,a,b\n1,cat,dog,cat\n2,dog,dog,cat\n")
    mine = erralign.read_answers(path, classes=["cat", "dog", "fox", "owl"])
    expected = erralign.pairwise(mine, ["CLES"]).iloc[0, -1]
    for declared in ("4", "cat, dog, fox, owl"):
        result = numerics.evaluate(ANALYSE, [path.read_text(), declared])
        assert result["declared"]
        assert result["pairs"][0]["CLES"][0] == pytest.approx(expected, abs=1e-12)


# --- the page ---------------------------------------------------------------------------------------------------------

DONE = "name => ['done', 'failed'].includes(document.getElementById(name).dataset.state)"
DRAWN = "() => [...document.querySelectorAll('#own-results figure.vl')].every(figure => figure.dataset.drawn)"
TRY_TO_TELL = """async () => {
    const refused = new Set();
    document.addEventListener("securitypolicyviolation", event => refused.add(event.effectiveDirective));
    new Image().src = "https://example.org/?answers";
    await fetch("https://example.org/?answers").catch(() => {});
    navigator.sendBeacon("https://example.org/", "answers");
    while (refused.size < 2) await new Promise(resolve => setTimeout(resolve, 10));
    return [...refused].sort();
}"""


def opened(browser, address, visited=shown, **options):
    """Open the page before all that is on it is drawn."""
    return visited(browser, f"{address}/your-own-data.html", ready="() => true", **options)


def choose(view, name, text):
    """Give the page a file, and wait until everything is there."""
    view.locator("#own-file").set_input_files([{"name": name, "mimeType": "text/csv", "buffer": text.encode()}])
    view.wait_for_function(DONE, arg="own-answers")
    view.wait_for_function(DRAWN)


def test_a_reader_of_twenty_systems_sees_the_packages_values_and_nothing_can_leave_the_page(browser, address, both):
    """The rest of the page still works under its policy: charts and search."""
    result, _, pairs = both("twenty systems")
    with opened(browser, address, visited) as (view, troubles):
        choose(view, "twenty.csv", FILES["twenty systems"])
        rows = view.locator(".own-table").nth(1).locator("tbody tr").all_inner_texts()
        assert view.locator("#own-results figure").count() == 3
        view.wait_for_function(READY)
        assert troubles == []
        policy = view.locator("meta[http-equiv='Content-Security-Policy']").get_attribute("content")
        assert "connect-src 'none'" in policy
        assert "connect-src 'none'" in view.locator("article").inner_text()
        assert view.evaluate(TRY_TO_TELL) == ["connect-src", "img-src"]
        view.keyboard.press("Control+k")
        view.locator("#pst-search-dialog input").fill("interval")
        view.keyboard.press("Enter")
        view.wait_for_url(re.compile("search.html"))
        view.locator("#search-results li a").first.wait_for()
    assert len(rows) == len(pairs)
    low, high = result["pairs"][0]["EC"][1:]
    assert f"{pairs['EC'][0]:z.2f} ({low:z.2f} to {high:z.2f})".replace("-", "−") in rows[0]


def test_a_malformed_file_is_named_and_a_good_one_shown_on_a_phone_in_every_theme(browser, site):
    with opened(browser, site.as_uri(), width=390) as view:
        choose(view, "bad.csv", "trial,truth,a,b\n1,0,0,1\n2,1,-3,1\n")
        assert view.locator("#own-status").inner_text().startswith("bad.csv, row 3, column 'a' holds")
        assert not view.locator("#own-results").is_visible()
        choose(view, "my own.xz", "BZh")
        assert view.locator("#own-status").inner_text().endswith('.read())"')
        choose(view, "good.csv", FILES["no joint errors"])
        assert "3 classes occur in good.csv (0, 1, 2)" in view.locator("#own-results").inner_text()
        assert "undefined" in view.locator(".own-table").nth(1).inner_text()
        assert view.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        assert violations(view) == {}
        view.evaluate("document.documentElement.dataset.theme = 'dark'")
        view.locator("#own-results figure").first.scroll_into_view_if_needed()
        view.wait_for_function("() => document.querySelector('#own-results figure').dataset.drawn === 'dark'")
        assert violations(view, runOnly=COLOURS) == {}


def test_by_keyboard_alone(browser, site):
    with opened(browser, site.as_uri()) as view:
        view.locator("#own-file").focus()
        view.keyboard.press("Tab")
        view.keyboard.press("Enter")  # the example
        view.wait_for_function(DONE, arg="own-answers")
        view.keyboard.press("Tab")
        view.keyboard.type("8")
        view.keyboard.press("Tab")
        view.wait_for_function("() => document.getElementById('own-results').innerText.includes('8 classes')")
        view.keyboard.press("ArrowUp")  # another data set
        view.wait_for_function("() => document.querySelector('#own-results figcaption').innerText.includes('epic')")
        view.wait_for_function(DRAWN)
