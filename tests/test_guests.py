"""Guests: what is read and refused, what is said of them, and that each page that can shows them by name."""

import re

import nbformat
import numpy as np
import pandas as pd
import pytest
from browsing import shown
from conftest import ROOT
from playwright.sync_api import expect
from test_chapters import VALUES
from test_sit import beside, page_of_you
from textbook import textbook_ec, textbook_ma

import erralign
from erralign._validation import ChapterError
from erralign.bounds import largest_mean_error_consistency
from erralign.datasets.features import confidences_of_guests, features_of_guests
from erralign.datasets.stimuli import in_every_copy
from erralign.measures.class_level_error_similarity import INDEPENDENT_ERRORS
from erralign.plot.theme import number
from erralign_book.building import chapters
from erralign_book.building import guests as building
from erralign_book.cells import table
from erralign_book.datasets import things
from erralign_book.guests import CANNOT_TELL, answered, beside_people, summary, yours
from erralign_book.papers import efficientnets
from erralign_book.simulations import labs

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


# --- twenty made guests, beside plain pandas --------------------------------------------------------------------------


def always(word):
    return lambda seen, rng: pd.Series(seen.classes.index(word), seen.truth.index)


def copy_of(name):
    return lambda seen, rng: seen.answers[name]


def mixed(first, second):
    return lambda seen, rng: seen.answers[first].where(rng.random(len(seen.truth)) < 0.5, seen.answers[second])


def right(share):
    def answers(seen, rng):
        guesses = rng.integers(len(seen.classes), size=len(seen.truth))
        return seen.truth.where(rng.random(len(seen.truth)) < share, guesses)

    return answers


def silent(share):
    return lambda seen, rng: seen.answers["vgg19"].where(rng.random(len(seen.truth)) > share, -1)


def within_classes(name):
    return lambda seen, rng: seen.answers[name].groupby(seen.truth).transform(lambda part: rng.permutation(part))


MADE = {
    "perfect": right(1),
    "chance": right(0),
    "half": right(0.5),
    "nearly": right(0.95),
    "person": copy_of("subject-03"),
    "network": copy_of("resnet50"),
    "dog": always("dog"),
    "knife": always("knife"),
    "two-people": mixed("subject-01", "subject-02"),
    "two-nets": mixed("alexnet", "vgg16"),
    "both": mixed("subject-01", "alexnet"),
    "silent": silent(0.5),
    "mute": silent(1),
    "dealt-person": within_classes("subject-03"),
    "dealt-net": within_classes("vgg19"),
    "most-said": lambda seen, rng: seen.answers.filter(like="subject").mode(axis=1)[0].astype(int),
    "least-right": lambda seen, rng: (seen.truth + 1) % len(seen.classes),
    "wrong-with-person": lambda seen, rng: seen.truth.where(
        seen.answers["subject-01"] == seen.truth, seen.answers["subject-05"]
    ),
    "right-where-net-is-wrong": lambda seen, rng: seen.truth.where(seen.answers["alexnet"] != seen.truth, 0),
    "shifted": lambda seen, rng: pd.Series(np.roll(seen.answers["vgg19"], 1), seen.truth.index),
}


def made_file(folder, name, data_set=EDGES):
    seen = erralign.load(data_set)
    words = dict(enumerate(seen.classes)) | {-1: "na"}
    answers = MADE[name](seen, np.random.default_rng(1)).map(words)
    file = folder / f"answers-{data_set.replace('/', '-')}.csv"
    pd.DataFrame({"truth": seen.truth.map(words), name: answers}).to_csv(file)
    return file


