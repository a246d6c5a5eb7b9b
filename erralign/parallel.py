"""One task after another finished: on the cores of this machine or, through Dask, on those of many.

Not through joblib's backend for Dask: what joblib lays out for all tasks is lost with the worker that holds it.
"""

import hashlib
import logging
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from erralign._validation import lacking

_LOG = logging.getLogger(__name__)
_SECONDS_TO_CONNECT = 10
_Task = Callable[[Any, Any], Any]
_Done = Iterator[tuple[int, Any]]  # the place of an item, and what came of it


def as_finished(
    task: _Task, items: Iterable[Any], shared: Any = None, *, n_jobs: int = 1, scheduler: str = ""
) -> _Done:
    """Call a function for each item and what all share, and yield what it returns as soon as it is there."""
    if scheduler:
        yield from _on_cluster(task, list(items), shared, scheduler)
    elif n_jobs == 1:
        for place, item in enumerate(items):
            yield place, task(item, shared)
    else:
        import joblib

        how = {"task": task, "shared": shared, "code": _own_code()}
        calls = (joblib.delayed(_called)(place, item, **how) for place, item in enumerate(items))
        # One at a time, so that nothing waits for a batch.
        yield from joblib.Parallel(n_jobs, batch_size=1, pre_dispatch="n_jobs", return_as="generator_unordered")(calls)


def _called(place: int, item: Any, *, task: _Task, shared: Any, code: str) -> tuple[int, Any]:
    if code != _own_code():
        raise ValueError("a worker has another version of erralign; install the same everywhere, and start it anew")
    return place, task(item, shared)


def threads(scheduler: str) -> int:
    """Return how many tasks the workers of a cluster compute side by side."""
    with _connected(scheduler) as client:
        return sum(client.nthreads().values())


def _on_cluster(task: _Task, items: list[Any], shared: Any, scheduler: str) -> _Done:
    with _connected(scheduler) as client:
        from distributed import KilledWorker, as_completed

        # As a task, not as data: the scheduler can have it done again when the worker that holds it dies.
        for_all = client.submit(_itself, shared, pure=False)
        how = {"task": task, "shared": for_all, "code": _own_code()}
        waiting = client.map(_called, range(len(items)), items, **how, pure=False)
        workers = set(client.nthreads())
        try:
            for future, result in as_completed(waiting, loop=client.loop, with_results=True):
                now = set(client.nthreads())
                for address in sorted(workers - now):
                    _LOG.warning(f"the worker at {address} died or left; others do its tasks")
                workers = now
                yield result
                future.release()  # or it would be computed anew when its worker dies
        except KilledWorker as error:
            raise ConnectionError(
                f"several workers of {scheduler} died at the same task, perhaps for want of memory; see their logs, "
                "and start fewer on a machine (dask worker --nworkers)"
            ) from error


def _itself(shared: Any) -> Any:
    return shared


@contextmanager
def _connected(scheduler: str) -> Iterator[Any]:
    try:
        from distributed import Client
    except ModuleNotFoundError as error:
        raise lacking("working on a cluster", "cluster", error.name) from error
    _LOG.info(f"asking the Dask scheduler at {scheduler}")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sending large graph")
        try:
            client = Client(scheduler, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ConnectionError(
                f"no Dask scheduler answers at {scheduler!r}; expected an address such as tcp://scheduler:8786, where "
                "`dask scheduler` runs"
            ) from error
        with client:
            try:
                client.wait_for_workers(1, timeout=_SECONDS_TO_CONNECT)
            except TimeoutError as error:
                raise ConnectionError(
                    f"the scheduler at {scheduler} has no workers; start them with  "
                    f"dask worker {scheduler} --nthreads 1"
                ) from error
            yield client


@cache
def _own_code() -> str:
    """Return a hash of the source of this package."""
    files = sorted(Path(__file__).parent.rglob("*.py"))
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()
