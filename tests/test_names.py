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
WITH_EXAMPLES = ("behaviour", "confidences", "similarity", "grounding", "triplets")
MOST_LINES = 8  # of a docstring that is not public: two sentences, and a formula
# Names that others build on, with their arguments.
PUBLISHED = {
    "error_consistency": "y_true y_a y_b replace_undefined_by",
    "loevingers_h": "y_true y_a y_b replace_undefined_by",
    "misclassification_agreement": "y_true y_a y_b replace_undefined_by",
    "class_level_error_similarity": "y_true y_a y_b n_classes alpha variant replace_undefined_by",
    "cka": "X Y unbiased",
    "similarity.compare": "X Y measures",
    "similarity.pairwise": "representations measures",
    "confidence_similarity": "p_a p_b",
    "error_confidence_similarity": "y_true p_a p_b",
    "pairwise": "responses measures with_ replace_undefined_by",
    "confidence_interval": "y_true y_a y_b measure level method estimand n_classes clusters n_resamples rng",
    "difference_interval": "y_true y_a y_b y_c measure",
    "difference_test": "y_true y_a y_b y_c measure n_classes clusters n_permutations rng",
    "pairwise_intervals": "responses measures with_ level clusters n_resamples rng n_jobs scheduler",
    "pairwise_differences": "responses reference measure with_ level clusters n_resamples rng",
    "consistency_with_people": "data_sets measure level clusters n_resamples rng",
    "accuracy_intervals": "responses level clusters",
    "p_value": "table method prior design_effect n_samples rng",
    "p_value_from_answers": "y_true y_a y_b method prior clusters n_samples rng",
    "pairwise_p_values": "responses with_ prior adjust clusters",
    "register": "measure",
    "trials_needed": "ec accuracy_a accuracy_b width",
    "design_effect": "y_true y_a y_b measure n_classes clusters",
    "load": "name download",
    "catalog": "",
    "sources.model_vs_human.used_conditions": "responses",
    "nulls.misclassification_agreement_test": "y_true y_a y_b within_class clusters n_permutations rng",
    "nulls.error_distribution_test": "y_true y_a y_b n_permutations rng",
    "nulls.same_error_distribution_test": "y_true y_a y_b n_permutations rng",
    "nulls.common_habits_test": "y_true y_a y_b null n_classes n_permutations rng",
    "nulls.correlation_interval": "matrix_a matrix_b level",
    "nulls.holm": "p_values",
    "grounding.correlation_to_differences": "similarity differences larger_is_more_similar is_symmetric statistic",
    "grounding.group_precision": "similarity groups larger_is_more_similar reading",
    "grounding.group_conformity": "similarity groups larger_is_more_similar reading",
    "grounding.layer_conformity": "similarity larger_is_more_similar",
    "grounding.layer_correlation": "similarity larger_is_more_similar reading",
    "grounding.precision_by_chance": "groups reading",
    "nulls.independent_limits": "n_trials accuracies",
    "nulls.textbook_limits": "expected n_trials",
    "nulls.mantel_test": "matrix_a matrix_b n_permutations rng",
    "planning.copy_probability": "ec accuracy_a accuracy_b",
    "planning.estimate_copy_probability": "table",
    "planning.simulate_copies": "n_trials p_copy accuracy_a accuracy_b n_sets variant rng",
    "planning.expected_table": "ec accuracy_a accuracy_b",
    "planning.standard_error": "ec accuracy",
    "planning.widest_at": "accuracy",
    "planning.expected_width": "n_trials ec accuracy_a accuracy_b",
    "planning.joint_errors_needed": "agreement shares width",
    "planning.expected_similarity": "errors_a errors_b n_errors n_sets n_resamples rng",
    "behaviour.error_consistency_from_counts": "table",
    "behaviour.loevingers_h_from_counts": "table",
    "behaviour.unbiased_error_consistency_from_counts": "table replace_undefined_by",
    "triplets.odd_one_out": "X triplets similarity",
    "triplets.odd_one_out_accuracy": "X triplets similarity",
    "triplets.cross_validate_probe": "X triplets penalties n_folds rank rng",
    "triplets.representational_similarity": "matrix_a matrix_b",
    "triplets.predict_dimensions": "X Y strengths n_folds rng",
    "resampling.odd_one_out_interval": "right triplets level",
    "responses.responses_of_triplets": "triplets odd choices",
    "bounds.overlap_bounds": "expected",
    "bounds.error_consistency_bounds_from_overlap": "expected",
    "bounds.error_consistency_bounds": "accuracy_a accuracy_b",
    "bounds.accuracy_bounds": "ec accuracy",
    "behaviour.misclassification_agreement_from_counts": "agreement",
    "behaviour.class_level_error_similarity_from_counts": "errors_a errors_b alpha variant",
}


