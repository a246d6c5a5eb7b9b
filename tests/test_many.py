"""Many models on many sets of pictures: in turn, side by side, and on a cluster."""

import shlex
import signal

import pandas as pd
import pytest
from click.testing import CliRunner
from distributed import LocalCluster

from erralign.cli import main
from erralign.cli.models import _write
from erralign.models.many import run_many

COLOURS = {"red": (220, 30, 20), "green": (10, 200, 60), "blue": (30, 60, 210)}
LOADING = {"architecture": "test_resnet", "classes": tuple(COLOURS), "device": "cpu"}


@pytest.fixture
def work(requires_models, tmp_path, monkeypatch):
    """Two small networks, and two folders of pictures."""
    import torch
    from PIL import Image

    from erralign.models.libraries import timm

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for seed in range(2):
        torch.manual_seed(seed)
        network = timm().create_model("test_resnet", num_classes=3)
        torch.save(network.state_dict(), tmp_path / f"net{seed}.pth")
    for folder, size in (("small", 20), ("large", 60)):
        for name, colour in COLOURS.items():
            (tmp_path / folder / name).mkdir(parents=True)
            for number in range(9):
                shade = tuple(value + number for value in colour)
                Image.new("RGB", (size, size), shade).save(tmp_path / folder / name / f"{name}{number}.png")
    return [str(tmp_path / f"net{seed}.pth") for seed in range(2)], [
        str(tmp_path / each) for each in ("small", "large")
    ]


def test_a_cluster_says_what_one_machine_says(work, tmp_path, monkeypatch):
    """That one of its workers may die is for test_machines.py."""
    models, images = work
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as both:
        found = run_many(models, images, loading=LOADING, scheduler=both.scheduler_address)
    parts = {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.npy")}
    assert len(parts) == 4  # two networks, two folders, one part each
    assert [len(done.runs) for done in found] == [2, 2]
    run_many(models, images, loading=LOADING)
    assert {path: path.stat().st_mtime_ns for path in parts} == parts  # all was there: nothing is computed again
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another"))
    alone = run_many(models, images, loading=LOADING)
    for there, here in zip(found, alone, strict=True):
        for one, other in zip(there.runs, here.runs, strict=True):
            pd.testing.assert_frame_equal(one.confidences, other.confidences, rtol=1e-5)


def test_a_model_that_is_not_there_stops_no_other_and_each_data_set_gets_its_files(work, tmp_path, capsys):
    models, images = work
    (tmp_path / "damaged.pth").write_text("no weights")
    found = run_many([*models, str(tmp_path / "damaged.pth")], images, loading=LOADING)
    assert [len(done.runs) for done in found] == [2, 2]
    assert all("damaged.pth does not hold weights of test_resnet" in done.failed[0] for done in found)
    _write(dict(zip(["paper/one", "paper/two"], found, strict=True)), tmp_path / "answers.csv", one_of_ours=True)
    assert {path.name for path in tmp_path.glob("*.csv")} == {
        f"answers-paper-{each}{what}.csv" for each in ("one", "two") for what in ("", ".confidences", ".models")
    }


def test_a_run_that_is_stopped_says_how_to_go_on_and_one_that_ends_what_works_next(work, tmp_path, monkeypatch):
    models, _ = work
    monkeypatch.chdir(tmp_path)
    words = ["--architecture", "test_resnet", "--classes", ",".join(COLOURS), "--images", "small"]
    words += ["--out", "an swers.csv"]
    alone = CliRunner().invoke(main, ["run", models[0], *words])
    assert "run two or more models at once, or add a column per system" in alone.stderr
    several = CliRunner().invoke(main, ["run", *models, *words])
    suggested = shlex.split(several.stderr.partition("compare them: erralign ")[2])
    assert CliRunner().invoke(main, suggested).exit_code == 0
    monkeypatch.setattr("erralign.models.many.run", lambda *given, **how: signal.raise_signal(signal.SIGINT))
    stopped = CliRunner().invoke(main, ["run", *models, *words])
    assert stopped.exit_code == 130
    assert "what was computed is kept: the same command goes on from there" in stopped.stderr
