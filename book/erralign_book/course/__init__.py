"""A course with this book: checks that teach, for students, and the grading of a folder of notebooks, for teachers."""

from erralign_book.course.checking import Verdict, check, homework
from erralign_book.course.grading import Marks, grade
