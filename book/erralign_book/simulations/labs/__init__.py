"""What the labs of *Align it* find: on made people, of whom we know what they share, and on real ones."""

from erralign_book.simulations.labs.made import HIDDEN, made, made_choices
from erralign_book.simulations.labs.transforms import (
    MAPS,
    PROBES,
    RAW,
    SHUFFLED,
    errors,
    likeness,
    likeness_map,
    through,
)
from erralign_book.simulations.labs.words import AHEAD, FINDS, RIVALS, conditional_head, tempted
