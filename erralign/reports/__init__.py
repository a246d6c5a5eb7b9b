"""What ``erralign compare`` writes about your own answers: a table, JSON, Markdown, or one HTML file."""

from erralign._lazy import shown

__getattr__, __dir__, __all__ = shown(__name__, __file__)