@pytest.mark.parametrize("name", MADE)
def test_value_and_sentence_of_made_guests_are_those_of_plain_pandas(name, tmp_path):
    file = str(made_file(tmp_path, name))
    table = pd.read_csv(file, index_col=0)
    others = erralign.load(EDGES)
    people = others.answers.filter(like="subject-")
    ids = {word: place for place, word in enumerate(others.classes)} | {"na": -1}
    truth, mine = table["truth"].map(ids).to_numpy(), table[name].map(ids).to_numpy()
    for measure, textbook in {"EC": textbook_ec, "MA": textbook_ma}.items():
        with np.errstate(invalid="ignore"):
            values = [textbook(truth, mine, people.loc[table.index, person].to_numpy()) for person in people]
        (row,) = beside_people(EDGES, file, measure).to_dict("records")
        expected = np.nanmean(values) if np.isfinite(values).any() else np.nan
        assert row["value"] == pytest.approx(expected, abs=1e-12, nan_ok=True)
        said = yours(file, measure).text.splitlines()
        (sentence,) = [line for line in said if line.startswith(f"On edges, {measure} of {name} with 10 people is ")]
        if np.isnan(expected):
            assert "is undefined" in sentence
            continue
        assert f" is {number(expected, 2)}" in sentence
        clear = row["gap_low"] > 0 or row["gap_high"] < 0
        verdict, *beside = re.split(r"\. (?=[A-Z])", sentence.removesuffix("."))
        assert (CANNOT_TELL in verdict) is not clear
        if measure == "EC":
            check_beside(row, verdict, beside, truth, mine, people.loc[table.index].to_numpy().T)
    (row,) = beside_people(EDGES, file, "accuracy").to_dict("records")
    assert row["value"] == pytest.approx(np.mean(truth == mine), abs=1e-12)


def check_beside(row, verdict, beside, truth, mine, people):
    """Find what could be reached beside a verdict on EC, and that of H where it is another."""
    reach = largest_mean_error_consistency(people == truth, np.mean(mine == truth))
    assert row["reach"] == pytest.approx(reach, abs=1e-9)
    told = ". ".join([verdict, *beside])
    assert f"at its accuracy {number(reach, 2)} " in told or f"At its accuracy {number(reach, 2)} " in told
    assert ("as it must be" in verdict) is bool(row["gap_high"] < 0 and reach < row["of_people"])
    sides = [np.sign(row[f"{gap}_low"]) + np.sign(row[f"{gap}_high"]) for gap in ("gap", "H_gap")]
    sides = [side if abs(side) == 2 else 0 for side in sides]
    defined = 0 < np.mean(mine == truth) < 1  # else H is 0/0
    assert ("By Loevinger's H" in told) is bool(defined and sides[0] != sides[1])


@pytest.mark.parametrize(("name", "words"), [("chance", "chance is near chance"), ("dog", "dog gives one")])
def test_who_guesses_is_called_so_first_and_gets_no_verdict_by_cles(name, words, tmp_path):
    file = str(made_file(tmp_path, name))
    told = yours(file, "EC", "CLES")
    first, *others = told.text.partition("\nOn edges, ")[2].splitlines()
    assert first.startswith(words)
    (about_cles,) = [line for line in others if " CLES of " in line]
    assert "independent errors with the same frequencies would give 0." in about_cles
    assert about_cles.endswith("since a system that guesses can have a CLES as high as theirs.")
    (row,) = beside_people(EDGES, file, "CLES").to_dict("records")
    assert np.isnan([row[f"{gap}{end}"] for gap in ("gap", "lead") for end in ("", "_low", "_high")]).all()
    pairs = erralign.pairwise(erralign.load(EDGES, guest=file), INDEPENDENT_ERRORS, with_=name)
    people = pairs[pairs["kind"] == "guest-human"]
    assert row["independent"] == pytest.approx(people["CLES_independent"].mean(), abs=1e-12)


def test_of_many_sets_verdicts_are_counted_with_what_could_be_reached(made):
    of = pd.concat([beside_people(name, str(made["many"]), "EC") for name in answered(str(made["many"]))])
    (said,) = [
        line for line in yours(str(made["many"]), "EC").text.splitlines() if line.startswith("EC of my-net on 5")
    ]
    beyond = (of["gap_high"] < 0) & (of["reach"] < of["of_people"])
    assert f"On {beyond.sum()} of these its accuracy allows no value as high as theirs. By Loevinger's H, " in said
    (about_cles,) = [
        line for line in yours(str(made["many"]), "CLES").text.splitlines() if line.startswith("CLES of my")
    ]
    n_apart = sum(beside_people(name, str(made["many"]), "CLES")["no_verdict"].ne("").sum() for name in of["data_set"])
    assert f"on {n_apart} it is not set against theirs, since " in about_cles


