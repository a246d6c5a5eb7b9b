"""Result tables about many language models on MMLU-Pro, and about coding agents."""

from erralign.datasets.mmlu_pro import OLD
from erralign_book.papers.many_models.growth import APART, TWICE, VERDICTS, growth, unanimous
from erralign_book.papers.many_models.together import (
    EVERY,
    agents_together,
    fillers,
    models_together,
    pairs,
)
from erralign_book.papers.many_models.votes import votes_of_models
