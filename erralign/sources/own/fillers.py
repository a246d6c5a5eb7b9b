"""Finding a filler: an option that was written where no answer could be read."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.special import bdtrc

from erralign.errors import check_labels, check_same_length

P = 1e-6  # many systems, each with several options, are looked at
TIMES = 2.0  # so much more frequent than among answers that were read


class Filler(NamedTuple):
    """An option that is far more frequent among answers that could not be read."""

    option: int
    share_unread: float  # among answers that could not be read
    share_read: float  # among those that could
    n_unread: int
    p: float  # one-sided, binomial, times the number of options


def filler(answers: Any, unread: Any) -> Filler | None:
    """Find one option over-represented where no answer could be read; None where there is no such option.

    Its share among unread answers must be at least twice that among read ones (both with one count more), and its
    binomial p, times the number of options that occur, below one in a million. Answers of -1 are no options.
    """
    answers, marks = check_labels("answers", answers, may_time_out=True), np.asarray(unread)
    if marks.dtype != bool:
        raise TypeError(f"unread holds {marks.dtype}; expected True or False for each answer")
    check_same_length(answers=answers, unread=marks)
    given = answers >= 0
    hidden, seen = (np.bincount(answers[given & each], minlength=answers.max() + 1) for each in (marks, ~marks))
    if not hidden.sum():
        return None
    option, n = int(hidden.argmax()), int(hidden.sum())
    share = float(hidden[option] / n)
    usual = (seen + 1) / (seen + 1).sum()
    p = bdtrc(hidden[option] - 1, n, usual[option])  # binomial; scipy.stats would be slow to import
    p = min(1.0, float(p) * np.count_nonzero(hidden + seen))
    if p >= P or share < TIMES * usual[option]:
        return None
    return Filler(option, share, float(seen[option] / max(seen.sum(), 1)), n, p)


def warning_of(name: str, found: Filler, classes: Sequence[str]) -> str:
    """Say in a sentence which option fills the place of unread answers in the file of a system."""
    return (
        f"{name} has {classes[found.option]!r} on {found.share_unread:.0%} of {found.n_unread:,} items on which no "
        f"answer could be read, against {found.share_read:.0%} elsewhere: it seems to stand for no answer."
    )
