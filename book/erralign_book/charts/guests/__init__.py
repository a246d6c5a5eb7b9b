"""What chapters show of a guest: charts that set it apart, by its name, and a sentence for each."""

from erralign_book.charts.guests import lessons, papers
from erralign_book.charts.guests.part import PARTS, Part, parts_of, show

__all__ = ["PARTS", "Part", "lessons", "papers", "parts_of", "show"]
