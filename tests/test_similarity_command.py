"""``erralign similarity``, and what it says of files that hold no features."""

import json
import pickle
import re
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from builders import typed

from erralign import similarity
from erralign.measures import OF_REPRESENTATIONS

RNG = np.random.default_rng(0)
A = RNG.standard_normal((30, 6))
B = (A @ RNG.standard_normal((6, 4)) + RNG.standard_normal((30, 4))).astype(np.float32)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("a.npy", A)
    np.save("b.npy", B)


def say(*arguments):
    return typed("similarity", *arguments)


def test_all_measures_in_a_table():
    heads, table = say("a.npy", "b.npy").stdout.split("\n\n")
    assert heads.splitlines() == ["a.npy: 30 trials, 6 features", "b.npy: 30 trials, 4 features"]
    rows = [line.split() for line in table.splitlines()[1:]]
    assert [row[0] for row in rows] == list(OF_REPRESENTATIONS)
    expected = similarity.compare(A, B)
    for short, value, *likeness in rows:
        assert value == ("undefined" if np.isnan(expected[short]) else f"{expected[short]:.4f}")
        assert (likeness[0] == "more") == OF_REPRESENTATIONS[short].larger_is_more_similar
    assert "undefined" in table  # PWCCA, where A is the wider one


def test_notes_say_whose_order_counts_and_when_a_value_is_undefined():
    notes = say("a.npy", "b.npy", "--measures", "PWCCA,RSA,LinReg").stderr.splitlines()
    assert notes[0] == "note: PWCCA and LinReg: the order of the files counts."
    assert re.match("note: PWCCA: undefined when X or Y does not vary; .* more than Y, or when", notes[1])
    assert len(notes) == 2
    np.save("b.npy", np.ones((30, 4)))
    assert "note: CKA: undefined when all trials have the same features.\n" in say("a.npy", "b.npy").stderr


def test_json_holds_all_digits():
    content = json.loads(say("a.npy", "b.npy", "--json", "--measures", "RSA,PWCCA").stdout)
    assert content["systems"][1] == {"file": "b.npy", "trials": 30, "features": 4}
    assert content["measures"]["RSA"]["value"] == pytest.approx(similarity.representational_similarity(A, B), rel=1e-12)
    assert content["measures"]["PWCCA"] == {"value": None, "larger_is_more_similar": True}


def saved(array, save=np.save):
    file = BytesIO()
    save(file, array)
    return file.getvalue()


BAD = {
    "bad.npy has shape (30,); expected one row per trial": saved(A[:, 0]),
    "bad.npy holds NaN or infinite values, first at (2, 3)": saved(np.where(A[2, 3] == A, np.nan, A)),
    "bad.npy has 29 trials, a.npy has 30: give the same trials": saved(A[:29]),
    "bad.npy holds pickled Python objects": saved(A.astype(object)),
    "bad.npy is no array; expected a .npy file": pickle.dumps(A),
    "bad.npy is no array; expected a .npy": b"",
    "bad.npy is an archive, perhaps of several arrays": saved(A, np.savez),
    "bad.npy is damaged": saved(A)[:500],
    "bad.npy holds complex128; expected numbers": saved(A + 1j),
    "bad.npy holds <U32; expected numbers": saved(A.astype(str)),
}


def test_bad_files_and_names_are_named_in_one_line():
    said = {"there is no file 'none.npy'": say("a.npy", "none.npy")}
    said["measures is 'RSB'; did you mean 'RSA'?"] = say("a.npy", "b.npy", "--measures", "RSB")
    for message, content in BAD.items():
        Path("bad.npy").write_bytes(content)
        said[message] = say("a.npy", "bad.npy")
    for message, found in said.items():
        assert (found.exit_code, found.stdout, found.stderr.count("\n")) == (2, "", 1), message
        assert message in found.stderr
