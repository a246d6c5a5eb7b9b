"""What two pupils ticked, as tiles: a question per column, joined where both ticked the same."""

import pandas as pd

from erralign.plot.html import Table
from erralign_book.charts.pictures import figure
from erralign_book.on_site import OnSite


def exam(options: pd.DataFrame, title: str) -> Table:
    """Show the right option of each question above those that two pupils ticked: first, and as one, if they match."""
    first, second = options.columns[1:]
    options = options.iloc[(options[first] != options[second]).argsort(kind="stable")]
    tiles, html, half = options.map("<span>{}</span>".format), "", len(options) // 2
    same = options[first] == options[second]
    tiles.loc[same, first] = options.loc[same, first].map("<span class=same>{}</span>".format)
    tiles.loc[same, second] = ""  # one tile for both
    for part in (tiles[:half], tiles[half:]):
        rows = "".join(f"<strong>{row}</strong>{''.join(part[row])}" for row in part)
        html += f'<section class="sheet">{rows}</section>'
    told = "First row: the right option; below: what they ticked, all wrong; joined: both the same."
    return OnSite(figure(html, title, told, ""), f"{title}\n{options.T.to_string(header=False)}")
