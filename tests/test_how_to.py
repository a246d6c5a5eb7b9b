"""The how-to pages: their commands work as a reader types them."""

import json
import re
import shlex
from glob import glob

import click
import pytest
from test_chapters import HOW_TO, prose
from test_logs import mc

from erralign.cli import main
from erralign.sources.examples import my_answers

COMMAND = re.compile(r"(?:^|`)(erralign [^`\n]+)", flags=re.M)
COMMANDS = sorted({words for name in HOW_TO for words in COMMAND.findall(prose(name))})
HERE = [words for words in COMMANDS if "--data" not in words and words.split()[1] in {"compare", "plan"}]


def test_every_option_exists_and_takes_what_the_page_gives_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answers.csv").touch()
    assert {words.split()[1] for words in COMMANDS} == {"compare", "plan", "run"}
    for words in COMMANDS:
        name, command, rest = main.resolve_command(click.Context(main), shlex.split(words)[1:])
        command.make_context(name, rest)


@pytest.mark.slow
def test_what_needs_no_download_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    my_answers().to_csv("answers.csv", index=False)
    for name, said in {"a": "AABBC", "b": "ABBBC"}.items():
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in mc(said)))
    (tmp_path / "labels").mkdir()
    for name, grades in {"qrels": "012", "labels/a": "011", "labels/b": "002", "labels/c": "112"}.items():
        labels = "".join(f"q{place % 5} 0 d{place} {grades[place % 3]}\n" for place in range(30))
        (tmp_path / f"{name}.txt").write_text(labels)
    assert len(HERE) >= 3
    for words in HERE:
        typed = [each for word in shlex.split(words)[1:] for each in (sorted(glob(word)) or [word])]  # as a shell does
        assert not main(typed, standalone_mode=False)
        assert re.search("both (are )?wrong|found in .* of experiments", capsys.readouterr().out), words
