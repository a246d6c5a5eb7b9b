"""Who is compared in a result, and for what its interval speaks: one line above it, the same in every lesson."""

from html import escape

from erralign.plot.html import Table
from erralign_book.on_site import OnSite

MARKS = {"people": "●", "networks": "■", "newer": "▲", "less": "▼", "machines": "■", "": ""}  # in words alone
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
    said = [(kind, words) for kind, words in marked.items() if words]
    said += [("", words) for words in (*others, f"interval: for other {interval}" * bool(interval)) if words]
    parts = [(f' class="{kind}"' if kind else "", LINKED if kind else "{}", escape(words)) for kind, words in said]
    html = " ".join(f"<span{which}>{form.format(words)}</span>" for which, form, words in parts)
    in_words = "; ".join(f"{MARKS[kind]} {words}".strip() for kind, words in said)
    return OnSite(f'<p class="compared{" paired" * paired}">{html}</p>', in_words)
