"""The command of the data road: download the archives."""

from __future__ import annotations

import click


@click.command()
def fetch() -> None:
    """Download the public data, so that all works from the raw trials."""
    from erralign.sources.archives import fetch_all

    fetch_all()


COMMANDS = (fetch,)
