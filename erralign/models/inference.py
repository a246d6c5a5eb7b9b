"""Pictures through a network: decoded beside it, in batches that fit into memory, kept part by part."""

import hashlib
import json
import logging
import os
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
from tqdm import tqdm

from erralign._validation import DataError
from erralign.files import what_is, write_whole
from erralign.models.images import Picture
from erralign.models.libraries import torch
from erralign.models.networks import Classifier, Forward, is_want_of_memory

_PART = 64  # pictures that are kept together
_PARTS_AT_ONCE = 16  # on a GPU, which computes half as many from when they do not fit
_AT_ONCE_ON_A_PROCESSOR = 8  # more take twice the time of one: pages of memory are fetched anew for each batch
_MOST_DECODED = 3 * 2**30  # bytes: 20,000 pictures of 224 x 224
_ORIENTATION = 0x0112  # of EXIF
_Part = tuple[Sequence[Picture], str]  # pictures, and a hash of their content
_log = logging.getLogger(__name__)


def outputs(
    model: Classifier, pictures: Sequence[Picture], *, layer: str = "logits", skip_broken: bool = False
) -> np.ndarray:
    """Compute a layer's outputs, or read those that are on disk."""
    parts = [pictures[start : start + _PART] for start in range(0, len(pictures), _PART)]
    folder = _folder_of(model, layer)
    if folder is None and model.why_not:
        _log.info("%s: nothing is kept, and it runs again each time: %s", model.name, model.why_not)
    hashes = [""] * len(parts)
    if folder is not None or model.prepared:
        hashes = [_hash_of_pictures(part) for part in parts]
    files = [None if folder is None else folder / f"{each}.npy" for each in hashes]
    done = {place: rows for place, file in enumerate(files) if file and (rows := read(file)) is not None}
    for place, rows in done.items():
        _check_whole(parts[place], rows, skip_broken)
    missing = {place: (part, hashes[place]) for place, part in enumerate(parts) if place not in done}
    there = sum(map(len, done.values()))
    with progress(total=len(pictures), initial=there, desc=f"{model.name} on {model.device}", unit=" pictures") as bar:
        for place, rows in _computed(model, layer, missing, bar.update):
            _check_whole(parts[place], rows, skip_broken)
            if (file := files[place]) is not None:
                write(file, rows)
            done[place] = rows
    return np.concatenate([done[place] for place in range(len(parts))])


def progress(**what: Any) -> tqdm:
    """Show progress, and at the end how fast it was: all the time on a terminal, elsewhere every ten seconds."""
    often = {"mininterval": 0.1} if sys.stderr.isatty() else {"mininterval": 10}
    return tqdm(**what, **often, file=_console())


def _console() -> Any:
    """Return the error stream of the process: a notebook would save what its own is told with the cell's results."""
    if not hasattr(sys.stderr, "pub_thread"):  # as that of a kernel has
        return sys.stderr
    before = getattr(sys.stderr, "_original_stdstream_copy", None)
    if before is None:
        before = 2
    return os.fdopen(os.dup(before), "w")


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
    model: Classifier, layer: str, parts: Mapping[int, _Part], say: Callable[[int], Any]
) -> Iterator[tuple[int, np.ndarray]]:
    """Compute parts of pictures; the next batch is launched before what came of the last one is fetched and kept."""
    if not parts:
        return
    forward, what = model.forward_to(layer), f"{model.name} gives numbers at {layer!r}"
    at_once = _AT_ONCE_ON_A_PROCESSOR if model.device == "cpu" else _PART * _PARTS_AT_ONCE
    launched: deque[tuple[list[int], list[Any], np.ndarray]] = deque()
    for places, pixels, broken in _batches(model, parts):
        rows, at_once = _in_memory(forward, what, pixels, at_once, say)
        launched.append((places, rows, broken))
        if len(launched) > 1 or not _is_on_gpu(model):
            yield from _fetched(what, layer, *launched.popleft())
    for last in launched:
        yield from _fetched(what, layer, *last)


