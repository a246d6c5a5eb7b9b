"""``erralign compare``: the numbers of the functions, on a page that needs nothing else; or an error and no page."""

import hashlib
import html
import json
import os
import re
import subprocess
import sys
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from browsing import COLOURS, shown, violations
from bs4 import BeautifulSoup
from builders import small_benchmark, typed
from markdown_it import MarkdownIt
from playwright.sync_api import expect

import erralign
from erralign import plot, reports
from erralign.datasets import archives, examples, geirhos2020
from erralign.datasets.data_sets import records
from erralign.files import for_spreadsheets
from erralign.inference import reach_with_people
from erralign.inference.reach import KNOWN
from erralign.measures import registry
from erralign.reports import Options, tables
from erralign.reports.formats import _BIBLIOGRAPHY, _key_of, methods

ANIMALS = "example/animals"
MEASURES = ["EC", "MA", "CLES"]
LIMITS = [f"{short}{end}" for short in MEASURES for end in ("", "_low", "_high")]


@pytest.fixture
def answers(here):
    """Write the answers of two models into a folder, and go there."""
    examples.my_answers().to_csv("answers.csv", index=False)
    return here / "answers.csv"


def compare(*arguments):
    return typed("compare", *arguments)


@cache
def joined():
    return erralign.load(ANIMALS).join(erralign.read_answers("answers.csv"))


@cache
def compared():
    """Return what is found at a level that is not the usual one, which takes a second."""
    return reports.compare_file("answers.csv", ANIMALS, how=Options(level=0.9))


@cache
def by_hand():
    """Return the pairs with one's own systems, system by system."""
    both = joined()
    pairs = erralign.pairwise_intervals(both).assign(MA_blind=erralign.pairwise(both, "MA_blind").iloc[:, -1])
    pairs = pairs[pairs["system_b"].str.startswith("mine")]
    for i, row in pairs.iterrows():
        a, b = (both.answers[row[system]] for system in ("system_a", "system_b"))
        answered = (a != -1) & (b != -1)
        pairs.loc[i, "both_answered"] = erralign.error_consistency(both.truth[answered], a[answered], b[answered])
        pairs.loc[i, "largest"] = erralign.bounds.error_consistency_bounds(row["accuracy_a"], row["accuracy_b"])[1]
    return pairs.set_index(["system_a", "system_b"])


def test_numbers_are_those_of_the_functions_whatever_the_order_of_the_trials(answers):
    content = json.loads(compare(answers, "--data", ANIMALS, "--json").stdout)
    pairs = pd.DataFrame(content["pairs"]).set_index(["system_a", "system_b"])
    expected = by_hand()
    assert list(pairs.index[-len(expected) :]) == list(expected.index)
    columns = [*LIMITS, "MA_blind"]
    np.testing.assert_allclose(pairs.loc[expected.index, columns].astype(float), expected[columns], rtol=1e-12)
    pd.read_csv(answers).sort_values("image").to_csv("in-order.csv", index=False)
    again = json.loads(compare("in-order.csv", "--data", ANIMALS, "--json").stdout)
    assert (again["pairs"], again["systems"]) == (content["pairs"], content["systems"])


def test_the_table_says_every_pair_with_its_intervals(answers):
    text = compare(answers, "--data", ANIMALS).stdout
    for (other, own), row in by_hand().iterrows():
        ec, ma, cles = (plot.with_interval(row[short], row[f"{short}_low"], row[f"{short}_high"]) for short in MEASURES)
        words = own, other, row["n_joint_errors"], ec, f"{row['largest']:.2f}", plot.number(row["both_answered"], 2), ma
        line = " +".join(re.escape(str(word)) for word in words) + " .* " + re.escape(cles)
        assert re.search(line, text), line


