"""A course with this book: checks that teach, for students, and the grading of a folder of notebooks, for teachers."""

from erralign.course.checking import check, homework
from erralign.course.grading import Marks, grade

__all__ = ["Marks", "check", "grade", "homework"]
__dir__ = __all__.copy
