"""Systems that err on the same trials as given ones, and answer at random there."""

from dataclasses import replace

import numpy as np
import pandas as pd

from erralign.behaviour.counting import wrong_answers
from erralign.errors import check_responses, check_rng
from erralign.responses import Responses


def with_random_errors(responses: Responses, *, rng: int | np.random.Generator = 0) -> Responses:
    """Return systems that err on the same trials, but with random answers: each wrong class is equally likely.

    The class-level error similarity of these systems comes from the numbers of errors and the smoothing alone. It is
    not the smallest value that you may see: these systems spread their errors in the same even way, and two systems
    with strong but different habits have a smaller value; see :func:`common_habits_test`.

    Parameters
    ----------
    responses : Responses
        What every system answered.
    rng : int or numpy.random.Generator
        The source of randomness.

    Returns
    -------
    Responses
        Systems with the same accuracies and the same joint errors. Missing answers stay missing.

    Raises
    ------
    ValueError
        Fewer than two classes, so that there is no wrong class.

    Examples
    --------
    >>> one = Responses.from_table(["x", "y", "z"], {"a": ["x", "z", "x"]})
    >>> (with_random_errors(one).answers["a"] == one.truth).tolist()
    [True, False, False]
    """
    check_responses("responses", responses)
    n_classes = len(responses.classes)
    if n_classes < 2:
        raise ValueError(f"{responses.name} has {n_classes} class: a wrong answer needs two")
    rng = check_rng(rng)
    truth, answers = responses.truth.to_numpy()[:, None], responses.answers.to_numpy()
    step = rng.integers(1, n_classes, size=answers.shape)
    drawn = np.where(wrong_answers(truth, answers), (truth + step) % n_classes, answers)
    return replace(
        responses, answers=pd.DataFrame(drawn, index=responses.answers.index, columns=responses.answers.columns)
    )
