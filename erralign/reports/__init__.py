"""What ``erralign compare`` writes about your own answers: a table, JSON, Markdown, or one HTML file."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from erralign.reports.comparison import Comparison, compare, compare_file
    from erralign.reports.formats import as_json, as_markdown, as_text, page
    from erralign.reports.options import Options

__all__ = ["Comparison", "Options", "as_json", "as_markdown", "as_text", "compare", "compare_file", "page"]
__dir__ = __all__.copy

# Each is imported when it is first used: the command line needs the options alone.
_HOMES = dict.fromkeys(("as_json", "as_markdown", "as_text", "page"), "formats") | {"Options": "options"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'erralign.reports' has no attribute {name!r}")
    home = import_module(f"erralign.reports.{_HOMES.get(name, 'comparison')}")
    return globals().setdefault(name, getattr(home, name))
