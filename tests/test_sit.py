"""The page "Sit the experiment": its pictures, its protocol in a real browser, and its result."""

import json
import re
import shlex

import numpy as np
import pandas as pd
import pytest
from browsing import page_of, shown, violations, window
from builders import typed
from conftest import ROOT
from playwright.sync_api import expect

import erralign
from erralign_book.building import stimuli
from erralign_book.building.own_data import live_parts, students_t, write_published
from erralign_book.building.you import you

PICTURES = ROOT / stimuli.FOLDER
PAGE = "sit-the-experiment.html"
TRUTH = stimuli.forms()["truth"]
WHAT_HAPPENED = ("started", "response", "shown", "mask", "longest_frame", "away", "asked", "asked_mask", "limit")
TIMES = [f"{what}_ms" for what in WHAT_HAPPENED]
ASKED = """() => {
    const [screen, answers] = ['screen', 'answers'].map(id => document.getElementById(`sit-${id}`));
    return 'resting' in screen.dataset ? 'resting' : 'open' in answers.dataset ? 'open' : !screen.open && 'closed';
}"""
SHOWN = "() => decodeURIComponent(document.querySelector('#sit-stage img').src).split('/stimuli/')[1]"
LOOKS = """() => [...document.querySelectorAll('.sit img:not(.sit-missed img), .sit-stage img')]
    .map(image => getComputedStyle(image))
    .map(({ filter, backgroundColor }) => `${filter}, ${backgroundColor}`)"""
HIDE = """isHidden => {
    Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
}"""


def test_each_object_occurs_once_and_the_files_are_those_of_the_rule():
    forms = stimuli.forms()
    names = forms.index.str.extract(r"^([\w-]+)/([a-z]+)(\d+)")
    assert len(forms) == 160
    assert not names.duplicated([1, 2]).any()
    assert (forms.groupby(["truth", names[0].to_numpy()])["is_short"].sum() == 1).all()
    found = {path.relative_to(PICTURES).with_suffix(".png").as_posix() for path in PICTURES.rglob("*.webp")}
    assert found == set(forms.index)
    assert sum(path.stat().st_size for path in PICTURES.rglob("*.webp")) <= stimuli.MOST_BYTES


# --- a scripted participant -------------------------------------------------------------------------------------------


