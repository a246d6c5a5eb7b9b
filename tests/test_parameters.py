"""Every chapter checks the values of its parameters; test_executions.py runs it with them."""

import re

import jupytext
import pytest
from conftest import ROOT
from test_chapters import BOOK, WITH_CODE, code, tags

from erralign_book.building import chapters

# Chapter -> parameter -> a second legal value, a third one where there is one, and an illegal one.
SEED = (1, 12, -1)
VALUES = {
    "so-do-they": {"level": (0.9, 0.8, 95)},
    "what-newer-models-see": {"level": (0.9, 0.99, 0.8), "seed": SEED},
    "can-a-network-be-taught": {
        "loss": ("d MA", "d′ wrong answers", "EC"),
        "strength": (0.1, 30.0, 2.0),
        "live": (False, False, "yes"),
    },
    "what-they-saw": {"begin": ("weakest", "strongest", "end"), "seed": SEED},
    "index": {"level": (0.9, 0.8, 95)},
    "sit-the-experiment": {"width": (0.1, 0.5, 0)},
    "your-own-data": {"level": (0.9, 0.8, 0)},
    "your-model-beside-people": {
        "network": ("tf_efficientnet_lite1", "tf_efficientnet_lite2", "tf_efficientnet_lite3"),
        "data_set": ("cue-conflict", "silhouettes", "edge"),
        "own_answers": ("", "", "no-such-file.csv"),  # with a file: test_own_answers_in_chapters
    },
    "the-board": {"measure": ("MA", "H", "kappa")},
    "how-to-measure": {"level": (0.9, 0.8, 0)},
    "how-to-answers": {"level": (0.9, 0.8, 0)},
    "how-to-plan": {"agreement": (0.2, 0.9, -0.1), "width": (0.2, 0.05, 0.6)},
    "how-to-report": {
        "system": ("net-4", "eve", "nobody"),
        "partner": ("tom", "net-3", "net-5"),
        "level": (0.9, 0.8, 95),
    },
    "how-to-read": {"level": (0.9, 0.8, 95)},
    "teach": {"level": (0.9, 0.99, 0.8)},
    "error-consistency": {
        "partner": ("Contrarian", "Twin", "Tiwn"),
        "data_set": ("colour", "sketch", "image_net_a"),
        "experiment": ("cue-conflict", "silhouettes", "edge"),
        "seed": SEED,
    },
    "what-to-set-a-value-against": {
        "experiment": ("cue-conflict", "silhouettes", "edge"),
        "tolerance": (0.02, 0.05, 0.001),
        "own_answers": ("", "", 7),
        "seed": SEED,
    },
    "misclassification-agreement": {
        "partner": ("Twin", "Contrarian", "Stranger"),
        "draws": (100, 200, 0),
        "seed": SEED,
    },
    "class-level-error-similarity": {
        "partner": ("Contrarian", "Twin", "Nobody"),
        "alpha": (0.01, 2, 0),
        "draws": (50, 20, 2.5),
        "seed": SEED,
    },
    "features-in-ten-minutes": {"temperature": (0.5, 5, 0)},
    "representations-and-confidences": {
        "sure": (0.95, 0.99, 1),
        "n_trials": (10, 200, 3),
        "draws": (20, 60, "many"),
        "seed": SEED,
    },
    "comparing-representations": {
        "noise": (0.05, 1, 2),
        "network": ("GAT", "SAGE", "VGG"),
        "seed": SEED,
    },
    "what-should-a-good-measure-notice": {
        "measure": ("OrthProc", "MagDiff", "EC"),
        "seed": SEED,
    },
    "odd-one-out": {"similarity": ("dot", "cosine", "angle"), "seed": SEED},
    "how-sure-are-we": {"n_draws": (2000, 20_000, 100), "n_experiments": (10, 200, 201), "seed": SEED},
    "hard-for-one-hard-for-all": {"tolerance": (0.01, 0.02, 0.1), "n_experiments": (100, 400, 10), "seed": SEED},
    "how-many-pictures": {"width": (0.15, 0.05, 0.5), "n_sets": (100, 400, 10), "seed": SEED},
    "which-interval": {"seed": SEED},
    "which-test": {"n_permutations": (199, 1999, 10), "seed": SEED},
    "could-it-be-chance": {
        "data_set": ("cue-conflict", "silhouettes", "colour"),
        "system_a": ("subject-01", "subject-10", "subject-11"),
        "system_b": ("alexnet", "vgg16", "vgg17"),
        "n_samples": (2000, 20_000, 1),
        "seed": SEED,
    },
    "reproducing-xu-2024": {
        "data_set": ("colour", "epic_kitchen", "color"),
        "measure": ("EC", "CLES", "CKA"),
        "own_answers": ("", "", "no-such-file.csv"),
        "level": (0.001, 0.1, 0),
    },
    "reproducing-geirhos-2020": {
        "data_set": ("cue-conflict", "silhouettes", "stylized"),
        "level": (0.001, 0.1, 5),
    },
    "further-geirhos-2020": {
        "data_set": ("cue-conflict", "silhouettes", "stylized"),
        "n_trials": (1280, 160, 400),
        "level": (0.001, 0.1, 5),
    },
    "reproducing-klein-2025": {
        "models": ("with models at chance", "sound", "all"),
        "alpha": (0.001, 0.1, 1),
    },
    "further-klein-2025": {"n_trials": (160, 1280, 500)},
    "reproducing-klabunde-2024": {"domain": ("language", "vision", "images")},
    "reproducing-muttenthaler-2023": {"melted": (True, False, "yes")},
    "further-muttenthaler-2023": {"lite": ("EfficientNet-Lite2", "EfficientNet-Lite1", "EfficientNet-B0")},
    "errata": {"digits": (4, 6, 1)},
    "benchmarks": {"data_set": ("stylized", "image_net_a", "colour")},
    "scale": {"cores": (1, 1000, 0), "gpu_rate": (1, 20_000, 0)},
    "reproduction": {"papers": (["klein2025"], ["xu2024", "geirhos2020"], ["xu2025"])},
}

