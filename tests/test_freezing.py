"""Freezing the results of scripts: what is stale is named, what was asked for is computed."""

import numpy as np
import pandas as pd
import pytest

from erralign._validation import DataError
from erralign.datasets import archives
from erralign.datasets.xu2024 import ERROR_ALIGN
from erralign_book import cells
from erralign_book.building import freezing
from erralign_book.files import data_folder

RESULTS = freezing.of_scripts()
STALE = freezing.stale()
# Even one of their settings takes half a minute or more.
LONG = {"coverage/means", "coverage/clusters", "klabunde2024/graph_pairs.npz", "klabunde2024/language_pairs.npz"}


def test_no_result_is_stale():
    assert list(STALE.values()) == []


def test_no_frozen_file_without_a_record_and_no_record_without_a_file():
    folder = data_folder() / "frozen"
    files = {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}
    files = {path for path in files if path.parts[0] not in ("benchmarks", "scale")}  # measured, not computed
    records = {path.with_suffix("") for path in files if path.suffix == ".json"}
    assert {path.with_suffix("") for path in files if path.suffix != ".json"} == records


def test_every_copy_is_the_table_that_was_frozen_and_something_computes_it():
    assert [copy for copy in freezing.copies() if not cells.is_whole(copy)] == []
    assert freezing.homeless() == []


# Tables with two intervals, or a second number, before the interval of the first.
OF = {"odd_one_out/beside_people": "lead", "xu2024/mantel": "r"}


def intervals(name, frozen):
    """Yield the columns of a value and of its interval: X, X_low and X_high, or the one beside low and high."""
    for low in frozen.columns[frozen.columns.str.fullmatch("(.*_)?low")]:
        high, value = low.removesuffix("low") + "high", low.removesuffix("_low")
        if low == "low":
            floats = frozen.loc[:, :high].select_dtypes("float").columns.difference([low, high], sort=False)
            value = OF.get(name) or ("value" if "value" in frozen else floats[-1] if len(floats) else "")
        if high in frozen:
            yield value if value in frozen else low, low, high


def test_every_frozen_value_is_inside_its_own_interval():
    checked, outside = 0, []
    for name in freezing.copies():
        if cells.is_frozen(name):
            continue
        frozen = cells.table(name).rename(columns=str)
        for value, low, high in intervals(name, frozen):
            checked += value != low
            ends = frozen[low] - 1e-9, frozen[high] + 1e-9
            inside = frozen[value].between(*ends) | frozen[[value, low, high]].isna().any(axis=1)
            if not inside.all():
                outside.append(f"{name}: {value} of row {inside.argmin() + 1}")
    assert (checked > 80, outside) == (True, [])


# ---- the copies ----------------------------------------------------------------------------------------------------


def spot_rows():
    """One setting of each result for every day, its others and those of the longest for the week."""
    for name, result in RESULTS.items():
        for place, setting in enumerate(result.spot or [None]):
            weekly = place > 0 or name in LONG
            yield pytest.param(name, setting, marks=[pytest.mark.weekly] if weekly else [])


@pytest.mark.parametrize(("name", "setting"), list(spot_rows()))
def test_spot_rows_equal_fresh_ones(requires_data, request, name, setting):
    result = RESULTS[name]
    if not request.config.option.all and name not in STALE:
        pytest.skip("code, values, inputs and content are those of its record (--all computes it)")
    if "torch" in result.needs:
        request.getfixturevalue("requires_models")
    if not all(map(archives.is_complete, cells.archives_of(result.inputs))):
        pytest.skip("an offline copy lacks members that it reads; `erralign fetch` brings them")
    if result.settings:
        assert result.difference_of_part(setting, result.part(setting)) == ""
    else:
        assert result.difference(cells.as_read(result.compute())) == ""


# ---- what is stale, and what is computed -----------------------------------------------------------------------------


@pytest.fixture
def squares(own_data, monkeypatch):
    """Freeze two results, the second of which reads the first; return what freezes again and says what it computed."""
    computed = []

    @cells.frozen("study/squares.npz", slow=True, settings=range(1, 4), spot=[1, 2])
    def squares(number):
        computed.append(number)
        return {"number": np.full(number, number), "square": np.arange(number) ** 2.0}

    @cells.frozen("study/sums", inputs=["study/squares.npz"], settings=["sum", "most"], by=["of"])
    def sums(of):
        computed.append(of)
        square = cells.table("study/squares.npz")["square"]
        return pd.DataFrame({"value": [square.sum() if of == "sum" else square.max()]})

    def freeze(**how):
        computed.clear()
        freezing.freeze(n_jobs=1, **how)
        assert freezing.stale() == {}
        return sorted(map(str, computed))

    monkeypatch.setattr(freezing, "of_scripts", lambda: {result.name: result for result in (squares, sums)})
    assert freeze() == ["1", "2", "3", "most", "sum"]
    return freeze


