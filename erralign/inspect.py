"""A metric for Inspect: how many independent judges a panel is worth, by the errors that its judges share.

Inspect finds it by the entry point of this package, as ``erralign/effective_judges``. Only this module imports
``inspect_ai``, and nothing else of the package imports this module.
"""

import logging
import math
from typing import Any

import pandas as pd

from erralign._validation import checked
from erralign.diversity import effective_number
from erralign.inference.clusters import FEWEST
from erralign.responses import Responses

try:
    from inspect_ai.scorer import Metric, SampleScore, Value, metric
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"erralign.inspect is for Inspect ({error.name} is not installed); get it with  pip install inspect_ai"
    ) from error

_logger = logging.getLogger(__name__)


@metric(scores="unreduced")
def effective_judges(gold: str | None = None, cluster: str | None = None, level: float = 0.95) -> Metric:
    r"""Report how many judges who err independently a panel is worth, and how correlated its judges' errors are.

    .. math:: n_{eff} = \frac{n}{1 + (n - 1) \bar\rho}

    as :func:`erralign.effective_number` has it: :math:`\bar\rho` is the mean covariance of two judges' errors divided
    by the mean variance, for equally accurate judges their mean correlation. ``krippendorff_alpha`` of Inspect says how
    far judges agree, and needs no right answer; this says how far they are wrong together.

    Parameters
    ----------
    gold : str, optional
        The key of a sample's metadata that holds the right rating. Default: each judge's value says whether it was
        right: C or 1 is right; I, N, P and what lies from 0 to below 1 is wrong.
    cluster : str, optional
        The key of the metadata that says what samples share. Default: samples are independent, and the epochs of one
        are not.
    level : float
        Of the interval of the number.

    Returns
    -------
    Metric
        Takes scores whose ``value`` is a list with a rating per judge, which ``multi_scorer(…, reducer="collect")``
        makes, or a dictionary from judge to rating. Returns ``judges``, with ``low`` and ``high``, and
        ``error_correlation``; all are nan if equally many judges are wrong on every sample, or there are fewer than two
        judges or three samples, and the interval for fewer than three clusters. A sample that some judge did not rate
        is left out, with a warning, since a list does not say which one.

    Raises
    ------
    ValueError
        A value is neither list nor dictionary, a key is not in the metadata, the right rating is a word where a judge
        gave a number, or the other way round; or a rating says neither right nor wrong, and there is no ``gold``.
    """
    checked(level=level)

    def compute(scores: list[SampleScore]) -> Value:
        panel = [_by_judge(score) for score in scores]
        judges = list(dict.fromkeys(judge for ratings in panel for judge in ratings))
        rated = [(score, ratings) for score, ratings in zip(scores, panel, strict=True) if len(ratings) == len(judges)]
        if len(rated) < len(scores):
            left_out = len(scores) - len(rated)
            _logger.warning(
                f"effective_judges: {left_out} of {len(scores)} samples lack the rating of a judge: left out"
            )
        right = pd.DataFrame([_right(score, ratings, gold) for score, ratings in rated], columns=judges)
        if cluster is None:
            shared = [score.sample_id for score, _ in rated]
        else:
            shared = [_of_metadata(score, cluster) for score, _ in rated]
        return _number(right, pd.Series(shared, dtype=object), level)

    return compute


def _number(right: pd.DataFrame, clusters: pd.Series, level: float) -> dict[str, float]:
    """Return the numbers of a panel; nan where samples are too few, as they are while an evaluation still runs."""
    found = dict.fromkeys(("judges", "low", "high", "error_correlation"), math.nan)
    n = right.shape[1]
    if n < 2 or len(right) < FEWEST:
        return found
    panel = Responses.from_table([True] * len(right), right)
    worth = 1 / (clusters.value_counts(normalize=True) ** 2).sum()  # equal clusters that would tell as much
    if worth < FEWEST:
        found["judges"] = effective_number(panel).estimate
    else:
        number = effective_number(panel, level=level, clusters=None if clusters.is_unique else clusters.tolist())
        found |= {"judges": number.estimate, "low": number.low, "high": number.high}
    found["error_correlation"] = (n / found["judges"] - 1) / (n - 1)
    return found


def _by_judge(score: SampleScore) -> dict[str, Any]:
    """Return the ratings of a sample that were given, by judge."""
    value = score.score.value
    if not isinstance(value, list | tuple | dict):
        raise ValueError(
            f"the score of sample {score.sample_id!r} is {value!r}; a list with a rating per judge, or a dictionary, "
            "was expected:  multi_scorer(judges, reducer='collect')  makes lists"
        )
    named = value if isinstance(value, dict) else {f"judge {number}": one for number, one in enumerate(value, 1)}
    return {judge: one for judge, one in named.items() if one is not None and not _is_nan(one)}


def _is_nan(rating: Any) -> bool:
    return isinstance(rating, float) and math.isnan(rating)


def _right(score: SampleScore, ratings: dict[str, Any], gold: str | None) -> dict[str, bool]:
    if gold is not None:
        wanted = _of_metadata(score, gold)
        for judge, rating in ratings.items():
            if isinstance(rating, str) != isinstance(wanted, str):
                raise ValueError(
                    f"sample {score.sample_id!r} has the rating {rating!r} of {judge}, and {wanted!r} as {gold!r}: a "
                    "word and a number are never equal; write both in one form"
                )
        return {judge: rating == wanted for judge, rating in ratings.items()}
    for judge, rating in ratings.items():
        if rating not in ("C", "I", "P", "N") and not (isinstance(rating, int | float) and 0 <= rating <= 1):
            raise ValueError(
                f"{rating!r}, the rating of {judge} on sample {score.sample_id!r}, says neither right nor wrong; name "
                "the key of the metadata that holds the right one:  effective_judges(gold='key')"
            )
    return {judge: rating in ("C", 1) for judge, rating in ratings.items()}


def _of_metadata(score: SampleScore, key: str) -> Any:
    metadata = score.sample_metadata or {}
    if key not in metadata:
        there = ", ".join(metadata) or "nothing"
        raise ValueError(f"sample {score.sample_id!r} has no {key!r} in its metadata; it has: {there}")
    return metadata[key]
