"""Charts of the front page: strips of answers to flip, and the rows that a program found."""

import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from html import escape

import altair as alt
import numpy as np
import pandas as pd

from erralign.errors import check_choice
from erralign.measures import MEASURES_OF_ERRORS, short_name
from erralign.pairs import pairwise
from erralign.plot.colours import BLACK, DARK, INK, PAPER
from erralign.plot.grammar import Plot
from erralign.plot.tables import Table
from erralign.plot.theme import Look, colour
from erralign.plot.words import number
from erralign.responses import Responses
from erralign_book.charts.looks import ANSWERS, RIGHT, cases


def rows_found(found: Sequence[bool], title: str) -> alt.LayerChart:
    """Draw the rows of a table as tiles, in fours, twenty to a line: filled where a program found the row."""
    row = np.arange(len(found))
    tiles = pd.DataFrame({"row": row + 1, "found": np.where(found, "found", "not found"), "line": row // 20})
    start = row % 20 + 0.5 * (row % 20 // 4)  # with a gap after each four
    tiles = tiles.assign(start=start, end=start + 0.93)
    x = {"shorthand": "start:Q", "axis": None, "scale": {"nice": False}}
    plot = Plot(tiles, x, {"shorthand": "line:O", "axis": None}, hover=["row", "found"])
    looks = colour("found", {"found": Look(BLACK), "not found": RIGHT}, legend=None)
    tiles = plot.base().mark_rect(stroke=PAPER, strokeWidth=2, cornerRadius=3)
    plot.draw(tiles.encode(looks, x2="end:Q", tooltip=plot.hover))
    words = "A tile per row of the table, in its order; filled: found, the first and the fourth of every four"
    return plot.done(title, f"{len(found)} tiles, of which {sum(found)} are found.", 150, words)


MEASURES = {short_name(measure): measure for measure in MEASURES_OF_ERRORS}
LEAST = {"EC": -1, "MA": -1, "CLES": 0}  # where the line below a value begins; it ends at 1


def live_strips(
    responses: Responses, with_: str, title: str, *, measures: Iterable[str] = MEASURES, joint: bool = False
) -> Table:
    """Show the answers of a few systems as tiles to flip, and how each system compares with one of them.

    With ``joint`` also a table of what the first two say where both are wrong, which fills as tiles are flipped.
    """
    systems = list(map(str, responses.answers))
    check_choice("with_", with_, systems)
    pairs = pairwise(responses, with_=with_).rename(columns=short_name)
    other = pairs["system_b"].where(pairs["system_a"] == with_, pairs["system_a"])
    values = pairs.set_index(other)[list(measures)]
    of_system = values.to_dict("index")
    rows = "".join(_row(responses, system, of_system.get(system, {})) for system in systems)
    heads = "".join(f'<th scope="col" class="value">{measure}</th>' for measure in values)
    pictures = "".join(f'<th scope="col">{picture}</th>' for picture in responses.truth.index)
    about = f"Answers of {', '.join(systems)}, and {', '.join(map(str, values))} of each with {with_}"
    html = (
        f'<figure class="live-strips" role="group" aria-label="{escape(about)}" style="{_colours(responses)}"'
        f' data-with="{escape(with_)}" data-classes="{escape(json.dumps(responses.classes))}">'
        f'<figcaption>{escape(title)}</figcaption><table><thead><tr><th scope="col">picture</th>{pictures}{heads}</tr>'
        f"</thead><tbody>{_truth(responses, with_, values.shape[1])}{rows}</tbody></table>"
        f"{_joint(responses) if joint else ''}</figure>"
    )
    shown = values.map(_in_words).rename_axis(None)
    return Table(html, shown.to_string(col_space=4))


def _joint(responses: Responses) -> str:
    first, second = list(map(str, responses.answers))[:2]
    wrong = responses.answers[[first, second]].ne(responses.truth, axis=0).all(axis=1)
    counts = responses.answers[wrong].value_counts([first, second])
    heads = "".join(f"<b>{escape(name)}</b>" for name in responses.classes)
    rows = "".join(
        f"<b>{escape(name)}</b>"
        + "".join(f'<i data-joint="{a} {b}">{"■" * counts.get((a, b), 0)}</i>' for b in range(len(responses.classes)))
        for a, name in enumerate(responses.classes)
    )
    words = f"Where both are wrong: rows, what {escape(first)} says; columns, what {escape(second)} says"
    return f'<p>{words}</p><div class="joint" style="--n: {len(responses.classes)}"><b></b>{heads}{rows}</div>'


def _in_words(value: float) -> str:
    return "undefined" if np.isnan(value) else number(value, 2)


def _colours(responses: Responses) -> str:
    """Name the colours of the tiles, on a light page and on a dark one, for the style sheet."""
    looks = cases(responses.classes, ANSWERS) | {"right": RIGHT}
    places = [*range(len(responses.classes)), "right", "ink"]
    pairs = zip(places, [*(look.colour for look in looks.values()), INK], strict=True)
    return "; ".join(f"--light-{place}: {colour}; --dark-{place}: {DARK[colour]}" for place, colour in pairs)


def _truth(responses: Responses, with_: str, n: int) -> str:
    cells = "".join(f'<td data-truth="{label}">{escape(responses.classes[label])}</td>' for label in responses.truth)
    return (
        f'<tr><th scope="row">what it shows</th>{cells}<td class="value" colspan="{n}">with {escape(with_)}</td></tr>'
    )


def _row(responses: Responses, system: str, values: Mapping[Hashable, float]) -> str:
    said = zip(responses.truth.index, responses.truth, responses.answers[system], strict=True)
    tiles = "".join(
        f'<td><button type="button" class="tile" data-said="{label}"'
        f"{' data-wrong' if label != truth else ''}"
        f' aria-label="{escape(system)}, picture {picture}: {escape(responses.classes[label])}">'
        f"{escape(responses.classes[label])}</button></td>"
        for picture, truth, label in said
    )
    cells = "".join(_value(str(measure), value) for measure, value in values.items())
    return f'<tr data-system="{escape(system)}"><th scope="row">{escape(system)}</th>{tiles}{cells}</tr>'


def _value(measure: str, value: float) -> str:
    about = f'class="value" data-measure="{measure}" data-least="{LEAST[measure]}"'
    return f"<td {about}><b>{measure}</b> <span>{_in_words(value)}</span></td>"
