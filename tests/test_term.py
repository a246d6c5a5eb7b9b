"""The term: one table, of which each part exists, and homework that runs unsolved."""

import re
import tomllib

import nbformat
from conftest import ROOT
from test_chapters import prose

from erralign._validation import REPOSITORY
from erralign_book.building import course, homework, slides
from erralign_book.building.chapters import names, road
from erralign_book.building.term import handbook, plan, setup, term, weeks
from erralign_book.course.checking import at_home
from erralign_book.course.grading import IN_WORDS

WEEKS = weeks(ROOT)
TERM = term(ROOT)


def test_twelve_weeks_follow_the_road_and_all_that_they_name_exists():
    pages = [week.page for week in WEEKS]
    assert len(pages) == 12
    assert [page for page in pages if page in road(ROOT)] == road(ROOT)
    assert {*pages, *(lab for week in WEEKS for lab in week.lab)} - set(names(ROOT)) == set()
    assert {week.page for week in WEEKS if week.homework} <= set(slides.names(ROOT))
    assert sorted(name for week in WEEKS for name in week.homework) == sorted(at_home())


def test_a_week_has_nine_hours_and_the_weights_are_a_whole():
    assert (sum(TERM["hours"].values()), sum(TERM["weights"].values())) == (9, 100)
    afternoon = TERM["cuts"]["afternoon"]
    assert len(afternoon["minutes"]) == len(afternoon["weeks"])
    assert sum(afternoon["minutes"]) == 195
    assert all(set(cut["weeks"]) <= set(range(1, 13)) for cut in TERM["cuts"].values())
    assert (len(TERM["exam"]), len(TERM["projects"]), len(TERM["audit"]["answers"])) == (8, 2, 8)


def test_every_question_in_words_has_a_rubric_and_two_samples_that_differ():
    rubrics = tomllib.loads((ROOT / homework.RUBRICS).read_text(encoding="utf-8"))
    assert set(rubrics) == {name for name, known in at_home().items() if known.get("open")}
    for name, rubric in rubrics.items():
        assert sum(float(point.partition(":")[0]) for point in rubric["points"]) == IN_WORDS, name
        good, weak = (sample["points"] for sample in rubric["samples"])
        assert 0 <= weak < good <= IN_WORDS, name


def test_the_handbook_and_the_plan_have_all_weeks():
    page = handbook(ROOT)
    assert all(f"Week {week.number}. " in page for week in WEEKS)
    assert (page.count(" marks.</b>"), plan(root=ROOT).html.count("<tr>")) == (8, 13)
    for cut, known in TERM["cuts"].items():
        assert plan(cut, ROOT).html.count("<tr>") == len(known["weeks"]) + 1


def test_setup_and_a_notebooks_first_cell_have_the_line_that_installs_all():
    line = f"pip install jupyterlab pillow {course.PACKAGES.format(repository=REPOSITORY, at='')}"
    assert f"<code>{line}</code>" in setup(ROOT)
    first, at = course.first_cell(ROOT), r"@[\w.-]+"
    packages = re.escape(REPOSITORY) + at
    assert re.search(rf"pip install jupyterlab pillow git\+{packages} git\+{packages}#subdirectory=book\n", first)


# --- the page *Teach with this book* ----------------------------------------------------------------------------------


def test_the_page_about_teaching_links_every_deck_of_slides():
    """That no link of the site is dead, tests/test_markup.py sees to."""
    linked = re.findall(r'href="slides-([\w-]+)\.html"', prose("teach") + plan(root=ROOT).html)
    assert {*linked, "class-level-error-similarity"} == set(slides.names(ROOT))  # read in the lab of week 7


# --- homework ---------------------------------------------------------------------------------------------------------


def test_a_students_homework_runs_before_a_word_is_answered(tmp_path, capsys):
    for part in ("_toc.yml", "_config.yml", "notebooks", "book"):
        (tmp_path / part).symlink_to(ROOT / part)
    homework.write(tmp_path)
    for file in sorted((tmp_path / course.STUDENTS).glob("homework-*.ipynb")):
        cells = [cell.source for cell in nbformat.read(file, 4).cells if cell.cell_type == "code"]
        code = "\n".join(cells[1:]).replace('student = "..."', 'student = "ann"')
        exec(compile(code, file.name, "exec"), {})
    said = capsys.readouterr().out
    assert said.count("There is no answer") == len(at_home())
    assert "noted" not in said
