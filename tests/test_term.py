"""The term: one table, of which each part exists, and homework that runs unsolved."""

import tomllib

import nbformat
from conftest import ROOT

from erralign_book.building import assignments, homework, slides
from erralign_book.building.chapters import names, road
from erralign_book.building.term import term, weeks
from erralign_book.course.checking import at_home


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
