"""What several commands take: the address of other machines."""

from collections.abc import Callable
from typing import Any

import click


def with_scheduler(command: Callable[..., Any]) -> Callable[..., Any]:
    """Let a command take ``--scheduler``, and ``--cluster``, as it was called before."""
    words = "Of a Dask scheduler, such as tcp://scheduler:8786, whose workers do the work."
    scheduler = click.option("--scheduler", default="", metavar="ADDRESS", help=words)
    for_now = click.option("--cluster", hidden=True, expose_value=False, callback=_by_its_old_name)
    return for_now(scheduler(command))


def _by_its_old_name(context: click.Context, _: click.Parameter, address: str | None) -> None:
    if address is not None:
        click.echo("note: --cluster is now --scheduler; the old name goes with the next release", err=True)
        context.default_map = {**(context.default_map or {}), "scheduler": address}
