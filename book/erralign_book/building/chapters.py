"""Execute the book's chapters, the same bytes each time: MyST text in, clean notebook out."""

from __future__ import annotations

import json
import math
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from itertools import chain
from multiprocessing import forkserver, get_context
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import nbformat
import yaml
from nbformat import NotebookNode, v4

from erralign._validation import ChapterError
from erralign.files import write_whole
from erralign_book.published import RECORD

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

# Two chapters share the machine: linear algebra on more threads would slow both. And a page needs no
# warning that a progress bar cannot be drawn on it, nor one on a slow machine. What a page says must not depend on
# whether a network answers.
CHAPTERS_ENVIRONMENT = {
    "ERRALIGN_OFFLINE": "1",
    "ERRALIGN_RENDERER": "book",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONWARNINGS": "ignore:IProgress not found",
    "TQDM_DISABLE": "1",
}
# By the process from which those of chapters are forked: a kernel would spend 7 s on it. Nothing of ours: a chapter
# imports that itself, with its own environment.
LOADED = ["altair", "IPython.core.interactiveshell", "nbformat", "pandas", "pooch", "scipy.stats"]
KERNEL = "python3"
CHART = "application/vnd.vegalite.v6+json"  # what erralign.plot writes into a notebook


def names(root: Path = Path()) -> list[str]:
    """List the chapters of the table of contents, in the reader's order, and then the pages below a chapter."""
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    chapters = [chapter for part in toc["parts"] for chapter in part["chapters"]]
    below = [page for chapter in chapters for page in chapter.get("sections", [])]
    return [toc["root"], *(page["file"] for page in chapters + below)]


def lessons(root: Path = Path()) -> list[str]:
    """List the lessons that are read from beginning to end: the first numbered part of the contents, if any."""
    return [name for part in _numbered(root)[:1] for name in part]


def numbers(root: Path = Path()) -> dict[str, int]:
    """Return the number of each chapter that has one; studies, guides and pages below a chapter have none."""
    return {name: number for number, name in enumerate(chain.from_iterable(_numbered(root)), 1)}


def _numbered(root: Path) -> list[list[str]]:
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    return [[chapter["file"] for chapter in part["chapters"]] for part in toc["parts"] if "numbered" in part]


def source(name: str, root: Path = Path()) -> Path:
    """Return where a chapter's text lies."""
    return root / "notebooks" / f"{name}.md"


def execute(text: Path, target: Path, values: Mapping | None = None, record: Path | None = None) -> None:
    """Execute one chapter and put the clean notebook in its place once it is whole.

    What it sets beside printed numbers is kept in ``record``.
    """
    notebook, environment = prepared(text, values), dict(os.environ)
    if record:
        record.unlink(missing_ok=True)
        environment[RECORD] = str(record.resolve())
    if any(cell.cell_type == "code" for cell in notebook.cells):
        notebook = run(notebook, text.stem, environment)
    write_whole(target, finished(notebook))


def prepared(text: Path, values: Mapping | None = None) -> NotebookNode:
    """Read a chapter and put a reader's values behind its parameters."""
    import jupytext
    import papermill

    return papermill.execute_notebook(
        jupytext.read(text), None, values or {}, kernel_name=KERNEL, prepare_only=True, progress_bar=False
    )


def run(notebook: NotebookNode, name: str, environment: Mapping[str, str]) -> NotebookNode:
    """Execute a notebook in a process of its own: chapters run side by side."""
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(1, forks()) as pool:
        stderr = Path(folder, "stderr")
        try:
            return pool.submit(_run, notebook, name, dict(environment), stderr).result()
        except BrokenProcessPool:
            last_words = " ".join(stderr.read_text(errors="replace").split())[-200:]
            raise ChapterError(f"{name}: its process died, perhaps for lack of memory. {last_words}".strip()) from None


@cache
def forks() -> BaseContext:
    """Start the process that has the libraries loaded, from which those of chapters are forked."""
    if os.name != "posix":
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload(LOADED)
    with patch.dict(os.environ, CHAPTERS_ENVIRONMENT):  # threads and warnings are decided as libraries load
        forkserver.ensure_running()
    return context


