"""Freezing: what is stale is named, what was asked for is computed."""

import pandas as pd
import pytest
from conftest import ROOT

from erralign._validation import DataError
from erralign.files import write_whole
from erralign_book.building import freezing
from erralign_book.files import data_folder
from erralign_book.papers import frozen

TABLES = freezing.all_tables()
QUICK = "geirhos2020/camps"


def test_no_table_is_stale():
    assert list(freezing.stale().values()) == []


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


# ---- what is computed --------------------------------------------------------------------------------------------


def test_patterns_choose_tables_and_an_unknown_one_is_answered_with_the_nearest_names():
    assert list(freezing.chosen(["labs/err*", "coverage/means"])) == ["coverage/means", "labs/errors"]
    assert freezing.chosen([]) == TABLES
    with pytest.raises(ValueError, match=r"no result table is called 'labs/error'.*labs/errors"):
        freezing.chosen(["labs/error"])


def test_just_what_was_asked_for_is_frozen(requires_data, own_data, tmp_path):
    expected, before = pd.read_csv(data_folder() / "frozen" / f"{QUICK}.csv"), freezing.index()
    for file in TABLES[QUICK].tables:
        write_whole(own_data / file, (ROOT / "data" / "frozen" / file).read_bytes())
    freezing.freeze(["geirhos2020/camp*"])
    pd.testing.assert_frame_equal(TABLES[QUICK].stored(), expected, rtol=1e-9)
    assert sorted(path.name for path in tmp_path.rglob("*.csv")) == ["camps.csv", "index.csv"]
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
    monkeypatch.setattr(freezing, "hash_of_text", lambda *_: "old")
    freezing.freeze(n_jobs=1)
    monkeypatch.setattr(freezing, "hash_of_text", lambda *_: "new")
    assert list(freezing.stale()) == [table.name]

    def freeze():
        computed.clear()
        freezing.freeze(changed=True, n_jobs=1)
        return sorted(set(computed)), freezing.index().loc[f"{table.name}.csv", ["code", "checked"]].tolist()

    assert freeze() == ([1, 2], ["new", "spot"])
    assert freezing.stale() == {}
    assert freeze() == ([], ["new", "spot"])
    monkeypatch.setattr(freezing, "hash_of_text", lambda *_: "newest")
    table.path.write_text("number,square\n1,1\n2,5\n3,9\n")
    assert freeze() == ([1, 2, 3], ["newest", "whole"])
    assert table.stored()["square"].tolist() == [1, 4, 9]


def test_freezing_without_data_writes_nothing(monkeypatch):
    monkeypatch.setattr(freezing, "is_there", lambda key: False)
    monkeypatch.setattr(freezing, "write_whole", lambda *_: pytest.fail("something was written"))
    first = min(key for table in TABLES.values() for key in table.inputs)
    with pytest.raises(DataError, match=rf"^{first} is not on this machine"):
        freezing.freeze()
