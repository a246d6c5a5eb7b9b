"""People, networks and mixed pairs on the fourteen sets."""

import numpy as np
import pandas as pd

from erralign.behaviour.consistency import kappa
from erralign.responses import Responses
from erralign.sources import xu2024 as source
from erralign_book.papers.frozen import frozen
from erralign_book.papers.kinds import KINDS, by_condition, compared, leads_over_sets
from erralign_book.papers.tables import each_data_set
from erralign_book.papers.xu2024.pair_scores import ANSWERS, SYNTHETIC, answers_on


@frozen(inputs=ANSWERS)
def kinds_by_condition() -> pd.DataFrame:
    """Return the mean of each measure over three kinds of pairs, pooled over conditions and within each."""
    return each_data_set(lambda name: by_condition(answers_on(name), source.architectures()), SYNTHETIC)


def kinds_compared(measure: str = "EC", **choice) -> pd.DataFrame:
    """Compare kinds of pairs under a choice, as :func:`erralign_book.papers.kinds.compared` does."""
    return compared(kinds_by_condition(), measure, **choice)


def leads(measure: str = "EC", of: str = "human-human", over: str = "model-human") -> pd.DataFrame:
    """Return how far one kind of pair is ahead of another on the fourteen sets, under all choices crossed."""
    return leads_over_sets(kinds_by_condition(), measure, of, over)


@frozen(inputs=ANSWERS)
def kinds_by_strength_alone() -> pd.DataFrame:
    """Return the mean EC that each kind of pair has if right answers are shuffled within each strength of a set."""
    return each_data_set(lambda name: by_strength_alone(answers_on(name)), SYNTHETIC)


def by_strength_alone(responses: Responses) -> pd.DataFrame:
    """Return the mean EC of each kind of pair on one set, if right answers are shuffled within each strength."""
    right = responses.answers.eq(responses.truth, axis=0)
    by_strength = right.groupby(level="condition").mean().to_numpy()
    share = right.groupby(level="condition").size().to_numpy() / len(right)
    a, b = np.triu_indices(right.shape[1], 1)
    both = share @ (by_strength[:, a] * by_strength[:, b])  # by chance, within each strength
    p_a, p_b = right.mean().to_numpy()[a], right.mean().to_numpy()[b]
    human = responses.systems["kind"].eq("human").to_numpy()
    kind = np.array(KINDS[::-1])[human[a].astype(int) + human[b]]
    ec = kappa(1 - p_a - p_b + both, p_b - both, p_a - both, both)
    return pd.Series(ec).groupby(kind).mean().rename_axis("kind").rename("EC").reset_index()
