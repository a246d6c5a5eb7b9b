"""Which of its groups a measure finds, test by test."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from erralign.grounding import precision_of_each
from erralign.measures import MEASURES, OF_REPRESENTATIONS
from erralign_book.papers.klabunde2024.results import TESTS
from erralign_book.papers.klabunde2024.scored import Setting, World, by_setting
from erralign_book.papers.klabunde2024.trained_pairs import OF_BEHAVIOUR, Rows, matrices_of

ACCURACY = "accuracy"  # what a reader gets who compares nothing but the accuracies of two networks
OF_GROUPS = [test for test, score in TESTS.items() if score == "AUPRC"]
COLUMNS = ["data", "network", "seed_set", "test", "group", "measure", "value"]


def precision_by_group(world: World, rows: Rows) -> pd.DataFrame:
    """Return how well each measure finds the pairs of each single group."""
    settings = ((setting, its) for setting, its in by_setting(world, rows) if setting.part in OF_GROUPS)
    return pd.DataFrame([row for each in settings for row in _of_setting(world, *each)], columns=COLUMNS)


def _of_setting(world: World, setting: Setting, rows: Rows) -> Iterator[tuple]:
    (systems,) = matrices_of(rows)
    common = (world.data, setting.network, setting.seed_set, setting.part)
    for measure in (*OF_REPRESENTATIONS, *OF_BEHAVIOUR, ACCURACY):
        larger = measure != ACCURACY and MEASURES[measure].larger_is_more_similar
        found = precision_of_each(systems.values[measure], systems.groups, larger_is_more_similar=larger)
        for group, value in found.items():
            yield (*common, world.groups[setting.part][group], measure, value)
