"""What happens class by class: self-similarity, error distributions."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd

from erralign.measures import short_name
from erralign.nulls import error_distribution_test, misclassification_agreement_test
from erralign.pairs import pairwise
from erralign.responses import Responses
from erralign.sources import xu2024 as source
from erralign.sources.model_vs_human import used_conditions
from erralign.sources.trials import class_ids, read_trials
from erralign_book.papers.frozen import frozen
from erralign_book.papers.kinds import KINDS
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
        people = pairwise(version).query("kind == 'human-human'").rename(columns=short_name)
        means |= {f"{measure}{suffix}": people[measure].mean() for measure in BEHAVIOUR}
    counts = {
        "answers": [original.size],
        "time_outs": int(silent.to_numpy().sum()),
        "counted_right": int((released.eq(responses.truth, axis=0) & silent).to_numpy().sum()),
        "agreement": float((released == original).to_numpy()[~silent.to_numpy()].mean()),
    }
    return pd.DataFrame(counts | means)


# ---- Which pairs give the same wrong answers to the same pictures, if strengths of a distortion are pooled and if not


# Of the fourteen sets, those of which the benchmark uses several strengths.
POOLING = (
    *("contrast", "eidolonI", "eidolonII", "eidolonIII", "high-pass", "low-pass", "phase-scrambling", "rotation"),
    "uniform-noise",
)
FEWEST, SHUFFLES = 10, 199
WAYS = ("class", "class and strength", "no link")


@frozen(inputs=ANSWERS, slow=True, settings=POOLING, spot=("contrast", "high-pass"), by="data_set")
def same_wrong_answers(data_set: str) -> pd.DataFrame:
    """Return the share of pairs with p <= 0.05 in the test of MA, by what its shuffles keep.

    In the last column the strengths are pooled, and nothing links single pictures: B's wrong answers are dealt first,
    within class and strength.
    """
    responses = used_conditions(answers_on(data_set))
    human = responses.systems["kind"].eq("human")
    pairs = [(KINDS[2 - human[a] - human[b]], *_tested(responses, a, b)) for a, b in combinations(human.index, 2)]
    by_kind = pd.DataFrame(pairs, columns=["kind", *WAYS]).dropna().groupby("kind")
    return by_kind.mean().assign(n_pairs=by_kind.size()).reset_index()[["kind", "n_pairs", *WAYS]]


def _tested(responses: Responses, a: str, b: str) -> list[float]:
    truth, y_a, y_b = responses.truth.to_numpy(), responses.answers[a].to_numpy(), responses.answers[b].to_numpy()
    strength = pd.factorize(responses.truth.index.get_level_values("condition"))[0]
    joint = (y_a != truth) & (y_b != truth) & (y_a >= 0) & (y_b >= 0)
    truth, y_a, y_b, strength = (each[joint] for each in (truth, y_a, y_b, strength))
    if len(truth) < FEWEST:
        return [np.nan] * len(WAYS)
    rng = np.random.default_rng(0)
    order = np.lexsort((rng.random(len(truth)), strength, truth))
    dealt = np.empty_like(y_b)
    dealt[np.lexsort((strength, truth))] = y_b[order]
    ways = (y_b, None), (y_b, strength), (dealt, None)
    tested = (
        misclassification_agreement_test(truth, y_a, said, within=within, n_permutations=SHUFFLES, rng=rng)
        for said, within in ways
    )
    return [np.nan if np.isnan(each.pvalue) else float(each.pvalue <= 0.05) for each in tested]
