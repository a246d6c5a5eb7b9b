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

from erralign import read_answers
from erralign.sources import examples

ANIMALS = examples.animals()


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Go to an empty folder, and return answers to made-up pictures of animals."""
    monkeypatch.chdir(tmp_path)
    return examples.my_answers().set_index("image").fillna("")


SAID = [("x", "cat", "cat", "dog"), ("y", "dog", "dog", "dog"), ("z", "cat", "dog", "cat"), ("w", "dog", "cat", "cat")]
PEOPLE = {"subject-01": 2, "subject-02": 3}


def of_session(person, rows, session):
    """Write a file in the form of model-vs-human: one person, one session."""
    said = [f"{person},0001_x_s01_0_{row[1]}_00_{row[0]},{row[1]},{row[PEOPLE[person]]},{session}" for row in rows]
    text = "\n".join(["subj,imagename,category,object_response,session", *said])
    Path(f"{person}_session_{session}.csv").write_text(text)
    return f"{person}_session_{session}.csv"


def test_sessions_of_one_person_are_put_together_and_pictures_seen_twice_are_repetitions(own):
    files = [of_session(person, SAID[2 * n : 2 * n + 2], n + 1) for person in PEOPLE for n in (0, 1)]
    found = read_answers(files)
    assert found.answers.loc[["x", "y", "z", "w"]].to_dict("list") == {
        "subject-01": [0, 1, 1, 0],
        "subject-02": [1, 1, 0, 0],
    }
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


def test_trials_that_not_all_have_are_left_out_if_that_is_asked_for(own):
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
    own.assign(more=own["mine-new"]).to_csv("own.csv")
    truth = ANIMALS.truth[5:]
    with pytest.warns(UserWarning, match=r"5 of 240 trials"):
        assert len(read_answers("own.csv", truth=truth, classes=ANIMALS.classes, subset=True).truth) == 235


def test_what_is_no_file_is_said(own):
    for path, words in {
        ".": "is a folder; name the files in it",
        "-": "'-' is no file; save what a program writes",
        "https://example.org/answers.csv": "is an address; download the file",
        "none.csv": "there is no file 'none.csv'",
    }.items():
        with pytest.raises(ValueError, match=words):
            read_answers(path)


def test_commands_that_messages_name_make_files_that_are_read(own):
    own = own.reset_index()
    own.to_csv("own.csv", index=False)
    text = Path("own.csv").read_bytes()
    Path("own.csv.bz2").write_bytes(bz2.compress(text))
    Path("own.csv.xz").write_bytes(lzma.compress(text))
    own.to_pickle("own.pickle")
    own.to_json("columns.json")
    np.savez("own.npz", **{name: own[name].to_numpy(str) for name in own})
    for writer, file in (("to_parquet", "own.parquet"), ("to_excel", "own.xlsx"), ("to_feather", "own.feather")):
        with suppress(ImportError):  # an engine is needed that not everybody has
            getattr(own, writer)(file)
    with zipfile.ZipFile("own.zip", "w") as archive:
        archive.write("own.csv", "unpacked.csv")
    expected = read_answers("own.csv")
    for path in sorted(set(Path().iterdir()) - {Path("own.csv")}):
        with pytest.raises(ValueError, match="make a CSV file of it") as refused:
            read_answers(path)
        _, _, command = str(refused.value).partition("make a CSV file of it:  ")
        command = command.replace("python", sys.executable, 1)
        subprocess.run(command, shell=True, check=True)
        made = Path("unpacked.csv" if path.suffix == ".zip" else f"{path.stem}-as-text.csv")
        pd.testing.assert_frame_equal(read_answers(made).answers, expected.answers)
    own.to_json("lines.jsonl", orient="records", lines=True)
    pd.testing.assert_frame_equal(read_answers("lines.jsonl").answers, expected.answers)
