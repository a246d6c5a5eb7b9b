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
from builders import typed

import erralign
from erralign import read_answers
from erralign.sources import examples

ANIMALS = examples.animals()


SAID = [("x", "cat", "cat", "dog"), ("y", "dog", "dog", "dog"), ("z", "cat", "dog", "cat"), ("w", "dog", "cat", "cat")]
PEOPLE = {"subject-01": 2, "subject-02": 3}


def of_session(person, rows, session):
    """Write a file in the form of model-vs-human: one person, one session."""
    said = [f"{person},0001_x_s01_0_{row[1]}_00_{row[0]},{row[1]},{row[PEOPLE[person]]},{session}" for row in rows]
    text = "\n".join(["subj,imagename,category,object_response,session", *said])
    Path(f"{person}_session_{session}.csv").write_text(text)
    return f"{person}_session_{session}.csv"


def test_sessions_of_one_person_are_put_together_and_pictures_seen_twice_are_repetitions(my_answers):
    files = [of_session(person, SAID[2 * n : 2 * n + 2], n + 1) for person in PEOPLE for n in (0, 1)]
    found = read_answers(files)
    said = found.answers.loc[["x", "y", "z", "w"]].to_dict("list")
    assert said == {"subject-01": [0, 1, 1, 0], "subject-02": [1, 1, 0, 0]}
    assert set(found.systems["kind"]) == {"human"}
    files = [of_session(person, SAID, n + 1) for person in PEOPLE for n in (0, 1)]
    with pytest.warns(UserWarning, match="read as repetitions"):
        found = read_answers(files)
    assert found.answers.shape == (8, 2)
    assert found.truth.index.names == ["image", "repetition"]
    for person, place in {"ann": 2, "ben": 3}.items():
        for n in (0, 1):
            rows = [f"{row[0]},{row[1]},{row[place]}" for row in SAID[2 * n : 2 * n + 2]]
            Path(f"{person}_ses-{n}.csv").write_text("\n".join(["image,truth,response", *rows]))
    found = read_answers([f"{person}_ses-{n}.csv" for person in ("ann", "ben") for n in (0, 1)])
    assert found.answers.to_dict("list") == {"ann": [0, 1, 1, 0], "ben": [1, 1, 0, 0]}
    Path("copy.csv").write_text(Path(files[0]).read_text())
    with pytest.raises(ValueError, match=r"subject-01_session_1.csv and copy.csv hold the same rows"):
        read_answers([files[0], "copy.csv"])


def test_trials_that_not_all_have_are_left_out_if_that_is_asked_for(my_answers):
    rows = [f"{system},{row[0]},{row[1]},{row[place]}" for system, place in (("a", 2), ("b", 3)) for row in SAID]
    Path("long.csv").write_text("\n".join(["system,image,truth,answer", *rows[:-1]]))
    for system, place in (("a", 2), ("b", 3)):
        wide = [f"{row[0]},{row[1]},{row[place]}" for row in SAID]
        Path(f"{system}.csv").write_text("\n".join([f"image,truth,{system}", *wide[: 5 - place]]))
    for files, n in (("long.csv", 3), (["a.csv", "b.csv"], 2)):
        with pytest.raises(ValueError, match="--subset"):
            read_answers(files)
        with pytest.warns(UserWarning, match="which not all have, are left out"):
            assert len(read_answers(files, subset=True).truth) == n
    my_answers.assign(more=my_answers["mine-new"]).to_csv("own.csv")
    truth = ANIMALS.truth[5:]
    with pytest.warns(UserWarning, match=r"5 of 240 trials"):
        assert len(read_answers("own.csv", truth=truth, classes=ANIMALS.classes, subset=True).truth) == 235


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


def written(text, *, folder="", name="answers.csv"):
    Path(folder).mkdir(exist_ok=True)
    Path(folder, name).write_text(text)
    return Path(folder, name)


def of_pictures(system, folder=""):
    return "\n".join([f"image,truth,{system}", *(f"{folder}{row[0]}.png,{row[1]},{row[2]}" for row in SAID)])


APART = [("val/", "test/"), ("imagenet/val/", "train/"), ("contrast10/", "contrast50/")]
COPIES = [("val/", "validation/"), ("subject1/", "subject2/"), ("images-224/", "images-256/")]


@pytest.mark.parametrize(("one", "other"), APART + COPIES)
def test_pictures_of_one_name_in_folders_that_are_no_copies_are_not_the_same(my_answers, one, other):
    files = [written(of_pictures(name, each), name=f"{name}.csv") for name, each in (("a", one), ("b", other))]
    if (one, other) in APART:
        with pytest.raises(ValueError, match=r"b.csv is about pictures in '\w+', and what .* in '\w+'; compare"):
            read_answers(files)
    else:
        with pytest.warns(UserWarning, match=r"without folders and endings. Is '[\w-]+' a copy|endings.$"):
            assert list(read_answers(files).answers) == ["a", "b"]


def test_files_of_one_name_are_told_apart_by_their_folders(my_answers):
    files = [written(of_pictures("resnet"), folder=person) for person in ("ann", "net")]
    assert list(read_answers(files).answers) == ["ann/answers", "net/answers"]
    with pytest.raises(ValueError, match=r"\. holds folders and no files; name the files in them: \./\*/\*\.csv"):
        read_answers(files[0].parent.parent)


def test_several_columns_name_systems_and_commas_may_stand_between_people(my_answers):
    rows = [f"{kind},{who},{row[0]},{row[1]},{row[2]}" for kind in ("human", "model") for who in (1, 2) for row in SAID]
    file = written("\n".join(["kind,subject,image,truth,response", *rows]))
    found = read_answers(file, columns={"system": ["kind", "subject"], "answer": "response"})
    assert found.systems["kind"].to_dict() == {f"{kind} {who}": kind for kind in ("human", "model") for who in (1, 2)}
    both = read_answers(written("image,truth,a,b\nx,cat,cat,dog\ny,dog,dog,dog"), kind={"a,b": "human"})
    assert set(both.systems["kind"]) == {"human"}
    labelled = written("image,label,a,b\nx,cat,cat,dog\ny,dog,dog,dog")
    assert typed("join", labelled, "--truth", "label", "--to", "joined.csv").exit_code == 0
    assert list(read_answers("joined.csv").answers) == ["a", "b"]
