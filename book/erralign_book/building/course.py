"""Notebooks to hand out, made of the executed chapters: for students without solutions, for teachers with them."""

from __future__ import annotations

import ast
import re
import shutil
import textwrap
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from nbformat import NotebookNode, from_dict, v4
from nbformat import read as read_notebook
from sphinx.application import Sphinx

from erralign import behaviour, inference, similarity, triplets
from erralign._validation import REPOSITORY
from erralign.files import write_whole
from erralign_book.building import assignments, chapters
from erralign_book.building.chapters import CHART
from erralign_book.building.drawings import picture
from erralign_book.building.pages import BOOK, SITE
from erralign_book.building.shown import code_of
from erralign_book.building.site import commit
from erralign_book.course.checking import on_pages

NOTEBOOKS = Path("_build/notebooks")  # of the buttons: with code, and with exercises
EXERCISES = "-exercises"  # how the names of the latter end
STUDENTS, TEACHERS = Path("_build/course/students"), Path("_build/course/teachers")
# Pages to look things up on, and further choices of a paper: no handouts.
NO_HANDOUTS = ("index", "start-here", "how-to-", "further-", "functions", "reproduction", "errata", "benchmarks")
FOLDED = {"remove-input"}  # all other code is open, as whoever programs wants it
SOLVING = "hide-cell"  # in exercises: solutions
FIRST_CELL = """\
# In Colab this installs both packages as they were when this notebook was made, and leaves loaded ones as they are.
# Elsewhere, install them first: pip install jupyterlab pillow {packages}
import sys
from importlib.metadata import version
from importlib.util import find_spec

if "google.colab" in sys.modules:
    kept = " ".join(f"{{name}}=={{version(name)}}" for name in ("numpy", "pandas", "scipy") if find_spec(name))
    %pip install --quiet {{kept}} {packages}
elif find_spec("vl_convert"):
    from erralign_book.building import drawings

    drawings.as_pictures()  # no network is needed"""
PACKAGES = "git+{repository}{at} git+{repository}{at}#subdirectory=book"  # the library, and the book's own code
PLACE = """\
from erralign_book.course import check

# Your code

check("{exercise}", ...)  # in place of the dots: {asks}"""
SEEN = """\
from erralign_book.course import check

check("{exercise}", {exercise})"""
HIDDEN = """\
verdict = check("{exercise}", {exercise})
assert verdict.key == "right", verdict.message"""
GAP = f"""\
{{signature}}
    ...  # your code


{SEEN}"""
WRITTEN = """\
from erralign_book.course import check

written = check("{exercise}", {exercise})"""
STANDING_IN = """\
# Until yours is right, the page's own stands in, so that what follows runs. Open it when you have tried.
if not written:
{solution}"""
STANDING_IN_OFFLINE = """\
# Until yours is right, the page's own stands in, so that what follows runs. Open it when you have tried.
from erralign_book.course import ours_stands_in

if ours_stands_in(written):
{solution}"""
ON_TOP = """\
*Exercises.* Where a function is left open, write it; until yours is right, the page's own stands in, and all other \
cells run. The page's is in the folded cell below each, and answers to the questions are on [the page]({address})."""
FEW_LETTERS = 80  # of a call whose value is to be reached
GLUED = re.compile(r"\{glue:text\}`([^`:]+)(?::([^`]*))?`")
ROLE = re.compile(r"\{([a-z:]+)\}`(?:([^`<]*?)\s*<([^`>]+)>|([^`]+))`")
LABEL = re.compile(r"^\(([\w-]+)\)=\n+", re.M)
FENCE = re.compile(r"^(:{3,}|`{3,})\{([\w-]+)\}[ ]*([^\n]*)\n((?::[\w-]+:[^\n]*\n)*)(.*?)^\1[ ]*$", re.M | re.S)
HEADING = re.compile(r"^#+ (.*)$", re.M)
NUMBERS = "## Numbers in the text"
SECTION = re.compile(r"^## (.*)$", re.M)
CHECK = re.compile(r'check\("([\w-]+)"')
ANSWER = re.compile(r"<details><summary>Answer.*?</details>", re.S)


