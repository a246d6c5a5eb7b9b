"""Every chapter checks the values of its parameters; test_executions.py runs it with them."""

import re
from pathlib import Path

import jupytext
import pytest
import yaml
from conftest import ROOT
from test_chapters import BOOK, WITH_CODE, code, tags

from erralign_book.building import chapters

# Chapter -> parameter -> a second legal value, a third one and an illegal one; and what the page says under the second.
CHAPTERS = yaml.safe_load(Path(__file__).with_name("parameters.yml").read_text())
SAYS = {name: (each.pop("SAYS", []), each.pop("NO LONGER", [])) for name, each in CHAPTERS.items()}
VALUES = {name: {parameter: tuple(values) for parameter, values in each.items()} for name, each in CHAPTERS.items()}


def check_cells(name):
    return [cell for cell in code(name) if "check" in tags(cell)]


@pytest.mark.parametrize("name", WITH_CODE)
def test_a_hidden_cell_behind_the_parameters_checks_each_of_them(name):
    (cell,) = check_cells(name)
    assert code(name)[2] is cell
    assert "remove-cell" in tags(cell)
    assert set(chapters.parameters(BOOK[name])) == set(VALUES[name])
    for parameter in VALUES[name]:
        assert re.search(rf'check_\w+\("{parameter}"', cell.source), parameter


@pytest.mark.parametrize("name", VALUES)
def test_legal_values_pass_and_an_illegal_one_gets_our_error_before_anything_is_executed(name, monkeypatch):
    monkeypatch.setattr(jupytext, "read", lambda _: BOOK[name])  # once
    for place in (0, 1):
        legal = {parameter: values[place] for parameter, values in VALUES[name].items()}
        assert chapters.check_requests({name: legal}, ROOT) == {name: legal}
    for parameter, (*_, value) in VALUES[name].items():
        shown = value[0] if isinstance(value, list) else value
        said = rf"^{parameter} is {re.escape(repr(shown))}; (expected|did) "
        with pytest.raises((ValueError, TypeError), match=said):
            chapters.check_requests({name: {parameter: value}}, ROOT)
