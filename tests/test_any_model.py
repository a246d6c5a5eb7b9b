"""Any model: what is run is what was given, beside a loop in plain torch; and the page's examples."""

import re
import shutil
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from builders import refused_otherwise, typed
from PIL import Image

from erralign import models
from erralign._validation import DataError
from erralign.models import libraries
from erralign.models.images import open_images
from erralign.models.loading import name_of

pytestmark = pytest.mark.usefixtures("own_cache")
WORDS = ("airplane", "bear", "bird")


@pytest.fixture
def pics(requires_models, here):
    """Twelve pictures of patches in three folders."""
    for number in range(12):
        folder = Path("pics", WORDS[number % 3])
        folder.mkdir(parents=True, exist_ok=True)
        patches = np.random.default_rng(number).integers(0, 255, (6, 6, 3), dtype=np.uint8)
        Image.fromarray(patches).resize((40, 40), Image.Resampling.NEAREST).save(folder / f"{number}.png")
    return Path("pics")


def tensor(picture):
    import torch

    return torch.tensor(np.asarray(picture.resize((16, 16))) / 255 - 0.5, dtype=torch.float32).permute(2, 0, 1)


def plain(torch, *, last=3, seed=0):
    torch.manual_seed(seed)
    return torch.nn.Sequential(
        torch.nn.Conv2d(3, 6, 3), torch.nn.BatchNorm2d(6), torch.nn.ReLU(inplace=True), torch.nn.AdaptiveAvgPool2d(2),
        torch.nn.Flatten(), torch.nn.Linear(24, last),
    )  # fmt: skip


def by_hand(torch, module, transform=tensor):
    """One picture at a time."""
    was = module.training
    module.eval()
    with torch.no_grad():
        files = [each.file for each in open_images("pics").pictures]
        rows = torch.cat([module(transform(Image.open(file).convert("RGB"))[None]) for file in files])
    module.train(was)
    return rows.numpy()


def logits(loaded, layer="logits"):
    return models.features(loaded, "pics", layer=layer).to_numpy()


def test_a_layer_is_kept_as_it_was_before_the_next_writes_into_it(pics, torch):
    module = plain(torch)
    loaded = models.load(module, classes=WORDS, transform=tensor)
    expected = by_hand(torch, torch.nn.Sequential(*module[:2])).reshape(12, -1)
    np.testing.assert_allclose(logits(loaded, "1"), expected, atol=1e-5)
    assert (expected < 0).any(axis=1).all()
    np.testing.assert_allclose(logits(loaded, "penultimate"), by_hand(torch, module[:5]), atol=1e-5)


def lesioned(torch, module, how):
    """Change what a network computes without changing a weight that is saved."""
    if how == "attribute":
        module[0].padding = (1, 1)
    if how == "activation":
        module[2] = torch.nn.GELU()
    if how == "hook":
        module[2].register_forward_hook(lambda _layer, _given, output: output * 0)
    if how == "buffer":
        module[1].running_mean += 5
    if how == "method":
        module[2].forward = lambda x: x


@pytest.mark.parametrize("how", ["attribute", "activation", "hook", "buffer", "method"])
def test_a_network_that_was_changed_gets_no_answers_of_the_whole_one(pics, torch, how):
    timm = libraries.timm()
    transform = timm.data.create_transform((3, 16, 16), is_training=False)
    module = plain(torch)
    loaded = models.load(module, classes=WORDS, transform=transform)
    assert loaded.key()
    whole = logits(loaded)
    lesioned(torch, module, how)
    expected = by_hand(torch, module, transform)
    assert not np.allclose(whole, expected, atol=1e-3)
    for each in (loaded, models.load(module, classes=WORDS, transform=transform)):
        np.testing.assert_allclose(logits(each), expected, atol=1e-5)
        assert bool(each.key()) == (how not in ("hook", "method"))


