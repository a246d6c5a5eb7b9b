"""What ``erralign compare`` writes about your own answers: a table, JSON, or one HTML file that works offline."""

from erralign.reports.comparison import Comparison, compare, compare_file
from erralign.reports.page import page
from erralign.reports.words import as_json, as_text

__all__ = ["Comparison", "as_json", "as_text", "compare", "compare_file", "page"]


def __dir__() -> list[str]:
    return __all__
