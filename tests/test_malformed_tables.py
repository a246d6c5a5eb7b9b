"""Tables that hold no answers to compare: each error names file, row and column, or trial and system."""

import numpy as np
import pandas as pd
import pytest

import erralign
from erralign import Responses, read_answers
from erralign.sources.examples import twelve_pictures

FILES = {
    "empty": ("", "holds 0 rows; expected a header and at least one trial"),
    "header alone": ("image,truth,net\n", "holds 1 rows"),
    "short row": ("image,truth,net\n1,cat,cat\n2,dog\n", "row 3 has 2 cells, the header has 3"),
    "long row": ("image,truth,net\n1,cat,cat,dog\n", "row 2 has 4 cells, the header has 3"),
    "doubled column": ("image,truth,net,net\n1,cat,cat,dog\n", "row 1 names column 'net' twice"),
    "nameless column": ("image,truth,net,\n1,cat,cat,dog\n", "row 1: column 4 has no name"),
    "no truth": ("image,net\n1,cat\n", "no column 'truth'; expected trial, truth and a column per system"),
    "truth last": ("image,net,truth\n1,cat,cat\n", "no column after 'truth'"),
    "doubled trial": ("image,truth,net\n1,cat,cat\n2,dog,dog\n1,cat,dog\n", "row 4 gives trial 1 again, after row 2"),
    "no true class": ("image,truth,net\n1,cat,cat\n2,,dog\n", "row 3, column 'truth' holds no class"),
    "two spellings": ("image,truth,net\n1,cat,Cat\n2,dog,dog\n", "hold both 'Cat' and 'cat'"),
    "other language": (
        "image,truth,net\n1,cat,chat\n2,dog,chien\n",
        "net never answers with a class that is ever true",
    ),
    "below -1": ("image,truth,net\n1,0,-2\n2,1,1\n", "row 2, column 'net' holds -2"),
    "many classes": ("image,truth,net\n1,0,1000000\n2,1,1\n", "the largest label is 1000000"),
    "long, missing": (
        "system,image,truth,answer\na,1,cat,cat\nb,1,cat,dog\na,2,dog,dog\n",
        "row 3, column 'system': 'b' has no answer on trial 2",
    ),
    "long, doubled": (
        "system,image,truth,answer\na,1,cat,cat\na,2,dog,dog\na,1,cat,dog\n",
        r"row 4 gives answer \('a', 1\) again, after row 2",
    ),
    "long, two truths": (
        "system,image,truth,answer\na,1,cat,cat\nb,1,dog,dog\n",
        "row 3, column 'truth' holds 'dog', row 2 holds 'cat': both are about trial 1",
    ),
    "long, no trial": ("system,truth,answer\na,cat,cat\n", "no column that names the trial"),
    "long, nameless": ("system,image,truth,answer\na,1,cat,cat\n,1,cat,cat\n", "row 3, column 'system' holds ''"),
    "long, kind": ("system,kind,image,truth,answer\na,person,1,cat,cat\n", "row 2, column 'kind' holds 'person'"),
    "long, two kinds": (
        "system,kind,image,truth,answer\na,human,1,cat,cat\na,model,2,dog,cat\n",
        "row 3, column 'kind' holds 'model'; expected 'human' as above",
    ),
    "model-vs-human, missing": (
        "subj,imagename,category,object_response\ns,1.png,cat,cat\nt,1.png,cat,cat\ns,2.png,dog,na\n",
        "row 3, column 'subj': 't' has no answer on trial '2.png'",
    ),
}


@pytest.mark.parametrize("case", FILES)
def test_files_that_are_none(case, tmp_path):
    text, message = FILES[case]
    (tmp_path / "mine.csv").write_text(text)
    with pytest.raises((ValueError, TypeError), match=message) as found:
        read_answers(tmp_path / "mine.csv")
    assert "\n" not in str(found.value)


def test_twenty_tables_are_tried():
    assert len(FILES) >= 20