# Chapter -> what it must say, and must not, under the second values: sentences that once were true by default only.
SAYS = {
    "index": (["whiskers are 90 % intervals, which", "strengths pooled; 90 % intervals"], []),
    "can-a-network-be-taught": (["The table is for d MA with λ = 0.1"], ["λ = 3."]),
    "how-to-answers": (["with 90 % intervals"], ["with 95 % intervals"]),
    "how-to-plan": (["of 0.2 and want an interval of `width` 0.2"], ["takes 431"]),
    "how-to-report": (["net-4", "hold 90 %"], ["net-1"]),
    "how-to-read": (["The 90 % interval"], ["The 95 % interval"]),
    "your-model-beside-people": (
        ["tf_efficientnet_lite1, with its makers", "pairs of networks on cue-conflict"],
        ["on edges"],
    ),
    "teach": (["90 % intervals"], ["95 % intervals"]),
    "features-in-ten-minutes": (["at temperature 0.5"], ["at temperature 1"]),
    "error-consistency": (["A with Contrarian"], []),
    "what-to-set-a-value-against": (["differ by less than 0.02"], ["less than 0.01"]),
    "what-newer-models-see": (["are 90 % intervals"], ["are 95 % intervals"]),
    "class-level-error-similarity": (["A with Contrarian, alpha 0.01"], ["$\\alpha = ½$"]),
    "representations-and-confidences": (["Boaster stops at 0.95", "the same 10 pictures"], ["stops at 0.98"]),
    "how-sure-are-we": (["of 10 percentile intervals miss"], []),
    "hard-for-one-hard-for-all": (["differ by less than 0.01", "9 data sets"], ["less than 0.05"]),
    "how-many-pictures": (["--width 0.15", "interval of width 0.15"], ["1,357"]),
    "could-it-be-chance": (
        ["1,280 pictures that have the shape of one thing", "On 1,280 pictures"],
        ["160 photographs of which", '"Only ', "with nearly our EC"],
    ),
    "reproducing-xu-2024": (["not significant at 0.001"], ["of .05 or less"]),
    "reproducing-geirhos-2020": (["open at 0.001"], ["holds, but depends on two networks"]),
    "further-geirhos-2020": (["stay at or below 0.001"], ["stay at or below 0.05"]),
    "reproducing-klein-2025": (["paired test at 0.001"], ["paired test at 0.05"]),
    "further-klein-2025": (["At 160 trials"], []),
    "reproducing-klabunde-2024": (["lowest median rank: language"], ["lowest median rank: graphs"]),
    "reproducing-muttenthaler-2023": (["holds for most that can be read"], ["holds for the seven that can be read"]),
    "further-muttenthaler-2023": (["% and EfficientNet-Lite2 on"], ["% and EfficientNet-Lite0 on"]),
    "scale": (["If 1 cores share", "`gpu_rate`, which is set to 1 pictures per second"], ["64 cores"]),
    "reproduction": (["klein2025"], ["xu2024 "]),
}


def check_cells(name):
    return [cell for cell in code(name) if "check" in tags(cell)]


@pytest.mark.parametrize("name", WITH_CODE)
def test_a_hidden_cell_behind_the_parameters_checks_each_of_them(name):
    (cell,) = check_cells(name)
    assert code(name)[2] is cell
    assert "remove-cell" in tags(cell)
    assert set(chapters.parameters(BOOK[name])) == set(VALUES[name])
    for parameter in VALUES[name]:
        assert re.search(rf'check_\w+\("{parameter}"', cell.source), parameter


@pytest.mark.parametrize("name", VALUES)
def test_legal_values_pass_and_an_illegal_one_gets_our_error_before_anything_is_executed(name, monkeypatch):
    monkeypatch.setattr(jupytext, "read", lambda _: BOOK[name])  # once
    for place in (0, 1):
        legal = {parameter: values[place] for parameter, values in VALUES[name].items()}
        assert chapters.check_requests({name: legal}, ROOT) == {name: legal}
    for parameter, (*_, value) in VALUES[name].items():
        shown = value[0] if isinstance(value, list) else value
        said = rf"^{parameter} is {re.escape(repr(shown))}; (expected|did) "
        with pytest.raises((ValueError, TypeError), match=said):
            chapters.check_requests({name: {parameter: value}}, ROOT)
