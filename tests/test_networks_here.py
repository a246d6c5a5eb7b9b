"""Networks where they are read, in seconds: their answers, the page that runs one, the book about one, a run killed.

``.ci/run`` runs these before anything lands.
"""

import os
import re
import signal
import subprocess
import sys
import time
import warnings

import jupytext
import nbformat
import numpy as np
import pandas as pd
import platformdirs
import pytest
from conftest import ROOT
from PIL import Image

from erralign import models
from erralign.datasets.features import features_of_guests
from erralign.datasets.stimuli import in_every_copy, sixteen_categories, things
from erralign.models import answering, inference
from erralign.models.images import Images, Picture
from erralign.models.networks import lite_network
from erralign_book.cells import table
from erralign_book.papers import efficientnets

pytestmark = pytest.mark.usefixtures("requires_models", "requires_data")
LITE0, LITE1 = "tf_efficientnet_lite0", "tf_efficientnet_lite1"
PAGE = "your-model-beside-people"
STORED = table("your_model_beside_people/edges_answers").set_index(["network", "image"])
NEAR = 2e-5  # numbers differ by less than half of this
MODULE = """
def make_model():
    from timm.data import create_transform, resolve_data_config

    from erralign.models.networks import lite_network

    module, _ = lite_network("tf_efficientnet_lite1")
    return module, create_transform(**resolve_data_config({}, model=module))
"""


