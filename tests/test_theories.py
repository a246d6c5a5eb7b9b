"""Theories of syllogisms: what follows, what a text names, whole tables, and scores of spread answers."""

import json
from itertools import combinations

import numpy as np
import pytest
from textbook import kappa

import erralign
from erralign_book.datasets import syllogisms
from erralign_book.papers import theories
from erralign_book.papers.theories import N, Sample, each, in_its_place, mean_of, reach, sample, with_each_other

RNG = np.random.default_rng(4)
RIGHT = np.eye(N, dtype=bool)[RNG.integers(N, size=30)] | (RNG.random((30, N)) < 0.1)
SAID = np.where(RNG.random((30, 5)) < 0.4, RIGHT.argmax(axis=1)[:, None], RNG.integers(N, size=(30, 5)))
PEOPLE = Sample(SAID, RIGHT)


def of_package(measure, a, b):
    """Compare two systems by the package, in which several right conclusions are one class."""
    truth = RIGHT.argmax(axis=1)
    a, b = (np.where(np.take_along_axis(RIGHT, said[:, None], axis=1)[:, 0], truth, said) for said in (a, b))
    return measure(truth, a, b)


def test_one_answer_per_form_gives_the_values_of_the_package():
    system = RNG.integers(N, size=30)
    found = each(np.eye(N)[system], PEOPLE)
    for place, said in enumerate(SAID.T):
        assert found["EC"][0, place] == pytest.approx(of_package(erralign.error_consistency, system, said))
        assert found["MA"][0, place] == pytest.approx(of_package(erralign.misclassification_agreement, system, said))
    without = each(np.eye(N)[system[1:]], Sample(SAID[1:], RIGHT[1:]))
    assert found["MA"][1] == pytest.approx(without["MA"][0])


def test_an_answer_that_is_split_evenly_is_a_mean_over_all_draws():
    a, b = RNG.integers(N, size=(2, 30))
    split = (np.eye(N)[a] + np.eye(N)[b]) / 2
    drawn = np.where(RNG.random((20_000, 30)) < 0.5, a, b)
    right, person = (RIGHT[np.arange(30), said] for said in (drawn, SAID[:, 0]))
    cells = [(right == x).T.astype(float) @ np.ones(20_000) / 20_000 @ (person == y) for x in (0, 1) for y in (0, 1)]
    assert each(split, PEOPLE)["EC"][0, 0] == pytest.approx(kappa(cells), abs=0.005)


def test_means_over_pairs_and_without_each_form_and_person():
    found = with_each_other(PEOPLE)["EC"]
    pairs = [of_package(erralign.error_consistency, *SAID[:, pair].T) for pair in combinations(range(5), 2)]
    assert found.whole == pytest.approx(np.mean(pairs))
    fewer = Sample(SAID[:, 1:], RIGHT)
    assert found.people[0] == pytest.approx(with_each_other(fewer)["EC"].whole)
    fewer = Sample(np.delete(SAID, 3, 0), np.delete(RIGHT, 3, 0))
    assert found.forms[3] == pytest.approx(with_each_other(fewer)["EC"].whole)


def test_a_mean_without_each_person_leaves_out_people_without_a_value():
    values = np.array([[0.1, np.nan, 0.5, 0.3], [0.2, 0.4, np.nan, 0.3]])
    found = mean_of(values)
    assert (found.whole, *found.forms) == pytest.approx(tuple(np.nanmean(values, axis=1)))
    assert found.people == pytest.approx([np.nanmean(np.delete(values[0], place)) for place in range(4)])


def test_no_answers_that_are_right_as_often_reach_more():
    shares = RNG.dirichlet(np.ones(N) / 3, size=30)
    most, tempted = reach(shares, PEOPLE)
    found = theories.with_people(shares, PEOPLE)
    assert found["EC"].whole < most
    assert found["MA"].whole < tempted


def test_in_its_place_another_person_is_wrong_as_often_on_the_same_forms():
    """Where all others give one wrong answer, so does the one who takes the place; nobody takes his own."""
    wrong = (~RIGHT).argmax(axis=1)
    never_alike = np.argsort(RIGHT, axis=1, kind="stable")[:, :2]
    assert in_its_place(np.eye(N)[never_alike[:, 0]], Sample(never_alike, RIGHT))["MA"].whole < 0
    said = np.where(RNG.random((30, 4)) < 0.5, RIGHT.argmax(axis=1)[:, None], wrong[:, None])
    found = in_its_place(np.eye(N)[RNG.integers(N, size=30)], Sample(said, RIGHT))["MA"].whole
    assert found == pytest.approx(1)


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
    puzzle = {name: "".join(table.columns[table.loc["AI1"]]) for name, table in syllogisms.theories().items()}
    said = {"Atmosphere": "IacIca", "Matching": "IacIcaOacOca", "Conversion": "IacIca", "PHM": "IacOac"}
    assert puzzle == said | {"Mental Models": "IacIcaNVC", "Verbal Models": "Iac", "PSYCOP": "NVC"}  # as page 15 says
    assert sample("2016").is_right.mean() == pytest.approx(0.4139, abs=1e-4)  # counted by hand-written code


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
