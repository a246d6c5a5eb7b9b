"""A model on pictures: answers, confidences, features; and many models on many sets of pictures."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from io import BytesIO
from itertools import product
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from erralign._validation import DataError
from erralign.datasets.data_sets import records
from erralign.datasets.features import as_ids
from erralign.datasets.tables import read_table
from erralign.files import names_in_archive, write_whole
from erralign.models.categories import IMAGENET, TINY, as_logits, categories_for, category_confidences
from erralign.models.images import Images, open_images
from erralign.models.inference import broken_rows, outputs, progress
from erralign.models.loading import architecture_and_file, is_local, load
from erralign.models.networks import Classifier
from erralign.parallel import as_finished
from erralign.responses import Responses

Model = Classifier | str | PathLike[str] | Callable[..., Any]
_Pictures = Images | str | PathLike[str]


_COMPARED = 256  # pictures, spread over all, on which fewer bits are compared with float32


@dataclass(frozen=True)
class Run:
    """The answers and confidences of one model for pictures.

    Parameters
    ----------
    answers : Responses
        The answers. The model is the one system. Its row in ``systems`` names its source, revision, weights (SHA-256),
        preprocessing, precision and versions; with ``precision="bfloat16"``, also the answers that this ``changed`` on
        256 of the pictures.
    confidences : pandas.DataFrame
        Indexed by trial, with one column per class; each row sums to 1.
    broken : tuple of str
        Files that could not be read, and were left out.
    """

    answers: Responses
    confidences: pd.DataFrame
    broken: tuple[str, ...]

    def to_csv(self, path: str | PathLike[str]) -> list[Path]:
        """Write the answers, as :func:`erralign.read_answers` reads them.

        Parameters
        ----------
        path : str or path
            The file for the answers, such as ``answers.csv``. Beside it, ``answers.confidences.csv`` has the
            confidences, and ``answers.models.csv`` what the model is. A file with answers of others is left alone.

        Returns
        -------
        list of path
            What was written.
        """
        check_free(Path(path), [str(self.answers.answers.columns[0])])
        return write(Path(path), [self])


def run(model: Model, images: _Pictures, *, mapping: str = "mean", skip_broken: bool = False) -> Run:
    """Show pictures to a model, and keep all that it says about them.

    Parameters
    ----------
    model : Classifier, str, path or callable
        What :func:`load` returns, or what it takes as its first argument.
    images : Images, str or path
        What :func:`open_images` returns, or what it takes as its first argument.
    mapping : {"mean", "sum", "maximum"}
        How the probabilities of the ImageNet classes of a category are put together.
    skip_broken : bool
        Whether to leave out pictures that cannot be read. Otherwise the first of them is an error.

    Returns
    -------
    Run
        Answers and confidences. What the network computes is kept in the folder ``outputs`` of erralign's cache
        (``~/.cache/erralign`` on Linux), under a name that depends on the weights, the preprocessing and the pictures:
        a second call, or one after a run that was stopped, computes only what is missing there. Of a callable that is
        not a network of torch, or has a ``transform`` of yours, nothing is kept, since it may be another the next time.

    Raises
    ------
    DataError
        Weights or pictures are missing or damaged.

    Examples
    --------
    >>> import erralign
    >>> people = erralign.load("geirhos2020/edges")  # doctest: +SKIP
    >>> both = people.join(run("tf_efficientnet_lite0", "geirhos2020/edges").answers)  # doctest: +SKIP
    """
    model, images = _opened(model, images)
    names, members = categories_for(set(images.truth), model.classes, model.name)
    rows, images, broken = _outputs(model, images, "logits", skip_broken)
    n_classes = IMAGENET if model.classes is None else len(model.classes)
    if rows.shape[1] != n_classes:
        raise ValueError(
            f"{model.name} has {rows.shape[1]} outputs, and {n_classes} classes; name what its outputs mean, in "
            "their order, with classes=... (--classes)"
        )
    logits, kind = as_logits(rows, model.name)
    trials = images.truth.index
    confidences = pd.DataFrame(category_confidences(logits, members, mapping), index=trials, columns=list(names))
    answer = pd.Series(confidences.columns[confidences.to_numpy().argmax(axis=1)], index=trials)
    most = logits[:, np.concatenate(members)].max(axis=1)  # nothing may be left for the categories: no answer
    answer = answer.mask(most <= np.log(TINY) if kind == "probabilities" else np.isneginf(most))
    answers = Responses.from_table(
        images.truth, {model.name: answer}, classes=names, source=model.facts["source"], name=images.name
    )
    facts = {"mapping": mapping, "outputs": kind, "device": model.device} | model.facts
    if model.exact is not None:
        some = np.zeros(len(trials), dtype=bool)
        some[np.linspace(0, len(trials) - 1, min(len(trials), _COMPARED)).astype(int)] = True
        exact = run(model.exact, images.keep(some), mapping=mapping).answers.answers
        changed = (exact[model.name] != answers.answers.loc[some, model.name]).sum()
        facts["changed"] = f"{changed} of {some.sum()}"
    answers = replace(answers, systems=answers.systems.assign(**facts))
    return Run(answers, confidences.rename_axis(columns=None), broken)


def features(model: Model, images: _Pictures, *, layer: str = "penultimate", skip_broken: bool = False) -> pd.DataFrame:
    """Return what a layer of a model computes from pictures.

    Parameters
    ----------
    model, images, skip_broken
        As for :func:`run`.
    layer : str
        ``"penultimate"`` (the input of the last layer with weights), ``"logits"``, or a name that the network gives to
        one of its layers, such as ``"blocks.3"``. What a layer computes from one picture is flattened into one row.

    Returns
    -------
    pandas.DataFrame
        Indexed by trial, with one column per number, as :func:`erralign.cka` takes it.
    """
    model, images = _opened(model, images)
    rows, images, _ = _outputs(model, images, layer, skip_broken)
    return pd.DataFrame(rows, index=images.truth.index)


def write_features(out: Path, of_models: Mapping[str, pd.DataFrame]) -> None:
    """Write what models compute of the same trials: ``ids``, one per row, and an array for each model."""
    arrays: dict[str, Any] = {name: rows.to_numpy() for name, rows in of_models.items()}
    buffer = BytesIO()
    np.savez(buffer, ids=as_ids(next(iter(of_models.values())).index), **arrays)
    write_whole(out, buffer.getvalue())


def check_features_free(out: Path, models: Sequence[str]) -> None:
    """Raise where a file holds what this does not compute: it would be lost."""
    if not out.is_file():
        return
    others = [name for name in names_in_archive(out) if name not in ("ids", *models)]
    if others or not names_in_archive(out):
        has = f"has {others[0]!r}, which this does not compute" if others else "is no file of features"
        raise ValueError(f"{out} is there and {has}; name another file with --out")


def _opened(model: Model, images: _Pictures) -> tuple[Classifier, Images]:
    if not isinstance(images, Images):
        images = open_images(images)
    if not isinstance(model, Classifier):
        model = load(model)
    return model, images


def _outputs(
    model: Classifier, images: Images, layer: str, skip_broken: bool
) -> tuple[np.ndarray, Images, tuple[str, ...]]:
    rows = outputs(model, images.pictures, layer=layer, skip_broken=skip_broken)
    broken = broken_rows(rows)
    if broken.all():
        raise DataError(f"none of the {len(rows)} pictures of {images.name} can be read")
    files = tuple(picture.file for picture, lost in zip(images.pictures, broken, strict=True) if lost)
    return rows[~broken], images.keep(~broken), files


def check_free(out: Path, models: Sequence[str]) -> None:
    """Raise where a file holds answers that a run does not compute: they would be lost."""
    ours = set(models)
    for file in (out, out.with_suffix(".confidences.csv")):
        if not file.is_file():
            continue
        table = read_table(file)
        if file != out and "model" in table:
            others = sorted(set(table["model"]) - ours)
        else:
            columns = list(table)
            after = columns[columns.index("truth") + 1 :] if "truth" in columns else columns
            others = [name for name in after if name not in ours] if "truth" in columns else columns[:1]
        if others:
            raise ValueError(
                f"{file} is there and has {others[0]!r}, which this run does not compute; name another file with --out"
            )


def write(out: Path, runs: Sequence[Run], note: str = "") -> list[Path]:
    """Write three tables of models that saw the same pictures; the third has the note on these pictures, too."""
    together = reduce(Responses.join, (run.answers for run in runs))
    answers = pd.concat([together.truth, together.answers], axis=1)
    facts = together.systems.assign(note=note)
    confidences = {str(run.answers.answers.columns[0]): run.confidences for run in runs}
    tables = {
        out: answers.apply(lambda column: column.map(dict(enumerate(together.classes)))),
        out.with_suffix(".confidences.csv"): pd.concat(confidences, names=["model"]),
        out.with_suffix(".models.csv"): facts.drop(columns=["kind", "family"]).rename_axis("model"),
    }
    for path, table in tables.items():
        write_whole(path, table.to_csv(float_format="%.6g"))
    return list(tables)


# ---- many models -----------------------------------------------------------------------------------------------------


# A process keeps one model, and the last few sets of pictures.
_load = lru_cache(maxsize=1)(load)
find_pictures = lru_cache(maxsize=8)(open_images)


class Done(NamedTuple):
    """What became of many models on one set of pictures."""

    runs: tuple[Run, ...]  # of the models that ran, in their order
    failed: tuple[str, ...]  # why the others did not: their weights are missing, or damaged
    note: str  # what a reader should know about the pictures


def run_many(
    models: Sequence[str],
    images: Sequence[str],
    *,
    folder: str | None = None,
    loading: Mapping[str, Any] | None = None,
    running: Mapping[str, Any] | None = None,
    download: bool = False,
    n_jobs: int = 1,
    scheduler: str = "",
) -> list[Done]:
    """Show several sets of pictures to several models."""
    # Where another process works may be another folder: what lies here is named whole.
    there = {name: _whole(name, name in records()) for name in images}
    folder = folder and str(Path(folder).absolute())
    whole = {name: _whole_model(name) for name in models}
    tasks = list(product(models, images))
    sent = [(whole[model], there[name]) for model, name in tasks]
    how = loading or {}, running or {}, {"folder": folder, "download": download}
    results: dict[tuple[str, str], tuple[Run | str, str]] = {}
    with progress(total=len(tasks), desc="models", unit="run", disable=n_jobs == 1 and not scheduler) as several:
        for place, result in as_finished(_run, sent, how, n_jobs=n_jobs, scheduler=scheduler):
            results[tasks[place]] = result
            several.update()
    done = []
    for name in images:
        of_models, notes = zip(*(results[model, name] for model in models), strict=True)
        runs = tuple(result for result in of_models if isinstance(result, Run))
        done.append(Done(runs, tuple(result for result in of_models if isinstance(result, str)), notes[0]))
    return done


def _whole(images: str, known: bool) -> str:
    return images if known else str(Path(images).absolute())


def _whole_model(model: str) -> str:
    """Give the whole path of a model's file or folder; names of timm stay."""
    before, file = architecture_and_file(model)
    if not is_local(model):
        return model
    path = str(Path(file).absolute())
    return f"{before}:{path}" if before else path


def _run(task: tuple[str, str], how: tuple[Mapping[str, Any], ...]) -> tuple[Run | str, str]:
    (model, images), (loading, running, where) = task, how
    pictures = find_pictures(images, **where)
    try:
        loaded = _load(model, **loading)
    except DataError as error:
        return str(error), pictures.note
    return run(loaded, pictures, **running), pictures.note
