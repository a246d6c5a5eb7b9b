"""What happens class by class: self-similarity, error distributions."""

from dataclasses import replace

import pandas as pd

from erralign.datasets import xu2024 as source
from erralign.datasets.trials import class_ids, read_trials
from erralign.pairs import pairwise
from erralign.responses import Responses
from erralign_book.papers.frozen import frozen
from erralign_book.papers.xu2024.pair_scores import ANSWERS, BEHAVIOUR, SYNTHETIC, answers_on

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