def test_copies_true_classes_and_missing_pictures_are_named(tmp_path):
    notes = {
        "network": "gives 100.0 % of the answers of resnet50",
        "person": "of subject-03",
        "perfect": "true classes",
    }
    for name, expected in notes.items():
        assert expected in yours(str(made_file(tmp_path, name)), "EC").text
    few = written(tmp_path / "few", EDGES, "alexnet", "net", lambda table, _: table.iloc[:100], {"note": "100 of 160"})
    assert "On edges, net answered 100 of 160: all are compared on these." in yours(str(few), "EC").text


def test_a_file_whose_name_says_nothing_is_shown_once_it_has_the_name_that_is_asked_for(tmp_path):
    nameless = made_file(tmp_path, "network").rename(tmp_path / "mine.csv")
    asked = re.findall(r"a name such as (\S+)\.$", yours(str(nameless), "EC").text)
    renamed = nameless.rename(tmp_path / asked[0])
    assert "On edges, EC of network with 10 people is " in yours(str(renamed), "EC").text


def test_a_file_that_does_not_say_what_it_answers_is_asked_for_it(made, tmp_path, monkeypatch):
    mine = tmp_path / "mine.csv"
    mine.write_bytes((made["one"] / "answers-geirhos2020-edges.csv").read_bytes())
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r"mine\.csv does not say which data set it answers; .*--data") as refused:
        building.prepare(mine, None, subset=False, person=False)
    (_, option, name, *_) = re.split(r"  | (?=geirhos)", str(refused.value))
    assert (option, name) == ("--data", EDGES)
    place = building.prepare(mine, name, subset=False, person=False)
    assert answered(str(place / "answers"), ["*"]) == [EDGES]


def test_the_first_page_sums_up_and_shows_no_path(made, tmp_path):
    told = summary(str(made["many"])).text
    ways = [beside_people(name, str(made["many"]), "EC") for name in answered(str(made["many"]), ["*"])]
    lower = sum((row["gap_high"] < 0).all() for row in ways)
    assert f"my-net answered {len(ways)} data sets" in told
    assert f"lower on {lower}" in told
    assert summary(str(made["one"])).text.startswith(f"\none-net answered {EDGES}. Its EC with people is ")
    path = tmp_path / "first.ipynb"
    chapters.execute(ROOT / "book/templates/your-model-through-the-book.md", path, {"guest": str(made["one"])})
    building._hide_paths(path)
    cells = [cell for cell in nbformat.read(path, 4).cells if "remove-cell" not in cell.metadata.get("tags", [])]
    shown = [cell.source for cell in cells if not {"hide-input", "remove-input"} & {*cell.metadata.get("tags", [])}]
    assert not [source for source in shown if str(made["one"]) in source or source.startswith("import")]
    assert "summary" in next(cell.source for cell in cells if cell.cell_type == "code")


def test_a_page_with_a_table_only_says_so_in_words(made):
    text = chapters.source("so-do-they", ROOT)
    told = building._why_not_whole(text, str(made["one"]), ChapterError("so-do-they, code cell 7 (x): IndexError: 3"))
    assert EDGES in told
    assert "code cell" not in told


def test_a_difference_from_equally_accurate_networks_is_a_plain_mean(made):
    guest = str(made["many"])
    (row,) = beside_people(SILHOUETTES, guest, "EC").to_dict("records")
    seen = erralign.load(SILHOUETTES, guest=guest)
    truth, kinds = seen.truth.to_numpy(), seen.systems["kind"]
    people = [name for name in seen.answers if kinds[name] == "human"]
    accuracy = seen.answers.eq(seen.truth, axis=0).mean()
    near = (accuracy - accuracy["my-net"]).abs() < 0.05
    equals = [name for name in seen.answers if near[name] and kinds[name] == "model" and name != "my-net"]
    values = {
        name: np.mean([textbook_ec(truth, seen.answers[name], seen.answers[person]) for person in people])
        for name in [*equals, "my-net"]
    }
    lead = values["my-net"] - np.mean([values[name] for name in equals])
    assert row["n_equal"] == len(equals) > 0
    assert row["lead"] == pytest.approx(lead, abs=1e-12)
    assert row["lead_low"] < lead < row["lead_high"]


