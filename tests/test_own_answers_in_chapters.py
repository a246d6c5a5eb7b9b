"""A reader's answers to cue conflict in the chapters that show systems on it."""

import json

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT

from erralign.publishing import chapters
from erralign.reproduction import geirhos2020

SHOWING = ["error-consistency", "your-model-beside-people"]
LITE0 = geirhos2020.EFFICIENTNETS[0]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """Write the answers of a network that is frozen here, under another name, as `erralign run` does."""
    given = geirhos2020.efficientnet_answers("cue-conflict")
    words = dict(enumerate(given.classes))
    table = pd.DataFrame({"truth": given.truth.map(words), "my-net": given.answers[LITE0].map(words)})
    path = tmp_path_factory.mktemp("own") / "answers.csv"
    table.sample(frac=1, random_state=1).to_csv(path)
    return path


def test_every_chapter_that_has_the_parameter_gets_the_file(file):
    found = chapters.requests_with_answers({"index": {"level": 0.9}, SHOWING[0]: {"seed": 1}}, file, ROOT)
    own = {"own_answers": str(file)}
    assert found == {"index": {"level": 0.9}, SHOWING[0]: {"seed": 1} | own, SHOWING[1]: own}
    assert chapters.check_requests(found, ROOT) == found


def test_a_file_that_lacks_pictures_is_refused_before_anything_is_executed(file, tmp_path):
    few = tmp_path / "few.csv"
    pd.read_csv(file).head(100).to_csv(few, index=False)
    with pytest.raises(ValueError, match=r"few.csv"):
        chapters.check_requests(chapters.requests_with_answers({}, few, ROOT), ROOT)


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


@pytest.mark.slow
@pytest.mark.parametrize("name", SHOWING)
def test_the_charts_of_a_chapter_show_the_model(requires_data, file, tmp_path, name):
    chapters.execute(chapters.source(name, ROOT), tmp_path / "page.ipynb", {"own_answers": str(file)})
    cells = json.loads((tmp_path / "page.ipynb").read_text())["cells"]
    specs = [
        json.dumps(output["data"])
        for cell in cells
        for output in cell.get("outputs", [])
        if "application/vnd.vegalite.v6+json" in output.get("data", {})
    ]
    assert sum("my-net" in spec for spec in specs) == {"error-consistency": 1, "your-model-beside-people": 2}[name]
