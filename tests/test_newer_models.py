"""What newer models see: every answer is that of its file, and signs, forms and standard errors of the findings."""

import io

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal, norm
from sklearn.metrics import cohen_kappa_score

import erralign
from erralign.datasets import gavrikov2025 as source
from erralign.datasets import huber2022, model_vs_human, naep
from erralign.datasets.archives import DataError, open_member
from erralign.measures import ResponseMatrix
from erralign_book.papers import gavrikov2025
from erralign_book.papers.gavrikov2025 import among, answers
from erralign_book.papers.gavrikov2025 import groups as paper
from erralign_book.papers.gavrikov2025.among import judged
from erralign_book.papers.gavrikov2025.answers import everybody, members
from erralign_book.published import compare, printed

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


def test_the_curves_interval_is_that_of_least_squares_where_its_assumptions_hold(rng):
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


def test_leaving_out_a_trial_is_computed_for_all_pairs_as_for_one(rng):
    truth, answers = rng.integers(0, 3, 40), rng.integers(0, 3, (3, 40))
    found = paper.TETRACHORIC.leave_one_out(ResponseMatrix(truth, answers, 3).only(0, 1, 2))
    kept = np.arange(40) != 7
    again = paper.TETRACHORIC.function(truth[kept], answers[1][kept], answers[2][kept])
    assert found.without[1, 7] == pytest.approx(again, abs=1e-12)


def test_a_mean_of_pairs_counts_each_pair_once_and_moves_as_it_is_left(requires_data):
    people, models = members()["people"][:3], members()[NEW][:2]
    right = everybody().answers.eq(everybody().truth, axis=0)
    within = answers.mean_of_pairs(everybody(), "EC", people, people)
    theirs = [cohen_kappa_score(right[people[a]], right[people[b]]) for a, b in [(0, 1), (0, 2), (1, 2)]]
    assert within.without() == pytest.approx(np.mean(theirs), abs=1e-12)
    assert within.without([people[2]]) == pytest.approx(theirs[0], abs=1e-12)
    mixed = answers.mean_of_pairs(everybody(), "EC", people, models)
    assert answers.less(mixed).without() == -mixed.without()
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
    one, two = "CLIP ViT-L/14-336", "EVA01-CLIP-g/14"
    having = {each: [name for name in members()[NEW] if eye[name] == each] for each in (one, two)}

    def mean(a, b):
        clips = [name for name in members()[answers.CLIP] if eye[name] == a]
        return np.mean([cohen_kappa_score(right[clip], right[model]) for clip in clips for model in having[b]])

    kind = "asked == 'the model chooses, eyes of several' and measure == 'EC'"
    rows = gavrikov2025.pairs_of_models().query(kind)
    expected = (mean(one, one) + mean(two, two)) / 2, (mean(one, two) + mean(two, one)) / 2
    assert rows.dropna(subset="less")[["first", "second"]].to_numpy()[0] == pytest.approx(expected)
    assert rows["value"].tolist() == pytest.approx([*expected, expected[0] - expected[1]])


def test_the_standard_error_of_an_age_group_is_that_of_plain_loops(rng):
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
    compared = compare(among.table(), printed("gavrikov2025", "text"))
    assert compared["verdict"].value_counts().to_dict() == {"reproduced": 10, "differs": 1}
    assert gavrikov2025.answers_of_each()["unread"].sum() == 149
    assert set(gavrikov2025.answers_of_each()["system"]) == set(source.systems().index)


def test_two_people_are_left_out_in_turn_and_one_model_stands_for_itself():
    pictures, moved = pd.Index([f"{n}.png" for n in range(4)], name="image"), np.array([0.1, -0.1, 0.2, -0.2])
    mean = answers.Mean(pd.DataFrame({"m": [0.5, 0.3]}, ["p", "q"]), moved)
    units = pd.Series({"p": "p", "q": "q", "m": "m"})
    found = answers.lead(pictures, [mean], units, {"people": ["p", "q"], "models": ["m"]})
    assert found["value"] == pytest.approx(0.4)
    assert found["se"] ** 2 == pytest.approx(3 * np.var(moved) + np.var([0.5, 0.3]))


