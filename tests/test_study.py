"""The harness that judges heads trained on people's answers: its folds, recipes, values, limits and refusals."""

from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from builders import refused_otherwise
from scipy.optimize import approx_fprime
from scipy.stats import t
from sklearn.linear_model import RidgeCV
from textbook import textbook_ec

import erralign
from benchmarks.labs import transforms as maps
from benchmarks.training.arms import total_loss
from erralign.training import linear, linear_head
from erralign_book.studies.training import Study
from erralign_book.studies.training.scores import folds, minus, scores


def toy(n=240, n_classes=4, n_people=6):
    """Return features that tell the class and one habit, people who share that habit, and what pictures share."""
    rng = np.random.default_rng(0)
    truth, hard = np.arange(n) % n_classes, rng.random(n)
    habit = [np.where(hard + 0.2 * rng.normal(size=n) > 0.7, (truth + 1) % n_classes, truth) for _ in range(n_people)]
    seen = np.eye(n_classes)[truth] + 0.3 * rng.normal(size=(n, n_classes))
    X = np.column_stack([seen, seen * hard[:, None]])
    index = [f"picture {i}" for i in range(n)]
    answers = pd.DataFrame({f"person {i}": said for i, said in enumerate(habit)}, index)
    responses = erralign.Responses.from_table(pd.Series(truth, index), answers, classes=list("abcd"), kind="human")
    return X, responses, np.arange(n) // 6


def of_few(X, truth, shares):
    return linear_head()(X[:20], truth[:20], shares[:20])


X, RESPONSES, BY = toy()
HEADS = {"plain": linear_head(), "of few": of_few, "taught": linear_head("people's shares")}
BASE = ["plain", "of few"]


# --- folds ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 7])
def test_grouped_folds_share_neither_label(seed):
    rng = np.random.default_rng(seed)
    shape, texture = rng.integers(40, size=600), rng.integers(12, size=600)
    cut = folds([shape, texture], shape % 8, rng)
    for head, train in enumerate(cut.train):
        for of in (shape, texture):
            assert not set(of[train]) & set(of[cut.test == head])
    assert cut.train[cut.seen, np.arange(600)].all()
    assert not cut.train[cut.test, np.arange(600)].any()


# --- recipes ----------------------------------------------------------------------------------------------------------


def test_the_gradient_of_the_ec_loss_is_that_of_small_steps(rng):
    z, truth, shares = rng.normal(size=(9, 3)), rng.integers(3, size=9), rng.dirichlet(np.ones(3), size=9)

    def value(numbers):
        return linear._ec_loss(linear.softmax(numbers.reshape(9, 3), axis=1), truth, shares)[0]

    slopes = linear._ec_loss(linear.softmax(z, axis=1), truth, shares)[1]
    np.testing.assert_allclose(slopes.ravel(), approx_fprime(z.ravel(), value, 1e-7), atol=1e-6)


@pytest.mark.parametrize("loss", ["cross-entropy", "people's shares", "category's shares", "EC", "MA", "wrong answers"])
def test_a_linear_head_is_where_torch_arrives(torch, loss):
    X, responses, _ = toy(n=60)
    truth = responses.truth.to_numpy()
    shares = (responses.answers.to_numpy()[..., None] == np.arange(4)).mean(axis=1)
    head = linear_head(loss, 0.5, decay=0.01)(X, truth, shares)
    rows = torch.tensor(np.column_stack([X, np.ones(len(X))]))
    W = torch.zeros(rows.shape[1], 4, dtype=torch.float64, requires_grad=True)
    given = torch.tensor(truth), torch.tensor(shares), torch.ones(len(X), dtype=torch.float64)
    optimiser = torch.optim.LBFGS([W], max_iter=500, line_search_fn="strong_wolfe", tolerance_grad=1e-9)

    def whole():
        optimiser.zero_grad()
        value = total_loss(loss, 0.5, rows @ W, *given) + 0.01 * (W**2).sum()
        value.backward()
        return value

    optimiser.step(whole)
    np.testing.assert_allclose(head(X), (rows @ W).softmax(-1).detach(), atol=5e-3)


