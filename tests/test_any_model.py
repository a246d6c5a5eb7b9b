"""Any model: what is run is what was given, beside a loop in plain torch; and the page's examples."""

import collections
import contextlib
import functools
import os
import re
import shlex
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
from erralign.models.loading import is_local, name_of

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


@pytest.mark.parametrize("how", ["method", "wrapped", "function", "renamed function", "mode"])
def test_a_library_that_was_changed_gives_no_answers_of_before(pics, torch, monkeypatch, how):
    transform = libraries.timm().data.create_transform((3, 16, 16), is_training=False)
    nn, relu, forward = torch.nn, torch.nn.functional.relu, torch.nn.ReLU.forward
    module = plain(torch)
    loaded = models.load(module, classes=WORDS, transform=transform)
    assert loaded.key()
    whole = logits(loaded)

    def sigmoid(x, inplace=False):
        return x.sigmoid()

    class Mode(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), more=None):
            found = function(*args, **(more or {}))
            return found * 0.3 if function is relu else found

    if how == "method":
        monkeypatch.setattr(nn.ReLU, "forward", nn.Identity.forward)
    if how == "wrapped":
        monkeypatch.setattr(nn.ReLU, "forward", functools.wraps(forward)(lambda self, x: forward(self, x) * 0.1))
    if how in ("function", "renamed function"):
        monkeypatch.setattr(nn.functional, "relu", sigmoid)
    if how == "renamed function":
        sigmoid.__module__ = "torch.nn.functional"
    with Mode() if how == "mode" else contextlib.nullcontext():
        expected = by_hand(torch, module, transform)
        assert not np.allclose(whole, expected, atol=1e-3)
        np.testing.assert_allclose(logits(loaded), expected, atol=1e-5)


def test_settings_that_look_alike_when_rounded_are_two(requires_models):
    module = libraries.timm().create_model("test_resnet")
    found = []
    for crop in (0.87502, 0.87498):
        module.pretrained_cfg["crop_pct"] = crop
        found.append(models.load(module))
    assert found[0].key() != found[1].key()
    assert found[0].prepared != found[1].prepared


def test_what_a_network_or_function_writes_into_one_place_is_copied(pics, torch):
    weights, place = torch.randn(768, 3), torch.zeros(64, 3)

    class Same(torch.nn.Module):
        def forward(self, x):
            return torch.mm(x.flatten(1), weights, out=place[: len(x)])

    expected = by_hand(torch, torch.nn.Flatten()) @ weights.numpy()
    for model in (Same(), Same().forward):
        found = logits(models.load(model, classes=WORDS, transform=tensor))
        np.testing.assert_allclose(found, expected, atol=1e-4)


def test_rows_that_are_no_pictures_are_refused(pics, torch):
    flat = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(768, 3))
    forms = {
        "1 rows for 8 pictures": lambda x: x.mean(0, keepdim=True),
        "16 rows for 8 pictures": lambda x: x.repeat(2, 1),
        r"the shape \(8,\) for 8 pictures": lambda x: x.argmax(1),
    }

    class Formed(torch.nn.Module):
        def __init__(self, form):
            super().__init__()
            self.flat, self.form = flat, form

        def forward(self, x):
            return self.form(self.flat(x))

    cases = {
        words: partial(logits, models.load(Formed(form), classes=WORDS, transform=tensor))
        for words, form in forms.items()
    }
    assert not refused_otherwise(cases.items())
    scores = collections.namedtuple("Scores", "aside logits")
    for which in (None, 1, "1", "logits"):
        loaded = models.load(Formed(lambda x: scores(x + 1, x)), classes=WORDS, transform=tensor, logits=which)
        np.testing.assert_allclose(logits(loaded), by_hand(torch, flat), atol=1e-5)


def test_a_network_that_folds_weights_in_to_answer_takes_them_out_again(pics, torch):
    class Folding(torch.nn.Linear):
        folded = False

        def train(self, mode=True):
            self.weight.data += int(not mode and not self.folded) - int(mode and self.folded)
            self.folded = not mode
            return super().train(mode)

    for root in (True, False):
        module = torch.nn.Sequential(torch.nn.Flatten(), Folding(768, 3))
        module.training = root
        before = module[1].weight.data.clone()
        models.run(models.load(module, classes=WORDS, transform=tensor), pics)
        assert (module.training, module[1].training) == (root, True)
        torch.testing.assert_close(module[1].weight.data, before, atol=1e-5, rtol=0)


