"""Networks that we train ourselves, to put measures to the test: on graphs, pictures and sentences."""

from erralign.training.record import Trained

__all__ = ["Trained"]
