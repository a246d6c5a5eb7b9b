"""From what a reader calls a model to a classifier that is ready to run."""

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fnmatch import filter as matching
from importlib.util import module_from_spec, spec_from_file_location
from os import PathLike
from pathlib import Path
from typing import Any

from erralign._validation import DataError, expected
from erralign.models.libraries import timm, torch
from erralign.models.networks import PACKAGES, Classifier, first_line, function, is_installed, lite_network, network
from erralign.models.onnx import onnx_network

# file.py:function, or architecture:file; a drive of Windows is one letter.
SPECIFIED = re.compile(r"(.+\.py|[\w.-]{2,}):([^:]+|[A-Za-z]:[^:]+)")
CHECKPOINTS = (".safetensors", ".pth", ".pt", ".bin", ".ckpt", ".tar")
HUB = "hf-hub:"
SECONDS_TO_CONNECT = 5
Loaded = tuple[Any, dict[str, str]]  # a network, and where it comes from
WEIGHTS = ("model.safetensors", "pytorch_model.bin")  # on the hub


def load(
    model: str | PathLike[str] | Callable[..., Any],
    *,
    architecture: str | None = None,
    classes: Iterable[str] | None = None,
    preprocessing: str = "own",
    device: str | None = None,
    precision: str = "float32",
    transform: Callable[[Any], Any] | None = None,
    name: str | None = None,
) -> Classifier:
    """Load a classifier, wherever it is.

    Parameters
    ----------
    model : str, path or callable
        * a name in timm, such as ``"resnet50"`` or ``"resnet50.a1_in1k"``, with its trained weights;
          ``"tf_efficientnet_lite0"``, ``…1`` and ``…2`` come from Python packages and need no internet;
        * ``"hf-hub:owner/name"`` or ``"hf-hub:owner/name@commit"``, a timm model on the Hugging Face hub;
        * the path of a checkpoint (``.safetensors``, or what ``torch.save`` wrote of tensors), with ``architecture``,
          or behind it: ``"resnet50:weights.safetensors"``;
        * the path of an ONNX file, with ``architecture`` for the preprocessing, or behind it: ``"resnet50:net.onnx"``;
        * ``"my_module.py:make_model"``: a file and a function in it that returns a ``torch.nn.Module`` and a transform,
          and, if the module knows other classes than ImageNet's, their names;
        * a ``torch.nn.Module``, with ``architecture`` or ``transform`` for the preprocessing unless it is one of timm;
        * any other callable, from a list of pictures (``PIL.Image.Image``, RGB), or a batch of what ``transform`` makes
          of them, to logits or probabilities, one row per picture.
    architecture : str, optional
        The name in timm of a checkpoint's network. Its preprocessing is taken, too.
    classes : iterable of str, optional
        What the outputs mean, in their order. Default: the 1,000 classes of ImageNet.
    preprocessing : {"own", "whole"}
        ``"own"`` prepares pictures as the network's makers do when they evaluate it, which most often cuts off the
        border. ``"whole"`` shows the whole picture.
    device : str, optional
        Where to run, such as ``cuda:1``. Default, also if empty: CUDA, MPS or the processor, the first that is there.
    precision : {"float32", "bfloat16"}
        With ``"bfloat16"`` a network of torch is faster on a GPU, and less exact; :func:`run` says how many answers
        that changes.
    transform : callable, optional
        From a picture to a tensor, of one shape for all pictures, for a module or another callable, which then gets
        them stacked.
    name : str, optional
        What to call the model in tables. Default: its name in timm, or the file's.

    Returns
    -------
    Classifier
        A model for :func:`answers`, :func:`confidences`, :func:`features` and :func:`run`.

    Raises
    ------
    DataError
        The weights are not on this machine and could not be downloaded, or do not fit the architecture.
    """
    named = tuple(classes) if classes is not None else None
    device = device or None
    how: dict[str, Any]
    if isinstance(model, str) and not model.startswith(HUB) and (parts := SPECIFIED.fullmatch(model)):
        before, after = parts.groups()
        if before.endswith(".py"):
            made = _made_by(Path(before), after)
            words = named or (tuple(made[2]) if len(made) > 2 else None)
            how = {"classes": words, "device": device, "precision": precision, "transform": made[1]}
            return load(made[0], name=name or Path(before).stem, **how)
        model, architecture = after, before
    how = {"classes": named, "device": device, "preprocessing": preprocessing, "precision": precision}
    if isinstance(model, str | PathLike):
        if transform is not None:
            raise ValueError("transform is for a module or another callable; a file's preprocessing is architecture's")
        return _named(model, architecture, name, how)
    if isinstance(model, torch().nn.Module):
        settings = _settings(architecture) if architecture else getattr(model, "pretrained_cfg", {})
        _must_have_settings(settings or transform, "a network")
        how |= {"settings": settings, "origin": {"source": "a network"}, "transform": transform}
        return network(name or type(model).__name__, model, **how)
    return function(name or str(getattr(model, "__name__", "model")), model, named, transform)


