"""Work on a cluster: two workers of Dask on this machine, one of which dies in the middle of a task."""

import gc
import os
import re
import signal
import sys
import time
from pathlib import Path

import dask
import numpy as np
import pandas as pd
import pytest
from builders import mixed_systems, typed
from distributed import LocalCluster

from erralign import pairwise_intervals, parallel
from erralign_book import frozen
from erralign_book.building import freezing

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cluster():
    """Return the address of a scheduler with two workers, which are started anew when they die."""
    how = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with dask.config.set({"distributed.scheduler.allowed-failures": 1}), LocalCluster(**how) as both:
        yield both.scheduler_address


def note(folder, word, item):
    """Leave a file that says what was done; a second one if it is done a second time."""
    Path(folder, f"{item}.{word}.{time.time_ns()}-{os.getpid()}").touch()


def times(folder, word, item):
    return len(list(Path(folder).glob(f"{item}.{word}.*")))


def square(item, folder):
    """The fifth kills its process when it is begun for the first time."""
    note(folder, "begun", item)
    if item == 5 and times(folder, "begun", item) == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    note(folder, "done", item)
    return item**2


@pytest.mark.weekly
def test_a_worker_that_dies_loses_nothing_and_is_named(cluster, tmp_path, caplog):
    found = list(parallel.as_finished(square, range(12), tmp_path, scheduler=cluster))
    assert sorted(found) == [(item, item**2) for item in range(12)]
    assert times(tmp_path, "begun", 5) == 2  # and what had been computed on it, and was not here yet, is done again
    assert re.search(r"the worker at tcp://\S+ died or left; others do its tasks", caplog.text)


def fail(item, shared):
    if item == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    raise ValueError(f"{item} is wrong")


def test_an_error_on_a_worker_is_the_callers(cluster):
    with pytest.raises(ValueError, match="7 is wrong"):
        list(parallel.as_finished(fail, [7], scheduler=cluster))


@pytest.mark.weekly
def test_a_task_at_which_all_workers_die_is_named(cluster):
    with pytest.raises(ConnectionError, match=r"several workers of tcp://.* died at the same task, perhaps for"):
        list(parallel.as_finished(fail, ["die"], scheduler=cluster))


def test_a_worker_with_another_version(cluster, monkeypatch):
    monkeypatch.setattr(parallel, "_own_code", lambda: "other")
    with pytest.raises(ValueError, match="a worker has another version of erralign"):
        list(parallel.as_finished(abs, [1], scheduler=cluster))


def test_nobody_there(monkeypatch):
    monkeypatch.setattr(parallel, "_SECONDS_TO_CONNECT", 0.5)
    for address in ("tcp://127.0.0.1:9", "nowhere at all"):
        with pytest.raises(ConnectionError, match=f"no Dask scheduler answers at '{address}'; expected an address"):
            parallel.threads(address)
    gc.collect()  # clients that never connected are closed now: if while a cluster starts, each waits for the other
    empty = LocalCluster(n_workers=0, dashboard_address=":0")
    with empty, pytest.raises(ConnectionError, match=r"has no workers; start them with  dask worker tcp://.* --nth"):
        parallel.threads(empty.scheduler_address)


def test_without_the_extra_the_error_says_how_to_get_it(here, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    Path("answers.csv").write_text("image,truth,a,b\n1,0,0,1\n2,1,1,0\n3,2,2,2\n4,0,0,0\n")
    found = typed("compare", "answers.csv", "--scheduler", "tcp://there:8786")
    assert found.exit_code == 1
    needed = "needs the extra 'cluster' (distributed is not installed)", "pip install 'erralign[cluster] @ git+https"
    assert [words for words in needed if words not in found.output] == []


# --- all pairs --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("clusters", [None, np.arange(60) // 3], ids=["independent", "of three"])
def test_blocks_of_pairs_do_not_show(monkeypatch, cluster, clusters):
    responses = mixed_systems(0, n_systems=6, n_trials=60, time_outs=0.1)
    at_once = pairwise_intervals(responses, n_resamples=200, clusters=clusters)
    monkeypatch.setattr("erralign.pairs._PAIRS", 4)
    for where in ({}, {"n_jobs": 2}, {"scheduler": cluster}):
        found = pairwise_intervals(responses, n_resamples=200, clusters=clusters, **where)
        pd.testing.assert_frame_equal(found, at_once, check_exact=True)


# --- result tables ----------------------------------------------------------------------------------------------------


@frozen("test_machines/processes", slow=True, settings=range(4), spot=[0, 1])
def processes(number):
    """Return in which process a row was computed."""
    return pd.DataFrame({"number": [number], "process": [os.getpid()]})


def test_a_table_is_frozen_on_a_cluster(cluster, monkeypatch, own_data):
    monkeypatch.setattr(freezing, "of_scripts", lambda: {processes.name: processes})
    freezing.freeze(scheduler=cluster)
    assert processes()["number"].tolist() == list(range(4))
    assert os.getpid() not in set(processes()["process"])
