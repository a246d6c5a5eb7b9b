"""Pictures through a network: decoded beside it, in batches that fit into memory, kept part by part."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from tqdm import tqdm

from erralign.errors import DataError
from erralign.models import store
from erralign.models.classifier import Classifier, Forward
from erralign.models.images import Picture
from erralign.models.libraries import torch

PART = 64  # pictures that are decoded, computed and kept together
AT_ONCE_ON_A_PROCESSOR = 8  # more take twice the time of one: pages of memory are fetched anew for each batch
NO_MEMORY = ("out of memory", "can't allocate memory", "failed to allocate")


def outputs(
    model: Classifier,
    pictures: Sequence[Picture],
    *,
    layer: str = "logits",
    skip_broken: bool = False,
    workers: int = 0,
) -> np.ndarray:
    """Compute a layer's outputs, or read those that are on disk."""
    parts = [pictures[start : start + PART] for start in range(0, len(pictures), PART)]
    folder = store.folder_of(model, layer)
    files = [None if folder is None else store.file_of(folder, part) for part in parts]
    done = {place: rows for place, file in enumerate(files) if file and (rows := store.read(file)) is not None}
    missing = [place for place in range(len(parts)) if place not in done]
    there = sum(map(len, done.values()))
    with tqdm(total=len(pictures), initial=there, desc=model.name, unit="picture", disable=None) as bar:
        for place, rows in zip(missing, _computed(model, layer, [parts[at] for at in missing], workers), strict=True):
            _check_whole(parts[place], rows, skip_broken)
            if (file := files[place]) is not None:
                store.write(file, rows)
            done[place] = rows
            bar.update(len(rows))
    for place in set(done) - set(missing):
        _check_whole(parts[place], done[place], skip_broken)
    return np.concatenate([done[place] for place in range(len(parts))])


def broken_rows(rows: np.ndarray) -> np.ndarray:
    """Return which pictures could not be read."""
    return np.isnan(rows).all(axis=1)


def _check_whole(part: Sequence[Picture], rows: np.ndarray, skip_broken: bool) -> None:
    broken = np.flatnonzero(broken_rows(rows))
    if len(broken) and not skip_broken:
        picture = part[broken[0]]
        raise DataError(
            f"{picture.file} cannot be read as a picture ({_decoded(picture)[1]}): repair or remove it, or "
            "leave out what cannot be read with --skip-broken (skip_broken=True)"
        )


def _computed(model: Classifier, layer: str, parts: Sequence[Sequence[Picture]], workers: int) -> Iterator[np.ndarray]:
    if not parts:
        return
    forward, at_once = model.forward_to(layer), AT_ONCE_ON_A_PROCESSOR if model.device == "cpu" else PART
    for prepared, broken in _prepared(model, parts, workers):
        rows, at_once = _in_memory(forward, prepared, at_once)
        if not np.isfinite(rows).all():
            raise DataError(f"{model.name} gives numbers at {layer!r} that are not finite: its weights are damaged")
        yield np.where(broken[:, None], np.float32(np.nan), rows)


def _in_memory(forward: Forward, prepared: Any, at_once: int) -> tuple[np.ndarray, int]:
    """Compute as many pictures at once as fit; half as many from the moment when memory runs out."""
    while True:
        steps = range(0, len(prepared), at_once)
        try:
            return np.concatenate([forward(prepared[start : start + at_once]) for start in steps]), at_once
        except (RuntimeError, MemoryError) as error:
            if not isinstance(error, MemoryError) and not any(words in str(error).lower() for words in NO_MEMORY):
                raise
            if at_once == 1:
                raise MemoryError("not even one picture at a time fits into memory: give another device") from error
        at_once //= 2
        if torch().cuda.is_available():
            torch().cuda.empty_cache()


# --- decoding ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Pictures:
    """What torch's loader asks for pictures, in this process or in others: each prepared, and whether it is broken."""

    pictures: Sequence[Picture]
    prepare: Any

    def __len__(self) -> int:
        return len(self.pictures)

    def __getitem__(self, place: int) -> tuple[Any, bool]:
        image, trouble = _decoded(self.pictures[place])
        return self.prepare(image), bool(trouble)


def _decoded(picture: Picture) -> tuple[Any, str]:
    """Return a picture, or a black one and what is wrong."""
    from PIL import Image

    try:
        return Image.open(picture.read()).convert("RGB"), ""
    except (OSError, SyntaxError, ValueError, DataError, Image.DecompressionBombError) as error:
        return Image.new("RGB", (256, 256)), str(error) or type(error).__name__


def _prepared(model: Classifier, parts: Sequence[Sequence[Picture]], workers: int) -> Iterator[tuple[Any, np.ndarray]]:
    ends = np.cumsum([len(part) for part in parts])
    loader = torch().utils.data.DataLoader(
        _Pictures([picture for part in parts for picture in part], model.prepare),
        batch_sampler=[range(end - len(part), end) for part, end in zip(parts, ends, strict=True)],
        num_workers=workers,
        collate_fn=_stacked,
        pin_memory=model.device.startswith("cuda"),
    )
    return iter(loader)


def _stacked(items: list[tuple[Any, bool]]) -> tuple[Any, np.ndarray]:
    prepared, broken = zip(*items, strict=True)
    stacked = torch().stack(prepared) if isinstance(prepared[0], torch().Tensor) else list(prepared)
    return stacked, np.array(broken)
