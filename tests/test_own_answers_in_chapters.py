"""A reader's answers to a data set in the chapters that show systems on it."""

import json
import os
import re

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from conftest import ROOT
from test_executions import read
from test_parameters import VALUES

import erralign
from erralign_book.building import chapters
from erralign_book.commands import book
from erralign_book.papers import geirhos2020, xu2024

LITE0 = geirhos2020.EFFICIENTNETS[0]
ON_CUE_CONFLICT = ["what-to-set-a-value-against", "your-model-beside-people"]


def written(given, system, path):
    """Write the answers of one system of others, under another name and in another order, as `erralign run` does."""
    words = dict(enumerate(given.classes))
    table = pd.DataFrame({"truth": given.truth.map(words), "my-net": given.answers[system].map(words)})
    table.sample(frac=1, random_state=1).to_csv(path)
    return path


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """Write the answers of a network that is frozen here to cue conflict."""
    given = geirhos2020.efficientnet_answers("cue-conflict")
    return written(given, LITE0, tmp_path_factory.mktemp("own") / "answers.csv")


@pytest.fixture(scope="module")
def stylized(requires_data, tmp_path_factory):
    """Write the answers of a model of Xu et al. to one of their data sets."""
    return written(erralign.load("xu2024/stylized"), "vgg11", tmp_path_factory.mktemp("own") / "stylized.csv")


def test_every_chapter_that_has_the_parameter_gets_the_file(file):
    (first, second), own = ON_CUE_CONFLICT, {"own_answers": str(file)}
    found = chapters.requests_with_answers({"index": {"level": 0.9}, first: {"tolerance": 0.02}}, file)
    of_first = {"tolerance": 0.02, "experiment": "cue-conflict"} | own
    assert found == {"index": {"level": 0.9}, first: of_first, second: own}
    assert chapters.check_requests(found, ROOT) == found
    of_xu = chapters.requests_with_answers({}, file, "xu2024/stylized")
    assert of_xu == {"reproducing-xu-2024": {"data_set": "stylized"} | own}
    assert chapters.requests_with_answers({}, file, "geirhos2020/edges") == {first: {"experiment": "edges"} | own}
    assert {name for name in VALUES if "own_answers" in VALUES[name]} == set(chapters.SHOWING)


def test_answers_to_something_else_are_refused_before_anything_is_executed(requires_data, file, tmp_path, monkeypatch):
    few = tmp_path / "few.csv"
    pd.read_csv(file).head(100).to_csv(few, index=False)
    for data in ("geirhos2020/cue-conflict", "geirhos2020/silhouettes", "xu2024/stylized"):
        with pytest.raises(ValueError, match=r"few.csv"):
            chapters.check_requests(chapters.requests_with_answers({}, few, data), ROOT)
    with pytest.raises(ValueError, match=r"data is 'geirhos2020/edge'; .*geirhos2020/edges"):
        chapters.requests_with_answers({}, file, "geirhos2020/edge")
    monkeypatch.chdir(ROOT)
    failed = CliRunner().invoke(book, ["--data", "geirhos2020/edges"])
    assert re.search(r"--data is geirhos2020/edges, .*expected .*: add  --with", str(failed.exception))


def test_own_pairs_on_a_set_of_xu_are_those_of_the_same_answers_under_their_own_name(stylized):
    mine = xu2024.own_pairs(str(stylized), "stylized")
    assert set(mine["system_b"]) == {"my-net"}
    every = xu2024.pairwise_scores().query("data_set == 'stylized'")
    theirs = pd.concat([every, every.rename(columns={"system_a": "system_b", "system_b": "system_a"})])
    theirs = theirs.query("system_b == 'vgg11'").set_index("system_a")
    mine = mine.set_index("system_a").drop("vgg11")
    assert len(mine) == len(theirs) == 26
    for column in ("EC", "MA", "CLES"):
        np.testing.assert_allclose(mine[column], theirs[column].reindex(mine.index), rtol=0, atol=1e-6)
        assert (mine[f"{column}_low"] <= mine[f"{column}_high"]).all()


def test_own_pairs_and_shape_bias_are_those_of_the_same_answers_under_their_own_name(requires_data, file):
    mine = geirhos2020.own_pairs(str(file)).query("system_a not in @geirhos2020.EFFICIENTNETS")
    frozen = geirhos2020.efficientnet_pairs().query("data_set == 'cue-conflict' and system_b == @LITE0")
    both = mine.merge(frozen, on="system_a", suffixes=("", "_frozen"), validate="one_to_one")
    assert len(both) == len(mine) == 35
    for column, apart in {"EC": 1e-6, "MA": 1e-6, "CLES": 1e-6, "EC_low": 0.005}.items():
        np.testing.assert_allclose(both[column], both[f"{column}_frozen"], rtol=0, atol=apart)
    usual = geirhos2020.answers_of_variants().query("preprocessing == 'own' and mapping == 'mean'")
    bias = geirhos2020.own_shape_bias(str(file))["shape_bias"]
    assert bias.to_dict() == {"my-net": usual.set_index("network").loc[LITE0, "shape_bias"]}


@pytest.mark.weekly
@pytest.mark.parametrize("name", chapters.SHOWING)
def test_the_charts_of_a_chapter_show_the_model(execute, file, stylized, tmp_path, name):
    of_xu = chapters.requests_with_answers({}, stylized, "xu2024/stylized")
    values = (chapters.requests_with_answers({}, file) | of_xu)[name]
    _, charts, _ = read(execute(name, values, dict(os.environ), tmp_path)[0])
    assert sum("my-net" in json.dumps(chart) for chart in charts) == 1 + (name == "your-model-beside-people")
