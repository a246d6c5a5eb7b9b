"""One's own models: callables, networks, checkpoints, ONNX files, a hub; runs that are stopped; many models at once.

All of them see plain colours and answer with the colour of which there is most, so that every answer is known.
"""

import base64
import json
import multiprocessing
import os
import random
import resource
import shlex
import shutil
import signal
import time
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest
import yaml
from builders import refused_otherwise, typed
from test_command_line import erralign

from erralign import models
from erralign._validation import DataError
from erralign.models import inference, libraries
from erralign.models.running import run_many

pytestmark = pytest.mark.usefixtures("own_cache")
COLOURS = {"red": (220, 30, 20), "green": (10, 200, 60), "blue": (30, 60, 210)}
NETWORKS = yaml.safe_load(Path(__file__).with_name("networks.yml").read_text(encoding="utf-8"))


@pytest.fixture
def colours(requires_models, tmp_path):
    """Seven pictures of each colour, in a folder per class."""
    from PIL import Image

    for name, colour in COLOURS.items():
        (tmp_path / "colours" / name).mkdir(parents=True)
        for number in range(7):
            Image.new("RGB", (20, 20), colour).save(tmp_path / "colours" / name / f"{name}{number}.png")
    return tmp_path / "colours"


def all_right(responses):
    return (responses.answers.iloc[:, 0] == responses.truth).all()


def mean_colour():
    """A network that answers with the mean over the picture."""
    from torch import nn

    return nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten())


# --- where models come from -------------------------------------------------------------------------------------------


def test_a_callable_of_any_library(colours):
    def brightest(pictures):
        return [np.asarray(picture).mean(axis=(0, 1)) for picture in pictures]

    found = models.run(models.load(brightest, classes=COLOURS), colours)
    assert all_right(found.answers)
    assert found.answers.systems.loc["brightest", "source"] == "a function"
    assert found.confidences.shape == (21, 3)


def test_probabilities_are_taken_as_they_are_or_asked_about(colours):
    def said(*row, classes=COLOURS):
        return models.run(models.load(lambda pictures: [row] * len(pictures), classes=classes, name="net"), colours)

    np.testing.assert_allclose(said(0.7, 0.2, 0.1).confidences, [[0.7, 0.2, 0.1]] * 21, rtol=1e-6)
    assert said(7, -2, 0).answers.systems["outputs"].tolist() == ["logits"]
    for row, total in {(70, 20, 10): "100", (0.7, 0.6, 0.1): "1.4"}.items():
        with pytest.raises(ValueError, match=f"what net gives is not a probability distribution .*sum to {total},"):
            said(*row)
    for name in COLOURS:
        (colours / name).rename(colours / {"red": "dog", "green": "cat", "blue": "car"}[name])
    assert (said(*np.eye(1000)[954], classes=None).answers.answers["net"] == -1).all()  # a banana is none of the 16


def test_what_outputs_and_pictures_are_has_to_be_said(colours):
    def three(pictures):
        return np.zeros((len(pictures), 3))

    def flat(pictures):
        return np.zeros(len(pictures))

    def infinite(pictures):
        return np.full((len(pictures), 3), np.inf)

    net = partial(models.load, mean_colour())
    loaded = {each.__name__: models.load(each, classes=COLOURS) for each in (flat, infinite)}
    two, blue = models.load(three, classes=["blue", "green"]), models.open_images(colours).keep(np.arange(21) < 7)
    (colours.parent / "all").mkdir()
    shutil.copytree(colours, colours.parent / "all" / "train")
    cases = {
        "three has 3 outputs, and 2 classes; name what its outputs mean": partial(models.answers, two, blue),
        r"flat gave numbers of shape \(\d+,\) for \d+ pictures": partial(models.answers, loaded["flat"], colours),
        "infinite gives numbers at 'logits' that are not finite": partial(models.answers, loaded["infinite"], colours),
        "a network does not say how pictures are .*; name with architecture": partial(net, classes=COLOURS),
        "device is 'cuda:77', which is not on": partial(net, architecture="resnet18", device="cuda:77"),
        "all has pictures in parts, train; give one: .*train": partial(models.open_images, colours.parent / "all"),
    }
    assert not refused_otherwise(cases.items())


@pytest.mark.parametrize("batch", NETWORKS)
def test_an_onnx_file(colours, tmp_path, batch):
    file = tmp_path / "mean.onnx"
    file.write_bytes(base64.b64decode(NETWORKS[batch]))
    with pytest.raises(ValueError, match=r"mean.onnx does not say how pictures are prepared"):
        models.load(file, classes=COLOURS)
    found = models.load(file, classes=COLOURS, architecture="resnet18")
    assert all_right(models.answers(found, colours))
    with pytest.raises(ValueError, match="mean has no output 'penultimate'; expected one of logits, y"):
        models.features(found, colours)
    file.write_text("no network")
    with pytest.raises(DataError, match=r"mean.onnx cannot be read as ONNX"):
        models.load(file, architecture="resnet18")


