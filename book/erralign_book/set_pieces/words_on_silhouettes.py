"""Silhouettes of the page's choice: those that fool both, with the wrong words given to them, or groups of any."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from erralign.plot.html import Table
from erralign_book.set_pieces.signature import Group, silhouettes, steps, still

SAID = "filled half: “knife” (left: people’s word, right: networks’)"


def words_on_silhouettes(title: str) -> Table:
    """Show the silhouettes that fool both, sorted by whether people's and networks' commonest wrong words match."""
    return still(replace(steps()[2], sentence=title, key=SAID))


def strip_of_silhouettes(title: str, groups: Mapping[str, Sequence[str]]) -> Table:
    """Show silhouettes in groups, each under its words."""
    rows = silhouettes()
    shown = tuple(Group(words, rows.loc[list(images)], across=10) for words, images in groups.items())
    return still(replace(steps()[3], sentence=title, groups=shown, key=""))
