"""The command line, one file per group of commands; others may add theirs, as the book does.

A command imports what it needs when it is called: none costs more than its own work.
"""

import sys
import warnings
from functools import cache
from importlib.metadata import entry_points
from io import TextIOWrapper
from typing import Any

import click

from erralign.cli import models, research
from erralign.errors import ChapterError, DataError


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
            with warnings.catch_warnings(record=True) as given:
                return super().invoke(ctx)
        except (ValueError, TypeError, DataError, ChapterError, ImportError, OSError, MemoryError) as error:
            if ctx.params["debug"]:
                raise
            click.echo(f"erralign: {self._by_options(ctx, str(error))}", err=True)
            ctx.exit(2 if isinstance(error, ValueError | TypeError) else 1)
        finally:
            for warning in dict.fromkeys(str(each.message) for each in given):
                click.echo(f"erralign: {warning}", err=True)

    def _by_options(self, ctx: click.Context, message: str) -> str:
        """Write ``--level is 95`` where the function that was called says ``level is 95``."""
        command = self.get_command(ctx, ctx.invoked_subcommand or "")
        options = {str(option.name): option.opts[0] for option in command.params} if command else {}
        name, word, rest = message.partition(" is ")
        return f"{options.get(name, name)}{word}{rest}"

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return super().get_command(ctx, cmd_name) or _plugged_in().get(cmd_name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *_plugged_in()})


@cache
def _plugged_in() -> dict[str, click.Command]:
    """Return the commands of others, who import from here and so can't be imported before."""
    plugs = entry_points(group="erralign.commands")
    return {str(command.name): command for plug in plugs for command in plug.load()}


@click.group(cls=_OneLineErrors, commands=[*models.COMMANDS, *research.COMMANDS])
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.version_option(package_name="erralign", prog_name="erralign")
def main(debug: bool) -> None:
    """Error alignment: the book and its data."""