@pytest.fixture
def trained(torch):
    """A small network of timm, whose last layer was made to like red."""
    torch.manual_seed(0)
    network = libraries.timm().create_model("test_resnet", num_classes=3)
    network.get_classifier().bias.data = torch.tensor([9.0, 0.0, 0.0])
    return network


@pytest.mark.parametrize("ending", ["safetensors", "pth"])
def test_from_ones_own_checkpoint_to_answers(colours, trained, torch, tmp_path, ending):
    from safetensors.torch import save_file

    weights = trained.state_dict()
    if ending == "pth":
        state = {f"module.{name}": each for name, each in weights.items()}
        torch.save({"epoch": 3, "state_dict": state}, tmp_path / "w.pth")
    else:
        save_file(weights, tmp_path / "w.safetensors")
    words = ("--architecture", "test_resnet", "--classes", "red,green,blue", "--images", str(colours))
    assert erralign("run", f"w.{ending}", *words, cwd=tmp_path).returncode == 0
    assert (pd.read_csv(tmp_path / "answers.csv")["w"] == "red").all()


def test_a_checkpoint_with_something_wrong(trained, torch, tmp_path):
    for name, content in {"w": trained.state_dict(), "code": {"state_dict": os.system}}.items():  # which would run
        torch.save(content, tmp_path / f"{name}.pth")
    (tmp_path / "text.pth").write_bytes(b"no weights")
    w, text, code = (partial(models.load, tmp_path / f"{name}.pth") for name in ("w", "text", "code"))
    resnet = {"architecture": "test_resnet"}
    cases = {
        "w.pth holds weights only; name its network with architecture": w,
        "w.pth .* of test_vit .*; name another architecture or": partial(w, architecture="test_vit", classes=COLOURS),
        "text.pth does not hold weights of test_resnet": partial(text, **resnet),
        "code.pth does not hold weights": partial(code, **resnet),
        "w.pth does not .* with 2 classes: it has 3 outputs": partial(w, classes=["red", "blue"], **resnet),
    }
    assert not refused_otherwise(cases.items())


def test_a_model_on_the_hub_at_a_commit_without_a_network(colours, trained, tmp_path):
    """The hub's cache, as its client leaves it after a download."""
    from safetensors.torch import save_file

    commit = "0123456789abcdef0123456789abcdef01234567"
    snapshot = tmp_path / "hub" / "models--me--mine" / "snapshots" / commit
    snapshot.mkdir(parents=True)
    save_file(trained.state_dict(), snapshot / "model.safetensors")
    settings = {"input_size": [3, 64, 64], "mean": [0.5] * 3, "std": [0.5] * 3, "num_classes": 3}
    (snapshot / "config.json").write_text(json.dumps({"architecture": "test_resnet", "pretrained_cfg": settings}))
    words = ("--images", str(colours), "--classes", "red,green,blue")
    here = {"ERRALIGN_OFFLINE": "1", "HF_HUB_CACHE": str(tmp_path / "hub")}
    said = erralign("run", f"hf-hub:me/mine@{commit}", *words, cwd=tmp_path, **here)
    assert said.returncode == 0, said.stderr
    facts = pd.read_csv(tmp_path / "answers.models.csv").iloc[0]
    assert (facts["model"], facts["source"], facts["revision"]) == (f"me/mine@{commit}", "me/mine", commit)
    assert "input_size 3 64 64" in facts["preprocessing"]


# --- runs that are stopped --------------------------------------------------------------------------------------------


def slow_model():
    """A network that takes its time, so that a kill finds it at work."""
    import torch

    class Slow(torch.nn.Module):
        def forward(self, pixels):
            time.sleep(0.01)
            return pixels.mean(dim=(2, 3))

    torch.set_num_threads(1)  # so that a forked process can compute
    return models.load(Slow(), architecture="test_resnet", classes=COLOURS, device="cpu")


def parts(cache):
    return {path: path.stat().st_mtime_ns for path in cache.rglob("*.npy")}


def test_a_run_that_is_killed_ten_times_loses_nothing_and_computes_nothing_twice(colours, own_cache, monkeypatch):
    monkeypatch.setattr(inference, "PART", 2)
    model, rng, before = slow_model(), random.Random(0), {}
    for _ in range(10):
        run = multiprocessing.get_context("fork").Process(target=models.run, args=(model, colours))
        run.start()
        time.sleep(rng.uniform(0, 0.1))
        os.kill(run.pid, signal.SIGKILL)
        run.join()
        assert parts(own_cache).items() >= before.items()
        before = parts(own_cache)
    found = models.run(model, colours)
    assert all_right(found.answers)
    assert parts(own_cache).items() >= before.items()
    assert len(parts(own_cache)) == 11
    next(own_cache.rglob("*.npy")).write_bytes(b"")  # as a power cut leaves it
    pd.testing.assert_frame_equal(models.run(model, colours).confidences, found.confidences)


