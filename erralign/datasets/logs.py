"""Logs of language models' answers: the samples of lm-evaluation-harness, and the logs of Inspect.

lm-evaluation-harness (``--log_samples``), versions 0.4.3 to 0.4.13, writes a line per document and filter in
``<model>/samples_<task>_<date>.jsonl``, after ``SampleResult`` in ``lm_eval/result_schema.py`` (commit 4e7e0d4):
``doc_id``, ``doc``, ``target`` (as text; of multiple choice the number of an option from 0, a letter or its words; the
line does not say which), ``arguments``, ``filtered_resps`` (of multiple choice a log-likelihood and whether it is
greedy, per option), ``filter`` and ``metrics`` (from 0.4.7), ``doc_hash``, and the value of each metric. Older versions
wrote one list of such objects. The answer is the option of largest log-likelihood, of several the first, as in the
harness.

Inspect writes ``.eval`` and ``.json``, from November 2024 to 0.3.285 after ``src/inspect_ai/log/_log.py`` and
``scorer/_metric.py`` (commit 499e615). An ``.eval`` log is a zip archive of JSON, compressed with Zstandard from
0.3.206 on: ``header.json`` (``status``, ``eval`` with ``model`` and ``task``), ``summaries.json`` (all that is needed
of each sample, from 0.3.156 with its ``choices``) and ``samples/<id>_epoch_<epoch>.json``. A ``.json`` log holds the
same in one object. Options are numbered as in the data set, also where they were shuffled.
"""

import gzip
import json
import re
import struct
import sys
import warnings
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from io import BytesIO
from math import isnan, nan
from os import PathLike
from pathlib import Path
from string import ascii_uppercase
from typing import Any, BinaryIO, NamedTuple, cast

import numpy as np
import pandas as pd

from erralign._validation import NO_ANSWER, DataError, check_number_of_options, expected, install_line, shown
from erralign.files import HALF, has_half_a_character
from erralign.responses import Responses
from erralign.responses.columns import describe_systems

_Paths = str | PathLike[str] | Sequence[str | PathLike[str]]

_MOST_AT_ONCE = 2**26  # bytes of JSON that are parsed at once
_MOST_MEMORY = 2**28 + 2**27  # bytes that this may take
_MOST_PER_LOG = 2**30  # bytes that are unpacked from an archive, one member after the other
_MOST_NAMED = 3  # examples in a message
_HALF = re.compile(HALF.pattern.encode())
_FORMS = "samples_*.jsonl of lm-evaluation-harness, or .eval or .json of Inspect"


class _Sample(NamedTuple):
    """One answer to one item."""

    item: str | int
    run: int  # 1, 2, … where the same system answered again
    question: str  # the same for the same question; "" if it is not known
    options: tuple[str, ...]  # their words, "" where these are not known; empty if there are no options
    target: str
    answer: str | int  # as text, or the place of the option
    right: float  # from 0 to 1; nan if it was not scored
    is_read: bool  # whether the tool found an answer


class _Log(NamedTuple):
    """A log: who answered what."""

    file: str
    system: str
    task: str
    samples: list[_Sample]


