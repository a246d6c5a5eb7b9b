"""What a network computes, as a name: the same name only where all is the same; no name where that cannot be known."""

import hashlib
import re
import sys
import types
from collections.abc import Mapping
from enum import Enum
from functools import partial
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from erralign.models.libraries import torch

# Their versions are among the facts of a run, so that a name in one of them stands for its code.
_LIBRARIES = {
    "torch",
    "torchvision",
    "timm",
    "transformers",
    "numpy",
    "PIL",
    "builtins",
    "math",
    "functools",
    "operator",
}
_LIBRARIES |= {"collections", "itertools", "enum", "re", "typing", "abc", "_operator", "_functools", "_collections"}
_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))


class CannotBeNamedError(Exception):
    """Something computes of which only its owner knows what: the message says where it is."""


def named(thing: Any) -> str:
    """Return a SHA-256 of all on which a network or a transform depends: classes, attributes, hooks, numbers."""
    naming = _Naming()
    if isinstance(thing, torch().nn.Module):
        if torch().overrides._get_current_function_mode() is not None:  # noqa: SLF001
            raise CannotBeNamedError("a TorchFunctionMode changes what functions of torch compute")
        naming.add(_functions_of("torch.nn.functional", "the network"), "functions")
        everywhere = torch().nn.modules.module
        for hooks in ("_global_forward_hooks", "_global_forward_pre_hooks"):
            naming.add(getattr(everywhere, hooks), hooks)
    naming.add(thing, type(thing).__name__)
    return naming.digest.hexdigest()


def hash_of(state: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a network's weights: of names and numbers, whatever file they came in."""
    digest = hashlib.sha256()
    for name, tensor in state.items():
        digest.update(name.encode())
        digest.update(_bytes_of(tensor))
    return digest.hexdigest()


def _bytes_of(tensor: Any) -> Any:
    return tensor.detach().cpu().contiguous().reshape(-1).view(torch().uint8).numpy()


class _Naming:
    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self.seen: dict[int, int] = {}  # by identity, in which order things came: what is there twice is named once
        self.kept: list[Any] = []  # so that no identity is given away again
        self.classes: dict[type, str] = {}

    def add(self, thing: Any, where: str) -> None:
        if isinstance(thing, _PLAIN):
            self._say(f"{type(thing).__name__} {thing!r}")
            return
        if isinstance(thing, type) or (callable(thing) and isinstance(thing, _FUNCTIONS)):
            self._function(thing, where)
            return
        if id(thing) in self.seen:
            self._say(f"again {self.seen[id(thing)]}")
            return
        self.seen[id(thing)] = len(self.seen)
        self.kept.append(thing)
        self._class(type(thing), where)
        if isinstance(thing, torch().Tensor):
            self._tensor(thing, where)
        elif isinstance(thing, np.ndarray | np.generic):
            array = np.asarray(thing)
            if array.dtype.hasobject:
                raise CannotBeNamedError(f"{where} is an array of objects")
            self._say(f"{array.dtype} {array.shape}")
            self.digest.update(np.ascontiguousarray(array).tobytes())
        elif isinstance(thing, Enum | PurePath) or (
            type(thing).__module__ == "torch" and not hasattr(thing, "__dict__")
        ):
            self._say(repr(thing))  # such as torch.float32, torch.device, torch.Size
        else:
            self._parts(thing, where)

    def _parts(self, thing: Any, where: str) -> None:
        parts = False
        if isinstance(thing, Mapping):
            parts = True
            for key, value in thing.items():
                self.add(key, where)
                self.add(value, f"{where}.{key}")
        elif isinstance(thing, list | tuple):
            parts = True
            for place, value in enumerate(thing):
                self.add(value, f"{where}[{place}]")
        elif isinstance(thing, set | frozenset):
            parts = True
            if not all(isinstance(each, _PLAIN) for each in thing):
                raise CannotBeNamedError(f"{where} is a set of objects")
            self._say(repr(sorted(map(repr, thing))))
        elif isinstance(thing, partial):
            parts = True
            self.add((thing.func, thing.args, thing.keywords), where)
        elif isinstance(thing, re.Pattern):
            parts = True
            self.add((thing.pattern, thing.flags), where)
        for kind in type(thing).__mro__:
            declared = vars(kind).get("__slots__", ())
            for name in (declared,) if isinstance(declared, str) else declared:
                if name not in ("__dict__", "__weakref__") and hasattr(thing, name):
                    parts = True
                    self._say(f"slot {name}")
                    self.add(getattr(thing, name), f"{where}.{name}")
        if hasattr(thing, "__dict__"):
            parts = True
            for key, value in vars(thing).items():
                self._say(f"attribute {key}")
                if key in _HOOKS:
                    value = list(value.values())
                self.add(value, f"{where}.{key}")
        if not parts:
            raise CannotBeNamedError(f"{where} is a {type(thing).__name__}, of which nothing is known")
        self._say("end")

    def _tensor(self, tensor: Any, where: str) -> None:
        if tensor.layout != torch().strided or tensor.is_quantized or tensor.is_meta:
            raise CannotBeNamedError(f"{where} is a tensor of another kind than most")
        self._say(f"{tensor.dtype} {tuple(tensor.shape)}")
        self.digest.update(_bytes_of(tensor))
        self.add(dict(vars(tensor)), where)

    def _function(self, thing: Any, where: str) -> None:
        if isinstance(thing, types.MethodType):
            self.add(thing.__self__, where)
            self.add(thing.__func__, where)
        elif isinstance(thing, type):
            self._class(thing, where)
        else:
            _check_in_library(thing, where)
            self._say(f"{thing.__module__}.{thing.__qualname__}")

    def _class(self, kind: type, where: str) -> None:
        if kind not in self.classes:
            self.classes[kind] = _name_of_class(kind, where)
        self._say(self.classes[kind])

    def _say(self, words: str) -> None:
        self.digest.update(words.encode() + b"\0")


_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, type(len), np.ufunc)
_HOOKS = {"_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks", "_state_dict_hooks"}
_HOOKS |= {"_state_dict_pre_hooks", "_load_state_dict_pre_hooks", "_load_state_dict_post_hooks"}


