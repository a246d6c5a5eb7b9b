"""Findings on the data of Xu et al. (2024): confusions at equal numbers of errors, and what accuracy explains."""

import numpy as np
import pandas as pd
import pytest

from erralign.responses import Responses
from erralign_book.papers import xu2024

SYSTEMS = (("p", 0.5, 0), ("q", 0.3, 0), ("m", 0.5, 1), ("n", 0.2, 1), ("few", 0.05, 0))


# ---- confusions at equal numbers of errors -----------------------------------------------------------------------


@pytest.mark.parametrize(("n_errors", "step"), [(60, 1), (30, 2)], ids=["the same pictures", "apart"])
def test_equal_numbers_show_whose_habits_are_the_same(n_errors, step, rng):
    truth = np.repeat(np.arange(16), 40)
    favourite = (truth + 1) % 16, (truth + 5) % 16
    said = {name: np.where(rng.random(640) < share, favourite[habit], truth) for name, share, habit in SYSTEMS}
    kind = dict.fromkeys(["p", "q"], "human") | dict.fromkeys(["m", "n", "few"], "model")
    responses = Responses.from_table(truth, pd.DataFrame(said), kind=kind)
    places = np.arange(640) % step
    two = (responses.select(trials=places == half) for half in (0, step - 1))
    found = xu2024._compared(*two, n_errors).set_index("kind")
    assert len(found) == 6  # "few" made fewer errors
    assert found.loc["human-human", "CLES"] == pytest.approx(found.loc["human-human", "shared"], abs=0.01)
    assert (found.loc["model-human", "CLES"] < found.loc["model-human", "shared"] - 0.04).all()


def test_shuffling_keeps_the_heap_and_the_numbers_of_errors(rng):
    a, b = rng.integers(0, 5, size=(2, 3, 16, 16))
    dealt_a, dealt_b = xu2024._shuffled(a, b, rng)
    np.testing.assert_array_equal(dealt_a.sum(axis=2), a.sum(axis=2))
    np.testing.assert_array_equal(dealt_a + dealt_b, a + b)
    assert not np.array_equal(dealt_a, a)


# ---- trials without an answer ------------------------------------------------------------------------------------


def test_time_outs_are_restored_as_no_answer(monkeypatch, rng):
    truth, said = np.tile(np.arange(16), 20), {name: rng.integers(16, size=320) for name in ("s1", "s2", "net")}
    original = {name: np.where(rng.random(320) < 0.2, -1, said[name]) for name in ("s1", "s2")}
    kind = {"s1": "human", "s2": "human", "net": "model"}
    released = Responses.from_table(truth, said, kind=kind, classes=range(16), name="xu2024/colour")
    monkeypatch.setattr(xu2024, "original_answers", lambda _: pd.DataFrame(original, index=released.truth.index))
    restored = xu2024.with_time_outs(released).answers
    assert {name: restored[name].tolist() for name in original} == {n: each.tolist() for n, each in original.items()}
    assert restored["net"].tolist() == said["net"].tolist()
