"""Drawings that readers play with, which no page could hold: at most eight."""

from erralign_book.set_pieces.decision_regions import decision_regions as decision_regions
from erralign_book.set_pieces.dots_of_chance import dots_of_chance as dots_of_chance
from erralign_book.set_pieces.odd_one_out import odd_one_out_game as odd_one_out_game
