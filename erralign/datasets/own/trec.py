"""Labels in the form of TREC: query, a word that nobody reads, document and grade, with blanks between."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import pandas as pd

from erralign._validation import check_once, shown
from erralign.datasets.own.cells import counted, is_trec, say
from erralign.responses import Responses

QUERY, DOCUMENT = "query", "document"


def labels(source: Path | IO[bytes], file: str) -> pd.Series:
    """Return the grade of each pair of a query and a document, as text."""
    table = pd.read_csv(source, sep=r"\s+", header=None, dtype=str, names=[QUERY, "", DOCUMENT, "grade", "more"])
    unfit = table[["grade"]].isna().any(axis=1) | table["more"].notna()
    if unfit.any():
        raise ValueError(say("four_words", file=file, n=unfit.argmax() + 1))
    grades = table.set_index([QUERY, DOCUMENT])["grade"]
    check_once(file, grades.index)
    return grades


def read(
    files: Sequence[Path], truth: pd.Series | None, columns: Mapping[str, Any], classes, kind, name, *, subset: bool
) -> tuple[Responses, list[str]]:
    """Return the labels of several judges, a file each, with what a file of labels or others' truth says is right."""
    if columns.keys() - {"truth"}:
        raise ValueError(say("trec_columns", file=files[0].name))
    if truth is None:
        qrels = Path(columns.get("truth", ""))
        if not is_trec(qrels):
            raise ValueError(say("trec_truth", file=files[0].name))
        truth = labels(qrels, str(qrels))
        files = [file for file in files if file.resolve() != qrels.resolve()]
    classes = tuple(map(str, sorted(truth.unique(), key=int) if classes is None else classes))
    given = {file.stem: labels(file, file.name) for file in files}
    for system, grades in given.items():
        lacks = ~truth.index.isin(grades.index)
        if lacks.any() and not subset:
            fields = {"trial": shown(truth.index[lacks][0]), "n": f"{lacks.sum():,}"}
            raise ValueError(say("lacks_label", system=system, **fields))
        truth = truth[~lacks]
    given = {system: grades[truth.index] for system, grades in given.items()}
    unread = {system: Counter(grades[~grades.isin(classes)]).most_common() for system, grades in given.items()}
    notes = [say("no_true_label", system=system, words=counted(found)) for system, found in unread.items() if found]
    kinds = dict.fromkeys(given, kind) if isinstance(kind, str) else dict.fromkeys(given, "model") | dict(kind or {})
    answers = {system: grades.where(grades.isin(classes), None) for system, grades in given.items()}
    called = files[0].parent.name if name is None else name
    return Responses.from_table(truth, answers, classes=classes, kind=kinds, name=called), notes


def places(grades: pd.Series, classes: Sequence[str]) -> pd.Series:
    """Return the place of each grade among the classes; -1 for others, which are no answer."""
    return grades.map({name: place for place, name in enumerate(classes)}).fillna(-1).astype("int64")