def with_other_code(monkeypatch, function):
    """Let a function be another than when it was frozen."""
    hashes = cells.hashes

    def other(one, *more):
        if one.__name__ != function:
            return hashes(one, *more)
        return hashes(one, *more) | {"text": "other"}

    monkeypatch.setattr(cells, "hashes", other)


def test_parts_are_joined_in_their_order_and_what_reads_them_comes_after_them(squares):
    copy = cells.table("study/squares.npz")
    assert copy["number"].tolist() == [1, 2, 2, 3, 3, 3]
    assert copy["square"].tolist() == [0, 0, 1, 0, 1, 4]
    assert cells.table("study/sums").to_dict("list") == {"of": ["sum", "most"], "value": [6, 4]}
    assert freezing.stale() == {}
    assert squares(changed=True) == []


def test_new_code_stands_where_spot_rows_come_out_the_same(squares, monkeypatch):
    with_other_code(monkeypatch, "squares")
    assert list(freezing.stale()) == ["study/squares.npz"]
    assert squares(changed=True) == ["1", "2"]


@pytest.mark.parametrize("other", [[1, 1, 1, 0, 1, 4], [0, 0, 1, 0, 1, 5]], ids=["of the spot", "of another setting"])
def test_other_content_is_put_right_and_makes_what_reads_it_stale(squares, own_data, other):
    copy = cells.table("study/squares.npz")
    with (own_data / "study" / "squares.npz").open("wb") as file:
        np.savez(file, number=copy["number"], square=np.array(other, float))
    messages = freezing.stale()
    assert "content changed" in messages["study/squares.npz"]
    assert "inputs changed" in messages["study/sums"]
    assert squares(changed=True) == ["1", "2", "3", "most", "sum"]
    assert cells.table("study/squares.npz")["square"].tolist() == [0, 0, 1, 0, 1, 4]


def test_other_archives_make_a_result_stale(monkeypatch):
    other = dict.fromkeys(freezing.manifest(), "other")
    monkeypatch.setattr(freezing, "manifest", lambda: other)
    with_archives = {name for name, result in RESULTS.items() if cells.archives_of(result.inputs)}
    assert {name for name, message in freezing.stale().items() if "inputs changed" in message} == with_archives


def test_patterns_choose_results_and_an_unknown_one_is_answered_with_the_nearest_names():
    assert list(freezing.chosen(["labs/err*", "coverage/means"])) == ["coverage/means", "labs/errors"]
    assert freezing.chosen([]) == RESULTS
    with pytest.raises(ValueError, match=r"no result table is called 'labs/error'.*labs/errors"):
        freezing.chosen(["labs/error"])


def test_freezing_without_data_writes_nothing(monkeypatch):
    monkeypatch.setattr(freezing, "is_there", lambda key: False)
    monkeypatch.setattr(cells, "write_whole", lambda *_: pytest.fail("something was written"))
    first = min(key for result in RESULTS.values() for key in cells.archives_of(result.inputs))
    with pytest.raises(DataError, match=rf"^{first} is not on this machine"):
        freezing.freeze()


def test_a_share_of_answers_may_be_others_but_no_number():
    frozen = {"answers": np.arange(100), "values": np.ones(100)}
    near_tie = frozen | {"answers": np.where(np.arange(100) == 3, 4, np.arange(100))}
    assert cells._differs(near_tie, frozen, 0.01, 0) == ""
    assert "whole numbers" in cells._differs(near_tie, frozen, 0.001, 0)
    assert "values" in cells._differs(frozen | {"values": np.full(100, 1.02)}, frozen, 0.01, 0)


def test_a_missing_member_is_an_error_unless_copies_may_lack_it(requires_data, monkeypatch):
    key, entry = ERROR_ALIGN, {"size": 1, "sha256": "0"}
    members = archives.manifest()[key]["members"] | {"data/more.npy": entry}
    monkeypatch.setattr(archives, "manifest", lambda: {key: {"members": members}})
    with pytest.raises(DataError, match=r"data/more.npy of xubinxia/error_align@.* is missing"):
        archives.is_complete(key)
    entry["not_in_copy"] = True
    assert not archives.is_complete(key)
