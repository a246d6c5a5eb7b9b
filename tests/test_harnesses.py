"""What *Compare logs of language models* says to paste works with the packages themselves; the weekly job has them."""

import json
import random
import re
import subprocess
import sys
from importlib.metadata import entry_points

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


# --- the metric of a panel of judges, in Inspect ----------------------------------------------------------------------


@pytest.fixture
def inspect_ai():
    return pytest.importorskip("inspect_ai")


@pytest.fixture
def metric(inspect_ai):
    """Return a function that computes the metric of made scores."""
    from inspect_ai.scorer import SampleScore, Score

    from erralign.inspect import effective_judges

    def computed(values, metadata=None, ids=None, **options):
        ids, metadata = ids or range(len(values)), metadata or [{}] * len(values)
        scores = [
            SampleScore(score=Score(value=value), sample_id=str(name), sample_metadata=its)
            for value, name, its in zip(values, ids, metadata, strict=True)
        ]
        return effective_judges(**options)(scores)

    return computed


@pytest.fixture
def run(inspect_ai, here):
    """Return a function that runs a task without a model: to count tokens, Inspect would need a network."""
    from inspect_ai.solver import solver

    @solver
    def nothing():
        async def solve(state, generate):
            return state

        return solve

    def log_of(task):
        (log,) = inspect_ai.eval(
            task, model="mockllm/model", solver=nothing(), display="none", log_dir=str(here / "logs")
        )
        assert log.status == "success", log.error.message
        (file,) = (here / "logs").glob("*.eval")
        return file, values_of(log)

    return log_of


def values_of(log):
    """Return what the metric says in a log."""
    return {name: metric.value for name, metric in log.results.scores[0].metrics.items()}


RIGHT = {judge: [judged(i, judge) for i in range(1, 121)] for judge in "abcd"}
LETTERS = [["C" if right else "I" for right in row] for row in zip(*RIGHT.values(), strict=True)]
QUERIES = [i % 12 for i in range(1, 121)]


def defined(clusters=None):
    """Return the metric of these judges by definition, from the covariances of their errors."""
    covariances, n = np.cov(1 - np.array(list(RIGHT.values()), float), bias=True), len(RIGHT)
    alone = np.trace(covariances)
    panel = erralign.Responses.from_table([True] * 120, RIGHT)
    interval = erralign.effective_number(panel, clusters=clusters)
    return {
        "judges": n * alone / covariances.sum(),
        "low": interval.low,
        "high": interval.high,
        "error_correlation": (covariances.sum() - alone) / (n - 1) / alone,
    }


