"""One's own answers in a CSV file: its text (cells), which of three forms it has (forms), Responses (answers)."""

from erralign.sources.own.answers import read_answers
