"""A page follows what a reader changes: with another function, its tables are others and nothing stops."""

import contextlib
import io

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT
from IPython.core.interactiveshell import InteractiveShell

import erralign
from erralign_book.building import chapters

PHI = """def error_consistency(truth, a, b):
    right_a = np.asarray(a) == np.asarray(truth)
    right_b = np.asarray(b) == np.asarray(truth)
    both = np.mean(right_a & right_b) - right_a.mean() * right_b.mean()
    return both / (right_a.std() * right_b.std())
"""
JACCARD = """def error_consistency(truth, a, b):
    wrong_a = np.asarray(a) != np.asarray(truth)
    wrong_b = np.asarray(b) != np.asarray(truth)
    return np.sum(wrong_a & wrong_b) / np.sum(wrong_a | wrong_b)
"""
MATCHES = """def misclassification_agreement(truth, a, b):
    truth, a, b = np.asarray(truth), np.asarray(a), np.asarray(b)
    joint = (a != truth) & (b != truth)
    return np.mean(a[joint] == b[joint]) if joint.any() else np.nan
"""
OVERLAP = """def class_level_error_similarity(truth, a, b, n_classes, alpha=0.5):
    f_a, f_b = (table_of(truth, said, n_classes) for said in (a, b))
    return np.minimum(f_a / f_a.sum(), f_b / f_b.sum()).sum()
"""
# Page -> the function that a reader writes anew, the tables that follow, those that don't, a line typed below, and
# what the page says then, from its values.
ANSWERS = {
    "error-consistency": {
        "function": "error_consistency",
        "others": {"phi": PHI, "Jaccard": JACCARD},
        "follow": ["pairs", "means", "limits"],
        "stay": ["by_erralign", "within"],
        "typed": "typed = pairs_of('xu2024/rotation', error_consistency)",
        "says": lambda names: f"the lowest is {names['both']['within classes'].idxmin()}",
    },
    "misclassification-agreement": {
        "function": "misclassification_agreement",
        "others": {"without chance": MATCHES},
        "follow": ["pairs", "means", "limits_of_two", "of_sets", "leads"],
        "stay": ["by_erralign", "words", "favourites"],
        "typed": "typed = pairs_of('xu2024/sketch', measures)",
        "says": lambda names: f"MA: on {(names['lead']['MA'] > 0).sum()} of {len(names['lead'])} sets two people",
    },
    "class-level-error-similarity": {
        "function": "class_level_error_similarity",
        "others": {"overlap": OVERLAP},
        "follow": ["by_luck", "by_number", "beside", "pairs", "means", "interval"],
        "stay": ["habits", "in_both"],
        "typed": "typed = beside_independent_errors('xu2024/sketch', similarity)",
        "says": lambda names: f"Nearest to one habit are {names['means']['difference'].idxmax()}",
    },
}


def run(name, tmp_path, monkeypatch, function="", anew="", typed="", **parameters):
    """Execute the cells of a page as they are read, a function or parameters changed; return its names."""
    monkeypatch.chdir(tmp_path)
    notebook = chapters.prepared(chapters.source(name, ROOT), parameters)
    sources = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    if function:
        places = [place for place, source in enumerate(sources) if source.startswith(f"def {function}(")]
        assert len(places) == 1, f"{name} writes {function} out in {len(places)} cells"
        sources[places[0]] = anew
    shell, printed = InteractiveShell(), io.StringIO()
    for source in [*sources, typed]:
        with contextlib.redirect_stdout(printed):
            result = shell.run_cell(source, store_history=True)
        assert result.success, f"{result.error_in_exec!r} in\n{source}\n{printed.getvalue()[-800:]}"
    return shell.user_ns, printed.getvalue()


CASES = [pytest.param(name, other, id=f"{name}-{other}") for name, page in ANSWERS.items() for other in page["others"]]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "other"), CASES)
def test_another_function_gives_other_tables_below(requires_data, tmp_path, monkeypatch, name, other):
    page = ANSWERS[name]
    as_published, _ = run(name, tmp_path, monkeypatch, typed=page["typed"])
    changed, printed = run(name, tmp_path, monkeypatch, page["function"], page["others"][other], page["typed"])
    for table in [*page["follow"], "typed"]:
        assert not near(as_published[table], changed[table]), f"{table} is as it was"
    for table in page["stay"]:
        assert near(as_published[table], changed[table]), f"{table} is another"
    assert page["says"](changed) in printed


@pytest.mark.slow
@pytest.mark.parametrize("data_set", ["sketch", "rotation"])
def test_another_set_gives_other_tables_and_no_false_sentence(requires_data, tmp_path, monkeypatch, data_set):
    names, printed = run("error-consistency", tmp_path, monkeypatch, data_set=data_set)
    fresh = erralign.pairwise(erralign.load(f"xu2024/{data_set}"), "EC")
    np.testing.assert_allclose(names["pairs"]["value"], fresh["EC"], rtol=0, atol=1e-12)
    less = names["both"]["within classes"] < names["both"]["any pictures"]
    assert f"Within classes {less.sum()} of {len(less)} kinds have less" in printed