def test_each_file_takes_the_module_beside_it(pics):
    rows = []
    for folder, seed in (("a", 1), ("b", 5), ("b", 1)):
        Path(folder).mkdir(exist_ok=True)
        Path(folder, "helping.py").write_text(f"SEED = {seed}\n\n" + "#" * len(rows))
        Path(folder, f"net_{folder}.py").write_text(
            MODULE.replace("import numpy, torch", "import helping, numpy, torch").replace(
                "manual_seed(1)", "manual_seed(helping.SEED)"
            )
        )
        rows.append(logits(f"{folder}/net_{folder}.py:make_model"))
    assert not np.allclose(rows[0], rows[1])
    np.testing.assert_allclose(rows[0], rows[2])


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
    torch.save({"model": state, "state_dict": state}, "twice.pth")
    assert models.load("test_resnet:twice.pth").facts["weights"] == models.networks.hash_of(state)
    torch.save({"semantic": state, "other": other}, "semantic.pth")
    grey = timm.create_model("test_resnet", in_chans=1).state_dict()
    torch.save(grey, "grey.pth")
    torch.save({name: each for name, each in state.items() if name != "bn1.weight"}, "less.pth")
    torch.save({"student": state, "teacher": other}, "two.pth")
    torch.save(plain(torch), "whole.pth")
    Path("page.pth").write_text("<!DOCTYPE html><p>not found")
    Path("lfs.safetensors").write_text("version https://git-lfs.github.com/spec/v1\n")
    shutil.copy("less.pth", "other.pkl")
    Path("empty").mkdir()
    cases = {
        r"conv1.0.weight has the shape \(\d+, 1, 3, 3\) there and \(\d+, 3, 3, 3\)": "test_resnet:grey.pth",
        "it lacks bn1.weight, one of 1": "test_resnet:less.pth",
        "two.pth holds several networks, student and teacher": "test_resnet:two.pth",
        "holds several networks, semantic and other": "test_resnet:semantic.pth",
        r"whole.pth holds objects, .*models.load\(module, transform=": "whole.pth",
        "page.pth is no file of weights, or damaged: it is a web page": "test_resnet:page.pth",
        "lfs.safetensors is no file of weights.*pointer of Git LFS": "test_resnet:lfs.safetensors",
        "other.pkl is no model that is known here: it is a ZIP archive": "other.pkl",
        "the folder empty has no config.json that can be read": "empty",
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


MODULE = """
import numpy, torch

def tensor(picture):
    return torch.tensor(numpy.asarray(picture.resize((16, 16))) / 255.0).float().permute(2, 0, 1)

def make_model():
    torch.manual_seed(1)
    module = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(768, 3))
    return module, tensor, ["airplane", "bear", "bird"]

def second():
    return torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(768, 3)), *make_model()[1:]

def wrong():
    return 3
"""


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
    refused = typed("run", "mine.py:second", "--images", "pics")  # a file of its own, with another model's answers
    assert "answers.csv is there and has 'mine', which this run does not compute" in refused.stderr
    assert Path("answers.csv").read_text() == written
    assert typed("run", "mine.py:make_model", "mine.py:second", "--images", "pics").exit_code == 0
    Path("answers.csv").write_text("trial,truth,anna\n1,dog,cat\n")
    refused = typed("run", "mine.py:make_model", "--images", "pics")
    assert "answers.csv is there and has 'anna', which this run does not compute" in refused.stderr
    assert "anna" in Path("answers.csv").read_text()
    for spec, words in {"mine.py:wrong": "returned int; expected a function", "mine.py:no": "no function 'no'"}.items():
        assert words in typed("run", spec, "--images", "pics", "--out", "x.csv").stderr


def test_a_folder_with_the_name_of_a_network_of_timm_does_not_hide_it(requires_models, here):
    Path("resnet18").mkdir()
    Path("mine").mkdir()
    assert (is_local("resnet18"), is_local("mine")) == (False, True)


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


def channels_last(onnx, kind, size):
    """A file as TensorFlow's exporter writes it: colours behind, two outputs of one width."""
    from onnx import TensorProto, helper

    weights = np.random.default_rng(0).normal(size=(3, 3)).astype(np.float32)
    nodes = [
        helper.make_node("Cast", ["x"], ["wide"], to=TensorProto.FLOAT),
        helper.make_node("ReduceMean", ["wide"], ["mean"], axes=[1, 2], keepdims=0),
        helper.make_node("MatMul", ["mean", "w"], ["product"]),
        helper.make_node("Cast", ["product"], ["scores"], to=kind),
        helper.make_node("Neg", ["scores"], ["aside"]),
    ]
    outputs = [helper.make_tensor_value_info(name, kind, [size, 3]) for name in ("aside", "scores")]
    picture = helper.make_tensor_value_info("x", kind, [size, 16, 16, 3])
    start = [helper.make_tensor("w", TensorProto.FLOAT, (3, 3), weights.ravel())]
    graph = helper.make_graph(nodes, "g", [picture], outputs, start)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), "behind.onnx")
    return weights


