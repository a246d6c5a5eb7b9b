"""The hash of a result's code changes with all that its values depend on, and with nothing else."""

import re
from pathlib import Path

import pytest

from erralign_book.papers.code import PACKAGES, code_of, code_of_text, names_of_text

# Two small packages in one file: what stands under each name.
PARTS = re.split(r"^==== (.+)\n", Path(__file__).with_name("small_package.txt").read_text(), flags=re.M)[1:]
FILES = dict(zip(PARTS[::2], PARTS[1::2], strict=True))


@pytest.fixture
def package(tmp_path):
    """Return a function that writes two small packages, with one text replaced, and returns their folders."""

    def write(file=None, old="", new=""):
        folder = tmp_path / f"{file}{old}{new}".encode().hex()[-80:] / "erralign"
        for name, text in FILES.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text.replace(old, new) if name == file else text)
            assert name != file or old in text
        return folder, folder.parent / "erralign_book"

    return write


MATTERS = [
    ("helpers.py", "x / 2", "x / 3"),
    ("helpers.py", "places = 3", "places = 4"),
    ("helpers.py", "digits: int", "digits = 2"),
    ("helpers.py", "floor(2.5)", "ceil(2.5)"),
    ("measures.py", "FACTOR = 2", "FACTOR = 3"),
    ("measures.py", "import numpy as np", "import cupy as np"),
    ("sources/facts.csv", "1,2", "1,3"),
    ("results.py", "[1, 2]", "[1, 2, 3]"),
    ("results.py", "return {}", "return {'width': 3}"),
]
IS_ALL_THE_SAME = [
    ("measures.py", '"""Scale."""', '"""Scale it."""'),
    ("measures.py", '"""Measures."""', ""),
    ("measures.py", "x: float) -> float", "x: int)"),
    ("measures.py", "FACTOR = 2", "FACTOR: float = 2"),
    ("measures.py", "is negative", "is below 0"),
    ("measures.py", "return 1", "return 2"),
    ("measures.py", "half as part", "half as piece, half as part"),
    ("measures.py", "import numpy as np", "import numpy as np\nimport scipy"),
    ("helpers.py", "# why", "# for this reason"),
    ("helpers.py", "digits: int", "digits: float"),
    ("helpers.py", "expected more", "expected less"),
    ("results.py", "spot=[1]", "spot=[2]"),
    ("results.py", "return 1", "return 2"),
    ("results.py", "from erralign import measures", "import erralign as measures"),
    ("../erralign_book/papers/frozen.py", "function: function", "function: None"),
]
RESULT = "erralign.results.result"


def test_the_hash_changes_with_what_may_change_the_result_and_with_nothing_else(package):
    before = code_of(RESULT, package())
    assert [change for change in MATTERS if code_of(RESULT, package(*change)) == before] == []
    assert [change for change in IS_ALL_THE_SAME if code_of(RESULT, package(*change)) != before] == []
    registry, unused = "erralign.measures.by_name", ("measures.py", "return 1", "return 2")
    assert code_of(registry, package()) != code_of(registry, package(*unused))  # pulls in what it names


@pytest.mark.parametrize("house", ["erralign", "erralign_book"])
def test_a_definition_that_moves_leaves_the_hash(package, house):
    before = code_of(RESULT, package())
    folder, book = package("measures.py", "erralign.helpers", f"{house}.moved")
    (folder / "helpers.py").rename(folder.with_name(house) / "moved.py")
    results = (folder / "results.py").read_text()
    (folder / "results.py").write_text(results.replace("erralign.helpers", f"{house}.moved"))
    assert code_of(RESULT, (folder, book)) == before


def test_an_unknown_name_is_an_error_and_a_local_one_is_not_followed(package):
    text = "from erralign.helpers import half\ndef f(half):\n    return half + 1"
    assert code_of_text(text, package("helpers.py", "x / 2", "x / 3")) == code_of_text(text, package())
    with pytest.raises(ValueError, match=r"erralign.measures.nothing does not exist"):
        code_of("erralign.measures.nothing", package())


CHAPTER = "import erralign\nfrom erralign import facts\nprint(erralign.scaled(3))"


def test_a_text_depends_on_itself_and_on_what_it_names(package):
    before = code_of_text(CHAPTER, package())
    assert before != code_of_text(CHAPTER.replace("3", "4"), package())
    assert before == code_of_text(CHAPTER + "  # printed", package())
    assert before != code_of_text(CHAPTER, package("helpers.py", "x / 2", "x / 3"))
    assert before == code_of_text(CHAPTER, package("helpers.py", "places = 3", "places = 4"))
    reached = names_of_text(CHAPTER, package())
    assert reached >= {"erralign.measures.scaled", "erralign.helpers.half", "erralign.measures.FACTOR"}
    assert reached.isdisjoint({"erralign.measures.unused", "erralign.results.result", "erralign.helpers.Rounded"})


def test_every_fact_table_is_named_in_full_somewhere():
    """A table of facts under a name that is put together in the code would not count."""
    code = "".join(path.read_text() for package in PACKAGES for path in package.rglob("*.py"))
    tables = [path.name for package in PACKAGES for path in (package / "sources").glob("*.csv")]
    assert tables
    assert [table for table in tables if f'"{table}"' not in code] == []
