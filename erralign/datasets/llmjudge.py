"""How relevant 33 language-model judges find passages to queries, beside human assessors (Rahmani et al. 2025)."""

from typing import IO

import pandas as pd

from erralign.datasets.archives import manifest, open_member
from erralign.responses import Responses

_JUDGES = "llm4eval/LLMJudge-benchmark@968a1f9c962fddfc6508faa2d45e3e7edd1c3829"
_ASSESSORS = "llm4eval/LLMJudge@81159c68260d383f8da1dad8a14f6d914a9054a9"
ARCHIVES = (_JUDGES, _ASSESSORS)
_GRADES = ("0", "1", "2", "3")
_QUERY = "query"
_FOLDER, _END = "submissions/scores/", ".txt"


def read() -> Responses:
    """Read the grade that each judge gave to each pair of a query and a passage, and the assessors' as truth.

    Three grades lie outside 0 to 3 and are no answer.
    """
    member = "data/llmjudge_test_qrel_idx.txt"
    true = _labels(open_member(_ASSESSORS, member))
    names = [path.removeprefix(_FOLDER).removesuffix(_END) for path in manifest()[_JUDGES]["members"]]
    grades = {name: _labels(open_member(_JUDGES, f"{_FOLDER}{name}{_END}")).loc[true.index] for name in names}
    answers = pd.DataFrame({name: _places(of_judge) for name, of_judge in grades.items()})
    facts = {"kind": "model", "family": [name.partition("-")[0] for name in names], "source": _JUDGES}
    truth = _places(true).rename("truth")
    return Responses("llmjudge", truth, answers, _GRADES, pd.DataFrame(facts, index=names))


def _labels(source: IO[bytes]) -> pd.Series:
    """Return the grade of each pair of a query and a document, in the form of TREC: query, 0, document, grade."""
    table = pd.read_csv(source, sep=r"\s+", header=None, dtype=str, names=[_QUERY, "", "document", "grade"])
    return table.set_index([_QUERY, "document"])["grade"]


def _places(grades: pd.Series) -> pd.Series:
    """Return the place of each grade among those that there are; -1 for others, which are no answer."""
    return grades.map({name: place for place, name in enumerate(_GRADES)}).fillna(-1).astype("int64")


def queries(trials: pd.Index) -> pd.DataFrame:
    """Return the query of each trial: passages of one query are alike."""
    return pd.DataFrame({_QUERY: trials.get_level_values(_QUERY)}, index=trials)
