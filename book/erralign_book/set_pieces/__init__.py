"""Drawings that readers play with, which no page could hold: at most eight; and the photograph that pages show."""

from erralign_book.charts.index import live_strips as live_strips
from erralign_book.charts.pictures import captioned as captioned
from erralign_book.charts.pictures import cards as cards
from erralign_book.set_pieces.decision_regions import decision_regions as decision_regions
from erralign_book.set_pieces.dots_of_chance import dots_of_chance as dots_of_chance
from erralign_book.set_pieces.exam import exam as exam
from erralign_book.set_pieces.odd_one_out import odd_one_out_game as odd_one_out_game
from erralign_book.set_pieces.photograph import cat as cat
from erralign_book.set_pieces.photograph import distorted as distorted
from erralign_book.set_pieces.signature import signature as signature
from erralign_book.set_pieces.words_on_silhouettes import strip_of_silhouettes as strip_of_silhouettes
from erralign_book.set_pieces.words_on_silhouettes import words_on_silhouettes as words_on_silhouettes
