"""Public names stay, are typed and documented in full; all others in a sentence or two. Examples run."""

import ast
import doctest
import importlib
import inspect
import re
from functools import reduce

import pytest
from conftest import ROOT
from test_house import MODULES, TREES

import erralign

# Modules whose functions each show an example.
WITH_EXAMPLES = ("behaviour", "confidences", "grounding", "triplets")
MOST_LINES = 8  # of a docstring that is not public: two sentences, and a formula
# Arguments by place of names that others build on; options are in ORDER.
PUBLISHED = """
y_true y_a y_b: error_consistency misclassification_agreement class_level_error_similarity p_value_from_answers
y_true y_a y_b: loevingers_h blind_misclassification_agreement within_class_misclassification_agreement
y_true y_a y_b: nulls.mcnemar_test nulls.misclassification_agreement_test nulls.error_distribution_test
y_true y_a y_b: nulls.same_error_distribution_test nulls.common_habits_test
X Y: cka triplets.predict_dimensions
X Y measures: similarity.compare
representations measures: similarity.pairwise
p_a p_b: confidence_similarity
y_true p_a p_b: capa resampling.capa_interval error_confidence_similarity
responses measures: pairwise pairwise_intervals
y_true y_a y_b measure: confidence_interval design_effect
y_true y_a y_b y_c measure: difference_interval difference_test
responses reference measure: pairwise_differences
data_sets measure: consistency_with_people
responses: diversity.all_wrong diversity.effective_number
responses: accuracy_intervals pairwise_p_values sources.model_vs_human.used_conditions
table: p_value planning.estimate_copy_probability behaviour.error_consistency_from_counts
table: behaviour.loevingers_h_from_counts
measure: register
ec accuracy_a accuracy_b width: trials_needed
ec accuracy_a accuracy_b power: planning.trials_needed_for_difference
name: load
: catalog
matrix_a matrix_b: nulls.correlation_interval nulls.mantel_test triplets.representational_similarity
p_values: nulls.holm
similarity differences: grounding.correlation_to_differences
similarity groups: grounding.group_precision grounding.group_conformity
similarity: grounding.layer_conformity grounding.layer_correlation
groups: grounding.precision_by_chance
n_trials accuracies: nulls.independent_limits
expected n_trials: nulls.textbook_limits
ec accuracy_a accuracy_b: diversity.of_pairs planning.copy_probability planning.expected_table
n_trials p_copy accuracy_a accuracy_b: planning.simulate_copies
ec accuracy: bounds.accuracy_bounds
n_trials ec accuracy_a accuracy_b: planning.expected_width
n_errors agreement shares: planning.agreement_width
agreement shares width: planning.joint_errors_needed
errors_a errors_b n_errors: planning.expected_similarity
X triplets: triplets.odd_one_out triplets.odd_one_out_accuracy triplets.cross_validate_probe
right triplets: resampling.odd_one_out_interval
triplets odd choices: responses.responses_of_triplets
expected: bounds.overlap_bounds bounds.error_consistency_bounds_from_overlap
accuracy_a accuracy_b: bounds.error_consistency_bounds
agreement: behaviour.misclassification_agreement_from_counts
errors_a errors_b: behaviour.class_level_error_similarity_from_counts
"""


def test_published_names_keep_their_arguments():
    for line in PUBLISHED.strip().splitlines():
        arguments, _, names = line.partition(":")
        for name in names.split():
            given = inspect.signature(reduce(getattr, name.split("."), erralign)).parameters.values()
            by_place = [each.name for each in given if each.kind is each.POSITIONAL_OR_KEYWORD]
            assert by_place == arguments.split(), name


# Options in the order in which every signature has them.
ORDER = (
    *("measures", "with_", "level", "method", "estimand", "prior", "adjust", "design_effect", "n_classes", "clusters"),
    *("n_sets", "n_resamples", "n_permutations", "n_samples", "rng", "n_jobs", "scheduler", "replace_undefined_by"),
)
# Arguments of one meaning have one name.
NOT_NAMES = {"jobs", "cluster", "seed", "random_state", "n_boot", "n_classes_", "confidence", "confidence_level"}


def test_options_have_one_order_and_one_name():
    """In all that the pages of functions list."""
    for each in public():
        names = list(inspect.signature(each).parameters)
        assert NOT_NAMES.isdisjoint(names), each
        known = [option for option in names if option in ORDER]
        assert known == sorted(known, key=ORDER.index), each


# --- the pages of functions are the list of public names --------------------------------------------------------------

PAGE = "\n".join(path.read_text() for path in sorted((ROOT / "notebooks").glob("functions*.md")))
LISTED = re.findall(r"^\.\. auto\w+:: (erralign[\w.]*)\.(\w+)(?:\n   :members: (.*))?", PAGE, flags=re.M)
ROOMS = sorted({module for module, _, _ in LISTED} - {"erralign"})


def listed(module):
    return {name for home, name, _ in LISTED if home == module}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_shows_what_the_page_lists(room):
    module = importlib.import_module(room)
    short = {name for name in listed("erralign") if getattr(module, name, None) is getattr(erralign, name)}
    assert set(module.__all__) == listed(room) | short
    assert dir(module) == sorted(module.__all__)


def test_the_front_shows_what_the_page_lists_and_the_rooms():
    constants = set(re.findall(r"`erralign\.([A-Z]+)\b", PAGE))
    assert set(erralign.__all__) == listed("erralign") | constants
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


FUNCTIONS = [
    (f"{name}.{node.name}", node)
    for name, tree in TREES.items()
    for node in ast.walk(tree)
    if isinstance(node, ast.FunctionDef)
]


def test_all_others_are_documented_in_a_sentence_or_two():
    known = {name for _, name, members in LISTED for name in (name, *members.split(", "))} | {"frozen"}
    told = {name: ast.get_docstring(node) or "" for name, node in FUNCTIONS if node.name not in known}
    assert [name for name, text in told.items() if "\n---" in text or len(text.splitlines()) > MOST_LINES] == []


def test_all_functions_that_others_may_call_say_what_they_return():
    assert [name for name, node in FUNCTIONS if not node.returns and not node.name.startswith("_")] == []


def with_examples(name):
    return ">>>" in MODULES[name].read_text()


# Result tables are computed where the data are.
MARKED = [pytest.param(name, marks=[pytest.mark.slow] * (".papers" in name)) for name in MODULES if with_examples(name)]


@pytest.mark.parametrize("name", MARKED)
def test_examples_run(name, own):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
