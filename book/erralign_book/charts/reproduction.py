"""The chart of the ledger: what became of the numbers that each paper prints."""

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, INK, PALE, PALE_GREY, PAPER, SILVER, TILE_GREY
from erralign.plot.parts import finish, layer
from erralign.plot.theme import Look, colour, legend
from erralign.plot.words import in_words

OF_VERDICTS = {
    "reproduced": "reproduced",
    "1.00 in both": "near or 1.00 in both, trained again",
    "within seed spread": "near or 1.00 in both, trained again",
    "differs": "differs",
    "outside seed spread": "differs",
    "restated": "restated",
    "not computable here": "not computable here",
}
LOOKS = dict(
    zip(dict.fromkeys(OF_VERDICTS.values()), map(Look, (SILVER, PALE_GREY, BLACK, TILE_GREY, PALE)), strict=True)
)


def score(by_paper: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw which share of each paper's printed numbers has which verdict."""
    total = by_paper.sum(axis=1)
    named = by_paper.set_axis([f"{in_words(name)}: {total[name]:,} numbers" for name in by_paper.index])
    counts = named.rename(columns=OF_VERDICTS).T.groupby(level=0).sum().reindex(list(LOOKS), fill_value=0).T
    ends = counts.cumsum(axis=1).div(counts.sum(axis=1), axis=0)
    shown = pd.DataFrame({"numbers": counts.stack(), "end": ends.stack()}).rename_axis(["paper", "verdict"])
    shown = shown.reset_index().query("numbers > 0")
    shown["start"] = shown.groupby("paper")["end"].shift(fill_value=0)
    base = alt.Chart(shown.round(4)).transform_calculate(middle="(datum.start + datum.end) / 2")
    y = alt.Y("paper:N", title=None, sort=list(named.index), axis=alt.Axis(labelExpr="split(datum.label, ': ')"))
    bars = base.mark_bar().encode(
        alt.X("start:Q", title="share of a paper's numbers", axis=alt.Axis(format="%")),
        y,
        colour("verdict", LOOKS, legend=legend(columns=1)),
        x2="end:Q",
        tooltip=["paper", "verdict", "numbers"],
    )
    dark = "datum.verdict === 'differs'"
    words = (
        base.transform_filter("datum.end - datum.start > 0.08")
        .mark_text(fontSize=12)
        .encode(
            y,
            x="middle:Q",
            text=alt.Text("numbers:Q", format=","),
            color=alt.condition(dark, alt.value(PAPER), alt.value(INK)),
        )
    )
    return finish(
        layer(bars, words), title, f"Verdicts on the printed numbers of {len(named)} papers.", 40 * len(named)
    )
