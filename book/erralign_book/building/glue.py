"""Numbers for a chapter's prose, out of its code cells."""

from collections.abc import Mapping
from importlib.util import find_spec

from erralign.plot.theme import with_interval
from erralign_book.papers.claims.claim import Claim


def glue(*values: Mapping, **more: object) -> None:
    """Store values under names that the chapter's prose refers to, without showing them."""
    if not find_spec("myst_nb"):  # it belongs to the extra `book`; elsewhere, as in Colab, nothing reads the values
        return
    import myst_nb

    for name, value in [pair for each in (*values, more) for pair in each.items()]:
        myst_nb.glue(name, value.item() if hasattr(value, "item") else value, display=False)


def glue_claim(level: float = 0.95, digits: int = 2, **claims: Claim) -> None:
    """Store what claims say: the value with its interval in words, and each part of it under the name with a suffix."""
    for name, claim in claims.items():
        row, every = claim.said(level), claim.found(level)
        parts = {part: row[part] for part in ("value", "low", "high", "first", "second") if part in row}
        parts |= {"n": len(every), "n_clear": int((every["verdict"] == claim.says).sum())}
        interval = with_interval(row["value"], row["low"], row["high"], digits)
        glue({name: interval}, {f"{name}_{part}": value for part, value in parts.items()})
