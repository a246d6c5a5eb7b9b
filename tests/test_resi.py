"""The measures of representations: equal to ReSi's release, to textbook forms, and in ``erralign similarity``.

``resi_values.json`` holds three pairs of matrices with the release's values: f(X, Y), f(Y, X) and f(X, X), null where
it fails. They were computed with the release of April 2025 (Python 3.11, NumPy 2.4.6, SciPy 1.17.1, scikit-learn 1.9.1,
torch 2.13.0, float64). The exact IMD scores and the textbook forms were computed by an implementation other than ours.
"""

import json
import math
import pickle
import re
import shlex
import subprocess
import sys
import warnings
from functools import partial
from io import BytesIO
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from builders import typed

from erralign import cka, similarity
from erralign.measures import MEASURES, OF_REPRESENTATIONS
from erralign.similarity import Prepared, projection_weighted_cca, topology
from erralign.similarity.profiles import cosines

PAIRS = json.loads(Path(__file__).with_name("resi_values.json").read_text())
# A: noisy linear image, 40 x 8 and 40 x 12. B: fewer rows than columns, 20 x 33 and 20 x 27. C: small scale, 60 x 5.
ARRAYS = {name: (np.array(pair["X"]), np.array(pair["Y"])) for name, pair in PAIRS.items()}
TEXTBOOK = set(PAIRS["A"]["textbook"])  # a measure and one of its other forms
WAYS = {"XY": (0, 1), "YX": (1, 0), "XX": (0, 0)}


# --- equal to the release ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("short", OF_REPRESENTATIONS)
def test_values_of_the_release_and_of_textbook_forms(short):
    is_zero = {"XX"} if not MEASURES[short].larger_is_more_similar else set()
    for (name, pair), (way, places) in product(PAIRS.items(), WAYS.items()):
        signs = pair.get("signs", {}).get(way) if short == "PWCCA" else None
        arrays = (ARRAYS[name][place].copy() for place in places)
        value = MEASURES[short].function(*arrays, **({} if signs is None else {"signs": signs}))
        released = pair["released"][way][short]
        expected = math.nan if released is None else released
        assert value == pytest.approx(expected, rel=1e-8, abs=1e-7 * (way in is_zero), nan_ok=True), (name, way)
    for name, form in product(PAIRS, [form for form in TEXTBOOK if form.startswith(f"{short} ")]):
        value = MEASURES[short].variants[form.split()[1]](*ARRAYS[name])
        assert value == pytest.approx(PAIRS[name]["textbook"][form], rel=1e-8), (name, form)


@pytest.mark.parametrize(("name", "way"), [("A", "XY"), ("C", "XY"), ("C", "YX")])
def test_signs_of_directions_move_pwcca_within_the_range_of_the_release(name, way):
    first, second = (ARRAYS[name][place] for place in WAYS[way])
    choices = product([1, -1], repeat=first.shape[1])
    values = [projection_weighted_cca(first, second, signs=signs) for signs in choices]
    assert [min(values), max(values)] == pytest.approx(PAIRS[name]["range"][way], rel=1e-8)
    assert projection_weighted_cca(first, second) == pytest.approx(values[0], rel=1e-12)  # all 1 by default


def test_the_sampled_imd_scatters_as_the_release_does(monkeypatch):
    monkeypatch.setattr(topology, "_REPEATS", 1)
    for way, (mean, sd) in PAIRS["A"]["sampled"].items():
        first, second = (ARRAYS["A"][place].copy() for place in WAYS[way])
        assert abs(MEASURES["IMD"].variants["resi"](first, second, rng=1) - mean) < 4 * sd


def test_procrustes_distance_keeps_its_digits_where_shapes_nearly_agree():
    X, _ = ARRAYS["A"]
    noise = np.random.default_rng(0).standard_normal(X.shape)
    near, nearer = (MEASURES["ProcDist"].function(X, X + size * noise) for size in (1e-8, 1e-10))
    assert near == pytest.approx(100 * nearer, rel=1e-3)


# --- where the release fails: nan when well-formed features have no value, an error when they are not well-formed -----

RNG = np.random.default_rng(5)
ORDINARY = RNG.standard_normal((30, 7)) + 0.5
OTHER = ORDINARY[:, :6] + 0.5 * RNG.standard_normal((30, 6))
EVERYWHERE = {"2nd-Cos", "AngShape", "CKA", "DistCorr", "GULP", "IMD", "Jaccard", "LinReg", "OrthProc", "PWCCA"}
EVERYWHERE |= {"RSA", "RankSim", "SVCCA"}  # all that need features that vary
DEGENERATE = {
    "ordinary": (OTHER, set()),
    "constant column": (np.c_[OTHER[:, :5], np.full(30, 0.1)], {"PWCCA"}),
    "zero column": (np.c_[OTHER[:, :5], np.zeros(30)], {"PWCCA"}),
    "duplicate column": (np.c_[OTHER[:, :5], OTHER[:, 0]], {"PWCCA"}),
    "duplicate row": (np.r_[OTHER[:29], OTHER[:1]], set()),
    "zero row": (np.r_[OTHER[:29], np.zeros((1, 6))], set()),
    "zero matrix": (np.zeros((30, 6)), EVERYWHERE | {"AlignCos"}),
    "all rows equal": (np.tile(OTHER[:1] / 3, (30, 1)), EVERYWHERE),
    "one column": (OTHER[:, :1], {"2nd-Cos", "Jaccard", "RankSim", "RSA"}),
    "more columns than rows": (RNG.standard_normal((30, 40)), {"GULP", "PWCCA"}),
}