def _run(notebook: NotebookNode, name: str, environment: dict[str, str], stderr: Path) -> NotebookNode:
    # Not to the screen: what a library says as the process ends means nothing to a reader.
    with stderr.open("w") as quiet:
        os.dup2(quiet.fileno(), 2)
    return run_here(notebook, name, environment)


def run_here(notebook: NotebookNode, name: str, environment: Mapping[str, str]) -> NotebookNode:
    """Execute the cells of a notebook in this process, which takes on the environment."""
    from IPython.core.interactiveshell import InteractiveShell

    os.environ.clear()
    os.environ.update({**environment, **CHAPTERS_ENVIRONMENT})
    shell = InteractiveShell.instance()
    _write_as_prose_does(shell)
    for number, cell in enumerate((cell for cell in notebook.cells if cell.cell_type == "code"), 1):
        cell.execution_count = number
        try:
            cell.outputs = _outputs(shell, cell.source)
            _check_charts(cell.outputs)
        except Exception as error:
            first_line = cell.source.strip().partition("\n")[0]
            message = f"{type(error).__name__}: {' '.join(str(error).split())}"
            raise ChapterError(f"{name}, code cell {number} ({first_line}): {message}") from None
    return notebook


def _write_as_prose_does(shell: InteractiveShell) -> None:
    """Let a cell show charts on the theme, numbers without their type, tables without a row for the index's name."""
    import numpy as np
    import pandas as pd

    import erralign.plot.theme  # noqa: F401 - the theme, and what draws charts for a page, whatever the page imports

    np.set_printoptions(precision=4, suppress=True)
    pd.set_option("display.precision", 4)
    formatters: Any = shell.display_formatter
    text, html = (formatters.formatters[kind] for kind in ("text/plain", "text/html"))
    for decimal in (float, np.float64, np.float32):
        text.for_type(decimal, lambda value, printer, _: printer.text(f"{value:.4g}"))
    for whole in (np.int64, np.bool_):
        text.for_type(whole, lambda value, printer, _: printer.text(str(value)))
    html.for_type(pd.DataFrame, lambda frame: frame.to_html(classes="table", border=0, index_names=False))
    html.for_type(pd.Series, lambda series: series.to_frame().to_html(classes="table", border=0, index_names=False))


def _outputs(shell: InteractiveShell, source: str) -> list[NotebookNode]:
    """Run a cell; what it prints is one output however slowly it comes, before what it shows."""
    from IPython.utils.capture import capture_output

    with capture_output() as captured:
        shell.display_trap.hook = sys.displayhook  # for what stands on the last line, too
        shell.run_cell(source).raise_error()
    streams = {"stdout": captured.stdout, "stderr": captured.stderr}
    outputs = [v4.new_output("stream", name=name, text=text) for name, text in streams.items() if text]
    # What shows itself, or nothing, leaves an output without data.
    displays = [output for output in captured.outputs if output.data]
    return outputs + [v4.new_output("display_data", output.data, metadata=output.metadata) for output in displays]


def _check_charts(outputs: Sequence[NotebookNode]) -> None:
    """Refuse a chart that cannot be written: where pages are made from it, its cell is not known."""
    for output in outputs:
        chart = output.get("data", {}).get(CHART, {})
        try:
            json.dumps(chart, allow_nan=False)
        except ValueError as error:
            where = ", ".join(sorted(_without_number(chart)))
            raise ValueError(f"the chart {chart.get('title')!r} cannot be written ({error}): {where}") from None


def _without_number(part: Any, name: str = "chart") -> set[str]:
    """Name what holds nan or infinity, which JSON has not, in a part of a chart."""
    places: set[str] = set()
    if isinstance(part, float) and not math.isfinite(part):
        places.add(f"{name} is {part}")
    elif isinstance(part, Mapping):
        for key, value in part.items():
            places |= _without_number(value, str(key))
    elif isinstance(part, list):
        for value in part:
            places |= _without_number(value, name)
    return places


def finished(notebook: NotebookNode) -> str:
    """Return an executed notebook as the text of its file."""
    # Without all that differs between two executions.
    notebook.metadata.pop("papermill", None)
    for number, cell in enumerate(notebook.cells):
        cell.id = f"c{number:03d}"
        cell.metadata.pop("papermill", None)
    return f"{nbformat.writes(notebook)}\n"
