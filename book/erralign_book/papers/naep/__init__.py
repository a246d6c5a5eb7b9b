"""Result tables about language models beside the students of NAEP."""

from erralign_book.papers.naep.students import (
    AVERAGED,
    CHOICES,
    ONCE,
    SMALL,
    STUDENTS,
    TOGETHER,
    agreement_of_all,
    agreement_of_small,
    orders,
)
