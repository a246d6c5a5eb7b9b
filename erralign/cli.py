"""The command line: every word of the Makefile, for machines without make too."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from erralign.errors import DataError


class _OneLineErrors(click.Group):
    """Print an error in one line: status 2 for wrong use, 1 for a failure; ``--debug`` shows the traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        from erralign.publishing.chapters import ChapterError

        try:
            return super().invoke(ctx)
        except (ValueError, TypeError, DataError, ChapterError, OSError) as error:
            if ctx.params["debug"]:
                raise
            click.echo(f"erralign: {error}", err=True)
            ctx.exit(2 if isinstance(error, ValueError | TypeError) else 1)


@click.group(cls=_OneLineErrors)
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def main(debug: bool) -> None:
    """Error alignment: the book and its data."""


@main.command()
def fetch() -> None:
    """Download the public data, so that all works from the raw trials."""
    from erralign.sources.archives import fetch_all

    fetch_all()


@main.command()
def freeze() -> None:
    """Recompute every frozen result from the raw data."""
    from erralign.reproduction.frozen import freeze as freeze_all

    freeze_all(jobs=2)


@main.command()
@click.option(
    "--params",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="YAML file, chapter -> {parameter: value}: execute just these chapters, with these values.",
)
def book(params: Path | None) -> None:
    """Execute the chapters and render the site into _build/html."""
    _must_be_checkout("_toc.yml")
    if params is not None:
        return _book_with_parameters(params)
    from doit.doit_cmd import DoitMain

    status = DoitMain().run(["run"])
    if status == 0:
        click.echo(f"the book: {Path('_build/html/index.html').resolve()}")
    sys.exit(min(status, 1))


def _book_with_parameters(params: Path) -> None:
    import yaml

    from erralign.publishing.chapters import execute_with_parameters

    try:
        requests = yaml.safe_load(params.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise ValueError(f"{params} is not YAML: {' '.join(str(error).split())}") from error
    for notebook in execute_with_parameters(requests):
        click.echo(notebook)


@main.command(context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def test(arguments: tuple[str, ...]) -> None:
    """Run the tests; ARGUMENTS go to pytest."""
    _must_be_checkout("tests")
    sys.exit(subprocess.call([sys.executable, "-m", "pytest", *arguments]))


@main.command()
def benchmarks() -> None:
    """Measure our speed beside what a user would write."""
    _must_be_checkout("benchmarks/run.py")
    sys.exit(subprocess.call([sys.executable, "benchmarks/run.py"]))


@main.command()
@click.option("--ec", type=float, required=True, help="The error consistency that you expect.")
@click.option("--accuracy-a", type=float, required=True, help="The accuracy of the one system, from 0 to 1.")
@click.option("--accuracy-b", type=float, required=True, help="The accuracy of the other.")
@click.option("--width", type=float, required=True, help="How wide the 95 % interval may be on average.")
def plan(ec: float, accuracy_a: float, accuracy_b: float, width: float) -> None:
    """Say how many trials an experiment needs."""
    from erralign.planning import expected_table, trials_needed

    n_trials = trials_needed(ec, accuracy_a, accuracy_b, width)
    joint = n_trials * expected_table(ec, accuracy_a, accuracy_b)[0, 0]
    click.echo(f"{n_trials:,} trials, on about {joint:,.0f} of which both are wrong")


@main.command()
@click.option("--port", default=8000, show_default=True)
def serve(port: int) -> None:
    """Show the built site in a browser on this machine."""
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

    site = Path("_build/html")
    if not site.is_dir():
        raise FileNotFoundError("there is no site in _build/html yet: build it with  python -m erralign book")
    handler: Callable = partial(SimpleHTTPRequestHandler, directory=site)
    click.echo(f"http://localhost:{port}  (stop with Ctrl-C)")
    with ThreadingHTTPServer(("localhost", port), handler) as server:
        server.serve_forever()


def _must_be_checkout(needed: str) -> None:
    if not Path(needed).exists():
        raise ValueError(f"there is no {needed} in {Path.cwd()}: call this in the folder of the book's repository")