def test_a_part_of_which_one_bit_has_changed_is_not_taken_for_what_was_computed(tmp_path):
    file, other, rng = tmp_path / "part.npy", tmp_path / "other.npy", np.random.default_rng(0)
    outputs = rng.random((8, 5), np.float32)
    inference.write(file, outputs)
    whole = file.read_bytes()
    np.testing.assert_array_equal(inference.read(file), outputs)
    damaged = [b"", whole[:-1], whole[:40]]
    for bit in rng.choice(8 * len(whole), 200, replace=False):
        changed = bytearray(whole)
        changed[bit // 8] ^= 1 << bit % 8
        damaged.append(bytes(changed))
    for content in damaged:
        file.write_bytes(content)
        assert inference.read(file) is None
    other.write_bytes(whole)  # of other pictures
    assert inference.read(other) is None


def test_a_disk_without_room_leaves_what_is_there_and_a_second_run_goes_on(colours, own_cache, monkeypatch):
    model = slow_model()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))  # bytes of a file; the parts are larger
    try:
        full = r"\.npy could not be written \(.+\): make room, or .*it goes on where it stands"
        with pytest.raises(OSError, match=full):
            models.run(model, colours)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [path for path in own_cache.rglob("*") if path.is_file()] == []
    assert all_right(models.answers(model, colours))


def test_what_was_computed_is_found_by_what_it_depends_on(colours, own_cache):
    model = slow_model()
    models.run(model, colours, mapping="sum")
    models.run(model, colours, mapping="mean")
    assert len(parts(own_cache)) == 1
    whole = models.load(mean_colour(), architecture="test_resnet", classes=COLOURS, preprocessing="whole", device="cpu")
    models.run(whole, colours)
    assert len(parts(own_cache)) == 2


def test_pictures_of_which_none_can_be_read(colours):
    for path in colours.rglob("*.png"):
        path.write_text("no picture")
    with pytest.raises(DataError, match="none of the 21 pictures of colours can be read"):
        models.run(slow_model(), colours, skip_broken=True)


# --- many models on many sets of pictures -----------------------------------------------------------------------------

LOADING = {"architecture": "test_resnet", "classes": tuple(COLOURS), "device": "cpu"}


@pytest.fixture
def work(colours, trained, torch, tmp_path):
    """Two small networks, and two folders of pictures."""
    for seed in range(2):
        trained.get_classifier().bias.data[0] = 9.0 * seed
        torch.save(trained.state_dict(), tmp_path / f"net{seed}.pth")
    shutil.copytree(colours / "red", tmp_path / "some" / "red")
    return [str(tmp_path / f"net{seed}.pth") for seed in range(2)], [str(colours), str(tmp_path / "some")]


@pytest.mark.parametrize("daemon", [False, True])
def test_processes_beside_the_network_decode_where_it_runs_in_one_of_several(work, own_cache, monkeypatch, daemon):
    """As on a GPU: first in a process of joblib's, then in one of Dask's, which may start none."""
    models, images = work
    (alone,) = run_many(models, images[:1], loading=LOADING)
    monkeypatch.setenv("XDG_CACHE_HOME", str(own_cache.parent / "another"))
    monkeypatch.setitem(multiprocessing.current_process()._config, "daemon", daemon)
    (several,) = run_many(models, images[:1], loading=LOADING, running={"workers": 1}, n_jobs=1 if daemon else 2)
    for one, other in zip(alone.runs, several.runs, strict=True):
        pd.testing.assert_frame_equal(one.confidences, other.confidences)


def test_a_model_that_is_not_there_stops_no_other(work, tmp_path):
    models, images = work
    (tmp_path / "damaged.pth").write_text("no weights")
    found = run_many([*models, str(tmp_path / "damaged.pth")], images, loading=LOADING)
    assert [len(done.runs) for done in found] == [2, 2]
    assert all("damaged.pth does not hold weights of test_resnet" in done.failed[0] for done in found)


def test_a_run_that_is_stopped_says_how_to_go_on_and_one_that_ends_what_works_next(work, here, monkeypatch):
    models, _ = work
    words = ["--architecture", "test_resnet", "--classes", ",".join(COLOURS), "--images", "colours"]
    words += ["--out", "an swers.csv"]
    several = typed("run", *models, *words)
    assert typed(*shlex.split(several.stderr.partition("compare them: erralign ")[2])).exit_code == 0
    monkeypatch.setattr("erralign.models.running.run", Mock(side_effect=KeyboardInterrupt))
    stopped = typed("run", *models, *words)
    assert stopped.exit_code == 130
    assert "the same command goes on from there" in stopped.stderr
