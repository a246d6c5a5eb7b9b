"""Pictures through a network: decoded beside it, in batches that fit into memory, kept part by part."""

import hashlib
import json
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
from tqdm import tqdm

from erralign._validation import DataError
from erralign.files import write_whole
from erralign.models.images import Picture
from erralign.models.libraries import torch
from erralign.models.networks import Classifier, Forward

PART = 64  # pictures that are decoded, computed and kept together
AT_ONCE_ON_A_PROCESSOR = 8  # more take twice the time of one: pages of memory are fetched anew for each batch
ORIENTATION = 0x0112  # of EXIF
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
    folder = folder_of(model, layer)
    files = [None if folder is None else file_of(folder, part) for part in parts]
    done = {place: rows for place, file in enumerate(files) if file and (rows := read(file)) is not None}
    missing = [place for place in range(len(parts)) if place not in done]
    there = sum(map(len, done.values()))
    with progress(total=len(pictures), initial=there, desc=model.name, unit="picture") as bar:
        computed = _computed(model, layer, [parts[at] for at in missing], workers, bar.update)
        for place, rows in zip(missing, computed, strict=True):
            _check_whole(parts[place], rows, skip_broken)
            if (file := files[place]) is not None:
                write(file, rows)
            done[place] = rows
    for place in set(done) - set(missing):
        _check_whole(parts[place], done[place], skip_broken)
    return np.concatenate([done[place] for place in range(len(parts))])


def progress(**what: Any) -> tqdm:
    """Show progress: at once and all the time on a terminal, elsewhere after ten seconds and every ten."""
    often = {"mininterval": 0.1} if sys.stderr.isatty() else {"mininterval": 10, "delay": 10}
    return tqdm(**what, **often)


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


def _computed(
    model: Classifier, layer: str, parts: Sequence[Sequence[Picture]], workers: int, say: Callable[[int], Any]
) -> Iterator[np.ndarray]:
    if not parts:
        return
    forward, at_once = model.forward_to(layer), AT_ONCE_ON_A_PROCESSOR if model.device == "cpu" else PART
    for prepared, broken in _prepared(model, parts, workers):
        rows, at_once = _in_memory(forward, prepared, at_once, say)
        if not np.isfinite(rows).all():
            raise DataError(f"{model.name} gives numbers at {layer!r} that are not finite: its weights are damaged")
        yield np.where(broken[:, None], np.float32(np.nan), rows)


def _in_memory(forward: Forward, prepared: Any, at_once: int, say: Callable[[int], Any]) -> tuple[np.ndarray, int]:
    """Compute as many pictures at once as fit, and say how many; half as many from when memory runs out."""
    rows: list[np.ndarray] = []
    while (start := sum(map(len, rows))) < len(prepared):
        try:
            rows.append(forward(prepared[start : start + at_once]))
            say(len(rows[-1]))
            continue
        except (RuntimeError, MemoryError) as error:
            if not isinstance(error, MemoryError) and not any(words in str(error).lower() for words in NO_MEMORY):
                raise
            if at_once == 1:
                raise MemoryError("not even one picture at a time fits into memory: give another device") from error
        at_once //= 2
        if torch().cuda.is_available():
            torch().cuda.empty_cache()
    return np.concatenate(rows), at_once


# --- outputs on disk, part by part: a run that was stopped goes on where it stopped -----------------------------------


DIGITS = 16  # of a hash, in a name
CHECKSUM = hashlib.sha256().digest_size  # bytes


def folder_of(model: Classifier, layer: str) -> Path | None:
    """Return the folder for the outputs of one layer of one model, named by all that they depend on."""
    if "weights" not in model.facts:
        return None
    facts = json.dumps(model.facts | {"layer": layer, "decoding": 2}, sort_keys=True)
    return Path(platformdirs.user_cache_dir("erralign"), "outputs", _short_hash(facts))


def file_of(folder: Path, pictures: Sequence[Picture]) -> Path:
    """Return the file of one part, named by what its pictures are."""
    return folder / f"{_short_hash(json.dumps([picture.identity for picture in pictures]))}.npy"


def _short_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def read(file: Path) -> np.ndarray | None:
    """Read a part; None if it is not there or not as it was written, so that it is computed again."""
    try:
        content = file.read_bytes()
    except OSError:
        return None
    content, checksum = content[:-CHECKSUM], content[-CHECKSUM:]
    return np.load(BytesIO(content)) if _checksum(file, content) == checksum else None


def write(file: Path, outputs: np.ndarray) -> None:
    """Write a part, and behind it the SHA-256 of its name and content."""
    buffer = BytesIO()
    np.save(buffer, outputs)
    content = buffer.getvalue()
    try:
        write_whole(file, content + _checksum(file, content))
    except OSError as error:
        raise OSError(
            f"{file} could not be written ({error.strerror}): make room, or name another folder (of caches: "
            "XDG_CACHE_HOME), and run the same again: it goes on where it stands"
        ) from error


def _checksum(file: Path, content: bytes) -> bytes:
    return hashlib.sha256(file.name.encode() + content).digest()


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
        return _as_seen(Image.open(picture.read())), ""
    except (OSError, SyntaxError, ValueError, DataError, Image.DecompressionBombError) as error:
        return Image.new("RGB", (256, 256)), str(error) or type(error).__name__


def _as_seen(image: Any) -> Any:
    """Return the colours that a viewer shows, and warn where they are not those that the file lists."""
    from PIL import Image, ImageOps

    if image.mode in ("I", "F"):
        raise ValueError("its values are of 32 bits, and nothing says which is white; save it with 8 or 16")
    if image.getexif().get(ORIENTATION, 1) != 1:
        warnings.warn("pictures that their EXIF data call rotated are turned upright", stacklevel=2)
        image = ImageOps.exif_transpose(image)
    if image.mode.startswith("I;16"):
        warnings.warn("grey pictures of 16 bits are brought to 8: divided by 257", stacklevel=2)
        image = Image.fromarray(np.rint(np.asarray(image) / 257).astype(np.uint8))
    if image.has_transparency_data and image.convert("RGBA").getextrema()[-1][0] < 255:
        warnings.warn("transparent parts of pictures are shown on white", stacklevel=2)
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image.convert("RGBA"))
    return image.convert("RGB")


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
