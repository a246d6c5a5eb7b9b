"""Samples that lm-evaluation-harness logs (``--log_samples``), as versions 0.4.3 to 0.4.13 write them.

One line per document and filter, in ``<model>/samples_<task>_<date>.jsonl``, after ``SampleResult`` in the repository's
``lm_eval/result_schema.py`` (commit 4e7e0d4): ``doc_id``, ``doc``, ``target`` (as text; of multiple choice the number
of an option from 0, a letter or its words, which the line does not say), ``arguments``, ``filtered_resps`` (of multiple
choice a log-likelihood and whether it is greedy, per option), ``filter`` and ``metrics`` (from 0.4.7), ``doc_hash``,
and the value of each metric. The answer is the option of largest log-likelihood, of several the first, as in the
harness. Of repeats, only the answer that the harness scored is read.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import isnan, nan
from pathlib import Path
from typing import Any

from erralign._validation import expected
from erralign.datasets.logs.files import MISSHAPEN, NONE, NOWHERE, Log, Sample, lines, misshapen, places, share_right

NAME = re.compile(r"samples_(.+)_\d{4}-\d\d-\d\dT[\d:.-]+\.jsonl")
OF_NO_METRIC = {"doc_id", "resps", "filtered_resps", "filter", "target", "doc_hash"}  # some of which may be numbers
PREFERRED = ("acc", "exact_match")  # of several metrics
LENGTHS = {"acc_norm": len, "acc_bytes": lambda option: len(option.encode())}  # these divide by them
NOT_FOUND = "[invalid]"  # what filters write where they found no answer


def read(path: Path, filter_name: str | None, metric: str | None) -> Log:
    """Read a file of samples."""
    by_filter: dict[str, list[Sample]] = defaultdict(list)
    for where, line in lines(path):
        try:
            by_filter[str(line.get("filter", "none"))].append(_sample(where, line, metric))
        except MISSHAPEN as error:
            raise misshapen(where, error) from error
    if len(by_filter) > 1 and filter_name not in by_filter:
        choose = "choose one with --filter NAME (filter_name=...)"
        wanted = choose if filter_name is None else expected(filter_name, by_filter)
        raise ValueError(f"{path.name} has answers by the filters {' and '.join(by_filter)}; {wanted}")
    samples = by_filter[filter_name] if len(by_filter) > 1 and filter_name else next(iter(by_filter.values()))
    named = NAME.fullmatch(path.name)
    if named:
        return Log(path.name, path.absolute().parent.name, named[1], samples)
    return Log(path.name, path.name.split(".jsonl")[0], "", samples)


def _sample(where: str, line: dict[str, Any], metric: str | None) -> Sample:
    responses = line.get("filtered_resps")
    if not isinstance(line.get("doc_id"), int | str) or not isinstance(responses, list) or not responses:
        lacking = "doc_id" if isinstance(responses, list) and responses else "filtered_resps"
        raise ValueError(f"{where} has no {lacking!r}, which every sample of lm-evaluation-harness has")
    metric = _metric(where, line, metric)
    right = share_right(line[metric], f"{where}, {metric!r},") if metric else nan
    if _is_scored(responses):
        options = _continuations(line, len(responses))
        place = _largest(responses, options, metric)
        answer, said = (place,) * 3, "a log-likelihood that is no number" if place == NONE else options[place]
    else:
        options, said = _options(line.get("doc")), next(_strings(responses), "")
        answer = places(said, options) if options else NOWHERE
    is_in_response = answer == NOWHERE or _is_scored(responses) or _holds(line.get("resps"), said)
    is_read = said != NOT_FOUND and (answer != NOWHERE or not _is_scored(responses))
    wanted = str(line.get("target", ""))
    target, question = places(wanted, options), str(line.get("doc_hash", ""))
    read = (right, is_read, said, wanted, is_in_response)
    return Sample(line["doc_id"], 1, question, len(options), target, answer, *read)


def _metric(where: str, line: dict[str, Any], asked: str | None) -> str | None:
    """Return the name of the metric that says what is right; None if there is none."""
    names = line.get("metrics", line.keys() - OF_NO_METRIC)
    found = sorted(name for name in names if isinstance(line.get(name), bool | int | float))
    if asked is not None and asked not in found:
        raise ValueError(f"{where} has no metric {asked!r}; {expected(asked, found)}")
    preferred = [name for name in (asked, *PREFERRED) if name in found] or found
    if len(found) > 1 and preferred == found:
        raise ValueError(f"{where} has the metrics {', '.join(found)}; choose one with --metric NAME (metric=...)")
    return preferred[0] if preferred else None


def _is_scored(responses: list[Any]) -> bool:
    """Say whether there is a log-likelihood, and whether it is greedy, per option."""
    return all(isinstance(each, list) and len(each) == 2 and str(each[1]) in ("True", "False") for each in responses)


def _largest(scored: list[Any], options: Sequence[str], metric: str | None) -> int:
    """Return the place of the largest log-likelihood, of several the first; NONE where one is no number."""
    try:
        chances = [float(chance) for chance, _ in scored[: len(options)]]
    except ValueError:
        return NONE
    if any(map(isnan, chances)):
        return NONE
    if metric in LENGTHS:
        chances = [chance / (LENGTHS[metric](option) or 1) for chance, option in zip(chances, options, strict=True)]
    return chances.index(max(chances))


def _continuations(line: dict[str, Any], n: int) -> list[str]:
    """Return the words of options, from what the model was asked for; they come twice for mutual information."""
    asked = line.get("arguments") or {}
    asked = asked.values() if isinstance(asked, dict) else asked
    given = [list(each.values()) if isinstance(each, dict) else each for each in asked]
    n = n // 2 if "acc_mutual_info" in line else n
    said = [str(each[1]).removeprefix(" ") for each in given if isinstance(each, list) and len(each) > 1][:n]
    return said if len(said) == n else [""] * n


def _options(document: Any) -> list[str]:
    """Return the options of a question that was answered in words."""
    document = document if isinstance(document, dict) else {}
    found = document.get("options", document.get("choices"))
    found = found.get("text") if isinstance(found, dict) else found
    return [str(option).strip() for option in found] if isinstance(found, list) else []


def _strings(given: Any) -> Iterator[str]:
    for each in given if isinstance(given, list) else ():
        yield from _strings(each)
    if not isinstance(given, list):
        yield str(given)


def _holds(responses: Any, said: str) -> bool:
    """Say whether a response holds an answer as a word of its own; if it does not, the answer may be a filler."""
    word = said.strip("(). ")
    alone = re.compile(rf".*(?<![^\W_]){re.escape(word)}(?![^\W_])", re.DOTALL)  # from the end, where answers stand
    return responses is None or not word or any(map(alone.match, _strings(responses)))
