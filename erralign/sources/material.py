"""What pictures of a data set share: photographs that several of them are made of."""

from __future__ import annotations

import pandas as pd

from erralign.responses import Responses


def shared_material(responses: Responses) -> pd.DataFrame | None:
    """Say which photographs each picture of a public data set is made of, as ``clusters=`` of intervals takes it.

    Each of the 1,280 pictures of cue conflict has its shape from one of 160 photographs and its texture from one of 48,
    and its name says from which. In all other sets with photographs each of these occurs once, in one condition. But
    sets share photographs: edges and silhouettes show the same 160 objects, and two of the twelve sets of distorted
    photographs have up to 67 of about 1,280 in common. For means over data sets give ``clusters="image"``. Of the
    video frames in MPII-Cooking and Epic-Kitchen the released arrays do not say which video they are from.

    Parameters
    ----------
    responses : Responses
        A data set as :func:`erralign.load` returns it, or a part of one.

    Returns
    -------
    pandas.DataFrame or None
        Columns ``shape`` and ``texture``, with the index of the trials; None where no picture is known to share
        anything with another.

    Examples
    --------
    >>> from erralign.sources.examples import twelve_pictures
    >>> shared_material(twelve_pictures()) is None
    True
    """
    if not responses.name.endswith("/cue-conflict"):
        return None
    return photographs_of(responses.truth.index)


def photographs_of(trials: pd.Index) -> pd.DataFrame:
    """Read off the names of cue-conflict pictures which photographs they are made of.

    Parameters
    ----------
    trials : pandas.Index
        With a level ``image``, such as ``"airplane1-bicycle2.png"``.

    Returns
    -------
    pandas.DataFrame
        Columns ``shape`` and ``texture``, with that index.

    Examples
    --------
    >>> photographs_of(pd.Index(["airplane1-bicycle2.png"], name="image")).iloc[0].tolist()
    ['airplane1', 'bicycle2']
    """
    names = trials.get_level_values("image").to_series()
    return names.str.extract(r"^(?P<shape>.+)-(?P<texture>.+)\.png$").set_axis(trials)
