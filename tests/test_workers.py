"""Tests run side by side, and those that share something one after another."""

import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT

TEST = 'import pytest\n@pytest.mark.parametrize("shared", {})\ndef test_it(shared): pass\n'
FILES = {
    "frozen": [f"{paper}/{table}" for paper in ("xu2024", "klein2025") for table in "abc"],
    "pages": ["desktop-light-index", "phone-index", "index", "phone-dark-errata", "light-errata"],
}


@pytest.mark.slow
def test_tests_that_share_something_run_on_one_worker(tmp_path):
    """``conftest`` shares them out: the marks of pytest-xdist have lost their effect once, and no test failed."""
    (tmp_path / "tests").mkdir()
    for name, values in FILES.items():
        (tmp_path / "tests" / f"test_{name}.py").write_text(TEST.format(values))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    command = [sys.executable, "-m", "pytest", "-p", "conftest", "-n", "2", "-v", "--rootdir", tmp_path, "tests"]
    said = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout
    workers = {}
    for worker, what in re.findall(r"\[(gw\d)\].*PASSED \S+\[(?:.*-)?(\w+)(?:/\w)?\]", said):
        workers.setdefault(what, set()).add(worker)
    assert workers.keys() == {"xu2024", "klein2025", "index", "errata"}
    assert all(len(one) == 1 for one in workers.values())
    assert len(set.union(*workers.values())) == 2