@pytest.mark.slow
@pytest.mark.parametrize("family", ["ViT", pytest.param("CNN", marks=pytest.mark.weekly)])
def test_of_one_family_no_printed_number_stands_beside_ours_and_verdicts_follow(
    requires_data, tmp_path, monkeypatch, family
):
    names, printed = run("reproducing-xu-2024", tmp_path, monkeypatch, family=family)
    assert "numbers as printed" not in printed
    assert printed.count("none is compared") == 5
    verdicts = {claim: (what, verdict) for claim, what, verdict in names["findings"]}
    what, verdict = verdicts["global r lower than average r for almost all pairs of measures"]
    lower = int((names["wide"]["global"] < names["wide"]["average"]).sum())
    assert (what, verdict) == (f"lower in {lower} of 30", "does not hold")  # of all networks 26: holds
    what, verdict = verdicts["EC and MA are weakly negatively correlated over all data"]
    assert verdict == "does not hold"
    assert f"{names['two']['naturalistic']:.2f} on naturalistic ones" in what
    assert names["two"]["naturalistic"] > 0


def near(one, other):
    one, other = (pd.DataFrame(table).select_dtypes("number").to_numpy() for table in (one, other))
    return one.shape == other.shape and np.allclose(one, other, rtol=0, atol=1e-9, equal_nan=True)


@pytest.mark.slow
def test_other_silhouettes_or_fewer_errors_leave_no_false_sentence(requires_data, tmp_path, monkeypatch):
    names, printed = run("misclassification-agreement", tmp_path, monkeypatch, data_set="geirhos2020/edges", fewest=5)
    three = names["pairs"][~names["pairs"]["kind"].str.contains("guest")].groupby("pair")["MA"].mean()
    assert f"The highest MA have {three.idxmax()}, {three.max():.2f}, the lowest {three.idxmin()}" in printed
    ahead = names["of_sets"]["MA"]["human-human"] > names["of_sets"]["MA"]["model-human"]
    assert f"MA: on {ahead.sum()} of {len(ahead)} sets two people are ahead" in printed


@pytest.mark.slow
def test_without_a_network_the_lines_of_geirhos_stand_alone_and_the_title_names_the_sets(
    requires_data, tmp_path, monkeypatch
):
    left_out = ["squeezenet1-0", "squeezenet1-1"]
    names, printed = run("reproducing-geirhos-2020", tmp_path, monkeypatch, left_out=left_out)
    assert printed.count("none is compared") == 2
    assert not set(left_out) & set(names["chosen"]["network"])
    clear = [name for name, p in names["lines"]["p"].items() if p <= 0.05]
    assert clear == ["edge"]  # with them: silhouette
    titles = [line for line in printed.splitlines() if "numbers as printed" in line]
    assert not any(line.startswith("Figure 3") for line in titles)


@pytest.mark.slow
def test_without_clip_nothing_is_said_of_it(requires_data, tmp_path, monkeypatch):
    names, _ = run("reproducing-klein-2025", tmp_path, monkeypatch, without=["clip"], alpha=0.001)
    verdicts = dict(zip(names["claims"].index, names["claims"]["verdict"], strict=True))
    assert verdicts["the best model is CLIP"] == "not asked: the ranking is without CLIP"
    (majority,) = (verdict for claim, verdict in verdicts.items() if "majority" in claim)
    assert majority == "in part"  # what is not significant is not close to 0
    with pytest.raises(AssertionError, match="no-such-model' did not answer"):
        run("reproducing-klein-2025", tmp_path, monkeypatch, model="no-such-model")


@pytest.mark.slow
def test_of_other_networks_or_fewer_tests_no_claim_is_judged(tmp_path, monkeypatch):
    """Of the two papers whose verdicts are about printed tables."""
    names, _ = run("reproducing-muttenthaler-2023", tmp_path, monkeypatch, left_out=["VGG-11"])
    assert names["findings"]["verdict"].str.startswith("not judged").all()
    names, _ = run("reproducing-muttenthaler-2023", tmp_path, monkeypatch, family="ViT")
    judged = ~names["findings"]["verdict"].str.startswith("not judged")
    assert (~judged).sum() == 2
    assert names["findings"]["verdict"][judged].str.match("holds|in part|not settled").all()
    names, _ = run("reproducing-klabunde-2024", tmp_path, monkeypatch, left_out=["layers"])
    assert names["claims"]["verdict"].str.startswith("not asked").sum() == 7
