"""README typed: its commands in their order, in a fresh clone; and those of the guides.

Answers made without torch stand in for ``erralign run``.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT, lacking
from test_chapters import PARTS, prose
from test_logs import mc

import erralign
from erralign.datasets.examples import my_answers
from erralign_book.building import chapters
from erralign_book.building import guests as building
from erralign_book.guests import yours

README = (ROOT / "README.md").read_text(encoding="utf-8")
SETS = [f"geirhos2020/{name}" for name in ("cue-conflict", "edges", "silhouettes")]
NEVER = "knife"  # the class that does not occur in some of the made answers
SECONDS = 1200  # after which a command has hung, or does what it should not; other tests run beside it

# Not typed here: what needs the network or weights from there, what executes chapters (.ci/run types it), and the
# commands for raw files of experiments (test_own_files.py types them).
UNTYPED = re.compile(
    r"git clone|make |pip |papermill |erralign fetch|erralign (?:run|features) (?!tf_efficientnet_lite0 )"
    r"|python -m erralign freeze|erralign book --model "
    r"|erralign compare (?:jspsych|psychopy|gorilla|labjs|eprime|long)"
)
TYPED_IN_README = "erralign book --with my-answers/"
RUN = "erralign run tf_efficientnet_lite0 "  # the network that comes from a package: where torch is, it runs


# --- what stands there -----------------------------------------------------------------------------------------------


COMMAND = re.compile(r"(?:(?:python -m )?erralign (?:fetch|\w+ \S)|(?:make|pip|papermill|dask) \S)")


def commands(text):
    """List the commands of a text in their order: lines of its blocks, and code within sentences."""
    found, fence = [], None
    for line in text.replace("\\\n", " ").replace("&&\n", "&& ").splitlines():
        if line.startswith(("```", "````")):
            fence = None if fence is not None else line.strip("`")
        elif fence == "" or (fence is None and line.startswith("    ")):
            found.append(line)
        elif fence is None:
            found += [code for code in re.findall(r"`([^`]+)`", line) if COMMAND.match(code)]
    found = [" ".join(re.sub(r"\s+# .*", "", line).split()) for line in found]
    return [line for line in found if COMMAND.match(line) or line.startswith(("git", "source", "."))]


GUIDES = [*PARTS["Start"], *PARTS["Use it"], "how-to-choose"]
OF_PAGES = list(dict.fromkeys(line for name in GUIDES for line in commands(prose(name))))
TYPED = [line for line in OF_PAGES if line != TYPED_IN_README and not UNTYPED.match(line)]


# --- a clone ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """Return a fresh clone of this checkout, as it is now, with the environment that runs the tests as its own."""
    if os.name != "posix":
        pytest.skip("README's lines are those of a POSIX shell")
    folder = tmp_path_factory.mktemp("readme") / "erralign"
    subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, folder], check=True)
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_file():
            shutil.copy(ROOT / name, folder / name)
    (folder / ".venv").mkdir()
    for part in ("bin", "lib", "pyvenv.cfg"):
        (folder / ".venv" / part).symlink_to(Path(sys.prefix, part))
    (folder / ".venv/installed").touch()  # `make` would install anew what is older than its lock
    return folder


@pytest.fixture
def executed(clone):
    """Put the executed chapters, and what was drawn of them, into the clone; without `make book` there are none."""
    missing = [name for name in chapters.names() if not (ROOT / "book" / f"{name}.ipynb").is_file()]
    if missing:
        lacking("book", f"make book ({len(missing)} chapters are not executed)")
    for name in chapters.names():
        shutil.copy(ROOT / "book" / f"{name}.ipynb", clone / "book")
    if (ROOT / "_build/drawings").is_dir():
        shutil.copytree(ROOT / "_build/drawings", clone / "_build/drawings", dirs_exist_ok=True)
    return clone


def types(line, clone, folder):
    """Return what a line says, on both streams, in a shell with the clone's environment."""
    without = [each for each in os.environ["PATH"].split(os.pathsep) if Path(each) != Path(sys.executable).parent]
    folders = {"PATH": os.pathsep.join(without), "PYTHONPATH": os.pathsep.join([str(clone), str(clone / "book")])}
    shell = ["bash", "-c", f"source {clone}/.venv/bin/activate; {line}"]
    how = {"cwd": folder, "env": os.environ | folders | {"ERRALIGN_OFFLINE": "1"}, "timeout": SECONDS}
    done = subprocess.run(shell, capture_output=True, text=True, check=False, **how)
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


