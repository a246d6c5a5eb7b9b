"""Networks that we train ourselves, to put measures to the test: on graphs, pictures and sentences."""

from erralign_book.training.record import Trained
