"""A hall of sixty: files, lines and codes of sittings, some of them odd, become a class, and what is odd is named."""

import re
from functools import cache

import numpy as np
import pandas as pd
import pytest
from browsing import shown, violations, window
from builders import typed
from conftest import ROOT
from playwright.sync_api import expect
from test_sit import PAGE, as_one_who_sat, saved

import erralign
from erralign_book.building import stimuli
from erralign_book.building.own_data import students_t

CLASS = "details:has(#sit-drop) > summary"
CAMERA = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
OPTIONS = "menu => [...menu.options].map(option => option.text)"
NORMAL, GENTLE = "short: 0.2 s, noise, 1.5 s to answer", "short: 1 s, no noise, 1.5 s to answer"


laboratory = cache(stimuli.laboratory)


words = cache(lambda: np.array([*laboratory()["classes"], "na"]))


def sittings():
    """Make sixty sittings: two under one name, one cut short, one long, one gentle, one without consent."""
    data, rng = laboratory(), np.random.default_rng(0)
    odd = {55: {"n": 31}, 56: {"name": "p-3"}, 57: {"form": "long"}, 58: {"picture": 1000, "mask": 0}}
    odd[59] = {"consent": False}
    for number in range(60):
        usual = {"form": "short", "name": f"p-{number}", "picture": 200, "mask": 200, "limit": 1500, "consent": True}
        who = usual | odd.get(number, {})
        places = data["short"] if who["form"] == "short" else range(len(data["images"]))
        truth = np.array(data["truth"])[places]
        said = np.where(rng.random(len(places)) < 0.8, truth, rng.integers(0, 17, len(places)))
        done = [{"place": int(place), "said": str(words()[each])} for place, each in zip(places, said, strict=True)]
        yield who | {"done": done[: who.pop("n", None)], "left": [], "seed": number, "away": {}}


hall = cache(lambda: list(sittings()))


def as_file(session, folder, number):
    """Write the file that a sitting saves."""
    places = [each["place"] for each in session["done"]]
    about = {"asked_ms": "picture", "asked_mask_ms": "mask", "limit_ms": "limit", "seed": "seed"}
    images, truth = np.array(laboratory()["images"])[places], words()[np.array(laboratory()["truth"])[places]]
    table = pd.DataFrame({"image": images, "truth": truth})
    table[session["name"]] = [each["said"] for each in session["done"]]
    table["response_ms"] = 612.5
    table = table.assign(**{column: session[name] for column, name in about.items()})
    file = folder / f"{number}.csv"
    table.assign(consent=int(session["consent"])).to_csv(file, index=False)
    return file


