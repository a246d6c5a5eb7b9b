"""Public names stay, are typed and documented in full; all others in a sentence or two. Examples run."""

import ast
import doctest
import importlib
import inspect
import re
from functools import cache

import pytest
from conftest import ROOT
from test_house import MODULES, trees

import erralign

# Modules whose functions each show an example.
WITH_EXAMPLES = ("measures", "grounding", "triplets")
MOST_LINES = 8  # of a docstring that is not public: two sentences, and a formula
# Names of arguments in the order in which every signature has them, first those by place: another one breaks calls.
BY_PLACE = """
build findings head heads pairs representations features name names paper path crowd logits other a model scores
data_sets frame value mine comparison exercise folder y_true people pictures table errors_a x X expected
similarities system_a matrix_a p_values similarity outputs_a right values probabilities systems responses
data_set truth members b images caption low theirs answer y_a p_a errors_b y Y n_trials system_b matrix_b
differences groups outputs_b triplets loss strength answers mapping high y_b p_b n_errors measures ec accuracies
p_copy penalty reference odd kind digits agreement accuracy accuracy_a criterion choices measure shares
accuracy_b temperature temperatures title weights width power
"""
OPTIONS = """
measures with_ level prior adjust design_effect n_classes clusters
n_sets n_resamples n_permutations rng n_jobs scheduler replace_undefined_by
"""
# Arguments of one meaning have one name.
NOT_NAMES = {"jobs", "cluster", "seed", "random_state", "n_boot", "n_classes_", "confidence", "confidence_level"}


def test_arguments_keep_their_names_and_have_one_order():
    """In all that the pages of functions list."""
    order_by_place, order = BY_PLACE.split(), OPTIONS.split()
    for each in public():
        given = inspect.signature(each).parameters
        assert NOT_NAMES.isdisjoint(given), each
        options = [name for name in given if name in order]
        assert options == sorted(options, key=order.index), each
        by_place = [name for name, how in given.items() if how.kind is how.POSITIONAL_OR_KEYWORD and name != "self"]
        assert inspect.isclass(each) or by_place == sorted(by_place, key=order_by_place.index), each


# --- the pages of functions are the list of public names --------------------------------------------------------------

PAGE = "\n".join(path.read_text() for path in sorted((ROOT / "notebooks").glob("functions*.md")))
LISTED = re.findall(r"^\.\. auto\w+:: (erralign[\w.]*)\.(\w+)(?:\n   :members: (.*))?", PAGE, flags=re.M)
ROOMS = sorted({module for module, _, _ in LISTED} - {"erralign"})


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


# --- documented in full, or in a sentence or two ----------------------------------------------------------------------


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


@cache
def functions():
    nodes = ((name, node) for name, tree in trees().items() for node in ast.walk(tree))
    return [(f"{name}.{node.name}", node) for name, node in nodes if isinstance(node, ast.FunctionDef)]


def test_all_others_are_documented_in_a_sentence_or_two():
    known = {name for _, name, members in LISTED for name in (name, *members.split(", "))}
    known |= {"frozen", "table", "printed", "beside", "released", "reproduced"}  # what cells of chapters call
    told = {name: ast.get_docstring(node) or "" for name, node in functions() if node.name not in known}
    assert [name for name, text in told.items() if "\n---" in text or len(text.splitlines()) > MOST_LINES] == []


def test_all_functions_that_others_may_call_say_what_they_return():
    assert [name for name, node in functions() if not node.returns and not node.name.startswith("_")] == []


# Result tables are computed where the data are; simulations take seconds.
LONG = {"erralign.significance.observers", "erralign.planning.consistency"}
SHOWN = [name for name, file in MODULES.items() if ">>>" in file.read_text()]
MARKED = [pytest.param(name, marks=[pytest.mark.slow] * (".papers" in name or name in LONG)) for name in SHOWN]


@pytest.mark.parametrize("name", MARKED)
def test_examples_run(name, own):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
