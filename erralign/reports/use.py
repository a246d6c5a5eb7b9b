"""What somebody needs who puts a comparison into a paper: a sentence on methods, what was typed, references, tables."""

import hashlib
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from unicodedata import normalize

import pandas as pd

from erralign.plot.assets import PACKAGE
from erralign.reports.averages import PEOPLE, YOURS
from erralign.reports.comparison import Comparison
from erralign.reports.verdict import verdict
from erralign.reports.words import MANY, ONE, heading, meanings, tables
from erralign.sources.data_sets import records

# The entries of references.bib in which measures were proposed, or on which they build.
PAPERS = dict.fromkeys(("MA", "CLES", "WMA", "MA_blind"), "xu2024") | {"EC": "geirhos2020", "H": "warrens2008"}
CARRIED = PACKAGE / "_data" / "references.bib"  # an installed package has it there
BIBLIOGRAPHY = CARRIED if CARRIED.is_file() else PACKAGE.parent / "book" / "references.bib"
DRAWN = {"dirichlet", "dirichlet-by-pair", "recentred"}  # ways that make limits of draws


def use(comparison: Comparison, command: str = "", files: Sequence[Path] = ()) -> dict[str, str]:
    """Return what a paper needs, by its heading: the first is a sentence, all else is to be copied as it is."""
    latex = (rows.to_latex(index=False, escape=True, caption=caption) for caption, rows in tables(comparison).items())
    found = {
        "Methods": methods(comparison),
        "Command": command,
        "Files": "\n".join(map(_fingerprint, files)),
        "References (BibTeX)": references(comparison),
        "Tables (LaTeX)": "\n".join(latex),
        "Pairs with all digits (CSV)": comparison.of_own().to_csv(index=False),
    }
    return {what: text.strip() for what, text in found.items() if text}


def methods(comparison: Comparison) -> str:
    """Say in a sentence or two what was compared, by what, and by which intervals."""
    responses, counts = comparison.responses, comparison.whose().drop(list(comparison.own)).value_counts()
    others = " and ".join(
        f"{n} {(ONE if n == 1 else MANY)[str(whose)]}" for whose, n in counts.items() if whose != YOURS
    )
    beside = f" with {others}" if others else ""
    measures = ", ".join(f"{each.words} ({each.short})" for each in comparison.measures)
    ways = comparison.pairs.attrs.get("methods", {})
    draws = f", {comparison.pairs.attrs.get('draws', 0):,} draws"
    named = {each.short: ways[each.name] for each in comparison.measures if each.name in ways}
    by = "; ".join(f"{short}: {way}{draws * (way in DRAWN)}" for short, way in named.items())
    means = " Means with people are taken condition by condition." if PEOPLE in comparison.with_people.index else ""
    return (
        f"We compared {', '.join(comparison.own)}{beside} on {len(responses.truth):,} trials ({comparison.title}) by "
        f"{measures}, with {100 * comparison.level:g} % intervals ({by}).{means} Computed with erralign "
        f"{version('erralign')}, NumPy {version('numpy')} and SciPy {version('scipy')}."
    )


def references(comparison: Comparison) -> str:
    """Return the BibTeX entries of the papers of the measures and of the data."""
    text = BIBLIOGRAPHY.read_text(encoding="utf-8")
    entries = dict(re.findall(r"^(?=@\w+\{(\w+),)(.*?^\})", text, flags=re.M | re.S))
    known = records().get(comparison.title.rpartition(" beside ")[2])
    wanted = [*(PAPERS.get(each.short, "") for each in comparison.measures), key_of(known.paper if known else "")]
    return "\n\n".join(entries[key] for key in dict.fromkeys(wanted) if key in entries)


def key_of(paper: str) -> str:
    """Return the key in references.bib of a paper such as Säuberli et al. 2025."""
    plain = normalize("NFKD", paper).encode("ascii", "ignore").decode().lower().split()
    return plain[0] + plain[-1] if plain else ""


def _fingerprint(file: Path) -> str:
    day = datetime.fromtimestamp(file.stat().st_mtime, UTC).date()
    return f"{file.name}, {day}, SHA-256 {hashlib.sha256(file.read_bytes()).hexdigest()}"


def as_markdown(comparison: Comparison, *, command: str = "", files: Sequence[Path] = ()) -> str:
    """Write a comparison as Markdown.

    Parameters
    ----------
    comparison : Comparison
        As from :func:`compare`.
    command : str
        What was typed.
    files : sequence of path
        The files that were read, of which date and SHA-256 are given.

    Returns
    -------
    str
        The sentences and tables of the page, without its charts, and what a paper needs.
    """
    parts = [f"# {comparison.title}", *verdict(comparison), f"{heading(comparison)}."]
    parts += [f"> {note}" for note in comparison.notes]
    parts += [f"## {caption}\n\n{_in_markdown(rows)}" for caption, rows in tables(comparison).items()]
    parts += ["## How to read this", *(f"**{what}:** {meaning}" for what, meaning in meanings(comparison)), "## Use it"]
    sentence, *others = use(comparison, command, files).items()
    parts += [sentence[1], *(f"### {what}\n\n```\n{text}\n```" for what, text in others)]
    return "\n\n".join(parts) + "\n"


def _in_markdown(rows: pd.DataFrame) -> str:
    lines = [list(rows.columns), ["---"] * rows.shape[1], *rows.astype(str).to_numpy().tolist()]
    return "\n".join(f"| {' | '.join(str(cell).replace('|', chr(92) + '|') for cell in line)} |" for line in lines)
