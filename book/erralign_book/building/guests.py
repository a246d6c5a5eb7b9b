"""The book about a reader's own systems: the pages that their answers touch, executed with them, and a first page."""

from __future__ import annotations

import ast
import os
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from html import escape
from pathlib import Path
from typing import Any
from unittest.mock import patch

import nbformat
import pandas as pd
import yaml
from nbformat.v4 import new_output

from erralign._validation import ChapterError
from erralign.datasets import load
from erralign.datasets.data_sets import records
from erralign.datasets.guests import CONFIDENCES, EXAMPLE, FACTS, data_set_of, files_in
from erralign.files import write_whole
from erralign.plot.html import Table
from erralign_book.building import chapters, pages
from erralign_book.cells import COPIES
from erralign_book.guests import PICTURES, answered, yours

FOLDER, FIRST = Path("_build/with"), "your-model-through-the-book"
CALL = re.compile(r"^yours\(guest.*?\)$", re.MULTILINE | re.DOTALL)
# What a page shows of files that are not answers, and how these end.
INSIDE, ENDINGS = (
    re.compile(r'(\w+)_of_guests\(\s*guest\w*,\s*"(.+?)"'),
    {"features": ".npz", "confidences": CONFIDENCES},
)
LOADED = re.compile(r'load\(f?"([\w-]+)[/"].*guest=guest')  # the paper of data sets that a page loads with guests


def asked(text: str) -> tuple[list[str], list[str]]:
    """Return the measures that a page shows of guests, and the data sets; none where it shows no guests."""
    call = CALL.search(text)
    if not call:
        return [], []
    node: Any = ast.parse(call[0], mode="eval").body
    measures = [argument.value for argument in node.args[1:]]
    sets = [ast.literal_eval(keyword.value) for keyword in node.keywords]
    return measures, list(sets[0] if sets else PICTURES)


def touched(answers: str, root: Path = Path()) -> list[str]:
    """List the pages that show answers of these files, in the reader's order."""
    texts = {name: chapters.source(name, root).read_text(encoding="utf-8") for name in chapters.names(root)}
    return [name for name, text in texts.items() if answered(answers, asked(text)[1]) or looks_inside(text, answers)]


def looks_inside(text: str, answers: str) -> bool:
    """Say whether a page shows features or confidences that are among these files."""
    endings = [name.replace("/", "-") + ENDINGS[what] for what, name in INSIDE.findall(text)]
    return any(file.name.endswith(ending) for file in Path(answers).glob("*") for ending in endings)


def links(answers: str) -> Table:
    """List the pages that show answers of these files, with links."""
    pairs = [(f"{name}.html", chapters.source(name).read_text(encoding="utf-8")) for name in touched(answers)]
    titles = [(place, text.partition("\n# ")[2].partition("\n")[0]) for place, text in pairs]
    items = "".join(f'<li><a href="{place}">{escape(title)}</a></li>' for place, title in titles)
    return Table(f"<ul>{items}</ul>", "\n".join(title for _, title in titles))


def prepare(answers: Path, data: str | None, *, subset: bool, person: bool) -> Path:
    """Put a reader's files into a folder under the data sets' names, and read them, or say what is wrong with them."""
    place = FOLDER / answers.resolve().stem
    shutil.rmtree(place, ignore_errors=True)
    (place / "answers").mkdir(parents=True)
    if answers.is_dir():
        for file in answers.glob("*.npz"):  # features, of which a page takes those of its pictures
            shutil.copy(file, place / "answers")
    for file in files_in(answers):
        name = data or data_set_of(file, alone=answers.is_file())
        if not name:
            raise ValueError(
                f"{file.name} does not say which data set it answers; say it, as with  --data geirhos2020/edges  "
                f"(erralign catalog lists the names), or call the file such as {EXAMPLE}"
            )
        target = place / "answers" / f"answers-{name.replace('/', '-')}.csv"
        for ending in (".csv", CONFIDENCES, FACTS):
            if file.with_suffix(ending).is_file():
                shutil.copy(file.with_suffix(ending), target.with_suffix(ending))
        facts = {"note": "fewer pictures, as asked"} if subset else {}
        facts |= {"kind": "human"} if person else {}
        if facts and not target.with_suffix(FACTS).is_file():
            write_whole(target.with_suffix(FACTS), pd.DataFrame([{"model": "all", **facts}]).to_csv(index=False))
        try:
            load(name, guest=target)
        except (ValueError, TypeError) as error:  # of the file as the reader called it
            raise type(error)(str(error).replace(target.name, file.name)) from error
    return place


