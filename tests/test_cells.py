"""Results that cells compute: read for the same code, arguments and values only, and computed for others."""

import json
import sys
import types

import pandas as pd
import pytest

from erralign.datasets.stimuli import TEXTURE_VS_SHAPE
from erralign_book import cells
from erralign_book.building import dependencies, freezing

CELL = '''
import numpy as np
import pandas as pd
from erralign_book import frozen

factor = 2
words = {"b", "a"}

def scaled(values):
    """Scale."""
    return values * factor  # by what was asked for

@frozen("some_page/squares", inputs=["xu2024/stylized"])
def squares():
    """Compute squares."""
    n = np.arange(3)  # a few
    return pd.DataFrame({"n": n, "square": scaled(n**2)}, index=sorted(words) + ["c"])
'''


@pytest.fixture
def data(tmp_path, monkeypatch):
    """Return a folder that stands for the package's data, and a switch: are the archives here?"""
    here = {"data": True}
    monkeypatch.setattr(cells, "data_folder", lambda: tmp_path / "data")
    monkeypatch.setattr(cells, "is_complete", lambda _: here["data"])
    monkeypatch.delenv(cells.FREEZE, raising=False)
    monkeypatch.delenv(cells.BUILD, raising=False)
    monkeypatch.setenv("ERRALIGN_OFFLINE", "1")
    return here


@pytest.fixture
def cell(tmp_path):
    """Return a function that runs a cell's text, with some of it replaced, and returns its names."""

    def run(*changes):
        text = CELL
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        file = tmp_path / f"cell{len(list(tmp_path.glob('cell*.py')))}.py"
        file.write_text(text)
        module = types.ModuleType("__main__")
        exec(compile(text, str(file), "exec"), vars(module))
        return module

    return run


def frozen_now(cell, monkeypatch, *changes):
    with monkeypatch.context() as patch:
        patch.setenv(cells.FREEZE, "1")
        return cell(*changes).squares()


def with_other_copy(data_folder, name, old, new):
    """Let a copy hold other numbers, as if these had been frozen."""
    path = data_folder / "frozen" / f"{name}.csv"
    path.write_text(path.read_text().replace(old, new))
    record = path.with_suffix(".json")
    record.write_text(json.dumps(json.loads(record.read_text()) | {"content": cells.content_hash(f"{name}.csv")}))


def test_the_copy_is_read_with_the_data_and_without_and_the_build_computes_the_same(cell, data, monkeypatch, tmp_path):
    frozen = frozen_now(cell, monkeypatch)
    assert frozen["square"].tolist() == [0, 2, 8]
    assert frozen.index.tolist() == ["a", "b", "c"]
    with monkeypatch.context() as patch:
        patch.setenv(cells.BUILD, "1")
        pd.testing.assert_frame_equal(cell().squares(), frozen)
    with_other_copy(tmp_path / "data", "some_page/squares", "8", "9")
    assert cell().squares()["square"].tolist() == [0, 2, 9]
    data["data"] = False
    assert cell().squares()["square"].tolist() == [0, 2, 9]
    frozen = cell().squares()
    pd.testing.assert_frame_equal(cells.table("some_page/squares"), frozen)


@pytest.mark.parametrize(
    ("old", "new", "is_stale"),
    [
        ("  # a few", "", False),
        ('"""Compute squares."""', '"""Squares."""', False),
        ('{"b", "a"}', '{"a", "b"}', False),
        ("n**2", "n**3", True),
        ("values * factor", "values + factor", True),
        ("factor = 2", "factor = 3", True),
        ('{"b", "a"}', '{"b", "d"}', True),
    ],
)
def test_nobody_gets_old_numbers_for_new_code_and_words_for_people_change_nothing(
    cell, data, monkeypatch, old, new, is_stale
):
    frozen = frozen_now(cell, monkeypatch)
    changed = cell((old, new))
    expected = cells.as_read(changed.squares.compute()) if is_stale else frozen
    pd.testing.assert_frame_equal(changed.squares(), expected)
    data["data"] = False
    if is_stale:
        with pytest.raises(cells.Stale, match=r"this cell is not the one that was frozen.*download xubinxia/"):
            changed.squares()
    else:
        pd.testing.assert_frame_equal(changed.squares(), expected)