def read_logs(
    path: _Paths,
    *,
    metric: str | None = None,
    filter_name: str | None = None,
    subset: bool = False,
    name: str | None = None,
) -> Responses:
    r"""Read the logs of language models, several of which are several systems.

    Items are matched by their names (``doc_id``, or ``id`` of a sample) within a task, and options by their words where
    two logs have the same in another order. How answers were taken, and what could not be read, is said in warnings.

    Parameters
    ----------
    path : path, or sequence of paths
        ``samples_*.jsonl`` of lm-evaluation-harness, or ``.eval`` and ``.json`` logs of Inspect; or folders of them, or
        of such folders. A system is called as the model of an Inspect log, the folder of the harness's files, or the
        file; several epochs, or logs of a model and a task, are its runs: ``model#1``, ….
    metric : str, optional
        Which metric, or which scorer, says what is right. Default: ``acc``, ``exact_match`` or the only one. With
        ``acc_norm`` the answer is the option that is best by that.
    filter_name : str, optional
        Which filter's answers to read, where the harness applied several.
    subset : bool
        Whether to read only the items that all logs have, where some lack others, as those of cancelled runs do.
    name : str, optional
        What to call the data set. Default: the name of the task.

    Returns
    -------
    Responses
        With options per item, if all items have some and every score follows from target and answer; classes are then
        positions in the first log, A, B, C, …. Else with the classes ``right`` and ``wrong``, for which there is EC but
        neither MA nor CLES. What could not be read, or names an option which the item lacks, is -1; partial credit is
        wrong.

    Raises
    ------
    ValueError
        A log differs from another in items, questions, number of options or targets; there are several metrics or
        filters to choose from; or a file is no log.
    DataError
        A log is damaged, cut short, encrypted, nested too deeply or too large.
    ImportError
        A log is compressed with Zstandard, which nothing here reads.

    Examples
    --------
    >>> import json
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> line = {"doc_id": 0, "target": "1", "filtered_resps": [[-1.5, False], [-0.5, False]], "acc": 1.0}
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "llama.jsonl")
    ...     _ = file.write_text(json.dumps(line))
    ...     log = read_logs(file)
    >>> log.answers["llama"].to_dict(), log.classes, log.options.tolist()
    ({0: 1}, ('A', 'B'), [2])
    """
    files = log_files(path)
    if not files:
        where = path if isinstance(path, str | PathLike) else ", ".join(map(str, path))
        raise ValueError(f"no log in {where}; expected {_FORMS}")
    for file, n in Counter(file.resolve() for file in files).items():
        if n > 1:
            raise ValueError(f"{file.name} is given {n} times; give each log once")
    logs = [_read(file, metric, filter_name, subset) for file in files]
    tasks = list(dict.fromkeys(log.task for log in logs if log.task)) or [""]
    if len(tasks) == 1:  # which is also that of logs that do not name theirs
        logs = [log._replace(task=tasks[0]) for log in logs]
    tables, reasons = map(list, zip(*map(_in_options, logs), strict=True))
    is_named, notes = not any(reasons), []
    if not is_named:
        tables = [_right_or_wrong(table) for table in tables]
        notes.append(f"Answers are only right or wrong: {next(filter(None, reasons))}.")
    systems, on_runs = _systems(logs, tables)
    systems = _on_the_same_items(systems, subset)
    _check_same(systems, "question", "another question")
    if is_named:
        _check_same(systems, "n_options", "another number of options")
        notes += _match_options(systems)
        _check_same(systems, "target", "another key")
    for note in (*notes, *on_runs, *_notes_on_answers(systems, is_named)):
        warnings.warn(note, stacklevel=2)
    if name is None:
        name = ", ".join(tasks) if len(tasks) <= _MOST_NAMED else f"{len(tasks)} tasks"
    return _responses(systems, name or logs[0].file, is_named)


# ---- files and JSON --------------------------------------------------------------------------------------------------

_HEADER, _START = "header.json", "_journal/start.json"  # members of an archive, one of which Inspect has written
_SUMMARIES, _SAMPLES = "summaries.json", "samples/"
# Raised of a damaged archive: flipped bytes may ask for later versions of the format, or for places before its start.
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, struct.error, UnicodeDecodeError)
_ZSTANDARD = 93  # the number of this compression in the zip format


def log_files(paths: _Paths) -> list[Path]:
    """Return the logs among files, and in folders however deep; nothing where there is none.

    The harness's own ``results_*.json`` are passed over, since they hold no answers. Raises ValueError where these are
    all that is there, and where some of the files are logs and others are not.
    """
    files, in_folders = [], []
    if isinstance(paths, str | PathLike):
        paths = [paths]
    for path in map(Path, paths):
        if path.is_dir():
            inside = (file for file in path.rglob("[!.]*") if file.is_file())
            in_folders += sorted(file for file in inside if not any(map(_is_hidden, file.relative_to(path).parts)))
        else:
            files.append(path)
    kinds = {file: _kind_of(file) for file in (*files, *in_folders)}
    logs = [file for file in (*files, *in_folders) if kinds[file] in ("harness", "inspect")]
    if "results" in kinds.values() and not logs:
        raise ValueError(
            "results_*.json of lm-evaluation-harness say how many answers were right, not which; "
            "give samples_*.jsonl, which it writes with --log_samples"
        )
    others = [file for file in files if not kinds[file]]
    if logs and others:
        if not others[0].is_file():
            raise ValueError(f"there is no file {str(others[0])!r}; give the path of a log")
        raise ValueError(f"{others[0].name} is no log; expected {_FORMS}")
    return logs


