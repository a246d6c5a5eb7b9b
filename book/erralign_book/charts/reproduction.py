"""The chart of the ledger: what became of the numbers that each paper prints."""

import altair as alt
import pandas as pd

from erralign.plot.colours import LILAC, PALE_GREY, PURPLE, SILVER, SLATE
from erralign.plot.parts import finish
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
    zip(dict.fromkeys(OF_VERDICTS.values()), map(Look, (PURPLE, LILAC, SLATE, SILVER, PALE_GREY)), strict=True)
)


def score(by_paper: pd.DataFrame, title: str) -> alt.Chart:
    """Draw which share of each paper's printed numbers has which verdict."""
    total = by_paper.sum(axis=1)
    named = by_paper.set_axis([f"{in_words(name)}: {total[name]:,} numbers" for name in by_paper.index])
    shown = named.rename(columns=OF_VERDICTS).T.groupby(level=0).sum().T.rename_axis("paper").reset_index()
    shown = shown.melt("paper", var_name="verdict", value_name="numbers").query("numbers > 0")
    place = {name: place for place, name in enumerate(LOOKS)}
    bars = (
        alt.Chart(shown.assign(place=shown["verdict"].map(place)))
        .mark_bar()
        .encode(
            alt.X("numbers:Q", stack="normalize", title="share of a paper's numbers", axis=alt.Axis(format="%")),
            alt.Y("paper:N", title=None, sort=list(named.index), axis=alt.Axis(labelExpr="split(datum.label, ': ')")),
            colour("verdict", LOOKS, legend=legend(columns=1)),
            order="place:Q",
            tooltip=["paper", "verdict", "numbers"],
        )
    )
    return finish(bars, title, f"Verdicts on the printed numbers of {len(named)} papers.", 40 * len(named))
