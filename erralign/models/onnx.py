"""Networks in ONNX files."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from erralign._validation import DataError, check_choice, expected
from erralign.files import what_is
from erralign.models.checkpoints import digest_of
from erralign.models.libraries import onnxruntime, versions
from erralign.models.naming import CannotBeNamedError, named
from erralign.models.networks import Classifier, Forward, Preparation, first_line, preparation

_ON_GPU = ("CUDAExecutionProvider", "ROCMExecutionProvider", "MIGraphXExecutionProvider")
_ON_APPLE = ("CoreMLExecutionProvider",)
_LOCATION = re.compile(rb"\n\x08location\x12(?:([\x00-\x7f])|([\x80-\xff])([\x00-\x7f]))", re.DOTALL)
_KINDS = {"tensor(float)": np.float32, "tensor(float16)": np.float16, "tensor(double)": np.float64}


def onnx_network(
    name: str,
    path: Path,
    *,
    settings: Mapping[str, Any],
    transform: Callable[[Any], Any] | None = None,
    preprocessing: str = "own",
    classes: tuple[str, ...] | None = None,
    device: str | None = None,
    precision: str = "float32",
    logits: str | int | None = None,
) -> Classifier:
    """Load a network from an ONNX file."""
    check_choice("precision of an ONNX file", precision, ["float32"])
    available = onnxruntime().get_available_providers()
    providers = _providers(device, available)
    weights = _hash_with_external(path)
    try:
        session = onnxruntime().InferenceSession(str(path), providers=providers)
    except Exception as error:
        raise DataError(
            f"{path.name} cannot be read as ONNX ({what_is(path.read_bytes()[:200])}; {first_line(error)}); export it "
            "anew"
        ) from error
    runs_on = session.get_providers()[0]
    if device and device != "cpu" and runs_on == "CPUExecutionProvider":
        raise ValueError(f"device is {device!r}, which ONNX Runtime can't use here; give another, such as cpu")
    given = session.get_inputs()
    if len(given) != 1 or given[0].type not in _KINDS or len(given[0].shape) != 4:
        there = ", ".join(f"{each.name} {each.type} {each.shape}" for each in given)
        raise ValueError(
            f"{path.name} takes {there}; expected one input, a batch of pictures in floating point: export the network "
            "without what else it takes"
        )
    shape = given[0].shape[1:]
    last = shape[-1] == 3 and shape[0] != 3  # colours behind, as TensorFlow has them
    shape = [shape[-1], *shape[:-1]] if last else shape
    fixed = {"input_size": tuple(shape)} if all(isinstance(size, int) for size in shape) else {}
    if transform is None:
        if fixed:  # also in place of the size for tests
            settings = {key: value for key, value in settings.items() if key != "test_input_size"} | fixed
        prepared = preparation(settings, preprocessing)
        said = prepared.exactly
    else:
        check_choice("preprocessing beside a transform", preprocessing, ["own"])
        prepared = Preparation(transform, lambda pixels: pixels, "its own")
        try:
            said = named(transform)
        except CannotBeNamedError:
            said = ""
    facts = {
        "source": path.name,
        "revision": f"onnxruntime {onnxruntime().__version__}",
        "weights": weights or digest_of(path),
        "preprocessing": prepared.described,
        "precision": "float32",
        "versions": versions(),
    }
    wanted = _output(name, session, logits, classes)

    def forward_to(layer: str) -> Forward:
        return _forward(name, session, layer, wanted, prepared, last)

    def key() -> str:
        return f"{weights} {said} {wanted} {facts['revision']} {versions()} {runs_on}" if weights and said else ""

    return Classifier(name, prepared.prepare, forward_to, classes, facts, runs_on, key=key, prepared=said, why_not="")


def _providers(device: str | None, available: Sequence[str]) -> list[Any]:
    kind, _, number = (device or "").partition(":")
    if kind == "cpu":
        return ["CPUExecutionProvider"]
    wanted = {"": (*_ON_GPU, *_ON_APPLE), "cuda": _ON_GPU, "mps": _ON_APPLE}.get(kind, ())
    there = [each for each in wanted if each in available]
    if device and (not there or not (number.isdecimal() or not number)):
        raise ValueError(f"device is {device!r}, which ONNX Runtime has not on this machine; give another, such as cpu")
    more: dict[str, Any] = {"device_id": int(number)} if number else {}
    return [*((each, more) if more else each for each in there), "CPUExecutionProvider"]


def _hash_with_external(path: Path) -> str:
    """Return a SHA-256 of a file and of those beside it that hold its weights; empty if these are not found."""
    content = path.read_bytes()
    files, found = set(), 0
    for match in _LOCATION.finditer(content):
        found += 1
        size = match[1][0] if match[1] else (match[2][0] & 127) + (match[3][0] << 7)
        files.add(content[match.end() : match.end() + size].decode(errors="replace"))
    if content.count(b"\n\x08location") != found or not all((path.parent / name).is_file() for name in files):
        return ""
    digest = hashlib.sha256(content)
    for name in sorted(files):
        digest.update(f"{name} {digest_of(path.parent / name)}".encode())
    return digest.hexdigest() if files else hashlib.sha256(content).hexdigest()


def _output(name: str, session: Any, logits: str | int | None, classes: tuple[str, ...] | None) -> str:
    outputs = {output.name: output.shape for output in session.get_outputs()}
    if logits is not None:
        wanted = str(logits)
        if wanted not in outputs and wanted.isdecimal():
            wanted = dict(enumerate(outputs)).get(int(wanted), wanted)
        if wanted not in outputs:
            raise ValueError(f"{name} has no output {wanted!r}; {expected(wanted, list(outputs))}")
        return wanted
    n_classes = 1000 if classes is None else len(classes)
    fitting = [each for each, shape in outputs.items() if shape and shape[-1] == n_classes]
    for some in (list(outputs), [each for each in outputs if each == "logits"], fitting):
        if len(some) == 1:
            return some[0]
    there = ", ".join(f"{each} {shape}" for each, shape in outputs.items())
    raise ValueError(f"{name} has the outputs {there}; name which are the logits with logits=... (--logits)")


def _forward(name: str, session: Any, layer: str, logits: str, preparation: Preparation, colours_last: bool) -> Forward:
    outputs = [output.name for output in session.get_outputs()]
    if layer not in ("logits", *outputs):
        raise ValueError(f"{name} has no output {layer!r}; {expected(layer, ['logits', *outputs])}")
    wanted = logits if layer == "logits" else layer
    input_ = session.get_inputs()[0]
    at_once = input_.shape[0] if isinstance(input_.shape[0], int) else None  # some files take a fixed number only

    def forward(pixels: Any) -> np.ndarray:
        pixels = np.asarray(preparation.normalise(pixels))
        if colours_last and pixels.shape[1] == 3:
            pixels = np.ascontiguousarray(pixels.transpose(0, 2, 3, 1))
        pixels = pixels.astype(_KINDS[input_.type])
        if at_once is None:
            return session.run([wanted], {input_.name: pixels})[0].reshape(len(pixels), -1)
        padded = np.concatenate([pixels, np.zeros((-len(pixels) % at_once, *pixels.shape[1:]), pixels.dtype)])
        runs = [session.run([wanted], {input_.name: some})[0] for some in np.split(padded, len(padded) // at_once)]
        return np.concatenate(runs).reshape(len(padded), -1)[: len(pixels)]

    return forward