def _is_hidden(name: str) -> bool:
    return name.startswith(".")


def _opened(path: Path) -> BinaryIO:
    """Open a file as UTF-8, whether it is in UTF-16 or compressed."""
    file = path.open("rb")
    start = file.read(2)
    file.seek(0)
    if start == b"\x1f\x8b":
        return cast(BinaryIO, gzip.GzipFile(fileobj=file))
    if start in (b"\xff\xfe", b"\xfe\xff"):
        with file:
            return BytesIO(file.read(_MOST_AT_ONCE).decode("utf-16", errors="replace").encode())
    return file


def _kind_of(path: Path) -> str:
    """Return what a file is by the keys that it must have: ``harness``, ``inspect``, ``results`` or nothing."""
    if not path.is_file():
        return ""
    if path.suffix == ".eval":
        return "inspect"
    with _opened(path) as file:
        head = file.read(2**20).decode("utf-8", errors="replace").lstrip("\ufeff \r\n\t")
    if not head.startswith(("{", "[")):
        return ""
    keys = set(re.findall(r'(?<!\\)"(\w+)"\s*:', head))
    # Before its responses, a sample has its texts, which may be long.
    if "doc_id" in keys and (_NAME.fullmatch(path.name) or not keys.isdisjoint(["resps", "filtered_resps"])):
        return "harness"
    if {"status", "eval"} <= keys and re.search(r'"eval"\s*:\s*\{', head):
        return "inspect"
    return "results" if path.name.startswith("results_") and "results" in keys else ""


def _read(path: Path, metric: str | None, filter_name: str | None, subset: bool) -> _Log:
    try:
        if _kind_of(path) == "inspect":
            log = _read_inspect(path, metric, subset)
        else:
            log = _read_harness(path, filter_name, metric)
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError) as error:
        raise DataError(f"{path.name} is not of the form of a log ({error!r}): was it changed?") from error
    if not all(isinstance(sample.item, int | str) for sample in log.samples):
        raise DataError(f"{log.file} has a sample whose 'doc_id' or 'id' is no number or text: was it changed?")
    (sample, n), *_ = Counter((sample.item, sample.run) for sample in log.samples).most_common(1)
    if n > 1:
        raise ValueError(
            f"{log.file} gives item {shown(sample[0])} {n} times; give each answer once, and each task its own file"
        )
    return log


def _parsed(text: bytes, where: str) -> Any:
    much = ""
    if len(text) > _MOST_AT_ONCE:
        much = f"has more than {_MOST_AT_ONCE:,} bytes of JSON in one piece"
    elif (needed := _memory_of(text)) > _MOST_MEMORY:
        much = f"would take {needed / 10**6:,.0f} MB of memory in one piece"
    if much:
        raise DataError(
            f"{where} {much}: is it a log? Make an archive of one of Inspect, which is read piece by piece:  "
            "inspect log convert --to eval --output-dir logs FILE"
        )
    try:
        parsed = json.loads(text)
        if _HALF.search(text) and has_half_a_character(parsed):
            raise DataError(f"{where} holds half a character (a lone surrogate): write it anew")
        return parsed
    except RecursionError:
        raise DataError(f"{where} is nested more deeply than any log: was it changed?") from None
    except ValueError as error:  # of JSON or of UTF-8
        raise DataError(f"{where} is no whole JSON ({error}): was the run or the copy cut short?") from None


def _memory_of(text: bytes) -> int:
    """Return about how many bytes JSON takes at most when it is parsed: {} is two bytes of a file, and 64 of memory."""
    width = 1
    if not text.isascii():
        width = 4 if re.search(rb"[\xf0-\xff]", text) else 2
    n_lists, n_objects, n_others = (text.count(mark) for mark in (b"[", b"{", b","))
    return len(text) * (1 + 2 * width) + 96 * n_lists + 232 * n_objects + 64 * n_others


