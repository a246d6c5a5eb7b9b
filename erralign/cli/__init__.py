"""The command line: a reader's own research, the public data; `models` runs networks.

Others may add commands, as the book does. A command imports what it needs when it is called: none costs more than its
own work.
"""

import logging
import shlex
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import fields
from functools import cache, partial
from importlib.metadata import entry_points
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import click

from erralign._validation import ChapterError, DataError, check_choice
from erralign.cli.models import run_models, write_features
from erralign.cli.telling import log_to_stderr
from erralign.cli.words import classes, names
from erralign.files import for_spreadsheets, write_whole
from erralign.reports.options import OF_FILES, Options

# What the book adds; its code is not in the library's wheel.
_OF_THE_BOOK = {"book", "course", "slides", "lint", "check", "test", "freeze", "reproduce", "board", "benchmarks"}
_OF_THE_BOOK |= {"manifest"}

# ---- options that Python has too -------------------------------------------------------------------------------------


def _number_or_column(text: str) -> int | str:
    """Take a word as a number where it is one."""
    return int(text) if text.isdecimal() else text


_TYPES: dict[str, Callable[[str], Any]] = {
    "NAMES": names,
    "CLASSES": classes,
    "K": _number_or_column,
    "X": float,
    "N": int,
}


def _on_command_line(command: Callable[..., Any], only: Sequence[str] = ()) -> Callable[..., Any]:
    """Let a command take all options of a comparison, or only some."""
    declared = [field for field in fields(Options) if field.metadata and (not only or field.name in only)]
    for field in reversed(declared):
        flag, _, metavar = field.metadata["flag"].partition(" ")
        how: dict[str, Any] = {"default": field.default, "help": field.metadata["help"]}
        how["show_default"] = field.default not in (None, (), "", False)
        if not metavar:
            how["is_flag"] = True
        elif field.default == ():
            how |= {"metavar": metavar, "multiple": True}
        else:
            how |= {"metavar": metavar, "type": _TYPES.get(metavar)}
        command = click.option(flag, field.name, **how)(command)
    return command


@click.command()
@click.option("--ec", type=float, required=True, help="The error consistency that you expect.")
@click.option("--accuracy-a", type=float, help="Of two systems: the accuracy of the one, from 0 to 1.")
@click.option("--accuracy-b", type=float, help="The accuracy of the other.")
@click.option("--width", type=float, help="How wide the 95 % interval of EC, and of MA, may be on average.")
@click.option("--power", type=float, help="How often a difference should be found, such as .8.")
@click.option("--ma", type=float, help="The misclassification agreement that you expect.")
@click.option("--options", type=click.IntRange(3), default=4, show_default=True, help="How many answers, for MA.")
@click.option("--people", type=int, help="With people: how many answer all pictures.")
@click.option("--pictures", type=int, help="How many pictures.")
@click.option("--systems", type=int, default=2, show_default=True, help="How many systems are compared.")
@click.option("--accuracy", type=float, help="The accuracy of people and of systems.")
@click.option("--accuracy-of-systems", type=float, help="The accuracy of systems, where it is another.")
@click.option("--difference", type=float, help="How much less a system has with people: of EC, with --ma of MA.")
@click.option("--ec-with-self", type=float, help="The EC of a person with the same person, shown a picture again.")
def plan(**asked: Any) -> None:
    """Say how many trials an experiment needs, or how often one with people finds a difference.

    With --people, --pictures, --accuracy and --difference: people and systems answer the same pictures, --ec is that
    of people with each other and of system A with people, and system B has --difference less.
    """
    with_people = asked["people"] is not None
    needed = ["accuracy_a", "accuracy_b"]
    if with_people:
        needed = ["pictures", "accuracy", "difference"]
    if lacking := [f"--{name.replace('_', '-')}" for name in needed if asked[name] is None]:
        raise click.UsageError(f"give {', '.join(lacking)} too (two systems need accuracies, people need --people)")
    lines = _with_people if with_people else _of_two
    for line in lines(**asked):
        click.echo(line)


