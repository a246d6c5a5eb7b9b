"""What the labs of *Align it* find: on made people, of whom we know what they share, and on real ones."""

from erralign_book.simulations.labs.made import HIDDEN, Made, made, made_choices
from erralign_book.simulations.labs.maps import likeness_map, through
from erralign_book.simulations.labs.transforms import MAPS, PROBES, RANDOM, RAW, SHUFFLED, answers, errors, likeness
from erralign_book.simulations.labs.words import FINDS, RIVALS, SHARE, conditional_head, tempted
