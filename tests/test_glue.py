"""Numbers for prose reach myst-nb as plain Python values."""

import myst_nb
import numpy as np
import pandas as pd

from erralign_book.building.glue import glue


def test_every_value_is_glued_as_a_number_of_python(monkeypatch):
    glued = {}
    monkeypatch.setattr(myst_nb, "glue", lambda name, value, display: glued.update({name: (value, display)}))
    glue({"share": np.float64(0.5)}, pd.Series({"low": 1, "high": 2}).add_prefix("n_"), word="CLIP", pairs=np.int64(3))
    assert glued == {
        "share": (0.5, False),
        "n_low": (1, False),
        "n_high": (2, False),
        "word": ("CLIP", False),
        "pairs": (3, False),
    }
    assert {type(value) for value, _ in glued.values()} == {float, int, str}
