"""What chapters show of guests: charts that set them apart, by their names, and a sentence for each."""

from erralign_book.charts.guests import figures, means
from erralign_book.charts.guests.part import PARTS, parts_of, show
