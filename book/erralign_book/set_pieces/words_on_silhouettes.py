"""The silhouettes that fool both people and networks, each with the wrong words that were given to it."""

from dataclasses import replace

from erralign.plot.html import Table
from erralign_book.set_pieces.signature import steps, still

SAID = "filled half: “knife” (left: people’s word, right: networks’)"


def words_on_silhouettes(title: str) -> Table:
    """Show the silhouettes that fool both, sorted by whether people's and networks' commonest wrong words match."""
    return still(replace(steps()[2], sentence=title, key=SAID))
