"""From what a reader calls a model to a classifier that is ready to run."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from fnmatch import filter as matching
from os import PathLike
from pathlib import Path
from typing import Any

from erralign._validation import DataError, expected
from erralign.files import what_is
from erralign.models.checkpoints import digest_of, fitted, read
from erralign.models.libraries import timm, torch
from erralign.models.networks import PACKAGES, Classifier, first_line, function, is_installed, lite_network, network
from erralign.models.onnx import onnx_network
from erralign.models.others import from_folder, from_function

_CHECKPOINTS = (".safetensors", ".pth", ".pt", ".bin", ".ckpt", ".tar")
_HUB = "hf-hub:"
_SECONDS_TO_CONNECT = 5
_Loaded = tuple[Any, dict[str, str]]  # a network, and where it comes from
_WEIGHTS = ("model.safetensors", "pytorch_model.bin")  # on the hub


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
    logits: str | int | None = None,
) -> Classifier:
    """Load a classifier, wherever it is.

    Parameters
    ----------
    model : str, path or callable
        * a name in timm, such as ``"resnet50"`` or ``"resnet50.a1_in1k"``, with its trained weights;
          ``"tf_efficientnet_lite0"``, ``…1`` and ``…2`` come from Python packages and need no internet;
        * ``"hf-hub:owner/name"`` or ``"hf-hub:owner/name@commit"``, a timm model on the Hugging Face hub;
        * ``"resnet50:weights.safetensors"``, a name in timm and the path of a checkpoint (``.safetensors``, or what
          ``torch.save`` wrote of tensors, within other dicts or under names with ``module.`` or ``model.`` before
          them); or the path alone, with ``architecture``;
        * ``"my_module.py:make_model"``, a function in a file: it returns a network and its transform, and as a third
          the words that the outputs mean if they are not ImageNet's;
        * ``"resnet50:model.onnx"``, or the path of an ONNX file with ``architecture`` or ``transform`` for the
          preprocessing;
        * a folder that ``save_pretrained`` of transformers wrote: a classifier, or a CLIP, which answers with
          ``classes`` (default: the 16 categories of the experiments), each as ``a photo of a ...``;
        * a ``torch.nn.Module``, with ``architecture`` or ``transform`` for the preprocessing unless it is one of timm;
        * any other callable, from a list of pictures (``PIL.Image.Image``, RGB), or a batch of what ``transform`` makes
          of them, to logits or probabilities, one row per picture.
    architecture : str, optional
        The name in timm of a checkpoint's network. Its preprocessing is taken, too.
    classes : iterable of str, optional
        What the outputs mean, in their order. Default: the 1,000 classes of ImageNet.
    preprocessing : {"own", "whole"}
        ``"own"`` prepares pictures as the network's makers do when they evaluate it (timm's test size and crop), which
        most often cuts off the border. ``"whole"`` shows the whole picture.
    device : str, optional
        Where to run, such as ``cuda:1``. Default, and for ``""``: CUDA, MPS or the processor, the first of them that is
        there. ``Classifier.device`` and the progress of a run say which. A network of yours is brought there.
    precision : {"float32", "bfloat16"}
        With ``"bfloat16"`` a network of torch is faster on a GPU, and less exact; :func:`run` says how many answers
        that changes.
    transform : callable, optional
        From a picture to a tensor or an array, of one shape for all pictures, for a model that then gets them stacked.
    name : str, optional
        What to call the model in tables. Default: its name in timm, or the file's.
    logits : str or int, optional
        Which of several outputs are the logits: a key, an attribute, or a place. Default: the one that is called so, or
        the only one.

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
    how: dict[str, Any] = {"classes": named, "device": device or None, "preprocessing": preprocessing}
    how |= {"precision": precision, "logits": logits, "transform": transform}
    if isinstance(model, str | PathLike):
        return _named(model, architecture, name, how)
    return _given(model, architecture, name or str(getattr(model, "__name__", type(model).__name__)), how, "a network")


def _given(model: Any, architecture: str | None, name: str, how: dict[str, Any], source: str) -> Classifier:
    """Take what a reader made: a network, or another callable."""
    if not isinstance(model, torch().nn.Module):
        return function(name, model, how["classes"], how["transform"])
    settings = _settings(architecture) if architecture else getattr(model, "pretrained_cfg", {})
    _must_have_settings(settings or how["transform"], source)
    return network(name, model, settings=settings, origin={"source": source}, **how)


def _named(model: str | PathLike[str], architecture: str | None, name: str | None, how: dict[str, Any]) -> Classifier:
    name = name or name_of(model)
    if parts := _function_in(model):
        path, called = parts
        if not path.is_file():
            raise ValueError(f"there is no file {str(path)!r}")
        made = from_function(path, called)
        how |= {"transform": made.transform, "classes": how["classes"] or made.words}
        return _given(made.module, None, name, how, f"{path.name}:{called}")
    before, file = architecture_and_file(model)
    if before and architecture and before != architecture:
        raise ValueError(f"{model} names {before}, and architecture is {architecture}; give one of them")
    architecture = before or architecture
    path = Path(file)
    if path.is_dir() and not _is_of_timm(str(model)):
        made = from_folder(path, how["classes"])
        how |= {"transform": how["transform"] or made.transform, "classes": made.words}
        return network(name, made.module, settings={}, origin={"source": path.name}, ours=True, **how)
    if _is_file(file) and not path.is_file():
        raise ValueError(f"there is no file {str(path)!r}; give the path of a checkpoint, or a model's name in timm")
    if path.suffix == ".onnx":
        _must_have_settings(architecture or how["transform"], path.name)
        settings = _settings(architecture) if architecture else {}
        return onnx_network(name, path, settings=settings, **how)
    if path.suffix in _CHECKPOINTS:
        module, origin = _from_checkpoint(path, architecture, how["classes"])
    elif path.is_file() and not _is_of_timm(str(model)):
        raise DataError(
            f"{path.name} is no model that is known here: {what_is(path.read_bytes())}; expected "
            f"{', '.join(_CHECKPOINTS)}, .onnx, or module.py:function"
        )
    else:
        module, origin = _from_timm(str(model))
    return network(name, module, settings=module.pretrained_cfg, origin=origin, ours=True, **how)


