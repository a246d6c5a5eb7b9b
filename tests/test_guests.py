"""Guests: what is read and refused, what is said of them, and that each page that can shows them by name."""

import json
import os
import re
import shutil
from itertools import combinations
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest
from browsing import shown
from conftest import ROOT
from playwright.sync_api import expect
from scipy.stats import binomtest
from test_chapters import VALUES
from test_executions import assert_whole, read
from test_sit import beside, page_of_you
from textbook import cues_named, textbook_ec

import erralign
from erralign.cli.models import _sets
from erralign.datasets.geirhos2020 import textures
from erralign.plot.theme import number
from erralign_book.building import chapters
from erralign_book.building import guests as building
from erralign_book.charts.guests import PARTS, parts_of, show
from erralign_book.charts.guests.part import answered
from erralign_book.papers.guests import tables
from erralign_book.papers.guests.reading import ALONE, guests
from erralign_book.papers.guests.tables import over_equals, over_people, pairs
from erralign_book.papers.guests.words import CANNOT_TELL, Lead, compared, over_sets

pytestmark = pytest.mark.usefixtures("requires_data")

CUES, EDGES, SILHOUETTES = (f"geirhos2020/{name}" for name in ("cue-conflict", "edges", "silhouettes"))
OTHERS = ("xu2024/stylized", "xu2024/contrast")


def written(folder, data_set, system, name, change=lambda table, rng: table, facts=None):
    """Write what a stored system said, in another order and under another name, as `erralign run` does."""
    stored, rng = erralign.load(data_set), np.random.default_rng(1)
    words = dict(enumerate(stored.classes)) | {-1: "na"}
    table = pd.DataFrame({"truth": stored.truth.map(words), name: stored.answers[system].map(words)})
    folder.mkdir(exist_ok=True)
    file = folder / f"answers-{data_set.replace('/', '-')}.csv"
    change(table, rng).sample(frac=1, random_state=1).to_csv(file)
    if facts:
        pd.DataFrame([{"model": name, **facts}]).to_csv(file.with_suffix(".models.csv"), index=False)
    return folder


def noisy(table, rng, share=0.3):
    """Let a system answer at random now and then, as no stored system does."""
    name = table.columns[-1]
    guesses = rng.choice(table["truth"].unique(), len(table))
    return table.assign(**{name: np.where(rng.random(len(table)) < share, guesses, table[name])})


@pytest.fixture(scope="module")
def made(tmp_path_factory, requires_data):
    """Return a folder for each kind of guest: a model on one set, on many, a person, and two at once."""
    root = tmp_path_factory.mktemp("guests")
    written(root / "one", EDGES, "alexnet", "one-net", noisy)
    for data_set in (CUES, EDGES, SILHOUETTES, *OTHERS):
        written(root / "many", data_set, "vgg19" if data_set in OTHERS else "vgg19-bn", "my-net", noisy)
    for data_set in (SILHOUETTES, CUES):
        written(root / "person", data_set, "subject-03", "ann", lambda t, r: noisy(t, r, 0.1), {"kind": "human"})
    return {kind: root / kind for kind in ("one", "many", "person")}


@pytest.fixture
def guest(made):
    (found,) = guests(str(made["many"]))
    return found


# --- reading ---------------------------------------------------------------------------------------------------------


def test_a_folder_is_read_by_the_names_of_its_files(made, guest):
    assert (guest.name, guest.kind, set(guest.sets)) == ("my-net", "model", {CUES, EDGES, SILHOUETTES, *OTHERS})
    (ann,) = guests(str(made["person"]))
    assert (ann.kind, ann.copies) == ("human", {})
    assert guests("") == ()
    alone = made["one"].parent / "my file.csv"
    shutil.copy(made["many"] / "answers-geirhos2020-cue-conflict.csv", alone)
    assert list(guests(str(alone))[0].sets) == [CUES]  # what a single file answers if its name does not say


def test_a_copy_of_a_stored_system_is_called_one_and_keeps_apart_from_it(tmp_path):
    (copy,) = guests(str(written(tmp_path, SILHOUETTES, "resnet50", "resnet50")))
    assert (copy.name, copy.copies[SILHOUETTES]) == ("resnet50" + ALONE, ("resnet50", 1))
    said = parts_of("error-consistency", [copy]).words
    assert said[-1] == f"{copy.name} is a copy: it gives the answers of resnet50 to 100.0 % of silhouettes."


def within_classes(table, change):
    return table.assign(net=table.groupby("truth")["net"].transform(change))


