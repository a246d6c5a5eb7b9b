"""``python -m erralign similarity`` as a reader types it, and what it says of files that hold no features."""

import json
import pickle

import numpy as np
import pytest
from test_command_line import assert_one_line, erralign

from erralign import similarity
from erralign.measures import OF_REPRESENTATIONS

RNG = np.random.default_rng(0)
A = RNG.standard_normal((30, 6))
B = (A @ RNG.standard_normal((6, 4)) + RNG.standard_normal((30, 4))).astype(np.float32)


@pytest.fixture
def folder(tmp_path):
    np.save(tmp_path / "a.npy", A)
    np.save(tmp_path / "b.npy", B)
    return tmp_path


def test_all_measures_in_a_table(folder):
    result = erralign("similarity", "a.npy", "b.npy", cwd=folder)
    assert result.returncode == 0, result.stderr
    heads, table = result.stdout.split("\n\n")
    assert heads.splitlines() == ["a.npy: 30 trials, 6 features", "b.npy: 30 trials, 4 features"]
    rows = [line.split() for line in table.splitlines()[1:]]
    assert [row[0] for row in rows] == list(OF_REPRESENTATIONS)
    expected = similarity.compare(A, B)
    for short, value, *likeness in rows:
        assert value == ("undefined" if np.isnan(expected[short]) else f"{expected[short]:.4f}")
        assert (likeness[0] == "more") == OF_REPRESENTATIONS[short].larger_is_more_similar
    assert "undefined" in table  # PWCCA, where A is the wider one


def test_json_holds_all_digits(folder):
    result = erralign("similarity", "a.npy", "b.npy", "--json", "--measures", "RSA,PWCCA", cwd=folder)
    content = json.loads(result.stdout)
    assert content["systems"][1] == {"file": "b.npy", "trials": 30, "features": 4}
    assert list(content["measures"]) == ["RSA", "PWCCA"]
    assert content["measures"]["RSA"]["value"] == pytest.approx(similarity.representational_similarity(A, B), rel=1e-12)
    assert content["measures"]["PWCCA"] == {"value": None, "larger_is_more_similar": True}


def write_pickle(path):
    path.write_bytes(pickle.dumps(A))


def write_half(path):
    np.save(path, A)
    path.write_bytes(path.read_bytes()[:500])


def write_archive(path):
    with path.open("wb") as file:
        np.savez(file, a=A)


BAD = {
    "one dimension": (lambda path: np.save(path, A[:, 0]), "bad.npy has shape (30,); expected one row per trial"),
    "three dimensions": (lambda path: np.save(path, A[None]), "bad.npy has shape (1, 30, 6)"),
    "NaN": (
        lambda path: np.save(path, np.where(A[2, 3] == A, np.nan, A)),
        "bad.npy holds NaN or infinite values, first at (2, 3)",
    ),
    "other trials": (lambda path: np.save(path, A[:29]), "bad.npy has 29 trials, a.npy has 30: give the same trials"),
    "objects": (lambda path: np.save(path, A.astype(object)), "bad.npy holds pickled Python objects"),
    "pickle": (write_pickle, "bad.npy is no array; expected a .npy file"),
    "text": (lambda path: path.write_text("1,2\n3,4\n"), "bad.npy is no array; expected a .npy file"),
    "empty": (lambda path: path.write_bytes(b""), "bad.npy is no array; expected a .npy file"),
    "archive": (write_archive, "bad.npy is an archive, perhaps of several arrays"),
    "cut off": (write_half, "bad.npy is damaged"),
    "complex numbers": (lambda path: np.save(path, A + 1j), "bad.npy holds complex128; expected numbers"),
    "words": (lambda path: np.save(path, A.astype(str)), "bad.npy holds <U32; expected numbers"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files_are_named_in_one_line(folder, case):
    write, message = BAD[case]
    write(folder / "bad.npy")
    assert_one_line(erralign("similarity", "a.npy", "bad.npy", cwd=folder), 2, message)


def test_a_missing_file_and_an_unknown_measure(folder):
    assert_one_line(erralign("similarity", "a.npy", "none.npy", cwd=folder), 2, "there is no file 'none.npy'")
    wrong = erralign("similarity", "a.npy", "b.npy", "--measures", "RSB", cwd=folder)
    assert_one_line(wrong, 2, "measures is 'RSB'; did you mean 'RSA'?")