def _check_in_library(thing: Any, where: str) -> None:
    """Raise unless a class or function is what its library has under this name."""
    module, path = getattr(thing, "__module__", None) or "builtins", getattr(thing, "__qualname__", "")
    if module.split(".")[0] == "erralign":  # where outputs are kept, a number says how our own code makes them
        return
    if module.split(".")[0] not in _LIBRARIES:
        raise CannotBeNamedError(f"{where} uses {path} of {module}, whose code may be another the next time")
    found: Any = sys.modules.get(module)
    for part in path.split("."):
        found = getattr(found, part, None)
    if found is not thing and getattr(found, "__func__", found) is not thing:
        raise CannotBeNamedError(f"{where} uses {path}, which is not what {module} has under this name")


def _name_of_class(kind: type, where: str) -> str:
    """Name a class, its methods and the functions that its modules call: any may have been replaced by others."""
    _check_in_library(kind, where)
    said = [f"{kind.__module__}.{kind.__qualname__}"]
    for parent in kind.__mro__:
        for name, method in vars(parent).items():
            if isinstance(method, types.FunctionType | types.BuiltinFunctionType):
                said.append(f"{name}={_installed(method, f'{where}: {name} of {kind.__qualname__}')}")
        if parent.__module__.partition(".")[0] in ("torch", "torchvision", "timm", "transformers"):
            said.append(_functions_of(parent.__module__, where))
    return " ".join(said)


def _functions_of(module: str, where: str) -> str:
    functions = [
        f"{name}={_installed(each, f'{where}: {module}.{name}')}"
        for name, each in sorted(vars(sys.modules[module]).items())
        if isinstance(each, types.FunctionType | types.BuiltinFunctionType)
    ]
    return f"{module} {' '.join(functions)}"


def _installed(function: Any, where: str) -> str:
    """Return the name of a function; raise if its code is not of a library, whatever name it has."""
    if isinstance(function, types.BuiltinFunctionType):
        return function.__name__
    home = function.__globals__.get("__name__", "")
    if home.partition(".")[0] not in {*_LIBRARIES, *sys.stdlib_module_names, "erralign"} and not home.startswith(
        "namedtuple_"
    ):
        file = getattr(sys.modules.get(home), "__file__", None) or ""
        if not Path(file).is_relative_to(Path(str(torch().__file__)).parent.parent):
            raise CannotBeNamedError(f"{where} was replaced by code of {home}")
    return f"{home}.{function.__qualname__}"
