"""Which tasks of four benchmarks coding agents solved, as Ge et al. (2026) released it: right or wrong, no more."""

import json

import pandas as pd

from erralign._validation import check_choice
from erralign.datasets.archives import open_member
from erralign.responses import Responses

_AGENTS = "dariakryvosheieva/agent-psychometrics@62851ff8e54d39e51ab968e370cedbf9016a21bd"
ARCHIVES = (_AGENTS,)
# Name to the folder in the archive.
_BENCHMARKS = {
    "swe-bench-verified": "swebench_verified",
    "terminal-bench": "terminalbench",
    "swe-bench-pro": "swebench_pro",
    "gso": "gso",
}
_CLASSES = ("right", "wrong")


def read(benchmark: str) -> Responses:
    """Read which tasks each agent solved. The true class is "right" on each task; all failures are one class."""
    check_choice("benchmark", benchmark, list(_BENCHMARKS))
    lines = open_member(_AGENTS, f"data/{_BENCHMARKS[benchmark]}/responses.jsonl")
    solved = pd.DataFrame({line["subject_id"]: line["responses"] for line in map(json.loads, lines)})
    answers = (1 - solved).rename_axis("task")
    truth = pd.Series(0, answers.index, name="truth")
    facts = {"kind": "model", "family": "agent", "source": _AGENTS}
    return Responses(benchmark, truth, answers, _CLASSES, pd.DataFrame(facts, index=answers.columns))
