"""The checks of exercises know right answers and the usual wrong ones; folders are graded, whatever they hold."""

import json
import re
from pathlib import Path

import nbformat
import numpy as np
import pytest
import yaml
from click.testing import CliRunner
from conftest import ROOT
from test_chapters import WITH_EXERCISES

from erralign import class_level_error_similarity as cles
from erralign import error_consistency
from erralign.behaviour import error_consistency_from_counts
from erralign.bounds import error_consistency_bounds
from erralign.cli import main
from erralign.course import check, grade
from erralign.course.checking import GENERAL, exercises, trap, verdict_on
from erralign.sources.examples import twelve_pictures
from erralign_book.building.course import CHECK, PLACE

RNG = np.random.default_rng(5)
EXAMPLE = twelve_pictures()
TRUTH = EXAMPLE.truth.to_numpy()
A, TWIN, CONTRARIAN = (EXAMPLE.answers[name].to_numpy() for name in ("A", "Twin", "Contrarian"))
JOINT = RNG.hypergeometric(3, 9, 3, size=1000)
LUCKY = [error_consistency_from_counts([[n, 3 - n], [3 - n, 6 + n]]) for n in JOINT]
BY_ALPHA = np.array([[cles(TRUTH, A, b, alpha=a) for b in (TWIN, CONTRARIAN)] for a in (0.01, 0.1, 0.5, 2, 10)])
LOWEST, LARGEST = error_consistency_bounds(0.9, 0.6)
CONFIDENCES = RNG.dirichlet(np.ones(5), size=30)
KINDS = np.repeat([0, 1, 2], 6)
NESTED = np.array([[20, 0], [60, 20]])


def changed(**answers):
    """Let Twin say something else on pictures, such as ``p3=2``."""
    return [answers.get(f"p{place}", answer) for place, answer in enumerate(TWIN)]


def off(*by):
    return (KINDS + np.tile(by, 3)) % 3


EIGHTEEN = [KINDS, off(1, 1, 0, 0, 0, 0), off(2, 2, 0, 0, 0, 0), off(1, 0, 2, 2, 2, 2), off(2, 0, 1, 1, 1, 0)]


def soft_ma(q, truth, shares, *, copied=True, wrong_only=True, corrected=True, divided=True):
    q, shares = (q.copy(), shares.copy()) if copied else (q, shares)
    if wrong_only:
        q[np.arange(len(q)), truth] = shares[np.arange(len(q)), truth] = 0
    table = q.T @ shares
    chance = table.sum(axis=0) @ table.sum(axis=1) / table.sum() ** 2 if corrected else 0
    return (np.trace(table) / (table.sum() if divided else 1) - chance) / (1 - chance)


def vote(said, *, first=True, least=1):
    votes = np.array([np.bincount(row + 1, minlength=6)[1:] for row in said])
    top = votes.argmax(axis=1) if first else 4 - votes[:, ::-1].argmax(axis=1)
    return np.where(votes.max(axis=1) >= least, top, -1)


def p_within(a, b, condition, *, everywhere=False, above=False, one=1, joined=False):
    rng = np.random.default_rng(3)
    groups = [np.arange(len(a))] if everywhere else [np.flatnonzero(condition == c) for c in np.unique(condition)]
    alike = []
    for _ in range(2000):
        dealt = b.copy()
        for group in groups:
            dealt[group] = b[rng.permutation(group)]
        dealt = np.concatenate([dealt[group] for group in groups]) if joined else dealt
        alike.append(np.sum(a == dealt))
    return (one + np.sum(np.array(alike) >= np.sum(a == b) + above)) / 2001


def softened(power, *, divided=True):
    raised = CONFIDENCES**power
    return CONFIDENCES, raised / (raised.sum(axis=1, keepdims=True) if divided else 1)


def lengths(measured):
    return lambda X, Y: np.corrcoef(measured(X), measured(Y))[0, 1]


def of_pairs(function):
    return lambda networks: [[function(a.argmax(axis=1), b.argmax(axis=1)) for _, b in networks] for _, a in networks]