def _in_memory(
    forward: Forward, what: str, pixels: Any, at_once: int, say: Callable[[int], Any]
) -> tuple[list[Any], int]:
    """Compute as many pictures at once as fit, and say how many; half as many from when memory runs out."""
    rows: list[Any] = []
    while (start := sum(map(len, rows))) < len(pixels):
        try:
            some = forward(pixels[start : start + at_once])
            if len(some) != len(pixels[start : start + at_once]):
                raise ValueError(
                    f"{what} as {len(some)} rows for {len(pixels[start : start + at_once])} pictures; expected one row "
                    "per picture: name another layer or output"
                )
            rows.append(some)
            say(len(rows[-1]))
            continue
        except (RuntimeError, MemoryError) as error:
            if not is_want_of_memory(error):
                raise
            at_once = min(at_once, len(pixels) - start)
            if at_once == 1:
                raise MemoryError("not even one picture at a time fits into memory: give another device") from error
        at_once //= 2
        if torch().cuda.is_available():
            torch().cuda.empty_cache()
    return rows, at_once


def _fetched(
    what: str, layer: str, places: list[int], launched: list[Any], broken: np.ndarray
) -> Iterator[tuple[int, np.ndarray]]:
    """Bring outputs from the device, and divide them into parts."""
    rows = np.concatenate([_as_array(some) for some in launched])
    # As a logit, minus infinity rules a class out; not all of them.
    ruled_out = np.isneginf(rows) if layer == "logits" else np.zeros(rows.shape, dtype=bool)
    if not (np.isfinite(rows) | ruled_out).all() or ruled_out.all(axis=1).any():
        raise DataError(f"{what} that are not finite: its weights are damaged")
    rows[broken] = np.nan
    for number, place in enumerate(places):
        yield place, rows[number * _PART : (number + 1) * _PART]  # the last part may have fewer


def _as_array(rows: Any) -> np.ndarray:
    if isinstance(rows, torch().Tensor):
        if hasattr(rows, "copied"):  # from a GPU, which is at work on the next batch
            rows.copied.synchronize()
        rows = rows.cpu().numpy()
    return np.array(rows, dtype=np.float32)


# --- outputs on disk, part by part: a run that was stopped goes on where it stopped -----------------------------------


_DIGITS = 16  # of a hash, in a name
_CHECKSUM = hashlib.sha256().digest_size  # bytes


def _folder_of(model: Classifier, layer: str) -> Path | None:
    """Return the folder for the outputs of one layer of one model, named by all that they depend on."""
    key = model.key()
    if not key:
        return None
    facts = json.dumps({"computes": key, "layer": layer, "decoding": 4}, sort_keys=True)
    return Path(platformdirs.user_cache_dir("erralign"), "outputs", _short_hash(facts))


def _hash_of_pictures(pictures: Sequence[Picture]) -> str:
    with ThreadPoolExecutor() as pool:
        return _short_hash(json.dumps([*pool.map(Picture.content, pictures)]))


def _short_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def read(file: Path) -> np.ndarray | None:
    """Read a part; None if it is not there or not as it was written, so that it is computed again."""
    try:
        content = file.read_bytes()
    except OSError:
        return None
    content, checksum = content[:-_CHECKSUM], content[-_CHECKSUM:]
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


# Pictures of a part as networks of one preprocessing take them, for the next such network and the next layer.
decoding: dict[tuple[str, str], list[Future]] = {}