def test_averages_are_means_over_pairs_with_the_intervals_of_means(answers):
    comparison = compared()
    people, networks = ["ann", "ben", "eve", "tom"], [f"net-{i}" for i in range(1, 5)]
    both, pairs = joined(), by_hand()
    for short in MEASURES:
        means = erralign.consistency_with_people(both, short, level=0.9).table
        groups = comparison.averages[[short, f"{short}_low", f"{short}_high"]]
        of_people = erralign.pairwise(examples.animals().select(systems=people), short).iloc[:, -1].mean()
        with_people, with_networks = (pairs.loc[(kind, "mine-new"), short].mean() for kind in (people, networks))
        limits = means[["low", "high"]]
        with_mine = [with_people, *limits.loc["mine-new"]]
        np.testing.assert_allclose(groups.loc[("mine-new", "people")], with_mine, atol=1e-12)
        paired = erralign.consistency_with_people(both, short, level=0.9).difference("mine-new", "people")
        lead = comparison.with_people.loc["mine-new", [f"{short}_lead{end}" for end in ("", "_low", "_high")]]
        np.testing.assert_allclose(lead.astype(float), [paired.estimate, *paired], atol=1e-12)
        np.testing.assert_allclose(groups.loc[("people", "people")], [of_people, *limits.loc["people"]], atol=1e-12)
        assert groups.loc[("mine-new", "networks"), short] == pytest.approx(with_networks, abs=1e-12)
    largest = pairs.loc[(people, "mine-new"), "largest"].mean()
    assert comparison.with_people.index.name == "system"
    assert comparison.averages.loc[("mine-new", "people"), "EC_largest"] == pytest.approx(largest, abs=1e-12)


def test_your_models_stand_beside_what_could_be_reached(answers):
    comparison = compared()
    both = joined()
    table = tables.tables(comparison)[tables.OTHERS].set_index(["system", "with"])
    for system, short in product(["mine-old", "mine-new"], ["EC", "MA"]):
        for end, known in zip(("upper", "lower"), KNOWN, strict=True):
            limits = reach_with_people(both, short, known=known, level=0.9).loc[system]
            assert table.loc[(system, f"{end} noise ceiling"), short] == plot.with_interval(*limits)
        assert comparison.with_people.loc[system, short] < comparison.with_people.loc[system, f"{short}_reach"]


def test_tables_explain_their_columns_before_they_begin(answers):
    text = reports.as_text(compared()).partition("  system ")[0]
    for rows in tables.tables(compared()).values():
        for words in [*rows.columns.drop(["system", "with"], errors="ignore"), "people (mean)", "upper noise ceiling"]:
            assert re.search(rf"^{re.escape(words)}( \(.*?\))?: ", text, re.MULTILINE), words


def test_averages_are_taken_condition_by_condition():
    """Means of pairs and means with people are computed on two roads; of two conditions a median is the mean."""
    (both,) = small_benchmark(n_sets=1, n_conditions=3)
    people = list(both.systems.query("kind == 'human'").index)
    mine, theirs = (both.select(systems=names) for names in (["m0"], people))
    averages = reports.compare(mine, theirs, how=Options(n_resamples=100)).averages
    with_people = averages.xs("people", level="with").loc[["m0", "people"]]
    for short in MEASURES:
        means = erralign.consistency_with_people(both.select(systems=["m0", *people]), short).table.iloc[:, 0]
        np.testing.assert_allclose(with_people[short], means[["m0", "people"]], atol=1e-12)


def test_people_and_models_in_one_file_are_compared_as_those_of_a_data_set(answers):
    animals = examples.animals()
    names = animals.answers.apply(lambda ids: ids.map(dict(enumerate(animals.classes))))
    names.join(pd.read_csv(answers, index_col="image")["truth"]).iloc[:, [-1, *range(8)]].to_csv("all.csv")
    people, models = list(animals.answers)[:4], list(animals.answers)[4:]
    alone = reports.compare_file("all.csv", how=Options(person=people))
    split = reports.compare(animals.select(systems=models), animals.select(systems=people))
    assert alone.own == tuple(models)
    pd.testing.assert_frame_equal(alone.pairs, split.pairs)
    pd.testing.assert_frame_equal(alone.averages, split.averages)