def test_what_was_never_frozen_says_so(cell, data):
    data["data"] = False
    with pytest.raises(cells.Stale, match="nothing is frozen under this name"):
        cell().squares()
    with pytest.raises(ValueError, match="no frozen table is called 'some_page/cubes'"):
        cells.table("some_page/cubes")


def test_a_slow_one_is_read_and_computed_for_a_reader_who_changes_it(cell, data, monkeypatch, tmp_path, capsys):
    slow = ('"xu2024/stylized"]', '"xu2024/stylized"], slow=True')
    frozen_now(cell, monkeypatch, slow)
    assert cell(slow).squares()["square"].tolist() == [0, 2, 8]
    changed = cell(slow, ("factor = 2", "factor = 3"))
    assert changed.squares()["square"].tolist() == [0, 3, 12]
    assert "squares is computed, which took 0 seconds when it was frozen" in capsys.readouterr().out
    monkeypatch.setenv(cells.BUILD, str(tmp_path))
    with pytest.raises(cells.Stale, match="it is slow: freeze the page that computes it"):
        changed.squares()


def test_a_build_refuses_what_is_not_as_frozen(cell, data, monkeypatch, tmp_path):
    frozen_now(cell, monkeypatch)
    with_other_copy(tmp_path / "data", "some_page/squares", "8", "9")
    monkeypatch.setenv(cells.BUILD, str(tmp_path))
    with pytest.raises(cells.Stale, match="gives other numbers than when it was frozen"):
        cell().squares()
    with pytest.raises(cells.Stale, match="not as they were frozen; freeze the page"):
        cell(("factor = 2", "factor = 3")).squares()


def test_what_needs_a_network_is_computed_wherever_that_and_its_pictures_are(cell, data, monkeypatch, tmp_path, capsys):
    needs = ('"xu2024/stylized"]', '"xu2024/stylized"], needs=["json"]')
    frozen_now(cell, monkeypatch, needs)
    with_other_copy(tmp_path / "data", "some_page/squares", "8", "9")
    assert cell(needs).squares()["square"].tolist() == [0, 2, 8]
    assert "gives other numbers than when it was frozen" in capsys.readouterr().out
    data["data"] = False
    assert cell(needs).squares()["square"].tolist() == [0, 2, 9]


@pytest.mark.parametrize("damage", ["another number", "cut short", "no hash", "no record"])
def test_a_damaged_copy_is_never_read(cell, data, monkeypatch, tmp_path, damage):
    frozen = frozen_now(cell, monkeypatch)
    path = tmp_path / "data" / "frozen" / "some_page" / "squares.csv"
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"\n", b"\r\n"))  # as git writes it on Windows
    pd.testing.assert_frame_equal(cells.table("some_page/squares"), frozen)
    if damage == "another number":
        path.write_bytes(whole.replace(b"8", b"9"))
    elif damage == "cut short":
        path.write_bytes(whole[:-5])
    elif damage == "no record":
        path.with_suffix(".json").write_bytes(b'{"content": \xff')
    else:
        record = path.with_suffix(".json")
        record.write_text(
            json.dumps({name: what for name, what in cells.record("some_page/squares").items() if name != "content"})
        )
    readers = [cell().squares, lambda: cells.table("some_page/squares")]
    if damage == "no record":  # then the cell, whose text is not known to be that of the copy, is computed
        pd.testing.assert_frame_equal(readers.pop(0)(), frozen)
    for read in readers:
        with pytest.raises(ValueError, match=r"squares.csv is damaged.*erralign freeze"):
            read()
    pd.testing.assert_frame_equal(frozen_now(cell, monkeypatch), frozen)


def test_freezing_again_leaves_equal_numbers_and_puts_others_right(cell, data, monkeypatch, tmp_path):
    frozen_now(cell, monkeypatch)
    path = tmp_path / "data" / "frozen" / "some_page" / "squares.csv"
    before = path.stat().st_mtime_ns
    frozen_now(cell, monkeypatch, ("  # a few", ""))
    assert path.stat().st_mtime_ns == before
    frozen_now(cell, monkeypatch, ("factor = 2", "factor = 3"))
    assert cells.table("some_page/squares")["square"].tolist() == [0, 3, 12]


def test_what_cannot_be_hashed_is_named(cell, data):
    with pytest.raises(TypeError, match="uses words, a Generator, which cannot be hashed"):
        cell(('{"b", "a"}', "np.random.default_rng(0)")).squares()


