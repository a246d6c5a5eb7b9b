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
from collections import Counter
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest
import yaml
from builders import refused_otherwise, typed
from test_command_line import erralign

from benchmarks import networks
from erralign import load, models
from erralign._validation import DataError
from erralign.datasets.stimuli import sixteen_categories
from erralign.models import inference, libraries
from erralign.models.running import run_many

pytestmark = pytest.mark.usefixtures("own_cache")
COLOURS = {"red": (220, 30, 20), "green": (10, 200, 60), "blue": (30, 60, 210)}
NETWORKS = yaml.safe_load(Path(__file__).with_name("networks.yml").read_text(encoding="utf-8"))


@pytest.fixture
def colours(requires_models, tmp_path):
    """Seven pictures of each colour, in a folder per class."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    for name, colour in COLOURS.items():
        (tmp_path / "colours" / name).mkdir(parents=True)
        for number in range(7):
            text = PngInfo()
            text.add_text("number", str(number))  # so that no two files are the same
            file = tmp_path / "colours" / name / f"{name}{number}.png"
            Image.new("RGB", (20, 20), colour).save(file, pnginfo=text)
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


def test_a_callable_that_expects_tensors_is_told_what_it_gets_or_gets_them(colours, torch):
    from PIL import Image

    def convolved(pixels):
        return torch.nn.functional.conv2d(pixels, torch.eye(3)[..., None, None]).mean((2, 3))

    def tensor(picture):
        return torch.tensor(np.asarray(picture) / 255 - 0.5, dtype=torch.float32).permute(2, 0, 1)

    words = r"convolved failed \(TypeError.*It got a list of pictures \(PIL.Image.Image, RGB\).*with transform=\.\.\."
    with pytest.raises(ValueError, match=words):
        models.run(models.load(convolved, classes=COLOURS), colours)
    for model in (convolved, mean_colour()):
        loaded = models.load(model, classes=COLOURS, transform=tensor)
        assert all_right(models.run(loaded, colours).answers)
    Image.new("RGB", (9, 9)).save(colours / "red" / "small.png")
    with pytest.raises(ValueError, match=r"transform gave tensors of the shapes \[\(3, 9, 9\), \(3, 20, 20\)\]"):
        models.run(loaded, colours)


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
        "three has 3 outputs, and 2 classes; name what its outputs mean": partial(models.run, two, blue),
        r"flat gave numbers of shape \(\d+,\) for \d+ pictures": partial(models.run, loaded["flat"], colours),
        "infinite gives numbers at 'logits' that are not finite": partial(models.run, loaded["infinite"], colours),
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
    assert all_right(models.run(found, colours).answers)
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


def test_a_network_that_was_saved_whole_is_refused_with_the_line_that_saves_its_weights(trained, torch, here):
    torch.save(trained, "whole.pth")
    with pytest.raises(DataError, match=r"whole.pth holds objects, such as a whole network") as refused:
        models.load("whole.pth", architecture="test_resnet", classes=COLOURS)
    line = str(refused.value).rpartition("only: ")[2]
    exec(line, {"torch": torch, "model": trained})
    assert models.load("weights.pth", architecture="test_resnet", classes=COLOURS).name == "weights"


def test_fewer_bits_by_choice_with_the_answers_that_they_change(colours, trained, torch, tmp_path):
    torch.save(trained.state_dict(), tmp_path / "w.pth")
    words = ("--architecture", "test_resnet", "--classes", "red,green,blue", "--images", str(colours))
    found = erralign("run", "w.pth", *words, "--precision", "bfloat16", cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    assert found.stderr.startswith("looking for the pictures\n")
    assert "note: bfloat16 changed 0 of 21 answers of w, beside float32" in found.stderr
    facts = pd.read_csv(tmp_path / "answers.models.csv").iloc[0]
    assert (facts["precision"], facts["changed"]) == ("bfloat16", "0 of 21")
    few, exact = (models.load(trained, classes=COLOURS, precision=each) for each in ("bfloat16", "float32"))
    sure = [models.run(model, colours).confidences.to_numpy() for model in (few, exact)]
    assert not np.array_equal(*sure)
    np.testing.assert_allclose(*sure, atol=0.05)


def test_features_are_those_of_the_last_call_of_a_layer_and_nothing_behind_it_is_computed(colours, torch):
    class Twice(torch.nn.Module):
        """One layer, called twice, and one behind it."""

        def __init__(self):
            super().__init__()
            self.layer, self.behind = torch.nn.Upsample(scale_factor=1), torch.nn.Identity()

        def forward(self, pixels):
            return self.behind(self.layer(2 * self.layer(pixels))).mean((2, 3))

    network, calls = Twice(), []
    network.behind.register_forward_hook(lambda *_: calls.append(1))
    model = models.load(network, architecture="test_resnet", classes=COLOURS)
    pixels = models.features(model, colours, layer="layer")
    np.testing.assert_allclose(
        pixels.to_numpy().reshape(21, 3, -1).mean(2), models.features(model, colours, layer="logits"), rtol=1e-3
    )
    assert (
        len(calls) == 1 + 3
    )  # in the first of three batches, which counts how often the layer is called, and for logits


def test_a_checkpoint_with_something_wrong(trained, torch, tmp_path):
    for name, content in {"w": trained.state_dict(), "code": {"state_dict": os.system}}.items():  # which would run
        torch.save(content, tmp_path / f"{name}.pth")
    (tmp_path / "text.pth").write_bytes(b"no weights")
    w, text, code = (partial(models.load, tmp_path / f"{name}.pth") for name in ("w", "text", "code"))
    resnet = {"architecture": "test_resnet"}
    cases = {
        "w.pth holds weights only; name its network, a model of timm, with architecture": w,
        "w.pth .* of test_vit .*; name another architecture": partial(w, architecture="test_vit", classes=COLOURS),
        "text.pth is no file of weights, or damaged: it begins with": partial(text, **resnet),
        "code.pth holds objects": partial(code, **resnet),
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


def test_all_sets_in_a_folder_that_have_their_pictures_there(requires_data, trained, torch, tmp_path):
    """Two of the seventeen, a few pictures each, under names as the authors publish them; the next command works."""
    from PIL import Image

    network = libraries.timm().create_model("test_resnet")
    torch.save(network.state_dict(), tmp_path / "w.pth")
    for data_set in ("sketch", "colour"):
        (tmp_path / "sets" / data_set / "dnn").mkdir(parents=True)
        for number, image in enumerate(load(f"model-vs-human/{data_set}").truth.index.get_level_values("image")[:40]):
            name = f"{number:04d}_abc_dnn_0_dog_00_{image}"
            Image.new("RGB", (9, 9), (5 * number, 90, 200)).save(tmp_path / "sets" / data_set / "dnn" / name)
    words = ("--architecture", "test_resnet", "--data", "all", "--images", "sets")
    found = erralign("run", "w.pth", *words, "--out", "mine/", cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    assert "note: 40 of the 800 pictures of model-vs-human/sketch are in sets/sketch, and only these" in found.stderr
    (compare,) = (line for line in found.stderr.splitlines() if "--data model-vs-human/sketch" in line)
    compared = erralign(*shlex.split(compare.partition("erralign ")[2]), cwd=tmp_path)
    assert compared.returncode == 0, compared.stderr
    assert len(pd.read_csv(tmp_path / "mine" / "answers-model-vs-human-colour.csv")) == 40
    (tmp_path / "empty").mkdir()
    refused = erralign("run", "w.pth", "--data", "all", "--images", "empty", cwd=tmp_path)
    assert refused.returncode == 2
    assert "empty has no folder of a set of model-vs-human" in refused.stderr


# --- beside a loop that a reader could type ---------------------------------------------------------------------------


@pytest.fixture
def three_sets(requires_models, tmp_path):
    """Patches of colour in folders of three categories each."""
    from PIL import Image

    rng = np.random.default_rng(0)
    for number, words in enumerate(("dog cat car", "oven bear knife", "boat truck clock")):
        for word in words.split():
            folder = tmp_path / f"set{number}" / word
            folder.mkdir(parents=True)
            for i in range(4):
                patches = rng.integers(0, 256, (5, 5, 3), dtype=np.uint8)
                Image.fromarray(patches).resize((90 + i, 120)).save(folder / f"{word}{i}.png")
    return [str(tmp_path / f"set{number}") for number in range(3)]


@pytest.mark.parametrize("architecture", ["test_resnet", "test_vit", "test_efficientnet"])
def test_run_answers_what_a_plain_loop_answers(torch, three_sets, architecture):
    from PIL import Image

    timm = libraries.timm()
    torch.manual_seed(0)
    network = timm.create_model(architecture).eval()
    network.get_classifier().weight.data *= 100  # or all pictures would get one answer
    settings = timm.data.resolve_data_config(network.pretrained_cfg)
    transform = timm.data.create_transform(**settings)
    words = sixteen_categories()
    answered = set()
    for folder in three_sets:
        images = models.open_images(folder)
        pictures = [transform(Image.open(picture.file).convert("RGB")) for picture in images.pictures]
        with torch.inference_mode():
            p = network(torch.stack(pictures)).softmax(dim=1).numpy()
        means = np.stack([p[:, classes].mean(axis=1) for classes in words.values()], axis=1)
        found = models.run(network, images)
        assert found.answers.answers.iloc[:, 0].tolist() == means.argmax(axis=1).tolist()
        np.testing.assert_allclose(found.confidences, means / means.sum(axis=1, keepdims=True), rtol=1e-3, atol=1e-6)
        answered |= set(means.argmax(axis=1))
    assert len(answered) > 1


def test_a_table_of_pictures_per_second_beside_a_plain_loop(requires_models, own_cache, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(own_cache))  # which the script sets
    monkeypatch.setattr(networks, "ON_A_PROCESSOR", {"networks": ["test_resnet"], "pictures": 12})
    table = pd.DataFrame(networks.measure("cpu")).set_index("way")
    assert table.index.tolist() == [networks.PLAIN, *networks.WAYS]
    assert (table["pictures per second"] > 0).all()
    assert table["other answers"].iloc[:3].eq(0).all()


# --- runs that are stopped --------------------------------------------------------------------------------------------


def slow_model():
    """A network that takes its time, so that a kill finds it at work."""
    import torch

    slow = torch.nn.Sequential(torch.nn.Upsample(scale_factor=4), *mean_colour())
    torch.set_num_threads(1)  # so that a forked process can compute
    return models.load(slow, architecture="test_resnet", classes=COLOURS, device="cpu")


def parts(cache):
    return {path: path.stat().st_mtime_ns for path in cache.rglob("*.npy")}


def test_a_run_that_is_killed_ten_times_loses_nothing_and_computes_nothing_twice(colours, own_cache, monkeypatch):
    monkeypatch.setattr(inference, "_PART", 2)
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
    assert all_right(models.run(model, colours).answers)


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


def test_several_models_side_by_side_say_what_they_say_alone(work, own_cache, monkeypatch):
    models, images = work
    (alone,) = run_many(models, images[:1], loading=LOADING)
    monkeypatch.setenv("XDG_CACHE_HOME", str(own_cache.parent / "another"))
    (several,) = run_many(models, images[:1], loading=LOADING, n_jobs=2)
    for one, other in zip(alone.runs, several.runs, strict=True):
        pd.testing.assert_frame_equal(one.confidences, other.confidences)


def test_a_picture_is_decoded_once_for_all_networks_and_layers_that_prepare_it_alike(work, monkeypatch):
    paths, images = work
    decoded = Counter()
    decode = inference._decoded
    monkeypatch.setattr(inference, "decoding", {})
    monkeypatch.setattr(inference, "_decoded", lambda picture: decoded.update([picture.file]) or decode(picture))
    run_many(paths, images, loading=LOADING)
    models.features(models.load(paths[0], **LOADING), images[0], layer="layer1")
    assert len(decoded) == 28
    assert set(decoded.values()) == {1}
    models.run(models.load(paths[0], **LOADING, preprocessing="whole"), images[0])
    assert decoded.total() == 28 + 21


def test_what_is_decoded_is_forgotten_when_there_is_much(work, monkeypatch):
    paths, images = work
    monkeypatch.setattr(inference, "_PART", 2)
    monkeypatch.setattr(inference, "decoding", {})
    monkeypatch.setattr(inference, "_MOST_DECODED", 100_000)  # bytes: four parts of 2 x 3 x 64 x 64
    models.run(models.load(paths[0], **LOADING), images[0])
    assert 1 <= len(inference.decoding) <= 4


def test_a_model_that_is_not_there_stops_no_other(work, tmp_path):
    models, images = work
    (tmp_path / "damaged.pth").write_text("no weights")
    found = run_many([*models, str(tmp_path / "damaged.pth")], images, loading=LOADING)
    assert [len(done.runs) for done in found] == [2, 2]
    assert all("damaged.pth is no file of weights" in done.failed[0] for done in found)


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
