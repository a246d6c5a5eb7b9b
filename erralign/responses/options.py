"""How many options each trial offers, where classes are positions and mean nothing across trials."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from erralign.errors import check_counts_of_options, check_offered, places_in, shown
from erralign.responses.alignment import as_named_in


def options_on(given: Any, trials: pd.Index) -> pd.Series:
    """Return how many options each trial offers, from one number for all, or from one for each, by name or in order."""
    if isinstance(given, Mapping):
        given = pd.Series(given)
    if isinstance(given, pd.Series):
        named = as_named_in(given.index, trials, "options")
        given = given.array[places_in("options", named, trials, "; give one number per trial")]
    return pd.Series(check_counts_of_options("options", given, len(trials)), index=trials, name="options")


def check_options(name: str, options: Any, given: Mapping[Any, pd.Series], classes: Sequence[str]) -> None:
    """Refuse numbers of options that are not one per trial, and answers that name an option which their trial lacks."""
    if options is None:
        return
    trials = given["truth"].index
    if not isinstance(options, pd.Series) or not options.index.equals(trials):
        raise TypeError(f"{name}: options is no Series with the index of truth; Responses.from_table makes one")
    counts = check_counts_of_options(f"options of {name}", options.to_numpy(), len(trials))
    for system, answers in given.items():
        check_offered(f"{name}, {system},", answers.to_numpy(), counts, trials, classes)


def joined(mine: pd.Series | None, theirs: pd.Series | None, names: tuple[str, str]) -> pd.Series | None:
    """Return the options of two Responses about the same trials, in the order of the first."""
    if mine is None or theirs is None:
        return theirs if mine is None else mine
    differs = np.flatnonzero(mine.to_numpy() != theirs.to_numpy())
    if len(differs):
        at = differs[0]
        raise ValueError(
            f"trial {shown(mine.index[at])} has {mine.iloc[at]} options in {names[0]} and {theirs.iloc[at]} in "
            f"{names[1]}: {len(differs)} of {len(mine)} trials differ; join answers to the same questions only"
        )
    return mine
