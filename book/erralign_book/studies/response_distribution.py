"""A crowd of which only shares are known: how many people chose each option of each item.

A member drawn at random for each item gives each answer with its share, so agreement with her follows without drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from erralign._validation import NO_ANSWER, check_choice, check_labels, check_same_length, checked, shown
from erralign.bounds import surely_right
from erralign.inference.clusters import Clusters, clusters_of, jackknife
from erralign.measures.matrix import ratio
from erralign.responses.columns import align, on_trials

MEMBERS = "two members"
LARGEST = ("largest", "largest_low", "largest_high")
# With fewer items that a system missed, no limits of agreement on wrong answers.
FEWEST_MISSED = 5


@dataclass(frozen=True)
class Crowd:
    """The share of people that chose each option of each item.

    Parameters
    ----------
    truth : pandas.Series or array_like of int, shape (n_items,)
        The right option of each item, by its place: 0, 1, ….
    shares : pandas.DataFrame or array_like, shape (n_items, n_options)
        How many people chose each option, as shares or counts; each row is divided by its sum. NaN where an item has no
        such option. A DataFrame is aligned by the index of ``truth`` where that is a Series.

    Examples
    --------
    >>> crowd = Crowd([0, 1], [[70, 20, 10, 0], [0.1, 0.6, 0.3, np.nan]])
    >>> crowd.accuracies.tolist(), crowd.n_options.tolist()
    ([0.7, 0.6], [4, 3])
    """

    truth: pd.Series
    shares: pd.DataFrame

    def __post_init__(self) -> None:
        """Align shares with items, divide them by their sums, and refuse what are no shares."""
        shares = self.shares
        truth, columns = align(
            self.truth, shares if isinstance(shares, pd.DataFrame) else dict(enumerate(np.asarray(shares).T))
        )
        shares = pd.DataFrame(columns).astype(float)
        _check_shares(shares)
        object.__setattr__(self, "truth", pd.Series(_checked("truth", truth, shares), truth.index))
        object.__setattr__(self, "shares", shares.div(shares.sum(axis=1), axis=0))

    @property
    def accuracies(self) -> np.ndarray:
        """Return the share of people who are right, item by item."""
        return _at(self.shares.to_numpy(), self.truth.to_numpy())

    @property
    def n_options(self) -> np.ndarray:
        """Return how many options each item has."""
        return self.shares.notna().sum(axis=1).to_numpy()

    def majority(self) -> Crowd:
        """Return a crowd in which everybody gives the most frequent answer to each item.

        Returns
        -------
        Crowd
            Where several options are equally frequent, each has an equal share.

        Examples
        --------
        >>> Crowd([0, 1], [[0.7, 0.2, 0.1], [0.4, 0.2, 0.4]]).majority().accuracies.tolist()
        [1.0, 0.0]
        """
        most = self.shares.eq(self.shares.max(axis=1), axis=0).astype(float)
        return Crowd(self.truth, most.where(self.shares.notna()))


def _check_shares(shares: pd.DataFrame) -> None:
    values = shares.to_numpy()
    wrong = (values < 0).any(axis=1) | np.isinf(values).any(axis=1) | ~(np.nansum(values, axis=1) > 0)
    if wrong.any():
        raise ValueError(f"shares of item {shown(shares.index[wrong][0])} are no shares; expected numbers from 0 up")


def _checked(name: str, options: pd.Series, shares: pd.DataFrame, *, may_time_out: bool = False) -> np.ndarray:
    """Return the places of options, unless one names an option which its item lacks."""
    places = check_labels(
        name, options.infer_objects().to_numpy(), n_classes=shares.shape[1], may_time_out=may_time_out
    )
    lacking = np.isnan(_at(shares.to_numpy(), places)) & (places != NO_ANSWER)
    if lacking.any():
        item, has = shares.index[lacking][0], shares.notna().sum(axis=1).to_numpy()[lacking][0]
        raise ValueError(f"{name} names option {places[lacking][0]} of item {shown(item)}, which has {has} options")
    return places


def _at(shares: np.ndarray, options: np.ndarray) -> np.ndarray:
    return shares[np.arange(len(shares)), options]


def agreement(
    crowd: Crowd,
    answers: Mapping[str, Any] | pd.DataFrame,
    measure: str = "error_consistency",
    *,
    level: float = 0.95,
    strata: Any = None,
    clusters: Any = None,
) -> pd.DataFrame:
    r"""Compare systems with a member of a crowd, and two members with each other.

    A member is drawn anew for each item. Let :math:`h_i` be the share of the crowd that is right on item i,
    :math:`x_{io}` the share that chose option o, and :math:`r_i` 1 where the system is right, else 0. With means over
    items, error consistency with a member and that of two members are

    .. math:: EC = \frac{2 (\overline{rh} - \bar r \bar h)}{\bar r + \bar h - 2 \bar r \bar h}, \qquad
              EC_{members} = \frac{\mathrm{var}(h)}{\bar h (1 - \bar h)}.

    Misclassification agreement takes chance from the number of options: a wrong answer to an item of :math:`k_i`
    options is the same as another one with probability :math:`1 / (k_i - 1)`. Over the items i that the system missed
    with :math:`a_i`,

    .. math:: p_o = \frac{\sum_i x_{i a_i}}{\sum_i (1 - h_i)}, \qquad
              p_c = \frac{\sum_i (1 - h_i) / (k_i - 1)}{\sum_i (1 - h_i)}, \qquad MA = \frac{p_o - p_c}{1 - p_c}.

    Beside it, a member who is wrong takes the place of the system on the same items: :math:`x_{i a_i}` becomes
    :math:`\sum_{o \ne t_i} x_{io}^2 / (1 - h_i)`. Shares are taken as those of many people; of n people, variances of
    shares add about 1/n to the values of two members.

    Limits are the value ± t standard errors by the jackknife over items. The system's answers and the crowd's shares
    are taken as they are. In simulations, 95 % intervals of the gap in MA contained the true gap in 91 to 98 % of the
    experiments, least often where some ten items were missed.

    Parameters
    ----------
    crowd : Crowd
        The people.
    answers : mapping of str to Series or array_like, or DataFrame
        The place of the option that each system chose, for each item; -1 is no answer. Series are aligned by index.
    measure : {"error_consistency", "misclassification_agreement", "accuracy"}
        EC, MA or accuracy, by name or abbreviation.
    level : float
        The share of experiments in which an interval should contain the true value.
    strata : array_like of labels, shape (n_items,), optional
        Kinds of items, such as the grade in which they are given. EC then takes chance from the accuracies in each.
    clusters : array_like of labels, shape (n_items,), optional
        What items share, as for :func:`erralign.design_effect`.

    Returns
    -------
    pandas.DataFrame
        One row per system, then ``two members``. The columns are ``value`` with ``low`` and ``high``, ``members`` (two
        members on the same items), ``gap`` (value minus members) with ``gap_low`` and ``gap_high``, and ``n_items``,
        the items that count. For EC and MA, ``largest`` is what no answers can exceed that are right as often as the
        system's in each stratum (EC), or wrong on the same items (MA): right where most of the crowd is, or with its
        favourite wrong options; ``largest_low`` and ``largest_high`` are the limits of these answers. For MA limits are
        nan with fewer than five such items; nan, too, where a value is 0/0.

    References
    ----------
    Kim et al. (2025), chance agreement of 1/(k - 1), https://doi.org/10.48550/arXiv.2506.07962.

    Examples
    --------
    >>> crowd = Crowd([0, 0, 1, 1], [[0.9, 0.1, 0], [0.5, 0.4, 0.1], [0.2, 0.8, 0], [0.5, 0.3, 0.2]])
    >>> agreement(crowd, {"model": [0, 1, 1, 0]})["value"].round(3).tolist()
    [0.45, 0.243]
    """
    names = {"EC": "error_consistency", "MA": "misclassification_agreement"}
    measure = names.get(measure, measure)
    check_choice("measure", measure, list(_FORMS))
    checked(level=level)
    form, index = _FORMS[measure], crowd.truth.index
    labels = np.zeros(len(index)) if strata is None else np.asarray(strata)
    check_same_length(truth=crowd.truth.to_numpy(), strata=labels)
    items = _Items(pd.factorize(labels)[0], clusters_of(clusters, crowd.truth), level)
    rows = {}
    for name, answer in answers.items():
        chosen = on_trials(str(name), answer if isinstance(answer, pd.Series) else np.asarray(answer), index)
        places = _checked(str(name), chosen, crowd.shares, may_time_out=True)
        rows[name] = _row(form, items, *form.columns(crowd, places, items.stratum))
    rows[MEMBERS] = _row(form, items, form.of_members(crowd))
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("system")


# --- what each item adds ----------------------------------------------------------------------------------------------


class _Form(NamedTuple):
    """A measure as a function of sums over items."""

    # What items add: of a system, of members in its place, and of the best answers that are right, or wrong, as often
    # in each stratum; and of two members.
    columns: Callable[[Crowd, np.ndarray, np.ndarray], tuple[np.ndarray, ...]]
    of_members: Callable[[Crowd], np.ndarray]
    value: Callable[[np.ndarray], np.ndarray]  # from sums, shape (…, n_strata, n_columns)
    within: tuple[float, float]
    fewest: int = 0


def _right(of_a: np.ndarray, of_b: np.ndarray) -> np.ndarray:
    return np.stack([np.ones(len(of_a)), of_a, of_b, of_a * of_b], axis=1)


def _rights(crowd: Crowd, chosen: np.ndarray, stratum: np.ndarray) -> tuple[np.ndarray, ...]:
    right, sure, of_crowd = (chosen == crowd.truth.to_numpy()).astype(float), np.zeros(len(chosen)), crowd.accuracies
    for kind in np.unique(stratum):
        here = stratum == kind
        sure[here] = surely_right(of_crowd[None, here], right[here].mean())
    return _right(right, of_crowd), _rights_of_members(crowd), _right(sure, of_crowd)


def _rights_of_members(crowd: Crowd) -> np.ndarray:
    return _right(crowd.accuracies, crowd.accuracies)


def _consistency(sums: np.ndarray) -> np.ndarray:
    n, a, b, both = np.moveaxis(sums, -1, 0)
    by_chance = a * b / np.maximum(n, 1)
    return _ratio(2 * (both - by_chance).sum(axis=-1), (a + b - 2 * by_chance).sum(axis=-1))


def _accuracy(sums: np.ndarray) -> np.ndarray:
    return _ratio(sums[..., 1].sum(axis=-1), sums[..., 0].sum(axis=-1))


def _wrong(crowd: Crowd, joint: np.ndarray, same: np.ndarray) -> np.ndarray:
    """Return how often both are wrong, and how often with one answer, by chance and observed."""
    return np.stack([joint, joint / np.maximum(crowd.n_options - 1, 1), same], axis=1)


def _wrongs(crowd: Crowd, chosen: np.ndarray, _: np.ndarray) -> tuple[np.ndarray, ...]:
    truth, shares, right = crowd.truth.to_numpy(), crowd.shares.to_numpy(), crowd.accuracies
    missed = (chosen != truth) & (chosen != NO_ANSWER)
    wrong, favourite = missed * (1 - right), np.where(np.arange(shares.shape[1]) == truth[:, None], -1, shares)
    same = _at(shares, chosen), _ratio(_repeated(crowd), 1 - right, 0), np.nanmax(favourite, axis=1)
    of_system, of_members, of_best = (_wrong(crowd, wrong, missed * np.nan_to_num(share)) for share in same)
    return of_system, of_members, of_best


def _wrongs_of_members(crowd: Crowd) -> np.ndarray:
    return _wrong(crowd, (1 - crowd.accuracies) ** 2, _repeated(crowd))


def _repeated(crowd: Crowd) -> np.ndarray:
    """Return how often two members give the same wrong answer."""
    return (crowd.shares**2).sum(axis=1).to_numpy() - crowd.accuracies**2


def _wrong_alike(sums: np.ndarray) -> np.ndarray:
    joint, chance, same = np.moveaxis(sums.sum(axis=-2), -1, 0)
    return _ratio(same - chance, joint - chance)


def _ratio(numerator: np.ndarray, denominator: np.ndarray, undefined: float = np.nan) -> np.ndarray:
    """Divide sums of shares, which are 0 but for rounding where nobody chose."""
    return ratio(numerator, np.where(denominator > 1e-12, denominator, 0), undefined)


_FORMS = {
    "error_consistency": _Form(_rights, _rights_of_members, _consistency, (-1.0, 1.0)),
    "misclassification_agreement": _Form(_wrongs, _wrongs_of_members, _wrong_alike, (-np.inf, 1.0), FEWEST_MISSED),
    "accuracy": _Form(lambda *given: _rights(*given)[:2], _rights_of_members, _accuracy, (0.0, 1.0)),
}


# --- limits -----------------------------------------------------------------------------------------------------------


class _Items(NamedTuple):
    """What is known of items, beside answers."""

    stratum: np.ndarray
    clusters: Clusters | None
    level: float


def _row(
    form: _Form, items: _Items, own: np.ndarray, members: np.ndarray | None = None, best: np.ndarray | None = None
) -> dict[str, float]:
    n = int((own[:, 0] > 0).sum())
    value, low, high = _limits(form, items, [own], form.within)
    row = {"value": value, "low": low, "high": high, "members": np.nan}
    row |= dict.fromkeys(("gap", "gap_low", "gap_high"), np.nan)
    if members is not None:
        gap, gap_low, gap_high = _limits(form, items, [own, members], (-np.inf, np.inf))
        row |= {"members": value - gap, "gap": gap, "gap_low": gap_low, "gap_high": gap_high}
    if best is not None:
        row |= dict(zip(LARGEST, _limits(form, items, [best], form.within), strict=True))
    if n < form.fewest:
        row |= dict.fromkeys(("low", "high", "gap_low", "gap_high", *LARGEST[1:]), np.nan)
    return row | {"n_items": n}


def _limits(form: _Form, items: _Items, parts: list[np.ndarray], within: tuple[float, float]) -> tuple:
    """Return a value, or the difference of two, with its limits by the jackknife."""
    spread = np.eye(items.stratum.max() + 1)[items.stratum]
    columns = np.stack([spread[:, :, None] * part[:, None, :] for part in parts], axis=1)

    def value(sums: np.ndarray) -> np.ndarray:
        first, *second = np.moveaxis(form.value(sums), -1, 0)
        return first - second[0] if second else first

    whole, half = jackknife(value, columns, items.clusters, items.level)
    low, high = np.clip([whole - half, whole + half], *within)
    return whole, float(low), float(high)
