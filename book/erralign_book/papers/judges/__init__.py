"""Result tables about language-model judges of relevance, beside human assessors."""

from erralign_book.papers.judges.key import LEAST, VANISH, Seen, key_of_judges, key_of_models
from erralign_book.papers.judges.sizes import ACCURATE, NUMBER, RANDOM, VOTE, sizes
from erralign_book.papers.judges.together import BOOTSTRAP, BY_PAIR, BY_QUERY, both_wrong, each_judge, together, vote
