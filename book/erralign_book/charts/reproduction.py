"""The chart of the ledger: what became of the numbers that each paper prints."""

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, INK, PALE, PALE_GREY, PAPER, RAMP, SLATE
from erralign.plot.grammar import Plot, names, shares
from erralign.plot.theme import Look, in_words

OF_VERDICTS = {
    "reproduced": "reproduced",
    "1.00 in both": "near or 1.00 in both, trained again",
    "within seed spread": "near or 1.00 in both, trained again",
    "differs": "differs",
    "outside seed spread": "outside the spread, trained again",
    "restated": "restated or printed again",
    "printed again": "restated or printed again",
    "not computable here": "not computable here",
}
LOOKS = dict(
    zip(dict.fromkeys(OF_VERDICTS.values()), map(Look, (RAMP[3], RAMP[1], BLACK, SLATE, PALE_GREY, PALE)), strict=True)
)


DARK = ["reproduced", "differs", "outside the spread, trained again"]  # what stands on them is light


def score(by_paper: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw which share of each paper's printed numbers has which verdict."""
    total = by_paper.sum(axis=1)
    named = by_paper.set_axis([f"{in_words(name)}: {total[name]:,} numbers" for name in by_paper.index])
    counts = named.rename(columns=OF_VERDICTS).T.groupby(level=0).sum().reindex(list(LOOKS), fill_value=0).T
    ends = counts.cumsum(axis=1).div(counts.sum(axis=1), axis=0)
    shown = pd.DataFrame({"numbers": counts.stack(), "end": ends.stack()}).rename_axis(["paper", "verdict"])
    shown = shown.reset_index().query("numbers > 0")
    shown["start"] = shown.groupby("paper")["end"].shift(fill_value=0)
    shown["middle"] = (shown["start"] + shown["end"]) / 2
    shown["written"] = shown["numbers"].map("{:,}".format).where(shown["end"] - shown["start"] > 0.08, "")
    y = names("paper", list(named.index), labelExpr="split(datum.label, ': ')")
    x, hover = shares("start", "share of a paper's numbers", grid=True), ["paper", "verdict", "numbers"]
    plot = Plot(shown, x, y, look=("verdict", LOOKS), hover=hover)
    dark = alt.when(alt.FieldOneOfPredicate("verdict", DARK)).then(alt.value(PAPER)).otherwise(alt.value(INK))
    words = plot.base(x="middle").mark_text(fontSize=12).encode(text="written:N", color=dark)
    about = f"Verdicts on the printed numbers of {len(named)} papers."
    return plot.bars("end").draw(words).done(title, about, 40 * len(named))
