"""Models on pictures: where both come from, and what becomes of outputs; and three EfficientNets beside others."""

import shutil
import time
from functools import partial

import numpy as np
import pandas as pd
import pytest
from builders import refused_otherwise
from PIL import Image
from test_command_line import erralign

from erralign import load, models
from erralign._validation import DataError
from erralign.datasets import model_vs_human
from erralign.datasets.data_sets import records
from erralign.datasets.features import features_of_guests
from erralign.datasets.stimuli import stimuli
from erralign.datasets.trials import CATEGORIES
from erralign.models import categories, inference
from erralign_book.papers import efficientnets

pytestmark = pytest.mark.usefixtures("own_cache")
LITE0 = "tf_efficientnet_lite0"


NAMES = ("cat/1.png", "cat/2.png", "dog/3.png")


@pytest.fixture
def folder(tmp_path):
    """Three files in two folders of classes, empty: enough for what does not open them."""
    for path in (tmp_path / "pictures" / name for name in NAMES):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return tmp_path / "pictures"


def noise(seed, size=(224, 224)):
    """A picture of coloured patches, the same on every machine."""
    patches = np.random.default_rng(seed).integers(0, 256, (7, 7, 3), dtype=np.uint8)
    return Image.fromarray(patches).resize(size, Image.Resampling.NEAREST)


@pytest.fixture
def pictures(requires_models, folder):
    """The same three files, with pictures in them."""
    for seed, name in enumerate(NAMES):
        noise(seed).save(folder / name)
    return folder


# --- categories -------------------------------------------------------------------------------------------------------


def test_mappings_by_hand():
    probabilities = np.array([[0.1, 0.3, 0.2, 0.4], [0.02, 0.04, 0.9, 0.04]])
    wanted = {"mean": [[0.2, 0.2], [0.03, 0.9]], "sum": [[0.4, 0.2], [0.06, 0.9]], "maximum": [[0.3, 0.2], [0.04, 0.9]]}
    for mapping in models.categories.MAPPINGS:
        scores = np.array(wanted[mapping])
        found = models.category_confidences(np.log(probabilities), [[0, 1], [2]], mapping)
        np.testing.assert_allclose(found, scores / scores.sum(axis=1, keepdims=True), rtol=1e-12)
    tiny = models.category_confidences(np.array([[900.0, -900.0, -901.0]]), [[1], [2]])  # an order is left
    assert np.isfinite(tiny).all()
    assert tiny.argmax() == 0


# --- pictures ---------------------------------------------------------------------------------------------------------


def test_a_folder_per_class_and_a_list_of_files(folder):
    assert models.open_images(folder).truth.to_dict() == {"1.png": "cat", "2.png": "cat", "3.png": "dog"}
    (folder / "list.csv").write_text("file,class\ndog/3.png,dog\ncat/1.png,cat\n")
    assert models.open_images(folder / "list.csv").truth.to_dict() == {"3.png": "dog", "1.png": "cat"}
    shutil.move(folder / "dog" / "3.png", folder / "dog" / "1.png")  # of one name: named by folder too
    assert list(models.open_images(folder).truth.index) == ["cat/1.png", "cat/2.png", "dog/1.png"]


@pytest.mark.parametrize("data_set", model_vs_human.data_sets().index)
def test_pictures_of_all_seventeen_sets_are_found_by_the_names_of_trials(requires_data, tmp_path, data_set):
    """In a folder per set, under names as the authors publish them, two of which are missing."""
    trials = load(f"model-vs-human/{data_set}")
    images = trials.truth.index.get_level_values("image")
    for number, image in enumerate(images[:-2]):
        path = tmp_path / data_set / "dnn" / "session-1" / f"{number:04d}_xyz_dnn_0_dog_00_{image}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    found = models.open_images(f"model-vs-human/{data_set}", folder=tmp_path)
    truth = trials.truth.map(dict(enumerate(trials.classes)))
    assert found.truth.to_dict() == truth[:-2].to_dict()
    assert all(picture.file.endswith(f"_{image}") for picture, image in zip(found.pictures, images, strict=False))
    assert f"{len(images) - 2:,} of the {len(images):,} pictures of model-vs-human/{data_set} are in" in found.note


def test_a_folder_without_the_pictures_of_a_set_and_a_set_without_pictures(requires_data, folder):
    cases = {
        "none of the 800 pictures of model-vs-human/sketch is in .*; expected names that": "model-vs-human/sketch",
        "the trials of naep/reading name no pictures; expected .* such as model-vs-human/sketch": "naep/reading",
    }
    assert not refused_otherwise(
        (words, partial(models.open_images, name, folder=folder)) for words, name in cases.items()
    )