def test_published_names_keep_their_arguments():
    for name, arguments in PUBLISHED.items():
        function = reduce(getattr, name.split("."), erralign)
        given = list(inspect.signature(function).parameters)
        assert given[: len(arguments.split())] == arguments.split(), name


# Options in the order in which every signature has them.
ORDER = (
    *("measures", "with_", "level", "method", "estimand", "prior", "adjust", "design_effect", "n_classes", "clusters"),
    *("n_sets", "n_resamples", "n_permutations", "n_samples", "rng", "n_jobs", "scheduler", "replace_undefined_by"),
)
# Arguments of one meaning have one name.
NOT_NAMES = {"jobs", "cluster", "seed", "random_state", "n_boot", "n_classes_", "confidence", "confidence_level"}


def test_options_have_one_order_and_one_name():
    for name in PUBLISHED:
        names = list(inspect.signature(reduce(getattr, name.split("."), erralign)).parameters)
        assert NOT_NAMES.isdisjoint(names), name
        known = [option for option in names if option in ORDER]
        assert known == sorted(known, key=ORDER.index), name


def test_front_lists_what_it_offers():
    assert set(erralign.__all__) >= {name for name in PUBLISHED if "." not in name}
    assert all(hasattr(erralign, name) for name in erralign.__all__)


def test_every_measure_is_registered_under_its_public_name():
    for short, measure in erralign.MEASURES.items():
        assert measure.short == short
        home = erralign if hasattr(erralign, measure.name) else erralign.similarity
        assert measure.function is getattr(home, measure.name)
        assert ("n_classes" in inspect.signature(measure.function).parameters) == measure.needs_classes


# --- the page of functions is the list of public names ----------------------------------------------------------------

PAGE = (ROOT / "notebooks" / "functions.md").read_text()
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
    """Yield what the page lists: functions, classes, and the methods that it names, but for properties."""
    for module, name, members in LISTED:
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
    functions = [each for each in public() if each is not erralign.DataError]
    documented = {f"{each.__module__}.{each.__qualname__}": lacking(each) for each in functions}
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


# "One row a pair" is hard to read; the book says "one row per pair" (see the functions' page).
PER_PAIR = re.compile(
    r"\b(?:row|column|line|point|bar|dot|tick|strip|errors|count|distribution|answer|value)\s+an?\s+"
    r"(?:(?:unordered|true)\s+)?(?:pair|system|trial|class|cell|measure|condition|picture|data set|network|experiment|"
    r"method|setting|feature|case)\b"
)


def test_docstrings_say_per_where_they_mean_per():
    assert PER_PAIR.findall("One row a pair, errors a\n    class") == ["row a pair", "errors a\n    class"]
    assert {name: found for name, path in MODULES.items() if (found := PER_PAIR.findall(path.read_text()))} == {}


def with_examples(name):
    return ">>>" in MODULES[name].read_text()


def with_slow_ones_marked(name):
    """Result tables are computed where the data are."""
    return pytest.param(name, marks=[pytest.mark.slow] if name.startswith("erralign_book.papers") else [])


@pytest.mark.parametrize(
    "name", [with_slow_ones_marked(name) for name in MODULES if ">>>" in MODULES[name].read_text()]
)
def test_examples_run(name, own):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