def name_of(model: str | PathLike[str]) -> str:
    """Return what a model is called in tables."""
    if parts := _function_in(model):
        path, called = parts
        return path.stem if called == "make_model" else f"{path.stem}:{called}"
    _, file = architecture_and_file(model)
    if _is_file(file):
        return Path(file).stem
    if Path(file).is_dir() and not _is_of_timm(str(model)):
        return Path(file).resolve().name
    return str(model).removeprefix(_HUB)


def _function_in(model: str | PathLike[str]) -> tuple[Path, str] | None:
    found = re.fullmatch(r"(.*\.py):(\w+)", str(model))
    if found is None and str(model).endswith(".py"):
        raise ValueError(f"{model} is a file of Python; name the function that makes the network: {model}:make_model")
    return (Path(found[1]), found[2]) if found else None


def architecture_and_file(model: str | PathLike[str]) -> tuple[str | None, str]:
    """Divide ``resnet50:weights.pth``; a path that is there is no such pair."""
    before, colon, file = str(model).partition(":")
    if colon and _is_file(file) and not Path(model).exists() and re.fullmatch(r"[\w.]{2,}", before):
        return before, file
    return None, str(model)


def is_local(model: str) -> bool:
    """Return whether a model is a file or a folder on this machine."""
    file = architecture_and_file(model)[1]
    return bool(_function_in(model)) or _is_file(file) or (Path(file).is_dir() and not _is_of_timm(model))


def _is_of_timm(name: str) -> bool:
    return name.startswith(_HUB) or bool(timm().is_model(name))


def names(pattern: str) -> list[str]:
    """Return the models that a pattern such as ``resnet*`` means, or the name itself."""
    if not set("*?[") & set(pattern) or pattern.startswith(_HUB) or _is_file(pattern) or _function_in(pattern):
        return [pattern]
    here = [*filter(is_installed, PACKAGES)]
    trained = [*here, *(name for name in timm().list_models(pretrained=True) if name.split(".")[0] not in here)]
    fitting = matching(trained, pattern)
    if not fitting:
        raise ValueError(f"no model in timm that has trained weights fits {pattern!r}; {expected(pattern, trained)}")
    return fitting


def _is_file(model: str | PathLike[str]) -> bool:
    return Path(model).suffix in (*_CHECKPOINTS, ".onnx")


def _must_have_settings(settings: object, what: str) -> None:
    if not settings:
        raise ValueError(
            f"{what} does not say how pictures are prepared for it; name with architecture=... (--architecture) the "
            "model of timm that takes them alike, such as resnet50, or give what prepares a picture: "
            "erralign.models.load(module, transform=...)"
        )


def _check_name(name: str) -> None:
    if not timm().is_model(name):
        known = [*timm().list_models(), *timm().list_models(pretrained=True)]
        raise ValueError(f"timm has no model {name!r}; {expected(name, known)}")


def _settings(architecture: str | None) -> dict[str, Any]:
    _check_name(str(architecture))
    return timm().get_pretrained_cfg(architecture).to_dict()


def _from_timm(name: str) -> _Loaded:
    if is_installed(name):
        return lite_network(name)
    if not name.startswith(_HUB):
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
        get_session().head(constants.ENDPOINT, timeout=_SECONDS_TO_CONNECT)
    except Exception:  # of many kinds, as above
        return False
    return True


def _origin(settings: dict[str, Any]) -> dict[str, str]:
    """Return from which repository of the hub, and which commit, weights came: the path in the hub's cache tells."""
    from huggingface_hub import try_to_load_from_cache

    repository, _, wanted = settings["hf_hub_id"].partition("@")
    files = (try_to_load_from_cache(repository, file, revision=wanted or None) for file in _WEIGHTS)
    commits = [Path(file).parent.name for file in files if isinstance(file, str)]
    return {"source": repository, "revision": next(iter(commits), wanted)}


def _from_checkpoint(path: Path, architecture: str | None, classes: tuple[str, ...] | None) -> _Loaded:
    if architecture is None:
        read(path)  # says so where it holds something else
        raise ValueError(
            f"{path.name} holds weights only; name its network, a model of timm, with architecture=... "
            "(--architecture), or make it yourself: erralign.models.load(module, transform=...)"
        )
    _check_name(architecture)
    module = timm().create_model(architecture, num_classes=len(classes) if classes else 1000)
    tensors, which = fitted(path, module, architecture)
    module.load_state_dict(tensors)
    revision = f"sha256 {digest_of(path)[:12]}" + (f", {which}" if which else "")
    return module, {"source": path.name, "revision": revision}