# ---- calls with arguments --------------------------------------------------------------------------------------------

CALLED = """
import functools
import math
import numpy as np
import pandas as pd
from erralign_book import frozen

factor = 2
shift = 0
numbers = np.arange(3)

def doubled(values, by=factor):
    return values * by

def double(values):
    return doubled(values) + shift

def triple(values):
    return values + double(values)

def added(amount):
    def double(values):
        return values + amount
    return double

def negative(function):
    @functools.wraps(function)
    def wrapper(values):
        return -function(values)
    return wrapper

class Posing:
    __name__ = __qualname__ = "double"
    def __call__(self, values):
        return values + 5

@frozen("some_page/pairs")
def pairs_of(data_set, measure, most=3, guest=""):
    return pd.DataFrame({"value": measure(np.arange(most))})
"""
CALL = 'pairs_of("xu2024/stylized", double)'
COPY = "some_page/pairs/xu2024-stylized,double"


@pytest.fixture
def called(cell, data, monkeypatch, tmp_path):
    """Freeze one call, let its copy hold 7, and return a function that runs changed cells, with a line below them."""

    def run(line, *changes):
        monkeypatch.setattr(sys.modules[__name__], "CELL", f"{CALLED}\nresult = {line}\n")
        return cell(*changes).result["value"].tolist()

    with monkeypatch.context() as patch:
        patch.setenv(cells.FREEZE, "1")
        assert run(CALL) == [0, 2, 4]
    (tmp_path / "data" / "frozen" / f"{COPY}.csv").write_text("value\n7\n")
    with_other_copy(tmp_path / "data", COPY, "", "")
    return run


@pytest.mark.parametrize("here", [True, False])
def test_a_call_as_it_was_frozen_is_read_however_it_is_written(called, data, here):
    data["data"] = here
    assert called(CALL) == [7]
    assert called('pairs_of(measure=double, data_set="xu2024/stylized", most=int("3"))') == [7]
    assert called(
        'pairs_of("xu2024/stylized", double, guest="")', ("return values * by", "return values * by  # twice")
    ) == [7]


OTHERS = {
    "data": ('pairs_of("xu2024/rotation", double)', None, [0, 2, 4]),
    "number": ('pairs_of("xu2024/stylized", double, most=2)', None, [0, 2]),
    "function": ('pairs_of("xu2024/stylized", triple)', None, [0, 3, 6]),
    "of a package": ('pairs_of("xu2024/stylized", np.sqrt)', None, [0, 1, 2**0.5]),
    "lambda": ('pairs_of("xu2024/stylized", lambda values: values + 1)', None, [1, 2, 3]),
    "closure": ('pairs_of("xu2024/stylized", added(3))', None, [3, 4, 5]),
    "partial": ('pairs_of("xu2024/stylized", functools.partial(doubled, by=4))', None, [0, 4, 8]),
    "wrapped": ('pairs_of("xu2024/stylized", negative(double))', None, [0, -2, -4]),
    "object": ('pairs_of("xu2024/stylized", Posing())', None, [5, 6, 7]),
    "text of what it uses": (CALL, ("values * by", "values - by"), [-2, -1, 0]),
    "its default": (CALL, ("factor = 2", "factor = 5"), [0, 5, 10]),
    "a constant": (CALL, ("shift = 0", "shift = 1"), [1, 3, 5]),
    "text": (CALL, ("measure(np", "2 * measure(np"), [0, 4, 8]),
    "default": (CALL, ("most=3", "most=1"), [0]),
    "another np": (
        CALL,
        ("values * by", "values * by + math.pi"),
        [3.141592653589793, 5.141592653589793, 7.141592653589793],
    ),
}


@pytest.mark.parametrize(("line", "change", "expected"), OTHERS.values(), ids=OTHERS)
def test_another_call_is_computed_where_it_can_be_and_never_gives_old_numbers(
    called, data, monkeypatch, line, change, expected
):
    changes = [change] if change else []
    assert called(line, *changes) == pytest.approx(expected)
    data["data"] = False
    if not any(
        word in line for word in ("lambda", "added", "partial", "negative", "Posing")
    ):  # nothing is known of these
        with pytest.raises(cells.Stale, match=r"(?s)cannot be computed here.*archives.fetch\(.xubinxia"):
            called(line, *changes)
    monkeypatch.delenv("ERRALIGN_OFFLINE")  # then what is not here may be brought
    assert called(line, *changes) == pytest.approx(expected)


