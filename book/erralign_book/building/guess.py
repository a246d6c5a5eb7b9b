"""A guess that counts: a lesson asks one question that its data decide, and the reader answers before reading on.

``guess`` writes the question, ``guess_curve`` one whose answer is drawn. Cells with the tag ``guessed`` and ``:::{div}
guessed`` are the answer: the build puts all from the first to the last of a section behind a fold (folds.py), which
opens once the reader has answered.
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jinja2 import Environment

from erralign._validation import check_choice, check_range
from erralign.plot.html import Table
from erralign_book.charts.pictures import webp
from erralign_book.on_site import OnSite

TEMPLATE = Path(__file__).with_name("guess.html").read_text(encoding="utf-8")
PARTS: Any = Environment(autoescape=True).from_string(TEMPLATE).module
NEAR = 0.05  # of a slider's range: so near to the answer is right
BESIDE = 0.2  # of it: so far from each other names of two marks have room


def guess(
    lesson: str,
    question: str,
    answer: str | float,
    *,
    options: Sequence[str] = (),
    ends: tuple[float, float] = (0, 1),
    interval: tuple[float, float] | None = None,
    because: str = "",
    found: str = "",
    whose: str = "",
    given: Mapping[str, float] | None = None,
) -> Table:
    """Ask a question, with buttons for its ``options``, or without them a slider from one of the ``ends`` to the other.

    ``lesson`` is the page as ``_toc.yml`` names it, to which the summary of all guesses leads back. From a cell come
    the ``answer``, one of the options or a number between the ends (of shares, or of whole numbers where the upper end
    is above 1), its ``interval``, ``because``, a sentence with the numbers, and what was ``found``, the title from then
    on. Its mark is that of ``whose`` it is: "networks", "newer", "both" (a mixed pair), "both newer", "both less", or
    "difference". Numbers that are ``given`` have the mark of people or networks if their name has this word.
    """
    data: dict[str, object] = {"lesson": lesson, "question": question, "because": because}
    if options:
        check_choice("answer", answer, list(options))
        return _form(data | {"answer": answer, "options": list(options)}, PARTS.choice(options), found)
    (low, high), value = ends, float(answer)
    check_range("answer", value, low, high)
    step, digits = (1, 0) if high > 1 else (0.01, 2)
    named = set(map(float, re.findall(r"\d+(?:\.\d+)?", question)))  # no start, nor near the answer
    starts = (round(low + share * (high - low), digits) for share in (0.5, 0.4, 0.6, 0.3, 0.7))
    near = NEAR * (high - low)
    start = f"{next(at for at in starts if at not in named and abs(at - value) > 2 * near):.{digits}f}"
    limits = dict(zip(("low", "high"), interval or (value, value), strict=True))
    data |= limits | {"whose": whose, "ends": ends, "answer": f"{value:.{digits}f}", "near": near}
    if whose == "difference" and limits["low"] <= 0 <= limits["high"]:
        data["whose"] = whose = f"{whose} unclear"
    places = {name: (number - low) / (high - low) for name, number in (limits | {"is": value}).items()}
    told = []
    for name, number in (given or {}).items():
        written = f"{number:.{digits or 1}f}".removesuffix(".0")
        told.append((written, name, (float(written) - low) / (high - low)))
    under = any(abs(at - places["is"]) < BESIDE for *_, at in told)  # where two numbers have no room side by side
    return _form(data, PARTS.slider(question, ends, step, start, data["answer"], places, told, whose, under), found)


def guess_curve(
    lesson: str,
    question: str,
    curves: pd.DataFrame,
    x: str,
    *,
    chance: float,
    pictures: Sequence[np.ndarray],
    found: str = "",
) -> Table:
    """Ask for a curve, drawn over empty axes: the machines' one, beside that of people.

    ``curves`` has a row per place on the axis ``x``, from left to right, named as there, and percentages in two
    columns, ``people`` and ``networks``; the reader gets the first column whole, and the first value of the second.
    ``chance`` is what guessing gives, and of the ``pictures`` one stands below each place.
    """
    last = len(curves) - 1
    first, *rest = curves["networks"].round().astype(int)
    points = {name: " ".join(f"{at},{100 - value:.1f}" for at, value in enumerate(curves[name])) for name in curves}
    apart = int((curves["people"] - curves["networks"]).abs().argmax())  # where a name can be told to be of its curve
    names = [(name, apart / last, curves[name].iloc[apart]) for name in curves]
    small = [webp(picture[::2, ::2]) for picture in pictures]
    plot = PARTS.curve(x, list(curves.index), last, points, first, chance, small, names)
    about = {"lesson": lesson, "question": question, "because": "", "near": 200 * NEAR, "whose": "networks"}
    return _form(about | {"answer": " ".join(map(str, rest)), "places": list(curves.index[1:])}, plot, found)


def _form(data: Mapping[str, object], controls: str, found: str) -> Table:
    question, options = str(data["question"]), data.get("options")
    among = f" ({', '.join(options)})" if isinstance(options, list) else ""
    words = f"Guess before you read on. {question}{among}"
    return OnSite(str(PARTS.form(json.dumps(data, ensure_ascii=False), question, controls, found)), words)


def guesses(short: Mapping[str, str]) -> Table:
    """Draw what the reader guessed on all pages beside the answers, on one scale; without a guess it is hidden.

    ``short`` has a few words for the question of each lesson, in the order of the lines.
    """
    return OnSite(
        str(PARTS.guesses(json.dumps(short, ensure_ascii=False))), "On the site: your guesses and the answers."
    )
