"""The term: one table, of which each part exists, and homework that runs unsolved."""

import tomllib

import nbformat
from conftest import ROOT

from erralign_book.building import course, homework, slides
from erralign_book.building.chapters import names, road
from erralign_book.building.term import term, weeks
from erralign_book.course.checking import at_home
from erralign_book.course.grading import IN_WORDS


def test_twelve_weeks_follow_the_road_and_all_that_they_name_exists():
    every = weeks(ROOT)
    pages = [week.page for week in every]
    assert len(pages) == 12
    assert [page for page in pages if page in road(ROOT)] == road(ROOT)
    assert {*pages, *(lab for week in every for lab in week.lab)} - set(names(ROOT)) == set()
    assert {week.page for week in every if week.homework} <= set(slides.names(ROOT))
    assert sorted(name for week in every for name in week.homework) == sorted(at_home())
    assert sum(term(ROOT)["weights"].values()) == 100


def test_every_question_in_words_has_a_rubric_and_two_samples_that_differ():
    rubrics = tomllib.loads((ROOT / homework.RUBRICS).read_text(encoding="utf-8"))
    assert set(rubrics) == {name for name, known in at_home().items() if known.get("open")}
    for name, rubric in rubrics.items():
        assert sum(float(point.partition(":")[0]) for point in rubric["points"]) == IN_WORDS, name
        good, weak = (sample["points"] for sample in rubric["samples"])
        assert 0 <= weak < good <= IN_WORDS, name


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
