"""One's own answers in a CSV file: its text (cells), its form (forms), Responses (answers); and checks of them."""

from erralign.datasets.own.answers import read_answers