def film(codes, file):
    """Write what a camera sees: a code for three frames, blurred, under uneven light, somewhere in the picture."""
    rng = np.random.default_rng(0)
    with file.open("wb") as video:
        video.write(b"YUV4MPEG2 W640 H480 F10:1 Ip A1:1 C420\n")
        for code in map(np.array, codes):
            drawn = np.kron(np.where(code, 30, 225), np.ones((380 // len(code),) * 2))
            seen = np.full((480, 640), 150.0)
            y, x = (rng.integers(5, most - len(drawn) - 5) for most in (480, 640))
            seen[y : y + len(drawn), x : x + len(drawn)] = drawn
            seen += rng.normal(0, 12, seen.shape) + np.linspace(-20, 20, 640)
            blurred = (seen + np.roll(seen, 1, 0) + np.roll(seen, 1, 1)) / 3
            pixels = np.clip(blurred, 16, 235).astype(np.uint8).tobytes()
            video.write(3 * (b"FRAME\n" + pixels + bytes([128]) * 153_600))


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hall")
    return [as_file(session, folder, number) for number, session in enumerate(hall())]


def test_of_sixty_files_the_odd_ones_are_left_out_or_set_apart_and_named(browser, site, files):
    with shown(browser, (site / PAGE).as_uri(), ready="() => true") as view:
        view.locator(CLASS).click()
        view.locator("#sit-files").set_input_files(files)
        view.locator("#sit-drop[data-state=done]").wait_for()
        expect(view.locator("#sit-class-status")).to_contain_text("55 students, 48 pictures.")
        named = view.locator("#sit-left-out li").all_inner_texts()
        said = ["p-55: 31 pictures; a whole sitting has 12, 48, 160", "left out: one without consent"]
        said += ["p-3: comes twice, with other answers; the first is kept"]
        for words in (*said, "not mixed with p-57: long", f"not mixed with p-58: {GENTLE}"):
            assert any(words in each for each in named), words
        assert len(named) == 5
        assert view.locator("#sit-way").evaluate(OPTIONS)[0] == f"{NORMAL} (55)"


def test_a_class_and_the_command_join_the_same_files(browser, address, files, tmp_path):
    joined = tmp_path / "joined.csv"
    assert "15 systems, 48 trials" in typed("join", *files[:15], "--to", joined).output
    with shown(browser, f"{address}/{PAGE}", theme="dark", ready="() => true") as view:
        view.locator(CLASS).click()
        view.locator("#sit-files").set_input_files(files[:15])
        view.locator("#sit-drop[data-state=done]").wait_for()
        found = saved(view, "class.csv")
        rows = view.locator("#sit-class-results tbody").first.locator("tr").all_inner_texts()
        view.locator("#sit-class-results figure").scroll_into_view_if_needed()
        view.wait_for_function("document.querySelector('#sit-class-results figure').dataset.drawn")
        assert violations(view) == {}
        view.locator("#sit-files").set_input_files([files[0], files[0]])
        view.locator("#sit-drop[data-state=failed]").wait_for()
        expect(view.locator("#sit-class-status")).to_contain_text("This is one person")
        if stimuli.laboratory()["systems"]:  # the other file that a sitting saves has the laboratory in it
            renamed = pd.read_csv(files[1]).rename(columns={"p-1": "alexnet"})
            renamed.to_csv(tmp_path / "answers-beside.csv", index=False)
            view.locator("#sit-files").set_input_files([files[0], tmp_path / "answers-beside.csv"])
            view.locator("#sit-left-out", has_text="the laboratory’s “alexnet”").wait_for()
    pd.testing.assert_frame_equal(found, pd.read_csv(joined, dtype=str, keep_default_na=False).set_index("image"))
    assert len(rows) == 15
    pairs = erralign.pairwise(erralign.read_answers(joined, kind="human"), "EC", with_="p-0")
    assert f"{pairs['EC'].mean():.2f} (" in rows[0].split("\t")[2]


def test_the_command_refuses_sittings_that_were_asked_in_several_ways(files, tmp_path):
    said = typed("join", files[0], files[1], files[58], "--to", tmp_path / "j.csv")
    assert said.exit_code
    assert re.search(r"asked in 2 ways.*58\.csv", said.output)
    assert "3 systems, 48 trials" in typed("join", *files[:3], "--to", tmp_path / "j.csv").output


def test_a_camera_reads_codes_and_pasted_lines_are_the_same_people(browser, requires_browser, site, tmp_path):
    with shown(browser, (site / PAGE).as_uri(), ready="() => true") as view:
        lines = view.evaluate("all => all.map(sitSession.line)", hall())
        codes = view.evaluate("all => all.map(line => qr.draw(line, 'raw', { ecc: 'medium' }))", lines)
        view.locator(CLASS).click()
        view.locator("#sit-drop details summary").click()
        view.locator("#sit-lines").fill("\n".join(lines))
        view.locator("#sit-lines").blur()
        view.locator("#sit-drop[data-state=done]").wait_for()
        pasted = view.locator("#sit-class-results table").first.inner_text()
        expect(view.locator("#sit-left-out li")).to_have_count(5)
    film(codes, tmp_path / "hall.y4m")
    launch = browser.browser_type.launch
    options = ["--no-sandbox", *CAMERA, f"--use-file-for-fake-video-capture={tmp_path / 'hall.y4m'}"]
    with (
        launch(executable_path=requires_browser, args=options) as camera,
        shown(camera, (site / PAGE).as_uri(), ready="() => true") as view,
    ):
        view.locator(CLASS).click()
        view.locator("#sit-drop details summary").click()
        view.locator("#sit-camera").click()
        view.locator("#sit-class-status", has_text="55 students, 48").wait_for(timeout=180_000)
        assert view.locator("#sit-class-results table").first.inner_text() == pasted


def test_a_code_appears_once_somebody_agrees_and_the_file_says_so(browser, site):
    with window(browser) as (view, _, troubles):
        as_one_who_sat(view, {each["place"]: each["said"] for each in hall()[0]["done"]})
        view.goto((site / PAGE).as_uri())
        view.locator("summary", has_text="Hand it in").click()
        assert saved(view)["consent"].unique().tolist() == ["0"]
        expect(view.locator(".sit-code")).to_have_count(0)
        view.get_by_label("My class may use these answers").check()
        expect(view.locator(".sit-line")).to_have_text(re.compile("^SIT:SHORT:200:200:1500:Y:ANN:"))
        assert saved(view)["consent"].unique().tolist() == ["1"]
        view.mouse.move(0, 0)  # a link under it has another colour
        assert violations(view) == {}
    assert troubles == []


MEANS = """([truth, own, others, powers]) => {
    const means = sitMeans(ownMeasures(), powers);
    return means.limits(means.ofPairs(truth, others.map(other => [own, other]), [own, ...others]));
}"""


def test_means_and_limits_are_those_of_the_package(numerics, files):
    """A network's with eleven people."""
    tables = [pd.read_csv(file, index_col="image") for file in files[:12]]
    answers = pd.concat([table.iloc[:, 1] for table in tables], axis=1).replace("na", None)
    kind = dict.fromkeys(answers, "human") | {"p-0": "model"}
    mine = erralign.Responses.from_table(tables[0]["truth"], answers, kind=kind, classes=stimuli.CATEGORIES)
    expected = erralign.consistency_with_people(mine, n_resamples=20).table.loc["p-0"]
    own, *others = mine.answers.T.to_numpy().tolist()
    numerics.add_script_tag(path=ROOT / "book/assets/sit/means.js")
    found = numerics.evaluate(MEANS, [mine.truth.tolist(), own, others, students_t()])
    np.testing.assert_allclose(found, expected[["EC", "low", "high"]], rtol=0, atol=1e-7)
