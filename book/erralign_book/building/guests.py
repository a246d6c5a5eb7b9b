"""The book about a guest: what chapters show of it, put into copies of the executed notebooks.

Only the cells tagged ``guest`` run, and the imports that they need; all else of a page is what the plain book has.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import nbformat
import pandas as pd
import yaml
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from erralign.files import write_whole
from erralign_book.building import chapters, pages
from erralign_book.building.course import texts
from erralign_book.charts.guests.part import PAGE

FOLDER, TEMPLATE = Path("_build/with"), Path("book/templates/guests.md")
# Whose first sentence is a finding of the first page.
FINDINGS = (
    "what-they-saw",
    "error-consistency",
    "misclassification-agreement",
    "class-level-error-similarity",
    "what-newer-models-see",
    "your-model-beside-people",
    "reproducing-klein-2025",
    "the-board",
)


def guested(root: Path = Path()) -> list[str]:
    """List the pages that show guests, in the reader's order."""
    return [name for name, text in texts(root).items() if "guest]" in text]


def store(answers: Path, folder: Path, data: str | None, *, subset: bool, person: bool) -> dict[Path, Path]:
    """Put files of answers where the build reads them, with what is said about them; return where each is from."""
    from erralign.datasets.guests import CONFIDENCES, FACTS, files_in
    from erralign_book.papers.guests.reading import data_set_of

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    origin: dict[Path, Path] = {}
    for file in files_in(answers):
        data_set = data or data_set_of(file, alone=answers.is_file())
        target = folder / f"answers-{data_set.replace('/', '-')}.csv"
        shutil.copy(file, target)
        origin[target.resolve()] = file
        for ending in (CONFIDENCES, FACTS):
            if file.with_suffix(ending).is_file():
                shutil.copy(file.with_suffix(ending), target.with_suffix(ending))
        said = {"note": "fewer pictures, as asked"} if subset else {}
        said |= {"kind": "human"} if person else {}
        if said and not target.with_suffix(FACTS).is_file():
            write_whole(target.with_suffix(FACTS), pd.DataFrame([{"model": "all", **said}]).to_csv(index=False))
    return origin


def prepare(answers: Path, data: str | None, *, subset: bool, person: bool) -> Path:
    """Read guests, or say what is wrong with them, and make a folder for the book about them."""
    from erralign_book.papers.guests.reading import guests

    waiting = FOLDER / "answers"
    origin = store(answers, waiting, data, subset=subset, person=person)
    try:
        names = "-".join(guest.name for guest in guests(str(waiting.resolve())))
    except (ValueError, TypeError) as error:  # of the file as the reader called it
        said = str(error)
        for target, file in origin.items():
            said = said.replace(str(target), str(file)).replace(target.name, file.name)
        raise type(error)(said) from error
    place = FOLDER / re.sub(r"[^\w.-]+", "-", names)[:60].strip("-")
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    waiting.rename(place / "answers")
    return place


def render(place: Path) -> Path:
    """Build the book about the guests of a folder, of the executed plain book; return its first page."""
    book, answers = place / "book", place / "answers"
    shutil.copytree(pages.BOOK, book)
    write_whole(book / f"{PAGE}.md", first_page(answers, fill(guested(Path()), answers, book)))
    toc = yaml.safe_load(Path("_toc.yml").read_text(encoding="utf-8"))
    toc["parts"].insert(1, {"caption": "Your model", "chapters": [{"file": PAGE}]})  # the first part is the road
    shutil.copy("CITATION.cff", place)  # how a page is cited
    write_whole(place / "_toc.yml", yaml.safe_dump(toc, sort_keys=False))
    pages.render(Path(), book, place / "html", place / "_toc.yml")
    return place / "html" / f"{PAGE}.html"


def fill(names: Sequence[str], answers: Path, book: Path) -> dict[str, list[str]]:
    """Run the guests' cells of executed notebooks, and return what each says; progress is by page."""
    from tqdm import tqdm

    tasks = [(name, str(answers.resolve()), str((book / f"{name}.ipynb").resolve())) for name in names]
    with ProcessPoolExecutor(2, chapters.forks()) as pool:
        done = pool.map(_fill, tasks, [dict(os.environ)] * len(tasks))
        return dict(tqdm(zip(names, done, strict=True), "pages with guests", len(names), disable=None))


def _fill(task: tuple[str, str, str], environment: dict[str, str]) -> list[str]:
    name, answers, path = task
    notebook = nbformat.read(path, 4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    about_guests = "\n".join(cell.source for cell in cells if "guest" in _tags(cell))
    alone = new_notebook(cells=[new_code_cell(_part_of(cell, about_guests, answers)) for cell in cells])
    chapters.run_here(alone, name, environment)
    said: list[str] = []
    for cell, run in zip(cells, alone.cells, strict=True):
        if "guest" in _tags(cell):
            cell.outputs = run.outputs
            said += [line for output in run.outputs[-1:] for line in output["data"]["text/plain"].splitlines()]
    write_whole(Path(path), chapters.finished(notebook))
    return said


def _tags(cell: NotebookNode) -> list[str]:
    return list(cell.metadata.get("tags", []))


def _part_of(cell: NotebookNode, about_guests: str, answers: str) -> str:
    """Return what runs of a page's cell: of one about guests all of it, of another the imports that those need.

    A page's imports may be in any cell. A cell of which nothing runs stays, empty: a message counts cells as the page.
    """
    if "guest" in _tags(cell):
        return str(cell.source)
    if "parameters" in _tags(cell):
        return f"guest = {answers!r}"
    needed = {node.id for node in ast.walk(ast.parse(about_guests)) if isinstance(node, ast.Name)}
    kept = []
    for statement in ast.parse(cell.source).body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            bound = {(alias.asname or alias.name).partition(".")[0] for alias in statement.names}
            if bound & needed:
                kept.append(ast.unparse(statement))
    return "\n".join(kept)


def first_page(answers: Path, said: dict[str, list[str]], root: Path = Path()) -> str:
    """Write the page about guests: findings with links, which page shows what, and what is known of their run."""
    from jinja2 import Environment

    from erralign_book.charts.guests import PARTS
    from erralign_book.charts.guests.part import answered, notes_on, short
    from erralign_book.papers.guests.reading import guests

    everybody = guests(str(answers.resolve()))
    environment = Environment(keep_trailing_newline=True)
    environment.filters["short"] = short
    return environment.from_string((root / TEMPLATE).read_text(encoding="utf-8")).render(
        guests=everybody,
        sets=list(dict.fromkeys(name for guest in everybody for name in guest.sets)),
        shown={page: {name for guest in everybody for name in answered(page, guest)} for page in PARTS},
        said=said,
        findings=FINDINGS,
        notes=notes_on([(guest, name) for guest in everybody for name in guest.sets]),
    )
