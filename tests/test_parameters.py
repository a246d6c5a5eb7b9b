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
CHAPTERS = {name: {} for name in WITH_CODE} | yaml.safe_load(Path(__file__).with_name("parameters.yml").read_text())
SAYS = {name: (each.pop("SAYS", []), each.pop("NO LONGER", [])) for name, each in CHAPTERS.items()}
VALUES = {name: {parameter: tuple(values) for parameter, values in each.items()} for name, each in CHAPTERS.items()}


@pytest.mark.parametrize("name", WITH_CODE)
def test_a_hidden_cell_behind_the_parameters_checks_each_of_them(name):
    named, parameters = VALUES[name], chapters.parameters(BOOK[name])
    assert set(parameters) == set(named), f"tests/parameters.yml names three values for each parameter of {name}"
    assert [code(name)[2]] * bool(named) == [cell for cell in code(name) if "check" in tags(cell)]
    for parameter in named:
        assert "remove-cell" in tags(code(name)[2])
        assert re.search(rf'check_\w+\("{parameter}"', code(name)[2].source), parameter


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
