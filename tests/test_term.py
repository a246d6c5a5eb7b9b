"""The term: one table, of which each part exists, and homework that runs unsolved."""

import re
import runpy
import tomllib

import nbformat
import numpy as np
import pytest
from conftest import ROOT
from scipy.spatial.distance import pdist
from scipy.stats import spearmanr
from textbook import textbook_ec

from erralign_book.building import assignments, homework, slides
from erralign_book.building.chapters import lessons, names
from erralign_book.building.course import TEACHERS
from erralign_book.building.term import EXAM, exam, term, weeks
from erralign_book.course.checking import at_home

WEEKS = weeks(ROOT)


def test_all_that_the_plan_names_exists_and_every_question_of_the_homework_is_asked_once():
    pages = [page for week in WEEKS for page in [*week.pages, *week.lab]]
    assert set(pages) - set(names(ROOT)) == set()
    assert {page for week in WEEKS for page in week.pages} <= set(slides.names(ROOT))
    asked = [name for week in WEEKS for name in week.homework]
    assert set(at_home()) - set(asked) == set()
    assert set(asked) - set(at_home()) == set()
    assert len(asked) == len(set(asked))
    of_weeks = {week.page for week in WEEKS}
    for cut in term(ROOT)["cuts"].values():
        assert set(cut["pages"]) <= of_weeks
        assert len(cut["pages"]) == len(cut["minutes"])
    assert sum(term(ROOT)["cuts"]["afternoon"]["minutes"]) == 3.25 * 60  # as its words say


def test_a_colon_in_a_sentence_of_the_plan_is_part_of_it():
    """YAML makes a table of a sentence with a colon that has no quotation marks."""
    for week in WEEKS:
        sentences = [week.goal, week.in_class, week.notes, week.also, *week.papers]
        sentences += [sentence for pair in week.questions for sentence in pair]
        assert {type(sentence) for sentence in sentences} == {str}, week.page


def test_eight_weeks_are_half_alignment_and_the_longer_form_has_all_lessons_but_what_one_looks_up():
    eight = [week for week in WEEKS if not week.longer]
    assert [week.of_eight for week in eight] == [*range(1, 9)]
    assert [week.half for week in eight] == 4 * ["behaviour"] + 4 * ["alignment"]
    labs = [lab for week in eight for lab in week.lab if lab.startswith("lab-")]
    assert sorted(labs) == sorted(name for name in names(ROOT) if name.startswith("lab-"))
    assert [week.number for week in WEEKS] == [*range(1, 12)]
    read = {page for week in WEEKS for page in week.pages}
    assert set(lessons(ROOT)) - read <= {"which-interval", "how-to-choose"}


def numbers_in(text):
    return [float(number.rstrip(".")) for number in re.findall(r"\d[\d.]*", text)]


@pytest.mark.parametrize("seed", range(30))
def test_the_exams_answers_are_right_for_whatever_numbers_are_drawn(seed):
    """By another road than the templates': pictures one by one, and a search."""
    templates = runpy.run_path(str(ROOT / EXAM))
    asked = {name: templates[name](np.random.default_rng(seed)) for name in ("counts", "dark_pictures", "joint_errors")}
    n, right_a, right_b, wrong = map(int, numbers_in(asked["counts"][0]))
    a, b = np.arange(n) < right_a, np.zeros(n, dtype=bool)
    b[right_a:] = np.arange(n - right_a) >= wrong
    b[:right_a] = np.arange(right_a) < right_b - (n - right_a - wrong)
    assert (a.sum(), b.sum(), np.sum(~a & ~b)) == (right_a, right_b, wrong)
    assert f"EC {textbook_ec(True, a, b):.2f} (1)" in asked["counts"][1]
    dark = 10_000 * numbers_in(asked["dark_pictures"][0])[1] / 100
    right = [np.arange(10_000) >= dark / 2, (np.arange(10_000) < dark / 4) | (np.arange(10_000) >= 3 * dark / 4)]
    assert f"EC {textbook_ec(True, *right):.2f} (2)" in asked["dark_pictures"][1]
    percent, ec = numbers_in(asked["joint_errors"][0])
    p, joint = percent / 100, np.linspace(0, 1 - percent / 100, 100_001)
    chance = p * p + (1 - p) * (1 - p)
    found = joint[np.argmin(np.abs((2 * p - 1 + 2 * joint - chance) / (1 - chance) - ec))]
    assert abs(numbers_in(asked["joint_errors"][1])[-4] - found) < 0.0006