# --- as one more system of what is loaded -----------------------------------------------------------------------------


def test_a_loaded_set_has_the_guest_as_one_more_system(made):
    for data_set in (CUES, EDGES, SILHOUETTES, *OTHERS):
        loaded = erralign.load(data_set, guest=made["many"])
        assert (loaded.guests, loaded.name) == (["my-net"], data_set)
        others = loaded.answers.drop(columns="my-net").to_numpy()
        assert np.array_equal(others, erralign.load(data_set).answers.to_numpy())
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
    for folder, message in {
        "nowhere": "guest is 'nowhere'; expected the path",
        tmp_path: "does not say which data",
    }.items():
        with pytest.raises(ValueError, match=message):
            erralign.load(EDGES, guest=folder)


# --- pages -----------------------------------------------------------------------------------------------------------


def test_every_page_with_the_parameter_shows_guests_and_a_build_fills_or_executes_them(made, tmp_path):
    with_parameter = {name for name in VALUES if "guest" in VALUES[name]}
    texts = {name: chapters.source(name, ROOT).read_text() for name in chapters.names(ROOT)}
    assert {name for name in texts if building.asked(texts[name])[0]} == with_parameter
    pages = {kind: building.touched(str(folder), ROOT) for kind, folder in made.items()}
    assert len(pages["many"]) >= 19
    assert set(pages["one"]) < set(pages["many"])
    name = "so-do-they"  # its own sets are others: only what it says of guests is put in
    path = tmp_path / f"{name}.ipynb"
    path.write_text(chapters.finished(chapters.prepared(chapters.source(name, ROOT))))
    building.fill(path, str(made["one"]))
    (cell,) = [cell for cell in nbformat.read(path, 4).cells if cell.get("outputs")]
    assert "On edges, EC of one-net with 10 people is" in cell.outputs[0]["data"]["text/plain"]


FOLLOW = {
    "misclassification-agreement": {},
    "what-they-saw": {},
    "which-interval": {"network": "my-net"},
    "what-newer-models-see": {},
}


@pytest.mark.parametrize("name", FOLLOW)
def test_a_page_follows_its_guest(made, tmp_path, monkeypatch, name):
    """Below the line that joins it, its own tables and charts do, beside what `yours` shows."""
    monkeypatch.setenv("ERRALIGN_COPIES", "1")
    chapters.execute(chapters.source(name, ROOT), tmp_path / "page.ipynb", {"guest": str(made["many"])} | FOLLOW[name])
    outputs = [output for cell in nbformat.read(tmp_path / "page.ipynb", 4).cells for output in cell.get("outputs", [])]
    texts = [str(output.get("data", output)) for output in outputs]
    assert sum("my-net" in text or "your model" in text for text in texts) >= 2


@pytest.mark.parametrize("name", ["what-they-saw", "what-newer-models-see"])
def test_with_a_guest_means_and_titles_of_others_are_the_same(made, tmp_path, monkeypatch, name):
    monkeypatch.setenv("ERRALIGN_COPIES", "1")
    found = {}
    for guest in ("", str(made["many"])):
        chapters.execute(chapters.source(name, ROOT), tmp_path / "page.ipynb", {"guest": guest})
        shown_texts = [
            text
            for outputs in outputs_of(tmp_path / "page.ipynb").values()
            for output in outputs
            for text in re.findall(r"(?<='title': )'[^']+'", str(output))
            + [" ".join(line.split()) for line in str(output.get("text/plain", "")).splitlines()]
        ]
        found[guest] = set(shown_texts)
    without, with_guest = found.values()
    assert without - with_guest == set()
    assert any("my-net" in line for line in with_guest)


def test_a_page_about_other_sets_says_so(made):
    assert "it has no answers to xu2024/*" in yours(str(made["one"]), "EC", sets=["xu2024/*"]).text
    assert answered(str(made["many"]), ["xu2024/*"]) == sorted(OTHERS, key=list(erralign.catalog()["name"]).index)


