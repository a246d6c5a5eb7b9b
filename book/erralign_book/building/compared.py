"""Who is compared in a result, and for what its interval speaks: one line above it, the same in every lesson."""

from html import escape

from erralign.plot.html import Table
from erralign_book.on_site import OnSite

MARKS = {"people": "●", "networks": "■", "newer": "▲", "less": "▼", "machines": "■"}  # in words alone
LINKED = '<a href="glossary.html#who-is-who">{}</a>'  # who they are


def compared(
    *others: str,
    people: str = "",
    networks: str = "",
    newer: str = "",
    less: str = "",
    machines: str = "",
    interval: str = "",
    paired: bool = False,
) -> Table:
    """Say in one line who is compared, each with its mark, on what (``others``), and for what the interval speaks.

    The mark of networks is split where each value is of a network ``paired`` with people, that of ``machines`` never.
    """
    marked = {"people": people, "networks": networks, "newer": newer, "less": less, "machines": machines}
    parts = [(kind, words) for kind, words in marked.items() if words]
    parts += [("", words) for words in others]
    if interval:
        parts.append(("", f"interval: for other {interval}"))
    spans, in_words = [], []
    for kind, words in parts:
        if kind:
            spans.append(f'<span class="{kind}">{LINKED.format(escape(words))}</span>')
            in_words.append(f"{MARKS[kind]} {words}")
        else:
            spans.append(f"<span>{escape(words)}</span>")
            in_words.append(words)
    classes = "compared"
    if paired:
        classes += " paired"
    return OnSite(f'<p class="{classes}">{" ".join(spans)}</p>', "; ".join(in_words))
