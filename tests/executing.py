"""Chapters executed with a reader's values, from frozen tables, in processes that have the libraries loaded.

A kernel for each would spend most of its time on loading them; the book's own executions have one each.
"""

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

import nbformat

from erralign_book.building import chapters
from erralign_book.papers.frozen import FrozenTable

ROOT = Path(__file__).parents[1]
# Nothing of ours: a chapter imports that itself, with its own environment.
LOADED = ["altair", "IPython.core.interactiveshell", "jupytext", "pandas", "papermill", "pooch", "scipy.stats"]


@contextmanager
def executing():
    """Give a function that executes a chapter: name, values, environment, folder to notebook, files that it opened."""
    forks = get_context("forkserver")
    forks.set_forkserver_preload(LOADED)
    with ProcessPoolExecutor(1, mp_context=forks, max_tasks_per_child=1) as pool:
        yield lambda *call: pool.submit(_executed, *call).result()


def _executed(name, values, environment, folder):
    from IPython.core.interactiveshell import InteractiveShell

    os.environ.clear()
    os.environ.update(environment | chapters.KERNEL_ENVIRONMENT)
    os.chdir(folder)
    opened = set()
    sys.addaudithook(lambda event, given: event == "open" and opened.add(str(given[0])))
    FrozenTable.can_be_computed = lambda table: False
    notebook = chapters.prepared(chapters.source(name, ROOT), values)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = _outputs(InteractiveShell.instance(), cell.source)
    return nbformat.reads(chapters.finished(notebook), 4), opened


def _outputs(shell, source):
    from IPython.utils.capture import capture_output

    with capture_output() as captured:
        shell.display_trap.hook = sys.displayhook  # for what stands on the last line, too
        shell.run_cell(source).raise_error()
    shown = [nbformat.v4.new_output("display_data", each.data, metadata=each.metadata) for each in captured.outputs]
    return [nbformat.v4.new_output("stream", text=captured.stdout), *shown]
