"""Public names are those that the pages of functions list, typed and documented in full. Examples run."""

import doctest
import importlib
import inspect
import re

import pytest
from conftest import ROOT
from test_house import MODULES

import erralign

# Modules whose functions each show an example.
WITH_EXAMPLES = ("measures", "grounding", "triplets")


# --- the pages of functions are the list of public names --------------------------------------------------------------

PAGE = "\n".join(path.read_text() for path in sorted((ROOT / "notebooks").glob("functions*.md")))
LISTED = re.findall(r"^\.\. auto\w+:: (erralign[\w.]*)\.(\w+)(?:\n   :members: (.*))?", PAGE, flags=re.M)
ROOMS = sorted({module for module, _, _ in LISTED if module.startswith("erralign.")})


def listed(module):
    return {name for home, name, _ in LISTED if home == module}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_shows_what_the_page_lists(room):
    module = importlib.import_module(room)
    both = listed("erralign") & {*module.__all__}
    short = {name for name in both if getattr(module, name) is getattr(erralign, name)}
    assert set(module.__all__) == listed(room) | short
    assert dir(module) == sorted(module.__all__)


def test_the_front_shows_what_the_page_lists_and_the_rooms():
    assert set(erralign.__all__) == listed("erralign") | set(re.findall(r"`erralign\.([A-Z]+)\b", PAGE))
    assert set(dir(erralign)) == {*erralign.__all__, *(room.removeprefix("erralign.") for room in ROOMS)}


# --- documented in full -----------------------------------------------------------------------------------------------


def public():
    """Yield what the page lists: functions, classes, and the methods that it names, but for errors and properties."""
    for module, name, members in LISTED:
        if name == "DataError":
            continue
        found = getattr(importlib.import_module(module), name)
        methods = [getattr(found, member) for member in members.split(", ") if members]
        yield from (found, *(each for each in methods if callable(each)))


def described(text, section):
    """Return the names that a section of a docstring describes."""
    found = re.search(rf"^{section}\n-+\n(.*?)(?=\n\n\w+( \w+)*\n-+$|\Z)", text, flags=re.M | re.S)
    heads = re.findall(r"^[\w*].*", found[1], flags=re.M) if found else []
    return {name.strip("* ") for head in heads for name in head.partition(" : ")[0].split(",")}


def lacking(each):
    """Return what the docstring of a public function, method or class lacks."""
    text, signature = inspect.getdoc(each) or "", inspect.signature(each)
    arguments = {name: given for name, given in signature.parameters.items() if name != "self"}
    shows_how = each.__qualname__ == each.__name__ and each.__module__.split(".")[1] in WITH_EXAMPLES
    returns = not inspect.isclass(each) and signature.return_annotation not in (None, "None")
    return [
        *(f"no word on {name}" for name in sorted(arguments.keys() - described(text, "Parameters"))),
        *(f"no type of {name}" for name, given in arguments.items() if given.annotation is inspect.Parameter.empty),
        *(["Returns"] if returns and not described(text, "Returns") else []),
        *(["an example"] if shows_how and not inspect.isclass(each) and ">>>" not in text else []),
    ]


def test_public_names_are_documented_in_full():
    documented = {f"{each.__module__}.{each.__qualname__}": lacking(each) for each in public()}
    assert len(documented) > 100
    assert {name: lacks for name, lacks in documented.items() if lacks} == {}


# Result tables are computed where the data are; simulations take seconds.
LONG = {"erralign_book.studies.observers", "erralign.planning.consistency"}
SHOWN = [name for name, file in MODULES.items() if ">>>" in file.read_text()]
MARKED = [pytest.param(name, marks=[pytest.mark.slow] * (".papers" in name or name in LONG)) for name in SHOWN]


@pytest.mark.parametrize("name", MARKED)
def test_examples_run(name, own):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
