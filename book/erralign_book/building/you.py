"""Whoever sat the experiment is a row in later lessons, beside people and a network that they choose."""

from erralign.errors import check_choice
from erralign.plot.tables import Table


def you(measure: str) -> Table:
    """Show the reader's own "EC" or "MA" with people and with a network; for who did not sit it, a person's."""
    check_choice("measure", measure, ["EC", "MA"])
    sat = 'whoever sat <a href="sit-the-experiment.html">the experiment</a>'
    words = f"In a browser with JavaScript, {sat} stands here."
    return Table(f'<div class="sit-you" data-measure="{measure}"><p>{words}</p></div>', f"You, by {measure}")