# --- what stands in for a network, and for a reader's files ----------------------------------------------------------


def made_answers(folder, data_sets=SETS, kind="complete", name="my-net"):
    """Write the answers of a network that answers at random now and then, as no stored one does."""
    folder.mkdir(parents=True, exist_ok=True)
    for data_set in data_sets:
        stored, rng = erralign.load(data_set), np.random.default_rng(1)
        words = dict(enumerate(stored.classes)) | {-1: "na"}
        said = stored.answers["vgg19-bn"].map(words)
        said = said.where(rng.random(len(said)) > 0.3, rng.choice(stored.classes, len(said)))
        table = pd.DataFrame({"truth": stored.truth.map(words), name: said})
        if kind == "never":
            table[name] = table[name].replace(NEVER, "bottle")
        elif kind == "subset":
            table = table.sample(len(table) // 3, random_state=0)
        table.to_csv(folder / f"answers-{data_set.replace('/', '-')}.csv")
    return folder


def one_file(data_set, folder):
    """Write answers.csv, about the pictures of a data set."""
    made_answers(folder, [data_set])
    (folder / f"answers-{data_set.replace('/', '-')}.csv").rename(folder / "answers.csv")


def animals(folder, name="answers.csv"):
    """Write answers about the animals of the example."""
    my_answers().to_csv(folder / name, index=False)


def logs(folder):
    """Write logs of two language models, and labels of three judges."""
    for name, said in {"a": "AABBC", "b": "ABBBC"}.items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in mc(said)))
    (folder / "labels").mkdir()
    for name, grades in {"a": "011", "b": "002", "c": "112"}.items():
        labels = "".join(f"q{place % 5},d{place},{place % 3},{grades[place % 3]}\n" for place in range(30))
        (folder / f"labels/{name}.csv").write_text("query,document,truth,answer\n" + labels)


def three(folder):
    """Write a file for each of three systems."""
    folder.mkdir(exist_ok=True)
    answers = pd.DataFrame({"image": [f"{place}.png" for place in range(20)], "truth": list("aabbc" * 4)})
    said = {"ann": list("aabbb" * 4), "ben": list("abbbc" * 4), "net": list("aabcc" * 4)}
    for name, letters in said.items():
        answers.assign(**{name: letters}).to_csv(folder / f"{name}.csv", index=False)


def of_readme(folder):
    """Write what README's lines read, but for the answers of a model."""
    one_file(SETS[0], folder)
    two = pd.read_csv(folder / "answers.csv")  # systems, or there is nobody to compare one with
    two["ann"] = two["truth"].where(np.random.default_rng(0).random(len(two)) < 0.8, "cat")
    two.to_csv(folder / "answers.csv", index=False)
    logs(folder)
    for name, seed in {"mine": 1, "theirs": 2}.items():
        np.save(folder / f"{name}.npy", np.random.default_rng(seed).normal(size=(40, 5)))


def features(folder):
    """Write what networks compute inside, as `erralign features` does."""
    ids = [f"{place}.png" for place in range(40)]
    for name, seed in {"features": 1, "other": 2}.items():
        np.savez(folder / f"{name}.npz", ids=ids, net=np.random.default_rng(seed).normal(size=(40, 5)))


