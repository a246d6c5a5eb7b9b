"""By how much would a vote of five help, and of which five?

The five are chosen on one half of the items and measured on the other, then the halves are swapped. What is compared
is the vote and the one system that was best on the half on which the five were chosen.
"""

from collections.abc import Callable
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd

from erralign.datasets.mmlu_pro import LETTERS
from erralign.diversity import plurality as chance_of_right
from erralign.responses import Responses
from erralign_book.papers.frozen import frozen
from erralign_book.papers.leads import around, without_each
from erralign_book.papers.many_models import together

FIVE = 5
# Places in the order of accuracy; the second pool leaves out the three models that are far ahead.
POOLS = {"the 12 best": slice(0, 12), "the next 12": slice(3, 15)}


plurality = partial(chance_of_right, n_classes=len(LETTERS))


def led_by_best(said: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Return where the most frequent answer is right: ties go to the first system that is part of one."""
    same = (said[:, :, None] == said[:, None, :]).sum(axis=2)
    support = np.where(said >= 0, same, 0)
    return said[np.arange(len(said)), support.argmax(axis=1)] == truth


TIES: dict[str, Callable] = {"vote, ties drawn": plurality, "vote, ties to the best": led_by_best}


def _gains(responses: Responses, vote: Callable) -> dict[str, tuple[np.ndarray, float]]:
    """Return, rule by rule, what the vote gains item by item, and how good the best one is."""
    said, truth = responses.answers.to_numpy(), responses.truth.to_numpy()
    solved = together.right(responses).astype(np.float32)
    fives = np.array(list(combinations(range(solved.shape[1]), FIVE)))
    half = together.halves(len(solved))
    single: list[np.ndarray] = []
    gains: dict[str, list[np.ndarray]] = {}
    for there in (half, ~half):
        order = np.argsort(-solved[there].mean(axis=0), kind="stable")
        # The columns of a five are in this order, since a vote may break ties by it.
        sorted_fives = order[np.sort(order.argsort()[fives], axis=1)]
        voted = np.stack([vote(said[:, five], truth) for five in sorted_fives], axis=1).astype(np.float32)
        rules = {
            "the five most accurate": (fives == np.sort(order[:FIVE])).all(axis=1).argmax(),
            "the best vote": voted[there].mean(axis=0).argmax(),
        }
        single.append(solved[~there, order[0]])
        for rule, place in rules.items():
            gains.setdefault(rule, []).append(voted[~there, place] - solved[~there, order[0]])
    alone = np.concatenate(single).mean()
    return {rule: (np.concatenate(gained), alone) for rule, gained in gains.items()}


def _rows(responses: Responses, pool: str, what: str, vote: Callable, groups: np.ndarray) -> list[dict]:
    half, rows = together.halves(len(groups)), []
    in_order = np.concatenate([groups[~half], groups[half]])
    for rule, (gain, single) in _gains(responses, vote).items():
        facts = {"benchmark": responses.name, "pool": pool, "vote": what, "rule": rule}
        found = around(*without_each(lambda kept, gain=gain: gain[kept].mean(dtype=float), in_order))
        numbers = dict(zip(("value", "low", "high"), found, strict=True))
        rows.append(facts | numbers | {"best": single})
    return rows


@frozen(inputs=together.MODELS)
def votes_of_models() -> pd.DataFrame:
    """Return what a vote of five models gains over the best of the pool."""
    order = together.right(together.models()).mean(axis=0).argsort()[::-1]
    rows = []
    for pool, places in POOLS.items():
        chosen = together.models().select(systems=together.models().answers.columns[order[places]])
        for ties, vote in TIES.items():
            rows += _rows(chosen, pool, ties, vote, together.questions()["category"].to_numpy())
    return pd.DataFrame(rows)
