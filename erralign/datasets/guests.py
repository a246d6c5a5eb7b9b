"""Guests: a reader's own systems, each one more system that answered a public data set."""

import warnings
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from erralign._validation import shown
from erralign.datasets.answers import ALL, Paths, notes_on, read_answers
from erralign.datasets.data_sets import TWINS, records
from erralign.responses import Responses
from erralign.responses.model import GUEST

EXAMPLE = "answers-geirhos2020-edges.csv"
CONFIDENCES, FACTS = ".confidences.csv", ".models.csv"  # beside the answers, as `erralign run` writes them
ALONE = " (yours)"  # behind the name of a guest that is a stored system's, too


def with_guests(theirs: Responses, guest: Paths) -> Responses:
    """Return a data set with the systems of a reader's files; files that answer another data set are passed over."""
    both = theirs
    for file in files_for(theirs.name, guest):
        mine = _read_guests(file, theirs)
        both = both.select(trials=both.truth.index.isin(mine.truth.index))
        both = both.join(mine.select(trials=both.truth.index))
    return both


def _read_guests(file: Path, theirs: Responses) -> Responses:
    """Read the systems of a file that answered a data set, on the trials that it has: fewer only if its note says so.

    A name that a stored system has is changed, and the classes and options are those of the data set. Systems that are
    right no more often than by chance are warned of.
    """
    facts = facts_beside(file)
    kinds = facts.get("kind", pd.Series(dtype=str))
    people = tuple(kinds.index[kinds == "human"])
    if len(people) == len(kinds) > 0:
        people = (ALL,)
    of_set: dict[str, Any] = {"truth": theirs.truth, "classes": theirs.classes, "subset": True}
    mine = read_answers(file, **of_set, person=people, name=file.name, quiet=True)
    for note in notes_on(mine):
        warnings.warn(note, stacklevel=2)
    lacking = theirs.truth.index[~theirs.truth.index.isin(mine.truth.index)]
    if len(lacking) and not facts["note"].any():
        raise ValueError(
            f"{file.name} has no row for trial {shown(lacking[0])}, one of {len(lacking):,} that it lacks, of the "
            f"{len(theirs.truth):,} of {theirs.name}; add them, with na where a system gave no answer, or compare all "
            f"systems on the trials that it has: say why in {file.with_suffix(FACTS).name} (columns model and note), "
            "which --subset writes"
        )
    names = {name: name + ALONE for name in map(str, mine.answers) if name in theirs.answers}
    systems = mine.systems.rename(index=names).assign(family=GUEST, source=file.name)
    options = None
    if theirs.options is not None:
        options = theirs.options.loc[mine.truth.index]
    return Responses(mine.name, mine.truth, mine.answers.rename(columns=names), mine.classes, systems, options)


def facts_beside(file: Path) -> pd.DataFrame:
    """Return what the run of a file says about its models, at least the column ``note``; empty where nothing does."""
    beside = file.with_suffix(FACTS)
    if not beside.is_file():
        return pd.DataFrame(columns=["note"])
    facts = pd.read_csv(beside, dtype=str, keep_default_na=False).set_index("model")
    if "note" not in facts:
        facts["note"] = ""
    return facts


# --- files ------------------------------------------------------------------------------------------------------------


def files_for(data_set: str, guest: Paths) -> list[Path]:
    """Return the files that answer a data set: by their names, or one whose name says nothing and that was named."""
    places = [guest] if isinstance(guest, str | PathLike) else list(guest)
    found = []
    for place in map(Path, places):
        if not place.exists():
            raise ValueError(
                f"guest is {str(place)!r}; expected the path of a CSV file with your model's answers or of a folder "
                "with one for each data set, or '' for none"
            )
        for file in files_in(place):
            answered = data_set_of(file, alone=place.is_file())
            if answered in ("", TWINS.get(data_set, data_set)):
                found.append(file)
    return found


def files_in(place: Path) -> list[Path]:
    """List the files of answers in a folder, or the file itself."""
    every = sorted(place.glob("*.csv")) if place.is_dir() else [place]
    found = [file for file in every if not file.name.endswith((CONFIDENCES, FACTS))]
    if not found:
        raise ValueError(f"{place} has no CSV file; expected one for each data set, such as {EXAMPLE}")
    return found


def data_set_of(file: Path, *, alone: bool) -> str:
    """Return the data set that the name of a file ends with; nothing where a file that is alone does not say."""
    names = {name.replace("/", "-"): name for name in records()}
    fitting = [key for key in names if file.stem == key or file.stem.endswith(f"-{key}")]
    if not fitting and not alone:
        raise ValueError(f"{file} does not say which data set it answers; expected a name such as {EXAMPLE}")
    if not fitting:
        return ""
    name = names[max(fitting, key=len)]
    return TWINS.get(name, name)
