from erralign.course.checking import check as check
from erralign.course.checking import homework as homework
from erralign.course.grading import Marks as Marks
from erralign.course.grading import grade as grade