PETS = "image,truth,net\n1,cat,cat\n2,dog,dog\n"
OPTIONS = [
    ({"classes": ["cat", "cow"]}, "row 3, column 'truth' holds 'dog', which is no class; expected one of cat, cow"),
    ({"classes": ["cat", "cat"]}, "classes holds 'cat' twice"),
    ({"classes": "cat"}, "classes is 'cat'; expected a list"),
    ({"classes": []}, "classes is empty"),
    ({"kind": "people"}, "kind of net is 'people'"),
    ({"kind": {"ann": "human"}}, "kind names the system 'ann'; expected one of net"),
    ({"trials": ["photo"]}, "no column 'photo' for trials"),
    ({"truth": pd.Series(["cat"], index=[1])}, "row 3 is about trial 2, which the truth does not know"),
    ({"truth": pd.Series(["cat", "dog", "dog"], index=[1, 2, 3])}, "no row for trial 3, one of 1 that it lacks"),
    ({"truth": pd.Series(["cat", "cat"], index=[1, 2])}, "row 3, column 'truth' holds another class than .*: 'cat'"),
    ({"truth": pd.Series(["cat", "dog"], index=["a", "b"])}, "about trial '1', .* names such as 'a'"),
    ({"truth": pd.Series(["cat", "dog"], index=[1, 1])}, "truth has trial 1 twice"),
]


@pytest.mark.parametrize(("options", "message"), OPTIONS)
def test_options_that_do_not_fit_the_file(options, message, tmp_path):
    (tmp_path / "pets.csv").write_text(PETS)
    with pytest.raises((ValueError, TypeError), match=message):
        read_answers(tmp_path / "pets.csv", **options)


def test_a_column_that_may_hold_the_truth_is_not_taken_for_a_system(tmp_path):
    (tmp_path / "pets.csv").write_text("image,Label,net\n1,cat,cat\n2,dog,cat\n")
    with pytest.raises(ValueError, match="has a column 'Label': if it holds the true classes, call it 'truth'"):
        read_answers(tmp_path / "pets.csv", truth=pd.Series(["cat", "dog"], index=[1, 2]))


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(ValueError, match=r"there is no file .*none.csv"):
        read_answers(tmp_path / "none.csv")
    (tmp_path / "latin.csv").write_bytes("image,truth,net\n1,K\xe4fer,cat\n".encode("latin-1"))
    with pytest.raises(ValueError, match=r"latin\.csv is not text in UTF-8"):
        read_answers(tmp_path / "latin.csv")


TRUTH = pd.Series(["cat", "dog", "dog"], index=["a", "b", "c"])
NET = pd.Series(["cat", "cat", "dog"], index=["c", "b", "a"])
TABLES = [
    (TRUTH, {"net": NET[:2]}, {}, "net has no trial 'a'; write None"),
    (TRUTH, {"net": NET.rename({"a": "z"})}, {}, "net has answers on trial 'z', which the truth does not know"),
    (TRUTH, {"net": NET.rename({"a": "b"})}, {}, "the answers of net has trial 'b' twice"),
    (TRUTH.rename({"a": "b"}), {"net": NET}, {}, "truth has trial 'b' twice"),
    (TRUTH, {"net": ["cat", "dog"]}, {}, "the answers of net: 2 classes for 3 trials"),
    (TRUTH, {"net": [["cat"], ["dog"], ["dog"]]}, {}, r"the answers of net has shape \(3, 1\)"),
    (TRUTH, {"net": "cat"}, {}, "the answers of net is 'cat'; expected one class per trial"),
    (TRUTH, {}, {}, "answers is empty: at least one system"),
    (TRUTH, [["cat", "dog", "dog"]], {}, "answers is of type list; expected a DataFrame"),
    (TRUTH, pd.DataFrame([["cat"] * 2] * 3, index=list("abc"), columns=["x", "x"]), {}, "the system 'x' twice"),
    (TRUTH, {"net": [0, 1, 1]}, {}, "holds 'cat'; .*holds 0: write all classes as text or all as numbers"),
    (TRUTH, {"net": ["cat", 1.5, "dog"]}, {}, "net, trial 'b', holds 1.5; expected a class"),
    (TRUTH, {"net": [True, False, True]}, {}, "net, trial 'a', holds True; expected a class"),
    (TRUTH.replace("cat", None), {"net": NET}, {}, "truth, trial 'a', holds no class"),
    (["cat", "dog", "dog"], {"net": NET, "ann": NET[::-1]}, {}, "truth is a list, and ann has its trials in another"),
    ([], {"net": []}, {}, "truth is empty"),
    (TRUTH, {"net": NET}, {"classes": ["dog", "cats"]}, "truth, trial 'a', holds 'cat', .*did you mean 'cats'"),
    (TRUTH, {"net": NET}, {"family": {"ann": "CNN"}}, "family names the system 'ann'"),
    (TRUTH, {"net": NET, "ann": NET}, {"kind": {"ann": "human"}}, "kind says nothing about 'net'"),
]


