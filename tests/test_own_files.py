"""Files of answers as people have them: each gives the right value, or a message whose remedy gives it."""

import json
import re
import shlex
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import raw_files
from builders import typed
from conftest import ROOT

import erralign
from erralign import Responses, read_answers
from erralign.files import read_features_with_ids

TRUTH, NET, ANN = raw_files.TRUTH, raw_files.ANN, raw_files.BEN
EC = erralign.error_consistency(TRUTH, NET, ANN)
WIDE = pd.DataFrame({"image": [f"{i}.png" for i in range(12)], "truth": TRUTH, "net": NET, "ann": ANN})
LONG = WIDE.melt(["image", "truth"], var_name="system", value_name="answer")


def write(files):
    for file, content in files.items():
        Path(file).parent.mkdir(exist_ok=True)
        Path(file).write_bytes(content if isinstance(content, bytes) else content.encode())


def csv(table, **renamed):
    return table.rename(columns=renamed).to_csv(index=False)


# What lies there, what is typed after `erralign compare`, and the EC that comes out, or a part of the refusal, whose
# remedy, between two double spaces, gives that EC.
CASES = {
    "a file per system, in orders and columns of their own": (
        {
            "net.csv": csv(WIDE[["image", "truth", "net"]].assign(trial=range(12)), net="response"),
            "ann.csv": csv(WIDE[["image", "truth", "ann"]][::-1].assign(trial=range(12)), ann="response"),
        },
        "net.csv ann.csv --answer response",
        EC,
    ),
    "the truth is in one of two files": (
        {"net.csv": csv(WIDE[["image", "truth", "net"]]), "ann.csv": csv(WIDE[["image", "ann"]][::-1])},
        "net.csv ann.csv",
        EC,
    ),
    "sessions of a person in a folder, with a report in it": (
        {"all/1.csv": csv(LONG[::2]), "all/2.csv": csv(LONG[1::2]), "all/b.html": "<p>"},
        "all",
        EC,
    ),
    "a formula that failed": ({"a.csv": csv(WIDE.replace("c", "#REF!"))}, "a.csv", "where a formula fails"),
    "rows that are no trials": (
        {"a.csv": "image,truth,net,ann\nwelcome,,,\n" + csv(WIDE).partition("\n")[2]},
        "a.csv",
        "row 2, column 'truth' is empty",
    ),
    "pictures that were shown twice": (
        {"a.csv": csv(pd.concat([WIDE.assign(block=1), WIDE.assign(block=2)]).iloc[:, [4, 0, 1, 2, 3]])},
        "a.csv",
        "is about '0.png' again, after row 2",
    ),
    "options of each question in a column": (
        {"a.csv": csv(WIDE.assign(truth="A", net=[*"ABCA"] * 3, ann=[*"AABA"] * 3, n=3))},
        "a.csv --options n",
        erralign.error_consistency([*"A" * 12], [*"ABCA"] * 3, [*"AABA"] * 3),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_each_file_gives_its_value_or_a_message_whose_remedy_does(name, here):
    files, words, expected = CASES[name]
    write(files)
    said = typed("compare", *shlex.split(words), "--json", "--measures", "EC")
    if isinstance(expected, str):
        assert (said.exit_code, said.stderr.count("\n")) == (2, 1)
        assert expected in said.stderr
        remedy = re.search(r"  (--.*?)  ", said.stderr.rstrip("\n") + "  ")
        if remedy is None:
            return
        said = typed("compare", *shlex.split(f"{words} {remedy[1]}"), "--json", "--measures", "EC")
        expected = EC
    assert said.exit_code == 0, said.stderr
    assert json.loads(said.stdout)["pairs"][0]["EC"] == pytest.approx(expected)


# --- what was not shown -----------------------------------------------------------------------------------------------


@pytest.fixture
def seen():
    """Return answers of which net lacks trials 0 to 2, and ann trials 3 to 5; and the trials that both have."""
    shown_to = {"net": range(3, 12), "ann": [0, 1, 2, *range(6, 12)]}
    rows = [
        LONG[(LONG["system"] == system) & (LONG.index % 12).isin(list(places))] for system, places in shown_to.items()
    ]
    return pd.concat(rows), range(6, 12)


@pytest.mark.parametrize(
    ("rename", "what"),
    [(lambda name: f"/data/{name}", "folders"), (str.upper, "capitals"), (lambda name: name[:-4] + ".jpg", "endings")],
)
def test_trials_whose_names_differ_a_little_are_said_to(rename, what, here):
    write(
        {
            "net.csv": csv(WIDE[["image", "truth", "net"]]),
            "ann.csv": csv(WIDE[["image", "ann"]].assign(image=WIDE["image"].map(rename))),
        }
    )
    with pytest.raises(ValueError, match=f"no trial in common.*only {what} differ"):
        read_answers(["net.csv", "ann.csv"])
    WIDE[["image", "ann"]].to_csv("ann.csv", index=False)
    assert erralign.pairwise(read_answers(["net.csv", "ann.csv"]))["EC"][0] == pytest.approx(EC)


def test_the_remedy_of_two_byte_numbers_writes_the_same_numbers(here):
    x = np.random.default_rng(0).normal(size=(8, 3)).astype(np.float32)
    halves = (x.view(np.uint32) >> 16).astype(np.uint16)
    np.save("halves.npy", halves.view("V2"))
    with pytest.raises(ValueError, match="bfloat16") as refused:
        read_features_with_ids(Path("halves.npy"))
    _, flag, code = shlex.split(str(refused.value).split("  ")[1])
    subprocess.run([sys.executable, flag, code], check=True)
    np.testing.assert_allclose(np.load("halves-float32.npy"), x, rtol=2**-7)


def test_marks_of_right_and_wrong_give_ec_as_their_message_says(here):
    marks = WIDE.assign(**{name: WIDE[name].eq(WIDE["truth"]).astype(int) for name in ("net", "ann")})
    write({"marks.csv": csv(marks)})
    with pytest.raises(ValueError, match="right as the truth of every trial"):
        read_answers("marks.csv")
    in_words = {name: marks[name].map({1: "right", 0: "wrong"}) for name in ("net", "ann")}
    write({"marks.csv": csv(marks.assign(truth="right", **in_words))})
    assert erralign.pairwise(read_answers("marks.csv"))["EC"][0] == pytest.approx(EC)


@pytest.mark.parametrize("order", [slice(None, None, -1), [1, 0, *range(2, 12)], [*range(6, 12), *range(6)]])
def test_a_shuffled_series_beside_lists_is_refused(order):
    net = pd.Series(NET)
    assert erralign.error_consistency(TRUTH, net, ANN) == EC
    with pytest.raises(ValueError, match="order of its own"):
        erralign.error_consistency(TRUTH, net.iloc[order], ANN)


def test_the_catalogue_is_listed_with_the_names_that_data_takes():
    listed = typed("catalog", "xu2024").output.splitlines()
    assert [line.split()[0] for line in listed[1:]] == erralign.catalog("xu2024")["name"].tolist()
    assert listed[0].split() == ["name", "trials", "people", "models", "classes"]
    assert "no data set is of 'nobody'" in typed("catalog", "nobody").output


def test_what_was_not_shown_is_no_error_in_file_python_and_command(seen, here):
    rows, common = seen
    expected = erralign.error_consistency(*(np.array(words)[common] for words in (TRUTH, NET, ANN)))
    Path("long.csv").write_text(csv(rows))
    table = rows.pivot(index="image", columns="system", values="answer").reindex(WIDE["image"]).fillna("unseen")
    table.insert(0, "truth", TRUTH)
    table.to_csv("wide.csv")
    with pytest.raises(ValueError, match=r"'net' has no row for trial '0.png', one of 3 .*--absent-not-shown"):
        read_answers("long.csv")
    found = [read_answers("long.csv", absent_not_shown=True), read_answers("wide.csv", not_shown=["unseen"])]
    truth = pd.Series(TRUTH, WIDE["image"])
    series = {name: rows[rows["system"] == name].set_index("image")["answer"] for name in ("net", "ann")}
    found.append(Responses.from_table(truth, series, absent_not_shown=True))
    found.append(found[0].select(systems=["ann"]).join(found[0].select(systems=["net"])))
    for mine in found:
        (pair,) = erralign.pairwise_intervals(mine, "EC").to_dict("records")
        assert (pair["n_trials"], pair["EC"]) == (6, pytest.approx(expected))
        assert pair["EC_low"] < expected < pair["EC_high"]
        assert mine.table("net", "ann").sum() == 6
        accuracies = erralign.accuracy_intervals(mine)["accuracy"]
        assert accuracies["net"] == pytest.approx(np.mean([NET[i] == TRUTH[i] for i in range(3, 12)]))
    said = typed("compare", "long.csv", "--absent-not-shown", "--json")
    (pair,) = json.loads(said.stdout)["pairs"]
    assert (pair["n_trials"], pair["EC"]) == (6, pytest.approx(expected))
    assert typed("join", "long.csv", "--absent-not-shown", "--to", "joined.csv").exit_code == 0
    assert read_answers("joined.csv", not_shown="unseen").answers.isna().sum().to_dict() == {"net": 3, "ann": 3}
    assert len(read_answers("long.csv", subset=True).truth) == 6


def test_what_needs_the_same_trials_of_all_says_so_and_its_remedy_works(seen, here):
    Path("long.csv").write_text(csv(pd.concat([seen[0], LONG[:12].assign(system="ben")])))
    responses = read_answers("long.csv", absent_not_shown=True, person="all")
    for needs_all in (erralign.consistency_with_people, erralign.effective_number, erralign.pairwise_p_values):
        with pytest.raises(ValueError, match=r"'net' was not shown 3 of 12 trials") as refused:
            needs_all(responses)
        remedy = re.search(r"with (\w+\.select\(.*?\)\)) or", str(refused.value))[1]
        subset = eval(remedy.replace("data_sets.", "responses."), {"responses": responses})
        assert len(subset.truth) == 6
    pairs = erralign.pairwise(responses, "EC", with_="ben").set_index(["system_a", "system_b"])["n_trials"]
    assert pairs.to_dict() == {("net", "ben"): 9, ("ann", "ben"): 9}


def test_several_pairs_are_those_of_two_systems_each(rng):
    truth = pd.Series(rng.integers(4, size=80))
    words = pd.DataFrame({name: rng.integers(4, size=80) for name in "abc"}).astype(object)
    words = words.mask(rng.random(words.shape) < 0.3, "unseen")
    mine = Responses.from_table(truth, words, not_shown="unseen", classes=range(4))
    table = erralign.pairwise_intervals(mine, n_resamples=200, clusters=np.arange(80) // 4)
    for _, row in table.iterrows():
        two = [row["system_a"], row["system_b"]]
        both = mine.answers[two].notna().all(axis=1)
        alone = mine.select(systems=two, trials=both)
        expected = erralign.pairwise_intervals(alone, n_resamples=200, clusters=np.arange(80)[both] // 4).iloc[0, 3:]
        assert row[expected.index].tolist() == pytest.approx(expected.tolist(), nan_ok=True)


# --- other kinds of files ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "needs"), [("xlsx", "openpyxl"), ("parquet", "pyarrow")])
def test_workbooks_and_parquet_are_text_too_or_the_message_names_the_extra(here, kind, needs):
    if not find_spec(needs):
        Path("a.parquet").write_bytes(b"PAR1")
        with zipfile.ZipFile("a.xlsx", "w") as archive:
            for member in ("[Content_Types].xml", "xl/workbook.xml"):
                archive.writestr(member, "")
        with pytest.raises(ValueError, match=r"needs the extra 'files'; get it with  pip install 'erralign\[files\]"):
            read_answers(f"a.{kind}")
        return
    coded = WIDE.replace({"a": "NA", "b": "001", "c": "1,000"})
    getattr(coded, {"xlsx": "to_excel", "parquet": "to_parquet"}[kind])(f"a.{kind}", index=False)
    assert read_answers(f"a.{kind}").classes == ("001", "1,000", "NA")


# --- raw files of programs for experiments: the commands of the page --------------------------------------------------


def lines_about(program):
    """Return the lines of the page that are about a program's files, each as its words."""
    page = (ROOT / "notebooks" / "how-to-answers.md").read_text(encoding="utf-8").replace("\\\n", " ")
    blocks = [block for block in re.findall(r"```\n((?:erralign|python) .*?)```", page, re.DOTALL) if program in block]
    return [shlex.split(line) for line in blocks[0].splitlines()]


@pytest.mark.parametrize("program", raw_files.PROGRAMS)
def test_the_command_of_the_page_reads_the_raw_files_of_a_program(program, here):
    write(raw_files.PROGRAMS[program]())
    *before, command = lines_about(program)
    for words in before:
        subprocess.run([sys.executable, *words[1:]], check=True)
    said = typed(*command[1:], "--json", "--measures", "EC")
    assert said.exit_code == 0, said.stderr
    (pair,) = json.loads(said.stdout)["pairs"]
    assert (pair["kind"], pair["EC"]) == ("human-human", pytest.approx(EC))


@pytest.mark.parametrize(
    "program", [raw_files.jspsych, raw_files.psychopy, raw_files.gorilla, raw_files.model_vs_human]
)
def test_a_message_names_the_options_that_read_the_files_of_a_program(program, here):
    files = program()
    write(files)
    options = re.search(r"that  (--.*)  reads", typed("compare", *files).stderr)[1]
    said = typed("compare", *files, *shlex.split(options), "--json", "--measures", "EC")
    assert json.loads(said.stdout)["pairs"][0]["EC"] == pytest.approx(EC)