def test_a_picture_that_was_replaced_is_seen_anew_whatever_its_time(pics, torch):
    import os

    transform = libraries.timm().data.create_transform((3, 16, 16), is_training=False)
    loaded = models.load(plain(torch), classes=WORDS, transform=transform)
    file = pics / "bear" / "new.bmp"
    rows = []
    for colour in ((250, 0, 0), (0, 0, 250)):
        Image.new("RGB", (20, 20), colour).save(file)
        os.utime(file, ns=(10**18, 10**18))
        rows.append(models.features(loaded, pics, layer="logits").loc["new.bmp"])
    assert not np.allclose(*rows)


def test_a_network_keeps_its_mode_and_takes_a_view(pics, torch):
    class Viewed(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.conv, self.head = torch.nn.Conv2d(3, 4, 3), torch.nn.Linear(4 * 14 * 14, 3)

        def forward(self, x):
            x = self.conv(x)
            return self.head(x.view(x.size(0), -1))

    module = Viewed().train()
    module.conv.eval()
    loaded = models.load(module, classes=WORDS, transform=tensor)
    np.testing.assert_allclose(logits(loaded), by_hand(torch, module), atol=1e-5)
    assert module.training
    module = plain(torch).train()
    module[1].eval()
    models.run(models.load(module, classes=WORDS, transform=tensor), pics)
    assert [each.training for each in module] == [True, False, True, True, True, True]


def test_outputs_of_any_form(pics, torch):
    module = plain(torch)

    class Wrapped(torch.nn.Module):
        def __init__(self, form):
            super().__init__()
            self.inner, self.form = module, form

        def forward(self, x):
            return self.form(self.inner(x))

    expected = by_hand(torch, module)
    forms = {
        "dict": (lambda x: {"loss": x + 1, "logits": x}, None),
        "tuple": (lambda x: (x + 1, x), 1),
        "named": (lambda x: {"a": x + 1, "b": x}, "b"),
        "one": (lambda x: (x,), None),
    }
    for form, which in forms.values():
        loaded = models.load(Wrapped(form), classes=WORDS, transform=tensor, logits=which)
        np.testing.assert_allclose(logits(loaded), expected, atol=1e-5)
    with pytest.raises(ValueError, match=r"Wrapped returns 0 \(\d+, 3\), 1 .*name which are the logits with logits="):
        logits(models.load(Wrapped(forms["tuple"][0]), classes=WORDS, transform=tensor))
    arrays = models.load(module, classes=WORDS, transform=lambda picture: tensor(picture).numpy())
    np.testing.assert_allclose(logits(arrays), expected, atol=1e-5)
    ruled = models.run(models.load(lambda some: [[-np.inf, 1, 0]] * len(some), classes=WORDS, name="f"), pics)
    np.testing.assert_allclose(ruled.confidences.iloc[0], [0, 1 / (1 + np.exp(-1)), 1 - 1 / (1 + np.exp(-1))])


def test_wrappings_of_checkpoints_are_taken_off_and_what_does_not_fit_is_named(pics, torch):
    timm = libraries.timm()
    torch.manual_seed(0)
    state = timm.create_model("test_resnet").state_dict()
    before = {"module.": {}, "model.": {"loss.weight": torch.ones(2)}, "a.b.": {}, "": {}}
    for prefix, more in before.items():
        for outer in (lambda x: x, lambda x: {"net": x}, lambda x: {"epoch": 1, "state": {"model": x}}):
            torch.save(outer({f"{prefix}{name}": each for name, each in state.items()} | more), "w.pth")
            found = models.load("test_resnet:w.pth")
            assert found.facts["weights"] == models.networks.hash_of(state)
    other = {name: each + 1 if each.is_floating_point() else each for name, each in state.items()}
    torch.save({"state_dict": state, "state_dict_ema": other}, "ema.pth")
    with pytest.warns(UserWarning, match=r"taken is state_dict_ema \(averaged over training\), not state_dict"):
        found = models.load("test_resnet:ema.pth")
    assert "state_dict_ema" in found.facts["revision"]
    assert found.facts["weights"] == models.networks.hash_of(other)
    grey = timm.create_model("test_resnet", in_chans=1).state_dict()
    torch.save(grey, "grey.pth")
    torch.save({name: each for name, each in state.items() if name != "bn1.weight"}, "less.pth")
    torch.save({"student": state, "teacher": other}, "two.pth")
    torch.save(plain(torch), "whole.pth")
    Path("page.pth").write_text("<!DOCTYPE html><p>not found")
    Path("lfs.safetensors").write_text("version https://git-lfs.github.com/spec/v1\n")
    shutil.copy("less.pth", "other.pkl")
    cases = {
        r"conv1.0.weight has the shape \(\d+, 1, 3, 3\) there and \(\d+, 3, 3, 3\)": "test_resnet:grey.pth",
        "it lacks bn1.weight, one of 1": "test_resnet:less.pth",
        "two.pth holds several networks, student and teacher": "test_resnet:two.pth",
        r"whole.pth holds objects, .*models.load\(module, transform=": "whole.pth",
        "page.pth is no file of weights, or damaged: it is a web page": "test_resnet:page.pth",
        "lfs.safetensors is no file of weights.*pointer of Git LFS": "test_resnet:lfs.safetensors",
        "other.pkl is no model that is known here: it is a ZIP archive": "other.pkl",
    }
    assert not refused_otherwise((words, partial(models.load, spec)) for words, spec in cases.items())


def test_pictures_of_other_endings_and_in_linked_folders_are_shown_and_others_named(pics, tmp_path):
    picture = Image.open(pics / "bear" / "1.png")
    for ending in ("ppm", "avif"):
        picture.save(pics / "bear" / f"x.{ending}")
    picture.save(pics / "bear" / "y.jfif", "JPEG")
    picture.save(pics / "bear" / "z", "PNG")
    (pics / "bear" / "notes.txt").write_text("no picture")
    Path("linked").mkdir()
    Path("linked", "bear").symlink_to(Path("pics", "bear").resolve())
    found = open_images("linked")
    assert len(found.pictures) == 4 + 4
    assert "1 files that do not end as pictures do are left out, such as bear/notes.txt" in found.note
    Path("linked", "bear", "round").symlink_to(Path("linked").resolve())
    with pytest.raises(ValueError, match="is a link to a folder around it"):
        open_images("linked")


def test_a_picture_that_is_none_is_named_and_what_it_is(pics, torch):
    (pics / "bear" / "bad.png").write_text("version https://git-lfs.github.com/spec/v1\n")
    with pytest.raises(DataError, match=r"bad.png cannot be read as a picture \(it is a pointer of Git LFS"):
        models.run(models.load(plain(torch), classes=WORDS, transform=tensor), pics)


MODULE = '''
import numpy, torch

def tensor(picture):
    return torch.tensor(numpy.asarray(picture.resize((16, 16))) / 255.0).float().permute(2, 0, 1)

def make_model():
    torch.manual_seed(1)
    module = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(768, 3))
    return module, tensor, ["airplane", "bear", "bird"]

def wrong():
    return 3
'''


def test_a_function_in_a_file_answers_and_files_of_others_stay(pics):
    Path("mine.py").write_text(MODULE)
    found = typed("run", "mine.py:make_model", "--images", "pics")
    assert found.exit_code == 0, found.stderr
    written = Path("answers.csv").read_text()
    run = models.run("mine.py:make_model", "pics")
    assert run.to_csv("again.csv")[0].name == "again.csv"
    assert Path("again.csv").read_text() == written
    assert pd.read_csv("answers.csv")["mine"].nunique() > 1
    assert (name_of("mine.py:make_model"), name_of("mine.py:wrong")) == ("mine", "mine:wrong")
    Path("answers.csv").write_text("trial,truth,anna\n1,dog,cat\n")
    Path("answers.models.csv").unlink()
    refused = typed("run", "mine.py:make_model", "--images", "pics")
    assert "answers.csv is there and has 'anna', which this run does not compute" in refused.stderr
    assert "anna" in Path("answers.csv").read_text()
    for spec, words in {"mine.py:wrong": "returned int; expected a function", "mine.py:no": "no function 'no'"}.items():
        assert words in typed("run", spec, "--images", "pics", "--out", "x.csv").stderr


def test_features_of_two_files_of_one_name_are_refused_and_similarity_reads_the_file(pics, torch):
    Path("mine.py").write_text(MODULE)
    for folder in ("a", "b"):
        Path(folder).mkdir()
        shutil.copy("mine.py", folder)
    refused = typed("features", "a/mine.py:make_model", "b/mine.py:make_model", "--images", "pics")
    assert "would both be called 'mine'" in refused.stderr
    assert typed("features", "mine.py:make_model", "--images", "pics", "--layer", "logits").exit_code == 0
    rows = np.load("features.npz")
    order = np.random.default_rng(0).permutation(12)
    np.savez("other.npz", ids=rows["ids"][order], x=rows["mine"][order], y=rows["mine"])
    refused = typed("similarity", "features.npz", "other.npz", "--measures", "CKA")
    assert "name one of them, such as other.npz:x" in refused.stderr
    found = typed("similarity", "features.npz", "other.npz:x", "--measures", "CKA")
    assert "1.0000" in found.stdout.splitlines()[-2], found.stderr


def test_onnx_counts_weights_beside_it_and_says_where_it_runs(pics, torch):
    onnx = pytest.importorskip("onnx")
    rows = []
    for seed in (0, 1):
        module = plain(torch, last=3, seed=seed).eval()
        torch.onnx.export(module, (torch.zeros(2, 3, 16, 16),), "whole.onnx", dynamo=False, dynamic_axes={"x": [0]},
                          input_names=["x"])  # fmt: skip
        Path("e.onnx.data").unlink(missing_ok=True)
        onnx.save(onnx.load("whole.onnx"), "e.onnx", save_as_external_data=True, location="e.onnx.data",
                  size_threshold=0)  # fmt: skip
        transform = libraries.timm().data.create_transform((3, 16, 16), is_training=False)
        loaded = models.load("e.onnx", transform=transform, classes=WORDS)
        assert (loaded.device, bool(loaded.key())) == ("CPUExecutionProvider", True)
        rows.append(logits(loaded))
        np.testing.assert_allclose(rows[-1], by_hand(torch, module, transform), atol=1e-4)
    assert not np.allclose(*rows)
    with pytest.raises(ValueError, match="device is 'cuda:7', which ONNX Runtime has not"):
        models.load("e.onnx", transform=tensor, classes=WORDS, device="cuda:7")


def test_a_folder_of_hugging_face_and_the_test_size_of_timm(pics, torch):
    transformers = pytest.importorskip("transformers")
    libraries.timm()
    config = transformers.ResNetConfig(
        embedding_size=4, hidden_sizes=[4], depths=[1], num_labels=3, id2label=dict(enumerate(WORDS))
    )
    module = transformers.ResNetForImageClassification(config).eval()
    module.save_pretrained("net")
    transformers.ViTImageProcessor(size={"height": 16, "width": 16}).save_pretrained("net")
    loaded = models.load("net")
    assert loaded.classes == WORDS
    expected = by_hand(torch, _Logits(module).module, lambda picture: loaded.prepare(picture))
    np.testing.assert_allclose(logits(loaded), expected, atol=1e-5)
    settings = models.loading._settings("resnet50.a1_in1k")
    said = models.networks.preparation(settings).described
    assert "crop_pct 1, input_size 3 288 288" in said.replace("1.0,", "1,")


def test_the_examples_of_the_page_run(pics, monkeypatch):
    pytest.importorskip("onnx")
    page = Path(__file__).parent.parent.joinpath("notebooks", "how-to-model.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert len(examples) == 5
    libraries.timm()  # where torchvision was built for another torch
    pics.rename("my-folder")
    for example in examples:
        exec(example, {})
    for name in ("own-module", "checkpoint", "clip", "hugging-face", "onnx"):
        table = pd.read_csv(f"{name}.csv")
        assert (len(table), table.columns[1]) == (12, "truth")
        assert table.iloc[:, 2].notna().all()


class _Logits:
    """A network of Hugging Face that returns its logits."""

    def __init__(self, inner):
        import torch

        class Module(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = inner

            def forward(self, x):
                return self.inner(x).logits

        self.module = Module()
