"""Responses as the arrays in which measures are computed."""

from collections.abc import Iterable

import numpy as np

from erralign.measures.matrix import ResponseMatrix, pairs_of
from erralign.responses.model import Responses


def response_matrix(
    responses: Responses,
    systems: list[str] | None = None,
    *,
    with_: str | Iterable[str] | None = None,
    short: bool = False,
    unread: str = "wrong",
) -> ResponseMatrix:
    """Return responses as arrays: of 64-bit integers, in which labels can be multiplied, or answers of short ones."""
    answers = responses.answers if systems is None else responses.answers[systems]
    chosen = None if with_ is None else answers.columns.isin([with_] if isinstance(with_, str) else list(with_))
    small = np.int16 if len(responses.classes) < 2**15 else np.int32
    array = np.ascontiguousarray(answers.to_numpy(small).T) if short else answers.to_numpy(np.int64).T
    return ResponseMatrix(
        responses.truth.to_numpy(np.int64),
        array,
        len(responses.classes),
        None if chosen is None else pairs_of(len(array), chosen),
        None if responses.options is None else responses.options.to_numpy(np.int64),
        unread == "left out",
    )