def test_hidden_pictures_are_left_out_and_counted(folder):
    for place in ("cat/.ipynb_checkpoints/1-checkpoint.png", "__MACOSX/cat/1.png"):
        (folder / place).parent.mkdir(parents=True)
        (folder / place).touch()
    images = models.open_images(folder)
    assert images.truth.to_dict() == {"1.png": "cat", "2.png": "cat", "3.png": "dog"}
    assert images.note.startswith("2 hidden pictures")


def test_imagenets_own_classes(requires_models):
    for written, place in {"n02123045": 281, "banana": 954, "Golden_retriever": 207, "crane (n02012849)": 134}.items():
        names, members = categories.categories_for({written}, None, "net")
        assert (len(set(names)), names[place], members[place]) == (1000, written, [place])
    for two in ("banana n02123045", "banana dog", "banana crane", "n99999999 n02123045"):
        with pytest.raises(ValueError, match=r"all in one way, the 16 .* ImageNet's words .* or its WordNet ids"):
            categories.categories_for(set(two.split()), None, "net")


def test_pictures_that_are_nowhere_and_lists_with_something_wrong(folder):
    def listed(text):
        (folder / "list.csv").write_text(text)
        return models.open_images(folder / "list.csv")

    (folder / "empty").mkdir()
    (folder / "stray.png").touch()
    cases = {
        "list.csv, row 2, column 'file' names .*9.png, which is not there": (listed, "file,class\ncat/9.png,cat\n"),
        "list.csv has no column 'file'; its header is picture, class": (listed, "picture,class\ncat/1.png,cat\n"),
        "list has the picture 'cat/1.png' twice": (listed, "file,class\ncat/1.png,cat\ncat/1.png,cat\n"),
        "the pictures of xu2024/colour are in no archive .*: get them": (models.open_images, "xu2024/colour"),
        "there is no picture in .*empty": (models.open_images, folder / "empty"),
        "stray.png is in no folder of a class; expected pictures/<class>/<picture>": (models.open_images, folder),
    }
    assert not refused_otherwise((words, partial(*call)) for words, call in cases.items())


@pytest.mark.parametrize("data_set", [each.name for each in records().values() if each.pictures])
def test_stimuli_have_the_names_of_the_trials(requires_data, data_set):
    trials, pictures = load(data_set), stimuli(data_set)
    truth = trials.truth.droplevel("condition") if trials.truth.index.nlevels > 1 else trials.truth
    assert pictures["category"].to_dict() == truth.map(dict(enumerate(trials.classes))).to_dict()


# --- loading ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def lite0(requires_models):
    return models.load(LITE0, device="cpu")


# The first four logits for noise(0), by torch 2.13.0 and timm 1.0.31 alone: timm.create_model("tf_efficientnet_lite0")
# with the package's tensors loaded by place, on by_hand(noise(0), whole). With the usual mean and standard deviation of
# ImageNet, which are wrong here, they would be -0.471, -0.268, -0.636, -1.447.
LOGITS = {
    "own": [-0.22594678, -0.15477242, 0.20137708, -0.30059594],
    "whole": [0.01771087, 0.30952525, 0.03377624, -0.43606329],
}


def test_outputs_are_those_of_the_network_alone(pictures):
    for preprocessing, expected in LOGITS.items():
        model = models.load(LITE0, preprocessing=preprocessing, device="cpu")
        found = models.features(model, pictures, layer="logits").loc["1.png"]
        np.testing.assert_allclose(found[:4], expected, rtol=0, atol=1e-4)


def test_weights_that_are_not_here_are_asked_for_once(requires_models, tmp_path, monkeypatch):
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    start = time.monotonic()
    with pytest.raises(DataError, match="the weights of resnet18 are not on this machine and could not be downloaded"):
        models.load("resnet18")
    assert time.monotonic() - start < 15  # the hub's client alone tries for 23 s or more
    assert not constants.HF_HUB_OFFLINE


# --- running ----------------------------------------------------------------------------------------------------------


def test_answers_confidences_and_features(lite0, pictures):
    assert lite0.facts["weights"].startswith("5e984df53b006fa8")
    found = models.run(lite0, pictures)
    said, sure = found.answers, found.confidences
    assert (said.answers.columns.tolist(), said.classes) == ([LITE0], CATEGORIES)
    assert sure.shape == (3, 16)
    np.testing.assert_allclose(sure.sum(axis=1), 1)
    assert (sure.to_numpy().argmax(axis=1) == said.answers[LITE0]).all()
    assert models.features(lite0, pictures).shape == (3, 1280)
    assert models.features(lite0, pictures, layer="blocks.6").shape == (3, 320 * 7 * 7)


