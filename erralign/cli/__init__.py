"""The command line, one file per group of commands; others may add theirs, as the book does.

A command imports what it needs when it is called: none costs more than its own work.
"""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Any

import click

from erralign.cli import data, models, research
from erralign.errors import ChapterError, DataError


class _OneLineErrors(click.Group):
    """Print an error in one line: status 2 for wrong use, 1 for a failure; ``--debug`` shows the traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (ValueError, TypeError, DataError, ChapterError, ImportError, OSError, MemoryError) as error:
            if ctx.params["debug"]:
                raise
            click.echo(f"erralign: {error}", err=True)
            ctx.exit(2 if isinstance(error, ValueError | TypeError) else 1)


@click.group(cls=_OneLineErrors)
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.version_option(package_name="erralign", prog_name="erralign")
def main(debug: bool) -> None:
    """Error alignment: the book and its data."""


_PLUGGED_IN = [command for plug in entry_points(group="erralign.commands") for command in plug.load()]
for _command in (*data.COMMANDS, *models.COMMANDS, *research.COMMANDS, *_PLUGGED_IN):
    main.add_command(_command)
