"""What several commands take: the address of other machines."""

from __future__ import annotations

import click

on_cluster = click.option(
    "--cluster",
    default="",
    metavar="ADDRESS",
    help="Of a Dask scheduler, such as tcp://scheduler:8786, whose workers do the work.",
)