class Participant:
    """Presses keys as a plan says, and remembers what it did; time stands still but for what it waits."""

    def __init__(self, view):
        self.view, self.said = view, {}

    def begin(self):
        self.view.locator("#sit-new summary").first.click()
        for field, value in (("size", "short"), ("way", "laboratory"), ("limit", "limit")):
            self.view.locator(f"input[name={field}][value='{value}']").check()
        self.view.locator("[name=pseudonym]").fill("ann")
        self.view.locator("#sit-new button").click()

    def wait(self, condition=ASKED, step=150, most=30_000):
        for _ in range(most // step):
            if found := self.view.evaluate(condition):
                return found
            self.view.clock.run_for(step)
        raise AssertionError(f"{most} ms passed, and still not {condition}")

    def press(self, word):
        self.view.keyboard.press(self.view.locator(f"#sit-answers [value={word}]").get_attribute("data-key"))

    def sit(self, plan, n=999):
        """Answer up to n pictures; the plan turns a true class into a word, or None for no answer."""
        for _ in range(n):
            while (now := self.wait()) == "resting":
                self.view.keyboard.press("Enter")
            if now == "closed":
                return
            image = self.view.evaluate(SHOWN)
            if image is None:  # a sign, to practise with
                self.press("bear")
            else:
                image = image.replace("webp", "png")
                word = plan(TRUTH[image])
                self.said[image] = word or "na"
                if word:
                    self.press(word)
            self.wait("!('open' in document.querySelector('#sit-answers').dataset)", most=1800)  # of 1500


def test_the_file_equals_what_a_participant_did(browser, site, tmp_path):
    """Right, wrong, slow, without an answer, away in the middle, and with the page loaded anew in the middle."""
    rng = np.random.default_rng(36)
    plan = rng.permutation(["right"] * 30 + ["wrong"] * 12 + ["slow"] * 4 + ["none"] * 2).tolist()

    def answer(truth):
        how = plan.pop()
        if how == "slow":
            view.clock.run_for(700)
        return {"none": None, "wrong": "dog" if truth != "dog" else "cat"}.get(how, truth)

    with window(browser, theme="dark") as (view, _, troubles):
        view.clock.install(time=0)
        view.goto((site / PAGE).as_uri())
        view.clock.pause_at(60_000)
        ann = Participant(view)
        ann.begin()
        assert ann.wait() == "resting"
        view.keyboard.press("Escape")  # leaves
        view.locator("#sit-again").click()
        ann.sit(answer, n=8 + 20)  # of which 8 to practise
        ann.wait("document.querySelector('#sit-stage').dataset.now === 'picture'", step=50)
        missed = view.evaluate(SHOWN)
        view.evaluate(HIDE, True)
        assert ann.wait() == "resting"
        view.evaluate(HIDE, False)
        view.keyboard.press("Enter")
        ann.sit(answer, n=5)
        assert missed.replace("webp", "png") not in ann.said
        view.reload()
        expect(view.locator("#sit-how-many")).to_have_text("25 of 48 pictures are done.")
        view.locator("#sit-again").click()
        ann.sit(answer)
        ann.wait("document.querySelector('#sit').dataset.state === 'done'")
        view.clock.resume()
        view.locator("#sit-results .sit-missed").first.wait_for()
        assert violations(view) == {}
        with view.expect_download() as download:
            view.locator("[download='ann.csv']").first.click()
        table = pd.read_csv(download.value.path(), dtype=str, keep_default_na=False).set_index("image")
        # The theme changes the contrast of pictures in the dark, if they don't forbid it.
        assert set(view.evaluate(LOOKS)) == {"none, rgba(0, 0, 0, 0)"}
        view.on("dialog", lambda question: question.accept())
        view.locator("#sit-delete").click()
        view.wait_for_function("localStorage.getItem('erralign-sit') === null")
    assert troubles == []
    forms = stimuli.forms().query("is_short")
    assert table["truth"].to_dict() == forms["truth"].to_dict()
    assert table["ann"].to_dict() == ann.said
    assert list(table) == [*TIMES, "seed", "truth", "ann"]
    table.to_csv(tmp_path / "ann.csv")
    assert list(erralign.read_answers(tmp_path / "ann.csv").answers) == ["ann"]
    ms = table.filter(like="_ms").apply(pd.to_numeric)
    assert (ms["response_ms"].isna() == (table["ann"] == "na")).all()
    assert ms["response_ms"].max() < 400 + 1500 + 200
    assert (ms["away_ms"] > 0).sum() == 1
    assert (ms[["shown_ms", "mask_ms"]] - 200).abs().le(17).all(axis=None)  # a frame


# --- results ---------------------------------------------------------------------------------------------------------

CLAIM = r"named (\d+) of 48.*?(?:You|pictures) (fail on the same|fail nearer to|cannot tell)"
SAID = re.compile(CLAIM + r".*? minus that with networks is (.*?)\. Your accuracy", re.DOTALL)
BESIDE = re.compile(r"with people (.*?); .*? with networks (.*?)\.$")
LIMITS = re.compile(r"\((.*) to (.*)\)")


def as_one_who_sat(view, said):
    """Let a window hold, before its page begins, what it keeps of somebody who has said this, by place."""
    times = {"started": 0, "response": 500, "shown": 200, "mask": 200, "longest_frame": 17}
    done = [{"place": place, "said": word, **times} for place, word in said.items()]
    chosen = {"form": "short", "name": "ann", "limit": 1500, "picture": 200, "mask": 200, "seed": 1}
    kept = json.dumps(chosen | {"left": [], "done": done, "away": {}})
    view.add_init_script(f"localStorage.setItem('erralign-sit', {json.dumps(kept)})")


def sitters():
    """Make somebody who says what a person says, or a network, or half of that, or fails where no person does."""
    data, rng = stimuli.laboratory(), np.random.default_rng(0)
    words = dict(zip(stimuli.LETTERS, [*data["classes"], "na"], strict=True))
    truth = {place: data["classes"][data["truth"][place]] for place in data["short"]}
    everybody = {each["name"]: {place: words[each["said"][place]] for place in truth} for each in data["systems"]}
    systems = pd.DataFrame(everybody).eq(pd.Series(truth), axis=0)
    is_person = systems.columns.str.startswith("subject")
    missed = systems.loc[:, is_person].all(axis=1) & (systems.loc[:, ~is_person].mean(axis=1) <= 0.5)
    alone = {place: "dog" if missed[place] and word != "dog" else word for place, word in truth.items()}
    network = everybody["alexnet"]
    half = {place: word if rng.random() < 0.5 else network[place] for place, word in truth.items()}
    return [everybody["subject-01"], network, half, alone]


def test_what_a_result_claims_its_own_intervals_allow(requires_data, browser, site):
    """Somebody shares failures with a kind only if both the difference and the value leave out 0."""
    claims = set()
    for said in sitters():
        with window(browser) as (view, _, troubles):  # each their own
            as_one_who_sat(view, said)
            view.goto((site / PAGE).as_uri())
            view.get_by_text("For after the next lesson").click()
            view.locator("#sit-results figure[aria-label]").wait_for()
            n_right, claim, difference = SAID.search(view.locator("#sit-results").inner_text()).groups()
            label = view.locator("#sit-results figure").get_attribute("aria-label")
            values = (*BESIDE.search(label).groups(), difference)
            limits = [LIMITS.search(value.replace("−", "-")).groups() for value in values]
            (people, _), (networks, _), (low, high) = (tuple(map(float, each)) for each in limits)
            nearer = people if low > 0 else networks if high < 0 else None
            expected = "cannot tell" if nearer is None else "fail on the same" if nearer > 0 else "fail nearer to"
            assert claim == expected, values
            claims.add(claim)
            expect(view.locator("#sit-results .sit-missed li")).to_have_count(48 - int(n_right))
        assert troubles == []
    assert len(claims) == 3


def page_of_you(folder, *says):
    """Write a page with what lessons say of a reader, and return its address."""
    write_published(folder)
    html = "".join(you(each).html for each in ("", *says))
    names = ("guest.js", "chart-controls.js", *live_parts(you().html)[1])  # the first two are on every page
    places = [(folder if "laboratory" in name else ROOT / "book/assets") / name for name in names]
    return page_of(folder, f"<article>{html}</article>", *places)


def beside(view):
    """Return what a chart says of a reader's EC with people, and with networks."""
    return BESIDE.search(view.locator(".sit-you figure[aria-label]").get_attribute("aria-label")).groups()


def test_in_a_lesson_who_sat_sees_their_answers_and_who_did_not_sees_nothing(requires_data, browser, tmp_path):
    with shown(browser, page_of_you(tmp_path, "{right}; {EC_people}"), ready="() => true") as view:
        expect(view.locator(".sit-you")).to_have_text(["", ""])
        for answers in sitters():
            as_one_who_sat(view, answers)
            view.reload()
            share, ec = view.locator(".sit-you").last.inner_text().split("; ")
            images = stimuli.laboratory()["images"]
            right = [TRUTH[images[place]] == word for place, word in answers.items()]
            assert float(share.removesuffix(" %")) == pytest.approx(100 * np.mean(right), abs=0.5)
            assert ec == beside(view)[0]


def test_a_shared_address_shows_the_result_and_keeps_nothing(requires_data, browser, site):
    with window(browser) as (view, _, _):
        as_one_who_sat(view, sitters()[0])
        view.goto((site / PAGE).as_uri())
        address = view.get_by_role("link", name="A link to this result").evaluate("link => link.href")
    with window(browser) as (view, _, troubles):  # of somebody else
        view.goto(address)
        expect(view.locator("#sit-how-many")).to_contain_text("Somebody: 48 of 48")
        assert view.evaluate("localStorage.getItem('erralign-sit')") is None
        view.get_by_role("button", name="Sit it yourself").click()
        view.locator("#sit-new button").wait_for()
    assert troubles == []


# --- a class ----------------------------------------------------------------------------------------------------------


def sitting(name, number, form="short"):
    """Make the file that a sitting saves, as a table: its columns are those of the file of a participant above."""
    forms, rng = stimuli.forms(), np.random.default_rng(number)
    truth = forms.loc[forms["is_short"] | (form == "long"), "truth"]
    guesses = rng.choice([*stimuli.CATEGORIES, "na"], len(truth))
    said = truth.where(rng.random(len(truth)) < 0.7, guesses)
    return pd.DataFrame(dict.fromkeys(TIMES, 200) | {"seed": number, "truth": truth, name: said}, truth.index)


def test_the_command_that_the_page_prints_compares_a_class(requires_data, tmp_path, monkeypatch):
    """One of three sat the long form."""
    page = (ROOT / "notebooks/sit-the-experiment.md").read_text()
    (printed,) = re.findall(r"^erralign (compare class .*)", page, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "class").mkdir()
    for n, form in enumerate(("short", "short", "long")):
        sitting(f"p-{n}", n, form).to_csv(f"class/p-{n}.csv")
    said = typed(*shlex.split(printed), "--json", "--resamples", 100)
    assert said.exit_code == 0, said.output
    assert len(json.loads(said.stdout)["pairs"]) == 38 * 37 / 2  # with 10 people and 25 networks


def test_sittings_that_were_asked_in_several_ways_are_refused(tmp_path):
    paths = [tmp_path / f"p-{n}.csv" for n in range(3)]
    for n, path in enumerate(paths):
        sitting(path.stem, n).assign(asked_ms=200 if n < 2 else 1000).to_csv(path)
    said = typed("compare", *paths)
    assert said.exit_code
    assert re.search(r"asked in 2 ways.*p-2\.csv", said.output)
    assert typed("compare", *paths[:2]).exit_code == 0


MEANS = """([truth, own, others, powers]) => {
    const means = sitMeans(ownMeasures(), powers);
    return means.limits(means.ofPairs(truth, others.map(other => [own, other]), [own, ...others]));
}"""


def test_means_and_limits_are_those_of_the_package(numerics):
    """A network's with eleven people."""
    answers = pd.concat([sitting(f"p-{n}", n)[f"p-{n}"] for n in range(12)], axis=1).replace("na", None)
    kind = dict.fromkeys(answers, "human") | {"p-0": "model"}
    mine = erralign.Responses.from_table(TRUTH[answers.index], answers, kind=kind, classes=stimuli.CATEGORIES)
    expected = erralign.consistency_with_people(mine).table.loc["p-0"]
    own, *others = mine.answers.T.to_numpy().tolist()
    numerics.add_script_tag(path=ROOT / "book/assets/sit/means.js")
    found = numerics.evaluate(MEANS, [mine.truth.tolist(), own, others, students_t()])
    np.testing.assert_allclose(found, expected[["EC", "low", "high"]], rtol=0, atol=1e-7)
