"""The 23 measures give what ReSi's release gives, and one rule decides what they do where that has no value.

``resi_values.json`` holds three pairs of matrices with the release's values: f(X, Y), f(Y, X) and f(X, X), null where
it fails. They were computed with the release of April 2025 (Python 3.11, NumPy 2.4.6, SciPy 1.17.1, scikit-learn 1.9.1,
torch 2.13.0, float64). The exact IMD scores and the textbook forms were computed by an implementation other than ours.
"""

import json
import math
import warnings
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from erralign.measures import MEASURES, OF_REPRESENTATIONS
from erralign.similarity import Prepared, projection_weighted_cca, topology

PAIRS = json.loads(Path(__file__).with_name("resi_values.json").read_text())
# A: noisy linear image, 40 x 8 and 40 x 12. B: fewer rows than columns, 20 x 33 and 20 x 27. C: small scale, 60 x 5.
ARRAYS = {name: (np.array(pair["X"]), np.array(pair["Y"])) for name, pair in PAIRS.items()}
WAYS = {"XY": (0, 1), "YX": (1, 0), "XX": (0, 0)}
TEXTBOOK = {
    "SVCCA": ("SVCCA", "textbook"),
    "PWCCA": ("PWCCA", "textbook"),
    **{f"RSMDiff_{form}": ("RSMDiff", form) for form in ("frobenius", "pip")},
    **{f"GULP_{form}": ("GULP", form) for form in ("lambda_1e-4", "lambda_1e-2", "lambda_1")},
    "UnifDiff": ("UnifDiff", "textbook"),
    "2nd-Cos": ("2nd-Cos", "textbook"),
    "OrthProc_squared": ("OrthProc", "textbook"),
    "LinReg_rank_safe": ("LinReg", "textbook"),
    "SoftCorr_X_to_Y": ("SoftCorr", "textbook"),
    "IMD_unnormalised": ("IMD", "textbook"),
    "EOS_centred_extra": ("EOS", "centred"),
}


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
    for name, (form, (_, variant)) in product(PAIRS, [each for each in TEXTBOOK.items() if each[1][0] == short]):
        value = MEASURES[short].variants[variant](*ARRAYS[name])
        assert value == pytest.approx(PAIRS[name]["textbook"][form], rel=1e-8), (name, form)


def test_every_form_has_a_reference():
    forms = {(short, form) for short, measure in OF_REPRESENTATIONS.items() for form in list(measure.variants)[1:]}
    elsewhere = {("CKA", "unbiased"), ("IMD", "resi")}  # in test_similarity, and below
    assert forms - elsewhere == set(TEXTBOOK.values())


@pytest.mark.parametrize(("name", "way"), [("A", "XY"), ("C", "XY"), ("C", "YX")])
def test_signs_of_directions_move_pwcca_within_the_range_of_the_release(name, way):
    first, second = (ARRAYS[name][place] for place in WAYS[way])
    choices = product([1, -1], repeat=first.shape[1])
    values = [projection_weighted_cca(first, second, signs=signs) for signs in choices]
    assert [min(values), max(values)] == pytest.approx(PAIRS[name]["range"][way], rel=1e-8)
    assert projection_weighted_cca(first, second) == pytest.approx(values[0], rel=1e-12)  # all 1 by default


def test_the_sampled_imd_scatters_as_the_release_does(monkeypatch):
    monkeypatch.setattr(topology, "REPEATS", 1)
    for way, (mean, sd) in PAIRS["A"]["sampled"].items():
        first, second = (ARRAYS["A"][place].copy() for place in WAYS[way])
        value = MEASURES["IMD"].variants["resi"](first, second, rng=1)
        assert abs(value - mean) < 4 * sd


def test_the_sample_is_the_rngs(monkeypatch):
    monkeypatch.setattr(topology, "VECTORS", 20)
    values = [MEASURES["IMD"].variants["resi"](*ARRAYS["B"], rng=rng) for rng in (0, 0, 1)]
    assert values[0] == values[1] != values[2]


def test_procrustes_distance_keeps_its_digits_where_shapes_nearly_agree():
    X, _ = ARRAYS["A"]
    noise = np.random.default_rng(0).standard_normal(X.shape)
    near, nearer = (MEASURES["ProcDist"].function(X, X + size * noise) for size in (1e-8, 1e-10))
    assert near == pytest.approx(100 * nearer, rel=1e-3)
    wider = np.hstack([X, 1e-9 * noise])
    assert MEASURES["ProcDist"].function(wider, X) == pytest.approx(MEASURES["ProcDist"].function(X, wider), rel=1e-6)


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
    if case in ("constant column", "duplicate column", "all rows equal", "more columns than rows"):
        assert math.isnan(MEASURES["LinReg"].function(ORDINARY, X))  # which asks for independent columns that predict
        assert 0 <= MEASURES["LinReg"].variants["textbook"](ORDINARY, X) <= 1 + 1e-12


def test_few_trials():
    always = {"GULP", "PWCCA", "LinReg", "SVCCA"}  # these ask for more trials than features besides
    undefined = {"2nd-Cos", "Jaccard", "RankSim"}
    for n, more in ((2, {"IMD", "RSA"}), (6, {"IMD"}), (7, set()), (10, set()), (11, None)):
        values = {short: measure.function(OTHER[:n], ORDINARY[:n]) for short, measure in OF_REPRESENTATIONS.items()}
        found = {short for short, value in values.items() if math.isnan(value)} - always
        assert found == (set() if more is None else undefined | more - always), n


def test_a_duplicate_row_is_a_neighbour_and_never_oneself():
    X = np.r_[ORDINARY, ORDINARY]
    nearest = Prepared(X).neighbours
    assert (nearest[:, 0] == (np.arange(60) + 30) % 60).all()
    assert (nearest != np.arange(60)[:, None]).all()
