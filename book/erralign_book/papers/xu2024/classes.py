"""What happens class by class: self-similarity, error distributions."""

from dataclasses import replace
from itertools import combinations

import pandas as pd

from erralign.datasets import xu2024 as source
from erralign.datasets.trials import class_ids, read_trials
from erralign.pairs import pairwise
from erralign.responses import Responses
from erralign.significance import error_distribution_test
from erralign_book.papers.frozen import frozen
from erralign_book.papers.xu2024.pair_scores import ANSWERS, BEHAVIOUR, DATA_SETS, SYNTHETIC, answers_on


@frozen(inputs=ANSWERS, slow=True, settings=DATA_SETS, spot=["mpii_cooking", "epic_kitchen"], by="data_set")
def error_distribution_tests(data_set: str) -> pd.DataFrame:
    """Return, for every pair of models, in how many classes "same error distribution" is rejected (appendix 2)."""
    responses = answers_on(data_set)
    truth = responses.truth.to_numpy()
    rows = []
    for a, b in combinations(responses.systems.query("kind == 'model'").index, 2):
        tests = error_distribution_test(truth, responses.answers[a], responses.answers[b], n_permutations=999, rng=0)
        rows.append((a, b, len(tests), (tests["p_value"] <= 0.001).sum()))
    return pd.DataFrame(rows, columns=["system_a", "system_b", "n_classes", "permutation_001"])


# ---- people's trials without an answer, and what became of them in the released arrays ----------------------------


def original_answers(data_set: str) -> pd.DataFrame:
    """Read what people answered in the original trials of a synthetic set, in the order of the released arrays."""
    order, answers = source.trial_names(data_set), {}
    for person in range(1, source.data_sets()["people"][data_set] + 1):
        trials = read_trials(data_set, person).set_index(["condition", "image"]).loc[order]
        answers[f"s{person}"] = class_ids(trials["object_response"])
    return pd.DataFrame(answers, index=order)


def with_time_outs(responses: Responses) -> Responses:
    """Return the same responses, with -1 where a person gave no answer in time in the original trials."""
    original = original_answers(responses.name.partition("/")[2])
    answers = responses.answers.copy()
    answers[original.columns] = answers[original.columns].where(original >= 0, -1)
    return replace(responses, answers=answers)


@frozen(inputs=ANSWERS, settings=SYNTHETIC, by="data_set")
def time_outs(data_set: str) -> pd.DataFrame:
    """Return what became of people's time-outs in the released arrays, and what that does to pairs of people."""
    responses, original = answers_on(data_set), original_answers(data_set)
    released, silent = responses.answers[original.columns], original < 0
    means: dict[str, float] = {}
    for suffix, version in (("", responses), (" restored", with_time_outs(responses))):
        people = pairwise(version).query("kind == 'human-human'")
        means |= {f"{measure}{suffix}": people[measure].mean() for measure in BEHAVIOUR}
    counts = {
        "answers": [original.size],
        "time_outs": int(silent.to_numpy().sum()),
        "counted_right": int((released.eq(responses.truth, axis=0) & silent).to_numpy().sum()),
        "agreement": float((released == original).to_numpy()[~silent.to_numpy()].mean()),
    }
    return pd.DataFrame(counts | means)