CLASSES = np.arange(120) % 4
# Exercise -> what it is said to be -> such an answer; those that are numbers are in a file.
ANSWERS = yaml.safe_load(Path(__file__).with_name("checks.yml").read_text(encoding="utf-8")) | {
    "ec-2": {
        "right": LUCKY,
        "few": np.mean(LUCKY),
        "same": LUCKY[:1] * 1000,
        "overlap": (6 + 2 * JOINT) / 12,
        "number": [error_consistency(TRUTH, A, RNG.permutation(TRUTH)) for _ in range(100)],
    },
    "ma-3": {
        "right": changed(p3=2),
        "unchanged": TWIN,
        "outcome": changed(p3=0),
        "several": changed(p3=2, p7=0),
    },
    "cles-3": {
        "right": BY_ALPHA.T,
        "fixed": BY_ALPHA[[2] * 5],
        "columns": BY_ALPHA[:, ::-1],
        "rows": BY_ALPHA[::-1],
    },
    "against-4": {
        "right": [LARGEST, LOWEST],
        "order": [LOWEST, LARGEST],
        "overlap": [0.7, 0.5],
        "share": [1, LOWEST],
    },
    "odd-4": {
        "right": lambda shares, chosen: shares[np.arange(len(chosen)), chosen].mean(),
        "first": lambda shares, chosen: np.mean(shares.argmax(axis=1) == chosen),
        "block": lambda shares, chosen: shares[:, chosen].mean(),
        "sum": lambda shares, chosen: shares[np.arange(len(chosen)), chosen].sum(),
        "nothing": lambda shares, chosen: None,
    },
    "newer-4": {
        "right": [[0.06, 0.55], [0.16, 0.34]],
        "clear": [[0.1, 0.86], [0.28, 0.61]],
        "unconnected": np.zeros((2, 2)),
        "columns": [[0.55, 0.06], [0.34, 0.16]],
    },
    "models-4": {
        "right": vote,
        "gaps": lambda said: vote(said + 1) - 1,
        "majority": lambda said: vote(said, least=3),
        "last": lambda said: vote(said, first=False),
    },
    "taught-4": {
        "right": soft_ma,
        "changed": lambda *given: soft_ma(*given, copied=False),
        "kept": lambda *given: soft_ma(*given, wrong_only=False),
        "uncorrected": lambda *given: soft_ma(*given, corrected=False),
        "total": lambda *given: soft_ma(*given, corrected=False, divided=False),
    },
    "hard-4": {
        "right": p_within,
        "everywhere": lambda *given: p_within(*given, everywhere=True),
        "above": lambda *given: p_within(*given, above=True),
        "uncounted": lambda *given: p_within(*given, one=0),
    },
    "compare-4": {
        "right": lengths(lambda Z: np.linalg.norm(Z, axis=1)),
        "columns": lengths(lambda Z: np.linalg.norm(Z, axis=0)),
        "squares": lengths(lambda Z: np.sum(Z**2, axis=1)),
        "sums": lengths(lambda Z: Z.sum(axis=1)),
    },
    "notice-4": {
        "right": of_pairs(lambda a, b: error_consistency(CLASSES, a, b)),
        "same": of_pairs(lambda a, b: np.mean(a == b)),
        "overlap": of_pairs(lambda a, b: np.mean((a == CLASSES) == (b == CLASSES))),
    },
    "model-3": {
        "right": softened(1 / 4),
        "sharper": softened(4),
        "same": softened(1),
        "sum": softened(1 / 4, divided=False),
    },
    "xu-1": {
        "right": EIGHTEEN,
        "shape": np.array(EIGHTEEN)[:, :12],
        "two": [*EIGHTEEN[:4], EIGHTEEN[2]],
        "agree": [EIGHTEEN[place] for place in (0, 1, 1, 3, 2)],
    },
    "geirhos-1": {
        "right": lambda names, wanted: [name == wanted[row % len(wanted)] for row, name in enumerate(names)],
        "any": np.isin,
        "first": lambda names, wanted: np.array(names) == wanted[0],
        "blocks": lambda names, wanted: np.array(names) == np.repeat(wanted, 4)[: len(names)],
        "length": lambda names, wanted: np.array(names) == np.tile(wanted, len(names) // len(wanted)),
    },
    "further-geirhos-1": {
        "right": [NESTED, NESTED.T],
        "together": [NESTED, NESTED],
        "within": [[[16, 4], [64, 16]], [[16, 64], [4, 16]]],
    },
}


@pytest.mark.parametrize("exercise", ANSWERS)
def test_each_answer_is_recognised(exercise):
    assert {verdict_on(exercise, answer): verdict for verdict, answer in ANSWERS[exercise].items()} == {
        verdict: verdict for verdict in ANSWERS[exercise]
    }
    assert verdict_on(exercise, ...) == "unanswered"
    assert verdict_on(exercise, "a word") != "right" != verdict_on(exercise, range(1000))


def test_nearly_right_is_not_right_and_rounded_is():
    """What a student found who had only the lessons: conditions put together anew, capitals ignored, two digits."""
    assert verdict_on("hard-4", lambda *given: p_within(*given, joined=True)) != "right"
    recycled = ANSWERS["geirhos-1"]["right"]
    assert verdict_on("geirhos-1", lambda names, wanted: recycled([name.lower() for name in names], wanted)) != "right"
    assert verdict_on("ec-2", np.round(LUCKY, 2)) == "right"
    assert {verdict_on("interval-1", worth) for worth in (276, 280, 284, 285)} == {"right"}  # simulated, rounded


def test_every_exercise_and_each_of_its_misconceptions_has_an_answer_here():
    known = {name: set(each["traps"]) for name, each in exercises().items() if name != GENERAL}
    general = set(exercises()[GENERAL]["traps"])
    assert {name: answers.keys() - {"right"} - general for name, answers in ANSWERS.items()} == known


def test_no_hint_gives_the_answer():
    for name, each in exercises().items():
        said = " ".join([each.get("asks", ""), *(" ".join(words[:2]) for words in each["traps"].values())])
        numbers = [float(number.replace(",", "")) for number in re.findall(r"\d[\d,.]*\d|\d", said)]
        assert "digits" not in each or [number for number in numbers if verdict_on(name, number) == "right"] == []


def test_it_says_right_or_names_the_misconception_and_what_to_hand_in(capsys):
    for answer in (284, 1280, 500, ..., "many"):
        check("interval-1", answer)
    right, known, unknown, missing, broken = capsys.readouterr().out.splitlines()
    assert right == "interval-1: right."
    assert known == f"interval-1: not yet. {'. '.join(trap('interval-1', 'independent')[:2])}"
    assert all("Hand in the number of pictures" in said for said in (unknown, broken))
    assert "hand in the number of pictures" in missing
    with pytest.raises(ValueError, match="interval-1"):
        check("intervall-1", 284)


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("name", WITH_EXERCISES)
def test_the_solution_on_a_page_is_right(name):
    cells = nbformat.read(ROOT / "book" / f"{name}.ipynb", 4).cells
    called = [(CHECK.findall(cell.source), cell.outputs) for cell in cells if cell.cell_type == "code"]
    for (exercise,), outputs in ((found, outputs) for found, outputs in called if found):
        assert f"{exercise}: right." in "".join(output.get("text", "") for output in outputs)


# --- grading ----------------------------------------------------------------------------------------------------------

IMPORT = "from erralign.course import check"
SOLVED = {"xu-1": f'check("xu-1", {np.array(EIGHTEEN).tolist()})', "xu-2": 'check("xu-2", 0.51)'}


def notebook(*sources, **metadata):
    cells = [nbformat.v4.new_markdown_cell("## Exercises"), *map(nbformat.v4.new_code_cell, (IMPORT, *sources))]
    return nbformat.writes(nbformat.v4.new_notebook(cells=cells, metadata=metadata))


def stripped(text):
    """Leave of a notebook what a cautious program leaves: sources, as lists of lines."""
    cells = json.loads(text)["cells"]
    return json.dumps({"cells": [{"cell_type": c["cell_type"], "source": list(c["source"])} for c in cells]})


UNSOLVED = [PLACE.format(exercise=name, asks="…") for name in SOLVED]
WRONG = f'check("xu-1", {np.array([*EIGHTEEN[:4], EIGHTEEN[2]]).tolist()})'
# File -> its text; points, missing and doubled exercises, and a part of how it ended.
HANDED_IN = {
    "solved": (notebook(*SOLVED.values()), 2, "", "", "ran to its end"),
    "unsolved": (notebook(*UNSOLVED), 0, "", "", "ran to its end"),
    "wrong": (notebook(WRONG, SOLVED["xu-2"]), 1, "", "", "ran to its end"),
    "doubled": (notebook(*SOLVED.values(), *UNSOLVED), 2, "", "xu-1 xu-2", "ran to its end"),
    "deleted": (notebook(SOLVED["xu-2"]), 1, "xu-1", "", "ran to its end"),
    "emptied": (nbformat.writes(nbformat.v4.new_notebook()), 0, "xu-1 xu-2", "", "ran to its end"),
    "stripped": (stripped(notebook(*SOLVED.values())), 2, "", "", "ran to its end"),
    "torn": ('{"cells": [', 0, "xu-1 xu-2", "", "this is no notebook"),
    "loops": (
        notebook(SOLVED["xu-2"], "import time\ntime.sleep(999)", SOLVED["xu-1"]),
        1,
        "",
        "",
        "12 s, in code cell 3",
    ),
    "fails": (notebook("1 / 0", *SOLVED.values()), 2, "", "", "code cell 2: ZeroDivisionError: division by zero"),
    "leaves": (notebook("import sys; sys.exit()", *SOLVED.values()), 2, "", "", "code cell 2: SystemExit"),
    "dies": (notebook(SOLVED["xu-2"], "import os; os._exit(3)"), 1, "xu-1", "", "died (status 3), in code cell 3"),
    "magic": (notebook("%matplotlib inline\n!ls\nprint('−')", *SOLVED.values()), 2, "", "", "ran to its end"),
    "asks": (notebook("input()", *SOLVED.values()), 2, "", "", "EOFError"),
    "calls": (
        notebook("import socket\nsocket.create_connection(('127.0.0.1', 9))", *SOLVED.values()),
        *(2, "", "", "there is no network while notebooks are graded"),
    ),
}


@pytest.mark.slow
def test_a_folder_is_graded_whatever_was_handed_in(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "cp1252")  # where Windows redirects output
    (tmp_path / "essay.docx").write_bytes(b"PK")
    (tmp_path / ".ipynb_checkpoints").mkdir()
    (tmp_path / ".ipynb_checkpoints" / "xu.ipynb").write_text("{}")
    for name, (text, *_) in HANDED_IN.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "xu.ipynb").write_text(text)
    marks = grade(tmp_path, seconds=12).set_index("file")
    assert len(marks) == len(HANDED_IN) + 1
    of, ended = marks.loc["essay.docx", ["of", "ended"]]
    assert (of, ended) == (0, "this is no notebook (.ipynb), and was not run")
    for name, (_, *expected, ended) in HANDED_IN.items():
        row = marks.loc[f"{name}/xu.ipynb"]
        assert [row["points"], row["missing"], row["doubled"]] == expected, name
        assert row["ended"] == ended if ended == "ran to its end" else ended in row["ended"], name
    assert set(marks["of"]) == {0, 2}
    assert marks.loc["wrong/xu.ipynb", "misconceptions"] == f"xu-1: {trap('xu-1', 'two')[0]}"


def test_a_check_of_no_exercise_gives_nothing_to_reach_and_marks_that_were_there_are_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cell = nbformat.v4.new_code_cell("from erralign.course import check\ncheck('nosuch', 3)")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "a.ipynb")
    for overwritten in ("", ", which was there and is overwritten"):
        said = CliRunner().invoke(main, ["grade", str(tmp_path), "--to", ".marks.csv"]).stdout
        assert said == f".marks.csv{overwritten}: 1 files, 0 of 0 points\n"


def test_grading_says_what_is_missing(tmp_path):
    with pytest.raises(ValueError, match="no folder"):
        grade(tmp_path / "nowhere")
    with pytest.raises(ValueError, match="no notebook"):
        grade(tmp_path)
