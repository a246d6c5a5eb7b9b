"""Labels in the form of TREC: query, a word that nobody reads, document and grade, with blanks between."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import pandas as pd

from erralign.errors import check_once, shown
from erralign.responses import Responses
from erralign.sources.own.cells import counted, is_trec

QUERY, DOCUMENT = "query", "document"


def labels(source: Path | IO[bytes], file: str) -> pd.Series:
    """Return the grade of each pair of a query and a document, as text."""
    table = pd.read_csv(source, sep=r"\s+", header=None, dtype=str, names=[QUERY, "", DOCUMENT, "grade", "more"])
    unfit = table[["grade"]].isna().any(axis=1) | table["more"].notna()
    if unfit.any():
        raise ValueError(
            f"{file}: label {unfit.argmax() + 1} does not have four words; expected query, 0, document and grade in "
            "each line"
        )
    grades = table.set_index([QUERY, DOCUMENT])["grade"]
    check_once(file, grades.index)
    return grades


def read(
    files: Sequence[Path], truth: pd.Series | None, columns: Mapping[str, Any], classes, kind, name, *, subset: bool
) -> tuple[Responses, list[str]]:
    """Return the labels of several judges, a file each, with what a file of labels or others' truth says is right."""
    if columns.keys() - {"truth"}:
        raise ValueError(f"{files[0].name} holds labels in the form of TREC, of which no columns or words can be named")
    if truth is None:
        qrels = Path(columns.get("truth", ""))
        if not is_trec(qrels):
            raise ValueError(
                f"{files[0].name} holds labels in the form of TREC, which do not say what is right; name the file of "
                "true labels with --truth qrels.txt (columns={'truth': 'qrels.txt'})"
            )
        truth = labels(qrels, str(qrels))
        files = [file for file in files if file.resolve() != qrels.resolve()]
    classes = tuple(map(str, sorted(truth.unique(), key=int) if classes is None else classes))
    given = {file.stem: labels(file, file.name) for file in files}
    for system, grades in given.items():
        lacks = ~truth.index.isin(grades.index)
        if lacks.any() and not subset:
            raise ValueError(
                f"{system} has no label for {shown(truth.index[lacks][0])}, one of {lacks.sum():,} that it lacks; "
                "compare on those that all have with --subset (subset=True)"
            )
        truth = truth[~lacks]
    given = {system: grades[truth.index] for system, grades in given.items()}
    unread = {system: Counter(grades[~grades.isin(classes)]).most_common() for system, grades in given.items()}
    notes = [
        f"{system}: read as no answer, since no true label is so: {counted(found)}."
        for system, found in unread.items()
        if found
    ]
    kinds = dict.fromkeys(given, kind if isinstance(kind, str) else "model")
    kinds |= kind if isinstance(kind, Mapping) else {}
    answers = {system: grades.where(grades.isin(classes), None) for system, grades in given.items()}
    called = files[0].parent.name if name is None else name
    return Responses.from_table(truth, answers, classes=classes, kind=kinds, name=called), notes


def places(grades: pd.Series, classes: Sequence[str]) -> pd.Series:
    """Return the place of each grade among the classes; -1 for others, which are no answer."""
    return grades.map({name: place for place, name in enumerate(classes)}).fillna(-1).astype("int64")