@pytest.mark.parametrize(("kind", "size", "digits"), [("FLOAT16", "n", 2), ("FLOAT", 1, 5), ("FLOAT16", 5, 2)])
def test_onnx_with_colours_behind_few_bits_and_two_outputs(pics, torch, kind, size, digits):
    onnx = pytest.importorskip("onnx")
    weights = channels_last(onnx, getattr(onnx.TensorProto, kind), size)
    load = partial(models.load, "behind.onnx", transform=tensor, classes=WORDS)
    expected = by_hand(torch, torch.nn.AdaptiveAvgPool2d(1)).reshape(12, 3) @ weights
    for which in ("scores", 1, "1"):
        np.testing.assert_allclose(logits(load(logits=which)), expected, atol=10**-digits)
    np.testing.assert_allclose(logits(load(logits=0)), -expected, atol=10**-digits)
    cases = {
        r"behind has the outputs aside .*, scores .*; name which are the logits with logits=": load,
        "behind has no output '2'; expected one of aside, scores": partial(load, logits=2),
        "behind has no output 'score'; .*did you mean 'scores'": partial(load, logits="score"),
    }
    assert not refused_otherwise(cases.items())
    words = ("run", "test_resnet:behind.onnx", "--images", "pics", "--classes", ",".join(WORDS))
    assert "(--logits)" in typed(*words).stderr
    assert typed(*words, "--logits", "scores").exit_code == 0
    own = {"crop_pct": 0.95, "interpolation": "bilinear", "mean": (0.5,) * 3, "std": (0.5,) * 3}  # of test_resnet
    transform = libraries.timm().data.create_transform((3, 16, 16), is_training=False, **own)
    expected = by_hand(torch, torch.nn.AdaptiveAvgPool2d(1), transform).reshape(12, 3) @ weights
    top = [WORDS[place] for place in expected.argmax(axis=1)]
    assert pd.read_csv("answers.csv")["behind"].tolist() == top


def test_classes_that_look_alike_or_have_a_comma_are_taken_by_run_and_compare(pics):
    shown = ["01", "1", "cat, domestic"]
    for old, new in zip(WORDS, shown, strict=True):
        Path("pics", old).rename(Path("pics", new))
    Path("mine.py").write_text(MODULE.replace('["airplane", "bear", "bird"]', "None"))
    Path("words.txt").write_text("01\n1\ncat, domestic\n")
    for classes in ('01, 1, "cat, domestic"', "words.txt"):
        how = ("--images", "pics", "--classes", classes)
        run = typed("run", "mine.py:make_model", "mine.py:second", *how)
        assert run.exit_code == 0, run.stderr
        assert sorted(pd.read_csv("answers.csv", dtype=str)["truth"].unique()) == shown
        command = shlex.split(run.stderr.splitlines()[-1].partition("erralign ")[2])
        assert typed(*command).exit_code == 0
        assert "3 classes" in typed("compare", "answers.csv", "--classes", classes).stdout
    assert "'01' and '1' look alike" in typed("compare", "answers.csv").stderr


def test_an_unknown_layer_is_answered_by_those_that_there_are(pics, torch):
    module = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(768, 3), torch.nn.Softmax(1))
    loaded = models.load(module, classes=WORDS, transform=tensor)
    with pytest.raises(ValueError, match=r"no layer 'x'; expected one of logits, 0, 1, 2$"):
        logits(loaded, "x")
    with pytest.raises(ValueError, match="none is the last but one; name another layer, such as logits, 0, 1, 2"):
        logits(loaded, "penultimate")


def test_a_worker_in_another_folder_is_shown_the_pictures_of_this_one(pics, tmp_path):
    distributed = pytest.importorskip("distributed")
    Path("mine.py").write_text(MODULE)
    other = tmp_path / "other"
    shutil.copytree("pics", other / "pics")
    for number, file in enumerate(sorted((other / "pics").rglob("*.png"))):
        Image.new("RGB", (40, 40), (0, 20 * number, 255)).save(file)
    (other / "mine.py").write_text(MODULE.replace("manual_seed(1)", "manual_seed(5)"))
    here = models.run("mine.py:make_model", "pics").confidences
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster:
        with distributed.Client(cluster) as client:
            client.run(os.chdir, str(other))
        run = typed("run", "mine.py:make_model", "--images", "pics", "--scheduler", cluster.scheduler_address)
    assert run.exit_code == 0, run.stderr
    found = pd.read_csv("answers.confidences.csv", index_col="image")[here.columns]
    np.testing.assert_allclose(found, here, rtol=1e-4)