@pytest.mark.parametrize("when", [cells.BUILD, cells.FREEZE])
def test_of_what_cannot_be_hashed_no_page_of_the_book_is_made(called, monkeypatch, when):
    monkeypatch.setenv(when, "1")
    with pytest.raises(cells.Unknown, match="the argument measure is neither a word, a number nor a function"):
        called('pairs_of("xu2024/stylized", lambda values: values)')


def test_data_that_are_not_to_be_had_are_named(called, monkeypatch):
    def missing(values):
        raise cells.DataError("the archive is not on this machine")

    monkeypatch.setattr("builtins.missing", missing, raising=False)
    with pytest.raises(cells.Stale, match=r"pairs/xu2024-stylized,triple: nothing is frozen.*the archive is not on"):
        called('pairs_of("xu2024/stylized", triple)', ("values + double(values)", "missing(values)"))


def test_what_a_function_with_arguments_needs_is_handed_to_it(called):
    with pytest.raises(TypeError, match="reads numbers of the notebook; make it inside the function"):
        called(CALL, ("np.arange(most)", "numbers"))


def test_a_slow_call_is_read_and_what_a_reader_asks_for_is_computed(called, capsys):
    slow = ('"some_page/pairs"', '"some_page/pairs", slow=True')
    assert called(CALL, slow) == [7]
    assert called('pairs_of("xu2024/stylized", triple)', slow) == [0, 3, 6]
    assert "pairs_of is computed, which may take minutes" in capsys.readouterr().out


def test_two_calls_that_would_be_one_copy_are_refused(called, monkeypatch):
    monkeypatch.setenv(cells.FREEZE, "1")
    with pytest.raises(ValueError, match=f"two calls would both be frozen as {COPY}"):
        called(f"[{CALL}, setattr(doubled, '__defaults__', (9,)), {CALL}][0]")


def test_the_name_of_a_copy_says_which_arguments_are_no_defaults():
    @cells.frozen("page/table")
    def a_table(sets, measures, level=0.95, seed=0):
        pass

    calls = [a_table.of(("a/b", "c"), (len, max)), a_table.of(["a/b", "c"], [len, max], level=0.9, seed=-1)]
    names = ["page/table/a-b-c,len-max", "page/table/a-b-c,len-max,level=0-9,seed=-1"]
    assert [call.name for call in calls] == names
    assert a_table.of(["xu2024/sketch", "naep/history"], "EC").inputs == ["xu2024/sketch", "naep/history"]
    assert len(a_table.of(["a long name of a data set"] * 9, "EC").name) < 40


def test_freezing_a_page_finds_copies_of_calls_that_it_no_longer_makes(called, monkeypatch, tmp_path):
    monkeypatch.setattr(freezing, "data_folder", cells.data_folder)
    monkeypatch.setattr(dependencies, "homes", lambda: {"some_page/pairs": "some-page", "another/pairs": "another"})
    notes = tmp_path / "calls.txt"
    monkeypatch.setenv(cells.CALLS, str(notes))
    monkeypatch.setenv(cells.FREEZE, "1")
    called('pairs_of("xu2024/stylized", triple)')
    calls = notes.read_text().split()
    assert calls == ["some_page/pairs/xu2024-stylized,triple"]
    assert freezing.left_over("some-page", calls) == [COPY]
    assert freezing.left_over("another", calls) == []
    assert set(freezing.homeless()) == set()
    monkeypatch.setattr(dependencies, "homes", lambda: {"another/pairs": "another"})
    assert set(freezing.homeless()) == {COPY, *calls}


# ---- what networks answer: a part for each, near ties, other devices -------------------------------------------------


ANSWERS = """
import pandas as pd
from erralign_book import frozen

device = "cpu"
sure = {"a": [0.5, 0.9], "b": [0.3, 0.2], "mine": [0.7, 0.7]}

@frozen("some_page/answers", settings=["a", "b"], by=["network"], atol=1e-3, ties=["margin", "word"])
def answers(network):
    cat = pd.Series(sure[network])
    word = cat.gt(0.5).map({True: "cat", False: "dog"})
    table = pd.DataFrame({"image": ["x", "y"], "word": word, "margin": (2 * cat - 1).abs()})
    table.attrs["device"] = device
    return table
"""


