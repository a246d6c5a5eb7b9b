"""Freezing: what is stale is named, what was asked for is computed; the hash of the code of a result."""

import re
import shutil
from pathlib import Path

import pandas as pd
import pytest
from conftest import ROOT

from erralign.errors import DataError
from erralign.files import write_whole
from erralign.sources.archives import data_folder
from erralign_book.building import freezing
from erralign_book.papers import code, frozen
from erralign_book.papers.code import PACKAGES, code_of, code_of_text, names_of_text

TABLES = freezing.all_tables()
SLOW = {name for name, table in TABLES.items() if table.slow}
QUICK = "xu2024/agreement_with_released"


def test_no_table_is_stale():
    assert list(freezing.stale().values()) == []


def test_the_index_knows_every_table_and_its_function():
    functions = {origin["file"]: origin["function"] for origin in map(freezing.origin, TABLES.values())}
    assert freezing.index()["function"].to_dict() == functions


@pytest.mark.slow
def test_a_changed_line_names_the_tables_that_depend_on_it(tmp_path, monkeypatch):
    as_they_are = pd.DataFrame(map(freezing.origin, TABLES.values())).set_index("file")
    monkeypatch.setattr(freezing, "index", lambda: as_they_are)
    assert freezing.stale() == {}
    packages = [tmp_path / package.name for package in code.PACKAGES]
    for package, copy in zip(code.PACKAGES, packages, strict=True):
        shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__", "_data"))
    file = tmp_path / "erralign_book/simulations/coverage/worlds.py"
    text = file.read_text()
    assert "hermegauss(80)" in text
    file.write_text(text.replace("hermegauss(80)", "hermegauss(81)"))
    names = [f"coverage/{name}" for name in ("means", "differences", "clusters")]
    said = "code changed since it was frozen: run `erralign freeze --changed"
    assert freezing.stale(tuple(packages)) == {name: f"{name}: {said} {name}`" for name in names}


def test_other_inputs_make_a_table_stale(monkeypatch):
    other = dict.fromkeys(freezing.manifest(), "other")
    monkeypatch.setattr(freezing, "manifest", lambda: other)
    found = freezing.stale()
    with_inputs = {name for name, table in TABLES.items() if table.inputs}
    assert {name for name, message in found.items() if "inputs" in message} == with_inputs


def test_other_content_of_a_frozen_file_makes_the_tables_that_read_it_stale(own_data):
    files = sorted({file for table in TABLES.values() for file in table.tables})
    for file in files:
        write_whole(own_data / file, (ROOT / "data" / "frozen" / file).read_bytes())
    write_whole(own_data / files[0], b"other")
    found = {name for name, message in freezing.stale().items() if "inputs" in message}
    assert found == {name for name, table in TABLES.items() if files[0] in table.tables}


def test_a_slow_table_that_builds_on_another_says_so():
    """The slow ones are computed side by side, those that read another's frozen copy after all that read none."""
    places = {name: tuple(freezing.origin(TABLES[name])["function"].rsplit(".", 1)) for name in SLOW}
    for name, place in places.items():
        _, reached = code._closure(code.PACKAGES, {place}, outside=code.DATA_ROAD)
        said = {file.rpartition(".")[0] for file in TABLES[name].tables} & {*TABLES}  # others are files of the board
        said |= {file.rpartition(".")[0] for other in said for file in TABLES[other].tables}
        assert {other for other in SLOW if places[other] in reached} == {name} | said
        assert all(freezing._turn(TABLES[other]) < freezing._turn(TABLES[name]) for other in said)


# ---- what is computed --------------------------------------------------------------------------------------------


def test_patterns_choose_tables_and_an_unknown_one_is_answered_with_the_nearest_names():
    assert list(freezing.chosen(["xu2024/mantel*", "coverage/means"])) == ["coverage/means", "xu2024/mantel_tests"]
    assert freezing.chosen([]) == TABLES
    with pytest.raises(ValueError, match=r"no result table is called 'xu2024/correlation'.*xu2024/correlations"):
        freezing.chosen(["xu2024/correlation"])


def test_just_what_was_asked_for_is_frozen(requires_data, own_data, tmp_path, capsys):
    expected, before = pd.read_csv(data_folder() / "frozen" / f"{QUICK}.csv"), freezing.index()
    freezing.freeze(["xu2024/agreement*"])
    pd.testing.assert_frame_equal(TABLES[QUICK].stored(), expected, rtol=1e-9)
    assert sorted(path.name for path in tmp_path.rglob("*.csv")) == ["agreement_with_released.csv", "index.csv"]
    assert "tables: 1; parts to compute: 17, in about" in capsys.readouterr().out
    after = freezing.index()
    assert after.loc[f"{QUICK}.csv", "code"] == freezing.origin(TABLES[QUICK])["code"]
    pd.testing.assert_frame_equal(after.drop(f"{QUICK}.csv"), before.drop(f"{QUICK}.csv"))


def test_a_slow_table_stands_where_its_spot_rows_come_out_the_same_and_else_is_computed_whole(own_data, monkeypatch):
    computed = []
    for module in (frozen, freezing):
        monkeypatch.setattr(module, "FROZEN", {})

    @frozen.frozen(inputs=[], slow=True, settings=[1, 2, 3], spot=[1, 2])
    def squares(number: int) -> pd.DataFrame:
        computed.append(number)
        return pd.DataFrame({"number": [number], "square": [number**2]})

    table = squares.table
    for name, known in (("all_tables", lambda: {table.name: table}), ("FROZEN", {table.name: table})):
        monkeypatch.setattr(freezing, name, known)
    monkeypatch.setattr(freezing, "code_of", lambda *_: "old")
    freezing.freeze(n_jobs=1)
    monkeypatch.setattr(freezing, "code_of", lambda *_: "new")
    assert list(freezing.stale()) == [table.name]

    def freeze():
        computed.clear()
        freezing.freeze(changed=True, n_jobs=1)
        return sorted(set(computed)), freezing.index().loc[f"{table.name}.csv", ["code", "checked"]].tolist()

    assert freeze() == ([1, 2], ["new", "spot"])
    assert freezing.stale() == {}
    assert freeze() == ([], ["new", "spot"])
    monkeypatch.setattr(freezing, "code_of", lambda *_: "newest")
    table.path.write_text("number,square\n1,1\n2,5\n3,9\n")
    assert freeze() == ([1, 2, 3], ["newest", "whole"])
    assert table.stored()["square"].tolist() == [1, 4, 9]


def test_freezing_without_data_writes_nothing(monkeypatch):
    monkeypatch.setattr(freezing, "is_there", lambda key: False)
    monkeypatch.setattr(freezing, "write_whole", lambda *_: pytest.fail("something was written"))
    first = min(key for table in TABLES.values() for key in table.inputs)
    with pytest.raises(DataError, match=rf"^{first} is not on this machine"):
        freezing.freeze()


# --- the hash changes with all that a value depends on, and with nothing else -----------------------------------------


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
