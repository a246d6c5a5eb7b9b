"""One's own answers: text or numbers, in any order of trials, from tables and from files."""

from functools import partial
from io import StringIO

import numpy as np
import pandas as pd
import pytest

import erralign
from erralign import Responses, behaviour, nulls, read_answers
from erralign.sources.archives import open_member
from erralign.sources.trials import MODEL_VS_HUMAN, person_file

CLASSES = ["bear", "cat", "dog", "fox"]


@pytest.fixture
def drawn():
    """Draw true classes and the answers of three systems as ids, with time-outs."""
    rng = np.random.default_rng(1)
    trials = pd.Index([f"{i}.png" for i in range(200)], name="image")
    truth = pd.Series(rng.integers(4, size=200), index=trials)
    said = {name: np.where(rng.random(200) < 0.6, truth, rng.integers(-1, 4, 200)) for name in ("a", "b", "c")}
    return truth, pd.DataFrame(said, index=trials)


def in_words(ids):
    return ids.map(dict(enumerate(CLASSES)) | {-1: "na"})


def test_shuffled_text_gives_the_numbers_of_a_count_by_hand(drawn):
    truth, answers = drawn
    mine = Responses.from_table(in_words(truth), {name: in_words(answers[name]).sample(frac=1) for name in answers})
    found = erralign.pairwise(mine).iloc[0]
    right = [answers[name].to_numpy() == truth.to_numpy() for name in "ab"]
    agree = np.mean(right[0] == right[1])
    chance = right[0].mean() * right[1].mean() + (1 - right[0].mean()) * (1 - right[1].mean())
    assert found["error_consistency"] == pytest.approx((agree - chance) / (1 - chance), abs=1e-12)
    assert mine.classes == tuple(CLASSES)
    pd.testing.assert_frame_equal(mine.answers, answers, check_names=False)


@pytest.mark.parametrize("form", ["wide", "long", "model-vs-human"])
def test_a_file_gives_what_the_table_gives(form, drawn, tmp_path):
    truth, answers = (each.sample(frac=1, random_state=2) for each in drawn)
    wide = answers.map(lambda each: "na" if each < 0 else CLASSES[each]).join(in_words(truth).rename("truth"))
    table = wide[["truth", *answers]].reset_index()
    if form == "long":
        table = table.melt(["image", "truth"], var_name="system", value_name="answer")
    if form == "model-vs-human":
        table = table.melt(["image", "truth"], var_name="subj", value_name="object_response")
        names = "0001_cue_dnn_0_" + table["truth"] + "_00_" + table["image"]
        table = table.rename(columns={"truth": "category"}).assign(imagename=names).drop(columns="image")
    table.to_csv(tmp_path / "mine.csv", index=False)
    mine = read_answers(tmp_path / "mine.csv")
    pd.testing.assert_frame_equal(mine.answers.loc[drawn[0].index], drawn[1], check_names=False)
    assert mine.truth.loc[drawn[0].index].tolist() == drawn[0].tolist()
    assert mine.classes == tuple(CLASSES)


# --- one function, one pair -------------------------------------------------------------------------------------------

OF_PAIRS = {
    "EC": erralign.error_consistency,
    "MA": erralign.misclassification_agreement,
    "CLES": erralign.class_level_error_similarity,
    "interval": erralign.confidence_interval,
    "p-value": erralign.p_value,
    "test": partial(nulls.misclassification_agreement_test, n_permutations=99),
}


@pytest.mark.parametrize("name", OF_PAIRS)
def test_series_are_aligned_by_their_index(name, drawn):
    truth, answers = drawn
    by_hand = OF_PAIRS[name](truth.to_numpy(), answers["a"].to_numpy(), answers["b"].to_numpy())
    a, b = (answers[name].sample(frac=1, random_state=seed) for seed, name in enumerate("ab"))
    assert OF_PAIRS[name](truth, a, b) == by_hand


def test_the_truth_may_be_in_an_order_of_its_own(drawn):
    truth, answers = drawn
    by_hand = erralign.error_consistency(truth.to_numpy(), answers["a"].to_numpy(), answers["b"].to_numpy())
    assert erralign.error_consistency(truth.sample(frac=1), answers["a"], answers["b"].sample(frac=1)) == by_hand


def test_a_difference_aligns_all_four(drawn):
    truth, answers = drawn
    by_hand = erralign.difference_interval(truth.to_numpy(), *(answers[name].to_numpy() for name in answers))
    shuffled = (answers[name].sample(frac=1, random_state=seed) for seed, name in enumerate(answers))
    assert erralign.difference_interval(truth, *shuffled) == by_hand


def as_nullable(ids):
    return ids.where(ids >= 0).astype("Int64")