def test_the_command_writes_features_of_pictures_and_of_classes(lite0, pictures, tmp_path):
    words = ["features", LITE0, "--images", str(pictures), "--device", "cpu", "--out"]
    for name, more, ids in (("each", [], ["1.png", "2.png", "3.png"]), ("mean", ["--per-class"], ["cat", "dog"])):
        found = erralign(*words, f"{name}.npz", *more, cwd=tmp_path)
        assert found.returncode == 0, found.stderr
        rows = features_of_guests(tmp_path / f"{name}.npz", "", pd.Index(ids))[LITE0].to_numpy()
        expected = models.features(lite0, pictures).to_numpy()
        if more:
            expected = np.stack([expected[:2].mean(axis=0), expected[2]])
        np.testing.assert_allclose(rows, expected, rtol=1e-4, atol=1e-5)
    assert "features-pictures.npz" in erralign(*words, "mine/", cwd=tmp_path).stdout


def test_a_gpu_says_what_the_processor_says(requires_gpu, lite0, pictures):
    there = models.load(LITE0, device="cuda")
    assert there.device.startswith("cuda")
    here, found = (models.features(model, pictures, layer="logits").to_numpy() for model in (lite0, there))
    np.testing.assert_allclose(found, here, rtol=0, atol=0.05 * np.abs(here).max())
    assert (found.argmax(axis=1) == here.argmax(axis=1)).all()


def test_names_of_models_layers_and_classes_with_a_typo(lite0, pictures):
    with pytest.raises(ValueError, match=f"timm has no model 'tf_eficientnet_lite0'; did you mean '{LITE0}'"):
        models.load("tf_eficientnet_lite0")
    with pytest.raises(ValueError, match=r"has no layer 'block.6'; did you mean 'blocks.6'"):
        models.features(lite0, pictures, layer="block.6")
    (pictures / "dog").rename(pictures / "dgo")
    with pytest.raises(ValueError, match=f"true class 'dgo', with which {LITE0} cannot answer; .*did you mean 'dog'"):
        models.run(lite0, pictures)


def test_a_broken_picture_is_named_or_left_out_on_request(lite0, pictures):
    whole = (pictures / "cat" / "2.png").read_bytes()
    (pictures / "cat" / "2.png").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match=r"cat/2.png cannot be read as a picture \(.+\): repair or remove it"):
        models.run(lite0, pictures)
    found = models.run(lite0, pictures, skip_broken=True)
    assert list(found.answers.truth.index) == ["1.png", "3.png"]
    assert found.broken == (str(pictures / "cat" / "2.png"),)
    with pytest.raises(DataError, match=r"cat/2.png cannot be read"):  # although what was skipped is on disk
        models.run(lite0, pictures)


def test_pictures_are_seen_as_a_viewer_shows_them(requires_models, tmp_path):
    turned = Image.Exif()
    turned[inference._ORIENTATION] = 6
    cases = {
        "16.png": (Image.fromarray(np.full((4, 4), 127 * 257, np.uint16)), {}, "of 16 bits", (4, 4), 127),
        "turned.png": (Image.new("RGB", (8, 4), (9, 9, 9)), {"exif": turned}, "turned upright", (4, 8), 9),
        "clear.png": (Image.new("RGBA", (4, 4), (9, 9, 9, 0)), {}, "on white", (4, 4), 255),
    }
    for name, (image, how, note, size, mean) in cases.items():
        image.save(tmp_path / name, **how)
        with pytest.warns(UserWarning, match=note):
            seen, trouble = inference._decoded(models.images._picture(tmp_path / name))
        assert (seen.mode, seen.size, np.asarray(seen).mean(), trouble) == ("RGB", size, mean, "")
    Image.fromarray(np.full((4, 4), 0.5, np.float32)).save(tmp_path / "unknown.tif")
    assert "of 32 bits" in inference._decoded(models.images._picture(tmp_path / "unknown.tif"))[1]


def test_memory_that_runs_out_halves_the_batch(requires_models):
    sizes = []

    def forward(pictures):
        sizes.append(len(pictures))
        if len(pictures) > 5:
            raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB")
        return np.asarray(pictures, dtype=np.float32)[:, None]

    told = []
    rows, at_once = inference._in_memory(forward, list(range(12)), 64, told.append)
    assert np.concatenate(rows).ravel().tolist() == list(range(12))
    assert (at_once, sizes, told) == (3, [12, 6, 3, 3, 3, 3], [3, 3, 3, 3])


# --- three EfficientNets beside the systems of Geirhos et al. ---------------------------------------------------------


def test_what_is_computed_here_is_what_was_frozen(requires_data, requires_models):
    """On as many of the 1,280 pictures as this machine has."""
    found = models.run(models.load(LITE0, device="cpu"), "geirhos2020/cue-conflict")
    pictures = found.answers.truth.index
    frozen = efficientnets.answers("cue-conflict").answers.loc[pictures, LITE0]
    assert (found.answers.answers[LITE0] != frozen).sum() <= 1
    sure = efficientnets.confidences(LITE0, "cue-conflict").loc[pictures]
    np.testing.assert_allclose(found.confidences, sure, rtol=0.02, atol=1e-6)
