"""What is written keeps its place, its mode and its links; what is damaged is refused, whatever is damaged of it."""

import gzip
import io
import json
import os
import random
import re
import stat
import subprocess
import sys
import threading
import time
import zipfile
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
    path.write_bytes(b"image,t\rruth,net,a\n1,cat,dog\n")
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


# ---- small files that become large -----------------------------------------------------------------------------------

_LIMITS = """
import contextlib, json, re, sys, time
from pathlib import Path
from erralign.cli import main
for command in json.loads(sys.argv[1]):
    print("$", *command, file=sys.stderr)
    with contextlib.suppress(SystemExit):
        main(command, standalone_mode=False)
peak = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]
print(json.dumps([int(peak) // 1024, time.process_time()]))
"""
_HEADER = json.dumps({"version": 2, "status": "success", "eval": {"model": "net", "task": "t"}})


def packed(path, members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, parts in members.items():
            with archive.open(name, "w", force_zip64=True) as file:
                for part in parts:
                    file.write(part)


def header_of_array(shape):
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "|u1", "fortran_order": False, "shape": shape})
    return header.getvalue()


def workbook(path, change, of=""):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in [("image", "truth", "a"), (1, "cat", "dog"), (2, "dog", "dog")]:
        book.active.append(row)
    book.save(path)
    with zipfile.ZipFile(path) as archive:
        members = {name: [archive.read(name)] for name in archive.namelist()}
    members |= {name: [change(content)] for name, (content,) in members.items() if name.endswith(of)}
    packed(path, members)


def bombs(folder):
    """Write small files which would take gigabytes, and yield what reads them, and the answer."""
    numbers = "image,truth,a,b\n1,0,300000000,2\n2,1,0,1\n"
    (folder / "options.csv").write_text(numbers)
    yield "compare options.csv --options 4", "a trial has 300,000,001 options; expected 10,000 at most"
    (folder / "offers.csv").write_text(numbers.replace("300000000", "2"))
    yield "compare offers.csv --options 300000000", "a trial has 300,000,000 options"
    row = b'{"image": 1, "truth": 1, "a": 1},'
    (folder / "rows.json.gz").write_bytes(gzip.compress(b"[" + row * 10**6 + row[:-1] + b"]"))
    yield "compare rows.json.gz", "rows.json.gz unpacks to over"
    (folder / "deep.json").write_text("[" * 10**6)
    yield "compare deep.json", "has no object in each row"
    samples = [b'{"id": 1, "epoch": 1, "choices": [', *[b"{}," * 10**6] * 20, b"{}]}"]
    packed(folder / "objects.eval", {"header.json": [_HEADER.encode()], "samples/1_epoch_1.json": samples})
    yield "compare objects.eval", "samples/1_epoch_1.json would take .* MB of memory"
    options = [b'[{"id": 1, "epoch": 1, "input": "", "target": "A", "choices": [', *[b'"",' * 10**6], b'""]}]']
    packed(folder / "choices.eval", {"header.json": [_HEADER.encode()], "summaries.json": options})
    yield "compare choices.eval", "choices.eval, sample 1 has 1,000,001 options"
    zeros = [header_of_array((1000, 10**6)), *[bytes(10**6)] * 1000]
    packed(folder / "zeros.npz", {"ids.npy": [header_of_array((1000,)), bytes(1000)], "net.npy": zeros})
    yield "similarity zeros.npz zeros.npz", "zeros.npz unpacks to 1,000,"
    (folder / "claims.npy").write_bytes(header_of_array((10**7, 10**7)))
    yield "similarity claims.npy claims.npy", "claims.npy is damaged"


def bombs_of_extras(folder):
    cells = b"".join(b'<row r="%d"><c r="XFD%d"><v>1</v></c></row>' % (n, n) for n in range(4, 20_000))
    workbook(folder / "wide.xlsx", lambda xml: xml.replace(b"</sheetData>", cells + b"</sheetData>"), "sheet1.xml")
    yield "compare wide.xlsx", "wide.xlsx has over 4,194,304 cells"
    formats = b"<xf/>" * 10**6 + b"</cellXfs>"
    workbook(folder / "styles.xlsx", lambda xml: xml.replace(b"</cellXfs>", formats), "styles.xml")
    yield "compare styles.xlsx", "styles.xlsx unpacks to"
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    same = arrow.DictionaryArray.from_arrays(arrow.array(np.zeros(10**7, "i4")), arrow.array(["1"]))
    parquet.write_table(arrow.table({"image": same, "truth": same, "a": same}), folder / "same.parquet")
    yield "compare same.parquet", "same.parquet has 30,000,000 values"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the peak of memory is read from /proc")
@pytest.mark.parametrize("make", [bombs, bombs_of_extras])
def test_small_files_take_little_memory_and_time(tmp_path, make):
    answers = {tuple(command.split()): answer for command, answer in make(tmp_path)}
    assert max(path.stat().st_size for path in tmp_path.iterdir()) < 2**21
    run = subprocess.run(
        [sys.executable, "-c", _LIMITS, json.dumps(list(answers))], cwd=tmp_path, capture_output=True, text=True
    )
    for said, answer in zip(run.stderr.split("$ ")[1:], answers.values(), strict=True):
        assert re.search(answer, said), said
    peak, seconds = json.loads(run.stdout)
    assert (peak < 500, seconds < 10 * len(answers)) == (True, True), (peak, seconds)


def test_what_unpacks_to_little_is_read_however_well_it_is_packed(tmp_path):
    path = tmp_path / "mine.csv.gz"
    path.write_bytes(gzip.compress(b"image,truth,net\n" + b"1,cat,cat\n" * 100_000))
    assert len(read_table(path)) == 100_000
