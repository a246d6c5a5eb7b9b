"""People's trials without an answer, and what became of them in the released arrays."""

from dataclasses import replace

import numpy as np
import pandas as pd
from scipy.stats import chisquare

from erralign.measures import short_name
from erralign.pairs import pairwise
from erralign.responses import Responses
from erralign.sources import xu2024 as source
from erralign.sources.trials import CATEGORIES, class_ids, read_trials
from erralign_book.papers.frozen import frozen
from erralign_book.papers.xu2024.pair_scores import ANSWERS, BEHAVIOUR, SYNTHETIC, answers_on


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


@frozen(inputs=ANSWERS)
def time_outs() -> pd.DataFrame:
    """Return what became of people's time-outs in the released arrays, and what that does to pairs of people."""
    return pd.DataFrame([_time_outs(data_set) for data_set in SYNTHETIC])


def _time_outs(data_set: str) -> dict:
    responses, original = answers_on(data_set), original_answers(data_set)
    released, silent = responses.answers[original.columns], original < 0
    means: dict[str, float] = {}
    for suffix, version in (("", responses), (" restored", with_time_outs(responses))):
        people = pairwise(version).query("kind == 'human-human'").rename(columns=short_name)
        means |= {f"{measure}{suffix}": people[measure].mean() for measure in BEHAVIOUR}
    return {
        "data_set": data_set,
        "answers": original.size,
        "time_outs": int(silent.to_numpy().sum()),
        "counted_right": int((released.eq(responses.truth, axis=0) & silent).to_numpy().sum()),
        "agreement": float((released == original).to_numpy()[~silent.to_numpy()].mean()),
    } | means


@frozen(inputs=ANSWERS)
def time_out_classes() -> pd.DataFrame:
    """Return how often each class stands in the released arrays where the original trial has no answer."""
    classes = [
        answers_on(name).answers[original.columns].to_numpy()[(original < 0).to_numpy()]
        for name in SYNTHETIC
        for original in [original_answers(name)]
    ]
    counts = np.bincount(np.concatenate(classes), minlength=len(CATEGORIES))
    return pd.DataFrame({"category": CATEGORIES, "count": counts, "p_uniform": chisquare(counts).pvalue})
