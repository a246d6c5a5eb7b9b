"""The build, as a list of tasks: every chapter is executed, then the site is rendered.

doit compares contents, not times: what has not changed is not done again. A chapter depends on its text, on all code
of both packages, on the data that its cells may read and, if it runs networks, on whether torch is there;
`make book PAGE=name` executes just one.
"""

import os
import platform
import re
from importlib.metadata import version
from pathlib import Path

from doit.reporter import ExecutedOnlyReporter
from doit.tools import config_changed

import erralign
import erralign_book
from erralign.datasets import archives
from erralign.plot import html
from erralign_book import published
from erralign_book.building import assignments, chapters, course, dependencies, homework, own_data, pages, slides, term
from erralign_book.building.site import LIBRARIES, commit
from erralign_book.course import checking
from erralign_book.files import data_folder

os.environ["ERRALIGN_OFFLINE"] = "1"  # the book is made of what is here
MEMORY = Path("_build/doit.json")
MEMORY.parent.mkdir(exist_ok=True)
dependencies.forget_if_torn(MEMORY)


class OneLine(ExecutedOnlyReporter):
    """A reporter that counts chapters, and says of a failure what broke, without the traceback."""

    def initialize(self, tasks, selected_tasks):
        """Count the chapters that are asked for: with a page its own, else all."""
        chosen = [name for name in selected_tasks if name.startswith("chapter:")]
        self.n_chapters = len(chosen) or sum(name.startswith("chapter:") for name in tasks)
        self.seen = 0

    def get_status(self, task):
        """Count a chapter, whether or not it has to be executed again."""
        self.seen += task.name.startswith("chapter:")

    def execute_task(self, task):
        """Write one line, with the place of a chapter among all."""
        if task.name.startswith("chapter:"):
            self.write(f".  {task.name} ({self.seen} of {self.n_chapters})\n")
        else:
            super().execute_task(task)

    def add_failure(self, task, fail):
        """Write one line."""
        last = " ".join((fail.traceback[-1] if fail.traceback else fail.message).split())
        self.write(f"failed: {task.name}: {last}\n")


DOIT_CONFIG = {
    "dep_file": str(MEMORY),
    "backend": "json",
    "default_tasks": ["site"],
    "reporter": OneLine,
    "num_process": 2,
    "par_type": "thread",
    "continue": True,  # all broken chapters are reported, not only the first
}

# The page of functions shows docstrings of all modules.
CODE = sorted(
    path
    for package in (erralign, erralign_book)
    for path in Path(package.__file__).parent.rglob("*.py*")
    if path.suffix in (".py", ".pyi")
)
DATA = sorted(path for path in Path("data").rglob("*") if path.is_file())
WORDS = [checking.WORDS, checking.HOMEWORK]  # of the checks of exercises
PLAN = [term.TERM, term.TEMPLATE]  # of the page about teaching


def versions():
    """Return the versions that a page names."""
    return {"python": platform.python_version(), **{library: version(library) for library in LIBRARIES}}


def road():
    """Say which archives are here: a chapter is executed again when raw data come or go."""
    return {key: archives.is_there(key) for key in archives.manifest()}


def notebook(name):
    """Return where a chapter's executed notebook lies."""
    return Path("book", f"{name}.ipynb")


def record(name):
    """Return where a chapter's comparisons with printed numbers are kept."""
    return Path("_build", "reproduced", f"{name}.csv")


def comparing():
    """List the chapters that set our numbers beside printed ones."""
    imported = re.compile(r"^from erralign_book import \(?[\w\s,]*\bbeside\b", re.M)
    return [name for name in chapters.names() if imported.search(dependencies.cells(name))]


def task_chapter():
    """Execute a chapter into a notebook."""
    same_for_all, compares = versions() | road(), comparing()
    for name in chapters.names():
        kept = [record(name)] if name in compares else []
        cells = dependencies.cells(name)
        tables = [*(WORDS if "check(" in cells else []), *(PLAN if "plan(" in cells else [])]
        yield {
            "name": name,
            "actions": [(chapters.execute, [chapters.source(name), notebook(name), None, *kept])],
            "file_dep": [chapters.source(name), *dependencies.data(cells, DATA), *tables],
            "uptodate": [config_changed(same_for_all | dependencies.networks(cells) | {"code": dependencies.code()})],
            "targets": [notebook(name), *kept],
            "io": {"capture": False},
        }


def task_reproduced():
    """Write data/reproduced.csv: what became of every printed number."""
    records = [record(name) for name in comparing()]
    if not records:  # another book has no printed numbers
        return {"actions": []}
    return {"actions": [(published.collect, [records])], "file_dep": records, "targets": [Path("data/reproduced.csv")]}


def task_course():
    """Make the notebooks of a chapter that are handed out."""
    how = [*WORDS, Path(course.__file__), Path(assignments.__file__)]
    for name in course.with_code():
        yield {
            "name": name,
            "actions": [(course.hand_out, [name])],
            "file_dep": [notebook(name), *how],
            "targets": [course.NOTEBOOKS / f"{name}.ipynb"],
            "io": {"capture": False},
        }


def task_homework():
    """Make the course for nbgrader, and the teacher's handbook."""
    code = [Path(module.__file__) for module in (assignments, course, homework, term)]
    return {
        "actions": [homework.write],
        "file_dep": [term.TERM, term.TEMPLATE, term.EXAM, homework.RUBRICS, homework.SOLUTIONS, *WORDS, *code],
        "uptodate": [config_changed({"commit": commit(Path()), "seed": os.environ.get(homework.SEED, "")})],
        "targets": [course.TEACHERS / "handbook.html"],
        "io": {"capture": False},
    }


def task_slides():
    """Make the slides of a lesson, and lay out what all of them load."""
    yield {
        "name": "assets",
        "actions": [slides.lay_out],
        "file_dep": [slides.BOOK / "assets" / asset for asset in slides.ASSETS],
        "targets": [slides.SLIDES / "_static" / "slides.css"],
        "io": {"capture": False},
    }
    how = [slides.TEMPLATE, slides.VOTES, html.TEMPLATE, *(Path(module.__file__) for module in (course, slides, html))]
    for name in slides.names():
        yield {
            "name": name,
            "actions": [(slides.write, [name])],
            "file_dep": [notebook(name), slides.SOURCES / f"{name}.md", *how],
            "targets": [slides.SLIDES / f"{name}.html"],
            "io": {"capture": False},
        }


def task_site():
    """Render all notebooks into _build/html."""
    tables = [data_folder() / "frozen" / f"{name}.csv" for name in own_data.TABLES]
    site_files = [
        path for path in Path("book").rglob("*") if path.is_file() and path.suffix not in (".ipynb", ".py", ".pyc")
    ]
    return {
        "actions": [pages.render, course.offer, slides.offer],
        "file_dep": [*map(notebook, chapters.names()), *site_files, "_config.yml", "_toc.yml", *CODE, *tables],
        "task_dep": ["course", "homework", "slides", "reproduced"],
        "uptodate": [config_changed({"commit": commit(Path()), **versions()})],
        "targets": [pages.SITE / f"{name}.html" for name in chapters.names()],
        "io": {"capture": False},
    }