def test_a_person_of_ones_own_is_none_of_the_people_with_whom_models_are_compared(answers):
    ways = Options(), Options(person=("mine-old",))
    alone, with_person = (reports.compare_file(answers, ANIMALS, how=how) for how in ways)
    assert "mine-old" in reports.as_text(with_person)
    pd.testing.assert_frame_equal(with_person.with_people, alone.with_people.drop("mine-old"))


def test_pictures_of_shared_material_get_wider_intervals(requires_data, answers):
    name = "geirhos2020/cue-conflict"
    theirs = erralign.load(name)
    own = pd.DataFrame({"truth": theirs.truth, "mine": theirs.answers["resnet50"].clip(lower=0)})
    own = own.map(dict(enumerate(theirs.classes)).get).rename_axis("image")
    own.sample(frac=1, random_state=0).to_csv("own.csv")
    comparison, shared = reports.compare_file("own.csv", name), geirhos2020.exemplars(theirs.truth.index)
    both = theirs.join(erralign.read_answers("own.csv"))
    expected = erralign.pairwise_intervals(both, with_="mine", clusters=shared)[LIMITS]
    limits = comparison.pairs[LIMITS].iloc[-len(expected) :]
    np.testing.assert_allclose(limits.to_numpy(float), expected.to_numpy(float), rtol=1e-9)
    assert "clustered by shape and texture" in methods(comparison)


def test_json_says_which_classes_were_declared_and_how_much_was_not_answered(answers):
    more = ",".join([*examples._ANIMALS, "goat", "pig"])
    asked = (), ("--classes", more, "--person", "mine-old")
    plain, declared = (json.loads(compare(answers, "--json", *words).stdout) for words in asked)
    assert (len(plain["classes"]), len(declared["classes"])) == (6, 8)
    assert plain["pairs"][0]["CLES"] != declared["pairs"][0]["CLES"]
    assert declared["pairs"][0]["kind"] == "model-human"
    assert any("mine-old gave no answer on 3 of 240 trials" in note for note in declared["notes"])


def test_a_system_without_errors_has_no_ec_and_ma_says_its_number_of_trials(answers):
    long_name = "the network that makes no error and has a name that no table cuts off anywhere"
    pd.read_csv(answers).assign(**{long_name: lambda table: table["truth"]}).to_csv("perfect.csv", index=False)
    run = compare("perfect.csv")
    assert re.search(f"{long_name} +mine-old +0 +makes no error +0.00( +undefined){{3}} ", run.stdout)
    assert f"note: {long_name} makes no error, so it has no EC." in run.stderr
    pairs = json.loads(compare("perfect.csv", "--json").stdout)["pairs"]
    undefined = {(pair["EC"], pair["EC_low"], pair["MA"], pair["MA_n"]) for pair in pairs if long_name in pair.values()}
    assert undefined == {(None, None, None, 0)}


def test_less_can_be_asked_for(answers):
    less = "--measures", "EC,CLES", "--pairs", "mine-new", "--resamples", "300"
    pairs = json.loads(compare(answers, "--data", ANIMALS, "--json", *less).stdout)["pairs"]
    assert not any("MA" in pair for pair in pairs)
    assert sum(pair["EC_low"] is not None for pair in pairs) == 9


ONE_SYSTEM = "image,truth,mine\na.png,cat,dog\nb.png,dog,dog\n"
WRONG = [
    ("answers.csv --data example/animal", None, "example/animals"),
    (
        "answers.csv --data geirhos2020/edges",
        None,
        "geirhos2020/edges is not on this machine, and ERRALIGN_OFFLINE=1 forbids",
    ),
    (f"wrong.csv --data {ANIMALS}", ONE_SYSTEM, "a.png"),
    ("wrong.csv", ONE_SYSTEM, "there is nobody to compare it with"),
    ("answers.csv --person ann", None, "'ann'"),
    ("answers.csv --measures EC,CKA", None, "CKA compares representations: erralign similarity"),
    ("answers.csv --pairs ann,mine-new", None, "--pairs is 'ann'"),
    ("answers.csv --unread right", None, "--unread is 'right'"),
    ("answers.csv --level 95", None, "--level is 95"),
    ("answers.csv --classes cat,dog", None, "which is no class"),
]