@pytest.mark.parametrize(
    "written", [in_words, lambda ids: in_words(ids).tolist(), lambda ids: in_words(ids).to_numpy()]
)
@pytest.mark.parametrize("name", OF_PAIRS)
def test_text_gives_the_numbers_of_ids(name, written, drawn):
    ids = [drawn[0], drawn[1]["a"], drawn[1]["b"]]
    assert OF_PAIRS[name](*map(written, ids)) == pytest.approx(OF_PAIRS[name](*ids), abs=1e-12)


@pytest.mark.parametrize(
    "written",
    [
        lambda ids: ids,
        lambda ids: ids.astype(float).replace(-1, np.nan),
        as_nullable,
        lambda ids: as_nullable(ids).astype("category"),
        in_words,
        lambda ids: in_words(ids).replace("na", None).astype("category"),
        lambda ids: in_words(ids).to_dict(),
        lambda ids: in_words(ids).tolist(),
    ],
    ids=["ids", "floats", "nullable", "categories of ids", "words", "categories", "mapping", "list"],
)
def test_a_table_takes_classes_as_they_are_written(written, drawn):
    truth, answers = drawn
    mine = Responses.from_table(written(truth), {name: written(answers[name]) for name in answers})
    assert len(mine.classes) == 4
    assert (mine.answers.to_numpy() == answers.to_numpy()).all()


def test_categories_that_do_not_occur_are_classes():
    truth = pd.Series(["cat", "dog"], dtype=pd.CategoricalDtype(["cat", "dog", "fox"]))
    assert Responses.from_table(truth, {"net": ["dog", "cat"]}).classes == ("cat", "dog", "fox")


def test_classes_give_the_ids_their_order():
    mine = Responses.from_table(["cat", "dog"], {"net": [1, -1]}, classes=["dog", "cat"])
    assert mine.truth.tolist() == [1, 0]
    assert mine.answers["net"].tolist() == [1, -1]
    assert Responses.from_table([5, 7], {"net": [7, 7]}, classes=[7, 5]).answers["net"].tolist() == [0, 0]


def test_an_answer_called_none_is_a_class_where_it_is_declared():
    said = {"net": ["none", "cat", "na"]}
    assert Responses.from_table(["cat", "cat", "none"], said, classes=["cat", "none"]).answers["net"].tolist() == [
        1,
        0,
        -1,
    ]
    assert Responses.from_table(["cat", "cat", "dog"], said).answers["net"].tolist() == [-1, 0, -1]


# --- beside others ----------------------------------------------------------------------------------------------------


def test_a_system_joins_others_by_the_names_of_trials_and_classes(drawn):
    truth, answers = drawn
    people = Responses.from_table(
        in_words(truth), answers[["a", "b"]].map(lambda each: [*CLASSES, "na"][each]), kind="human"
    )
    own = Responses.from_table(in_words(truth), {"c": in_words(answers["c"])}, classes=CLASSES[::-1])
    shuffled = own.select(trials=truth.sample(frac=1, random_state=3).index)
    joined = people.join(shuffled)
    pd.testing.assert_frame_equal(joined.answers, answers, check_names=False)
    assert joined.systems["kind"].tolist() == ["human", "human", "model"]
    pd.testing.assert_frame_equal(people.with_system("c", in_words(answers["c"])).answers, joined.answers)


def test_trials_may_be_named_by_a_part_that_is_enough():
    index = pd.MultiIndex.from_tuples([("0", "a.png"), ("0", "b.png")], names=["condition", "image"])
    people = Responses.from_table(pd.Series(["cat", "dog"], index=index), {"ann": ["cat", "cat"]}, kind="human")
    own = pd.Series(["dog", "cat"], index=pd.Index(["b.png", "a.png"], name="image"))
    assert people.with_system("net", own).answers["net"].tolist() == [0, 1]
    numbers = own.set_axis(pd.MultiIndex.from_tuples([(0, "b.png"), (0, "a.png")], names=["condition", "image"]))
    assert people.with_system("net", numbers).answers["net"].tolist() == [0, 1]


def test_a_table_of_a_pair_is_what_a_p_value_takes(drawn):
    truth, answers = drawn
    mine = Responses.from_table(truth, answers)
    assert erralign.p_value(mine.table("a", "c")) == erralign.p_value(truth, answers["a"], answers["c"])


def test_a_crosstab_of_a_perfect_system_is_a_table(drawn):
    truth, answers = drawn
    right = answers["a"] == truth
    perfect = pd.crosstab(truth == truth, right)
    assert perfect.shape == (1, 2)
    assert behaviour.error_consistency_from_counts(perfect) == 0
    upside_down = pd.crosstab(right, answers["b"] == truth).iloc[::-1]
    expected = erralign.error_consistency(truth, answers["a"], answers["b"])
    assert behaviour.error_consistency_from_counts(upside_down) == expected