@pytest.mark.parametrize("case", DEGENERATE)
def test_what_has_no_value_is_nan(case):
    X, undefined = DEGENERATE[case]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        values = {short: measure.function(X, ORDINARY) for short, measure in OF_REPRESENTATIONS.items()}
    assert {short for short, value in values.items() if math.isnan(value)} == undefined


def test_few_trials():
    always = {"GULP", "PWCCA", "LinReg", "SVCCA"}  # these ask for more trials than features besides
    undefined = {"2nd-Cos", "Jaccard", "RankSim"}
    for n, more in ((2, {"IMD", "RSA"}), (6, {"IMD"}), (7, set()), (10, set()), (11, None)):
        values = {short: measure.function(OTHER[:n], ORDINARY[:n]) for short, measure in OF_REPRESENTATIONS.items()}
        found = {short for short, value in values.items() if math.isnan(value)} - always
        assert found == (set() if more is None else undefined | more - always), n


def test_a_duplicate_row_is_a_neighbour_and_never_oneself():
    nearest = Prepared(np.r_[ORDINARY, ORDINARY]).neighbours
    assert (nearest[:, 0] == (np.arange(60) + 30) % 60).all()
    assert (nearest != np.arange(60)[:, None]).all()


# --- CKA, and all pairs at once ---------------------------------------------------------------------------------------


def quadruple_hsic(X, Y):
    """Song et al. (2012), equation 4: the U-statistic over all ordered quadruples of different trials."""
    K, L = X @ X.T, Y @ Y.T
    quadruples = list(permutations(range(len(X)), 4))
    return np.mean([K[i, j] * (L[i, j] + L[q, r] - 2 * L[i, q]) for i, j, q, r in quadruples])


def features(seed, n_trials, *sizes):
    rng = np.random.default_rng(seed)
    common = rng.normal(size=(n_trials, 2))
    return [common @ rng.normal(size=(2, size)) + rng.normal(size=(n_trials, size)) + 1 for size in sizes]


@pytest.mark.parametrize("n_trials", [4, 5, 7])
def test_unbiased_cka_equals_the_sum_over_quadruples(n_trials):
    X, Y = features(3, n_trials, 3, 6)
    expected = quadruple_hsic(X, Y) / np.sqrt(quadruple_hsic(X, X) * quadruple_hsic(Y, Y))
    assert cka(X, Y, unbiased=True) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("unbiased", [False, True])
def test_features_that_do_not_vary_leave_cka_undefined(unbiased):
    (X,) = features(0, 6, 3)
    assert np.isnan(cka(X, np.full((6, 2), 0.1), unbiased=unbiased))  # 0.1 differs from its own mean in the last bit
    assert cka(np.zeros((6, 2)), X, unbiased=unbiased, replace_undefined_by=0.5) == 0.5


# --- all pairs --------------------------------------------------------------------------------------------------------


SHARED = RNG.standard_normal((40, 5))
SYSTEMS = {
    "ann": SHARED + 0.3 * RNG.standard_normal((40, 5)) + 1,
    "ben": SHARED @ RNG.standard_normal((5, 9)) + RNG.standard_normal((40, 9)),
    "eve": RNG.standard_normal((40, 5)),
    "wide": RNG.standard_normal((40, 60)),
    "constant": np.full((40, 3), 0.1),
}


def test_each_pair_is_what_the_measure_gives():
    before = SYSTEMS["ann"].copy()
    tables = similarity.pairwise(SYSTEMS)
    np.testing.assert_array_equal(SYSTEMS["ann"], before)  # features are left as they are
    assert list(tables) == list(OF_REPRESENTATIONS)
    for short, table in tables.items():
        pairs = [[OF_REPRESENTATIONS[short].function(X, Y) for Y in SYSTEMS.values()] for X in SYSTEMS.values()]
        np.testing.assert_allclose(table, pairs, rtol=1e-11, atol=1e-12, err_msg=short)
    named = similarity.pairwise(list(SYSTEMS.values()), ["rank_similarity", "CKA", "RankSim"])
    assert list(named) == ["RankSim", "CKA"]
    np.testing.assert_array_equal(named["RankSim"], tables["RankSim"])


def test_cosines_of_long_vectors_are_taken_in_blocks():
    profiles = RNG.standard_normal((3, 100_000))
    lengths = np.linalg.norm(profiles, axis=1)
    np.testing.assert_allclose(cosines(profiles), profiles @ profiles.T / np.outer(lengths, lengths), atol=1e-13)