def with_code(root: Path = Path()) -> list[str]:
    """List the pages with code: each is a notebook that its buttons open."""
    return [name for name, text in texts(root).items() if "{code-cell}" in text and name != "teach"]


def handed_out(root: Path = Path()) -> list[str]:
    """List the pages whose notebooks a class works through."""
    return [name for name in with_code(root) if not name.startswith(NO_HANDOUTS)]


@cache
def texts(root: Path) -> dict[str, str]:
    """Return the text of each page."""
    return {name: chapters.source(name, root).read_text(encoding="utf-8") for name in chapters.names(root)}


def with_exercises(root: Path = Path()) -> list[str]:
    """List the pages on which a reader writes something: a function, or the answer to an exercise."""
    return [name for name in with_code(root) if re.search(r"^:tags: .*\bgap\b|^## Exercises$", texts(root)[name], re.M)]


def hand_out(name: str) -> None:
    """Write the notebooks of a chapter: with code, with exercises, for students, for teachers, and for nbgrader."""
    executed = read_notebook(BOOK / f"{name}.ipynb", 4)
    shown = (cell for cell in map(_with_pictures, _written(executed, Path())) if not _is_left_out(cell))
    solved = words_first(shown)
    unsolved = _finished(without_solutions(solved, _gap), executed.metadata)
    _write(NOTEBOOKS, name, _finished(_before_numbers(solved), executed.metadata))
    if name in with_exercises():
        _write(NOTEBOOKS, f"{name}{EXERCISES}", _finished(to_write(solved, name), executed.metadata))
    if name in handed_out():
        _write(STUDENTS, name, unsolved)
        _write(TEACHERS, name, _finished(solved, executed.metadata))
    if any("gap" in _tags(cell) for cell in solved):
        graded = without_solutions(solved, _graded)
        _write(assignments.SOURCE / name, name, _finished(graded, executed.metadata))


def _finished(cells: list[NotebookNode], metadata: Mapping) -> str:
    return chapters.finished(v4.new_notebook(metadata=metadata, cells=_to_run(cells, Path())))


def _write(folder: Path, name: str, notebook: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / f"{name}.ipynb", notebook)


def offer() -> None:
    """Let the site's buttons download the notebooks."""
    for notebook in NOTEBOOKS.glob("*.ipynb"):
        shutil.copy(notebook, SITE / "_sources")


