"""What a reader gives the page "Your own data": files in every form, malformed ones, and plans of an experiment."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import erralign
from erralign.measures import MEASURES_OF_ERRORS, short_name
from erralign.planning import expected_table, expected_width, trials_needed

ANALYSE = "([text, classes]) => work.analyse({ text, classes }, () => {})"
COMPLAINT = """([text, classes]) => {
    try { work.analyse({ text, classes }, () => {}); } catch (error) { return [error.isForReader, error.message]; }
    return [false, "nothing to complain about"];
}"""


# --- files ------------------------------------------------------------------------------------------------------------


def in_long_form(wide):
    table = wide.melt(["image", "truth"], var_name="system", value_name="answer")
    return table.sample(frac=1, random_state=1)


def in_the_form_of_model_vs_human(wide):
    table = in_long_form(wide).rename(columns={"system": "subj", "truth": "category", "answer": "object_response"})
    names = "0001_cue_" + table["subj"].str[:1] + "_0_" + table["category"] + "_00_" + table["image"]
    return table.assign(imagename=names, condition="0", session=1).drop(columns="image")


@pytest.mark.parametrize("write", [lambda wide: wide, in_long_form, in_the_form_of_model_vs_human])
def test_every_form_is_read_as_the_package_reads_it(numerics, tmp_path, write):
    rng, path = np.random.default_rng(5), tmp_path / "mine.csv"
    images = [f"{number}-x.png" for number in range(60)]
    wide = pd.DataFrame({"image": images, "truth": rng.choice(["cat", "dog", "a, b"], 60)})
    wide = wide.assign(**{name: rng.choice(["cat", "dog", "a, b", "na"], 60) for name in ("net", "ann", "bob")})
    for mark in ",;\t":
        write(wide).to_csv(path, index=False, sep=mark, lineterminator="\r\n")
        pairs = numerics.evaluate(ANALYSE, [path.read_text(), ""])["pairs"]
        found = {frozenset((pair["a"], pair["b"])): pair for pair in pairs}
        for row in erralign.pairwise(erralign.read_answers(path)).to_dict("records"):
            pair = found[frozenset((row["system_a"], row["system_b"]))]
            for measure in MEASURES_OF_ERRORS:
                assert pair[short_name(measure)][0] == pytest.approx(row[measure], abs=1e-12)


MALFORMED = {
    "a cell too few": ("trial,truth,a,b\n1,x,x\n", ["row 2"]),
    "a cell too many": ("trial,truth,a,b\n1,x,x,y\n2,x,x,y,y\n", ["row 3"]),
    "a column twice": ("trial,truth,a,a\n1,x,x,x\n", ["row 1", "a"]),
    "a column without a name": ("trial,truth,a,\n1,x,x,x\n", ["row 1", "column 4"]),
    "a trial twice": ("trial,truth,a,b\n1,x,x,y\n\n1,y,x,x\n", ["row 4", "row 2"]),
    "no true class": ("trial,truth,a,b\n1,x,x,y\n2,,x,x\n", ["row 3", "truth"]),
    "a negative number": ("trial,truth,a,b\n1,0,0,1\n2,1,-3,1\n", ["row 3", "a"]),
    "two spellings": ("trial,truth,a,b\n1,cat,cat,dog\n2,dog,Cat,dog\n", ["Cat", "cat"]),
    "other words": ("trial,truth,a,b\n1,cat,n01,dog\n2,dog,n02,dog\n", ["a"]),
    "too large a number": ("trial,truth,a,b\n1,0,0,1\n2,1,0,1000000\n", ["1000000"]),
    "no truth": ("trial,a,b\n1,x,y\n", ["truth"]),
    "no trials": ("trial,truth,a,b\n", []),
    "nothing": ("", []),
    "a trial that one lacks": ("system,trial,truth,answer\na,1,x,x\na,2,y,y\nb,1,x,x\n", ["row 4", "b"]),
    "an answer twice": ("system,trial,truth,answer\na,1,x,x\nb,1,x,y\na,1,x,y\n", ["row 4", "row 2"]),
    "two truths": ("system,trial,truth,answer\na,1,x,x\nb,1,y,y\n", ["row 3", "truth"]),
    "no name": ("system,trial,truth,answer\na,1,x,x\n,1,x,y\n", ["row 3", "system"]),
    "no answers": ("system,trial,truth,prediction\na,1,x,x\nb,1,x,y\n", ["system", "answer", "prediction"]),
    "no trial column": ("system,truth,answer\na,x,x\nb,x,y\n", ["trial"]),
}


def test_malformed_files_are_refused_by_row_and_column_in_both(numerics, tmp_path):
    path = tmp_path / "mine.csv"
    for name, (text, parts) in MALFORMED.items():
        path.write_text(text)
        with pytest.raises((ValueError, TypeError)) as raised:
            erralign.read_answers(path)
        is_for_reader, message = numerics.evaluate(COMPLAINT, [text, ""])
        assert is_for_reader, (name, message)
        assert [part for part in parts if part not in message or part not in str(raised.value)] == [], name


def test_what_only_the_page_refuses_is_named_too(numerics):
    for text, classes, part in [
        ('trial,truth,a,b\n1,x,"y,x\n', "", "row 2"),
        ("trial,truth,a\n1,x,x\n", "", "a pair needs two"),
        ("trial,truth,a,b\n1,x,x,\ufffd\n", "", "row 2 is not text in UTF-8"),
        ("trial,truth,a,b\n1,0,0,1\n2,1,cat,1\n", "", "row 3, column “a” holds “cat”"),
        ("trial,truth,a,b\n1,0,0,1\n2,1,0,0.5\n", "", "row 3, column “b” holds “0.5”"),
        ("trial,truth,a,b\n1,x,x,y\n", "1", "2 classes"),
        ("trial,truth,a,b\n1,x,x,z\n", "x, y", "row 2, column “b” holds “z”"),
        ("trial,truth,a,b\n1,0,1,4\n", "3", "row 2, column “b” holds 4"),
    ]:
        is_for_reader, message = numerics.evaluate(COMPLAINT, [text, classes])
        assert is_for_reader
        assert part in message


# --- the planner ------------------------------------------------------------------------------------------------------

PLANS = [(0.3, 0.75, 0.6, 0.1, 160), (0.2, 0.95, 0.9, 0.2, 1280), (0.5, 0.98, 0.98, 0.6, 30), (-0.1, 0.9, 0.8, 0.4, 75)]


def test_the_planner_agrees_with_the_package_and_knows_what_accuracies_allow(numerics):
    for ec, a, b, width, trials in PLANS:
        request = {"ec": ec, "a": a, "b": b, "width": width, "trials": trials}
        plan = numerics.evaluate("(request) => work.plan(request)", request)
        assert plan["expectedWidth"] == pytest.approx(expected_width(trials, ec, a, b), rel=0.005)
        assert plan["needed"] == pytest.approx(trials_needed(ec, a, b, width), rel=0.01, abs=1)
        assert plan["jointErrors"] == pytest.approx(expected_table(ec, a, b)[0, 0], abs=1e-12)
    for a, b in combinations([0, 0.3, 0.75, 0.6, 1], 2):
        plan = numerics.evaluate("(request) => work.plan(request)", {"ec": 2, "a": a, "b": b, "width": 1, "trials": 9})
        assert (plan["low"], plan["high"]) == pytest.approx(erralign.bounds.error_consistency_bounds(a, b), abs=1e-12)
        assert "needed" not in plan