GUESSED = "which guessing gives, too"
BAD = {
    "shuffled": (CUES, lambda t, rng: t.assign(net=rng.permutation(t["net"])), f"{GUESSED}|shuffled or shifted"),
    "within classes": (CUES, lambda t, rng: within_classes(t, rng.permutation), "shuffled or shifted"),
    "shifted": (CUES, lambda t, _: within_classes(t, lambda net: net.shift(1, fill_value="cat")), "shuffled or shift"),
    "one answer": (EDGES, lambda t, _: t.assign(net="knife"), GUESSED),
    "the truth": (EDGES, lambda t, _: t.assign(net=t["truth"]), "these are the true classes"),
    "other classes": (EDGES, lambda t, _: t.assign(net=t["net"] + "s"), "answers-geirhos2020-edges.csv"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_right_is_refused_by_name_with_the_reason(name, tmp_path):
    data_set, change, reason = BAD[name]
    folder = written(tmp_path, data_set, "vgg19-bn", "net", change)
    with pytest.raises(ValueError, match=reason):
        guests(str(folder))


def test_a_refusal_names_the_file_that_was_given(tmp_path, monkeypatch):
    file = written(tmp_path, EDGES, "vgg19-bn", "net", BAD["one answer"][1]) / "answers-geirhos2020-edges.csv"
    monkeypatch.chdir(tmp_path)
    file.rename("mine.csv")
    with pytest.raises(ValueError, match=r"^mine\.csv: net is right on"):
        building.prepare(Path("mine.csv"), EDGES, subset=False, person=False)


def test_every_stored_system_above_chance_would_be_accepted(tmp_path):
    """The limits refuse no honest answers: of the stored systems only those at about chance, which is .0625."""
    for data_set in (SILHOUETTES, "xu2024/stylized"):
        stored, refused = erralign.load(data_set), []
        for system in stored.answers:
            folder = written(tmp_path / f"{system}-{data_set[-3:]}", data_set, system, "net")
            try:
                guests(str(folder))
            except ValueError as error:
                refused.append((system, str(error)))
            right = stored.answers.eq(stored.truth, axis=0).mean()
        assert [each for each in refused if right[each[0]] > 0.1] == []


def test_a_run_that_had_fewer_pictures_says_so_itself_and_a_folder_says_which_sets(tmp_path):
    few, of_these = (lambda table, _: table.sample(300, random_state=0)), {"note": "300 of the 1,280 pictures"}
    (guest,) = guests(str(written(tmp_path / "few", CUES, "vgg19-bn", "net", few, of_these)))
    assert len(guest.sets[CUES].truth) == 300
    shutil.copytree(tmp_path / "few", tmp_path / "named", copy_function=lambda a, b: shutil.copy(a, f"{b}-x.csv"))
    with pytest.raises(ValueError, match="does not say which data set it answers"):
        guests(str(tmp_path / "named"))
    with pytest.raises(ValueError, match=r"guest is 'nowhere'; expected the path"):
        guests("nowhere")


# --- as one more system of what is loaded -----------------------------------------------------------------------------


def test_a_loaded_set_has_the_guests_that_the_book_has(made, guest):
    for data_set, both in guest.sets.items():
        loaded = erralign.load(data_set, guest=made["many"])
        assert (loaded.guests, loaded.name) == (["my-net"], data_set)
        pd.testing.assert_frame_equal(loaded.answers, both.answers)
        assert loaded.systems.loc["my-net", ["kind", "family"]].tolist() == ["model", "guest"]
    twin = erralign.load("model-vs-human/edge", guest=made["many"])  # the same pictures under another name
    edges = guest.sets[EDGES].answers["my-net"]
    assert (twin.answers["my-net"].droplevel("condition").loc[edges.index] == edges).all()


def test_files_for_other_sets_are_passed_over_and_several_are_joined(made):
    assert erralign.load("xu2024/colour", guest=made["many"]).guests == []
    assert erralign.load(EDGES).guests == erralign.load(EDGES, guest=made["person"]).guests == []
    file = made["one"] / "answers-geirhos2020-edges.csv"
    assert erralign.load(CUES, guest=file).guests == []
    assert erralign.load(EDGES, guest=[str(file), made["many"]]).guests == ["one-net", "my-net"]
    assert erralign.load(CUES, guest=made["person"]).systems.loc["ann", "kind"] == "human"
    kinds = erralign.pairwise(erralign.load(EDGES, guest=file), "EC", with_="one-net")
    assert set(kinds["family_b"]) == {"guest"}


def test_a_guest_keeps_its_name_apart_and_says_why_it_has_fewer_pictures(tmp_path):
    alone = written(tmp_path / "alone", EDGES, "alexnet", "alexnet") / "answers-geirhos2020-edges.csv"
    mine = alone.rename(tmp_path / "mine.csv")
    assert erralign.load(EDGES, guest=mine).guests == ["alexnet (yours)"]
    few, why = (lambda table, _: table.iloc[:100]), {"note": "100 of the 160 pictures"}
    with pytest.raises(ValueError, match=r"has no row for trial '.*\.png', one of 60 that it lacks, of the 160"):
        erralign.load(EDGES, guest=written(tmp_path / "few", EDGES, "alexnet", "net", few))
    loaded = erralign.load(EDGES, guest=written(tmp_path / "noted", EDGES, "alexnet", "net", few, why))
    assert loaded.answers.shape == (100, 36)
    with pytest.raises(ValueError, match=r"guest is 'nowhere'; expected the path"):
        erralign.load(EDGES, guest="nowhere")
    with pytest.raises(ValueError, match="does not say which data set it answers"):
        erralign.load(EDGES, guest=tmp_path)


def test_run_takes_all_sets_with_public_pictures_once():
    assert _sets(("all",)) == [CUES, EDGES, SILHOUETTES]
    assert _sets((EDGES,)) == [EDGES]


# --- what is computed, and said --------------------------------------------------------------------------------------


def test_values_are_those_of_plain_numpy(guest):
    both = guest.sets[SILHOUETTES]
    truth, answers, kinds = both.truth.to_numpy(), both.answers, both.systems["kind"]
    others = answers.columns.drop(guest.name)
    people, networks = (others[(kinds[others] == kind).to_numpy()] for kind in ("human", "model"))
    values = {a: [textbook_ec(truth, answers[a], answers[b]) for b in people if b != a] for a in answers}
    mean = {name: np.mean(each) for name, each in values.items()}
    lead = over_people(guest, SILHOUETTES, "EC")
    two = np.mean([mean[person] for person in people])
    assert lead.mine == pytest.approx(mean[guest.name], abs=1e-12)
    assert (lead.theirs, lead.value) == pytest.approx((two, mean[guest.name] - two), abs=1e-12)
    right = answers.eq(truth, axis=0).mean()
    equals = [name for name in networks if abs(right[name] - right[guest.name]) < 0.05]
    beside, n = over_equals(guest, SILHOUETTES, "EC")
    assert n == len(equals) > 0
    assert beside.theirs == pytest.approx(np.mean([mean[name] for name in equals]), abs=1e-12)
    assert beside.low < beside.value < beside.high
    table = pairs(guest, SILHOUETTES).set_index("system_a")["EC"]
    expected = textbook_ec(truth, answers["subject-02"], answers[guest.name])
    assert table["subject-02"] == pytest.approx(expected, abs=1e-6)


def test_groups_and_shares_are_those_of_plain_loops(made, guest):
    (ann,) = guests(str(made["person"]))
    truth, said = guest.sets[CUES].truth.to_numpy(), guest.sets[CUES].answers.to_dict("list")
    whose = tables.means(guest, CUES, "EC").set_index("system")["whose"]
    assert whose.value_counts().to_dict() == {"networks": len(said) - 11, "people": 1, "yours": 1}
    assert not whose.index.str.startswith("subject").any()
    assert len(tables.people_of(ann.sets[CUES], ann)) == 10
    networks = [name for name in said if not name.startswith(("subject", guest.name))]
    found = tables.among_models(guest, CUES)
    mine, two = [(guest.name, name) for name in networks], combinations(networks, 2)
    ec = [np.mean([textbook_ec(truth, *map(np.array, (said[a], said[b]))) for a, b in each]) for each in (mine, two)]
    assert [found["EC with models"], found["EC of two models"]] == pytest.approx(ec)
    named = cues_named([said[guest.name]], truth, textures(guest.sets[CUES].truth.index))
    biases = tables.shape_bias_by_category(guest).set_index("category").loc[list(guest.sets[CUES].classes)]
    assert biases["shape_bias"].tolist() == pytest.approx(named[:, 0] / named[:, :2].sum(axis=1))
    bias = tables.shape_bias(guest)
    shapes, others = named[:, :2].sum(axis=0).astype(int)
    limits = binomtest(shapes, shapes + others).proportion_ci(method="wilson")
    assert bias.mine == pytest.approx(shapes / (shapes + others))
    assert (bias.high + bias.theirs, bias.low + bias.theirs) == pytest.approx((limits.high, limits.low))


def test_overlaps_and_accuracies_by_difficulty_and_condition_are_those_of_plain_loops(guest):
    right = guest.sets[CUES].answers.eq(guest.sets[CUES].truth, axis=0)
    for name, row in tables.overlaps(guest, CUES).set_index("system_a").iterrows():
        a, b = right[name].mean(), right[guest.name].mean()
        assert row["observed"] == pytest.approx((right[name] == right[guest.name]).mean())
        assert row["expected"] == pytest.approx(a * b + (1 - a) * (1 - b))
    hits = right.filter(like="subject").sum(axis=1)  # of ten people
    shares, lead = tables.by_difficulty(guest, CUES)
    parts = [right.loc[hits.isin(range(*ends)), guest.name] for ends in ((0, 4), (4, 7), (7, 11))]
    assert shares.tolist() == pytest.approx([part.mean() for part in parts])
    assert (lead.mine, lead.theirs) == pytest.approx((parts[2].mean(), parts[0].mean()))
    seen = guest.sets[OTHERS[1]]
    right = seen.answers[guest.name] == seen.truth
    for condition, row in tables.by_condition(guest, OTHERS[1]).iterrows():
        its = right[right.index.get_level_values("condition") == condition]
        limits = binomtest(int(its.sum()), len(its)).proportion_ci(method="wilson")
        assert row[["accuracy", "low", "high"]].tolist() == pytest.approx([its.mean(), limits.low, limits.high])


@pytest.mark.slow
def test_twenty_made_guests_get_a_true_sentence_or_cannot_tell(tmp_path):
    """From 400 of 1,280 pictures nothing is said that all pictures contradict."""
    stored = erralign.load(CUES)
    networks = stored.systems.index[stored.systems["kind"] == "model"][:20]
    told = 0
    for network in networks:
        half = lambda table, rng: table.loc[rng.permutation(table.index)[:400]]  # noqa: E731
        folder = written(tmp_path / network, CUES, network, "made", half, {"note": "400 pictures"})
        try:
            (guest,) = guests(str(folder))
        except ValueError:
            continue  # at chance on so few
        whole = written(tmp_path / f"{network}-whole", CUES, network, "made")
        for few, all_of_it in zip(_leads(guest), _leads(guests(str(whole))[0]), strict=True):
            sentence = compared("made", "these", "EC", few, "others have")
            way = re.search(r"has a (higher|lower) EC", sentence)
            assert (way is None) == (few.verdict == "cannot tell") == (CANNOT_TELL in sentence)
            if way:
                told += 1
                assert way[1] == ("higher" if all_of_it.value > 0 else "lower"), (network, few, all_of_it)
    assert told > 15


def _leads(guest):
    return [over_people(guest, CUES, "EC"), over_people(guest, CUES, "MA"), over_equals(guest, CUES, "EC")[0]]


def test_of_many_sets_sentences_are_counted_and_nothing_undefined_is_claimed():
    ahead, behind, open_ = Lead(0.3, 0.1, 0.2, 0.1, 0.3), Lead(0.1, 0.3, -0.2, -0.3, -0.1), Lead(0.1, 0.1, 0, -0.1, 0.1)
    (said,) = over_sets("net", "EC", {"a": ahead, "b": behind, "c": behind, "d": open_}, "two people have")
    beside = "The EC of net on 4 data sets, beside what two people have"
    assert said == f"{beside}: higher on 1; lower on 2; on 1 {CANNOT_TELL}."
    nan = float("nan")
    for lead in (Lead(0.1, 0.2, -0.1, nan, nan), Lead(nan, 0.2, nan, nan, nan), open_):
        assert CANNOT_TELL in compared("net", "a", "EC", lead, "people")


# --- chapters --------------------------------------------------------------------------------------------------------


def test_every_part_has_a_page_and_every_page_with_the_parameter_a_part():
    assert {name for name in VALUES if "guest" in VALUES[name]} == set(PARTS) == set(building.guested(ROOT))
    assert len(PARTS) >= 20


@pytest.mark.parametrize("kind", ["one", "many", "person"])
def test_each_page_shows_the_guest_by_name_or_says_why_not(made, kind):
    everybody = guests(str(made[kind]))
    (guest,) = everybody
    n_shown = 0
    for name in PARTS:
        part = parts_of(name, everybody)
        charts = [each.to_dict() for each in part.shown if hasattr(each, "to_dict")]
        assert all("description" in chart for chart in charts)
        everything = [*map(json.dumps, charts), *map(repr, part.shown), *part.words]
        assert any(guest.name in text for text in everything), name
        assert all(guest.name in json.dumps(chart["title"]) + json.dumps(chart.get("datasets")) for chart in charts)
        n_shown += bool(answered(name, guest))
        if not answered(name, guest):
            assert part.words[0].startswith(f"This page cannot show {guest.name}: there are no answers to ")
    assert n_shown >= {"one": 16, "many": 19, "person": 18}[kind]


def test_two_guests_stand_in_one_chart(made):
    two = [*guests(str(made["one"])), *guests(str(made["person"]))]
    text = json.dumps(parts_of("error-consistency", two).shown[0].to_dict())
    assert [name for name in ("one-net", "ann") if name not in text] == []
    assert show("error-consistency", "") is None


def test_a_build_fills_only_the_cells_about_guests(made, tmp_path):
    name = "so-do-they"
    (tmp_path / f"{name}.ipynb").write_text(chapters.finished(chapters.prepared(chapters.source(name, ROOT))))
    said = building.fill([name], made["many"], tmp_path)
    assert said[name][0].startswith("The EC with people of my-net on 5 data sets")
    with_output = [cell for cell in nbformat.read(tmp_path / f"{name}.ipynb", 4).cells if cell.get("outputs")]
    assert ["guest" in cell.metadata["tags"] for cell in with_output] == [True]
    page = building.first_page(made["many"], said, ROOT)
    assert "{doc}`so-do-they`" in page
    assert "| {doc}`many-language-models` |  |" in page
    assert said[name][0] not in page  # no finding of the first page comes from there


def test_the_build_keeps_a_files_name_and_data_set(made, tmp_path):
    building.store(made["one"] / "answers-geirhos2020-edges.csv", tmp_path / "a", None, subset=False, person=True)
    assert guests(str(tmp_path / "a"))[0].kind == "human"
    building.store(made["one"] / "answers-geirhos2020-edges.csv", tmp_path / "b", EDGES, subset=False, person=False)
    assert list(guests(str(tmp_path / "b"))[0].sets) == [EDGES]


@pytest.mark.weekly
@pytest.mark.parametrize("name", PARTS)
def test_papermill_executes_each_chapter_with_a_guest(execute, made, tmp_path, name):
    said, charts, values = read(execute(name, {"guest": str(made["many"])}, dict(os.environ), tmp_path)[0])
    assert_whole(said, charts, values)
    assert "my-net" in said


# --- in the browser --------------------------------------------------------------------------------------------------


def test_in_the_browser_a_guest_is_a_row_by_its_name_until_it_is_forgotten(browser, tmp_path, guest):
    """The values are those of the package to 1e-12."""
    both = guest.sets[SILHOUETTES]
    said = both.answers[guest.name].map(dict(enumerate(both.classes)))
    found = {"systems": [{"name": "my-net", "labels": list(said)}], "parts": {"image": list(said.index)}}
    with shown(browser, page_of_you(tmp_path), ready="() => true") as view:
        assert view.evaluate("found => siteGuest.of(found, 'other.csv')", found) is None
        view.evaluate("found => siteGuest.keep(siteGuest.of(found, 'answers-geirhos2020-silhouettes.csv'))", found)
        view.reload()
        expect(view.locator(".guest-bar")).to_contain_text("Lessons show my-net, with 160 answers")
        expect(view.locator(".sit-you figure")).to_have_attribute("aria-label", re.compile("my-net with people"))
        found = view.evaluate(VALUE)
        kept = both.select(trials=[name.partition("/")[2] for name in found["images"]])
        people = kept.answers.filter(like="subject").items()
        expected = np.mean([textbook_ec(kept.truth, kept.answers["my-net"], said) for _, said in people])
        assert found["value"] == pytest.approx(expected, abs=1e-12)
        assert beside(view)[0].startswith(number(found["value"], 2))
        view.get_by_role("button", name="Forget my data").click()
        expect(view.locator(".guest-bar")).to_have_count(0)
        expect(view.locator(".sit-you")).to_have_text("")


VALUE = """() => {
    const { name, said } = siteGuest.kept();
    const places = [...sitData.images.keys()].filter(place => said[sitData.images[place]] !== undefined);
    const words = Object.fromEntries(places.map(place => [place, said[sitData.images[place]]]));
    const all = sitCompare.setUp([{ name, said: words }], places);
    const images = places.map(place => sitData.images[place]);
    return { value: sitCompare.withKind(all, all.systems[0], 'human').value, images };
}"""
