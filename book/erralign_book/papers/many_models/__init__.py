"""Result tables about many language models on MMLU-Pro, and about coding agents."""

from erralign.sources.mmlu_pro import OLD, OTHERS
from erralign_book.papers.many_models.growth import APART, growth, growth_by_subject
from erralign_book.papers.many_models.reading import fillers, jointly_unread, several
from erralign_book.papers.many_models.together import (
    EVERY,
    agents_together,
    agents_wrong,
    models_together,
    models_wrong,
    pairs,
)
from erralign_book.papers.many_models.unanimous import TWICE, VERDICTS, unanimous
from erralign_book.papers.many_models.votes import fives, votes_of_agents, votes_of_models
