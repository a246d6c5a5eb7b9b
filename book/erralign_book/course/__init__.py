"""A course with this book: checks that teach."""

from erralign_book.course.checking import Verdict, check, homework, ours_stands_in