@pytest.fixture
def environment(tmp_path):
    """Return an environment with the data, and a cache for outputs in which nothing is yet."""
    data = os.environ.get("ERRALIGN_DATA") or platformdirs.user_cache_dir("erralign")
    mine = {"ERRALIGN_DATA": data, "ERRALIGN_OFFLINE": "1", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    # In pytest's environment a kernel leaves the streams of its process as they are.
    return {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"} | mine


@pytest.fixture
def no_cache(monkeypatch):
    """Let networks compute what they may have computed before."""
    monkeypatch.setattr(inference, "_folder_of", lambda model, layer: None)


def by_hand(torch, name, side):
    """Answer one picture after the other: enlarged, its middle cut out, from -1 to 1, without anything of ours."""
    module, words = lite_network(name)[0].eval(), sixteen_categories()
    images, rows = models.open_images("geirhos2020/edges"), []
    enlarged = int(side / 0.875)
    start = round((enlarged - side) / 2)
    for picture in images.pictures:
        large = Image.open(picture.read()).convert("RGB").resize((enlarged, enlarged), Image.Resampling.BICUBIC)
        pixels = np.asarray(large, np.float32)[start : start + side, start : start + side] / 255
        with torch.inference_mode():
            logits = module(torch.tensor((pixels - 0.5) / 0.5).permute(2, 0, 1)[None])[0]
        p = logits.softmax(0).numpy()
        means = np.array([p[classes].mean() for classes in words.values()])
        rows.append(means / means.sum())
    return pd.DataFrame(rows, images.truth.index, list(words))


def test_a_network_says_what_it_said_and_what_a_loop_by_hand_says(torch, no_cache):
    sure = models.run(models.load(LITE0, device="cpu"), "geirhos2020/edges").confidences
    stored = STORED.loc[LITE0]
    np.testing.assert_allclose(sure, stored[list(sure)], atol=NEAR / 2)
    np.testing.assert_allclose(sure, by_hand(torch, LITE0, 224), atol=NEAR / 2)
    clear = stored["margin"] >= NEAR
    assert (sure.idxmax(axis=1) == stored["erralign"])[clear].all()
    assert clear.mean() > 0.98
    assert sure.idxmax(axis=1).nunique() >= 4


def test_colours_are_seen_as_they_were(no_cache):
    """The outlines are grey: a network that takes blue for red would not be noticed by them."""
    images = models.open_images("geirhos2020/cue-conflict")
    known = images.truth.index.isin(in_every_copy("geirhos2020/cue-conflict").index[::8])
    sure = models.run(models.load(LITE0, device="cpu"), images.keep(known)).confidences
    stored = efficientnets.confidences(LITE0, "cue-conflict").loc[sure.index]
    np.testing.assert_allclose(sure, stored, rtol=0.02, atol=1e-6)


# --- the page ---------------------------------------------------------------------------------------------------------


def outputs(page):
    return [output for cell in page.cells for output in cell.get("outputs", [])]


def said(page):
    texts = (output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs(page))
    return "\n".join(texts)


@pytest.fixture
def page(tmp_path, environment):
    """Return a function that types ``papermill`` for a model: the executed page, and what the terminal showed."""
    source = tmp_path / f"{PAGE}.ipynb"
    jupytext.write(jupytext.read(ROOT / "notebooks" / f"{PAGE}.md"), source)

    def typed(model):
        command = [sys.executable, "-m", "papermill", source, tmp_path / "done.ipynb", "-p", "model", model]
        done = subprocess.run(
            [*command, "-p", "device", "cpu", "--cwd", tmp_path],
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        executed = nbformat.read(tmp_path / "done.ipynb", 4)
        assert [output["text"] for output in outputs(executed) if output.get("name") == "stderr"] == []
        assert "gives the same word in both ways to 160 of 160 pictures" in said(executed)
        assert "read as they were computed" not in said(executed)
        assert re.search(r" on \S*(?:cpu|CPU)\S*: 100%.* pictures/s", done.stderr)
        return executed

    return typed


def means_on(page):
    """Return the first row of the table beside people: the model's means, with limits."""
    row = re.search(r"^ *\S+ and people +(.+)$", said(page), re.M)[1]
    return re.findall(r"(\S+) \(", row)


def stored_means(network):
    beside = table("your_model_beside_people/edges_beside").query("network == @network and who == 'the model'")
    values = beside.set_index("measure")["value"].drop("accuracy")
    return [f"{value:.2f}".replace("-0.00", "0.00").replace("-", "−") for value in values]


def onnx_file(folder, torch):
    """Export Lite0 as torch does; the package onnx, which it asks for, would only look for functions of its own."""
    from torch.onnx._internal.torchscript_exporter import onnx_proto_utils

    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        patch.setattr(onnx_proto_utils, "_add_onnxscript_fn", lambda content, _: content)
        how = {"input_names": ["x"], "output_names": ["y"], "dynamic_axes": {"x": {0: "n"}, "y": {0: "n"}}}
        module = lite_network(LITE0)[0].eval()
        torch.onnx.export(module, (torch.zeros(2, 3, 224, 224),), folder / "net.onnx", dynamo=False, **how)
    return f"{LITE0}:{folder / 'net.onnx'}"


@pytest.mark.parametrize(("kind", "twin"), {"package": LITE1, "module": LITE1, "onnx": LITE0}.items())
def test_the_page_runs_a_model_of_each_kind(page, torch, tmp_path, kind, twin):
    (tmp_path / "ten_lines.py").write_text(MODULE)
    model = {"package": LITE1, "module": f"{tmp_path}/ten_lines.py:make_model"}.get(kind) or onnx_file(tmp_path, torch)
    executed = page(model)
    assert means_on(executed) == stored_means(twin)


def test_a_model_that_fails_ends_the_page_with_its_reason(page, tmp_path):
    (tmp_path / "fails.py").write_text("def make_model():\n    return None\n")
    with pytest.raises(AssertionError, match=r"fails.py:make_model returned NoneType; expected a function"):
        page(f"{tmp_path}/fails.py:make_model")


# --- the book, and a run that is killed -------------------------------------------------------------------------------


def test_one_line_runs_a_model_and_shows_it_on_a_page(environment, tmp_path):
    (tmp_path / "ten_lines.py").write_text(MODULE)
    command = [sys.executable, "-m", "erralign", "book", "--model", f"{tmp_path}/ten_lines.py:make_model"]
    command += ["--page", "misclassification-agreement"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    shown = (ROOT / "_build/page/_build/html/misclassification-agreement.html").read_text(encoding="utf-8")
    assert "Your own beside people and networks" in shown
    assert "MA of ten_lines with 10 people is" in shown
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.npy")}
    again = subprocess.run(
        [*command[:-1], "representations-and-confidences"], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert again.returncode == 0, again.stderr[-2000:]
    assert kept == {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.npy")}  # no network ran
    shown = (ROOT / "_build/page/_build/html/representations-and-confidences.html").read_text(encoding="utf-8")
    assert "lite0 and ten_lines" in shown
    n = len(models.open_images("geirhos2020/cue-conflict").truth)
    said = f"ten_lines is compared on the {n:,} of 1,280 pictures that it saw"
    assert (said in shown) == (n < 1280)


def test_a_model_computes_features_of_things_named_as_people_named_them(tmp_path, monkeypatch, no_cache):
    """Where THINGS' pictures are not here, made ones have the same names."""
    names = things().index[[0, 700, 1500]]
    colours = [(200, 30, 30), (20, 180, 40), (10, 10, 220)]
    pictures = []
    for name, colour in zip(names, colours, strict=True):
        Image.new("RGB", (64, 64), colour).save(tmp_path / f"{name}.png")
        pictures.append(Picture(str(tmp_path / f"{name}.png")))
    made = Images("things", pd.Series(names, names, name="truth"), tuple(pictures))
    edges = models.open_images("geirhos2020/edges")
    monkeypatch.setattr(answering, "pictures_of_things", lambda download: made)
    monkeypatch.setattr(answering, "_public", lambda download: {"geirhos2020/edges": edges.keep(np.arange(160) < 2)})
    model = models.load(LITE0, device="cpu")
    folder = answering.answer_all(model, tmp_path / "out")
    concepts = pd.Index([*names, "thing-without-a-picture"])
    (rows,) = features_of_guests(folder, "things", concepts, partial=True).values()
    np.testing.assert_allclose(rows.iloc[:3], models.features(model, made), rtol=1e-4, atol=1e-5)
    assert rows.isna().all(axis=1).tolist() == [False, False, False, True]
    assert len(things()) == 1824
    assert things().index.is_unique


def test_a_run_that_is_killed_goes_on_from_there(environment, tmp_path):
    command = [sys.executable, "-m", "erralign", "run", LITE0, "--data", "geirhos2020/edges", "--device", "cpu"]
    command += ["--out", str(tmp_path / "answers.csv")]

    def parts():
        return {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.npy")}

    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as run:
        while not parts() and run.poll() is None:
            time.sleep(0.01)
        os.kill(run.pid, signal.SIGKILL)
    before = parts()
    assert 0 < len(before) < 3
    subprocess.run(command, env=environment, check=True, capture_output=True)
    assert parts().items() > before.items()
    answers = pd.read_csv(tmp_path / "answers.csv", index_col="image")
    stored = STORED.loc[LITE0]
    clear = stored["margin"] >= NEAR
    assert (answers[LITE0] == stored["erralign"])[clear].all()
