"""Logs of Inspect, ``.eval`` and ``.json``, as its versions from November 2024 to 0.3.285 write them.

After ``src/inspect_ai/log/_log.py`` and ``scorer/_metric.py`` (commit 499e615). An ``.eval`` log is a zip archive of
JSON, compressed with Zstandard from 0.3.206 on: ``header.json`` (``status``, ``eval`` with ``model`` and ``task``),
``summaries.json`` (all that is needed of each sample, from 0.3.156 with its ``choices``) and
``samples/<id>_epoch_<epoch>.json``. A ``.json`` log holds the same in one object. Options are numbered as in the data
set, also where they were shuffled.
"""

from math import isnan
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile, is_zipfile

from erralign._validation import expected
from erralign.datasets.logs.files import NOWHERE, Log, Sample, member, places, share_right, whole
from erralign.datasets.own.cells import HEADER, START, say

# Why a score is none of an answer: reasons of `Score.reason`, from 0.3.245 on.
NO_ANSWER = ("invalid_response_format", "no_response", "refusal", "grader_failed", "scoring_failed")
SUMMARIES, SAMPLES = "summaries.json", "samples/"  # members of an archive
CUT = 1000  # characters of a question that are compared with those of other logs; summaries hold 5,120


def read(path: Path, scorer: str | None, subset: bool) -> Log:
    """Read a log; one whose run did not come to its end only where a subset of the items is enough."""
    log = _of_archive(path) if path.suffix == ".eval" or is_zipfile(path) else whole(path)
    status, run, found = log.get("status", "started"), log.get("eval") or {}, log.get("samples") or []
    if status != "success" and not subset:
        raise ValueError(say("not_finished", file=path.name, status=status, n=f"{len(found):,}"))
    scored = [sample for sample in found if sample.get("scores")]
    if not scored:
        raise ValueError(f"{path.name} has no scores in its {len(found):,} samples; make them with  inspect score")
    found = found if status == "success" else scored
    samples = [_sample(path.name, place, each, scorer) for place, each in enumerate(found, 1)]
    return Log(path.name, str(run.get("model") or path.stem), str(run.get("task") or ""), samples)


def _of_archive(path: Path) -> dict[str, Any]:
    """Return what an archive holds, in the form of a JSON log."""
    try:
        opened = ZipFile(path)
    except BadZipFile:
        raise ValueError(say("no_archive", file=path.name)) from None
    with opened as archive:
        names = list(dict.fromkeys(archive.namelist()))  # what was written anew is there twice, and the last one counts
        if HEADER not in names and START not in names:
            raise ValueError(f"{path.name} has neither {HEADER} nor {START}, one of which every log of Inspect has")
        header = member(archive, HEADER if HEADER in names else START)
        found = member(archive, SUMMARIES) if SUMMARIES in names else []
        samples = [name for name in names if name.startswith(SAMPLES)]
        if samples and not (found and ("choices" in found[0] or not member(archive, samples[0]).get("choices"))):
            found = [member(archive, name) for name in samples]
        return header | {"samples": found}


def _sample(file: str, place: int, sample: dict[str, Any], scorer: str | None) -> Sample:
    if not isinstance(sample.get("id"), int | str):
        raise ValueError(f"{file}: sample {place} has no 'id', by which the samples of several logs are matched")
    where = f"{file}, sample {sample['id']!r}"
    score = _score(where, sample.get("scores") or {}, scorer)
    right = share_right(score.get("value"), where)
    options = [str(choice).strip() for choice in sample.get("choices") or []]
    wanted, question, said = sample.get("target", ""), sample.get("input"), str(score.get("answer") or "")
    wanted = ", ".join(map(str, wanted)) if isinstance(wanted, list) else str(wanted)
    return Sample(
        sample["id"],
        sample.get("epoch") or 1,
        question[:CUT] if isinstance(question, str) else "",
        len(options),
        places(wanted, options) if options else NOWHERE,
        places(said, options) if options else NOWHERE,
        right,
        not isnan(right) and score.get("reason") not in NO_ANSWER,
        said or str(score.get("reason") or "no answer"),
        wanted,
    )


def _score(where: str, scores: dict[str, Any], asked: str | None) -> dict[str, Any]:
    """Return the score that was asked for, or the only one; none where the sample failed."""
    found: dict[str, Any] = {}
    for name, score in scores.items():
        values = score.get("value")
        values = values if isinstance(values, dict) else {name: values}
        found |= {key: score | {"value": each} for key, each in values.items()}
    if found and (asked not in found if asked else len(found) > 1):
        wanted = expected(asked, found) if asked else "choose one with --metric NAME (metric=...)"
        raise ValueError(f"{where} has the scores {', '.join(found)}; {wanted}")
    return found[asked or next(iter(found))] if found else {}
