"""What newer models see: signs and overlaps of the headline, forms of the path, standard errors, printed numbers."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal, norm
from sklearn.metrics import cohen_kappa_score

from erralign.measures import ResponseMatrix
from erralign.sources import gavrikov2025 as source
from erralign_book.papers import gavrikov2025
from erralign_book.papers.gavrikov2025 import among, answers
from erralign_book.papers.gavrikov2025 import groups as paper
from erralign_book.papers.gavrikov2025.answers import everybody, members
from erralign_book.papers.published import tally, verdicts

NEW, MODELS = gavrikov2025.OPTIONS, source.systems()["model"].to_dict()


def test_a_threshold_that_moves_leaves_the_correlation():
    for r, p_a, p_b in ((0.32, 0.78, 0.18), (0.32, 0.78, 0.51), (0.56, 0.78, 0.7)):
        both = multivariate_normal.cdf([norm.ppf(p_a), norm.ppf(p_b)], cov=[[1, r], [r, 1]])
        found = paper.tetrachoric(*(1e6 * np.array([1, p_a, p_b, both])))
        assert found == pytest.approx(r, abs=0.025)  # the approximation's error


def test_the_path_is_numpys_and_each_form_finds_what_lies_above_it():
    """Older networks on a parabola, newer ones 0.1 above it: every form but the straight line says about 0.1."""
    accuracy = np.linspace(0.05, 0.6, 40)
    at, curve = np.array([0.3, 0.5]), np.poly1d([0.2, 0.3, 0])
    for form in set(paper.FORMS) - {"straight line"}:
        found = curve(at) + 0.1 - paper.height(form, accuracy, curve(accuracy), at)
        assert found == pytest.approx(0.1, abs=0.003), form
    line = np.poly1d(np.polyfit(accuracy, curve(accuracy), 1))
    assert paper.height("straight line", accuracy, curve(accuracy), at) == pytest.approx(line(at))
    assert np.isnan(paper.height(paper.NEAR, accuracy, curve(accuracy), np.array([0.9]))).all()


def test_the_curves_interval_is_that_of_least_squares_where_its_assumptions_hold():
    rng = np.random.default_rng(0)
    accuracy, at = rng.uniform(0.05, 0.6, 2000), np.array([0.1, 0.3, 0.7])
    value = 0.2 * accuracy**2 + 0.3 * accuracy + rng.normal(0, 0.02, 2000)
    found = paper.curve(pd.DataFrame({"accuracy": accuracy, "EC": value}), at)
    numbers, covariance = np.polyfit(accuracy, value, 2, cov=True)
    terms = np.vander(at, 3)
    assert found["EC"].to_numpy() == pytest.approx(terms @ numbers)
    errors = np.sqrt(np.einsum("ij,jk,ik->i", terms, covariance, terms))
    assert found["high"].to_numpy() == pytest.approx(1.96 * errors, rel=0.1)
    assert (found["low"] == -found["high"]).all()


def test_shares_of_textures_are_of_wrong_answers(requires_data):
    shape, texture = everybody().truth, answers.geirhos2020.textures(everybody().truth.index)
    said = everybody().answers["resnet50"]
    expected = (said == texture)[said != shape].mean()
    assert answers.texture_shares(everybody())["resnet50"] == pytest.approx(expected)


def test_leaving_out_a_trial_is_computed_for_all_pairs_as_for_one():
    rng = np.random.default_rng(0)
    truth, answers = rng.integers(0, 3, 40), rng.integers(0, 3, (3, 40))
    found = paper.TETRACHORIC.leave_one_out(ResponseMatrix(truth, answers, 3).only(0, 1, 2))
    kept = np.arange(40) != 7
    again = paper.TETRACHORIC.function(truth[kept], answers[1][kept], answers[2][kept])
    assert found.without[1, 7] == pytest.approx(again, abs=1e-12)


def test_a_mean_of_pairs_counts_each_pair_once_and_moves_as_it_is_left(requires_data):
    people, models = members()["people"][:3], members()[NEW][:2]
    right = everybody().answers.eq(everybody().truth, axis=0)
    within = answers.mean_of_pairs(everybody(), "EC", people, people)
    pairs = [(0, 1), (0, 2), (1, 2)]
    theirs = [cohen_kappa_score(right[people[a]], right[people[b]]) for a, b in pairs]
    assert within.without() == pytest.approx(np.mean(theirs), abs=1e-12)
    assert within.without([people[2]]) == pytest.approx(theirs[0], abs=1e-12)
    mixed = answers.mean_of_pairs(everybody(), "EC", people, models)
    less = answers.less(mixed)
    assert less.without() == -mixed.without()
    first = everybody().select(trials=np.arange(1280) != 0)
    moved = mixed.without() - answers.mean_of_pairs(first, "EC", people, models).without()
    assert mixed.moved[0] == pytest.approx(moved, abs=2e-5)


def jackknifed(values):
    """Return the variance of a mean from what it is without each unit."""
    return (len(values) - 1) / len(values) * sum((each - np.mean(values)) ** 2 for each in values)


def test_standard_errors_are_jackknifes_over_people_models_and_pictures(requires_data, monkeypatch):
    """By plain loops; a model that was asked twice is left out of both sides. Pictures have tests of their own."""
    monkeypatch.setattr(answers, "over_pictures", lambda _, moved: (float(moved @ moved), 9))
    mean = paper._mean("EC", "all pictures", "people", NEW)
    values = mean.values.to_numpy()
    each = [[np.delete(values, place, side).mean() for place in range(values.shape[side])] for side in (0, 1)]
    expected = sum(map(jackknifed, each)) + mean.moved @ mean.moved
    assert paper._spread([mean], "all pictures", NEW)["se"] ** 2 == pytest.approx(expected)
    one, two = (among._means("EC", among.EACH, pairs) for pairs in (among.ONE_MODEL, among.TWO_MODELS))
    first, second = means = *one, *two
    tables = [mean.values.rename(index=MODELS, columns=MODELS) for mean in means]
    without = [[np.nanmean(each.drop(out).drop(columns=out)) for each in tables] for out in tables[0].index]
    found, moved = among._difference(one, two), first.moved - second.moved
    assert found["se"] ** 2 == pytest.approx(jackknifed([a - b for a, b in without]) + moved @ moved)
    assert found["value"] == pytest.approx(np.nanmean(tables[0]) - np.nanmean(tables[1]))


def test_each_eye_is_compared_with_the_models_that_have_it_and_with_those_of_each_other(requires_data):
    right, eye = everybody().answers.eq(everybody().truth, axis=0), source.systems()["vision_encoder"]
    having = {
        each: [name for name in members()[NEW] if eye[name] == each]
        for each in ("CLIP ViT-L/14-336", "EVA01-CLIP-g/14")
    }

    def mean(a, b):
        clips = [name for name in members()[answers.CLIP] if eye[name] == a]
        return np.mean([cohen_kappa_score(right[clip], right[model]) for clip in clips for model in having[b]])

    kind = "asked == 'the model chooses, eyes of several' and measure == 'EC'"
    rows = gavrikov2025.pairs_of_models().query(kind)
    one, two = having
    expected = (mean(one, one) + mean(two, two)) / 2, (mean(one, two) + mean(two, one)) / 2
    assert rows.dropna(subset="less")[["first", "second"]].to_numpy()[0] == pytest.approx(expected)
    assert rows["value"].tolist() == pytest.approx([*expected, expected[0] - expected[1]])


def test_the_standard_error_of_an_age_group_is_that_of_plain_loops():
    rng = np.random.default_rng(0)
    images = [f"{shape}-{n}" for shape in "abcd" for n in range(15)]
    models, theirs = rng.integers(2, size=(60, 4)), rng.integers(2, size=60)
    seen = pd.DataFrame({"system": np.arange(60) % 5, "image": images})

    def mean(kept=slice(None), of=range(4)):
        return np.mean([cohen_kappa_score(theirs[kept], models[kept, model]) for model in of])

    units = seen["system"], seen["image"].str[0]
    without = [[mean(np.flatnonzero(of != one)) for one in of.unique()] for of in units]
    without.append([mean(of=[model for model in range(4) if model != one]) for one in range(4)])
    found = paper._beside(models, theirs, seen)
    assert found["value"] == pytest.approx(mean())
    assert found["se"] ** 2 == pytest.approx(sum(map(jackknifed, without)))


def test_printed_numbers_of_the_short_paper_and_unread_answers():
    score = tally(verdicts("gavrikov2025").query("printed != ''"), "paper").iloc[0]
    assert (score["reproduced"], score["differs"], score["not computable here"]) == (10, 1, 4)
    assert gavrikov2025.answers_of_each()["unread"].sum() == 149
    assert set(gavrikov2025.answers_of_each()["system"]) == set(source.systems().index)


def test_two_people_are_left_out_in_turn_and_one_model_stands_for_itself():
    pictures, moved = pd.Index([f"{n}.png" for n in range(4)], name="image"), np.array([0.1, -0.1, 0.2, -0.2])
    mean = answers.Mean(pd.DataFrame({"m": [0.5, 0.3]}, ["p", "q"]), moved)
    units = pd.Series({"p": "p", "q": "q", "m": "m"})
    found = answers.lead(pictures, [mean], units, {"people": ["p", "q"], "models": ["m"]})
    assert found["value"] == pytest.approx(0.4)
    assert found["se"] ** 2 == pytest.approx(3 * np.var(moved) + np.var([0.5, 0.3]))