# --- features and confidences -----------------------------------------------------------------------------------------


def made_features(file, ids, X, **more):
    """Write copies of a network's features, one of them turned, and noise; the rows in another order."""
    rng = np.random.default_rng(1)
    turn, order = np.linalg.qr(rng.normal(size=(X.shape[1],) * 2))[0], rng.permutation(len(ids))
    rows = {"copy": X, "turned": X @ turn, "noise": rng.normal(size=X.shape)} | more
    np.savez(file, ids=np.array(ids, dtype=str)[order], **{name: array[order] for name, array in rows.items()})
    return file


def outputs_of(page):
    """Return what the cells of an executed page show as text or data, by their code."""
    cells = [cell for cell in nbformat.read(page, 4).cells if cell.cell_type == "code"]
    return {cell.source: [output.get("data", {}) for output in cell.outputs] for cell in cells}


def test_copies_of_a_networks_features_have_a_cka_of_one_and_noise_of_none(tmp_path):
    its = labs.features_of("tf_efficientnet_lite0", "cue-conflict")
    file = made_features(tmp_path / "mine.npz", its.index, its.to_numpy())
    mine = features_of_guests(file, CUES, its.index, taken=["copy"])
    assert list(mine) == ["copy (yours)", "turned", "noise"]
    expected = {"copy (yours)": 1, "turned": 1, "noise": 0}
    for name, rows in mine.items():
        assert rows.index.equals(its.index)
        cka = erralign.cka(its.to_numpy(), rows.to_numpy(), unbiased=True)
        assert cka == pytest.approx(expected[name], abs=1e-9 if expected[name] else 0.01)


def test_features_in_csv_and_in_folders_are_read_by_their_ids(tmp_path):
    ids, X = ["a.png", "b.png", "007"], np.arange(6.0).reshape(3, 2)
    table = pd.DataFrame(X, index=pd.Index(ids, name="picture")).iloc[::-1]
    table.to_csv(tmp_path / "my-net.csv")
    mine = features_of_guests(tmp_path / "my-net.csv", EDGES, pd.Index(ids))
    np.testing.assert_array_equal(mine["my-net"], X)
    for data_set in (EDGES, CUES):
        np.savez(tmp_path / f"features-{data_set.replace('/', '-')}.npz", ids=ids, **{data_set: X})
    assert list(features_of_guests(tmp_path, EDGES, pd.Index(ids))) == [EDGES]
    assert features_of_guests("", EDGES, pd.Index(ids)) == {}


def test_files_of_features_that_do_not_fit_are_refused_by_name(tmp_path):
    ids, X = [f"{place}.png" for place in range(5)], np.ones((5, 2))
    lost = np.where(np.arange(5)[:, None] == 3, np.nan, X)
    forms = {
        r"few.npz has no row '3.png', one of 2 that it lacks of 5": {"ids": ids[:3], "net": X[:3]},
        r"others.npz has no row '0.png', one of 5 .*; its first is 'a'": {"ids": list("abcde"), "net": X},
        r"twice.npz has row '0.png' twice": {"ids": [*ids, ids[0]], "net": np.ones((6, 2))},
        r"net in short.npz has the shape \(4, 2\), and there are 5 ids": {"ids": ids, "net": X[:4]},
        r"net in flat.npz has shape \(5,\)": {"ids": ids, "net": X[:, 0]},
        r"net in lost.npz has NaN.* for '3.png', one of 1 such": {"ids": ids, "net": lost},
        r"nameless.npz has the arrays net; .*numpy.savez": {"net": X},
        r"objects.npz holds pickled Python objects": {"ids": np.array(ids, dtype=object), "net": X},
    }
    for message, arrays in forms.items():
        file = tmp_path / message.split(".npz")[0].split(" ")[-1]
        np.savez(file.with_suffix(".npz"), **arrays)
        with pytest.raises(ValueError, match=message):
            features_of_guests(file.with_suffix(".npz"), EDGES, pd.Index(ids))
    np.save(tmp_path / "bare.npy", X)
    for file, message in {"bare.npy": "bare.npy does not say which row", "none.npz": "no file and no folder"}.items():
        with pytest.raises(ValueError, match=message):
            features_of_guests(tmp_path / file, EDGES, pd.Index(ids))


