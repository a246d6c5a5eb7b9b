"""What newer models see: every answer is that of its file, and a finding is that of plain loops."""

import io

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score

import erralign
from erralign.datasets import gavrikov2025 as source
from erralign.datasets import huber2022, model_vs_human, naep
from erralign.datasets.archives import DataError, open_member
from erralign_book import table

CUE_CONFLICT = "geirhos2020/cue-conflict"


def test_each_eye_is_compared_with_the_models_that_have_it_and_with_those_of_each_other(requires_data):
    responses, systems = erralign.load("gavrikov2025/cue-conflict"), source.systems()
    right, eye = responses.answers.eq(responses.truth, axis=0), systems["vision_encoder"]
    one, two = "CLIP ViT-L/14-336", "EVA01-CLIP-g/14"

    def mean(a, b):
        clips = systems.query("family == 'CLIP' and vision_encoder == @a").index
        having = systems.query("prompt == 'options' and vision_encoder == @b").index
        return np.mean([cohen_kappa_score(right[clip], right[model]) for clip in clips for model in having])

    assert set(eye) >= {one, two}
    rows = table("gavrikov2025/pairs_of_models")
    rows = rows.query("asked == 'the model chooses, eyes of several' and measure == 'EC'")
    expected = (mean(one, one) + mean(two, two)) / 2, (mean(one, two) + mean(two, one)) / 2
    assert rows.dropna(subset="less")[["first", "second"]].to_numpy()[0] == pytest.approx(expected)
    assert rows["value"].tolist() == pytest.approx([*expected, expected[0] - expected[1]])


# --- what the files hold: vision-language models, children, students --------------------------------------------------


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


def test_a_file_that_lacks_a_picture_is_named(requires_data, monkeypatch):
    def cut(key, member):
        return io.BytesIO(b"\n".join(open_member(key, member).read().splitlines()[:-1]))

    monkeypatch.setattr(source, "open_member", cut)
    with pytest.raises(DataError, match=r"resnet152\.csv .* does not name 1,280 pictures once each"):
        source.released("ResNet-152 (timm)")


def test_a_picture_that_somebody_did_not_see_is_no_wrong_answer(requires_data):
    """Each child is compared on the pictures that it saw; all 55 people have no picture in common."""
    trials = huber2022.trials()
    n_seen = trials.groupby("system")["image"].agg(["size", "nunique"])
    assert (n_seen["size"] == n_seen["nunique"]).all()
    child = huber2022._seen_by("person-117")
    assert child.answers.shape == (108, 1)
    both = erralign.load(CUE_CONFLICT).select(trials=child.truth.index).join(child)
    assert np.isfinite(erralign.pairwise(both, "EC", with_="person-117")["EC"]).all()
    with pytest.raises(ValueError, match="no picture was seen by all 60, person-002 to vgg19; name fewer at once"):
        huber2022._seen_by(*trials["system"].unique())
    with pytest.raises(ValueError, match="'person-17' is in none of the files; did you mean"):
        huber2022._seen_by("person-17")


# --- students and language models -------------------------------------------------------------------------------------


def test_logits_are_in_the_order_of_the_question(requires_data):
    """In each of the four prompts each model beats chance."""
    logits = naep._lines("llm-responses/output/naep-history-responses-Llama-3.2-1B.jsonl").set_index("item")["logits"]
    truth = naep._questions("history")
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


def test_systems_whose_answers_are_identical_stand_once(requires_data):
    twins = model_vs_human.models().query("identical_to != ''")["identical_to"]
    assert list(twins.index) == ["bagnet33 (Thieringer)", "simclr_resnet50x1 (Thieringer)"]
    for name in SETS:
        _, answers = model_vs_human.all_answers(name)
        for system, other in twins.items():
            assert (answers[system] == answers[other]).all()
            assert system not in erralign.load(f"model-vs-human/{name}").systems.index


def test_a_file_that_lacks_trials_is_left_out_where_it_does(requires_data):
    for name, system in (("contrast", "barlow_twins"), ("cue-conflict", "autoencoder_vit_b")):
        assert model_vs_human.all_answers(name)[1][system].isna().any()
        assert system not in erralign.load(f"model-vs-human/{name}").systems.index
    assert "barlow_twins" in erralign.load("model-vs-human/edge").systems.index


def test_a_file_about_another_system_and_an_image_that_people_did_not_see_are_errors(requires_data, monkeypatch):
    other = model_vs_human._model_file("edge", "clip_14")
    monkeypatch.setattr(model_vs_human, "_model_file", lambda *_: other)
    with pytest.raises(erralign.DataError, match=r"edge_clip-14_session-1.csv.*is about clip_14; expected clip$"):
        model_vs_human.trials_of("edge", "clip")
    trials = model_vs_human.trials_of("edge", "subject-01")
    of = {"subject-01": trials, "subject-02": pd.concat([trials, trials])}
    monkeypatch.setattr(model_vs_human, "trials_of", lambda data_set, system: of[system])
    with pytest.raises(erralign.DataError, match="edge, subject-02: images do not match"):
        model_vs_human.all_answers.__wrapped__("edge")
