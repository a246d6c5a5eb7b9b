"""Files of answers: the command and the page "Your own data" make the same of each (files_of_answers.py)."""

import re
import subprocess
import sys

import pandas as pd
import pytest
from files_of_answers import FILES, NAMES, ON_PAGE, TRUTH, A, B

import erralign

IN_BROWSER = """async ([bytes, name, named]) => {
    try {
        const trials = read(await ownText(new File([new Uint8Array(bytes)], name)), named);
        const { systems, pairs } = work.analyse(trials);
        const accuracies = Object.fromEntries(systems.map(({ name, accuracy }) => [name, accuracy[0]]));
        return { accuracies, consistency: pairs[0].EC[0], people: systems.filter(({ isPerson }) => isPerson).length };
    } catch (error) { return { refused: error.message }; }
}"""


def on_page(numerics, content, name="mine.csv", **arguments):
    """Return what the page makes of a file, whose columns are named as in Python."""
    raw = content.encode() if isinstance(content, str) else content
    named = {ON_PAGE.get(argument, argument): words for argument, words in arguments.items()}
    return numerics.evaluate(IN_BROWSER, [list(raw), name, named])


def check(file, found):
    """Compare what was made of a file with what was expected."""
    if file.refused:
        assert re.search(file.refused, found.get("refused", "read"), re.DOTALL)
    else:
        assert found.get("refused") is None
        assert found["accuracies"] == pytest.approx(file.accuracies, abs=1e-12)
        assert found["consistency"] == pytest.approx(file.consistency, abs=1e-12)
        assert found["people"] == len(file.arguments.get("person", ()))


@pytest.mark.parametrize("name", FILES)
def test_python_reads_or_refuses_each_file(name, tmp_path):
    file, path = FILES[name], tmp_path / "mine.csv"
    path.write_bytes(file.content.encode() if isinstance(file.content, str) else file.content)
    try:
        answers = erralign.read_answers(path, **file.arguments)
    except ValueError as error:  # DataError is one
        found = {"refused": str(error)}
    else:
        found = {
            "accuracies": erralign.accuracy_intervals(answers)["accuracy"].to_dict(),
            "consistency": erralign.pairwise(answers)["EC"][0],
            "people": (answers.systems["kind"] == "human").sum(),
        }
    check(file, found)


@pytest.mark.parametrize("name", FILES)
def test_the_page_makes_the_same_of_it(numerics, name):
    check(FILES[name], on_page(numerics, FILES[name].content, **FILES[name].arguments))


@pytest.mark.parametrize(("kind", "writer"), [("xlsx", "openpyxl"), ("parquet", "pyarrow")])
def test_the_command_that_the_page_prints_makes_a_file_that_it_reads(numerics, tmp_path, kind, writer):
    """The classes NA and 001 stay what they are."""
    pytest.importorskip(writer, reason=f"{kind} is written with {writer}")
    words = {"cat": "NA", "dog": "001", "fox": "1,000"}
    coded = ([words[word] for word in answers] for answers in (TRUTH, A, B))
    table = pd.DataFrame(dict(zip(("image", "truth", "a", "b"), (NAMES, *coded), strict=True)))
    path = tmp_path / f"mine.{kind}"
    if kind == "xlsx":
        table.to_excel(path, index=False)
    else:
        table.to_parquet(path, index=False)
    refused = on_page(numerics, path.read_bytes(), path.name)["refused"]
    command = refused.split(":  ")[1].replace("python", sys.executable, 1)
    subprocess.run(command, shell=True, check=True, cwd=tmp_path)
    check(FILES["commas"], on_page(numerics, (tmp_path / "mine.csv").read_bytes()))