def test_confidences_beside_answers_are_read_as_run_writes_them(tmp_path):
    file = made_file(tmp_path, "network")
    assert confidences_of_guests(file, EDGES, pd.Index([]), []) == {}
    its = efficientnets.confidences("tf_efficientnet_lite1", "edges")
    both = pd.concat({"tf_efficientnet_lite1": its, "mine": its.iloc[::-1]}, names=["model"])
    both.to_csv(file.with_suffix(".confidences.csv"), float_format="%.6g")
    mine = confidences_of_guests(tmp_path, EDGES, its.index, its, taken=["tf_efficientnet_lite1"])
    assert list(mine) == ["tf_efficientnet_lite1 (yours)", "mine"]
    for rows in mine.values():
        np.testing.assert_allclose(rows, its, atol=1e-5)
    both.iloc[:-3].to_csv(file.with_suffix(".confidences.csv"))
    with pytest.raises(ValueError, match=r"mine in answers-geirhos2020-edges.confidences.csv has no row .* one of 3 "):
        confidences_of_guests(tmp_path, EDGES, its.index, its)
    both.drop(columns="dog").to_csv(file.with_suffix(".confidences.csv"))
    with pytest.raises(ValueError, match="has no column 'dog'"):
        confidences_of_guests(tmp_path, EDGES, its.index, its)


def test_a_copy_of_clip_has_clips_score_in_odd_one_out_and_enters_no_frozen_table(tmp_path):
    names, X = things.concepts()["concept"], things.embedding("CLIP ViT-B/32")
    file = made_features(tmp_path / "mine.npz", names, X)
    target, frozen = tmp_path / "page.ipynb", ROOT / "data/frozen/odd_one_out"
    before = {path.name: path.read_bytes() for path in frozen.iterdir()}
    chapters.execute(chapters.source("odd-one-out", ROOT), target, {"guest_features": str(file)})
    assert before == {path.name: path.read_bytes() for path in frozen.iterdir()}
    shown_table, chart = (
        outputs[-1] for code, outputs in outputs_of(target).items() if "shown[[" in code or "networks = [" in code
    )
    score = {line.split()[0]: float(line.split()[1]) for line in shown_table["text/plain"].splitlines()[2:]}
    assert score["copy"] == score["turned"] == score["CLIP"] != score["word2vec"]
    assert score["noise"] == pytest.approx(100 / 3, abs=3)
    drawn = str(chart["application/vnd.vegalite.v6+json"]["datasets"])
    assert all(f"'who': '{name}'" in drawn for name in ("CLIP", "copy", "turned", "noise"))


def test_a_file_may_lack_trials_where_a_page_says_how_many_are_left(tmp_path):
    ids, X = [f"{place}.png" for place in range(5)], np.arange(10.0).reshape(5, 2)
    np.savez(tmp_path / "few.npz", ids=ids[3:0:-1], net=X[3:0:-1])
    mine = features_of_guests(tmp_path / "few.npz", CUES, pd.Index(ids), partial=True)["net"]
    np.testing.assert_array_equal(mine, [[np.nan] * 2, *X[1:4], [np.nan] * 2])
    with pytest.raises(ValueError, match=r"few.npz has no row 'a', one of 1 that it lacks of 1"):
        features_of_guests(tmp_path / "few.npz", CUES, pd.Index(["a"]), partial=True)
    lost = np.where(np.arange(3)[:, None] == 2, np.nan, X[:3])  # the last row, which a missing trial must not hide
    np.savez(tmp_path / "lost.npz", ids=ids[:3], net=lost)
    with pytest.raises(ValueError, match=r"has NaN.* for '2.png', one of 1 such"):
        features_of_guests(tmp_path / "lost.npz", CUES, pd.Index(ids), partial=True)


