"""Guests: what is read and refused, what is said of them, and that each page that can shows them by name."""

import json
import re
import shutil

import nbformat
import numpy as np
import pandas as pd
import pytest
from browsing import shown
from conftest import ROOT
from playwright.sync_api import expect
from scipy.stats import binomtest
from test_chapters import VALUES
from test_sit import beside, page_of_you
from textbook import cues_named, textbook_ec

import erralign
from erralign.datasets.geirhos2020 import textures
from erralign.plot.theme import number
from erralign_book.building import chapters
from erralign_book.building import guests as building
from erralign_book.charts.guests import PARTS, parts_of
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


BAD = {
    "within classes": (
        CUES,
        lambda t, rng: t.assign(net=t.groupby("truth")["net"].transform(rng.permutation)),
        "shuffled or shifted",
    ),
    "one answer": (EDGES, lambda t, _: t.assign(net="knife"), "which guessing gives, too"),
    "the truth": (EDGES, lambda t, _: t.assign(net=t["truth"]), "these are the true classes"),
    "other classes": (EDGES, lambda t, _: t.assign(net=t["net"] + "s"), "answers-geirhos2020-edges.csv"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_right_is_refused_by_name_with_the_reason(name, tmp_path):
    data_set, change, reason = BAD[name]
    folder = written(tmp_path, data_set, "vgg19-bn", "net", change)
    with pytest.raises(ValueError, match=reason):
        guests(str(folder))


# --- as one more system of what is loaded -----------------------------------------------------------------------------


def test_a_loaded_set_has_the_guests_that_the_book_has(made, guest):
    for data_set, both in guest.sets.items():
        loaded = erralign.load(data_set, guest=made["many"])
        assert (loaded.guests, loaded.name) == (["my-net"], data_set)
        pd.testing.assert_frame_equal(loaded.answers, both.answers)
        assert loaded.systems.loc["my-net", ["kind", "family"]].tolist() == ["model", "guest"]


def test_files_for_other_sets_are_passed_over_and_several_are_joined(made):
    assert erralign.load("xu2024/colour", guest=made["many"]).guests == []
    file = made["one"] / "answers-geirhos2020-edges.csv"
    assert erralign.load(EDGES, guest=[str(file), made["many"]]).guests == ["one-net", "my-net"]
    assert erralign.load(CUES, guest=made["person"]).systems.loc["ann", "kind"] == "human"


def test_a_guest_keeps_its_name_apart_and_says_why_it_has_fewer_pictures(tmp_path):
    alone = written(tmp_path / "alone", EDGES, "alexnet", "alexnet") / "answers-geirhos2020-edges.csv"
    mine = alone.rename(tmp_path / "mine.csv")
    assert erralign.load(EDGES, guest=mine).guests == ["alexnet (yours)"]
    few, why = (lambda table, _: table.iloc[:100]), {"note": "100 of the 160 pictures"}
    with pytest.raises(ValueError, match=r"has no row for trial '.*\.png', one of 60 that it lacks, of the 160"):
        erralign.load(EDGES, guest=written(tmp_path / "few", EDGES, "alexnet", "net", few))
    noted = written(tmp_path / "noted", EDGES, "alexnet", "net", few, why)
    assert erralign.load(EDGES, guest=noted).answers.shape == (100, 36)
    (guest,) = guests(str(noted))
    assert len(guest.sets[EDGES].truth) == 100
    for folder, message in {
        "nowhere": "guest is 'nowhere'; expected the path",
        tmp_path: "does not say which data",
    }.items():
        with pytest.raises(ValueError, match=message):
            guests(str(folder))
        with pytest.raises(ValueError, match=message):
            erralign.load(EDGES, guest=folder)


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


def test_shape_bias_is_that_of_a_plain_loop(guest):
    cues = guest.sets[CUES]
    named = cues_named([cues.answers[guest.name]], cues.truth.to_numpy(), textures(cues.truth.index))
    biases = tables.shape_bias_by_category(guest).set_index("category").loc[list(cues.classes)]
    assert biases["shape_bias"].tolist() == pytest.approx(named[:, 0] / named[:, :2].sum(axis=1))
    bias = tables.shape_bias(guest)
    shapes, others = named[:, :2].sum(axis=0).astype(int)
    limits = binomtest(shapes, shapes + others).proportion_ci(method="wilson")
    assert bias.mine == pytest.approx(shapes / (shapes + others))
    assert (bias.high + bias.theirs, bias.low + bias.theirs) == pytest.approx((limits.high, limits.low))


def test_accuracies_by_difficulty_are_those_of_plain_loops(guest):
    right = guest.sets[CUES].answers.eq(guest.sets[CUES].truth, axis=0)
    hits = right.filter(like="subject").sum(axis=1)  # of ten people
    shares, lead = tables.by_difficulty(guest, CUES)
    parts = [right.loc[hits.isin(range(*ends)), guest.name] for ends in ((0, 4), (4, 7), (7, 11))]
    assert shares.tolist() == pytest.approx([part.mean() for part in parts])
    assert (lead.mine, lead.theirs) == pytest.approx((parts[2].mean(), parts[0].mean()))


def test_nothing_is_claimed_whose_interval_holds_0_or_is_undefined():
    ahead, behind, open_ = Lead(0.3, 0.1, 0.2, 0.1, 0.3), Lead(0.1, 0.3, -0.2, -0.3, -0.1), Lead(0.1, 0.1, 0, -0.1, 0.1)
    (said,) = over_sets("net", "EC", {"a": ahead, "b": behind, "c": behind, "d": open_}, "two people have")
    assert f"higher on 1; lower on 2; on 1 {CANNOT_TELL}." in said
    assert "higher" in compared("net", "a", "EC", ahead, "people")
    nan = float("nan")
    for lead in (Lead(0.1, 0.2, -0.1, nan, nan), Lead(nan, 0.2, nan, nan, nan), open_):
        assert CANNOT_TELL in compared("net", "a", "EC", lead, "people")


# --- chapters --------------------------------------------------------------------------------------------------------


def test_every_page_with_the_parameter_shows_the_guests_by_name_or_says_why_not(made):
    assert {name for name in VALUES if "guest" in VALUES[name]} == set(PARTS) == set(building.guested(ROOT))
    for kind, least in {"one": 16, "many": 19, "person": 18}.items():
        everybody = guests(str(made[kind]))
        (guest,) = everybody
        shown_on = [name for name in PARTS if answered(name, guest)]
        assert len(shown_on) >= least
        for name in PARTS:
            part = parts_of(name, everybody)
            charts = [each.to_dict() for each in part.shown if hasattr(each, "to_dict")]
            everything = [*map(json.dumps, charts), *map(repr, part.shown), *part.words]
            assert any(guest.name in text for text in everything), name
            if name not in shown_on:
                assert part.words[0].startswith(f"This page cannot show {guest.name}: there are no answers to ")
    two = [*guests(str(made["one"])), *guests(str(made["person"]))]
    text = json.dumps(parts_of("error-consistency", two).shown[0].to_dict())
    assert [name for name in ("one-net", "ann") if name not in text] == []


def test_a_build_fills_only_the_cells_about_guests(made, tmp_path):
    name = "so-do-they"
    (tmp_path / f"{name}.ipynb").write_text(chapters.finished(chapters.prepared(chapters.source(name, ROOT))))
    said = building.fill([name], made["many"], tmp_path)
    assert said[name][0].startswith("The EC with people of my-net on 5 data sets")
    with_output = [cell for cell in nbformat.read(tmp_path / f"{name}.ipynb", 4).cells if cell.get("outputs")]
    assert ["guest" in cell.metadata["tags"] for cell in with_output] == [True]
    page = building.first_page(made["many"], said, ROOT)
    assert "{doc}`so-do-they`" in page
    assert said[name][0] not in page  # no finding of the first page comes from there


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
