"""The book's commands, a plug-in of the library's command line; they work in the book's repository."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import distributions, requires
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import click
from packaging.requirements import Requirement

from erralign.cli.models import with_scheduler
from erralign.cli.telling import log_to_stderr


@click.command()
@click.option("--page", metavar="NAME", help="Only this page, such as error-consistency, into _build/page.")
@click.option(
    "--with",
    "answers",
    type=click.Path(exists=True, path_type=Path),
    help="CSV file with your model's answers to a data set, or a folder with one for each, as `run --data all` writes "
    "it: a site of its own, with your model on each page that can show it, and a first page about it.",
)
@click.option(
    "--model",
    metavar="MODEL",
    help="A model, as the page *Your model beside people* takes it, is run on all public pictures; then as --with, or "
    "with --page only this page.",
)
@click.option("--device", default="", metavar="NAME", help="Where MODEL runs; default: the fastest that is there.")
@click.option("--data", metavar="NAME", help="The data set that a single file answers, if its name does not say.")
@click.option("--subset", is_flag=True, help="The file may lack pictures: all are compared on those that it has.")
@click.option("--person", is_flag=True, help="The answers are a person's, such as your own.")
def book(
    page: str | None,
    answers: Path | None,
    model: str | None,
    device: str,
    data: str | None,
    subset: bool,
    person: bool,
) -> None:
    """Execute the chapters and render the site into _build/html."""
    must_have("_toc.yml", "book")
    from erralign._validation import check_choice
    from erralign_book.building import chapters, pages

    if page is not None:
        check_choice("--page", page, chapters.names())
    if model is not None:
        if answers is not None:
            raise ValueError("--model and --with both say whose answers are shown; give one of them")
        answers = _answers_of(model, device)
    if page is not None and answers is not None:
        from erralign_book.building import guests

        place = guests.prepare(answers, data, subset=subset, person=person)
        click.echo(f"the page: {guests.render_page(place, page, model or '').resolve()}")
    elif page is not None:
        _doit(*(f"chapter:{name}" for name in pages.beside(page)))
        click.echo(f"the page: {pages.render_page(page).resolve()}")
    elif answers is not None:
        from erralign_book.building import guests

        place = guests.prepare(answers, data, subset=subset, person=person)  # refused before anything is executed
        # A notebook that is there is shown as it is: it is about the book, and only its cells about guests run.
        missing = [name for name in chapters.names() if not (pages.BOOK / f"{name}.ipynb").is_file()]
        if missing:
            _doit(*(f"chapter:{name}" for name in missing))
        click.echo("your answers are put into the pages that they touch, then all pages are laid out", err=True)
        click.echo(f"with your model: {guests.render(place, model or '').resolve()}")
    elif data is not None:
        raise ValueError(f"--data is {data}, without answers; expected a file of them, too: add  --with answers.csv")
    else:
        _doit()
        click.echo(f"the book: {pages.SITE.resolve() / 'index.html'}")


def _answers_of(model: str, device: str) -> Path:
    """Run a model on all public pictures that are here, and return the folder of what it says."""
    from erralign.models import answer_all, load
    from erralign.models.libraries import check_installed
    from erralign_book.building.guests import FOLDER

    check_installed()
    with log_to_stderr():
        loaded = load(model, device=device)
        place = FOLDER / "of-models" / loaded.name.replace("/", "-")
        shutil.rmtree(place, ignore_errors=True)
        return answer_all(loaded, place)


def _doit(*tasks: str) -> None:
    """Do what has changed since the last time; leave where it fails."""
    from doit.doit_cmd import DoitMain

    from erralign_book.cells import BUILD

    os.environ[BUILD] = "1"
    failed = DoitMain().run(["run", *tasks])
    del os.environ[BUILD]
    if failed:
        sys.exit(1)


@click.command()
@click.option("--seed", help="A secret that you keep: it draws the exam and the numbers of hidden tests.")
def course(seed: str | None) -> None:
    """Make what is handed out: notebooks, a course for nbgrader, and the teacher's handbook."""
    must_have("_toc.yml", "book")
    from erralign_book.building.assignments import NBGRADER
    from erralign_book.building.course import STUDENTS, TEACHERS
    from erralign_book.building.homework import SEED

    if seed:
        os.environ[SEED] = seed
    _doit("course", "homework")
    folders = {"for students": STUDENTS, "for teachers": TEACHERS, "for nbgrader": NBGRADER}
    for whom, folder in folders.items():
        click.echo(f"{whom}: {folder.resolve()}")


@click.command()
def slides() -> None:
    """Make the slides of the lessons, which need a browser and no network."""
    must_have("_toc.yml", "book")
    from erralign_book.building.slides import SLIDES

    _doit("slides")
    click.echo(f"slides: {SLIDES.resolve()}")


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def test(arguments: tuple[str, ...]) -> None:
    """Run the tests of what changed (with --all: all), one process per core; ARGUMENTS go to pytest."""
    sys.exit(_test(arguments))


@click.command()
def lint() -> None:
    """Run ruff, codespell, mypy and the linters of the workflows on all files."""
    sys.exit(_lint().wait())


@click.command()
def check() -> None:
    """Run lint, types and the fast tests, side by side: most of a linter's time is one process's."""
    with TemporaryFile("w+", encoding="utf-8") as output:
        linting = _lint(output)
        failed = _test(["-m", "not slow"])
        wrong = linting.wait()
        output.seek(0)
        click.echo(output.read())
    sys.exit(wrong or failed)


