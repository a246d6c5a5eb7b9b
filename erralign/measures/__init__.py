"""One object per measure; every module of this folder is imported, so that a measure may register itself in its own."""

from importlib import import_module
from pkgutil import iter_modules

from erralign._lazy import shown

__getattr__, __dir__, __all__ = shown(__name__, __file__)

for _module in iter_modules(__path__):
    import_module(f"erralign.measures.{_module.name}")