@pytest.mark.parametrize("kind", ["ResNet", "ViT"])
def test_a_folder_of_hugging_face_answers_as_its_network_does(pics, torch, kind):
    libraries.timm()  # where torchvision was built for another torch
    transformers = pytest.importorskip("transformers")
    how = {"id2label": dict(enumerate(WORDS)), "num_labels": 3}
    if kind == "ResNet":
        how |= {"embedding_size": 4, "hidden_sizes": [4], "depths": [1]}
    else:
        how |= TRANSFORMER | {"image_size": 16, "patch_size": 8}
    torch.manual_seed(0)
    module = getattr(transformers, f"{kind}ForImageClassification")(getattr(transformers, f"{kind}Config")(**how))
    module.save_pretrained("net")
    processor = transformers.ViTImageProcessor(size={"height": 16, "width": 16})
    processor.save_pretrained("net")
    loaded = models.load("net")
    assert (loaded.name, loaded.classes, bool(loaded.key())) == ("net", WORDS, True)
    key = models.load("net").key()
    transformers.ViTImageProcessor(size={"height": 16, "width": 16}, image_mean=[0.4] * 3).save_pretrained("net")
    assert models.load("net").key() != loaded.key() == key
    expected = by_hand(torch, _Logits(module.eval()).module, partial(processed, processor))
    np.testing.assert_allclose(logits(loaded), expected, atol=1e-5)


TRANSFORMER = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}


def processed(processor, picture):
    return processor(images=picture, return_tensors="pt")["pixel_values"][0]


def words_to_numbers(transformers, words):
    """A tokenizer that knows a few words."""
    from tokenizers import Tokenizer, pre_tokenizers, processors
    from tokenizers.models import WordLevel

    known = ["<pad>", "<s>", "</s>", "<unk>", *words]
    splits = Tokenizer(WordLevel({word: place for place, word in enumerate(known)}, unk_token="<unk>"))
    splits.pre_tokenizer = pre_tokenizers.Whitespace()
    ends = {"single": "<s> $A </s>", "special_tokens": [("<s>", 1), ("</s>", 2)]}
    splits.post_processor = processors.TemplateProcessing(**ends)
    called = {"pad_token": "<pad>", "bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=splits, **called)


def test_a_folder_of_clip_answers_with_the_word_whose_sentence_is_nearest(pics, torch):
    libraries.timm()
    transformers = pytest.importorskip("transformers")
    words = ("bear", "polar bear", "bird", "airplane")  # sentences of two lengths
    tokenizer = words_to_numbers(transformers, ["a", "photo", "of", "polar", "bear", "bird", "airplane"])
    said = TRANSFORMER | {"vocab_size": 11, "max_position_embeddings": 16, "eos_token_id": 2, "pad_token_id": 0}
    seen = TRANSFORMER | {"image_size": 16, "patch_size": 8}
    torch.manual_seed(0)
    config = transformers.CLIPConfig(text_config=said, vision_config=seen, projection_dim=8)
    both = transformers.CLIPModel(config).eval()
    processor = transformers.CLIPImageProcessor(size={"shortest_edge": 16}, crop_size={"height": 16, "width": 16})
    for each in (both, tokenizer, processor):
        each.save_pretrained("clip")
    expected = []
    with torch.no_grad():
        for picture in open_images("pics").pictures:
            pixels = processed(processor, Image.open(picture.file).convert("RGB"))[None]
            row = [
                both(**tokenizer(f"a photo of a {word}", return_tensors="pt"), pixel_values=pixels) for word in words
            ]
            expected.append([float(each.logits_per_image) for each in row])
    assert len(set(np.argmax(expected, axis=1))) > 1
    loaded = models.load("clip", classes=words)
    keys = [each.key() for each in (loaded, models.load("clip", classes=words), models.load("clip", classes=words[1:]))]
    assert keys[0] == keys[1] != keys[2]
    run = models.run(loaded, "pics")
    np.testing.assert_allclose(logits(loaded), expected, atol=1e-4)
    assert run.answers.systems.index.tolist() == ["clip"]
    np.testing.assert_allclose(
        run.confidences[list(words)], np.exp(expected) / np.exp(expected).sum(axis=1, keepdims=True), atol=1e-5
    )
    assert models.load("clip").classes[:3] == ("airplane", "bear", "bicycle")  # the 16 categories


def test_pictures_are_of_the_size_on_which_the_makers_evaluate(requires_models):
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