def _rows(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield the object in each line of a file, or each object of one list, and where it is."""
    with _opened(path) as file:
        is_list = file.read(2**10).lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"[")
        file.seek(0)
        if is_list:
            for number, row in enumerate(_parsed(file.read(_MOST_AT_ONCE + 1), path.name), 1):
                yield f"{path.name}, sample {number}", row
        number = 0
        while line := file.readline(_MOST_AT_ONCE + 1):
            number += 1
            if line.strip():
                yield f"{path.name}, line {number}", _parsed(line, f"{path.name}, line {number}")


def _members(archive: zipfile.ZipFile, names: Sequence[str]) -> Iterator[Any]:
    """Yield what JSON files in an archive hold, one after the other."""
    file = Path(str(archive.filename)).name
    members = [archive.getinfo(name) for name in names]
    size = sum(member.file_size for member in members)
    if size > _MOST_PER_LOG:
        raise DataError(
            f"{file} has {size:,} bytes when it is unpacked; expected {_MOST_PER_LOG:,} at most: is it a log? "
            "A run on fewer items at once (inspect eval --limit) has smaller ones"
        )
    for member in members:
        where = f"{file}: {member.filename}"
        if member.flag_bits & 1:
            raise DataError(f"{where} is encrypted; unpack the archive with its password, and pack it again without")
        try:
            if member.compress_type == _ZSTANDARD:
                content = _zstandard(archive, member)
            elif member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                with archive.open(member) as opened:
                    content = opened.read(min(member.file_size, _MOST_AT_ONCE) + 1)
            else:
                raise DataError(f"{where} is compressed as no log of Inspect is; unpack the archive, and pack it again")
        except _DAMAGE as error:
            raise DataError(f"{where} is damaged ({error}); copy the log again") from None
        yield _parsed(content, where)


def _zstandard(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Unpack a member, of which a large one has several frames; zipfile would read the first."""
    path = Path(str(archive.filename))
    with path.open("rb") as file:
        file.seek(info.header_offset + 26)
        file.seek(sum(struct.unpack("<HH", file.read(4))), 1)  # the name and the extra field
        packed = BytesIO(file.read(info.compress_size))
    opened: Any
    damage: type[Exception]
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd

            opened, damage = zstd.open(packed), zstd.ZstdError
        else:
            from zstandard import ZstdDecompressor, ZstdError

            opened, damage = ZstdDecompressor().stream_reader(packed, read_across_frames=True), ZstdError
    except ImportError:
        raise ImportError(
            f"{path.name} is compressed with Zstandard, which Python unpacks from 3.14 on; {install_line('inspect')}  "
            "installs what does, or make a JSON log of it:  inspect log convert --to json --output-dir logs FILE"
        ) from None
    try:
        with opened as reader:
            content = reader.read(min(info.file_size, _MOST_AT_ONCE) + 1)
    except damage as error:
        raise zipfile.BadZipFile(str(error)) from None
    if len(content) != info.file_size and len(content) <= _MOST_AT_ONCE:
        raise zipfile.BadZipFile(f"it does not have the {info.file_size:,} bytes that the archive lists")
    return content


# ---- samples of lm-evaluation-harness --------------------------------------------------------------------------------

_NAME = re.compile(r"samples_(.+)_\d{4}-\d\d-\d\dT[\d:.-]+\.jsonl")
_OF_NO_METRIC = {"doc_id", "resps", "filtered_resps", "filter", "target", "doc_hash"}  # some of which may be numbers
_PREFERRED = ("acc", "exact_match")  # of several metrics
_METRIC, _FILTER = "--metric NAME (metric=...)", "--filter NAME (filter_name=...)"
_NOT_FOUND = "[invalid]"  # what filters write where they found no answer
_GREEDY_OR_NOT = (["True"], ["False"], [True], [False])
_NO_NUMBER = "a log-likelihood that is no number"


def _read_harness(path: Path, filter_name: str | None, metric: str | None) -> _Log:
    by_filter: dict[str, list[_Sample]] = defaultdict(list)
    for where, row in _rows(path):
        by_filter[str(row.get("filter", "none"))].append(_harness_sample(where, row, metric))
    samples = next(iter(by_filter.values()))
    if len(by_filter) > 1:
        samples = by_filter[_chosen(path.name, "answers by the filters", by_filter, filter_name, _FILTER)]
    named = _NAME.fullmatch(path.name)
    if named:
        return _Log(path.name, path.absolute().parent.name, named[1], samples)
    return _Log(path.name, path.name.split(".jsonl")[0], "", samples)


def _harness_sample(where: str, row: dict[str, Any], metric: str | None) -> _Sample:
    responses = row["filtered_resps"]
    metric = _metric(where, row, metric)
    right = nan if metric is None else _share_right(row[metric], f"{where}, {metric!r},")
    are_scored = [isinstance(scored, list) and scored[1:] in _GREEDY_OR_NOT for scored in responses]
    answer: str | int
    if all(are_scored):
        options = _continuations(row, len(responses))
        answer = _most_likely([likelihood for likelihood, _ in responses[: len(options)]], options, metric)
    else:
        options = _options_of(row.get("doc"))
        first = responses[0][0] if isinstance(responses[0], list) else responses[0]
        answer = str(first)
    target, question = str(row.get("target", "")).strip(), str(row.get("doc_hash", ""))
    is_read = answer not in (_NOT_FOUND, _NO_NUMBER)
    check_number_of_options(where, len(options))
    return _Sample(row["doc_id"], 1, question, tuple(options), target, answer, right, is_read)


def _metric(where: str, row: dict[str, Any], asked: str | None) -> str | None:
    """Return the name of the metric that says what is right; None if there is none."""
    names = row.get("metrics", row.keys() - _OF_NO_METRIC)
    metrics = sorted(name for name in names if isinstance(row.get(name), bool | int | float))
    preferred = [name for name in _PREFERRED if name in metrics]
    if asked is None and (preferred or not metrics):
        return next(iter(preferred), None)
    return _chosen(where, "the metrics", metrics, asked, _METRIC)


def _most_likely(likelihoods: Sequence[Any], options: Sequence[str], metric: str | None) -> int | str:
    """Return the place of the option with the largest log-likelihood."""
    try:
        values = np.array(likelihoods, float)
    except ValueError:
        return _NO_NUMBER
    if metric == "acc_norm":  # which divides by the length
        values /= [len(option) or 1 for option in options]
    elif metric == "acc_bytes":
        values /= [len(option.encode()) or 1 for option in options]
    return _NO_NUMBER if np.isnan(values).any() else int(values.argmax())


def _continuations(row: dict[str, Any], n: int) -> list[str]:
    """Return the words of options, from what the model was asked for; they come twice for mutual information."""
    if "acc_mutual_info" in row:
        n //= 2
    arguments = row.get("arguments") or {}
    words = []
    for argument in arguments.values() if isinstance(arguments, dict) else arguments:
        parts = list(argument.values()) if isinstance(argument, dict) else argument
        words.append(str(parts[1]).strip())
    return words[:n] if len(words) >= n else [""] * n


def _options_of(document: Any) -> list[str]:
    """Return the options of a question that was answered in words."""
    if not isinstance(document, dict):
        return []
    options = document.get("options", document.get("choices"))
    if isinstance(options, dict):
        options = options.get("text")
    return [str(option).strip() for option in options] if isinstance(options, list) else []


# ---- logs of Inspect -------------------------------------------------------------------------------------------------

# Why a score is none of an answer: reasons of `Score.reason`, from 0.3.245 on.
_NOT_ANSWERED = ("invalid_response_format", "no_response", "refusal", "grader_failed", "scoring_failed")
_CUT = 1000  # characters of a question that are compared with those of other logs; summaries hold 5,120


def _read_inspect(path: Path, scorer: str | None, subset: bool) -> _Log:
    """Read a log; one whose run did not come to its end only where a subset of the items is enough."""
    parts = _inspect_parts(path)
    header = next(parts)
    status, run = header.get("status", "started"), header["eval"]
    if status != "success" and not subset:
        raise ValueError(
            f"{path.name} is of a run that did not come to its end (status {status!r}); finish it with  inspect "
            "eval-retry , or compare on the items that all logs have with --subset (subset=True)"
        )
    samples, has_scores = [], False
    for sample in parts:
        if sample.get("scores") or status == "success":
            samples.append(_inspect_sample(path.name, sample, scorer))
        has_scores = has_scores or bool(sample.get("scores"))
    if not has_scores:
        raise ValueError(f"{path.name} has no scores in its samples; make them with  inspect score")
    return _Log(path.name, str(run.get("model") or path.stem), str(run.get("task") or ""), samples)


def _inspect_parts(path: Path) -> Iterator[dict[str, Any]]:
    """Yield what a log says of its run, and then each of its samples."""
    if path.suffix != ".eval":
        with _opened(path) as file:
            whole = _parsed(file.read(_MOST_AT_ONCE + 1), path.name)
        yield whole
        yield from whole.get("samples") or []
        return
    try:
        opened = zipfile.ZipFile(path)
    except _DAMAGE as error:
        raise DataError(
            f"{path.name} is no zip archive, as an .eval log is, or cut short ({error}); copy it again"
        ) from None
    with opened as archive:
        names = list(dict.fromkeys(archive.namelist()))  # what was written anew is there twice, and the last one counts
        if _HEADER not in names and _START not in names:
            raise DataError(f"{path.name} has neither {_HEADER} nor {_START}, one of which every log of Inspect has")
        first = _HEADER if _HEADER in names else _START
        yield next(_members(archive, [first]))
        members = [name for name in names if name.startswith(_SAMPLES)]
        summaries = next(_members(archive, [_SUMMARIES])) if _SUMMARIES in names else []
        is_all_there = bool(summaries)
        if summaries and members and "choices" not in summaries[0]:
            is_all_there = not next(_members(archive, members[:1])).get("choices")
        if is_all_there:
            yield from summaries
        else:
            yield from _members(archive, members)


def _inspect_sample(file: str, sample: dict[str, Any], scorer: str | None) -> _Sample:
    where = f"{file}, sample {sample.get('id')!r}"
    score = _score(where, sample.get("scores") or {}, scorer)
    right = _share_right(score.get("value"), where)
    answer, target, question = score.get("answer"), sample.get("target", ""), sample.get("input")
    choices = sample.get("choices") or []
    check_number_of_options(where, len(choices))
    if isinstance(target, list):
        target = ", ".join(map(str, target))
    question = question[:_CUT] if isinstance(question, str) else ""
    is_read = not isnan(right) and score.get("reason") not in _NOT_ANSWERED
    return _Sample(
        sample["id"],
        sample.get("epoch") or 1,
        question,
        tuple(str(choice).strip() for choice in choices),
        str(target).strip(),
        str(answer or score.get("reason") or "no answer"),
        right,
        is_read,
    )


def _score(where: str, scores: dict[str, Any], asked: str | None) -> dict[str, Any]:
    """Return the score that was asked for, or the only one; none where the sample failed."""
    by_name: dict[str, Any] = {}
    for name, score in scores.items():
        value = score.get("value")
        for part, of_part in value.items() if isinstance(value, dict) else [(name, value)]:
            by_name[part] = score | {"value": of_part}
    return by_name[_chosen(where, "the scores", by_name, asked, _METRIC)] if by_name else {}


# ---- answers ---------------------------------------------------------------------------------------------------------

_LETTER = re.compile(r"\(?([A-Z])[).:]?")
_WAYS = ("number", "words", "letter")  # in which a text may name an option
_SCORES = {
    "c": 1.0,
    "yes": 1.0,
    "true": 1.0,
    "i": 0.0,
    "no": 0.0,
    "false": 0.0,
    "p": 0.5,
    "n": nan,
    "nan": nan,
    "": nan,
}


def _share_right(value: Any, where: str) -> float:
    """Return a score as a number from 0, wrong, to 1, right; nan where there is none."""
    if value is None:
        return nan
    try:
        right = float(_SCORES.get(str(value).casefold(), value))
    except (TypeError, ValueError):
        right = 2.0
    if not (isnan(right) or 0 <= right <= 1):
        raise ValueError(
            f"{where} holds {_short(value)}, which is neither right nor wrong; expected 0 to 1, true or false, C, I, P "
            "or N (--metric NAME, metric=..., takes another score)"
        )
    return right


def _chosen(where: str, what: str, names: Collection[str], asked: str | None, option: str) -> str:
    """Return the name that was asked for, or the only one."""
    if asked in names:
        return str(asked)
    if asked is None and len(names) == 1:
        return next(iter(names))
    wanted = f"choose one with {option}" if asked is None else expected(asked, names)
    raise ValueError(f"{where} has {what} {', '.join(names)}; {wanted}")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}…"


