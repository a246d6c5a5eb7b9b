"""Trials of a file under the names that others give them."""

import re

import pandas as pd

from erralign.errors import check_once
from erralign.responses.alignment import as_named_in

ENDING = re.compile(r"\.[A-Za-z]\w{1,4}$")  # .png, .jpeg, .JPG


def on_others(trials: pd.Index, wanted: pd.Index, file: str) -> tuple[pd.Index, list[str]]:
    """Return trials with the names that others give them, by their stems where these are enough, and a note on that."""
    renamed = _by_stems(trials, wanted)
    named = as_named_in(renamed, wanted, file)
    check_once(file, named)
    if renamed is trials:
        return named, []
    return named, [f"Trials of {file} are matched by their names without folders and endings."]


def _by_stems(trials: pd.Index, wanted: pd.Index) -> pd.Index:
    if isinstance(trials, pd.MultiIndex):
        own_levels = [trials.get_level_values(place) for place in range(trials.nlevels)]
        levels = [_by_stems(level, _level(wanted, level.name)) for level in own_levels]
        same = all(level is own for level, own in zip(levels, own_levels, strict=True))
        return trials if same else pd.MultiIndex.from_arrays(levels, names=trials.names)
    theirs = _level(wanted, trials.name).unique()
    own = trials.unique()
    if "string" not in (theirs.inferred_type, own.inferred_type) or own.isin(theirs).all():
        return trials
    called = {_stem(name): name for name in theirs.astype(str)}
    stems = own.astype(str).map(_stem)
    if len(called) < len(theirs) or not stems.is_unique or not stems.isin(list(called)).any():
        return trials
    names = dict(zip(own, (called.get(stem, name) for stem, name in zip(stems, own, strict=True)), strict=True))
    return trials.map(names)


def _level(index: pd.Index, name) -> pd.Index:
    return index.get_level_values(name if name in index.names else -1)


def _stem(name: str) -> str:
    return ENDING.sub("", re.split(r"[/\\]", name)[-1])