def fill(path: Path, answers: str) -> None:
    """Put what a page says of a reader's systems into its executed notebook, all else of which stays as it is."""
    notebook = nbformat.read(path, 4)
    for cell in notebook.cells:
        measures, sets = asked(cell.source)
        if measures:
            shown: Any = yours(answers, *measures, sets=sets)
            cell.outputs = [new_output("display_data", {"text/html": shown.html, "text/plain": shown.text})]
    write_whole(path, chapters.finished(notebook))


def _values(text: Path, answers: str, model: str = "") -> dict[str, str]:
    said = text.read_text(encoding="utf-8")
    values = {name: answers for name in ("guest", "guest_features") if f"\n{name} = " in said}
    if model and "\nmodel = " in said:
        values["model"] = model
    return values


def _hide_paths(path: Path) -> None:
    """Take the cell off a page that says where the answers lie on this machine."""
    notebook = nbformat.read(path, 4)
    for cell in notebook.cells:
        if "injected-parameters" in cell.metadata.get("tags", []):
            cell.metadata["tags"] = [*cell.metadata["tags"], "remove-cell"]
    write_whole(path, nbformat.writes(notebook))


def _why_not_whole(text: Path, answers: str, error: ChapterError) -> str:
    """Say of which data sets a page shows answers in its table only, and why, in words."""
    title = text.read_text(encoding="utf-8").partition("\n# ")[2].partition("\n")[0]
    names = answered(answers, asked(text.read_text(encoding="utf-8"))[1])
    lacking = []
    for name in names:
        n, every = len(load(name, guest=answers).truth), records()[name].trials
        if n < every:
            lacking.append(f"{n:,} of {every:,} of {name}")
    why = f"they are about {', '.join(lacking)}, and it needs all" if lacking else str(error).partition(": ")[2]
    return f"the page {title!r} shows your answers to {', '.join(names)} in its table only: {why}"


def render_page(place: Path, page: str, model: str = "") -> Path:
    """Execute one page with the answers in a folder, and render it alone."""
    book, answers = place / "book", str((place / "answers").resolve())
    shutil.copytree(pages.BOOK, book)
    text = chapters.source(page)
    with patch.dict(os.environ, {COPIES: "1"}):
        for other in pages.beside(page)[1:]:
            chapters.execute(chapters.source(other), book / f"{other}.ipynb")
        chapters.execute(text, book / f"{page}.ipynb", _values(text, answers, model))
    return pages.render_page(page, book)


def render(place: Path, model: str = "") -> Path:
    """Execute the pages that the answers in a folder touch, lay all pages out, and return the first one."""
    from tqdm import tqdm

    book, answers = place / "book", str((place / "answers").resolve())
    shutil.copytree(pages.BOOK, book)
    whole, texts = [Path("book/templates", f"{FIRST}.md")], [chapters.source(name) for name in touched(answers)]
    folders = {name.partition("/")[0] for name in answered(answers, ["*"])}
    for text in texts:
        said = text.read_text(encoding="utf-8")
        loaded = set(LOADED.findall(said))
        if not loaded and "guest=guest" in said:  # a variable says what it loads
            loaded = {folder for folder in folders if f"{folder}/" in said}
        if loaded & folders or looks_inside(said, answers) or "model" in _values(text, answers, model):
            whole.append(text)
        else:
            fill(book / f"{text.stem}.ipynb", answers)
    # Each chapter is executed in a process of its own.
    with patch.dict(os.environ, {COPIES: "1"}), ThreadPoolExecutor(2) as pool:
        tasks = [
            pool.submit(chapters.execute, text, book / f"{text.stem}.ipynb", _values(text, answers, model))
            for text in whole
        ]
        for text, task in zip(whole, tqdm(tasks, "pages with your answers", disable=None), strict=True):
            try:
                task.result()
                _hide_paths(book / f"{text.stem}.ipynb")
            except ChapterError as error:
                if text == whole[0]:
                    raise
                # Such as confidences of fewer pictures: one page less, and not the book.
                print(_why_not_whole(text, answers, error), file=sys.stderr)
                shutil.copy(pages.BOOK / f"{text.stem}.ipynb", book)
                fill(book / f"{text.stem}.ipynb", answers)
    toc = yaml.safe_load(Path("_toc.yml").read_text(encoding="utf-8"))
    toc["parts"].insert(1, {"caption": "Your model", "chapters": [{"file": FIRST}]})
    write_whole(place / "_toc.yml", yaml.safe_dump(toc, sort_keys=False))
    shutil.copy("CITATION.cff", place)  # how a page is cited
    pages.render(Path(), book, place / "html", place / "_toc.yml")
    return place / "html" / f"{FIRST}.html"
