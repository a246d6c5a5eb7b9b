"""One's own answers in a CSV file: its text (cells), its form (forms), Responses (answers); and checks of them."""

from erralign.sources.own.answers import read_answers
