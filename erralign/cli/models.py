"""The command that runs models."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from erralign._validation import DataError, check_alike, check_choice
from erralign.cli.telling import log_to_stderr
from erralign.cli.words import classes, typed
from erralign.reports.options import OF_SCHEDULER

if TYPE_CHECKING:
    from erralign.models.running import Done


_MODEL_VS_HUMAN = "model-vs-human/"
_OF_OUTPUTS = "What its outputs mean: between commas, or a file with one per line; default: ImageNet's classes."


def with_scheduler(command: Callable[..., Any]) -> Callable[..., Any]:
    """Let a command take ``--scheduler``."""
    return click.option("--scheduler", default="", metavar="ADDRESS", help=OF_SCHEDULER)(command)


@click.command("run")
@click.argument("models", nargs=-1, required=True, metavar="MODEL...")
@click.option("--data", "data_sets", multiple=True, metavar="NAME", help="Pictures of a data set; may be repeated.")
@click.option("--images", metavar="PATH", help="Folder with a folder per class, or per data set; or CSV: file, class.")
@click.option("--out", default="answers.csv", show_default=True, metavar="PATH", help="A file, or else a folder.")
@click.option("--architecture", metavar="NAME", help="The name in timm of the network of a checkpoint or ONNX file.")
@click.option("--classes", type=classes, metavar="CLASSES", help=_OF_OUTPUTS)
@click.option("--preprocessing", default="own", show_default=True, help="own, or whole: nothing is cut off.")
@click.option("--logits", metavar="NAME", help="Which output holds the logits, by name or place, if there are several.")
@click.option("--mapping", default="mean", show_default=True, help="Of classes to categories: mean, sum or maximum.")
@click.option("--device", metavar="NAME", help="Such as cuda:1 or cpu; default: the fastest that is there.")
@click.option("--precision", default="float32", show_default=True, help="float32, or bfloat16: faster on a GPU.")
@click.option("--jobs", "n_jobs", default=1, type=click.IntRange(1), metavar="N", help="Models side by side.")
@with_scheduler
@click.option("--skip-broken", is_flag=True, help="Leave out pictures that cannot be read, and name them.")
@click.option("--download", is_flag=True, help="Fetch the pictures of the data set if they are not on this machine.")
def run_models(models: tuple[str, ...], data_sets: tuple[str, ...], images: str | None, out: str, **how: Any) -> None:
    """Show pictures to each MODEL, and write its answers and confidences.

    MODEL is a name in timm, such as resnet50, or a pattern, such as 'resnet*'; hf-hub:owner/name@commit;
    resnet50:weights.safetensors; my_module.py:make_model, a function that returns a network, its transform and, unless
    they are ImageNet's, its words; an ONNX file; or a folder of Hugging Face.
    --data takes names such as geirhos2020/edges; all: all sets with public pictures.
    With both --data and --images, the pictures of model-vs-human/sketch, say, are in the folder sketch of PATH, as
    bethgelab/model-vs-human publishes them; all: all sets that have a folder there.
    """
    click.echo("looking for the pictures", err=True)
    from erralign.models.libraries import check_installed, torch
    from erralign.models.loading import names as named
    from erralign.models.running import check_free, find_pictures, run_many

    if not data_sets and images is None:
        raise ValueError("give --data NAME or --images PATH: the pictures to show")
    folder = images if data_sets else None
    sets = _sets(data_sets, folder) or [images or ""]
    check_installed()
    if not how["scheduler"]:  # or its workers have the pictures
        for data_set in sets:
            stimuli = find_pictures(data_set, folder=folder, download=how["download"])
            click.echo(f"{len(stimuli.pictures):,} pictures of {stimuli.name}", err=True)
    click.echo("loading torch and timm, which may take a minute the first time", err=True)
    torch()
    chosen = list(dict.fromkeys(name for model in models for name in named(model)))
    loading = {
        name: how.pop(name) for name in ("architecture", "preprocessing", "classes", "device", "precision", "logits")
    }
    running = {name: how.pop(name) for name in ("mapping", "skip_broken")}
    called = _names_apart(chosen)
    to_folder = out.endswith("/") or Path(out).is_dir()
    file = Path(out, "answers.csv") if to_folder else Path(out)
    per_set = to_folder and bool(data_sets)
    for data_set in sets:
        check_free(_file_for(file, data_set, several=len(sets) > 1 or per_set), called)
    click.echo(f"running {', '.join(chosen)}", err=True)
    try:
        with log_to_stderr():
            done = run_many(chosen, sets, folder=folder, loading=loading, running=running, **how)
    except KeyboardInterrupt:
        click.echo("\nerralign: stopped; what was computed is kept: the same command goes on from there", err=True)
        raise SystemExit(130) from None
    file.parent.mkdir(parents=True, exist_ok=True)
    _write(dict(zip(sets, done, strict=True)), file, one_of_ours=bool(data_sets), folder=per_set)
    failed = list(dict.fromkeys(reason for of_set in done for reason in of_set.failed))
    if failed and len(chosen) > 1:
        raise DataError(f"{len(failed)} of {len(chosen)} models did not run: {'; '.join(failed)}")
    if failed:
        raise DataError("; ".join(failed))


@click.command("features")
@click.argument("models", nargs=-1, required=True, metavar="MODEL...")
@click.option("--data", "data_set", metavar="NAME", help="Pictures of a data set.")
@click.option("--images", metavar="PATH", help="Folder with a folder per class, or CSV: file, class.")
@click.option(
    "--layer", default="penultimate", show_default=True, metavar="NAME", help="Or logits, or as timm names it."
)
@click.option("--per-class", is_flag=True, help="A row per class, the mean of its pictures: for things of THINGS.")
@click.option("--out", default="features.npz", show_default=True, metavar="PATH", help="A file, or else a folder.")
@click.option("--architecture", metavar="NAME", help="The name in timm of the network of a checkpoint or ONNX file.")
@click.option("--classes", type=classes, metavar="CLASSES", help=_OF_OUTPUTS)
@click.option("--preprocessing", default="own", show_default=True, help="own, or whole: nothing is cut off.")
@click.option("--device", metavar="NAME", help="Such as cuda:1 or cpu; default: the fastest that is there.")
@click.option("--skip-broken", is_flag=True, help="Leave out pictures that cannot be read.")
@click.option("--download", is_flag=True, help="Fetch the pictures of the data set if they are not on this machine.")
def write_features(
    models: tuple[str, ...],
    data_set: str | None,
    images: str | None,
    layer: str,
    per_class: bool,
    out: str,
    skip_broken: bool,
    download: bool,
    **how: Any,
) -> None:
    """Show pictures to each MODEL, and write what a layer computes: ids, and an array for each model.

    MODEL, --data and --images are as for `erralign run`. The book's pages take the file as guest_features.
    """
    click.echo("looking for the pictures", err=True)
    from erralign.datasets.data_sets import records
    from erralign.models import features, load
    from erralign.models.libraries import check_installed
    from erralign.models.loading import names as named
    from erralign.models.running import check_features_free, find_pictures, write_features

    if data_set is None and images is None:
        raise ValueError("give --data NAME or --images PATH: the pictures to show")
    if data_set is not None:
        check_choice("--data", data_set, list(records()))
    check_installed()
    shown = find_pictures(data_set or images or "", folder=images if data_set else None, download=download)
    click.echo(f"{len(shown.pictures):,} pictures of {shown.name}", err=True)
    click.echo("loading torch and timm, which may take a minute the first time", err=True)
    of_models = {}
    chosen = list(dict.fromkeys(name for model in models for name in named(model)))
    called = _names_apart(chosen)
    file = Path(out)
    if out.endswith("/") or file.is_dir():
        file = file / f"features-{shown.name.replace('/', '-')}.npz"
    check_features_free(file, called)
    for name in chosen:
        loaded = load(name, **how)
        rows = features(loaded, shown, layer=layer, skip_broken=skip_broken)
        of_models[loaded.name] = rows.groupby(shown.truth.loc[rows.index]).mean() if per_class else rows
    write_features(file, of_models)
    click.echo(file)
    if shown.note:
        click.echo(f"note: {shown.note}", err=True)


def _names_apart(models: Sequence[str]) -> list[str]:
    """Return what models are called in tables; no two alike."""
    from erralign.models.loading import name_of

    called: dict[str, str] = {}
    for model in models:
        name = name_of(model)
        if name in called:
            raise ValueError(f"{called[name]} and {model} would both be called {name!r}; rename one of the two")
        called[name] = model
    return list(called)


def _file_for(out: Path, data_set: str, *, several: bool) -> Path:
    return out.with_stem(f"{out.stem}-{data_set.replace('/', '-')}") if several else out


def _sets(named: tuple[str, ...], folder: str | None) -> list[str]:
    """Return the data sets to show; "all" stands for those whose pictures are public, or in the folder, each once."""
    from erralign.datasets.data_sets import records

    for name in named:
        check_choice("--data", name, ["all", *records()])
    if "all" in named and folder is None:
        public = {data_set.pictures: data_set.name for data_set in reversed(records().values()) if data_set.pictures}
        named = (*sorted(public.values()), *named)
    elif "all" in named and folder is not None:
        there = [
            name for name in records() if name.startswith(_MODEL_VS_HUMAN) and Path(folder, Path(name).name).is_dir()
        ]
        named = (*there, *named)
        if not there:
            raise ValueError(
                f"{folder} has no folder of a set of model-vs-human, such as sketch; name the set with --data"
            )
    return [name for name in dict.fromkeys(named) if name != "all"]


def _write(done: dict[str, Done], out: Path, *, one_of_ours: bool, folder: bool = False) -> None:
    from erralign.models.running import write

    for name, of_set in done.items():
        file = _file_for(out, name, several=len(done) > 1 or folder)
        for path in write(file, of_set.runs, of_set.note) if of_set.runs else ():
            click.echo(path)
        if of_set.runs and not of_set.failed:
            _say_what_to_know(of_set, name if one_of_ours else None, file)
    if folder:
        where = shlex.quote(str(out.parent))
        click.echo(f"the book about it, in its repository: erralign book --with {where}/", err=True)


def _say_what_to_know(done: Done, data_set: str | None, out: Path) -> None:
    for file in done.runs[0].broken:
        click.echo(f"note: {file} cannot be read as a picture and is left out", err=True)
    for run in done.runs:
        for model, changed in run.answers.systems.get("changed", {}).items():
            click.echo(f"note: bfloat16 changed {changed} answers of {model}, beside float32", err=True)
    if done.note:
        click.echo(f"note: {done.note}", err=True)
    part = " --subset" if done.note or done.runs[0].broken else ""
    words = ["erralign", "compare", str(out)]
    shown = done.runs[0].answers.classes
    if data_set is None and _look_alike(shown):  # or the command would take them for one class, written in two ways
        words += ["--classes", typed(shown)]
    command = shlex.join(words) + (f" --data {data_set}{part}" if data_set else "")
    if data_set or len(done.runs) > 1:
        command = f"{'beside people and networks' if data_set else 'compare them'}: {command} --report report.html"
    else:
        command = f"to compare: run two or more models at once, or erralign join several files, then {command}"
    click.echo(command, err=True)


def _look_alike(words: Sequence[str]) -> bool:
    try:
        check_alike("classes", words)
    except ValueError:
        return True
    return False