def test_a_secret_draws_one_exam_and_without_it_there_is_none(tmp_path, monkeypatch):
    for part in ("_toc.yml", "_config.yml", "notebooks", "book"):
        (tmp_path / part).symlink_to(ROOT / part)
    exams = [exam(secret, ROOT) for secret in ("one", "one", "another")]
    assert exams[0] == exams[1] != exams[2]
    assert exams[0].count("6 marks") == 7
    monkeypatch.setenv(homework.SEED, "one")
    homework.write(tmp_path)
    assert (tmp_path / TEACHERS / "exam.html").read_text() == exams[0]
    monkeypatch.delenv(homework.SEED)
    homework.write(tmp_path)
    assert not (tmp_path / TEACHERS / "exam.html").exists()


def test_hours_and_marks_add_up():
    assert {half: sum(hours.values()) for half, hours in term(ROOT)["hours"].items()} == {
        "behaviour": 9,
        "alignment": 9,
    }
    assert sum(term(ROOT)["weights"].values()) == 100


def test_four_pictures_on_a_line_have_the_rsa_that_the_plan_says():
    (text,) = (week.in_class for week in WEEKS if week.page == "representations-and-confidences")
    places = [[int(place) for place in four.split(", ")] for four in re.findall(r"\d(?:, \d){3}", text)]
    distances = [pdist(np.array(four)[:, np.newaxis]) for four in places]
    said = [float(number.rstrip(".")) for number in re.findall(r"RSA is (\S+) for A and B, and (\S+) for", text)[0]]
    assert [round(spearmanr(distances[0], other).statistic, 2) for other in distances[1:]] == said


def test_a_plan_that_was_changed_leaves_no_homework_of_the_one_before(tmp_path):
    for part in ("_toc.yml", "_config.yml", "notebooks", "book"):
        (tmp_path / part).symlink_to(ROOT / part)
    old = tmp_path / assignments.SOURCE / "homework-what-was-taken-out"
    old.mkdir(parents=True)
    homework.write(tmp_path)
    assert not old.exists()
    asked = {week.name for week in WEEKS if week.homework}
    assert {folder.name for folder in (tmp_path / assignments.SOURCE).iterdir()} == asked


def test_every_question_in_words_has_a_rubric_and_two_samples_that_differ():
    rubrics = tomllib.loads((ROOT / homework.RUBRICS).read_text(encoding="utf-8"))
    assert set(rubrics) == {name for name, known in at_home().items() if known.get("open")}
    for name, rubric in rubrics.items():
        assert sum(float(point.partition(":")[0]) for point in rubric["points"]) == assignments.IN_WORDS, name
        good, weak = (sample["points"] for sample in rubric["samples"])
        assert 0 <= weak < good <= assignments.IN_WORDS, name


def test_every_solution_of_the_homework_passes_its_hidden_tests(tmp_path, capsys):
    for part in ("_toc.yml", "_config.yml", "notebooks", "book"):
        (tmp_path / part).symlink_to(ROOT / part)
    homework.write(tmp_path)
    for file in (tmp_path / assignments.SOURCE).glob("*/*.ipynb"):
        cells = [cell.source for cell in nbformat.read(file, 4).cells if cell.cell_type == "code"]
        code = "\n".join(cells[1:]).replace(homework.WORD, 'student = "ann"')
        exec(compile(code, file.name, "exec"), {})
    judged = [line for line in capsys.readouterr().out.splitlines() if line.endswith(": right.")]
    asked = [name for name, known in at_home().items() if not known.get("open")]
    assert len(judged) == 4 * len(asked)  # three hidden tests, and one in sight
