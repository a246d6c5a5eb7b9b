"""The command that runs models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from erralign.errors import DataError

if TYPE_CHECKING:
    from erralign.models import Images, Run


@click.command("run")
@click.argument("models", nargs=-1, required=True, metavar="MODEL...")
@click.option("--data", "data_set", metavar="NAME", help="Pictures of a data set, such as geirhos2020/cue-conflict.")
@click.option("--images", metavar="PATH", help="A folder with a folder per class, or a CSV file with file and class.")
@click.option("--out", default="answers.csv", show_default=True, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--architecture", metavar="NAME", help="The name in timm of the network of a checkpoint or ONNX file.")
@click.option("--classes", metavar="NAMES", help="What its outputs mean, with commas; default: ImageNet's classes.")
@click.option("--preprocessing", default="own", show_default=True, help="own, or whole: nothing is cut off.")
@click.option("--mapping", default="mean", show_default=True, help="Of classes to categories: mean, sum or maximum.")
@click.option("--device", metavar="NAME", help="Such as cuda:1 or cpu; default: the fastest that is there.")
@click.option("--workers", type=click.IntRange(0), metavar="N", help="Processes that decode pictures.")
@click.option("--skip-broken", is_flag=True, help="Leave out pictures that cannot be read, and name them.")
@click.option("--download", is_flag=True, help="Fetch the pictures of the data set if they are not on this machine.")
def run_models(
    models: tuple[str, ...], data_set: str | None, images: str | None, out: Path, download: bool, **options: Any
) -> None:
    """Show pictures to each MODEL, and write its answers and confidences.

    MODEL is a name in timm, such as resnet50, or a pattern, such as 'resnet*'; hf-hub:owner/name@commit; or the path of
    a checkpoint or an ONNX file. Run the same again to go on where it was stopped.
    """
    from erralign.models import names, open_images
    from erralign.models.files import write
    from erralign.models.libraries import torch

    torch()  # first of all, where the extra is missing
    if (data_set is None) == (images is None):
        raise ValueError("give either --data NAME or --images PATH: the pictures to show")
    pictures = open_images(data_set or images or "", download=download)
    chosen = list(dict.fromkeys(name for model in models for name in names(model)))
    runs, failed = _run_each(chosen, pictures, **options)
    for path in write(out, runs) if runs else ():
        click.echo(path)
    if failed:
        lead = f"{len(failed)} of {len(chosen)} models did not run: " if len(chosen) > 1 else ""
        raise DataError(lead + "; ".join(failed))
    _say_what_to_know(pictures, runs, data_set, out)


def _run_each(
    models: list[str],
    pictures: Images,
    *,
    mapping: str,
    skip_broken: bool,
    workers: int | None,
    classes: str | None,
    **options: Any,
) -> tuple[list[Run], list[str]]:
    """Run one model after another; where the weights of one are missing, say so at the end."""
    from erralign.models import load, run

    named = [name.strip() for name in classes.split(",")] if classes else None
    runs, failed = [], []
    for model in models:
        try:
            loaded = load(model, classes=named, **options)
        except DataError as error:
            failed.append(str(error))
        else:
            runs.append(run(loaded, pictures, mapping=mapping, skip_broken=skip_broken, workers=workers))
    return runs, failed


def _say_what_to_know(pictures: Images, runs: list[Run], data_set: str | None, out: Path) -> None:
    for file in runs[0].broken:
        click.echo(f"note: {file} cannot be read as a picture and is left out", err=True)
    if pictures.note:
        click.echo(f"note: {pictures.note}", err=True)
    part = " --subset" if pictures.note or runs[0].broken else ""
    beside = f" --data {data_set}{part}" if data_set else ""
    click.echo(f"beside people and networks: erralign compare {out}{beside} --report report.html", err=True)


COMMANDS = (run_models,)
