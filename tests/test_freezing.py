"""Freezing: what is stale is named, and what was asked for is computed."""

import shutil

import pandas as pd
import pytest
from conftest import ROOT

from erralign.errors import DataError
from erralign.files import write_whole
from erralign.sources.archives import data_folder
from erralign_book.building import freezing
from erralign_book.papers import code, frozen

TABLES = freezing.all_tables()
SLOW = {name for name, table in TABLES.items() if table.slow}
QUICK = "xu2024/agreement_with_released"


def test_no_table_is_stale():
    assert list(freezing.stale().values()) == []


def test_the_index_knows_every_table_and_its_function():
    functions = {origin["file"]: origin["function"] for origin in map(freezing.origin, TABLES.values())}
    assert freezing.index()["function"].to_dict() == functions


@pytest.fixture
def changed(tmp_path):
    """Return a function that copies the packages with one text replaced."""

    def change(file, old, new):
        for package in code.PACKAGES:
            shutil.copytree(package, tmp_path / package.name, ignore=shutil.ignore_patterns("__pycache__", "_data"))
        text = (tmp_path / file).read_text()
        assert old in text
        (tmp_path / file).write_text(text.replace(old, new))
        return tuple(tmp_path / package.name for package in code.PACKAGES)

    return change


@pytest.mark.slow
def test_a_changed_line_names_the_tables_that_depend_on_it(changed, monkeypatch):
    as_they_are = pd.DataFrame(map(freezing.origin, TABLES.values())).set_index("file")
    monkeypatch.setattr(freezing, "index", lambda: as_they_are)
    assert freezing.stale() == {}
    packages = changed("erralign_book/simulations/coverage/worlds.py", "hermegauss(80)", "hermegauss(81)")
    names = [f"coverage/{name}" for name in ("means", "differences", "clusters")]
    said = "code changed since it was frozen: run `erralign freeze --changed"
    assert freezing.stale(packages) == {name: f"{name}: {said} {name}`" for name in names}


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
        said = {file.rpartition(".")[0] for file in TABLES[name].tables}
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


@pytest.fixture
def squares(own_data, monkeypatch):
    """Return a slow table that was frozen with other code, the settings that are computed now, and what freezes it."""
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

    return table, freeze


def test_a_slow_table_stands_where_its_spot_rows_come_out_the_same_and_else_is_computed_whole(squares, monkeypatch):
    table, freeze = squares
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
