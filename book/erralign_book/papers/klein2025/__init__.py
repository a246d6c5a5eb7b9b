"""What our own claims need of the benchmark of Klein et al. (2025); its chapters compute all else in their cells."""

from erralign_book.papers.klein2025.answers import ANSWERS, behind_people, sound_models
from erralign_book.papers.klein2025.kinds import (
    GROUPS,
    LARGER,
    OF_2020,
    OF_OTHERS,
    beside_reach,
    favourite_answers,
    leads_with_other_networks,
)
