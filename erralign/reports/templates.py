"""The templates of a report: its notes, its sentences, and its pages."""

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, select_autoescape

from erralign.plot.theme import number, span, with_interval

TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent),
    autoescape=select_autoescape(["html"]),
    trim_blocks=True,
    lstrip_blocks=True,
)


def _with_interval(limits: Any, digits: int = 2) -> str:
    value, low, high = limits
    return with_interval(value, low, high, digits)


def _without_sign(gap: Any) -> list[float]:
    return [abs(gap[0]), *sorted(map(abs, gap[1:]))]


TEMPLATES.filters |= {"number": number, "span": span, "with_interval": _with_interval, "without_sign": _without_sign}


def filled(template: str, **facts: Any) -> str:
    """Return a template with what it tells of."""
    return TEMPLATES.get_template(template).render(**facts)


def lines_of(template: str, **facts: Any) -> list[str]:
    """Return the lines of a template that say something."""
    return [line for line in filled(template, **facts).split("\n") if line]