def _place(name: str | int, options: Sequence[str], way: str) -> int:
    """Return the place of the option that is named by its number from 0, by its words or by a letter; or -1."""
    if isinstance(name, int):
        return name
    letter = _LETTER.fullmatch(name)
    place = NO_ANSWER
    if way == "number" and re.fullmatch(r"\d{1,4}", name):
        place = int(name)
    elif way == "words" and name in options:
        place = options.index(name)
    elif way == "letter" and letter:
        place = ascii_uppercase.index(letter[1])
    return place if place < len(options) else NO_ANSWER


def _in_options(log: _Log) -> tuple[pd.DataFrame, str]:
    """Return samples with targets and answers as places of options; or only as right or wrong, and why.

    Logs do not say whether the target 1 is an option's number or its words. But they say what was right, and in another
    way than theirs that would not follow.
    """
    samples = pd.DataFrame(log.samples)
    samples["text"], samples["n_options"] = samples["answer"], samples["options"].map(len)
    is_open = samples["right"].isna() | ~samples["is_read"]
    best, best_fits = samples, pd.Series(False, samples.index)
    for way in _WAYS:
        target = [_place(sample.target, sample.options, way) for sample in log.samples]
        answer = [_place(sample.answer, sample.options, way) if sample.is_read else NO_ANSWER for sample in log.samples]
        follows = is_open | ((samples["right"] == 1) == np.equal(answer, target))
        fits = follows & np.greater_equal(target, 0) & (samples["n_options"] > 1)
        if fits.sum() > best_fits.sum():
            best, best_fits = samples.assign(target=target, answer=answer), fits
    if best_fits.all():
        if samples["right"].isna().all():
            best["right"] = (best["answer"] == best["target"]).astype(float)
        return best, ""
    first = log.samples[int(best_fits.argmin())]
    follow_from = (
        f"from the target {_short(first.target)}, the answer {_short(first.answer)} and the {len(first.options)} "
        f"options of item {shown(first.item)} in {log.file}"
    )
    if samples["right"].isna().all():
        raise ValueError(
            f"{log.file} does not say which answers are right: it has no score, and none follows {follow_from}"
        )
    return samples, f"the score {first.right:g} does not follow {follow_from}"


