"""A guess that counts: a lesson asks one question that its data decide, and the reader answers before reading on.

``guess`` writes the question. Cells with the tag ``guessed`` and ``:::{div} guessed`` are the answer: the build puts
all from the first to the last of a section behind a fold (folds.py), which opens once the reader has answered.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape

from erralign.errors import check_choice, check_range
from erralign.plot.tables import Table

NEAR = 0.1  # of a slider's range: so near to the answer is right


def guess(
    lesson: str,
    question: str,
    answer: str | float,
    *,
    options: Sequence[str] = (),
    ends: tuple[float, float] = (0, 1),
    interval: tuple[float, float] | None = None,
    because: str = "",
) -> Table:
    """Ask a question, with buttons for its ``options``, or without them a slider from one of the ``ends`` to the other.

    ``lesson`` is the page as ``_toc.yml`` names it, to which the summary of all guesses leads back. What the data say
    comes from a cell: ``answer``, one of the options or a number between the ends (of shares, or of whole numbers
    where the upper end is above 1), with its ``interval`` if it has one, and ``because``, a sentence with the numbers.
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
    middle = f"{(low + high) / 2:.{digits}f}"
    marks = {"is": value} | dict(zip(("low", "high"), interval or (value, value), strict=True))
    places = "; ".join(f"--{name}: {(each - low) / (high - low):.4f}" for name, each in marks.items())
    slider = f'type="range" min="{low}" max="{high}" step="{step}" value="{middle}" aria-label="{escape(question)}"'
    begins, ends_at = (f'<span class="guess-end">{end:g}</span>' for end in ends)
    line = f'{begins}<span class="guess-line" style="{places}"><input {slider}></span>{ends_at}<output>?</output>'
    return _form(
        data | {"answer": f"{value:.{digits}f}", "near": NEAR * (high - low)}, f"{line} <button>I guess so</button>"
    )


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
