"""What happens class by class: self-similarity, error distributions."""

from itertools import combinations

import pandas as pd

from erralign.behaviour import class_level_error_similarity
from erralign.nulls import error_distribution_test
from erralign_book.papers.frozen import frozen
from erralign_book.papers.xu2024.pair_scores import ANSWERS, DATA_SETS, answers_on


@frozen(inputs=ANSWERS)
def similarity_with_itself() -> pd.DataFrame:
    """Return what the released form of CLES gives a system compared with itself."""
    rows = []
    for data_set in DATA_SETS:
        responses = answers_on(data_set)
        values = [
            class_level_error_similarity(responses.truth, answers, answers, n_classes=len(responses.classes))
            for _, answers in responses.answers.items()
        ]
        rows.append((data_set, min(values), max(values)))
    return pd.DataFrame(rows, columns=["data_set", "lowest", "highest"])


@frozen(inputs=ANSWERS, slow=True, settings=DATA_SETS, spot=["mpii_cooking", "epic_kitchen"])
def error_distribution_tests(data_set: str) -> pd.DataFrame:
    """Return, for every pair of models, in how many classes "same error distribution" is rejected (appendix 2)."""
    responses = answers_on(data_set)
    truth = responses.truth.to_numpy()
    rows = []
    for a, b in combinations(responses.systems.query("kind == 'model'").index, 2):
        tests = error_distribution_test(truth, responses.answers[a], responses.answers[b], n_permutations=999, rng=0)
        rows.append((data_set, a, b, len(tests), (tests["p_value"] <= 0.001).sum()))
    return pd.DataFrame(rows, columns=["data_set", "system_a", "system_b", "n_classes", "permutation_001"])