def _right_or_wrong(table: pd.DataFrame) -> pd.DataFrame:
    """Return samples with right, 0, and wrong, 1, as targets and answers."""
    is_read = table["is_read"] & table["right"].notna()
    return table.assign(target=0, answer=(table["right"] != 1).astype(int).where(is_read, NO_ANSWER))


# ---- from logs to Responses ------------------------------------------------------------------------------------------


def _systems(logs: Sequence[_Log], tables: Sequence[pd.DataFrame]) -> tuple[dict[str, pd.DataFrame], list[str]]:
    """Return a table per system and run; epochs, and logs of the same system and task, are runs of it."""
    by_system: dict[str, dict[str, list[pd.DataFrame]]] = defaultdict(lambda: defaultdict(list))
    for log, table in zip(logs, tables, strict=True):
        items = pd.MultiIndex.from_product([[log.task], table["item"]], names=["task", "item"])
        by_system[log.system][log.task] += [run for _, run in table.set_index(items).groupby("run")]
    systems, notes = {}, []
    for system, runs_of_tasks in by_system.items():
        n_runs = max(map(len, runs_of_tasks.values()))
        if n_runs > 1:
            notes.append(f"{system} answered {n_runs} times, which are taken as its runs.")
        for place in range(n_runs):
            name = f"{system}#{place + 1}" if n_runs > 1 else system
            parts = [runs[place] for runs in runs_of_tasks.values() if place < len(runs)]
            systems[name] = pd.concat(parts).assign(family=system)
    return systems, notes


