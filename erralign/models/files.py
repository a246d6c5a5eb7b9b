"""What `erralign run` writes: answers that `erralign compare` reads, confidences, and what was run."""

from collections.abc import Sequence
from functools import reduce
from pathlib import Path

import pandas as pd

from erralign.files import write_whole
from erralign.models.running import Run
from erralign.responses import Responses


def write(out: Path, runs: Sequence[Run], note: str = "") -> list[Path]:
    """Write three tables of models that saw the same pictures; the third has the note on these pictures, too."""
    together = reduce(Responses.join, (run.answers for run in runs))
    answers = pd.concat([together.truth, together.answers], axis=1)
    facts = together.systems.assign(note=note)
    confidences = {str(run.answers.answers.columns[0]): run.confidences for run in runs}
    tables = {
        out: answers.apply(lambda column: column.map(dict(enumerate(together.classes)))),
        out.with_suffix(".confidences.csv"): pd.concat(confidences, names=["model"]),
        out.with_suffix(".models.csv"): facts.drop(columns=["kind", "family"]).rename_axis("model"),
    }
    for path, table in tables.items():
        write_whole(path, table.to_csv(float_format="%.6g"))
    return list(tables)
