"""Numbers for prose reach myst-nb as plain Python values."""

import myst_nb
import numpy as np
import pandas as pd

from erralign_book.building.glue import glue


def test_every_value_is_glued_as_a_number_of_python(monkeypatch):
    glued = {}
    monkeypatch.setattr(myst_nb, "glue", lambda name, value, display: glued.update({name: (value, display)}))
    glue({"share": np.float64(0.5)}, pd.Series({"low": 1, "high": 2}).add_prefix("n_"), word="CLIP", pairs=np.int64(3))
    expected = {"share": 0.5, "n_low": 1, "n_high": 2, "word": "CLIP", "pairs": 3}
    assert glued == {name: (value, False) for name, value in expected.items()}
    assert {type(value) for value, _ in glued.values()} == {float, int, str}
