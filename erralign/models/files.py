"""What `erralign run` writes: answers that `erralign compare` reads, confidences, and what was run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from pathlib import Path

import pandas as pd

from erralign.files import write_whole
from erralign.models.running import Run
from erralign.responses import Responses


def write(out: Path, runs: Sequence[Run]) -> list[Path]:
    """Write three tables of models that saw the same pictures."""
    together = reduce(Responses.join, (run.answers for run in runs))
    confidences = {str(run.answers.answers.columns[0]): run.confidences for run in runs}
    tables = {
        out: answers_table(together),
        out.with_suffix(".confidences.csv"): pd.concat(confidences, names=["model"]),
        out.with_suffix(".models.csv"): together.systems.drop(columns=["kind", "family"]).rename_axis("model"),
    }
    for path, table in tables.items():
        write_whole(path, table.to_csv(float_format="%.6g"))
    return list(tables)


def answers_table(responses: Responses) -> pd.DataFrame:
    """Write classes by name, as files of answers have them."""
    names = dict(enumerate(responses.classes))
    return pd.concat([responses.truth, responses.answers], axis=1).apply(lambda column: column.map(names))
