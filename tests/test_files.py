"""What is written keeps its place, its mode and its links; what is damaged is refused, whatever is damaged of it."""

import io
import os
import random
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from erralign.cli.words import names
from erralign.datasets.features import features_of_guests
from erralign.datasets.tables import read_table
from erralign.files import bundle, read_features_with_ids, write_whole

IDS = [f"trial-{number}" for number in range(20)]
FEATURES = np.arange(60.0).reshape(20, 3)


def test_a_link_stays_a_link_and_its_target_gets_the_content(tmp_path):
    target, link = tmp_path / "there" / "mine.csv", tmp_path / "link.csv"
    target.parent.mkdir()
    target.write_text("old")
    target.chmod(0o600)
    link.symlink_to(target)
    write_whole(link, "new")
    assert (link.is_symlink(), target.read_text(), stat.S_IMODE(target.stat().st_mode)) == (True, "new", 0o600)
    dangling = tmp_path / "dangling.csv"
    dangling.symlink_to(tmp_path / "later.csv")
    write_whole(dangling, b"later")
    assert (tmp_path / "later.csv").read_text() == "later"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with a name are of Unix")
def test_a_pipe_is_written_through(tmp_path):
    pipe, heard = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: heard.append(pipe.read_text()))
    reader.start()
    write_whole(pipe, "to whom it concerns")
    reader.join(10)
    assert heard == ["to whom it concerns"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="no /dev/stdout")
@pytest.mark.parametrize("to", ["-", "/dev/stdout"])
def test_join_writes_to_standard_output(tmp_path, to):
    (tmp_path / "mine.csv").write_text("image,truth,net\n1,cat,cat\n2,dog,cat\n")
    run = subprocess.run(
        [sys.executable, "-m", "erralign", "join", "mine.csv", "--to", to], cwd=tmp_path, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("image,truth,net\n1,cat,cat\n2,dog,cat\n")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.csv"]


def test_what_a_killed_writer_left_is_swept_after_a_day(tmp_path):
    left, fresh, other = (tmp_path / f".{name}.part" for name in ("mine.csv.0", "mine.csv.1", "yours.csv.0"))
    for path in (left, fresh, other):
        path.touch()
    two_days_ago = time.time() - 2 * 24 * 60 * 60
    for path in (left, other):
        os.utime(path, (two_days_ago, two_days_ago))
    write_whole(tmp_path / "mine.csv", "new")
    assert sorted(path.name for path in tmp_path.iterdir()) == [fresh.name, other.name, "mine.csv"]


def arrays(compressed=True):
    npy, npz = io.BytesIO(), io.BytesIO()
    np.save(npy, FEATURES)
    save = np.savez_compressed if compressed else np.savez
    save(npz, ids=IDS, net=FEATURES)
    return npy.getvalue(), npz.getvalue()


@pytest.mark.parametrize("n_files", [300, pytest.param(10_000, marks=pytest.mark.weekly)])
def test_a_damaged_array_is_read_or_refused_with_its_name(tmp_path, n_files):
    rng = random.Random(113)
    refused = []
    for number in range(n_files):
        npy, npz = arrays(compressed=number % 3 > 0)
        name, content = ("f.npz", npz) if number % 2 else ("f.npy", npy)
        damaged = bytearray(content)
        place = rng.randrange(128 if name == "f.npy" else len(damaged))
        damaged[place] = rng.randrange(256)
        path = tmp_path / name
        path.write_bytes(damaged)
        try:
            read_features_with_ids(path)
            if name == "f.npz":
                features_of_guests(path, "things", pd.Index(IDS))
        except ValueError as error:
            refused.append(str(error))
    assert len(refused) > n_files / 2
    assert [message for message in refused if "f.np" not in message] == []


@pytest.mark.parametrize("n_files", [300, pytest.param(10_000, marks=pytest.mark.weekly)])
def test_a_damaged_table_is_read_or_refused_with_its_name(tmp_path, n_files):
    rng = random.Random(113)
    csv = b'image,truth,net\n1,cat,"dog, cat"\n2,dog,dog\n3,cat,cat\n'
    refused = []
    lines = b'{"image": "1", "truth": "cat", "net": "dog"}\n{"image": "2", "truth": "dog", "net": "dog"}\n'
    for number in range(n_files):
        damaged = bytearray((csv, lines, b"sep=;\n" + csv.replace(b",", b";"))[number % 3])
        for _ in range(rng.randrange(1, 4)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        path = tmp_path / "mine.txt"
        path.write_bytes(damaged)
        try:
            read_table(path)
        except ValueError as error:
            refused.append(str(error))
    assert len(refused) > n_files / 10
    assert [message for message in refused if "mine.txt" not in message] == []


def test_rows_are_counted_where_others_make_up_for_them(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("image,truth,net\n1,cat,dog, cat\n2,dog\n")
    with pytest.raises(ValueError, match=r"mine\.csv, row 2 has 4 cells, row 1 has 3"):
        read_table(path)
    path.write_text("sep=;\n\nimage;truth;net\n1;cat;dog\n")
    assert read_table(path)["net"].tolist() == ["dog"]
    path.write_bytes(b"image,tru\rth,net,a\n1,cat,dog\n")
    with pytest.raises(ValueError, match=r"mine\.csv, row 2 has 3 cells, row 1 has 2"):
        read_table(path)


def test_names_on_the_command_line_may_be_on_several_lines():
    assert names("cat,\r\ndog\rs") == ("cat", "dog s")


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes only there")
def test_a_file_whose_name_is_no_text_is_reported_on(tmp_path):
    table = b"image,truth,a,b\n" + b"".join(b"%d,cat,cat,dog\n%d,dog,cat,cat\n" % (n, n + 99) for n in range(20))
    path = os.path.join(os.fsencode(tmp_path), b"m\xff.csv")
    with open(path, "wb") as file:
        file.write(table)
    command = [sys.executable, "-m", "erralign", "compare", path, "--report", tmp_path / "report.md"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "m?" in (tmp_path / "report.md").read_text()


def test_long_cells_and_rows_that_end_in_a_return_are_read(tmp_path):
    path = tmp_path / "mine.csv"
    long = "x" * 200_000
    path.write_text(f'image,truth,net\n1,cat,"{long}"\n2,dog,dog\n')
    assert read_table(path)["net"].tolist() == [long, "dog"]
    path.write_bytes(b"image,truth,net\r1,cat,cat\r2,dog,cat\r")
    assert read_table(path)["net"].tolist() == ["cat", "cat"]


def test_lines_of_json_end_at_newlines_only_and_half_a_character_is_refused(tmp_path):
    path = tmp_path / "mine.jsonl"
    path.write_text('{"image": "1", "net": "a\u2028b"}\n{"image": "2", "net": "a\u0085b"}\n', encoding="utf-8")
    assert read_table(path)["net"].tolist() == ["a\u2028b", "a\u0085b"]
    path.write_text('{"image": "1", "net": "cat"}\n{"image": "2", "net": "\\ud83d"}\n')
    with pytest.raises(ValueError, match=r"mine.jsonl, row 2 holds half a character"):
        read_table(path)
    path.write_text('{"image": "1", "net": "\\ud83d\\ude00"}\n')
    assert read_table(path)["net"].tolist() == ["\N{GRINNING FACE}"]


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-16"])
def test_the_script_of_charts_is_bytes_in_any_encoding(monkeypatch, encoding):
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    assert len(bundle()) > 500_000
