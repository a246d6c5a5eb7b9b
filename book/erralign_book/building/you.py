"""Whoever sat the experiment is in later lessons, beside people and networks."""

from html import escape

from erralign.plot.html import Table
from erralign_book.on_site import OnSite


def you(says: str = "") -> Table:
    """Show the reader's own EC with people and with networks, once the reader sat the experiment.

    With a sentence, show only that: names in braces are values of sit/you.js.
    """
    return OnSite(f'<div class="sit-you" data-says="{escape(says)}"></div>', "")