def test_an_error_is_one_line_with_status_2_and_no_page(answers, monkeypatch):
    monkeypatch.setattr(archives, "_places", lambda key: [])
    for arguments, content, part in WRONG:
        (answers.parent / "wrong.csv").write_text(content or "")
        run = compare(*arguments.split(), "--report", "report.html")
        *taken, error = run.stderr.splitlines()  # what was read before it went wrong, and why it did
        assert (run.exit_code, run.stdout, [line for line in taken if "erralign: " in line]) == (2, "", [])
        assert part in error
    assert {path.name for path in answers.parent.iterdir()} == {"answers.csv", "wrong.csv"}
    assert "is a directory" in compare(answers, "--report", answers.parent).stderr
    run = compare(answers, "--report", answers / "report.html")  # in what is no folder
    assert run.exit_code == 1
    assert run.stdout  # the table is not lost


def test_no_command_writes_over_a_file_that_it_reads(answers):
    before = answers.read_bytes()
    for command in (["compare", "answers.csv", "--report"], ["join", "answers.csv", "--to"]):
        run = typed(*command, answers)
        assert (run.exit_code, run.stdout, answers.read_bytes()) == (2, "", before)
        assert "is one of the files to be read" in run.stderr


def test_a_report_ends_with_what_a_paper_needs(answers):
    digest = hashlib.sha256(answers.read_bytes()).hexdigest()
    for name in ("report.html", "report.md"):
        assert compare("answers.csv", "--data", ANIMALS, "--report", name).exit_code == 0
        report = html.unescape((answers.parent / name).read_text())
        assert f"erralign compare answers.csv --data {ANIMALS} --report {name}" in report
        assert f"SHA-256 {digest}" in report
        assert "mine-old, mine-new with 4 people and 4 networks on 240 trials of 6 classes" in report
        assert "95 % intervals (EC: dirichlet, 10,000 draws; MA: wilson; CLES: " in report
        assert len(re.findall(r"@\w+{(geirhos2020|xu2024),", report)) == 2


def test_names_that_a_spreadsheet_would_run_are_escaped_and_read_back(here):
    names = ["=1+2", "+net", "-net", "@net"]
    table = pd.DataFrame({"trial": ["=a", "b", "c"], "truth": ["cat", "dog", "cat"]})
    for name in names:
        table[name] = ["dog", "dog", "cat"]
    for_spreadsheets(table).to_csv("mine.csv", index=False)
    assert (here / "mine.csv").read_text().startswith("trial,truth,'=1+2,'+net,'-net,'@net\n'=a,cat,dog")
    numbers = pd.DataFrame({"lead": [0.5, -0.5], "as text": ["-0.5", "+1e3"]})
    pd.testing.assert_frame_equal(for_spreadsheets(numbers), numbers)
    assert [system["system"] for system in json.loads(compare("mine.csv", "--json").stdout)["systems"]] == names
    assert typed("join", "mine.csv").exit_code == 0
    assert (here / "joined.csv").read_text() == (here / "mine.csv").read_text()


def test_a_name_in_a_report_in_markdown_is_text_and_nothing_else(here):
    names = ["<img src=x onerror=alert(1)>", "a|b*c*[x](y)", "`n_n_n`", "- $x$ ~~y~~ &lt;", "``` end"]
    rng = np.random.default_rng(0)
    words = ["cat", "do*g*", "<b>bird</b>"]
    table = pd.DataFrame({"image": range(60), "truth": rng.choice(words, 60)})
    for name in names:
        table[name] = rng.choice(words, 60)
    table.to_csv("mine.csv", index=False)
    assert compare("mine.csv", "--report", "report.md").exit_code == 0
    rendered = MarkdownIt().enable(["table", "strikethrough"]).render(Path("report.md").read_text(encoding="utf-8"))
    page = BeautifulSoup(rendered, "html.parser")
    assert {*names} <= {cell.text for cell in page.select("td")}
    parts = {part.name for part in page.find_all()}
    assert not parts & {"a", "b", "del", "em", "hr", "img", "li", "ul"}
    assert {code.parent.name for code in page.select("code")} == {"pre"}
    assert names[0] in page.p.text