def _made_by(file: Path, function: str) -> Sequence[Any]:
    """Call a function in a file that makes a model: what it returns is a module, a transform and, perhaps, words."""
    if not file.is_file():
        raise ValueError(f"there is no file {str(file)!r}; expected one with a function {function}")
    spec: Any = spec_from_file_location(file.stem, file)
    module = module_from_spec(spec)
    timm()  # and torchvision, which the file may import: the wheel of another torch needs a hand
    spec.loader.exec_module(module)
    make = getattr(module, function, None)
    if not callable(make):
        raise ValueError(f"{file.name} has no function {function!r}; expected file.py:function")
    made = make()
    right = isinstance(made, Sequence) and len(made) in (2, 3)
    if not right or not isinstance(made[0], torch().nn.Module) or not callable(made[1]):
        raise ValueError(
            f"{function} in {file.name} returns {type(made).__name__}; expected a torch.nn.Module, a transform from a "
            "picture to a tensor and, if it knows other classes than ImageNet's, their names"
        )
    return made


def _named(model: str | PathLike[str], architecture: str | None, name: str | None, how: dict[str, Any]) -> Classifier:
    path = Path(model)
    if _is_file(model) and not path.is_file():
        raise ValueError(f"there is no file {str(path)!r}; give the path of a checkpoint, or a model's name in timm")
    if path.suffix == ".onnx":
        _must_have_settings(architecture, path.name)
        return onnx_network(name or path.stem, path, settings=_settings(architecture), **how)
    if path.suffix in CHECKPOINTS:
        module, origin = _from_checkpoint(path, architecture, how["classes"])
    else:
        module, origin = _from_timm(str(model))
    name = name or (path.stem if _is_file(model) else str(model).removeprefix(HUB))
    return network(name, module, settings=module.pretrained_cfg, origin=origin, **how)


def names(pattern: str) -> list[str]:
    """Return the models that a pattern such as ``resnet*`` means, or the name itself."""
    if not set("*?[") & set(pattern) or pattern.startswith(HUB) or _is_file(pattern):
        return [pattern]
    here = [*filter(is_installed, PACKAGES)]
    trained = [*here, *(name for name in timm().list_models(pretrained=True) if name.split(".")[0] not in here)]
    fitting = matching(trained, pattern)
    if not fitting:
        raise ValueError(f"no model in timm that has trained weights fits {pattern!r}; {expected(pattern, trained)}")
    return fitting


def _is_file(model: str | PathLike[str]) -> bool:
    return Path(model).suffix in (*CHECKPOINTS, ".onnx")


def _must_have_settings(settings: object, what: str) -> None:
    if not settings:
        raise ValueError(
            f"{what} does not say how pictures are prepared for it; name with architecture=... (--architecture) the "
            "model of timm that takes them alike, such as resnet50"
        )


