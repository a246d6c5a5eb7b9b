"""The commands of the data road: download the archives, recompute the frozen results."""

from __future__ import annotations

import click

from erralign.cli.needs import must_be_checkout, on_cluster


@click.command()
def fetch() -> None:
    """Download the public data, so that all works from the raw trials."""
    from erralign.sources.archives import fetch_all

    fetch_all()


@click.command()
@click.argument("names", nargs=-1)
@click.option(
    "--changed",
    is_flag=True,
    help="Only tables whose code or inputs changed; of slow ones the spot rows, and the rest where these differ.",
)
@on_cluster
def freeze(names: tuple[str, ...], changed: bool, cluster: str) -> None:
    """Recompute frozen results from the raw data: all, or those of NAMES, such as 'xu2024/corr*'."""
    must_be_checkout("data/frozen")
    from erralign.publishing import freezing

    (freezing.freeze_changed if changed else freezing.freeze)(names, cluster=cluster)


COMMANDS = (fetch, freeze)
