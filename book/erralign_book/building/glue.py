"""Numbers for a chapter's prose, out of its code cells."""

from collections.abc import Mapping
from importlib.util import find_spec


def glue(*values: Mapping, **more: object) -> None:
    """Store values under names that the chapter's prose refers to, without showing them."""
    if not find_spec("myst_nb"):  # it belongs to the extra `book`; elsewhere, as in Colab, nothing reads the values
        return
    import myst_nb

    for name, value in [pair for each in (*values, more) for pair in each.items()]:
        myst_nb.glue(name, value.item() if hasattr(value, "item") else value, display=False)