def _on_the_same_items(systems: Mapping[str, pd.DataFrame], subset: bool) -> dict[str, pd.DataFrame]:
    """Bring tables into one order; without ``subset``, none may lack an item that another has."""
    items = next(iter(systems.values())).index
    for table in systems.values():
        if subset:
            items = items.intersection(table.index, sort=False)
        elif not table.index.equals(items):
            items = items.union(table.index, sort=False)
    if not len(items):
        names = " and ".join(list(systems)[:_MOST_NAMED])
        raise ValueError(f"{names} have no item in common: are they logs of one task?")
    for system, table in systems.items():
        lacking = items.difference(table.index, sort=False)
        if len(lacking):
            raise ValueError(
                f"{system} lacks {len(lacking):,} of {len(items):,} items, such as {_item(lacking[0])}, which others "
                "have; compare on the items that all have with --subset (subset=True)"
            )
    return {system: table.loc[items] for system, table in systems.items()}


def _item(item: tuple) -> str:
    return shown(item[1]) if not item[0] else f"{shown(item[1])} of {item[0]}"


def _check_same(systems: Mapping[str, pd.DataFrame], column: str, what: str) -> None:
    first, *others = systems
    for system in others:
        ours, theirs = systems[first][column], systems[system][column]
        differs = (ours != theirs) & (ours != "") & (theirs != "")
        if differs.any():
            items = ", ".join(map(_item, ours.index[differs][:_MOST_NAMED]))
            raise ValueError(
                f"{system} has {what} than {first} at {differs.sum():,} of {len(ours):,} items ({items}); compare logs "
                "of the same items, under the same names"
            )