def some_things(folder, embedding):
    """Write features of a copy of an embedding, without those things of which no picture is public."""
    there = things.pictures().index
    names = things.concepts()["concept"].loc[there]
    np.savez(
        folder / "features-things.npz", ids=names.to_numpy(str)[::-1], copy=things.embedding(embedding)[there][::-1]
    )
    return there


def executed(page, folder, monkeypatch):
    """Execute a page with the features in a folder, from frozen tables, and return its outputs by code."""
    monkeypatch.setenv("ERRALIGN_COPIES", "1")
    source = chapters.source(page, ROOT)
    assert building.looks_inside(source.read_text(), str(folder))
    chapters.execute(source, folder / "page.ipynb", building._values(source, str(folder)))
    return outputs_of(folder / "page.ipynb")


def test_odd_one_out_leaves_out_for_a_guest_what_it_did_not_see(tmp_path, monkeypatch):
    there = some_things(tmp_path, "word2vec")
    outputs = executed("odd-one-out", tmp_path, monkeypatch)
    (text,) = (outputs[-1]["text/plain"] for code, outputs in outputs.items() if "shown[[" in code)
    assert "copy did not see 30 of 1,854 things" in (tmp_path / "page.ipynb").read_text()
    score = {line.split()[0]: float(line.split()[1]) for line in text.splitlines()[2:]}
    unit = things.embedding("word2vec") / np.linalg.norm(things.embedding("word2vec"), axis=1, keepdims=True)
    agree = []
    answers = things.answers_of_people()
    for triplet, chosen in zip(answers.index, answers.to_numpy(), strict=True):
        if set(triplet) <= set(there):
            a, b, c = unit[list(triplet)]
            agree.append(np.mean(chosen == np.argmax([b @ c, a @ c, a @ b])))
    assert 380 < len(agree) < 440
    assert score["copy"] == pytest.approx(100 * np.mean(agree), abs=0.05)


def test_muttenthaler_has_a_row_for_a_guest_beside_people(tmp_path, monkeypatch):
    some_things(tmp_path, "CLIP ViT-B/32")
    outputs = executed("reproducing-muttenthaler-2023", tmp_path, monkeypatch)
    (own,) = (outputs[-1]["text/plain"] for code, outputs in outputs.items() if code.startswith("for name in mine"))
    rows = re.findall(r"^(copy, .+?)  +(\d+) +([\d.]+)", own, re.M)
    leads = table("muttenthaler2023/embeddings_beside_people").query("system == 'CLIP ViT-B/32' and over != 'word2vec'")
    for who, n, score in rows:
        whole = leads[(leads["similarity"] == "cosine") & (leads["asked"] == who.removeprefix("copy, "))].iloc[0]
        assert whole["low"] < float(score) / 100 < whole["high"]
        assert 0.9 < float(n) / whole["triplets"] < 1
    assert len(rows) == 2


@pytest.mark.weekly
def test_a_copy_of_word2vec_has_its_probe_and_its_similarities(tmp_path, monkeypatch):
    """It saw all things here, so all its numbers are those of the table; no slow table is stale because of it."""
    names = things.concepts()["concept"].to_numpy(str)
    np.savez(tmp_path / "features-things.npz", ids=names, copy=things.embedding("word2vec"))
    outputs = executed("further-muttenthaler-2023", tmp_path, monkeypatch)
    (text,) = (outputs[-1]["text/plain"] for code, outputs in outputs.items() if "RSA with people before" in code)
    rows = {line.split()[0]: line.split(maxsplit=1)[1] for line in text.splitlines()}
    assert rows["copy"].split() == rows["word2vec"].split()


def test_23_measures_set_a_guest_beside_two_networks(tmp_path, monkeypatch):
    its = labs.features_of("tf_efficientnet_lite0", "cue-conflict")
    some = its.iloc[::2].index.union(in_every_copy(CUES).index)
    np.savez(tmp_path / "features-geirhos2020-cue-conflict.npz", ids=some.to_numpy(str), copy=its.loc[some])
    outputs = executed("comparing-representations", tmp_path, monkeypatch)
    (text,) = (outputs[-1]["text/plain"] for code, outputs in outputs.items() if "by_all.insert" in code)
    columns = ["is a", "lite0 and lite2", "copy and lite0", "copy and lite2"]
    assert all(column in text for column in columns)
    rows = {line.split()[0]: re.split(r"\s{2,}", line.strip())[2:] for line in text.splitlines()[1:]}
    assert rows["CKA"][1] == rows["RSA"][1] == rows["Jaccard"][1] == "1.0"
    assert [row[0] for row in rows.values()] == [row[2] for row in rows.values()]


