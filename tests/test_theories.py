"""Theories of syllogisms: what follows, what a text names, and whole tables."""

import json

import numpy as np
import pytest

from erralign_book.datasets import syllogisms

# --- what the archives hold -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("belief", syllogisms.BELIEFS)
def test_what_follows_is_what_the_archive_of_models_says(requires_data, belief):
    member = f"data/test/syllogisms_{belief}.jsonl"
    for line in syllogisms.open_member(syllogisms.REASONERS, member).read().decode().splitlines():
        problem = json.loads(line)
        found = {syllogisms.CONCLUSIONS[place] for place in syllogisms.named(problem["answer"], problem["term_order"])}
        follows = syllogisms.follows().loc[problem["type"]]
        assert found == set(follows.index[follows]), problem["type"]


def test_people_and_theories_are_whole(requires_data):
    assert syllogisms.people("2016").shape == (64, 139)
    assert syllogisms.people("2018").shape == (64, 32)
    assert all(table.any(axis=1).all() for table in syllogisms.theories().values())
    said = syllogisms.people("2016").to_numpy()
    right = np.take_along_axis(syllogisms.follows().to_numpy(), said, axis=1)
    assert right.mean() == pytest.approx(0.4139, abs=1e-4)  # counted by hand-written code


TERMS = {"winged-animals": "A", "birds": "B", "robins": "C"}
TEXTS = {
    "All robins are winged animals.": ["Aca"],
    "Some winged animals are not robins or no robins are winged animals": ["Oac", "Eca"],
    "Nothing follows.\n\nSyllogism:\n\nPremise 1: All robins are winged animals.": ["NVC"],
    "All robins are not winged animals. All birds are robins. Some robins are robins.": [],
}


@pytest.mark.parametrize(("text", "said"), TEXTS.items())
def test_a_text_names_conclusions_about_both_terms(text, said):
    assert [syllogisms.CONCLUSIONS[place] for place in syllogisms.named(text, TERMS)] == said
