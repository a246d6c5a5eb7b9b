"""The board: all systems with answers to one data set, and what makes a file of answers fit for it."""

from erralign_book.papers.board.standings import systems

__all__ = ["systems"]