def _match_options(systems: dict[str, pd.DataFrame]) -> list[str]:
    """Give options the places that they have in the first log with their words, and say where that can't be done."""
    notes = []
    known: dict[tuple, tuple[str, ...]] = {}
    for system, table in systems.items():
        targets, answers, unmatched = table["target"].to_list(), table["answer"].to_list(), []
        for place, (item, options) in enumerate(zip(table.index.tolist(), table["options"], strict=True)):
            if not all(options) or options == tuple(ascii_uppercase[: len(options)]):
                continue  # without words, as where the model was asked for a letter
            wanted = known.setdefault(item, options)
            if wanted == options:
                continue
            if sorted(wanted) != sorted(options) or len(set(options)) < len(options):
                unmatched.append(item)
                continue
            targets[place] = wanted.index(options[targets[place]])
            if answers[place] != NO_ANSWER:
                answers[place] = wanted.index(options[answers[place]])
        systems[system] = table.assign(target=targets, answer=answers)
        if unmatched:
            items = ", ".join(map(_item, unmatched[:_MOST_NAMED]))
            notes.append(
                f"{system} has options in other words than the logs before it at {len(unmatched):,} of {len(table):,} "
                f"items ({items}): they are matched by their places."
            )
    return notes


def _notes_on_answers(systems: Mapping[str, pd.DataFrame], is_named: bool) -> list[str]:
    """Say what could not be read, and what was half right."""
    notes = []
    for system, table in systems.items():
        unread = table["text"][table["answer"] == NO_ANSWER]
        if len(unread):
            counts = Counter(map(_short, unread)).most_common()
            words = [f"{text} ({n:,})" for text, n in counts[:_MOST_NAMED]]
            if len(counts) > _MOST_NAMED:
                words.append(f"{len(counts) - _MOST_NAMED} others")
            notes.append(f"{system}: {len(unread):,} of {len(table):,} answers could not be read: {'; '.join(words)}.")
        n_partial = table["right"].between(0, 1, inclusive="neither").sum()
        if n_partial and not is_named:
            notes.append(f"{system}: {n_partial:,} answers that were partly right count as wrong.")
    return notes


def _responses(systems: Mapping[str, pd.DataFrame], name: str, is_named: bool) -> Responses:
    first = next(iter(systems.values()))
    trials = first.index
    if trials.get_level_values("task").nunique() == 1:
        trials = trials.get_level_values("item")
    answers = pd.DataFrame({system: table["answer"].to_numpy() for system, table in systems.items()}, index=trials)
    families = {system: table["family"].iloc[0] for system, table in systems.items()}
    described = describe_systems(list(systems), kind="model", family=families, source="log")
    truth = pd.Series(first["target"].to_numpy(), index=trials, name="truth")
    if not is_named:
        return Responses(name, truth, answers, ("right", "wrong"), described)
    options = pd.Series(first["n_options"].to_numpy(), index=trials, name="options")
    letters = [*ascii_uppercase, *map(str, range(27, options.max() + 1))]
    return Responses(name, truth, answers, tuple(letters[: options.max()]), described, options)
