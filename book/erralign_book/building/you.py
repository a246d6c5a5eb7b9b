"""Whoever sat the experiment is in later lessons, beside people and networks."""

from html import escape

from erralign.plot.html import Table


def you(says: str = "") -> Table:
    """Show the reader's own EC with people and with networks, or the way to the experiment.

    With a sentence, show only that, and only to whoever sat: names in braces are values of sit/you.js.
    """
    words = '<p><a href="sit-the-experiment.html">Sit the experiment</a> to see yourself here.</p>'
    return Table(f'<div class="sit-you" data-says="{escape(says)}">{"" if says else words}</div>', "You")