def test_the_recipe_on_the_page_of_the_project_learns_from_people(torch):
    """Also where a rest of one picture would be a batch, which a batch norm refuses."""
    page = Path(__file__).parents[1] / "notebooks" / "lab-project.md"
    code = page.read_text(encoding="utf-8").partition("```python\n")[2].partition("\n\n\ndef last_block")[0]
    shown = {}
    exec(code.replace("import timm, torch", "import torch"), shown)
    X, responses, _ = toy(n=257)
    truth = responses.truth.to_numpy()
    shares = (responses.answers.to_numpy()[..., None] == np.arange(4)).mean(axis=1)

    def build():
        return torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.BatchNorm1d(32), torch.nn.Linear(32, 4))

    values = []
    for strength in (0, 10):
        head = shown["finetune"](build, strength, epochs=40, rate=1e-2, device="cpu")(X, truth, shares)
        probabilities = head(X)
        np.testing.assert_allclose(probabilities.sum(axis=1), 1, atol=1e-5)
        ec = shown["soft_ec"](torch.tensor(probabilities).log(), torch.tensor(truth), torch.tensor(shares))
        values.append(ec.item())
    assert values[1] > values[0] + 0.1


# --- one seed by a script of its own ----------------------------------------------------------------------------------


def test_one_round_is_what_a_plain_script_finds():
    found = Study(RESPONSES, BY, rounds=1, rng=3).evaluate(HEADS, X, baseline=BASE)
    truth, people = RESPONSES.truth.to_numpy(), RESPONSES.answers.to_numpy().T
    teach = np.random.default_rng([3, 1]).permutation(6) < 3
    cut = folds([BY.astype(str)], truth, np.random.default_rng(3))
    shares = np.stack([(people[teach] == answer).mean(axis=0) for answer in range(4)], axis=1)
    order = np.random.default_rng([3, 2]).random(240)  # the control: within each class, people's answers change places
    dealt = np.empty(240, dtype=int)
    dealt[np.argsort(truth, kind="stable")] = np.lexsort([order, truth])
    said = {}
    for name, recipe in {**HEADS, "taught, shuffled": HEADS["taught"]}.items():
        given = shares[dealt] if "shuffled" in name else shares
        said[name] = np.full(240, -1)
        for fold in range(5):
            head = recipe(X[cut.train[fold]], truth[cut.train[fold]], given[cut.train[fold]])
            said[name][cut.test == fold] = head(X[cut.test == fold]).argmax(axis=1)
    ec = {name: np.mean([textbook_ec(truth, each, person) for person in people[~teach]]) for name, each in said.items()}
    accuracy = {name: (each == truth).mean() for name, each in said.items()}
    values, gains = (table.query("pictures == 'new' and people == 'new'") for table in (found.values, found.gains))
    values = values.set_index(["measure", "head"])["value"]
    for measure, mine in {"EC": ec, "accuracy": accuracy}.items():
        assert values[measure][list(mine)].to_dict() == pytest.approx(mine, abs=1e-12)
    (x0, x1), (y0, y1) = ([of[name] for name in ("of few", "plain")] for of in (accuracy, ec))
    at = np.clip(accuracy["taught"], x0, x1)
    on_the_line = y0 + (y1 - y0) * (at - x0) / (x1 - x0)
    assert found.gain("taught")["value"] == pytest.approx(ec["taught"] - on_the_line, abs=1e-12)
    control = gains.set_index(["over", "measure"])["value"].to_dict()["taught, shuffled", "EC"]
    assert control == pytest.approx(ec["taught"] - ec["taught, shuffled"], abs=1e-12)


# --- what it finds ----------------------------------------------------------------------------------------------------


def test_a_habit_that_can_be_learned_is_found_and_an_evaluation_goes_on_where_it_was_stopped(tmp_path):
    study = Study(RESPONSES, BY, rounds=2)
    found = study.evaluate(HEADS, X, baseline=BASE, keep=tmp_path)
    assert found.gain("taught")["low"] > 0
    control = "over == 'taught, shuffled' and measure == 'EC' and pictures == 'new' and people == 'new'"
    assert found.gains.query(control)["low"].item() > 0
    assert (found.reach["room"] > 0).all()

    def stopped(*_):
        raise AssertionError("is trained again")

    shuffled = pd.DataFrame(X, RESPONSES.truth.index).sample(frac=1, random_state=0)
    again = study.evaluate(dict.fromkeys(HEADS, stopped), shuffled, baseline=BASE, keep=tmp_path)
    pd.testing.assert_frame_equal(found.values, again.values)


@pytest.mark.parametrize("leak", [False, True])
def test_a_leak_deceives(leak, rng):
    """Pictures of one photograph are alike, so a head that has met one knows the answer to the others."""
    photographs = rng.normal(size=(40, 30))
    X = photographs[BY] + 0.1 * rng.normal(size=(240, 30))
    truth = RESPONSES.truth.to_numpy()[BY * 6]  # one class per photograph
    said = {f"p{i}": truth for i in range(4)}
    pictures = erralign.Responses.from_table(truth, said, classes=list("abcd"), kind="human")
    found = Study(pictures, BY, rounds=1, leak=leak).evaluate({"head": linear_head()}, X)
    accuracy = found.values.query("measure == 'accuracy' and pictures == 'new'")["value"].iloc[0]
    assert accuracy > 0.9 if leak else accuracy < 0.6