def _check_name(name: str) -> None:
    if not timm().is_model(name):
        known = [*timm().list_models(), *timm().list_models(pretrained=True)]
        raise ValueError(f"timm has no model {name!r}; {expected(name, known)}")


def _settings(architecture: str | None) -> dict[str, Any]:
    _check_name(str(architecture))
    return timm().get_pretrained_cfg(architecture).to_dict()


def _from_timm(name: str) -> Loaded:
    if is_installed(name):
        return lite_network(name)
    if not name.startswith(HUB):
        _check_name(name)
        if not timm().is_model_pretrained(name):
            raise ValueError(f"timm has no weights for {name!r}; give a checkpoint, and this as architecture=...")
    try:
        with _hub():
            module = timm().create_model(name, pretrained=True)
    except Exception as error:  # of many kinds, from the hub's client, its transport, or torch
        raise DataError(
            f"the weights of {name} are not on this machine and could not be downloaded "
            f"({type(error).__name__}: {first_line(error)}); check name and network, or give a checkpoint"
        ) from error
    return module, _origin(module.pretrained_cfg)


@contextmanager
def _hub() -> Iterator[None]:
    """Let the hub's client look into its cache alone where it may not or can't reach the hub: it tries for a minute."""
    from huggingface_hub import constants

    before = constants.HF_HUB_OFFLINE
    try:
        constants.HF_HUB_OFFLINE = before or os.environ.get("ERRALIGN_OFFLINE") == "1" or not _hub_answers()
        yield
    finally:
        constants.HF_HUB_OFFLINE = before


def _hub_answers() -> bool:
    from huggingface_hub import constants, get_session

    try:
        get_session().head(constants.ENDPOINT, timeout=SECONDS_TO_CONNECT)
    except Exception:  # of many kinds, as above
        return False
    return True


def _origin(settings: dict[str, Any]) -> dict[str, str]:
    """Return from which repository of the hub, and which commit, weights came: the path in the hub's cache tells."""
    from huggingface_hub import try_to_load_from_cache

    repository, _, wanted = settings["hf_hub_id"].partition("@")
    files = (try_to_load_from_cache(repository, file, revision=wanted or None) for file in WEIGHTS)
    commits = [Path(file).parent.name for file in files if isinstance(file, str)]
    return {"source": repository, "revision": next(iter(commits), wanted)}


def _why(error: Exception) -> str:
    """Say what somebody can do about a checkpoint that does not load."""
    message = str(error).strip()
    if "weights_only" in message:  # torch.save(model): to load that would run code
        return "alone, but objects; save what it has learnt only: torch.save(model.state_dict(), 'weights.pth')"
    sizes = re.findall(r"size mismatch .*Size\(\[(\d+).* from checkpoint, .*Size\(\[(\d+)", message)
    if len(set(sizes)) == 1 and message.count("\n") == len(sizes):  # of the last layer alone
        n_outputs, n_classes = sizes[0]
        return (
            f"with {n_classes} classes: it has {n_outputs} outputs; name what they mean, with classes=... (--classes)"
        )
    otherwise = "name another architecture or, where its outputs are not the classes of ImageNet, classes"
    return f"({first_line(error)}); {otherwise}"


def _from_checkpoint(path: Path, architecture: str | None, classes: tuple[str, ...] | None) -> Loaded:
    if architecture is None:
        raise ValueError(f"{path.name} holds weights only; name its network with architecture=... (--architecture)")
    _check_name(architecture)
    try:
        module = timm().create_model(architecture, num_classes=len(classes) if classes else 1000)
        module.load_state_dict(timm().models.load_state_dict(str(path), weights_only=True))
    except Exception as error:
        raise DataError(f"{path.name} does not hold weights of {architecture} {_why(error)}") from error
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return module, {"source": path.name, "revision": f"sha256 {digest[:12]}"}
