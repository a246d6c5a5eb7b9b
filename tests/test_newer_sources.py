"""Vision-language models, children, students and language models: every answer and share is that of its file."""

import io

import numpy as np
import pandas as pd
import pytest

import erralign
from erralign.crowd import agreement
from erralign.sources import gavrikov2025, huber2022, naep
from erralign.sources.archives import DataError, open_member
from erralign_book.papers import naep as tables
from erralign_book.papers.gavrikov2025.among import judged

CUE_CONFLICT = "geirhos2020/cue-conflict"


@pytest.fixture(scope="module")
def models(requires_data):
    return erralign.load("gavrikov2025/cue-conflict")


def test_answers_join_the_people_of_2020_picture_by_picture(models):
    """All 70 files have the 1,280 pictures, and the class in a picture's name is the true one."""
    joined = erralign.load(CUE_CONFLICT).join(models)
    assert joined.answers.shape == (1280, 105)
    said = models.answers.replace(dict(enumerate([*models.classes]))).replace(-1, "None")
    for system in ("GPT-4V (options)", "CLIP ViT-L/14-336 (80 templates)", "ViT-B/16"):
        rows = gavrikov2025.released(system)["pred_label"]
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

    monkeypatch.setattr(gavrikov2025, "open_member", cut)
    with pytest.raises(DataError, match=r"resnet152\.csv .* does not name 1,280 pictures once each"):
        gavrikov2025.released("ResNet-152 (timm)")


def test_the_judge_counts_only_if_it_names_one_class(monkeypatch):
    said = ["B", "H. cat", "X", "H, K", "J\nX\nX", "AG", "Truck"]
    monkeypatch.setattr(gavrikov2025, "released", lambda _: pd.DataFrame({"pred_llm_judge": said}))
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
    assert np.isfinite(erralign.pairwise(both, "EC", with_="person-117")["error_consistency"]).all()
    adults = trials.query("age == 'adult'")["system"].unique()
    assert len(huber2022.seen_by(*adults).truth) == 192
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


def test_a_model_is_set_beside_itself_in_the_other_orders(requires_data, monkeypatch):
    asked, model = [], tables.SMALL[0]
    monkeypatch.setattr(tables, "agreement", lambda *of, **how: asked.append(of) or agreement(*of, **how))
    tables._each_other("EC", tables.OTHER_ORDERS, [model, model])
    ((crowd, answers, _),) = asked
    said = answers[model].unstack("order")
    for trial, shares in crowd.shares[:: len(crowd.shares) // 40].iterrows():
        others = said.loc[trial[1:]].drop(trial[0]).tolist()
        assert (3 * shares).tolist() == pytest.approx([others.count(option) for option in range(4)])