def test_the_task_of_the_page_runs_in_inspect_and_its_log_has_the_metric(run, here):
    from inspect_ai.log import read_eval_log, recompute_metrics
    from inspect_ai.scorer import Score, scorer

    def grader(judge):
        @scorer(metrics=[])
        def graded():
            async def score(state, target):
                said = judged(state.sample_id, judge) == (state.metadata["person"] == "C")
                return Score(value="C" if said else "I")

            return score

        return graded()

    lines = [
        {"input": "?", "target": "!", "id": i, "metadata": {"query": query, "person": "C" if i % 3 else "I"}}
        for i, query in enumerate(QUERIES, 1)
    ]
    (here / "answers.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    names = {"__name__": "panel"}
    exec(PASTED, names)
    names |= {"model_graded_qa": lambda model: grader(model), "JUDGES": list("abcd")}  # these cost nothing
    file, found = run(names["panel"]())
    assert found == pytest.approx(defined(QUERIES))
    stored = read_eval_log(str(file))
    stored.results.scores[0].metrics.clear()
    recompute_metrics(stored)  # which finds the metric by the name that the log has
    assert values_of(stored) == found


def test_a_scorer_of_all_judges_makes_a_log_that_we_read(inspect_ai, run):
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import Score, scorer

    from erralign.inspect import effective_judges

    @scorer(metrics=[effective_judges(cluster="query")])
    def panel():
        async def score(state, target):
            return Score(value={judge: "C" if judged(state.sample_id, judge) else "I" for judge in "abcd"})

        return score

    samples = [Sample(input="?", target="!", id=i, metadata={"query": query}) for i, query in enumerate(QUERIES, 1)]
    file, found = run(inspect_ai.Task(dataset=samples, scorer=panel()))
    assert found == pytest.approx(defined(QUERIES))
    assert erralign.read_logs(file, metric="a").answers.iloc[:, 0].eq(0).tolist() == RIGHT["a"]


def test_inspect_finds_the_metric_by_its_name(inspect_ai):
    """In a process that imports nothing of ours: by the entry point of the installed package."""
    if not any(point.name == "erralign" for point in entry_points(group="inspect_ai")):
        pytest.skip("needs the package installed with its entry point: pip install -e .")
    code = (
        "from inspect_ai._util.registry import registry_lookup; "
        "print(registry_lookup('metric', 'erralign/effective_judges') is not None)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "True\n"


def test_lists_and_dictionaries_with_and_without_gold_say_the_same(metric):
    expected = pytest.approx(defined())
    assert metric(LETTERS) == expected
    assert metric([dict(zip("abcd", row, strict=True)) for row in LETTERS]) == expected
    assert metric([[1 if letter == "C" else 0.5 for letter in row] for row in LETTERS]) == expected
    people = [i % 4 for i in range(120)]
    grades = [[grade + (letter == "I") for letter in row] for row, grade in zip(LETTERS, people, strict=True)]
    assert metric(grades, [{"person": grade} for grade in people], gold="person") == expected


def test_epochs_of_a_sample_are_not_independent(metric):
    once, twice = metric(LETTERS), metric(LETTERS * 2, ids=[*range(120)] * 2)
    assert twice["judges"] == pytest.approx(once["judges"])
    assert twice["high"] - twice["low"] > 0.95 * (once["high"] - once["low"])


def test_of_too_few_samples_or_clusters_it_says_so_and_does_not_stop_the_evaluation(metric):
    """While an evaluation runs, Inspect asks for the metric of the first samples."""
    for few in (LETTERS[:1], LETTERS[:2], [row[:1] for row in LETTERS]):
        assert np.isnan(list(metric(few).values())).all()
    found = metric(LETTERS, [{"query": i % 2} for i in range(120)], cluster="query")
    assert np.isnan([found["low"], found["high"]]).all()
    expected = defined()
    assert [found["judges"], found["error_correlation"]] == pytest.approx(
        [expected["judges"], expected["error_correlation"]]
    )


def test_a_sample_that_a_judge_did_not_rate_is_left_out_with_a_warning(metric, caplog):
    assert metric([*LETTERS, ["C", "I", "I"]]) == metric(LETTERS)
    assert metric([*LETTERS, ["C", "I", "I", float("nan")]]) == metric(LETTERS)
    assert "1 of 121 samples lack the rating of a judge" in caplog.text


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        (["C", "I"], {}, r"the score of sample '0' is 'C'; .* multi_scorer\(judges, reducer='collect'\)"),
        ([[4, 5], [1, 2]], {}, r"4, the rating of judge 1 on sample '0', .* effective_judges\(gold='key'\)"),
        ([["C", "I"]], {"gold": "person"}, "sample '0' has no 'person' in its metadata; it has: query"),
        ([["7", "4"]], {"gold": "query"}, "sample '0' has the rating '7' of judge 1, and 7 as 'query'"),
        ([["C", "I"]], {"cluster": "person"}, "sample '0' has no 'person'"),
        ([["C", "I"]], {"level": 95}, "level"),
    ],
)
def test_what_is_no_panel_is_refused(metric, values, options, message):
    with pytest.raises(ValueError, match=message):
        metric(values, [{"query": 7}] * len(values), **options)


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
