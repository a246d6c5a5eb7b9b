"""Chapters executed with a reader's values, from frozen tables; what the book does, and which files they open."""

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import nbformat

from erralign_book.building import chapters

ROOT = Path(__file__).parents[1]


@contextmanager
def executing():
    """Give a function that executes a chapter: name, values, environment, folder to notebook, files that it opened."""
    with ProcessPoolExecutor(1, mp_context=chapters.forks(), max_tasks_per_child=1) as pool:
        yield lambda *call: pool.submit(_executed, *call).result()


def _executed(name, values, environment, folder):
    os.chdir(folder)
    opened = set()
    sys.addaudithook(lambda event, given: event == "open" and opened.add(str(given[0])))
    notebook = chapters.run_here(chapters.prepared(chapters.source(name, ROOT), values), name, environment)
    return nbformat.reads(chapters.finished(notebook), 4), opened
