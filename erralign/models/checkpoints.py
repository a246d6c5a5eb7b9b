"""Weights in files: whatever wrapping they were saved in, and what is wrong where they do not fit."""

import hashlib
import re
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from erralign._validation import DataError
from erralign.files import what_is
from erralign.models.libraries import torch

_OBJECTS = (
    "holds objects, such as a whole network, and to read them would run code: load it yourself and give the network, "
    "erralign.models.load(module, transform=...), or save what it has learnt only: "
    "torch.save(model.state_dict(), 'weights.pth')"
)


_AVERAGED = re.compile(r"(?<![a-z])ema(?![a-z])")


class _State(NamedTuple):
    """Tensors by name, and where in the file they are."""

    where: str
    tensors: dict[str, Any]


def fitted(path: Path, module: Any, architecture: str) -> tuple[dict[str, Any], str]:
    """Return a file's tensors under the names that a network has for them, and which of several they are."""
    own = module.state_dict()
    states = sorted(_unwrapped(read(path), own), key=lambda state: len(state.tensors.keys() & own.keys()), reverse=True)
    if not states or not states[0].tensors.keys() & own.keys():
        names = [name for state in _states(read(path), "") for name in state.tensors]
        there = f"its first tensor is {names[0]!r}, and the network's {next(iter(own))!r}" if names else "no tensor"
        raise DataError(
            f"{path.name} does not hold weights of {architecture} ({there}); name another architecture, or load the "
            "network yourself: erralign.models.load(module, transform=...)"
        )
    most = len(states[0].tensors.keys() & own.keys())
    alike = [state for state in states if len(state.tensors.keys() & own.keys()) == most]
    if all(_equal(alike[0].tensors, state.tensors) for state in alike):
        alike = alike[:1]
    averaged = [state for state in alike if _AVERAGED.search(state.where.lower())]
    said = ""
    if len(alike) > 1:
        both = " and ".join(state.where or "its own" for state in alike)
        if len(averaged) != 1:
            raise DataError(f"{path.name} holds several networks, {both}; save the one that you mean alone")
        said = f"{averaged[0].where} (averaged over training), not " + " or ".join(
            state.where for state in alike if state is not averaged[0]
        )
        warnings.warn(f"{path.name} holds {both}; taken is {said}. For the other, save it alone", stacklevel=2)
        alike = averaged
    _check(path, alike[0].tensors, own, architecture, module)
    counts = {name: each for name, each in own.items() if name.endswith("num_batches_tracked")}
    return counts | alike[0].tensors, said


def _equal(some: Mapping[str, Any], others: Mapping[str, Any]) -> bool:
    return some.keys() == others.keys() and all(torch().equal(some[name], others[name]) for name in some)


def read(path: Path) -> Any:
    """Read what torch or safetensors wrote, and run no code of the file."""
    start = path.read_bytes()[:200]
    try:
        if path.suffix == ".safetensors":
            from safetensors.torch import load_file

            return load_file(path)
        return torch().load(path, map_location="cpu", weights_only=True)
    except Exception as error:
        if start.startswith((b"PK\x03\x04", b"\x80")) and ("weights_only" in str(error) or "TorchScript" in str(error)):
            raise DataError(f"{path.name} {_OBJECTS}") from error
        raise DataError(f"{path.name} is no file of weights, or damaged: {what_is(start)}") from error


def _states(content: Any, where: str) -> Iterator[_State]:
    if not isinstance(content, Mapping):
        return
    tensors = {str(name): each for name, each in content.items() if isinstance(each, torch().Tensor)}
    if tensors:
        yield _State(where, tensors)
    for name, each in content.items():
        yield from _states(each, f"{where}.{name}".lstrip("."))


def _unwrapped(content: Any, own: Mapping[str, Any]) -> Iterator[_State]:
    """Take off what training frameworks put before names: module., model., _orig_mod. and others."""
    for state in _states(content, ""):
        prefixes = {""}
        for name in list(own)[:2] + list(own)[-2:]:
            prefixes |= {each.removesuffix(name) for each in state.tensors if each.endswith(f".{name}")}
        for prefix in prefixes:
            inner = {name.removeprefix(prefix): each for name, each in state.tensors.items() if name.startswith(prefix)}
            if inner.keys() & own.keys():
                yield _State(".".join(filter(None, (state.where, prefix.rstrip(".")))), inner)


def _check(path: Path, tensors: Mapping[str, Any], own: Mapping[str, Any], architecture: str, module: Any) -> None:
    missing = [name for name in own if name not in tensors and not name.endswith("num_batches_tracked")]
    extra = [name for name in tensors if name not in own]
    sizes = {name: (tuple(tensors[name].shape), tuple(each.shape)) for name, each in own.items() if name in tensors}
    unfit = [name for name, (there, here) in sizes.items() if there != here]
    start = f"{path.name} does not hold weights of {architecture}"
    last = {id(each) for each in module.get_classifier().parameters()} if hasattr(module, "get_classifier") else set()
    of_last = [name for name, each in module.named_parameters() if id(each) in last]
    if unfit and set(unfit) <= set(of_last) and not missing and not extra:
        n_outputs, n_classes = sizes[unfit[0]][0][0], sizes[unfit[0]][1][0]
        raise DataError(
            f"{start} with {n_classes} classes: it has {n_outputs} outputs; name what they mean, with classes=... "
            "(--classes)"
        )
    wrong = []
    if missing:
        wrong.append(f"it lacks {missing[0]}, one of {len(missing)}")
    if extra:
        wrong.append(f"it has {extra[0]}, one of {len(extra)} that the network has not")
    if unfit:
        there, here = sizes[unfit[0]]
        wrong.append(f"{unfit[0]} has the shape {there} there and {here} in the network")
    if wrong:
        raise DataError(
            f"{start}: {'; '.join(wrong)}; name another architecture or, where its outputs are not the classes of "
            "ImageNet, classes"
        )


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