@pytest.mark.skipif(sys.platform != "linux", reason="ulimit -v is of Linux")
def test_too_little_memory_for_the_charts_is_said_and_markdown_needs_none(answers):
    line = f"ulimit -v 6000000; OMP_NUM_THREADS=1 {sys.executable} -m erralign compare answers.csv --report"
    path = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = [
        subprocess.run(["bash", "-c", f"{line} {name}"], capture_output=True, text=True, env=path)
        for name in ("report.html", "report.md")
    ]
    assert [run.returncode for run in ended] == [1, 0], ended[1].stderr
    assert "too little memory (ulimit -v), raise the limit, or write NAME.md" in ended[0].stderr.splitlines()[-1]


def test_papers_of_all_measures_and_data_sets_are_in_the_references():
    known = re.findall(r"^@\w+{(\w+),", _BIBLIOGRAPHY.read_text(encoding="utf-8"), re.MULTILINE)
    of_errors = {each.about.paper for each in registry.MEASURES.values() if isinstance(each, registry.Measure)}
    assert of_errors | {_key_of(each.paper) for each in records().values() if each.paper} <= {*known}


# --- the page --------------------------------------------------------------------------------------------------------


def test_the_same_answers_give_the_same_page_and_names_are_text(answers):
    sly = "<script>alert(1)</script>"
    pd.read_csv(answers).rename(columns={"mine-old": sly}).to_csv("sly.csv", index=False)
    first, second = (reports.page(reports.compare_file("sly.csv", ANIMALS)) for _ in range(2))
    assert first == second
    assert not re.search('(?:src|href)="', first.partition("<script>")[0])
    assert sly not in first
    assert "&lt;script&gt;alert(1)" in first


def test_too_many_pairs_for_a_heatmap_are_left_out_and_named():
    words = np.random.default_rng(0).integers(0, 3, (113, 30))
    many = erralign.Responses.from_table(
        words[0], {f"net-{i}": column for i, column in enumerate(words[1:])}, name="many"
    )
    mine, theirs = (many.select(systems=[*many.answers][part]) for part in (slice(1), slice(1, None)))
    page = reports.page(reports.compare(mine, theirs, how=Options(n_resamples=100)))
    assert "A heatmap of 6,216 pairs" in page


def test_the_page_makes_no_request_shows_the_numbers_of_the_functions_and_a_menu_changes_it(browser, answers):
    assert compare(answers, "--data", ANIMALS, "--report", "report.html").exit_code == 0
    limits = by_hand().loc[("ann", "mine-new"), ["CLES_low", "CLES_high"]].astype(float)
    with shown(browser, (answers.parent / "report.html").as_uri()) as view:
        assert view.locator("figure.vl").last.locator(".mark-rect.role-mark path").count() == 2 * 45  # of ten systems
        view.set_viewport_size({"width": 390, "height": 900})
        assert view.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
        view.set_viewport_size({"width": 1280, "height": 900})
        assert violations(view) == {}
        figure = view.locator("figure.vl").nth(2)
        figure.locator("select").nth(0).select_option("CLES")
        figure.locator("select").nth(1).select_option("mine-new")
        expect(figure.locator("[role=status]")).to_contain_text("mine-new")
        figure.locator("svg .mark-symbol.role-mark path").first.hover()
        view.locator("#vg-tooltip-element").get_by_text("{:.3f} to {:.3f}".format(*limits)).wait_for()
        view.emulate_media(color_scheme="dark")
        view.wait_for_function("document.documentElement.dataset.theme === 'dark'")
        assert violations(view, runOnly=COLOURS) == {}
        view.emulate_media(media="print")  # nobody has scrolled to all figures
        view.wait_for_function("[...document.querySelectorAll('figure.vl')].every(each => each.dataset.drawn)")
