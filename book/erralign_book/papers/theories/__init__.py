"""Result tables about theories of syllogistic reasoning, and language models, beside people."""

from erralign_book.papers.theories.beside import (
    DRAW,
    FAVOURITE,
    HUMAN,
    NOTHING,
    PERSON,
    RULES,
    SOMETHING,
    SPLIT,
    beside_people,
    each_person,
    leads,
)
