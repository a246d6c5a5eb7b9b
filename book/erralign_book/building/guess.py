"""A guess that counts: a lesson asks one question that its data decide, and the reader answers before reading on.

``guess`` writes the question, ``guess_curve`` one whose answer is drawn. Cells with the tag ``guessed`` and ``:::{div}
guessed`` are the answer: the build puts all from the first to the last of a section behind a fold (folds.py), which
opens once the reader has answered.
"""

import json
import re
from collections.abc import Mapping, Sequence
from html import escape

import pandas as pd

from erralign.errors import check_choice, check_range
from erralign.plot.html import Table

NEAR = 0.05  # of a slider's range: so near to the answer is right


def guess(
    lesson: str,
    question: str,
    answer: str | float,
    *,
    options: Sequence[str] = (),
    ends: tuple[float, float] = (0, 1),
    interval: tuple[float, float] | None = None,
    because: str = "",
    promised: float | None = None,
) -> Table:
    """Ask a question, with buttons for its ``options``, or without them a slider from one of the ``ends`` to the other.

    ``lesson`` is the page as ``_toc.yml`` names it, to which the summary of all guesses leads back. What the data say
    comes from a cell: ``answer``, one of the options or a number between the ends (of shares, or of whole numbers
    where the upper end is above 1), with its ``interval`` if it has one, and ``because``, a sentence with the numbers.
    A number that was ``promised`` is marked on the line.
    """
    data: dict[str, object] = {"lesson": lesson, "question": question, "because": because}
    if options:
        check_choice("answer", answer, list(options))
        buttons = (f'<button value="{escape(each)}">{escape(each)}</button>' for each in options)
        return _form(data | {"answer": answer}, " ".join(buttons))
    low, high = ends
    value = float(answer)
    check_range("answer", value, low, high)
    step, digits = (1, 0) if high > 1 else (0.01, 2)
    named = set(map(float, re.findall(r"\d+(?:\.\d+)?", question)))  # where the slider does not begin
    starts = (round(low + share * (high - low), digits) for share in (0.5, 0.4, 0.6, 0.3))
    start = f"{next(each for each in starts if each not in named):.{digits}f}"
    marks = {"is": value} | dict(zip(("low", "high"), interval or (value, value), strict=True))
    data |= {"low": marks["low"], "high": marks["high"], "ends": ends}
    places = "; ".join(f"--{name}: {(each - low) / (high - low):.4f}" for name, each in marks.items())
    slider = f'type="range" min="{low}" max="{high}" step="{step}" value="{start}" aria-label="{escape(question)}"'
    begins, ends_at = (f'<span class="guess-end">{end:g}</span>'.replace("-0", "−0") for end in ends)
    track = f'<span class="guess-line" style="{places}" data-is="{value:.{digits}f}"><i></i><input {slider}>'
    at = f'<b class="guess-end" style="--at: {((promised or 0) - low) / (high - low):.4f}">{promised} promised</b>'
    line = f"{begins}{track}<output></output>{at * (promised is not None)}</span>{ends_at}"
    about = data | {"answer": f"{value:.{digits}f}", "near": NEAR * (high - low)}
    return _form(about, f"{line} <button>I guess so</button>")


def guess_curve(
    lesson: str, question: str, curves: pd.DataFrame, x: str, *, chance: float, pictures: Sequence[str]
) -> Table:
    """Ask for a curve, drawn over empty axes: the machines' one, beside that of people.

    ``curves`` has a row per place on the axis ``x``, from left to right, named as there, and percentages in two
    columns, ``people`` and ``networks``; the reader gets the first column whole, and the first value of the second.
    ``chance`` is what guessing gives, and ``pictures`` are addresses, of one below each place.
    """
    last = len(curves) - 1
    first, *rest = curves["networks"].round().astype(int)
    points = {name: " ".join(f"{at},{100 - value:.1f}" for at, value in enumerate(curves[name])) for name in curves}
    drawn = "".join(f'<polyline class="{name}" points="{points[name]}"/>' for name in points)
    dots = "".join(
        f'<input type="range" min="0" max="100" value="{first}" style="--at: {at / last:.3f}; --up: {first}"'
        f' aria-label="networks at {escape(str(name))}, {escape(x)}, in percent">'
        for at, name in enumerate(curves.index[1:], 1)
    )
    mark = '<span style="--at: {:.3f}">{}{}</span>'.format  # as in the charts, a number is below its picture
    images = (f'<img src="{each}" alt="" width="112" height="112">' for each in pictures)
    named = enumerate(zip(curves.index, images, strict=True))
    marks = "".join(mark(at / last, image, escape(str(each))) for at, (each, image) in named)
    apart = int((curves["people"] - curves["networks"]).abs().argmax())  # where a name can be told to be of its curve
    place = f'style="--at: {apart / last:.3f}; --up: {{:.0f}}"'.format
    names = "".join(f'<b class="{name}" {place(curves[name].iloc[apart])}>{name}</b>' for name in curves)
    scale = "".join(f'<s style="--up: {share}">{share} %</s>' for share in (0, 50, 100))
    plot = (
        f'<p class="guess-axis-title">named correctly</p><div class="guess-curve">{scale}'
        f'<s class="by-chance" style="--up: {chance}">chance</s>'
        f'<svg viewBox="0 0 {last} 100" preserveAspectRatio="none" aria-hidden="true"><polygon/>'
        f'{drawn}<polyline class="mine"/></svg>{names}<i style="--up: {first}"></i>{dots}</div>'
        f'<p class="guess-axis" aria-hidden="true">{marks}</p>'
        f'<p class="guess-axis-title">{escape(x)}</p> <button>I guess so</button>'
    )
    about = {"lesson": lesson, "question": question, "because": "", "near": 200 * NEAR}
    return _form(about | {"answer": " ".join(map(str, rest)), "places": list(curves.index[1:])}, plot)


def _form(data: Mapping[str, object], controls: str) -> Table:
    # Without a script nothing can be pressed: the words of the buttons are read, and the fold below opens by hand.
    about = escape(json.dumps(data, ensure_ascii=False))
    html = (
        f'<form class="guess" data-guess="{about}"><fieldset disabled><legend>{escape(str(data["question"]))}</legend>'
        f'<div class="guess-controls">{controls}</div><p role="status"></p></fieldset></form>'
    )
    return Table(html, str(data["question"]))


def guesses() -> Table:
    """Show what the reader guessed on all pages, beside the answers."""
    return Table('<div class="guesses"><p>Your guesses appear here, in a browser with JavaScript.</p></div>', "Guesses")
