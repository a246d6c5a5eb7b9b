"""What *Compare logs of language models* says to paste works with the packages themselves; the weekly job has them."""

import json
import random
import re

import numpy as np
import pytest
from conftest import ROOT

import erralign

PAGE = (ROOT / "notebooks" / "how-to-logs.md").read_text(encoding="utf-8")
(PASTED,) = re.findall(r"^```python\n(.*?)^```$", PAGE, flags=re.M | re.S)
pytestmark = pytest.mark.weekly


def judged(item, judge):
    """Say whether a judge is right on an item: some items are hard for all."""
    return (random.Random(item).random() + random.Random(f"{item}{judge}").random()) / 2 < 0.6


def test_the_metric_of_a_panel_runs_in_inspect(tmp_path):
    inspect_ai = pytest.importorskip("inspect_ai")
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import Score, scorer
    from inspect_ai.solver import solver

    names = {}
    exec(PASTED, names)

    @solver
    def nothing():
        async def solve(state, generate):
            return state

        return solve

    @scorer(metrics=[names["effective_judges"]("query")])
    def panel():
        async def score(state, target):
            return Score(value={judge: "C" if judged(state.sample_id, judge) else "I" for judge in "abcd"})

        return score

    samples = [Sample(input="?", target="!", id=i, metadata={"query": i % 12}) for i in range(1, 121)]
    task = inspect_ai.Task(dataset=samples, solver=nothing(), scorer=panel())
    (log,) = inspect_ai.eval(task, model="mockllm/model", display="none", log_dir=str(tmp_path))
    assert log.status == "success", log.error.message
    found = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
    right = {judge: [judged(i, judge) for i in range(1, 121)] for judge in "abcd"}
    responses = erralign.Responses.from_table([True] * 120, right)
    expected = erralign.effective_number(responses, clusters=[i % 12 for i in range(1, 121)])
    assert found == pytest.approx({"judges": expected.estimate, "low": expected.low, "high": expected.high})
    (file,) = tmp_path.glob("*.eval")
    assert erralign.read_logs(file, metric="a").answers.iloc[:, 0].eq(0).tolist() == right["a"]


def test_samples_of_the_harness_are_read_and_compared(here):
    lm_eval = pytest.importorskip("lm_eval")
    from lm_eval.api.model import LM
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    questions = [{"question": f"item {i}", "choices": ["x", "y", "z"], "answer": i % 3} for i in range(60)]
    (here / "items.jsonl").write_text("".join(json.dumps(each) + "\n" for each in questions))
    (here / "tasks").mkdir()
    (here / "tasks" / "letters.yaml").write_text(
        f"task: letters\ndataset_path: json\ndataset_kwargs:\n  data_files:\n    test: {here / 'items.jsonl'}\n"
        "test_split: test\noutput_type: multiple_choice\ndoc_to_text: '{{question}}'\ndoc_to_choice: choices\n"
        "doc_to_target: answer\nmetric_list: [{metric: acc}]\n"
    )

    class Model(LM):
        def __init__(self, name):
            super().__init__()
            self.name = name

        def loglikelihood(self, requests):
            found = []
            for request in requests:
                place = int(request.args[0].split()[-1])
                key = request.doc["choices"][request.doc["answer"]]
                hit = (request.args[1].strip() == key) == judged(place, self.name)
                found.append((-1.0 if hit else -2.0, False))
            return found

        loglikelihood_rolling = generate_until = None

    for name in "ab":
        tracker = EvaluationTracker(output_path=str(here / name))
        how = {"log_samples": True, "evaluation_tracker": tracker, "bootstrap_iters": 0}
        manager = TaskManager(include_path=str(here / "tasks"))
        found = lm_eval.simple_evaluate(Model(name), tasks=["letters"], task_manager=manager, **how)
        samples = found.pop("samples")
        tracker.save_results_aggregated(results=found, samples=samples)
        tracker.save_results_samples(task_name="letters", samples=samples["letters"])
    for path in here.glob("?/**/samples_*.jsonl"):
        path.rename(path.relative_to(here).parts[0] + "/" + path.name)
    assert "`*/samples_*.jsonl`" in PAGE
    found = erralign.read_logs(sorted(map(str, here.glob("*/samples_*.jsonl"))))
    right = {name: [judged(place, name) for place in range(60)] for name in "ab"}
    assert found.answers.eq(found.truth, axis=0).mean().to_dict() == {name: np.mean(of) for name, of in right.items()}
    expected = erralign.error_consistency([True] * 60, right["a"], right["b"])
    (pair,) = erralign.pairwise(found, ["EC"])["EC"]
    assert pair == pytest.approx(expected)
