"""Frozen results equal fresh ones, and say what they were made from."""

import sys

import numpy as np
import pandas as pd
import pytest
from conftest import TABLES, is_unchanged

from erralign._validation import DataError
from erralign.datasets import archives
from erralign.datasets.xu2024 import ERROR_ALIGN
from erralign_book.files import data_folder
from erralign_book.papers import frozen

SLOW = [name for name in TABLES if TABLES[name].slow]
# Even one of their settings takes half a minute or more.
LONG = {"coverage/means", "coverage/clusters"}
LONG |= {"klabunde2024/graph_pairs", "klabunde2024/language_pairs"}


def spot_rows():
    """One setting of each slow table for every day, its others and those of the longest for the week."""
    for name in SLOW:
        for place, setting in enumerate(TABLES[name].spot):
            weekly = place > 0 or name in LONG
            yield pytest.param(name, setting, marks=[pytest.mark.weekly] if weekly else [])


def changed(name, request):
    """Return a table that has to be computed here; skip the test of one that has not, or cannot be."""
    table = TABLES[name]
    if not request.config.option.all and is_unchanged(name):
        pytest.skip("code, inputs, content and libraries are those of data/frozen/index.csv (--all computes it)")
    if "torch" in table.needs:
        request.getfixturevalue("requires_models")
    if not all(map(archives.is_complete, table.inputs)):
        pytest.skip("an offline copy lacks members that it reads; `erralign fetch` brings them")
    return table


@pytest.mark.parametrize("name", [name for name in TABLES if name not in SLOW])
def test_frozen_equals_fresh(requires_data, request, name):
    """What a caller gets where the data are is computed, once per process."""
    table = changed(name, request)
    assert table.can_be_computed()
    computed = getattr(sys.modules[table.function.__module__], table.function.__name__)()
    assert table.difference(computed, table.stored()) == ""


@pytest.mark.parametrize(("name", "setting"), list(spot_rows()))
def test_spot_rows_of_a_slow_table_equal_fresh_ones(requires_data, request, name, setting):
    table = changed(name, request)
    assert table.spot_difference(table.part(setting)) == ""


def test_no_frozen_file_without_a_function():
    folder = data_folder() / "frozen"
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    measured = {file for file in files if file.startswith(("benchmarks/", "scale/"))}
    records = {file for file in files if file.endswith(".json")}  # of what cells freeze: test_cells.py
    of_cells = records | {file.replace(".json", ".csv") for file in records}
    of_tables = {f"{name}{table.form.ending}" for name, table in TABLES.items()}
    assert files - measured - of_cells - {"index.csv"} == of_tables


def test_a_missing_frozen_file_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(frozen, "data_folder", lambda: tmp_path)
    with pytest.raises(FileNotFoundError, match=r"frozen/coverage/means.csv"):
        TABLES["coverage/means"].stored()
    with pytest.raises(FileNotFoundError, match=r"frozen/benchmarks/pairs.csv"):
        frozen.measured("benchmarks", "pairs")


# ---- the decorator -----------------------------------------------------------------------------------------------


@pytest.fixture
def own_folder(monkeypatch, tmp_path):
    """Return a folder that stands for the package's data."""
    monkeypatch.setattr(frozen, "data_folder", lambda: tmp_path)
    monkeypatch.setattr(frozen, "FROZEN", {})
    return tmp_path


def stored(folder, table, result):
    path = folder / "frozen" / f"{table.name}{table.form.ending}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(table.form.written(result))


def test_a_table_is_the_parts_of_its_settings_in_their_order_and_callers_cannot_change_it(own_folder):
    @frozen.frozen(inputs=[], settings=lambda: [3, 1])
    def squares(number: int) -> pd.DataFrame:
        return pd.DataFrame({"number": [number], "square": [number**2]})

    mine = squares()
    mine.loc[0, "square"] = 2
    assert squares().to_dict("list") == {"number": [3, 1], "square": [9, 1]}
    assert squares.table.name == "test_frozen/squares"


def test_a_build_computes_a_table_once_and_refuses_numbers_that_are_not_as_frozen(own_folder, tmp_path, monkeypatch):
    monkeypatch.setenv(frozen.BUILD, str(tmp_path))
    computed = []

    @frozen.frozen(inputs=[])
    def numbers() -> pd.DataFrame:
        computed.append(1)
        return pd.DataFrame({"number": [1.0]})

    stored(own_folder, numbers.table, pd.DataFrame({"number": [1.001]}))
    with pytest.raises(ValueError, match="not as frozen: run `erralign freeze test_frozen/numbers`"):
        numbers()
    stored(own_folder, numbers.table, pd.DataFrame({"number": [1.0]}))
    assert numbers().equals(numbers.table.fresh_in_this_build())  # as another chapter of the same build
    assert len(computed) == 2  # the first time it was refused


def test_arrays_are_frozen_as_npz_and_rows_of_a_setting_found_among_them(own_folder):
    @frozen.frozen(inputs=[], slow=True, settings=[2, 3], spot=[3])
    def counted(n: int) -> dict[str, np.ndarray]:
        return {"n": np.full(n, n, dtype=np.int8), "numbers": np.arange(n) / n}

    stored(own_folder, counted.table, counted.table.fresh())
    assert (own_folder / "frozen" / "test_frozen" / "counted.npz").is_file()
    assert counted()["numbers"].tolist() == [0, 0.5, 0, 1 / 3, 2 / 3]
    assert counted()["n"].dtype == np.int8
    part = counted.table.function(3)
    assert counted.table.spot_difference(part) == ""
    assert "numbers" in counted.table.spot_difference(part | {"numbers": np.arange(3) / 4})


@pytest.mark.parametrize("options", [{"needs": ["no_such_package"]}, {"slow": True}])
def test_the_frozen_copy_is_read_where_a_package_is_missing_or_the_work_slow(own_folder, options):
    @frozen.frozen(inputs=[], **options)
    def constant() -> pd.DataFrame:
        return pytest.fail("it was computed")

    stored(own_folder, constant.table, pd.DataFrame({"value": [7]}))
    assert constant()["value"].tolist() == [7]
    assert frozen.road(constant) == "read from the frozen results: test_frozen/constant"


def test_a_missing_member_is_an_error_unless_copies_may_lack_it(requires_data, monkeypatch):
    key, entry = ERROR_ALIGN, {"size": 1, "sha256": "0"}
    members = archives.manifest()[key]["members"] | {"data/more.npy": entry}
    monkeypatch.setattr(archives, "manifest", lambda: {key: {"members": members}})
    with pytest.raises(DataError, match=r"data/more.npy of xubinxia/error_align@.* is missing"):
        archives.is_complete(key)
    entry["not_in_copy"] = True
    assert not archives.is_complete(key)
