"""Many models on many sets of pictures: one task for each of both."""

import multiprocessing
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from erralign.errors import DataError
from erralign.machines import as_finished
from erralign.models.images import open_images
from erralign.models.inference import progress
from erralign.models.loading import load
from erralign.models.running import Run, run

# A process keeps one model, and the last few sets of pictures.
_loaded = lru_cache(maxsize=1)(load)
_opened = lru_cache(maxsize=8)(open_images)


class Done(NamedTuple):
    """What became of many models on one set of pictures."""

    runs: tuple[Run, ...]  # of the models that ran, in their order
    failed: tuple[str, ...]  # why the others did not: their weights are missing, or damaged
    note: str  # what a reader should know about the pictures


def run_many(
    models: Sequence[str],
    images: Sequence[str],
    *,
    loading: Mapping[str, Any] | None = None,
    running: Mapping[str, Any] | None = None,
    download: bool = False,
    n_jobs: int = 1,
    scheduler: str = "",
) -> list[Done]:
    """Show several sets of pictures to several models."""
    tasks = list(product(models, images))
    how = loading or {}, running or {}, download
    found: dict[tuple[str, str], tuple[Run | str, str]] = {}
    with progress(total=len(tasks), desc="models", unit="run", disable=n_jobs == 1 and not scheduler) as several:
        for place, result in as_finished(_run, tasks, how, n_jobs=n_jobs, scheduler=scheduler):
            found[tasks[place]] = result
            several.update()
    return [_done([found[model, each] for model in models]) for each in images]


def _done(results: Sequence[tuple[Run | str, str]]) -> Done:
    runs = tuple(each for each, _ in results if isinstance(each, Run))
    return Done(runs, tuple(each for each, _ in results if isinstance(each, str)), results[0][1])


def _run(task: tuple[str, str], how: tuple[Mapping[str, Any], Mapping[str, Any], bool]) -> tuple[Run | str, str]:
    (model, images), (loading, running, download) = task, how
    pictures = _opened(images, download=download)
    try:
        loaded = _loaded(model, **loading)
    except DataError as error:
        return str(error), pictures.note
    return run(loaded, pictures, **_decoding(running)), pictures.note


def _decoding(running: Mapping[str, Any]) -> Mapping[str, Any]:
    """See to it that what decodes pictures beside the network can start in a process of joblib's or Dask's."""
    if multiprocessing.current_process().daemon:  # Dask's, which may start none
        return {**running, "workers": 0}
    if multiprocessing.get_start_method() == "loky":  # joblib's: of its own kind torch can start none
        multiprocessing.set_start_method(multiprocessing.get_all_start_methods()[0], force=True)
    return running