def _test(arguments: Sequence[str]) -> int:
    must_have("tests", "test")
    return subprocess.call([sys.executable, "-m", "pytest", "-n", "logical", *arguments])


def _lint(output: IO[str] | None = None) -> subprocess.Popen:
    must_have(".pre-commit-config.yaml", "lint")
    # The tools lie beside this Python, whether or not its environment is activated.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    command = [sys.executable, "-m", "pre_commit", "run", "--all-files"]
    return subprocess.Popen(command, stdout=output, stderr=output, env=os.environ | {"PATH": path})


@click.command()
@click.option(
    "--models", is_flag=True, help="Pictures per second of networks, in at most three minutes; prints a table."
)
def benchmarks(models: bool) -> None:
    """Measure our speed beside what a user would write."""
    script, extra = "benchmarks/run.py", "benchmarks"
    if models:
        script, extra = "benchmarks/networks.py", "models"
    must_have(script, extra)
    sys.exit(subprocess.call([sys.executable, script]))


@click.command()
@click.argument("names", nargs=-1)
@click.option(
    "--changed",
    is_flag=True,
    help="Only tables whose code or inputs changed; of slow ones the spot rows, and the rest where these differ.",
)
@with_scheduler
def freeze(names: tuple[str, ...], changed: bool, scheduler: str) -> None:
    """Recompute frozen results from the raw data: all, or those of NAMES, such as 'xu2024/corr*' or a page's."""
    must_have("data/frozen")
    from erralign_book.building import freezing

    if not names or freezing.chosen(names):
        with log_to_stderr():
            freezing.freeze(names, changed=changed, scheduler=scheduler)
    for page in freezing.pages(names):
        click.echo(f"freezing what the cells of {page} compute")
        freezing.freeze_page(page)


@click.command()
@click.argument("papers", nargs=-1)
@click.option("--whole", is_flag=True, help="Compute slow tables as a whole (hours), not only some of their settings.")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Also write the list as CSV.")
def reproduce(papers: tuple[str, ...], whole: bool, output: Path | None) -> None:
    """Compute the results of PAPERS (default: all) from the raw data, and say which come out as they are stored."""
    must_have("data/frozen", "book")
    import pandas as pd

    from erralign._validation import check_choices
    from erralign_book.building import reproducing

    check_choices("PAPERS", papers, reproducing.parts())
    rows = []
    for row in reproducing.reproduce(papers or reproducing.parts(), whole=whole):
        rows.append(row)
        click.echo(", ".join(f"{name} {value}" for name, value in row.items()))
    if output:
        pd.DataFrame(rows).to_csv(output, index=False)
    if any(row[reproducing.DIFFERENT] for row in rows):
        sys.exit(1)


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
def check_board(files: tuple[Path, ...]) -> None:
    """Say whether the board accepts FILES, such as board/geirhos2020/cue-conflict/resnet50.csv; default: all."""
    must_have("board", "book")
    from erralign_book.papers.board import files as all_files
    from erralign_book.papers.board import refusals

    root = Path("board")
    reasons = refusals(files or all_files(root), root)
    for file, why in reasons.items():
        verdict = "accepted"
        if why:
            verdict = f"refused: {why}"
        click.echo(f"{file}: {verdict}")
    if any(reasons.values()):
        sys.exit(1)


@click.command()
@click.argument("archive", metavar="OWNER/NAME@COMMIT")
@click.argument("members", metavar="FILES", nargs=-1, required=True)
@click.option("--licence", required=True, metavar="TEXT", help="Of the files, and where it says so: 'MIT (LICENSE)'.")
def manifest(archive: str, members: tuple[str, ...], licence: str) -> None:
    """Enter FILES of a public archive, such as 'data/*.csv', into data/manifest.json: size and SHA-256."""
    must_have("_toc.yml", "book")
    from erralign_book.building.archive_lists import enter

    click.echo("\n".join(enter(archive, members, licence)))


OF_THE_BOARD = "Look after the board: the answers of systems that others hand in, in board/."
board = click.Group("board", commands={"check": check_board}, help=OF_THE_BOARD)


COMMANDS = (book, course, slides, lint, check, test, freeze, reproduce, board, benchmarks, manifest)

for _command in COMMANDS:
    _command.hidden = not Path("_toc.yml").is_file() and _command not in (book, course)  # others name these


# ---- what a command needs around it: the repository's folder, an extra of the package ------------------------------


def must_have(needed: str, extra: str = "") -> None:
    """Say so when a command is not called in the book's repository, or an extra of the package is not installed."""
    if not Path(needed).exists():
        raise ValueError(f"there is no {needed} in {Path.cwd()}: call this in the folder of the book's repository")
    wanted = [Requirement(line) for line in requires("erralign") or ()] if extra else []
    names = [package.name for package in wanted if package.marker and package.marker.evaluate({"extra": extra})]
    missing = [name for name in names if not any(distributions(name=name))]
    if missing:
        raise ModuleNotFoundError(
            f"this command needs the extra {extra!r} (not installed: {', '.join(missing)}); "
            f"get it, in the repository's folder, with  pip install -e '.[{extra}]'"
        )