def _of_two(ec: float, accuracy_a: float, accuracy_b: float, **asked: Any) -> Iterator[str]:
    from erralign import planning

    expected, width, power, ma = (ec, accuracy_a, accuracy_b), asked["width"], asked["power"], asked["ma"]
    if width is None and power is None:
        raise click.UsageError("give --width for an interval, --power for a difference of the accuracies, or both")
    joint = planning.expected_table(*expected)[0, 0]
    if width is not None:
        n_trials = planning.trials_needed(*expected, width)
        yield f"{n_trials:,} trials, on about {n_trials * joint:,.0f} of which both are wrong"
    if width is not None and ma is not None:
        n_errors = planning.joint_errors_needed(ma, [1] * (asked["options"] - 1), width)
        yield f"{n_errors / joint:,.0f} trials for MA, on about {n_errors:,} of which both are wrong"
    if power is not None:
        yield f"{planning.trials_needed_for_difference(*expected, power):,} trials to find a difference"


def _with_people(people: int, pictures: int, power: float | None, options: int, **asked: Any) -> Iterator[str]:
    from erralign.planning import power_with_people

    names = ("accuracy", "accuracy_of_systems", "ec", "difference", "systems", "ma", "ec_with_self")
    world = {name: asked[name] for name in names} | {"n_options": options, "power": power or 0.8}
    numbers = [max(people // 2, 2), people, 2 * people], [pictures // 2, pictures, 2 * pictures]
    around = power_with_people(*numbers, **world)
    if "A less B" not in set(around["comparison"]):
        yield f"with an accuracy of {world['accuracy_of_systems']} no system A can agree with people as they do"
    twice = power_with_people(people, pictures, repetitions=2, **world)
    measure = "EC" if asked["ma"] is None else "MA"
    most = " (at most: give --ec-with-self)" if asked["ec_with_self"] is None else ""
    for comparison, powers in around.groupby("comparison", sort=False):
        grid: Any = powers.pivot_table(index="pictures", columns="people", values="power")
        here = powers.query("people == @people and pictures == @pictures").iloc[0]
        again = twice.set_index("comparison").loc[comparison]
        yield f"{comparison!s}, a difference of {asked['difference']} in mean {measure}"
        yield f"  interval {here['width']:.3f} wide, found in {here['power']:.0%} of experiments"
        yield f"  {here['pictures_needed']:,} pictures to find it in {world['power']:.0%}"
        yield "  found, by pictures (rows) and people (columns):"
        yield from ("    " + line for line in grid.to_string(float_format="{:.0%}".format).splitlines() if line.strip())
        more_pictures, more_people = grid.loc[2 * pictures, people], grid.loc[pictures, 2 * people]
        bought = f"twice the pictures {more_pictures:.0%}, twice the people {more_people:.0%}"
        yield f"  {bought}, each picture twice {again['power']:.0%}{most}"


# ---- for research ---------------------------------------------------------------------------------------------------


_PATH = click.Path(path_type=Path)
_WRITTEN = click.Path(dir_okay=False, allow_dash=True, path_type=Path)


@click.command()
@click.argument("answers", nargs=-1, required=True, type=_PATH)
@click.option("--data", "data_set", metavar="NAME", help="Others on the same trials, such as geirhos2020/cue-conflict.")
@click.option("--report", type=_WRITTEN, help="Write a page: HTML, or Markdown for NAME.md.")
@click.option("--json", "for_programs", is_flag=True, help="Write JSON in place of the table.")
@_on_command_line
def compare(
    answers: tuple[Path, ...], data_set: str | None, report: Path | None, for_programs: bool, **how: Any
) -> None:
    """Compare the systems in ANSWERS with each other, and with people and networks on the same trials.

    ANSWERS are tables (CSV, TSV, JSONL; with the extra `files` XLSX and Parquet), or a folder of them; or logs of
    lm-evaluation-harness (samples_*.jsonl) or Inspect (.eval, .json).
    """
    from erralign.datasets.answers import files_of
    from erralign.datasets.logs import log_files
    from erralign.measures import OF_REPRESENTATIONS
    from erralign.reports import as_json, as_markdown, as_text, compare_file, page

    with log_to_stderr():
        files = log_files(answers) or files_of(answers, besides=report)
        _check_one_protocol(files)
        for name in OF_REPRESENTATIONS.keys() & how["measures"]:
            raise ValueError(f"{name} compares representations: erralign similarity A.npy B.npy --measures {name}")
        if report is not None:
            check_choice("the ending of --report", report.suffix, [".html", ".md"])
        with redirect_stdout(sys.stderr):  # where it is said what was taken of the files
            comparison = compare_file(files, data_set, how=Options(**how))
        as_asked = as_json if for_programs else as_text
        click.echo(as_asked(comparison))
        if report is not None:
            write = as_markdown if report.suffix == ".md" else page
            typed = shlex.join(["erralign", *click.get_current_context().obj])
            write_whole(report, write(comparison, command=typed, files=files))
    for note in comparison.notes:
        click.echo(f"note: {note}", err=True)
    if report is not None:
        click.echo(f"report: {report}", err=True)


# How a sitting of the experiment was asked, as its file says it.
_ASKED = {"asked_ms": "picture", "asked_mask_ms": "noise", "limit_ms": "time to answer"}
_LONGEST_HEADER = 10_000  # bytes of the first line that are looked at: a log may be one line


def _is_sitting(file: Path) -> bool:
    if not file.is_file():
        return False
    with file.open("rb") as lines:
        return b"asked_ms" in lines.readline(_LONGEST_HEADER)


def _check_one_protocol(files: Iterable[Path]) -> None:
    """Refuse files of sittings that were asked in several ways; other files say nothing of it."""
    from erralign.datasets.tables import read_table

    ways: dict[str, list[str]] = {}
    for file in filter(_is_sitting, files):
        table = read_table(file)
        if _ASKED.keys() <= set(table):
            asked = ", ".join(f"{words} {table[name].iloc[0] or 'any'}" for name, words in _ASKED.items())
            ways.setdefault(f"{asked} (ms)", []).append(file.name)
    if len(ways) > 1:
        named = "; ".join(f"{way}: {', '.join(names)}" for way, names in ways.items())
        raise ValueError(f"these sittings were asked in {len(ways)} ways; take those of one way. {named}")


@click.command()
@click.argument("files", nargs=-1, required=True, type=_PATH)
@click.option("--to", default="joined.csv", show_default=True, type=_WRITTEN, help="A file, or - for the screen.")
@partial(_on_command_line, only=OF_FILES)  # which messages about files name
def join(files: tuple[Path, ...], to: Path, **how: Any) -> None:
    """Put the systems in the tables FILES, such as one per person, into one; trials are matched by name.

    In it, na means that a system gave no answer, and unseen that it was not shown the trial.
    """
    from erralign.datasets.answers import files_of, read_answers

    tables = files_of(files, besides=to)
    _check_one_protocol(tables)
    with redirect_stdout(sys.stderr):
        joined = read_answers(tables, **Options(**how).of_files())
    words = dict(enumerate(joined.classes)) | {-1: "na"}
    if taken := {"na", "unseen"} & set(joined.classes):
        raise ValueError(f"a class is called {min(taken)!r}, which means no answer in the joined table; rename it")
    table = joined.answers.apply(lambda ids: ids.map(words).astype(object).where(ids.notna(), "unseen"))
    table.insert(0, "truth", joined.truth.map(words))
    text = for_spreadsheets(table.reset_index()).to_csv(index=False)
    if str(to) == "-":
        click.echo(text, nl=False)
    else:
        write_whole(to, text)
    click.echo(f"{to}: {len(table.columns) - 1} systems, {len(table):,} trials", err=str(to) == "-")


@click.command()
@click.argument("a", type=_PATH)
@click.argument("b", type=_PATH)
@click.option("--measures", type=names, metavar="NAMES", help="Abbreviations, such as CKA,RSA; default: all.")
@click.option("--json", "for_programs", is_flag=True, help="Write JSON in place of the table.")
def similarity(a: Path, b: Path, measures: tuple[str, ...] | None, for_programs: bool) -> None:
    """Compare the representations in A and B with 23 measures: .npy files, or .npz as `erralign features` writes them.

    Each holds a matrix with one row per input, the same inputs in the same order, and one column per feature. Rows of
    .npz files are matched by their ids; of several networks in one, features.npz:NAME is one.
    Beside each value stands what it is when the rows of B are put into random order: median, lowest, highest of 39.
    """
    from erralign._validation import check_features, check_same_trials
    from erralign.datasets.features import rows_by_id
    from erralign.files import read_features_with_ids
    from erralign.reports.similarities import as_json, as_text, notes_on, values_beside_chance
    from erralign.similarity.prepared import Prepared

    (x, ids_x), (y, ids_y) = (read_features_with_ids(path) for path in (a, b))
    X, Y = check_features(str(a), x), check_features(str(b), y)
    check_same_trials(str(b), len(Y), str(a), len(X))
    if ids_x is not None and ids_y is not None:
        Y = Y[rows_by_id(ids_x, ids_y, str(a), str(b))]
    values = values_beside_chance(Prepared(X), Prepared(Y), measures)
    shapes = {str(path): features.shape for path, features in ((a, X), (b, Y))}
    as_asked = as_json if for_programs else as_text
    click.echo(as_asked(values, shapes))
    for note in notes_on(values):
        click.echo(f"note: {note}", err=True)


@click.command()
@click.argument("paper", default="")
def catalog(paper: str) -> None:
    """List the public data sets that --data and `erralign.load` know: all of them, or those of PAPER."""
    from erralign.datasets import catalog as catalogue

    listed = catalogue(paper)[["name", "trials", "people", "models", "classes"]]
    width = listed["name"].str.len().max()
    listed["name"] = listed["name"].str.ljust(width)
    click.echo(listed.rename(columns={"name": "name".ljust(width)}).to_string(index=False))


@click.command()
def fetch() -> None:
    """Download the public data, so that all works from the raw trials."""
    from erralign.datasets.archives import fetch_all

    fetch_all()


# ---- all of them -----------------------------------------------------------------------------------------------------


class _OneLineErrors(click.Group):
    """Print an error in one line: status 2 for wrong use, 1 for a failure; ``--debug`` shows the traceback.

    A warning is one line too, once.
    """

    def main(self, *args: Any, **more: Any) -> Any:
        for stream in (sys.stdout, sys.stderr):  # where Windows redirects, its code page knows no minus sign
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(encoding="utf-8", errors="replace")
        return super().main(*args, **more)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.obj = list(args)  # what was typed, which a report repeats
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with warnings.catch_warnings(record=True) as raised:
                return super().invoke(ctx)
        except (ValueError, TypeError, DataError, ChapterError, ImportError, OSError, MemoryError) as error:
            if ctx.params["debug"]:
                raise
            message = str(error) or f"{type(error).__name__}, without a word; with --debug, its traceback"
            if isinstance(error, MemoryError):
                message = f"this needs more memory than there is: {error}".rstrip(": ")
            click.echo(f"erralign: {self._by_options(ctx, message)}", err=True)
            ctx.exit(2 if isinstance(error, ValueError | TypeError) else 1)
        finally:
            for message in dict.fromkeys(str(warning.message) for warning in raised):
                click.echo(f"note: {message}", err=True)

    def _by_options(self, ctx: click.Context, message: str) -> str:
        """Write ``--level is 95`` where the function that was called says ``level is 95``."""
        command = self.get_command(ctx, ctx.invoked_subcommand or "")
        options = {}
        if command is not None:
            options = {str(option.name): option.opts[0] for option in command.params}
        name, word, rest = message.partition(" is ")
        return f"{options.get(name, name)}{word}{rest}"

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        command = super().get_command(ctx, cmd_name) or _plugged_in().get(cmd_name)
        if command is None and cmd_name in _OF_THE_BOOK:
            raise ValueError(
                f"{cmd_name} is a command of the book, and only the library is installed here; in a clone of the "
                f"repository,  make env  installs both, and  .venv/bin/python -m erralign {cmd_name}  does it"
            )
        return command

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *_plugged_in()})


@cache
def _plugged_in() -> dict[str, click.Command]:
    """Return the commands of others, who import from here and so can't be imported before."""
    plugs = entry_points(group="erralign.commands")
    return {str(command.name): command for plug in plugs for command in plug.load()}


@click.group(cls=_OneLineErrors, commands=[catalog, compare, write_features, fetch, join, plan, run_models, similarity])
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.version_option(package_name="erralign", prog_name="erralign")
def main(debug: bool) -> None:
    """Error alignment: the book and its data."""
