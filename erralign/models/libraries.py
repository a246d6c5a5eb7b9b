"""torch, timm, ONNX Runtime: imported here and nowhere else, at the moment when something needs them."""

import sys
import warnings
from functools import cache
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from erralign._validation import lacking

_EXTRAS = {"onnxruntime": "onnx"}  # of others it is "models"
_DISTRIBUTIONS = ("torch", "torchvision", "timm", "pillow")  # what an output depends on, beside the weights


def check_installed() -> None:
    """Say so where torch is not installed, without importing it: that takes long, and other things may be wrong."""
    if find_spec("torch") is None:
        raise lacking("running models", "models", "torch")


@cache
def torch() -> ModuleType:
    """Import torch."""
    return _needed("torch")


@cache
def timm() -> ModuleType:
    """Import timm, and torchvision before it."""
    _import_torchvision()
    with warnings.catch_warnings():  # of a bar in notebooks that nobody asked for
        warnings.filterwarnings("ignore", "IProgress not found")
        return _needed("timm")


@cache
def onnxruntime() -> ModuleType:
    """Import ONNX Runtime."""
    return _needed("onnxruntime")


def versions() -> str:
    """Name the versions of the libraries on which a network's output depends."""
    more = [name for name in ("transformers",) if name in sys.modules]
    return ", ".join(f"{name} {version(name)}" for name in (*_DISTRIBUTIONS, *more))


def _needed(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise lacking("running models", _EXTRAS.get(name, "models"), error.name) from error


_declared: list[Any] = []  # stays alive as long as the process


def _import_torchvision() -> None:
    """Import torchvision, also where its compiled part was made for another torch: its wheel on PyPI is for CUDA."""
    try:
        _needed("torchvision")
    except RuntimeError as error:
        if "torchvision::nms" not in str(error):
            raise
        for half_loaded in [name for name in sys.modules if name.split(".")[0] == "torchvision"]:
            del sys.modules[half_loaded]
        _declared.append(torch().library.Library("torchvision", "FRAGMENT"))
        for operator in ("nms", "qnms"):
            _declared[-1].define(f"{operator}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        _needed("torchvision")