# What is there when a line of a page is typed: by the first that fits.
FILES = [
    (".* --data geirhos2020/edges", partial(one_file, SETS[1])),
    (".* --data geirhos2020/cue-conflict", partial(one_file, SETS[0])),
    ("erralign join class", lambda folder: three(folder / "class")),
    ("erralign (join|compare ann)", three),
    (r"erralign compare (\*.jsonl|labels)", logs),
    ("erralign compare joined", partial(animals, name="joined.csv")),
    ("erralign compare", animals),
    ("erralign similarity", features),
    ("", lambda folder: None),
]
# What a line says, and a file that it writes. Of the first that fits.
EXPECTED = [
    ("source", "", ""),
    ("erralign book --with", "with your model: .*html", ""),
    (r"erralign compare .*--report", r"both (are )?wrong|panel[\s\S]*report:", "report.html"),
    ("erralign compare", "accuracy", ""),
    ("erralign catalog", "geirhos2020/edges", ""),
    ("erralign similarity", "CKA", ""),
    ("erralign plan", "trials|of experiments", ""),
    ("erralign join", "joined.csv: 3 systems, 20 trials", "joined.csv"),
    ("python -m erralign board check", "accepted", ""),
]


def check(line, said, folder):
    """See to it that a line said and wrote what it should."""
    words, file = next((words, file) for start, words, file in EXPECTED if re.match(start, line))
    assert re.search(words, said), f"{line}\n{said}"
    assert "Traceback" not in said
    assert not file or (folder / file).stat().st_size > 100, line


# --- and is typed ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_readme_typed_line_by_line(requires_data, executed):
    """The book about a model executes no chapter anew, though here all data came after the build."""
    of_readme(executed)
    before = {path.name: path.read_bytes() for path in (executed / "book").glob("*.ipynb")}
    for line in dict.fromkeys(commands(README)):
        if line.startswith(RUN) and not (find_spec("torch") and find_spec("timm")):
            made_answers(executed / "my-answers")
            continue
        if UNTYPED.match(line):
            continue
        said = types(line, executed, executed)
        if line.startswith(RUN):
            assert len(list((executed / "my-answers").glob("answers-*.csv"))) >= len(SETS)
            continue
        check(line, said, executed)
        if line.startswith("erralign book"):
            assert "chapter:" not in said
    assert before == {path.name: path.read_bytes() for path in (executed / "book").glob("*.ipynb")}
    (system,) = erralign.load(SETS[0], guest=executed / "my-answers").guests
    (site,) = (executed / "_build/with").glob("*/html")
    for page in ["your-model-through-the-book", *building.touched(str(executed / "my-answers"), ROOT)]:
        assert system in (site / f"{page}.html").read_text(encoding="utf-8"), page


@pytest.mark.parametrize("kind", ["subset", "never"])
def test_a_subset_and_a_model_that_never_names_a_class_are_shown(requires_data, tmp_path, monkeypatch, kind):
    answers = made_answers(tmp_path / "made", kind=kind, name=f"net-{kind}")
    monkeypatch.chdir(tmp_path)
    place = building.prepare(answers, None, subset=kind == "subset", person=False)
    said = yours(str(place / "answers"), "EC", "MA", "CLES").text
    assert all(f"{name.rpartition('/')[2]} (" in said for name in SETS)
    assert f"net-{kind}" in said


@pytest.mark.slow
@pytest.mark.parametrize("line", TYPED)
def test_a_line_of_use_it_yourself_typed(requires_data, clone, tmp_path, line):
    next(write for start, write in FILES if re.match(start, line))(tmp_path)
    if line.startswith(RUN):
        line = line.partition(" && ")[2]  # the file is there
    folder = clone if line.startswith("python -m") else tmp_path
    check(line, types(line, clone, folder), tmp_path)


def test_no_command_is_left_to_luck():
    """A line that is neither typed nor excused."""
    known = "|".join([UNTYPED.pattern, RUN, *(start for start, *_ in EXPECTED)])
    assert [line for line in [*commands(README), *OF_PAGES] if not re.match(known, line)] == []


def test_the_torch_of_readme_is_the_pinned_one():
    for library in ("torch", "torchvision"):
        pinned = re.search(rf"^{library}==(\S+)$", (ROOT / "requirements-models.lock").read_text(), re.M)[1]
        assert f"{library}=={pinned}" in README