@pytest.mark.parametrize(("truth", "answers", "options", "message"), TABLES)
def test_tables_that_are_none(truth, answers, options, message):
    with pytest.raises((ValueError, TypeError), match=message) as found:
        Responses.from_table(truth, answers, **options)
    assert "\n" not in str(found.value)


PICTURES = twelve_pictures()
MINE = Responses.from_table(PICTURES.truth, {"mine": PICTURES.truth}, classes=PICTURES.classes)
JOINED = [
    (lambda: PICTURES.with_system("A", ["cat"] * 12), "both have a system 'A'"),
    (lambda: PICTURES.with_system("mine", ["cow"] * 12), "mine, trial 1, holds 'cow', which is no class"),
    (lambda: PICTURES.with_system("mine", [0, 1, 2]), "the answers of mine: 3 classes for 12 trials"),
    (lambda: PICTURES.join(MINE.select(trials=range(1, 12))), "mine has no trial 12"),
    (lambda: PICTURES.select(trials=range(1, 12)).join(MINE), "mine has answers on trial 12"),
    (lambda: PICTURES.join(Responses.from_table(PICTURES.truth, {"mine": PICTURES.truth})), "has a class '0'"),
    (
        lambda: PICTURES.join(Responses.from_table(2 - PICTURES.truth, {"x": MINE.truth}, classes=MINE.classes)),
        "trial 1 is 'cat' in example/twelve-pictures and 'fox' in mine: 8 of 12 trials differ",
    ),
]


@pytest.mark.parametrize(("join", "message"), JOINED)
def test_systems_that_do_not_join(join, message):
    with pytest.raises(ValueError, match=message):
        join()


def parts(**changes):
    return {field: getattr(PICTURES, field) for field in ("name", "truth", "answers", "classes", "systems")} | changes


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"systems": None}, "systems is of type NoneType; expected a pandas DataFrame"),
        ({"truth": PICTURES.truth.to_numpy()}, "truth is of type ndarray; expected a pandas Series"),
        ({"answers": PICTURES.answers.to_numpy()}, "answers is of type ndarray"),
        ({"classes": ("cat", "dog", "cat")}, "classes holds 'cat' twice"),
        ({"truth": PICTURES.truth.rename({2: 1})}, "truth of .* has trial 1 twice"),
        ({"systems": PICTURES.systems.drop("Twin")}, "systems has no row for 'Twin'"),
        ({"systems": PICTURES.systems.drop(columns="kind")}, "systems has no column kind"),
    ],
)
def test_parts_that_make_no_responses(changes, message):
    with pytest.raises((ValueError, TypeError), match=message):
        Responses(**parts(**changes))


def test_a_missing_name_is_named_alone():
    truth = np.zeros(3, int)
    many = Responses.from_table(truth, {f"system {i}": truth for i in range(35)})
    with pytest.raises(ValueError, match="systems has no row for 'system 7'") as found:
        Responses("many", many.truth, many.answers, many.classes, many.systems.drop("system 7"))
    assert "system 8" not in str(found.value)
    with pytest.raises(ValueError, match="no system 'system 99'; did you mean") as found:
        many.select(systems=["system 99"])
    assert len(str(found.value)) < 100


def test_what_is_not_here_can_be_downloaded(monkeypatch, tmp_path):
    monkeypatch.setattr("erralign.sources.archives._places", lambda key: [tmp_path / "none.tar.gz"])
    with pytest.raises(erralign.DataError, match=r"is missing: .*load\(..., download=True\)"):
        erralign.load("geirhos2020/edges")