def offer_notebooks(_app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Let the theme's buttons offer both notebooks of a page, and none of a page without code.

    Colab and Binder open the one with code, of a lab the exercises.
    """
    root = Path()  # of the repository; what is rendered may lie elsewhere
    has_code, has_exercises = page in with_code(root), page in with_exercises(root)
    groups = {button.get("label"): button for button in context.get("header_buttons", [])}
    launch, download = groups.get("launch-buttons"), groups.get("download-buttons")
    if launch and not has_code:
        context["header_buttons"].remove(launch)
    elif launch and has_exercises and page.startswith("lab-"):
        for button in launch["buttons"]:
            button["url"] = _to_exercises(button["url"], page)
    if not download:
        return
    offered = []
    for button in download["buttons"]:
        if not button.get("url", "").endswith(f"/{page}.ipynb"):
            offered.append(button)
        elif has_code:
            offered.append(button | {"text": "with code (.ipynb)"})
            if has_exercises:
                words = {"text": "exercises (.ipynb)", "tooltip": "With functions and answers for you to write"}
                words |= {"url": _to_exercises(button["url"], page), "label": "download-exercises-button"}
                offered.append(button | words)
    download["buttons"] = offered


def _to_exercises(address: str, page: str) -> str:
    return address.replace(f"/{page}.ipynb", f"/{page}{EXERCISES}.ipynb")


def first_cell(root: Path) -> str:
    """Return the code that gets the package, of this commit."""
    described = commit(root).removeprefix("commit ").removesuffix("-dirty")
    return FIRST_CELL.format(packages=PACKAGES.format(repository=REPOSITORY, at=f"@{described}"))


def words_first(cells: Iterable[NotebookNode]) -> list[NotebookNode]:
    """Put the code of a fold behind its words, as the site does."""
    ordered: list[NotebookNode] = []
    for cell in cells:
        words, end, rest = cell.source.partition("</details>")
        if not (ordered and SOLVING in _tags(ordered[-1]) and words.startswith("<details>")):
            ordered.append(cell)
            continue
        code = ordered.pop()
        parts = [v4.new_markdown_cell(words + end), code, v4.new_markdown_cell(rest.strip())]
        ordered += [part for part in parts if part.source]
    return ordered


def without_solutions(cells: list[NotebookNode], gap: Callable[[str], list[NotebookNode]]) -> list[NotebookNode]:
    """Take out answers and the code that they show; leave a cell for the student's own in their place."""
    kept: list[NotebookNode] = []
    exercising = False
    cells = _before_numbers(cells)
    for place, cell in enumerate(cells):
        if cell.cell_type == "markdown":
            # An answer is left out; its place is that of the code that it speaks of, or where there is none, here.
            with_code = place + 1 < len(cells) and SOLVING in _tags(cells[place + 1])
            its_own = cell.source.count("<summary>Answer") - (with_code and cell.source.rstrip().endswith("</details>"))
            text = cell.source
            if its_own > 0:
                text = ANSWER.sub("*Your answer:*", text, count=its_own)
            text = ANSWER.sub("", text).strip()
            exercising = ([exercising, *(heading == "Exercises" for heading in SECTION.findall(text))])[-1]
            kept += [v4.new_markdown_cell(text)] if text else []
        elif "gap" in _tags(cell):
            kept += gap(cell.source)
        elif not exercising or SOLVING not in _tags(cell):
            kept.append(cell)
        elif found := CHECK.search(cell.source):
            kept.append(v4.new_code_cell(PLACE.format(exercise=found[1], asks=on_pages()[found[1]]["asks"])))
        else:
            kept.append(v4.new_markdown_cell("*Your answer:*"))
    return kept


def _before_numbers(cells: list[NotebookNode]) -> list[NotebookNode]:
    """Leave out the end, which only glues and asserts: the text has its numbers, and may be changed."""
    for place, cell in enumerate(cells):
        before, heading, _ = cell.source.partition(NUMBERS)
        if heading:
            return [*cells[:place], v4.new_markdown_cell(before)]
    return cells


def _gap(source: str) -> list[NotebookNode]:
    """Leave of a cell's function its first line, and hand the function to the check that bears its name."""
    (function,) = assignments.functions(source)
    return [v4.new_code_cell(GAP.format(signature=function.signature, exercise=function.name))]


def to_write(cells: list[NotebookNode], page: str) -> list[NotebookNode]:
    """Leave gaps for what a reader writes, each with what it takes, its steps, and the value to reach."""
    expected = _expected(cells)
    is_frozen = any("@frozen(" in cell.source for cell in cells)
    address = f"{_site(Path())}/{page}.html"
    kept = without_solutions(cells, lambda source: _exercise(source, expected.get(source, ""), is_frozen))
    title, *rest = kept
    heading, _, text = title.source.partition("\n")
    on_top = f"{heading}\n\n{ON_TOP.format(address=address)}\n{text}"
    return [v4.new_markdown_cell(on_top), *rest]


def _expected(cells: list[NotebookNode]) -> dict[str, str]:
    """Return, for the code of each gap, what the page's next cell gives if that is a short call."""
    expected = {}
    for place, cell in enumerate(cells):
        after = [other for other in cells[place + 1 :] if other.cell_type == "code"]
        if "gap" in _tags(cell) and after and len(after[0].source) < FEW_LETTERS:
            values = [output.get("data", {}).get("text/plain", "") for output in after[0].outputs]
            if value := "\n".join(values).strip():
                expected[cell.source] = f"On the page, `{after[0].source}` gives `{value}`."
    return expected


def _exercise(source: str, expected: str, is_frozen: bool) -> list[NotebookNode]:
    """Leave of a cell's function what it takes, what it returns and its steps; the page's own stands in, folded."""
    (function,) = assignments.functions(source)
    lines = [function.signature, f'    """{_says(function.name)}"""', *_steps(source), "    return ...", "", ""]
    cells = [v4.new_code_cell("\n".join([*lines, WRITTEN.format(exercise=function.name)]))]
    if expected:
        cells.append(v4.new_markdown_cell(expected))
    solution = textwrap.indent(f"{function.signature}\n{function.body}", "    ")
    form = STANDING_IN_OFFLINE if is_frozen else STANDING_IN
    ours = v4.new_code_cell(form.format(solution=solution))
    ours.metadata["tags"] = [*FOLDED]
    return [*cells, ours]


def _says(name: str) -> str:
    """Return the first line of the library's own docstring, or what the check asks for."""
    for room in (behaviour, inference, similarity, triplets):
        if callable(ours := getattr(room, name, None)):
            return (ours.__doc__ or "").strip().splitlines()[0]
    return f"Return what {on_pages()[name]['asks'].removeprefix('your function ')} is to return."


def _steps(source: str) -> list[str]:
    """Return what a function sets, one after another, as comments."""
    (node,) = (node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef))
    steps = []
    for part in node.body:
        if isinstance(part, ast.Assign):
            names = [ast.unparse(target).strip("()") for target in part.targets]
            steps.append(f"    # {' = '.join(names)} = ...")
        elif isinstance(part, ast.AugAssign):
            steps.append(f"    # {ast.unparse(part.target)} = ...")
        elif isinstance(part, ast.For):
            steps.append(f"    # for {ast.unparse(part.target).strip('()')} in ...:")
    return list(dict.fromkeys(steps))


