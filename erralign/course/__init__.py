"""A course with this book: checks that teach, for students, and the grading of a folder of notebooks, for teachers."""

from erralign._lazy import shown

__getattr__, __dir__, __all__ = shown(__name__, __file__)