# --- what the files hold: vision-language models, children, students --------------------------------------------------


CUE_CONFLICT = "geirhos2020/cue-conflict"


@pytest.fixture(scope="module")
def models(requires_data):
    return erralign.load("gavrikov2025/cue-conflict")


def test_answers_join_the_people_of_2020_picture_by_picture(models):
    """All 70 files have the 1,280 pictures, and the class in a picture's name is the true one."""
    assert erralign.load(CUE_CONFLICT).join(models).answers.shape == (1280, 105)
    said = models.answers.replace(dict(enumerate([*models.classes]))).replace(-1, "None")
    for system in ("GPT-4V (options)", "CLIP ViT-L/14-336 (80 templates)", "ViT-B/16"):
        rows = source.released(system)["pred_label"]
        assert (said[system].loc[rows.index] == rows).all()


def test_each_system_is_a_model_asked_in_one_way(models):
    systems = models.systems
    counts = systems.groupby(["family", "prompt"])["model"].agg(["size", "nunique"])
    assert (counts["size"] == counts["nunique"]).all()
    assert counts["size"].to_list() == [7, 7, 7, 7, 23, 19]
    assert not systems[systems["vision_encoder"] == ""]["language_model"].any()


def test_a_file_that_lacks_a_picture_is_named(requires_data, monkeypatch):
    def cut(key, member):
        return io.BytesIO(b"\n".join(open_member(key, member).read().splitlines()[:-1]))

    monkeypatch.setattr(source, "open_member", cut)
    with pytest.raises(DataError, match=r"resnet152\.csv .* does not name 1,280 pictures once each"):
        source.released("ResNet-152 (timm)")


def test_the_judge_counts_only_if_it_names_one_class(monkeypatch):
    said = ["B", "H. cat", "X", "H, K", "J\nX\nX", "AG", "Truck"]
    monkeypatch.setattr(source, "released", lambda _: pd.DataFrame({"pred_llm_judge": said}))
    assert judged("any").tolist() == [1, 7, -1, -1, 9, -1, -1]


def test_a_picture_that_somebody_did_not_see_is_no_wrong_answer(requires_data):
    """Each child is compared on the pictures that it saw; all 55 people have no picture in common."""
    people = erralign.load(CUE_CONFLICT)
    trials = huber2022.trials()
    n_seen = trials.groupby("system")["image"].agg(["size", "nunique"])
    assert (n_seen["size"] == n_seen["nunique"]).all()
    assert trials[trials["kind"] == "human"].groupby("age")["system"].nunique().sum() == 55
    child = huber2022.seen_by("person-117")
    assert child.answers.shape == (108, 1)
    assert (child.answers >= 0).all(axis=None)
    both = people.select(trials=child.truth.index).join(child)
    assert np.isfinite(erralign.pairwise(both, "EC", with_="person-117")["EC"]).all()
    assert len(huber2022.seen_by(*trials.query("age == 'adult'")["system"].unique()).truth) == 192
    with pytest.raises(ValueError, match="no picture was seen by all 60, person-002 to vgg19; name fewer at once"):
        huber2022.seen_by(*trials["system"].unique())
    with pytest.raises(ValueError, match="'person-17' is in none of the files; did you mean"):
        huber2022.seen_by("person-17")


def test_networks_go_by_the_names_in_their_files(requires_data):
    """The file swsl.csv holds the answers that SWAG's file of model-vs-human has."""
    swag = huber2022.seen_by("swag_regnety_128gf_in1k").answers["swag_regnety_128gf_in1k"]
    same = erralign.load("model-vs-human/cue-conflict").answers["swag_regnety_128gf_in1k"].droplevel("condition")
    assert (same.loc[swag.index] == swag).all()


# --- students and language models -------------------------------------------------------------------------------------


