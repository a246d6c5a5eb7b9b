"""Our own claims under all choices: a strip of marks for each."""

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, SILVER
from erralign.plot.grammar import Plot, names, numbers
from erralign.plot.theme import Look

CLEAR = {True: "interval leaves out 0", False: "it contains 0, or is none"}
LOOKS = dict(zip(CLEAR.values(), (Look(BLACK), Look(SILVER)), strict=True))
TICK = "M-.15,-1h.3v2h-.3z"  # a mark of the legend
SHORT = {"over": "−", "wrong-answers": "MA", "beyond-class": "WMA", "line-": "", "old-questions": "old"}
SHORT |= {"yardsticks-reach": "more data within reach", "saw-": "people − CNNs ", "clip": "CLIP", "-": " "}


def strips_of_choices(found: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw one row per claim, by its number in the list, and a mark for each choice; ours is longer."""
    hover = ["claim", "choice", "value", "low", "high"]
    found = found.assign(claim=found["place"].astype(str) + " " + found["claim"])
    found["claim"] = found["claim"].replace(SHORT, regex=True)
    shown = found[[*hover, "of_largest", "ours"]].assign(clear=found["verdict"].isin(["more", "less"]).map(CLEAR))
    # Marks on one spot are drawn once.
    shown = shown.round({"of_largest": 2}).sort_values("ours", ascending=False, kind="stable")
    shown = shown.drop_duplicates(["claim", "clear", "of_largest"]).sort_index()
    x = numbers("of_largest", "← less   of the largest   more →", scale={"domain": [-1.05, 1.05]})
    rows = names("claim", found["claim"].unique().tolist(), labelLimit=200)
    plot = Plot(shown, x, rows, look=("clear", LOOKS), hover=hover)
    plot.colour["color"]["legend"]["symbolType"] = TICK
    plot.level(0).ticks(long=alt.when("datum.ours").then(alt.value(18)).otherwise(alt.value(9)), opacity=1)
    about = f"{found['claim'].nunique()} claims with the value of each under all choices that were tried."
    return plot.done(title, about, alt.Step(28), "a mark per choice, one for nearly equal values; ours is the long one")
