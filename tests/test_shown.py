"""What a page shows of the library's own code, from its source."""

import numpy as np

from erralign.similarity import matrices, prepared
from erralign_book.building.shown import code_of

PREPARED = "erralign.similarity.prepared"


def test_what_is_shown_is_the_code_without_its_docstring_and_runs():
    code = code_of(
        ["erralign.similarity.matrices._shrinkage", f"{PREPARED}.N_NEIGHBOURS", f"{PREPARED}.to_unit_length"]
    )
    assert '"""' not in code
    assert "N_NEIGHBOURS: Final = 10  # by cosine" in code
    made = {"np": np, "Prepared": prepared.Prepared, "Final": int}
    exec(code, made)
    x = prepared.Prepared(np.arange(12.0).reshape(4, 3) ** 2)
    np.testing.assert_array_equal(made["_shrinkage"](x, 0.1), matrices._shrinkage(x, 0.1))
