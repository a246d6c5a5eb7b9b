"""What happens class by class: self-similarity, error distributions."""

from itertools import combinations

import pandas as pd

from erralign.behaviour import class_level_error_similarity
from erralign.nulls import error_distribution_test
from erralign.sources import xu2024 as source
from erralign_book.papers.frozen import frozen
from erralign_book.papers.tables import each_data_set
from erralign_book.papers.xu2024.pair_scores import ANSWERS, DATA_SETS, answers_on


@frozen(inputs=ANSWERS)
def similarity_with_itself() -> pd.DataFrame:
    """Return what the released form of CLES gives a system compared with itself."""
    rows = []
    for data_set, size in source.data_sets().iterrows():
        responses = answers_on(data_set)
        values = [
            class_level_error_similarity(responses.truth, answers, answers, n_classes=size["classes"])
            for _, answers in responses.answers.items()
        ]
        rows.append((data_set, min(values), max(values)))
    return pd.DataFrame(rows, columns=["data_set", "lowest", "highest"])


@frozen(inputs=ANSWERS, slow=True, settings=DATA_SETS, spot=["mpii_cooking", "epic_kitchen"])
def error_distribution_tests(data_set: str) -> pd.DataFrame:
    """Return, for every pair of models, in how many classes "same error distribution" is rejected (appendix 2)."""
    return each_data_set(_distribution_tests, [data_set])


def _distribution_tests(data_set: str) -> pd.DataFrame:
    responses = answers_on(data_set)
    truth = responses.truth.to_numpy()
    models = responses.systems.query("kind == 'model'").index
    rows = []
    for a, b in combinations(models, 2):
        tests = error_distribution_test(truth, responses.answers[a], responses.answers[b], n_permutations=999, rng=0)
        rows.append(
            (a, b, len(tests), *((tests[p] <= level).sum() for p in ("p_value", "p_chi2") for level in (0.05, 0.001)))
        )
    return pd.DataFrame(
        rows, columns=["system_a", "system_b", "n_classes", "permutation_05", "permutation_001", "chi2_05", "chi2_001"]
    )
