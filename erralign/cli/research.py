"""The commands for a reader's own research, for a teacher's folder, and the one that downloads the public data."""

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from erralign.cli.needs import told
from erralign.files import write_whole
from erralign.reports.options import Options, names, on_command_line


def _check_not_read(to: Path | None, files: Iterable[Path]) -> None:
    """Refuse to write over a file that is read."""
    if to is not None and to.resolve() in [file.resolve() for file in files]:
        raise ValueError(f"{to} is one of the files to be read, and would be overwritten; name another file")


@click.command()
@click.argument("answers", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--data", "data_set", metavar="NAME", help="Others on the same trials, such as geirhos2020/cue-conflict.")
@click.option(
    "--report",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a page: HTML, or Markdown for NAME.md.",
)
@click.option("--json", "for_programs", is_flag=True, help="Write JSON in place of the table.")
@on_command_line
def compare(
    answers: tuple[Path, ...], data_set: str | None, report: Path | None, for_programs: bool, **how: Any
) -> None:
    """Compare the systems in ANSWERS with each other, and with people and networks on the same trials.

    ANSWERS are CSV files or labels in the form of TREC, or a folder of them; or logs of lm-evaluation-harness
    (samples_*.jsonl) or Inspect (.eval, .json).
    """
    from erralign.measures import OF_REPRESENTATIONS
    from erralign.reports import as_json, as_markdown, as_text, compare_file, page
    from erralign.sources.own.answers import files_of

    answers = tuple(files_of(answers))
    _check_not_read(report, answers)
    for name in OF_REPRESENTATIONS.keys() & how["measures"]:
        raise ValueError(f"{name} compares representations: erralign similarity A.npy B.npy --measures {name}")
    with told():
        comparison = compare_file(answers, data_set, how=Options(**how))
    if report is not None:
        write = as_markdown if report.suffix == ".md" else page
        typed = shlex.join(["erralign", *click.get_current_context().obj])
        write_whole(report, write(comparison, command=typed, files=answers))
    click.echo(as_json(comparison) if for_programs else as_text(comparison))
    for note in comparison.notes:
        click.echo(f"note: {note}", err=True)
    if report is not None:
        click.echo(f"report: {report}", err=True)


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--to", default="joined.csv", show_default=True, type=click.Path(dir_okay=False, path_type=Path))
def join(files: tuple[Path, ...], to: Path) -> None:
    """Put the systems in the CSV files FILES, such as one per person, into one; trials are matched by name."""
    import numpy as np

    from erralign.sources.own.answers import read_and_note

    _check_not_read(to, files)
    joined, notes, _ = read_and_note(files)
    words = np.array([*joined.classes, "na"], dtype=object)  # -1, no answer, is the last
    table = joined.answers.apply(lambda given: words[given])
    table.insert(0, "truth", words[joined.truth])
    write_whole(to, table.to_csv())
    for note in notes:
        click.echo(f"note: {note}", err=True)
    click.echo(f"{to}: {len(table.columns) - 1} systems, {len(table):,} trials")


@click.command()
@click.argument("a", type=click.Path(path_type=Path))
@click.argument("b", type=click.Path(path_type=Path))
@click.option("--measures", type=names, metavar="NAMES", help="Abbreviations, such as CKA,RSA; default: all.")
@click.option("--json", "for_programs", is_flag=True, help="Write JSON in place of the table.")
def similarity(a: Path, b: Path, measures: tuple[str, ...] | None, for_programs: bool) -> None:
    """Compare the representations in the files A and B (.npy) with 23 measures.

    Each file holds a matrix with one row per input, the same inputs in the same order, and one column per feature.
    """
    from erralign.errors import check_features, check_same_trials
    from erralign.files import read_features
    from erralign.reports.similarities import as_json, as_text, notes_on
    from erralign.similarity import compare as compare_representations

    X, Y = (check_features(str(path), read_features(path)) for path in (a, b))
    check_same_trials(str(b), len(Y), str(a), len(X))
    values = compare_representations(X, Y, measures)
    shapes = {str(path): features.shape for path, features in ((a, X), (b, Y))}
    click.echo(as_json(values, shapes) if for_programs else as_text(values, shapes))
    for note in notes_on(values):
        click.echo(f"note: {note}", err=True)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--to", default="marks.csv", show_default=True, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--seconds", default=300.0, show_default=True, help="How long each notebook may run.")
def grade(folder: Path, to: Path, seconds: float) -> None:
    """Run the students' notebooks in FOLDER, and write a table of points and misconceptions."""
    from erralign import course

    marks = course.grade(folder, seconds=seconds)
    overwritten = ", which was there and is overwritten" * to.exists()
    write_whole(to, marks.to_csv(index=False))
    click.echo(f"{to}{overwritten}: {len(marks)} files, {marks['points'].sum()} of {marks['of'].sum()} points")


@click.command()
def fetch() -> None:
    """Download the public data, so that all works from the raw trials."""
    from erralign.sources.archives import fetch_all

    fetch_all()


COMMANDS = (compare, fetch, grade, join, similarity)
