"""The board takes a stranger's answers, and refuses, by name, what cannot be right or cannot be honest."""

import re
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from browsing import shown
from builders import typed
from conftest import ROOT
from playwright.sync_api import expect

from erralign_book import table
from erralign_book.papers.board import refusals, stored

SET = "geirhos2020/cue-conflict"
GOOD = ROOT / "board" / SET / "tf_efficientnet_lite1.csv"
ABOUT = yaml.safe_load(GOOD.with_suffix(".yml").read_text())
REASON = "trained from the other one for an epoch more, to see what changes"


def nearly_true(table, rng):
    """Four answers of five are right."""
    right = rng.random(len(table)) < 0.8
    return table.assign(answer=table["truth"].where(right, rng.permutation(table["truth"])))


def copy(table, _):
    others = stored(SET)
    answers = others.answers["subject-04"].map(dict(enumerate(others.classes)))
    return table.assign(answer=answers.loc[table["image"]].to_numpy())


def unchanged(table, _):
    return table


# File, what is wrong with its table, what with its YAML file, and a word of the refusal.
# Of what any file of answers may have wrong, one: the others are in own_files.txt and malformed.txt.
BAD = {
    "dropped": (lambda t, _: t.iloc[1:], {}, "no row for trial"),
    "copy": (copy, {}, "of subject-04 to 100.0 %"),
    "the-truth": (lambda t, _: t.assign(answer=t["truth"]), {}, "its answers are the true classes"),
    "too-good": (nearly_true, {}, "no stored one is on more than 65 %"),
    "shuffled": (lambda t, rng: t.assign(answer=rng.permutation(t["answer"])), {}, "as if its answers were shuffled"),
    "alexnet": (unchanged, {}, "the name of a system that is on the board already"),
    "of another name": (unchanged, {}, "is no name"),
    "two-lines": (unchanged, {"by": "me\n<b>you</b>"}, r"by is 'me\n<b>you</b>'; expected who ran"),
}
FINE = {"tf_efficientnet_lite1": (unchanged, {}), "copy-with-reason": (unchanged, {"reason": REASON})}


@pytest.fixture
def board(requires_data, here):
    folder = here / "board" / SET
    folder.mkdir(parents=True)
    rng = np.random.default_rng(0)
    for name, (change, said, *_) in (BAD | FINE).items():
        table = change(pd.read_csv(GOOD).set_axis(["image", "truth", "answer"], axis=1), rng)
        table.rename(columns={"answer": name}).to_csv(folder / f"{name}.csv", index=False)
        (folder / f"{name}.yml").write_text(yaml.safe_dump(ABOUT | said))
    return folder


def test_bad_files_are_refused_by_name_and_good_ones_accepted(board):
    checked = typed("board", "check")
    assert checked.exit_code
    said = dict(line.split(".csv: ", 1) for line in checked.stdout.splitlines())
    answers = {Path(file).name: answer for file, answer in said.items()}
    assert {name: answers[name] for name in FINE} == dict.fromkeys(FINE, "accepted")
    assert {name: answers[name] for name, (*_, why) in BAD.items() if why not in answers[name]} == {}
    assert len(answers) == len(BAD) + len(FINE)


def test_what_is_said_about_a_system_has_a_form(board):
    file = board / f"{GOOD.stem}.csv"
    # What takes longer than it looks: nested, repeating itself, or long.
    doubled = "".join(f"k{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 30))
    for text, why in [
        (yaml.safe_dump(ABOUT | {"weights": "javascript:alert(1)"}), "expected https://"),
        (yaml.safe_dump(ABOUT | {"date": "yesterday"}), "the day of the run"),
        (yaml.safe_dump(ABOUT | {"family": ["CLIP"]}), "one of classifier, CLIP"),
        (yaml.safe_dump(ABOUT | {"preprocessing": None}), "preprocessing is None"),
        ("by: " + "[" * 9_000, "is nested too deeply"),
        (f"k0: &a0 [1]\n{doubled}by: *a29\n", "'k0' is no field"),
        ("by: " + "x" * 10_000, "expected a few lines, 10,000 bytes at most"),
    ]:
        file.with_suffix(".yml").write_text(text)
        assert why in refusals([file], Path("board"))[file]


def test_no_path_leaves_the_folder(board):
    outside = board.parents[2] / "mine.csv"
    shutil.copy(GOOD, outside)
    (board / "link.csv").symlink_to(outside)
    (board / "link.yml").write_text(yaml.safe_dump(ABOUT))
    shutil.copy(GOOD, board / "said.csv")
    (board / "said.yml").symlink_to(board / f"{GOOD.stem}.yml")
    asked = [Path("board", SET, "../../../mine.csv"), board / "link.csv", board / "said.csv"]
    assert all("leads out of board" in why for why in refusals(asked, Path("board")).values())
    assert all("the folder is" in why for why in refusals([Path("board/README.txt")], Path("board")).values())


def test_a_reader_sorts_the_table_and_keeps_some_rows(browser, site):
    with shown(browser, (site / "the-board.html").as_uri()) as view:
        shown_table = view.locator(".tag_sortable table").first
        first = shown_table.locator("tbody tr:visible th").first
        ma = table("board/systems").query("family != 'people'").set_index("system")["MA"]
        for expected in (ma.idxmax(), ma.idxmin()):
            view.get_by_role("button", name="MA", exact=True).click()
            expect(first).to_have_text(re.compile(f"^(people|{re.escape(expected)})$"))
        view.locator(".filter input").first.fill("LITE2")
        expect(first).to_have_text("tf_efficientnet_lite2")
