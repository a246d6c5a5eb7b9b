"""model-vs-human: every trap of its files, each with a test that would notice it."""

import numpy as np
import pandas as pd
import pytest

import erralign
from erralign.sources import model_vs_human as source
from erralign_book.papers.klein2025.answers import check_answers

SETS = tuple(source.data_sets().index)


def test_people_are_those_of_the_older_repository(requires_data):
    """All answers of all ten people on the three sets that were published first."""
    for ours, theirs in {"edge": "edges", "silhouette": "silhouettes", "cue-conflict": "cue-conflict"}.items():
        here, there = erralign.load(f"model-vs-human/{ours}"), erralign.load(f"geirhos2020/{theirs}")
        people = here.systems.query("kind == 'human'").index
        answers = here.answers[people].droplevel("condition").loc[there.answers.index]
        pd.testing.assert_frame_equal(answers, there.answers[people], check_names=False)


def test_names_that_clash_carry_their_source_and_identical_ones_stand_once(requires_data):
    twice = ["bagnet33 (Thieringer)", "simclr_resnet50x1 (Thieringer)"]
    assert list(source.models().query("identical_to != ''").index) == twice
    different = 0
    for name in SETS:
        _, answers = source.all_answers(name)
        for system, other in source.models().query("identical_to != ''")["identical_to"].items():
            assert (answers[system] == answers[other]).all()
            assert system not in erralign.load(f"model-vs-human/{name}").systems.index
        different += (answers["resnet50 (swag)"] != answers["resnet50 (Thieringer)"]).sum()
    assert different == 1


def test_a_file_that_lacks_trials_is_left_out_where_it_does(requires_data):
    said = ((name, each) for name in SETS for each in source.all_answers(name)[1].items())
    lacking = {(name, system) for name, (system, answers) in said if answers.isna().any()}
    assert lacking == {("contrast", "barlow_twins"), ("cue-conflict", "autoencoder_vit_b")}
    for name, system in lacking:
        assert system not in erralign.load(f"model-vs-human/{name}").systems.index
    assert "barlow_twins" in erralign.load("model-vs-human/edge").systems.index


def test_checks_notice_a_copy_and_a_system_at_chance():
    """On made-up files: one good model, its copy but for a trial in two thousand, and one that guesses."""
    rng = np.random.default_rng(0)
    truth = pd.Series(rng.integers(0, 16, 2000))
    good = truth.where(rng.random(2000) < 0.7, (truth + 1) % 16)
    copy = good.where(good.index > 0, (good + 1) % 16)
    answers = pd.DataFrame({"good": good, "copy": copy, "guesses": rng.integers(0, 16, 2000)})
    found = check_answers({"one": (truth, answers)}, n_classes=16)
    assert found["verdict"].to_dict() == {"good": "sound", "copy": "copy", "guesses": "at chance"}


def test_a_file_about_another_system_and_an_image_that_people_did_not_see_are_errors(requires_data, monkeypatch):
    other = source.model_file("edge", "clip_14")
    monkeypatch.setattr(source, "model_file", lambda *_: other)
    with pytest.raises(erralign.DataError, match=r"edge_clip-14_session-1.csv.*is about clip_14; expected clip$"):
        source.trials_of("edge", "clip")
    trials = source.trials_of("edge", "subject-01")
    of = {"subject-01": trials, "subject-02": pd.concat([trials, trials])}
    monkeypatch.setattr(source, "trials_of", lambda data_set, system: of[system])
    with pytest.raises(erralign.DataError, match="edge, subject-02: images do not match"):
        source.all_answers.__wrapped__("edge")
