"""Our own claim about theories of thinking: one of them draws people's wrong conclusions more often than people do."""

import pandas as pd

from erralign_book.papers import theories
from erralign_book.papers.claims.claim import claim, ours_first

THEORY = "Verbal Models"


def _rows(table: pd.DataFrame) -> pd.DataFrame:
    """Keep its leads in MA. It was chosen among seven on the people of 2016, so ours are those of 2018."""
    kept = table[(table["of"] == THEORY) & (table["measure"] == "MA")]
    kept = ours_first(kept, people=2018, rule=theories.SPLIT, forms="all forms", over=theories.PERSON)
    return kept[["people", "rule", "forms", "over", "first", "second", "value", "se", "df"]]


WRONG_CONCLUSIONS = claim("theories.toml", "theory-over-person", _rows, theories.leads)
CLAIMS = (WRONG_CONCLUSIONS,)