def _graded(source: str) -> list[NotebookNode]:
    """Let nbgrader take out a cell's function, and test what a student writes."""
    (function,) = assignments.functions(source)
    seen = SEEN.format(exercise=function.name)
    hidden = HIDDEN.format(exercise=function.name)
    return [assignments.solved(function), assignments.test(function, seen, hidden)]


def _to_run(cells: list[NotebookNode], root: Path) -> list[NotebookNode]:
    """Fold what is not to be read first, and put before all the code what gets the package."""
    kept = [from_dict(cell) for cell in cells]
    for cell in kept:
        kept_of_it = {name: cell.metadata[name] for name in cell.metadata.keys() & {"nbgrader"}}
        if _tags(cell) & FOLDED:
            kept_of_it["jupyter"] = {"source_hidden": True}
        cell.metadata = from_dict(kept_of_it)
    first = v4.new_code_cell(first_cell(root), metadata={"jupyter": {"source_hidden": True}})
    place = [cell.cell_type for cell in kept].index("code")
    return [*kept[:place], first, *kept[place:]]


def _tags(cell: Mapping) -> set[str]:
    return set(cell["metadata"].get("tags", []))


# ---- what a cell says -----------------------------------------------------------------------------------------------


def _written(notebook: NotebookNode, root: Path) -> list[NotebookNode]:
    """Put numbers and links into the text, and leave out what carried the numbers."""
    values = numbers(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = plain(cell.source, values, root)
        else:
            cell.outputs = [each for each in cell.outputs if "scrapbook" not in each.get("metadata", {})]
    return notebook.cells


def numbers(notebook: NotebookNode) -> dict[str, str]:
    """Return the numbers that code put into a chapter's text, by their names."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    named = [output for output in outputs if "scrapbook" in output.get("metadata", {})]
    return {each.metadata["scrapbook"]["name"]: next(iter(each["data"].values())) for each in named}


def plain(text: str, values: Mapping[str, str], root: Path) -> str:
    """Turn a chapter's text into what any notebook program can show."""
    text = in_words(text, values)
    while (shown := FENCE.sub(_fence, text)) != text:  # the outer ones first
        text = shown
    text = ROLE.sub(lambda found: _role(found, root), LABEL.sub("", text))
    return re.sub(r"^\+\+\+$\n?", "", text, flags=re.M).strip()


def in_words(text: str, values: Mapping[str, str]) -> str:
    """Put the numbers of a chapter's code into its text, as the site does."""

    def number(found: re.Match[str]) -> str:
        value, form = values[found[1]], found[2]
        if form is None:
            return value.strip("'\"")
        return format(float(value) if re.search("[.e]", value) else int(value), form)

    return GLUED.sub(number, text)


def _fence(found: re.Match[str]) -> str:
    kind, title, body = found[2], found[3], found[5].strip("\n")
    if kind == "dropdown":
        return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>\n"
    if kind == "library":  # what it shows, as code
        return f"```python\n{code_of(title.split())}\n```\n"
    if kind == "eval-rst":  # a description of functions, which help() gives
        return ""
    if kind in ("raw", "div"):
        return body + "\n" if kind == "div" else ""
    return f"**{title}**\n\n{body}\n"


def _role(found: re.Match[str], root: Path) -> str:
    role, shown, target = found[1], found[2], found[3] or found[4]
    if role.startswith("py:"):
        return f"`{target.lstrip('~').rpartition('.')[2]}`"
    if role.startswith("cite"):
        words = [citation(key.strip(), root) for key in target.split(",")]
        return f"({'; '.join(words)})" if role == "cite:p" else ", ".join(words)
    if role not in ("term", "doc", "ref"):
        return found[0]
    title, page = {
        "term": (target, "glossary.html"),
        "doc": (titles(root).get(target, target), f"{target}.html"),
        "ref": labels(root).get(target, (target, "")),
    }[role]
    return f"[{shown or title}]({_site(root)}/{page})"


@cache
def titles(root: Path) -> dict[str, str]:
    """Return the title of each page."""
    return {name: re.findall(r"^# (.*)$", text, re.M)[0] for name, text in texts(root).items()}


@cache
def labels(root: Path) -> dict[str, tuple[str, str]]:
    """Return for each label of the book the heading that it stands above, and where that is on the site."""
    found = {}
    for name, text in texts(root).items():
        for label in LABEL.finditer(text):
            heading = HEADING.search(text, label.end())
            found[label[1]] = (heading[1] if heading else titles(root)[name], f"{name}.html#{label[1]}")
    return found


@cache
def citation(key: str, root: Path) -> str:
    """Return authors and year, as the site has them."""
    from pybtex.database import parse_file

    entry = parse_file(str(root / BOOK / "references.bib")).entries[key]
    family = [" ".join(person.last_names).strip("{}") for person in entry.persons["author"]]
    names = family[0] + (" et al." if len(family) > 2 else "".join(f" and {each}" for each in family[1:]))
    return f"{names}, {entry.fields['year']}"


@cache
def _site(root: Path) -> str:
    return str(yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))["html"]["baseurl"])


def _is_left_out(cell: NotebookNode) -> bool:
    """Say whether a cell only puts numbers into the text, or is for what only the site lays out, without words."""
    outputs = [output for output in cell.get("outputs", []) if "on_site" in output.get("metadata", {})]
    return "remove-cell" in _tags(cell) or any(not output.data.get("text/plain") for output in outputs)


def _with_pictures(cell: NotebookNode) -> NotebookNode:
    """Put a picture in the place of each chart, and words in that of what only the site lays out."""
    import base64

    for output in cell.get("outputs", []):
        if (spec := output.get("data", {}).pop(CHART, None)) is not None:
            output.data["image/png"] = base64.b64encode(picture(spec)).decode()
        if output.get("metadata", {}).get("on_site"):
            output.data.pop("text/html", None)
    return cell