@pytest.fixture
def answering(cell, data, monkeypatch):
    """Return a function that runs the cell of two networks' answers, after it was frozen."""
    monkeypatch.setattr(sys.modules[__name__], "CELL", ANSWERS)
    with monkeypatch.context() as patch:
        patch.setenv(cells.FREEZE, "1")
        assert cell().answers("b")["word"].tolist() == ["dog", "dog"]
    return cell


def test_a_part_is_read_computed_or_compared_and_what_is_no_part_of_the_book_is_only_computed(answering, monkeypatch):
    monkeypatch.setenv(cells.BUILD, "1")
    answers = answering().answers
    assert answers("a").to_dict("list") == {"image": ["x", "y"], "word": ["dog", "cat"], "margin": [0, 0.8]}
    assert answers("mine")["word"].tolist() == ["cat", "cat"]
    assert (answers.was_read, len(cells.table("some_page/answers"))) == (False, 4)
    monkeypatch.setattr(cells, "find_spec", lambda package: None)
    away = answering(('by=["network"]', 'needs=["torch"], by=["network"]')).answers
    pd.testing.assert_frame_equal(away("a"), answers("a"))
    assert away.was_read
    with pytest.raises(cells.Stale, match=r"not the one that was frozen.*cannot be computed here.*install torch"):
        answering(('"cat", False', '"bird", False'), ('by=["network"]', 'needs=["torch"], by=["network"]')).answers("a")


def test_words_that_are_nearly_tied_may_be_others_and_are_read_as_frozen(answering, monkeypatch):
    monkeypatch.setenv(cells.BUILD, "1")
    other = answering(("cat.gt(0.5)", "cat.round(3).ge(0.5)")).answers  # of the same text, as if on another machine
    text = cells.hashes(answering().answers.function)
    monkeypatch.setattr(cells, "hashes", lambda *_: text)
    assert other("a")["word"].tolist() == ["dog", "cat"]
    wrong = answering(("cat.gt(0.5)", "cat.gt(0.95)")).answers
    with pytest.raises(cells.Stale, match=r"other numbers than when it was frozen.*word"):
        wrong("a")


def test_elsewhere_than_on_a_processor_a_difference_is_shown_and_nothing_is_frozen(answering, monkeypatch, capsys):
    monkeypatch.setenv(cells.BUILD, "1")
    assert answering(('"cpu"', '"cuda"')).answers("a")["word"].tolist() == ["dog", "cat"]  # the device is no value
    assert capsys.readouterr().out == ""
    text = cells.hashes(answering().answers.function)
    monkeypatch.setattr(cells, "hashes", lambda *_: text)
    assert answering(('"cpu"', '"cuda"'), ("cat.gt(0.5)", "cat.gt(0.95)")).answers("a")["word"].tolist()[1] == "cat"
    assert "On cuda some numbers are others than on the processor" in capsys.readouterr().out
    monkeypatch.setenv(cells.FREEZE, "1")
    with pytest.raises(cells.Stale, match="computed on cuda; freeze it on the processor"):
        answering(('"cpu"', '"cuda"')).answers("a")


def test_a_folder_of_an_archive_is_an_input_by_itself(requires_data):
    edges = cells.Result("x", print, inputs=["geirhos2020/edges", f"{TEXTURE_VS_SHAPE}:stimuli/edges"])
    assert edges.can_be_computed()
    assert TEXTURE_VS_SHAPE in cells.archives_of(edges.inputs)
    nowhere = cells.Result("x", print, inputs=[f"{TEXTURE_VS_SHAPE}:stimuli/edge"])
    with pytest.raises(ValueError, match="lists nothing below stimuli/edge in rgeirhos"):
        nowhere.can_be_computed()


def test_a_chapter_that_runs_networks_depends_on_whether_they_are_here(monkeypatch):
    with_networks = dependencies.networks('needs=["torch"]')
    assert {"torch", "timm"} <= with_networks.keys()
    monkeypatch.setattr(dependencies, "distributions", lambda name: [])
    assert dependencies.networks('needs=["torch"]')["torch"] == []
    assert dependencies.networks("torches = 2") == {}
