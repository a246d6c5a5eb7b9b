"""One model on every set whose pictures are public: answers, confidences and features, in one folder."""

import logging
from os import PathLike
from pathlib import Path

from erralign._validation import DataError
from erralign.datasets.data_sets import records
from erralign.models.images import Images, open_images, pictures_of_things
from erralign.models.loading import load
from erralign.models.networks import Classifier
from erralign.models.running import Model, features, run, write, write_features

_LOG = logging.getLogger(__name__)
_WITH_FEATURES = ("geirhos2020/cue-conflict",)  # pages compare what networks compute of these


def answer_all(model: Model, out: str | PathLike[str], *, device: str = "", download: bool = False) -> Path:
    """Show a model all pictures that are public, and write what ``erralign book --with`` takes.

    Of THINGS, which has no classes, only features are computed: one picture per thing.

    What the network computes is kept in erralign's cache, as by :func:`erralign.models.run`: a second call, or one
    after a run that was stopped, computes only what is missing there. Where nothing can be kept, that is said.

    Parameters
    ----------
    model : Classifier, str, path or callable
        What :func:`erralign.models.load` returns, or takes as its first argument.
    out : str or path
        A folder, which is made if it is not there.
    device : str
        As for :func:`erralign.models.load`.
    download : bool
        Whether to fetch pictures that are not on this machine.

    Returns
    -------
    pathlib.Path
        The folder, with ``answers-<set>.csv`` and what ``erralign run`` writes beside it, and ``features-<set>.npz``
        of cue conflicts and of things.
        Sets of which no picture is here are left out; of some only a part may be here, and then the file says so.

    Raises
    ------
    DataError
        The pictures of no set are here.

    Examples
    --------
    >>> answer_all("resnet50", "my-answers", download=True)  # doctest: +SKIP
    PosixPath('my-answers')
    """
    if not isinstance(model, Classifier):
        model = load(model, device=device)
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    answered = 0
    for name, images in _public(download=download).items():
        stem = name.replace("/", "-")
        write(folder / f"answers-{stem}.csv", [run(model, images)], images.note)
        answered += 1
        if name in _WITH_FEATURES:
            _write_features(folder / f"features-{stem}.npz", model, images)
    try:
        _write_features(folder / "features-things.npz", model, pictures_of_things(download=download))
    except DataError as error:
        _LOG.info(f"left out: {error}")
    if not answered:
        raise DataError("no pictures are on this machine: get them with download=True, or with  erralign fetch")
    return folder


def _public(*, download: bool) -> dict[str, Images]:
    """Open each set of pictures once, under the name of the first data set that shows it."""
    once = {record.pictures: record.name for record in reversed(records().values()) if record.pictures}
    found = {}
    for name in sorted(once.values()):
        try:
            found[name] = open_images(name, download=download)
        except DataError as error:
            _LOG.info(f"left out: {error}")
    return found


def _write_features(file: Path, model: Classifier, images: Images) -> None:
    try:
        write_features(file, {model.name: features(model, images)})
    except ValueError as error:  # a function, or an ONNX file, of which only the logits are known
        _LOG.info(f"no features: {error}")
