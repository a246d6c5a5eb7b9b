"""Who is compared in a result, and for what its interval speaks: one line above it, the same in every lesson."""

from html import escape

from erralign.plot.html import Table

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
    said = [(f' class="{kind}"', words) for kind, words in marked.items() if words]
    said += [("", words) for words in (*others, f"interval: for other {interval}" * bool(interval)) if words]
    html = " ".join(f"<span{kind}>{(LINKED if kind else '{}').format(escape(words))}</span>" for kind, words in said)
    return Table(f'<p class="compared{" paired" * paired}">{html}</p>', "; ".join(words for _, words in said))