def test_confusion_matrices_are_aligned_by_their_names(drawn):
    truth, answers = drawn
    tables = [
        pd.crosstab(in_words(truth), in_words(answers[name])).reindex(CLASSES, columns=CLASSES, fill_value=0)
        for name in "ab"
    ]
    expected = erralign.class_level_error_similarity(truth, answers["a"], answers["b"])
    similarity = behaviour.class_level_error_similarity_from_counts
    assert similarity(*tables) == pytest.approx(expected, abs=1e-12)
    assert similarity(tables[0], tables[1].loc[CLASSES[::-1], CLASSES[1:] + CLASSES[:1]]) == similarity(*tables)


def test_matrices_of_pairs_are_aligned_by_the_names_of_systems():
    rng = np.random.default_rng(0)
    a, b = (pd.DataFrame(each + each.T, index=list("pqrstu"), columns=list("pqrstu")) for each in rng.random((2, 6, 6)))
    turned = b.loc[list("utsrqp"), list("qpsrut")]
    assert nulls.mantel_test(a, turned, n_permutations=99) == nulls.mantel_test(a, b, n_permutations=99)


# --- in files ---------------------------------------------------------------------------------------------------------


def test_a_file_without_truth_takes_that_of_others(drawn, tmp_path):
    truth, answers = drawn
    answers.map(lambda each: [*CLASSES, ""][each]).sample(frac=1).to_csv(tmp_path / "mine.csv", sep=";")
    mine = read_answers(tmp_path / "mine.csv", truth=truth, classes=CLASSES, kind="human", name="own")
    pd.testing.assert_frame_equal(mine.answers.loc[truth.index], answers, check_names=False)
    assert (mine.name, set(mine.systems["kind"])) == ("own", {"human"})


def test_numbers_in_a_file_are_ids(drawn, tmp_path):
    answers = drawn[1].assign(trial=range(200)).assign(truth=drawn[0])[["trial", "truth", "a", "b"]]
    answers.to_csv(tmp_path / "ids.csv", index=False)
    mine = read_answers(tmp_path / "ids.csv", classes=CLASSES)
    assert mine.answers["b"].tolist() == drawn[1]["b"].tolist()
    assert mine.classes == tuple(CLASSES)
    assert mine.select(trials=[3]).truth.index.tolist() == [3]


def test_columns_of_trials_can_be_named(tmp_path):
    (tmp_path / "mine.csv").write_text("net,strength,image,truth\ncat,1,a,cat\ndog,2,a,dog\n")
    mine = read_answers(tmp_path / "mine.csv", trials=["strength", "image"])
    assert mine.truth.index.tolist() == [(1, "a"), (2, "a")]
    assert list(mine.answers) == ["net"]


def test_files_say_what_kind_their_systems_are(tmp_path):
    (tmp_path / "long.csv").write_text("system,kind,image,truth,answer\nann,human,1,cat,cat\nnet,model,1,cat,dog\n")
    assert read_answers(tmp_path / "long.csv").systems["kind"].to_dict() == {"ann": "human", "net": "model"}
    rows = ["subject-01,0001_x_s01_0_cat_00_a.png,cat,cat,0", "net,0007_x_dnn_0_cat_00_a.png,cat,dog,0"]
    (tmp_path / "mvh.csv").write_text("\n".join(["subj,imagename,category,object_response,condition", *rows]))
    found = read_answers(tmp_path / "mvh.csv")
    assert found.systems["kind"].to_dict() == {"subject-01": "human", "net": "model"}
    assert found.truth.index.tolist() == [(0, "a.png")]


@pytest.mark.usefixtures("requires_data")
def test_published_files_are_read_as_the_package_reads_them(tmp_path):
    people = [f"subject-{i:02d}" for i in (1, 2, 3)]
    files = [open_member(MODEL_VS_HUMAN, person_file("colour", i)).read().decode() for i in (1, 2, 3)]
    tables = [pd.read_csv(StringIO(text), dtype=str, keep_default_na=False).rename(columns=str.lower) for text in files]
    pd.concat(tables).to_csv(tmp_path / "colour.csv", index=False)
    published = erralign.load("model-vs-human/colour").select(systems=people)
    found = read_answers(tmp_path / "colour.csv")
    assert set(found.systems["kind"]) == {"human"}
    own = {f"{name} again": found.answers[name] for name in people}
    both = published.join(Responses.from_table(found.truth, own, classes=found.classes))
    assert (both.answers[people].to_numpy() == both.answers[list(own)].to_numpy()).all()
