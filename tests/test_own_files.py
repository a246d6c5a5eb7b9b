"""Files of answers as laboratories keep them: by person and session, incomplete, and of other kinds."""

import bz2
import lzma
import subprocess
import sys
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from builders import cases_of, told_otherwise, typed

import erralign
from erralign import read_answers
from erralign._validation import shown
from erralign.datasets.own.answers import noted


def session(person, number, said):
    """Return a file in the form of model-vs-human: of one person and session, with words of image, truth and answer."""
    words = {"c": "cat", "d": "dog"}
    rows = [f"subject-0{person},0001_x_s01_0_{words[t]}_00_{i},{words[t]},{words[a]}" for i, t, a in said.split()]
    header = "subj,imagename,category,object_response"
    return f"subject-0{person}_session_{number}.csv: {'¶'.join([header, *rows])}"


def read(*files, folder=None, **how):
    """Write files by their names, and say what is read of all, but that of true labels, or of a folder."""
    paths = []
    for name, _, text in (file.partition(": ") for file in files):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text.replace("¶", "\n"))
        paths += [name] * (name != "true.txt")
    found, notes = noted(read_answers, folder or paths, **how)
    words = [*found.classes, "-"]
    people = found.systems.index[found.systems["kind"] == "human"]
    answers = [
        f"{'person ' * (name in people)}{name}: {' '.join(words[each] for each in said)}"
        for name, said in found.answers.items()
    ]
    notes += [] if found.options is None else [f"options {' '.join(map(str, found.options))}"]
    trials = " ".join(each if isinstance(each, str) else shown(each) for each in found.truth.index)
    return f"{', '.join(filter(None, found.truth.index.names))}: {trials} | {'; '.join(answers)} | {' '.join(notes)}"


def test_files_of_several_and_what_a_caller_says_of_them(monkeypatch, tmp_path):
    wrong, calls = {}, cases_of("own_reading.txt")
    for place, case in enumerate(calls):
        (tmp_path / f"{place}").mkdir()
        monkeypatch.chdir(tmp_path / f"{place}")
        wrong |= told_otherwise([case], globals())
    assert not wrong
    assert len(calls) > 45


def zipped(table):
    with zipfile.ZipFile("own.zip", "w") as archive:
        archive.write("own.csv", "unpacked.csv")


OTHERS = {  # how each is written, and what its writer needs
    "own.csv.bz2": (lambda table: Path("own.csv.bz2").write_bytes(bz2.compress(Path("own.csv").read_bytes())), None),
    "own.csv.xz": (lambda table: Path("own.csv.xz").write_bytes(lzma.compress(Path("own.csv").read_bytes())), None),
    "own.zip": (zipped, None),
    "own.npz": (lambda table: np.savez("own.npz", **{name: table[name].to_numpy(str) for name in table}), None),
    "own.pickle": (lambda table: table.to_pickle("own.pickle"), None),
    "columns.json": (lambda table: table.to_json("columns.json"), None),
    "own.parquet": (lambda table: table.to_parquet("own.parquet"), "pyarrow"),
    "own.feather": (lambda table: table.to_feather("own.feather"), "pyarrow"),
    "own.xlsx": (lambda table: table.to_excel("own.xlsx", index=False), "openpyxl"),
}


@pytest.mark.parametrize("file", OTHERS)
def test_commands_that_messages_name_make_files_that_are_read(my_answers, file):
    write, needed = OTHERS[file]
    if needed:
        pytest.importorskip(needed, reason=f"{file} is written with {needed}")
    my_answers.to_csv("own.csv")
    write(my_answers.reset_index())
    Path("sub").mkdir()
    Path(file).rename(f"sub/{file}")
    with pytest.raises(ValueError, match="make a CSV file of it") as refused:
        read_answers(f"sub/{file}")
    _, _, command = str(refused.value).partition("make a CSV file of it:  ")
    subprocess.run(command.replace("python", sys.executable, 1), shell=True, check=True)
    made = "unpacked.csv" if file == "own.zip" else f"sub/{Path(file).stem}-as-text.csv"
    pd.testing.assert_frame_equal(read_answers(made).answers, read_answers("own.csv").answers)


def test_lines_of_json_and_frames_of_other_libraries_are_read_as_they_are(my_answers):
    my_answers.to_csv("own.csv")
    expected = read_answers("own.csv").answers
    my_answers.reset_index().to_json("lines.jsonl", orient="records", lines=True)
    pd.testing.assert_frame_equal(read_answers("lines.jsonl").answers, expected)
    truth, said = my_answers["truth"].tolist(), {name: [word or None for word in my_answers[name]] for name in expected}

    class Frame:  # of Polars, as far as it is asked
        columns = tuple(said)

        def __getitem__(self, name):
            return said[name]

    frames = [Frame()]
    with suppress(ImportError):  # which not everybody has
        import polars

        frames += [polars.DataFrame(said), polars.DataFrame(said).to_arrow()]
    for frame in frames:
        found = erralign.Responses.from_table(truth, frame).answers
        np.testing.assert_array_equal(found, expected)


def test_joined_files_are_read_again(here):
    read("labelled.csv: image,label,a,b¶x,cat,cat,dog¶y,dog,dog,dog", columns={"truth": "label"})
    for _ in range(2):  # the second time with what was written lying beside
        assert typed("join", ".", "--truth", "label", "--to", "joined.csv").exit_code == 0
    assert list(read_answers("joined.csv").answers) == ["a", "b"]
    for name in ("one", "two"):
        Path(f"{name}.csv").write_text("image,truth,net\nx,cat,cat\ny,dog,cat\n")
    said = typed("join", "one.csv", "two.csv").stderr.splitlines()
    assert said[0] == "note: Called by their files, since a name comes again: one ('net'), two ('net')."