def test_it_refuses_what_it_cannot_use():
    of = partial(Study, RESPONSES)
    few = toy(n_people=3)[1]

    def given(answer):
        return partial(Study(RESPONSES, BY, rounds=1).evaluate, {"mine": lambda *_: answer}, X)

    cases = {
        "responses has 3 people; expected at least 4": partial(Study, few, BY),
        "pictures has 3 trials, people has 240": partial(of(BY).evaluate, HEADS, X[:3]),
        "pictures has no trial 'picture 3', which people answered; leave": partial(
            of(BY).evaluate, HEADS, pd.DataFrame(X, RESPONSES.truth.index).drop("picture 3")
        ),
        "baseline is 'plan'": partial(of(BY).evaluate, HEADS, X, baseline="plan"),
        "head 'mine' gave an array of shape .3,. for 48": given(lambda X: np.ones(3)),
        "head 'mine' gave rows that are no probabilities": given(lambda X: np.full((len(X), 4), 3.0)),
    }
    assert not refused_otherwise(cases.items())


# --- limits -----------------------------------------------------------------------------------------------------------


def test_limits_come_from_leaving_out_each_picture_and_person_and_from_seeds(rng):
    """The taught head shares what people find hard. Two seeds, of which each has other testers."""
    truth, hard, own = rng.integers(4, size=60), rng.normal(size=60), rng.normal(size=(2, 2, 60))
    testers = np.array([[True, True, True, False, False], [False, True, True, True, False]])

    def said(sums):
        return np.where(sums > -0.3, truth, (truth + 1) % 4)

    heads, people = said(own + np.multiply.outer([0, 1], hard)), said(hard + rng.normal(size=(5, 60)))

    def mean(head, who, kept):
        return np.mean([textbook_ec(truth[kept], head[kept], people[person][kept]) for person in who])

    def gains(who, kept):
        seeds = zip(heads, who, strict=True)
        return [mean(taught, tests, kept) - mean(plain, tests, kept) for (plain, taught), tests in seeds]

    every, all_ = np.arange(60), [np.flatnonzero(each) for each in testers]
    of_seeds = gains(all_, every)
    pictures = np.array([np.mean(gains(all_, np.delete(every, i))) for i in every])
    persons = np.array([np.mean(gains([each[each != p] for each in all_], every)) for p in range(5)])
    variance = np.var(pictures) * 60 + np.var(persons) * 4 + np.var(of_seeds, ddof=1) / 2
    made = scores(truth, heads, people, testers, 4, None)
    found = made.limits(minus(1, 0, "EC"))
    # A picture that raises a value, be it EC or accuracy, has a positive influence.
    np.testing.assert_allclose(minus(1, 0, "EC")(made.by_picture), np.mean(pictures) - pictures)
    assert found["value"] == pytest.approx(np.mean(of_seeds))
    assert found["high"] - found["value"] == pytest.approx(t.ppf(0.975, 4) * np.sqrt(variance))


# --- the maps of two labs ---------------------------------------------------------------------------------------------


def test_a_regression_on_dimensions_is_that_of_scikit_learn(rng):
    for noise in (0.1, 3):
        X = rng.normal(size=(40, 12))
        Y = X @ rng.normal(size=(12, 3)) + noise * rng.normal(size=(40, 3))
        theirs = RidgeCV(10.0 ** np.arange(-1, 5), fit_intercept=False).fit(X, Y)
        np.testing.assert_allclose(maps._ridge(X, Y), theirs.coef_.T)


@pytest.mark.parametrize("loss", ["RSA", "CKA"])
def test_the_slopes_of_a_loss_of_representations_are_those_of_small_steps(loss, rng):
    X, K = rng.normal(size=(12, 5)), np.cov(rng.normal(size=(12, 30)))
    found, compared = maps.likeness_map(X, K, loss, rank=5), maps._compared(K, loss)

    def alike(numbers):
        mapped = X @ numbers.reshape(5, 5)
        ours = maps._compared(mapped @ mapped.T, loss)
        return (ours * compared).sum() / np.linalg.norm(ours) / np.linalg.norm(compared)

    assert alike(found.ravel()) > alike(np.eye(5).ravel())
    assert np.abs(approx_fprime(found.ravel(), alike, 1e-6)).max() < 0.02  # the search has ended
