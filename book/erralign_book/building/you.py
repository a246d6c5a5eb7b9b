"""Whoever sat the experiment is in a later lesson, beside people and networks."""

from erralign.plot.tables import Table


def you() -> Table:
    """Show the reader's own EC with people and with networks, or the way to the experiment."""
    words = '<a href="sit-the-experiment.html">Sit the experiment</a> to see yourself here.'
    return Table(f'<div class="sit-you"><p>{words}</p></div>', "You")
