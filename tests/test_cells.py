"""Results that cells compute: read where the data are not, for the same code and values only."""

import sys
import types

import pandas as pd
import pytest

from erralign.datasets.stimuli import TEXTURE_VS_SHAPE
from erralign_book import cells
from erralign_book.building import dependencies

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


def test_it_is_computed_where_the_data_are_and_read_elsewhere_in_one_form(cell, data, monkeypatch):
    frozen = frozen_now(cell, monkeypatch)
    assert frozen["square"].tolist() == [0, 2, 8]
    assert frozen.index.tolist() == ["a", "b", "c"]
    pd.testing.assert_frame_equal(cell().squares(), frozen)
    data["data"] = False
    pd.testing.assert_frame_equal(cell().squares(), frozen)
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


def test_a_slow_one_is_read_and_a_reader_may_compute_it(cell, data, monkeypatch):
    slow = ('"xu2024/stylized"]', '"xu2024/stylized"], slow=True')
    frozen_now(cell, monkeypatch, slow)
    assert cell(slow).squares()["square"].tolist() == [0, 2, 8]
    changed = cell(slow, ("factor = 2", "factor = 3"))
    with pytest.raises(cells.Stale, match=r"call squares.compute\(\)"):
        changed.squares()
    assert changed.squares.compute()["square"].tolist() == [0, 3, 12]


def test_a_build_refuses_what_is_not_as_frozen(cell, data, monkeypatch, tmp_path, capsys):
    frozen_now(cell, monkeypatch)
    path = tmp_path / "data" / "frozen" / "some_page" / "squares.csv"
    path.write_text(path.read_text().replace("8", "9"))
    cell().squares()
    assert "gives other numbers than when it was frozen" in capsys.readouterr().out
    monkeypatch.setenv(cells.BUILD, str(tmp_path))
    with pytest.raises(cells.Stale, match="gives other numbers than when it was frozen"):
        cell().squares()
    with pytest.raises(cells.Stale, match="not as they were frozen; freeze the page"):
        cell(("factor = 2", "factor = 3")).squares()


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