def _batches(model: Classifier, parts: Mapping[int, _Part]) -> Iterator[tuple[list[int], Any, np.ndarray]]:
    """Decode the pictures of parts, on all cores and two batches ahead of the network."""
    from joblib import cpu_count

    places, n_together = list(parts), _PARTS_AT_ONCE if _is_on_gpu(model) else 1
    ahead: deque[tuple[list[int], list[list[Future]]]] = deque()
    with ThreadPoolExecutor(cpu_count()) as pool:  # of threads, since Pillow lets others work while it decodes
        for start in range(0, len(places), n_together):
            together = places[start : start + n_together]
            ahead.append((together, [_begun(pool, model, *parts[place]) for place in together]))
            if len(ahead) > 2:
                yield _batch(model, *ahead.popleft())
        while ahead:
            yield _batch(model, *ahead.popleft())


def _is_on_gpu(model: Classifier) -> bool:
    return model.device.startswith("cuda")


def _begun(pool: ThreadPoolExecutor, model: Classifier, part: Sequence[Picture], content: str) -> list[Future]:
    """Begin to decode a part, unless that was done for another network or layer."""
    key = model.prepared, content
    if model.prepared and key in decoding:
        return decoding[key]
    begun = [pool.submit(_prepared, model.prepare, picture) for picture in part]
    if model.prepared:
        decoding[key] = begun
    return begun


def _prepared(prepare: Callable[[Any], Any], picture: Picture) -> tuple[Any, bool]:
    image, trouble = _decoded(picture)
    return prepare(image), bool(trouble)


def _batch(model: Classifier, places: list[int], begun: list[list[Future]]) -> tuple[list[int], Any, np.ndarray]:
    """Return which parts a batch has, their prepared pictures, and which of these are broken."""
    prepared, broken = zip(*(future.result() for part in begun for future in part), strict=True)
    pixels: Any = list(prepared)
    if isinstance(pixels[0], torch().Tensor | np.ndarray):
        shapes = {tuple(tensor.shape) for tensor in pixels}
        if len(shapes) > 1:
            raise ValueError(
                f"transform gave tensors of the shapes {sorted(shapes)[:2]}; expected one for all pictures"
            )
        if isinstance(pixels[0], np.ndarray):
            pixels = np.stack(pixels)
            pixels = pixels.astype(np.float32) if pixels.dtype == np.float64 else pixels
        else:
            pixels = torch().stack(pixels)
            if _is_on_gpu(model):
                pixels = pixels.pin_memory()
    while sum(len(part) * part[0].result()[0].nbytes for part in decoding.values() if part[0].done()) > _MOST_DECODED:
        del decoding[next(iter(decoding))]
    return places, pixels, np.array(broken)


def _decoded(picture: Picture) -> tuple[Any, str]:
    """Return a picture, or a black one and what is wrong."""
    from PIL import Image

    try:
        content = picture.read()
        return _as_seen(Image.open(content)), ""
    except Image.UnidentifiedImageError:
        return Image.new("RGB", (256, 256)), what_is(content.getvalue())
    except (OSError, SyntaxError, ValueError, DataError, Image.DecompressionBombError) as error:
        return Image.new("RGB", (256, 256)), str(error) or type(error).__name__


def _as_seen(image: Any) -> Any:
    """Return the colours that a viewer shows, and warn where they are not those that the file lists."""
    from PIL import Image, ImageOps

    if image.mode in ("I", "F"):
        raise ValueError("its values are of 32 bits, and nothing says which is white; save it with 8 or 16")
    if image.getexif().get(_ORIENTATION, 1) != 1:
        warnings.warn("pictures that their EXIF data call rotated are turned upright", stacklevel=2)
        image = ImageOps.exif_transpose(image)
    if image.mode.startswith("I;16"):
        warnings.warn("grey pictures of 16 bits are brought to 8: divided by 257", stacklevel=2)
        image = Image.fromarray(np.rint(np.asarray(image) / 257).astype(np.uint8))
    if image.has_transparency_data and image.convert("RGBA").getextrema()[-1][0] < 255:
        warnings.warn("transparent parts of pictures are shown on white", stacklevel=2)
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image.convert("RGBA"))
    return image.convert("RGB")