# --- the command ------------------------------------------------------------------------------------------------------


A = RNG.standard_normal((30, 6))
B = (A @ RNG.standard_normal((6, 4)) + RNG.standard_normal((30, 4))).astype(np.float32)


@pytest.fixture
def say(here):
    """Go to a folder with both, and return the command."""
    np.save("a.npy", A)
    np.save("b.npy", B)
    return partial(typed, "similarity")


def test_all_measures_with_what_rows_in_random_order_give(say):
    measures = json.loads(say("a.npy", "b.npy", "--json").stdout)["measures"]
    values, shuffled = similarity.compare(A, B), similarity.compare_shuffled(A, B)
    for short, measure in OF_REPRESENTATIONS.items():
        numbers = [measures[short][name] for name in ("value", "shuffled", "low", "high")]
        np.testing.assert_allclose(np.array(numbers, float), [values[short], *shuffled[short]], err_msg=short)
        assert measures[short]["larger_is_more_similar"] == measure.larger_is_more_similar
    assert measures["PWCCA"]["value"] is None  # A is the wider one
    (line,) = (line for line in say("a.npy", "b.npy").stdout.splitlines() if line.startswith("CKA  "))
    assert re.search(r"CKA +{:.4f}  {:.4f} \({:.4f} to {:.4f}\)".format(values["CKA"], *shuffled["CKA"]), line)


def test_rows_in_random_order_are_those_of_plain_shuffles():
    generator = np.random.default_rng(5)
    orders = [generator.permutation(40) for _ in range(39)]
    drawn = [similarity.compare(SYSTEMS["ann"], SYSTEMS["wide"][order]) for order in orders]
    found = similarity.compare_shuffled(SYSTEMS["ann"], SYSTEMS["wide"], rng=5)
    for short, limits in found.items():
        values = [each[short] for each in drawn]
        np.testing.assert_allclose(limits, [np.median(values), min(values), max(values)], atol=1e-9, err_msg=short)


def test_unrelated_noise_is_said_to_be_what_chance_gives(here):
    """With more features than trials, CKA of unrelated noise is near 1."""
    noise = np.random.default_rng(2).normal(size=(2, 50, 2000))
    np.save("a.npy", noise[0])
    np.save("b.npy", noise[1])
    line = "similarity", "a.npy", "b.npy", "--measures", "CKA,DistCorr"
    assert "note: CKA, DistCorr: as rows in random order give." in typed(*line).stderr
    np.save("b.npy", noise[0] + noise[1])
    assert "random order give" not in typed(*line).stderr


@pytest.mark.parametrize("seed", range(20))
def test_the_order_of_rows_does_not_change_rsa(seed):
    rng = np.random.default_rng(seed)
    X, Y = rng.normal(size=(2, 30, 2))  # rows of two features correlate by 1 or -1 only, but for rounding
    order = rng.permutation(30)
    value, ordered = similarity.representational_similarity(X, Y), (X[order], Y[order])
    assert similarity.representational_similarity(*ordered) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("unbiased", [False, True])
@pytest.mark.parametrize("factor", [1e100, 1e-100])
def test_a_common_factor_does_not_change_cka(factor, unbiased):
    assert cka(factor * A, B, unbiased=unbiased) == pytest.approx(cka(A, B, unbiased=unbiased), rel=1e-12)


def test_notes_say_whose_order_counts_and_when_a_value_is_undefined(say):
    notes = say("a.npy", "b.npy", "--measures", "PWCCA,RSA,LinReg").stderr
    assert "note: PWCCA and LinReg: the order of the files counts." in notes
    assert "note: PWCCA: undefined when X or Y does not vary;" in notes


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
    "bad.npy is an archive of arrays (arr_0); expected a .npy file: write one": saved(A, np.savez),
    "bad.npy is damaged": saved(A)[:500],
    "bad.npy holds complex128; expected numbers": saved(A + 1j),
    "bad.npy holds <U32; expected numbers": saved(A.astype(str)),
}


def test_bad_files_and_names_are_named_in_one_line(say):
    results = {"there is no file 'none.npy'": say("a.npy", "none.npy")}
    results["measures is 'RSB'; did you mean 'RSA'?"] = say("a.npy", "b.npy", "--measures", "RSB")
    for message, content in BAD.items():
        Path("bad.npy").write_bytes(content)
        results[message] = say("a.npy", "bad.npy")
    for message, result in results.items():
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1), message
        assert message in result.stderr


def test_the_printed_way_to_take_an_array_out_of_an_archive_works(say):
    np.savez("b.npz", logits=B, labels=A[:, 0])
    remedy = say("a.npy", "b.npz").stderr.strip().partition("write one of them with  python ")[2]
    subprocess.run([sys.executable, *shlex.split(remedy)], check=True)
    np.testing.assert_array_equal(np.load("b-logits.npy"), B)
