"""Which pairs give the same wrong answers to the same pictures, if strengths of a distortion are pooled and if not."""

from itertools import combinations

import numpy as np
import pandas as pd

from erralign.nulls import misclassification_agreement_test
from erralign.responses import Responses
from erralign.sources.model_vs_human import used_conditions
from erralign_book.papers.frozen import frozen
from erralign_book.papers.kinds import KINDS
from erralign_book.papers.xu2024.pair_scores import ANSWERS, answers_on

# Of the fourteen sets, those of which the benchmark uses several strengths.
POOLING = (
    *("contrast", "eidolonI", "eidolonII", "eidolonIII", "high-pass", "low-pass", "phase-scrambling", "rotation"),
    "uniform-noise",
)
FEWEST, SHUFFLES = 10, 199
WAYS = ("class", "class and strength", "no link")


@frozen(inputs=ANSWERS, slow=True, settings=POOLING, spot=("contrast", "high-pass"))
def same_wrong_answers(data_set: str) -> pd.DataFrame:
    """Return the share of pairs with p <= 0.05 in the test of MA, by what its shuffles keep.

    In the last column the strengths are pooled, and nothing links single pictures: B's wrong answers are dealt first,
    within class and strength.
    """
    responses = used_conditions(answers_on(data_set))
    human = responses.systems["kind"].eq("human")
    pairs = [(KINDS[2 - human[a] - human[b]], *_tested(responses, a, b)) for a, b in combinations(human.index, 2)]
    by_kind = pd.DataFrame(pairs, columns=["kind", *WAYS]).dropna().groupby("kind")
    found = by_kind.mean().assign(n_pairs=by_kind.size()).reset_index()
    return found.assign(data_set=data_set)[["data_set", "kind", "n_pairs", *WAYS]]


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
