"""How often would the key have to be wrong for shared errors to vanish?

Let the key be right with probability a on each trial, and else name any other class, each as likely, whatever systems
say. Then what is seen beside the key follows from what would be seen beside the truth, and that can be turned round.
Where p is how often a system is right by the key, and x how often two are, and A how often two agree,

    true p = (p - s) / (a - s),  true x = (x - s A) / (a - s),  s = (1 - a) / (number of classes - 1).

And a is bounded: a key that slips whatever systems say is right, on trials that their answers pick out, as often as
anywhere. So where all systems agree, the key has what they say on at most the share a, or s, of the trials.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from erralign_book.papers.frozen import frozen
from erralign_book.papers.judges.counts import ARCHIVES, GRADES, judges, queries, right
from erralign_book.papers.leads import around, without_each
from erralign_book.papers.many_models import together as many_models

AT = np.round(np.arange(1, 0.499, -0.01), 2)
LEAST, VANISH = "at least", "no shared errors"
LOWEST = 0.3  # where roots are sought; a key that is right on a quarter says nothing


class Seen:
    """What is seen beside a key: how often each system is right, how often two are, and how often two agree."""

    def __init__(self, hit: np.ndarray, both: np.ndarray, agree: np.ndarray, other: float, least: float) -> None:
        self.hit, self.both, self.agree, self.other, self.least = hit, both, agree, other, least

    @classmethod
    def of(cls, given: np.ndarray, hit: np.ndarray, n_classes: int) -> Seen:
        """Count answers, trials by systems, -1 for none, which never agree."""
        ends = np.triu_indices(given.shape[1], 1)
        chosen = [(given == each).astype(float) for each in range(n_classes)]
        agree = sum((each.T @ each)[ends] for each in chosen) / len(given)
        both = (hit.T.astype(float) @ hit)[ends] / len(given)
        agreed = (given == given[:, :1]).all(axis=1) & (given[:, 0] >= 0)
        return cls(hit.mean(axis=0), both, agree, 1 / (n_classes - 1), hit[agreed, 0].mean())

    def covariances(self, a: float) -> tuple[np.ndarray, np.ndarray]:
        """Return variances of errors and covariances of two beside the truth, if the key is right that often."""
        slip = (1 - a) * self.other
        p, both = (self.hit - slip) / (a - slip), (self.both - slip * self.agree) / (a - slip)
        first, second = np.triu_indices(len(p), 1)
        return p * (1 - p), both - p[first] * p[second]

    def number(self, a: float) -> float:
        """Return the effective number beside the truth, or nan where fewer errors are shared than by chance."""
        alone, shared = self.covariances(a)
        variance = alone.sum() + 2 * shared.sum()
        return len(alone) * alone.sum() / variance if shared.sum() > 0 else np.nan

    def vanishing(self) -> float:
        """Return how often the key would be right if systems shared no errors."""
        return brentq(lambda a: self.covariances(a)[1].sum(), LOWEST, 1)


def of_judges(kept: np.ndarray) -> Seen:
    """Return what is seen of the judges on some pairs."""
    return Seen.of(judges().answers.to_numpy()[kept], right()[kept], len(GRADES))


@frozen(inputs=ARCHIVES)
def key_of_judges() -> pd.DataFrame:
    """Return the effective number by how often the assessors are right, and where shared errors vanish.

    Limits are over queries; ``right_low`` and ``right_high`` are those of two more rows: the least that the key can
    be right, and where shared errors vanish.
    """
    whole, without = without_each(of_judges, queries())
    rows = []
    for a in AT:
        ends = around(np.log(whole.number(a)), np.log([each.number(a) for each in without]))
        rows.append({"right": a} | dict(zip(("number", "low", "high"), np.exp(ends), strict=True)))
    for what, of in {LEAST: lambda seen: seen.least, VANISH: Seen.vanishing}.items():
        found = around(of(whole), np.array([of(each) for each in without]))
        rows.append({"what": what} | dict(zip(("right", "right_low", "right_high"), found, strict=True)))
    return pd.DataFrame(rows)


@frozen(inputs=many_models.MODELS)
def key_of_models() -> pd.DataFrame:
    """Return the same for language models on MMLU-Pro, whose wrong options are one in nine each, on average."""
    answers, hit = many_models.models().answers.to_numpy(), many_models.right(many_models.models())
    seen = Seen.of(answers, hit, len(many_models.models().classes))
    rows = [{"right": a, "number": seen.number(a)} for a in AT]
    return pd.DataFrame([*rows, {"right": seen.least, "what": LEAST}, {"right": seen.vanishing(), "what": VANISH}])
