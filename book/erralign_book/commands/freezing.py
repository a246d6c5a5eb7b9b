"""The command that recomputes the frozen results."""

from __future__ import annotations

import click

from erralign.cli.needs import with_scheduler
from erralign_book.commands.needs import must_be_checkout


@click.command()
@click.argument("names", nargs=-1)
@click.option(
    "--changed",
    is_flag=True,
    help="Only tables whose code or inputs changed; of slow ones the spot rows, and the rest where these differ.",
)
@with_scheduler
def freeze(names: tuple[str, ...], changed: bool, scheduler: str) -> None:
    """Recompute frozen results from the raw data: all, or those of NAMES, such as 'xu2024/corr*'."""
    must_be_checkout("data/frozen")
    from erralign_book.building import freezing

    (freezing.freeze_changed if changed else freezing.freeze)(names, scheduler=scheduler)