def test_logits_are_in_the_order_of_the_question(requires_data):
    """In each of the four prompts each model beats chance; its best option is that of the mean over prompts."""
    logits = naep._lines("llm-responses/output/naep-history-responses-Llama-3.2-1B.jsonl").set_index("item")["logits"]
    truth = naep.questions("history")
    each = np.array(logits.loc[truth.index].to_list()).argmax(axis=2)
    assert ((each == truth.to_numpy()[:, None]).mean(axis=0) > 0.45).all()
    one = np.array(logits["H110201"])
    mean = (np.exp(one) / np.exp(one).sum(axis=1, keepdims=True)).mean(axis=0)
    np.testing.assert_allclose(naep.probabilities("history", "Llama-3.2-1B").loc["H110201"], mean)


def test_shares_are_those_of_the_file(requires_data):
    crowd = naep.students("history")
    assert (len(crowd.truth), crowd.truth.index.get_level_values("item").nunique()) == (257, 204)
    assert crowd.shares.loc[("H110201", 8)].tolist() == pytest.approx([0.47, 0.21, 0.11, 0.21])
    assert crowd.shares.loc[("H032801", 4)].tolist() == pytest.approx(np.array([38, 21, 14, 18]) / 91)


# --- model-vs-human ---------------------------------------------------------------------------------------------------


SETS = tuple(model_vs_human.data_sets().index)


def test_people_are_those_of_the_older_repository(requires_data):
    """All answers of all ten people on the three sets that were published first."""
    for ours, theirs in {"edge": "edges", "silhouette": "silhouettes", "cue-conflict": "cue-conflict"}.items():
        here, there = erralign.load(f"model-vs-human/{ours}"), erralign.load(f"geirhos2020/{theirs}")
        people = here.systems.query("kind == 'human'").index
        answers = here.answers[people].droplevel("condition").loc[there.answers.index]
        pd.testing.assert_frame_equal(answers, there.answers[people], check_names=False)


def test_names_that_clash_carry_their_source_and_identical_ones_stand_once(requires_data):
    twice = ["bagnet33 (Thieringer)", "simclr_resnet50x1 (Thieringer)"]
    assert list(model_vs_human.models().query("identical_to != ''").index) == twice
    different = 0
    for name in SETS:
        _, answers = model_vs_human.all_answers(name)
        for system, other in model_vs_human.models().query("identical_to != ''")["identical_to"].items():
            assert (answers[system] == answers[other]).all()
            assert system not in erralign.load(f"model-vs-human/{name}").systems.index
        different += (answers["resnet50 (swag)"] != answers["resnet50 (Thieringer)"]).sum()
    assert different == 1


def test_a_file_that_lacks_trials_is_left_out_where_it_does(requires_data):
    said = ((name, each) for name in SETS for each in model_vs_human.all_answers(name)[1].items())
    lacking = {(name, system) for name, (system, answers) in said if answers.isna().any()}
    assert lacking == {("contrast", "barlow_twins"), ("cue-conflict", "autoencoder_vit_b")}
    for name, system in lacking:
        assert system not in erralign.load(f"model-vs-human/{name}").systems.index
    assert "barlow_twins" in erralign.load("model-vs-human/edge").systems.index


def test_a_file_about_another_system_and_an_image_that_people_did_not_see_are_errors(requires_data, monkeypatch):
    other = model_vs_human.model_file("edge", "clip_14")
    monkeypatch.setattr(model_vs_human, "model_file", lambda *_: other)
    with pytest.raises(erralign.DataError, match=r"edge_clip-14_session-1.csv.*is about clip_14; expected clip$"):
        model_vs_human.trials_of("edge", "clip")
    trials = model_vs_human.trials_of("edge", "subject-01")
    of = {"subject-01": trials, "subject-02": pd.concat([trials, trials])}
    monkeypatch.setattr(model_vs_human, "trials_of", lambda data_set, system: of[system])
    with pytest.raises(erralign.DataError, match="edge, subject-02: images do not match"):
        model_vs_human.all_answers.__wrapped__("edge")
