"""Public names stay, are typed and documented; their examples run."""

import doctest
import importlib
import inspect
import re

import pytest
from test_house import MODULES

import erralign

# Modules whose functions each show an example.
WITH_EXAMPLES = ("behaviour", "confidences", "similarity", "grounding", "triplets")
IMPORTABLE = [name for name in MODULES if not name.endswith("__main__")]

# Names that others build on, with their arguments.
PUBLISHED = {
    "error_consistency": "y_true y_a y_b replace_undefined_by",
    "misclassification_agreement": "y_true y_a y_b replace_undefined_by",
    "class_level_error_similarity": "y_true y_a y_b n_classes alpha variant replace_undefined_by",
    "cka": "X Y unbiased",
    "similarity.compare": "X Y measures",
    "similarity.pairwise": "representations measures",
    "confidence_similarity": "p_a p_b",
    "error_confidence_similarity": "y_true p_a p_b",
    "pairwise": "responses measures variant replace_undefined_by alpha with_",
    "confidence_interval": "y_true y_a y_b measure level method estimand n_classes n_resamples rng",
    "difference_interval": "y_true y_a y_b y_c measure",
    "difference_test": "y_true y_a y_b y_c measure n_permutations n_classes clusters rng",
    "pairwise_intervals": "responses measures level n_resamples rng with_",
    "pairwise_differences": "responses reference measure with_ level n_resamples rng",
    "consistency_with_people": "data_sets measure level clusters n_resamples rng",
    "accuracy_intervals": "responses level clusters",
    "p_value": "table y_a y_b method prior n_samples rng design_effect",
    "pairwise_p_values": "responses prior adjust with_ clusters",
    "trials_needed": "ec accuracy_a accuracy_b width",
    "design_effect": "y_true y_a y_b measure clusters n_classes",
    "load": "name download",
    "catalog": "",
    "sources.model_vs_human.used_conditions": "responses",
    "nulls.misclassification_agreement_test": "y_true y_a y_b within_class n_permutations rng",
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


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_name(name):
    function = erralign
    for part in name.split("."):
        function = getattr(function, part)
    assert list(inspect.signature(function).parameters)[: len(PUBLISHED[name].split())] == PUBLISHED[name].split()


def test_front_lists_what_it_offers():
    assert set(erralign.__all__) >= {name for name in PUBLISHED if "." not in name}
    assert all(hasattr(erralign, name) for name in erralign.__all__)


def test_every_measure_is_registered_under_its_public_name():
    for short, measure in erralign.MEASURES.items():
        assert measure.short == short
        home = erralign if hasattr(erralign, measure.name) else erralign.similarity
        assert measure.function is getattr(home, measure.name)
        assert ("n_classes" in inspect.signature(measure.function).parameters) == measure.needs_classes


def public_functions():
    for name in IMPORTABLE:
        module = importlib.import_module(name)
        for label, member in inspect.getmembers(module, inspect.isfunction):
            if member.__module__ == name and not label.startswith("_"):
                yield pytest.param(member, id=f"{name}.{label}")


# "One row a pair" is hard to read; the book says "one row per pair" (see the functions' page).
PER_PAIR = re.compile(
    r"\b(?:row|column|line|point|bar|dot|tick|strip|errors|count|distribution|answer|value)\s+an?\s+"
    r"(?:(?:unordered|true)\s+)?(?:pair|system|trial|class|cell|measure|condition|picture|data set|network|experiment|"
    r"method|setting|feature|case)\b"
)


@pytest.mark.parametrize("name", IMPORTABLE)
def test_docstrings_say_per_where_they_mean_per(name):
    text = MODULES[name].read_text()
    assert PER_PAIR.findall("One row a pair, errors a\n    class") == ["row a pair", "errors a\n    class"]
    assert PER_PAIR.findall(text) == []


@pytest.mark.parametrize("function", list(public_functions()))
def test_public_function_is_documented_and_typed(function):
    signature = inspect.signature(function)
    text = inspect.getdoc(function) or ""
    assert text
    if signature.parameters:
        assert "Parameters\n---" in text
    assert signature.return_annotation is not inspect.Signature.empty
    if signature.return_annotation not in (None, "None"):
        assert re.search(r"(Returns|Yields)\n---", text)
    untyped = [name for name, each in signature.parameters.items() if each.annotation is inspect.Parameter.empty]
    assert untyped == []
    if function.__module__.split(".")[1] in WITH_EXAMPLES:
        assert ">>>" in text


def with_slow_ones_marked(name):
    """Result tables are computed where the data are."""
    return pytest.param(name, marks=[pytest.mark.slow] if name.startswith("erralign_book.papers") else [])


@pytest.mark.parametrize("name", [*map(with_slow_ones_marked, IMPORTABLE)])
def test_examples_run(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