def test_a_partial_set_is_compared_on_what_was_seen_and_named(tmp_path, monkeypatch):
    some = in_every_copy(CUES).index
    sure = efficientnets.confidences("tf_efficientnet_lite1", "cue-conflict").loc[some]
    its = labs.features_of("tf_efficientnet_lite0", "cue-conflict").loc[some]
    facts = {"note": "fewer pictures"}
    file = written(tmp_path, CUES, "vgg19-bn", "twin", lambda t, rng: t.loc[some], facts)
    (file,) = file.glob("answers*conflict.csv")
    pd.concat({"twin": sure}, names=["model"]).to_csv(file.with_suffix(".confidences.csv"))
    np.savez(tmp_path / "features-geirhos2020-cue-conflict.npz", ids=some.to_numpy(str), twin=its)
    outputs = executed("representations-and-confidences", tmp_path, monkeypatch)
    assert "twin is compared on the 256 of 1,280 pictures that it saw" in (tmp_path / "page.ipynb").read_text()
    (table,) = (outputs[-1] for code, outputs in outputs.items() if "three.dropna" in code)
    lines = [re.split(r"\s{2,}", line) for line in table["text/plain"].splitlines()]
    numbers = {name: [float(value) for value in values if value] for name, *values in lines[1:]}
    one = efficientnets.confidences("tf_efficientnet_lite2", "cue-conflict").loc[some]
    soc, _, cka, unbiased, _ = numbers["lite2 and twin"]
    assert soc == pytest.approx(erralign.confidence_similarity(one, sure), abs=6e-4)
    other = labs.features_of("tf_efficientnet_lite2", "cue-conflict").loc[some]
    assert cka == pytest.approx(erralign.cka(other, its), abs=6e-4)
    assert unbiased == pytest.approx(erralign.cka(other, its, unbiased=True), abs=6e-4)


def test_representations_show_a_guest_by_features_and_confidences(tmp_path, monkeypatch):
    monkeypatch.setenv("ERRALIGN_COPIES", "1")
    its = labs.features_of("tf_efficientnet_lite0", "cue-conflict")
    made_features(tmp_path / "features-geirhos2020-cue-conflict.npz", its.index, its.to_numpy())
    file = made_file(tmp_path, "network", CUES)
    sure = efficientnets.confidences("tf_efficientnet_lite1", "cue-conflict")
    pd.concat({"twin": sure}, names=["model"]).to_csv(file.with_suffix(".confidences.csv"))
    page = chapters.source("representations-and-confidences", ROOT)
    assert building.looks_inside(page.read_text(), str(tmp_path))
    chapters.execute(page, tmp_path / "page.ipynb", building._values(page, str(tmp_path)))
    (table,) = (outputs[-1] for code, outputs in outputs_of(tmp_path / "page.ipynb").items() if "three.dropna" in code)
    lines = [re.split(r"\s{2,}", line) for line in table["text/plain"].splitlines()]
    numbers = {name: [value for value in values if value] for name, *values in lines}
    assert numbers["lite0 and copy"][:2] == numbers["lite0 and turned"][:2] == ["1.0", "1.0"]  # CKA, and unbiased
    assert numbers["lite1 and twin"] == ["1.0", "1.0"]  # SOC and SOCE
    assert abs(float(numbers["lite0 and noise"][1])) < 0.01


# --- in the browser --------------------------------------------------------------------------------------------------


def test_in_the_browser_a_guest_is_a_row_by_its_name_until_it_is_forgotten(browser, tmp_path, made):
    """The values are those of the package to 1e-12."""
    both = erralign.load(SILHOUETTES, guest=made["many"])
    said = both.answers["my-net"].map(dict(enumerate(both.classes)))
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
