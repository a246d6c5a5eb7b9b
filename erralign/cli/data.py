"""The commands of the data road: download the archives, recompute the frozen results."""

from __future__ import annotations

import click

from erralign.cli.needs import must_be_checkout


@click.command()
def fetch() -> None:
    """Download the public data, so that all works from the raw trials."""
    from erralign.sources.archives import fetch_all

    fetch_all()


@click.command()
@click.argument("names", nargs=-1)
def freeze(names: tuple[str, ...]) -> None:
    """Recompute frozen results from the raw data: all, or those of NAMES, such as 'xu2024/corr*'."""
    must_be_checkout("data/frozen")
    from erralign.publishing.freezing import freeze as freeze_tables

    freeze_tables(names)


COMMANDS = (fetch, freeze)
