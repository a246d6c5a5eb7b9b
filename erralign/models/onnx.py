"""Networks in ONNX files."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from erralign._validation import DataError, check_choice, expected
from erralign.models.libraries import onnxruntime, versions
from erralign.models.networks import Classifier, Forward, Preparation, preparation


def onnx_network(
    name: str,
    path: Path,
    *,
    settings: Mapping[str, Any],
    preprocessing: str = "own",
    classes: tuple[str, ...] | None = None,
    device: str | None = None,
    precision: str = "float32",
) -> Classifier:
    """Load a network from an ONNX file."""
    check_choice("precision of an ONNX file", precision, ["float32"])
    available = onnxruntime().get_available_providers()
    providers = ["CPUExecutionProvider"] if device == "cpu" else available
    try:
        session = onnxruntime().InferenceSession(str(path), providers=providers)
    except Exception as error:
        raise DataError(f"{path.name} cannot be read as ONNX ({str(error).splitlines()[0]}); export it anew") from error
    shape = session.get_inputs()[0].shape
    fixed = {"input_size": tuple(shape[1:])} if all(isinstance(size, int) for size in shape[1:]) else {}
    prepared = preparation(dict(settings) | fixed, preprocessing)
    facts = {
        "source": path.name,
        "revision": f"onnxruntime {onnxruntime().__version__}",
        "weights": hashlib.sha256(path.read_bytes()).hexdigest(),
        "preprocessing": prepared.described,
        "precision": "float32",
        "versions": versions(),
    }

    def forward_to(layer: str) -> Forward:
        return _forward(name, session, layer, prepared)

    return Classifier(name, prepared.prepare, forward_to, classes, facts, providers[0])


def _forward(name: str, session: Any, layer: str, preparation: Preparation) -> Forward:
    outputs = [output.name for output in session.get_outputs()]
    if layer not in ("logits", *outputs):
        raise ValueError(f"{name} has no output {layer!r}; {expected(layer, ['logits', *outputs])}")
    wanted = outputs[0] if layer == "logits" else layer
    input_ = session.get_inputs()[0]
    at_once = input_.shape[0] if isinstance(input_.shape[0], int) else None  # some files take a fixed number only

    def forward(pixels: Any) -> np.ndarray:
        pixels = preparation.normalise(pixels).numpy()
        if at_once is None:
            return session.run([wanted], {input_.name: pixels})[0].reshape(len(pixels), -1)
        padded = np.concatenate([pixels, np.zeros((-len(pixels) % at_once, *pixels.shape[1:]), pixels.dtype)])
        runs = [session.run([wanted], {input_.name: some})[0] for some in np.split(padded, len(padded) // at_once)]
        return np.concatenate(runs).reshape(len(padded), -1)[: len(pixels)]

    return forward
