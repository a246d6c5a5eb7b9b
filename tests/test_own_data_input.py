"""What a reader gives the page "Your own data": files in every form, and malformed ones."""

import gzip
import re
from pathlib import Path

import pytest

from erralign import read_answers
from erralign.datasets.own.answers import noted
from erralign.datasets.own.checks import notes_on_answers

COMPLAINT = """([text, classes]) => {
    try { work.analyse({ text, classes }, () => {}); } catch (error) { return [error.isForReader, error.message]; }
    return [false, "nothing to complain about"];
}"""


# --- files ------------------------------------------------------------------------------------------------------------


CASES = re.findall(r"^(\S.*)\n    (.*)", Path(__file__).with_name("own_files.txt").read_text(), flags=re.MULTILINE)
ANIMALS = ["cat", "dog", "fox"]
SAVED = {
    "gz": lambda text: gzip.compress(text.encode()),
    "cut": lambda text: gzip.compress(text.encode())[:-12],
    "raw": lambda text: text.encode("latin-1").decode("unicode_escape").encode("latin-1"),
}
IN_BROWSER = """async (bytes) => {
    try {
        const found = table.readAnswers(await ownText(new File([new Uint8Array(bytes)], "mine.csv")), "", "mine.csv");
        const answers = found.answers.map((own) => [...own].map((id) => found.classes[id] ?? "-"));
        return { notes: found.notes, answers: Object.fromEntries(found.systems.map((name, i) => [name, answers[i]])) };
    } catch (error) { return { refused: error.message }; }
}"""


def written(case):
    """Return the file of a case as bytes."""
    saved, _, text = case.rpartition(":") if re.match(r"[\w-]+:(?!.*\":)", case) else ("utf-8", "", case)
    rows = []
    for row in text.replace("→", "\t").split("¶"):
        times, _, form = row[1:].partition(" ") if re.match(r"\*\d", row) else ("", "", row)
        rows += [filled(form, i) for i in range(int(times))] if times else [row]
    return SAVED.get(saved, lambda text: text.encode(saved))("\n".join(rows))


def filled(form, i):
    n, m = i % 3, (i + 1 + i % 2) % 3
    return form.format(i=i, n=n, m=m, t=ANIMALS[n], u=ANIMALS[m])


def in_package(path):
    try:
        found, notes = noted(read_answers, path, name=path.name)
        notes = [*notes, *notes_on_answers(found, others=False, listed=False, unread="wrong")]
    except (ValueError, TypeError) as error:
        return {"refused": str(error)}
    answers = found.answers.map(lambda id_: "-" if id_ < 0 else found.classes[id_])
    return {"notes": notes, "answers": answers.to_dict("list")}


EXPECTED = r"classes? occurs? in|gave no answer on|is always|^\w+: right less"  # notes that go without saying below


def as_expected(found, expected):
    """Say whether a file was read, or refused, as it should be."""
    said = found.get("refused") or " ".join(note for note in found["notes"] if not re.search(EXPECTED, note))
    if expected.startswith("refused: "):
        return "refused" in found and re.search(expected.removeprefix("refused: "), said)
    systems, _, note = expected.partition(" | ")
    wanted = dict(re.findall(r"(\w+)(?:: ([^;]*))?", systems))
    answers = found.get("answers", {})
    same = all(not own or own.split() == answers[name] for name, own in wanted.items() if name in answers)
    return same and list(answers) == list(wanted) and (re.search(note, said) if note else not said)


@pytest.fixture
def files(tmp_path):
    """Write one file after another, and go on with what is expected of each."""
    path = tmp_path / "mine.csv"
    return ((path, case, expected) for case, expected in CASES if path.write_bytes(written(case)))


def test_files_as_people_have_them_are_right_or_refused_by_name(files):
    found = [(case, expected, in_package(path)) for path, case, expected in files]
    assert [each for each in found if not as_expected(each[2], each[1])] == []
    assert len(found) > 75


def test_the_page_says_of_each_what_the_package_says(numerics, files):
    """The whole list at once, since a browser is asked; notes are the same word for word."""
    wrong = []
    for path, case, expected in files:
        here, there = in_package(path), numerics.evaluate(IN_BROWSER, list(path.read_bytes()))
        same = as_expected(there, expected) and here.get("notes") == there.get("notes")
        wrong += [] if same else [(case, expected, here, there)]
    assert wrong == []


def test_what_only_the_page_refuses_is_named_too(numerics):
    for text, classes, part in [
        ('trial,truth,a,b\n1,x,"y,x\n', "", "row 2"),
        ("trial,truth,a\n1,x,x\n", "", "a pair needs two"),
        ("trial,truth,a,b\n1,x,x,\ufffd\n", "", "row 2 is not text in UTF-8"),
        ("trial,truth,a,b\n1,0,0,1\n2,1,cat,1\n", "", "row 3, column 'a' holds 'cat'"),
        ("trial,truth,a,b\n1,0,0,1\n2,1,0,0.5\n", "", "row 3, column 'b' holds '0.5'"),
        ("trial,truth,a,b\n1,x,x,y\n", "1", "2 classes"),
        ("trial,truth,a,b\n1,x,x,z\n", "x, y", "row 2, column 'b' holds 'z'"),
        ("trial,truth,a,b\n1,0,1,4\n", "3", "row 2, column 'b' holds 4"),
    ]:
        is_for_reader, message = numerics.evaluate(COMPLAINT, [text, classes])
        assert is_for_reader
        assert part in message
