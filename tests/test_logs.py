"""Logs of language models, made to the schemas that erralign/datasets/logs names, as they should be and not."""

import importlib
import json
import random
import re
import sys
import tracemalloc
import zipfile
import zlib
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from builders import cases_of, noted, told_otherwise, typed

import erralign
from erralign._validation import DataError
from erralign.datasets import logs

CASES = cases_of("logs.txt")
LETTERS = "ABCDEFGHIJKL"


def _key(i):
    return LETTERS[i % 3]


def _changed(rows, drop=(), **changes):
    rows = [row | {name: values[i] for name, values in changes.items()} for i, row in enumerate(rows)]
    return [{name: value for name, value in row.items() if name not in drop} for row in rows]


def mc(said, *, options=None, chances=None, **changes):
    """Return lines of multiple choice by log-likelihood, in which the largest one is that of the letter said."""
    rows = []
    for i, letter in enumerate(said):
        texts = list(options[i]) if options else [f"thing {place}" for place in range(3)]
        given = chances[i] if chances else [-1.0 if LETTERS[place] == letter else -2.5 for place in range(len(texts))]
        asked = {f"gen_args_{place}": {"arg_0": f"Item {i}?", "arg_1": f" {text}"} for place, text in enumerate(texts)}
        row = {"doc_id": i, "target": str(i % 3), "arguments": asked, "filter": "none", "metrics": ["acc"]}
        said_so = {"filtered_resps": [[str(each), "False"] for each in given], "acc": float(letter == _key(i))}
        rows.append(row | said_so)
    return _changed(rows, **changes)


def words(said, **changes):
    """Return lines of answers in words, to questions with three options."""
    document = {"choices": [f"thing {place}" for place in range(3)]}
    rows = [
        {"doc_id": i, "doc": document, "target": _key(i), "arguments": {}, "resps": [["…"]], "filter": "none"}
        | {"filtered_resps": [answer], "exact_match": None}
        for i, answer in enumerate(said)
    ]
    rows = _changed(rows, **changes)
    for row in rows:
        if row.get("exact_match", 0) is None:
            row["exact_match"] = float(re.sub(r"[().]", "", row["filtered_resps"][0]) == row["target"])
    return rows


def read(*logs, names=None, folders=None, encoding="utf-8", drop_end=0, **how):
    paths = []
    for place, log in enumerate(logs):
        path = Path(folders[place] if folders else ".", names[place] if names else f"{'abc'[place]}.jsonl")
        path.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(json.dumps(row, indent=isinstance(row, list) or None) + "\n" for row in log).encode(encoding)
        path.write_bytes(text[: len(text) - drop_end])
        paths.append(path)
    return summary(*noted(erralign.read_logs, paths, **how))


def gen(said, **changes):
    return read(words(said, **changes))


INSPECT = {"status": "success", "member": "header.json", "choices": ("x", "y", "z")}
INSPECT["summaries"] = ("id", "epoch", "input", "target", "choices", "scores")


def inspect(said, *, values=None, scores=None, reasons=None, epochs=1, archive=True, drop_end=0, raw=None, **more):
    """Write a log of Inspect with other parts, or other values of its samples, and read it."""
    status, member, choices, summaries = (more.pop(part, usual) for part, usual in INSPECT.items())
    how = {option: more.pop(option) for option in ("subset", "metric") if option in more}
    n = len(said) // epochs
    samples = []
    for place, answer in enumerate(said):
        i, right = place % n, answer == _key(place % n)
        score = {"value": values[place] if values else "C" if right else "I", "answer": answer}
        score |= {"reason": reasons[f"q{i}"]} if f"q{i}" in (reasons or {}) else {}
        kept = scores is None or scores[place] is ...
        sample = {"id": f"q{i}", "epoch": place // n + 1, "input": f"Item {i}?", "target": _key(i)}
        samples.append(sample | {"choices": choices, "scores": {"choice": score} if kept else {}})
    samples = _changed(samples, **more)
    header = {"version": 2, "status": status, "eval": {"model": "net", "task": "letters"}}
    if archive:
        path = Path("a.eval")
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr(member, json.dumps(header))
            for place, sample in enumerate(samples):
                content = "" if "choices" in (summaries or ()) else json.dumps(sample)  # nobody reads it
                file.writestr(f"samples/{place}_epoch_{sample['epoch']}.json", content)
            if summaries:
                file.writestr("summaries.json", json.dumps([{key: each[key] for key in summaries} for each in samples]))
    else:
        path = Path("a.json")
        path.write_text(json.dumps(header | {"samples": samples}, indent=2))
    content = path.read_bytes()
    path.write_bytes(content[: len(content) - drop_end] if raw is None else raw)
    return summary(*noted(erralign.read_logs, path, **how))


def summary(responses, notes):
    shown = [*("rw" if responses.options is None else responses.classes), "-"]
    answers = responses.answers.items()
    said = "; ".join(f"{system}: {' '.join(shown[each] for each in given)}" for system, given in answers)
    options = "" if responses.options is None else f" | options {' '.join(map(str, responses.options))}"
    return f"{responses.name}: {said}{options} | {' '.join(notes)}"


def test_each_log_is_read_right_or_refused_by_name(here):
    assert not told_otherwise(CASES, globals())
    assert len(CASES) > 80


def test_an_item_that_is_called_by_a_list_is_refused_by_name(here):
    rows = words(["A", "B"])
    rows[0]["doc_id"] = [0]
    with pytest.raises(DataError, match=r"a\.jsonl has a sample whose 'doc_id' or 'id' is no number or text"):
        read(rows)


def test_one_line_compares_logs(here):
    read(mc("ABAABC"), mc("BBAACC"), words("CBAACJ", filter=["loose"] * 6))
    said = typed("compare", "a.jsonl", "b.jsonl", "c.jsonl", "--report", "r.html")
    assert "6 trials, 3 options, 3 systems of yours" in said.stdout
    assert "c: 1 of 6 answers could not be read" in said.stderr
    assert "c" in Path("r.html").read_text()
    refused = typed("compare", "a.jsonl", "b.jsonl", "--clusters", "topic")
    assert (refused.exit_code, "names the level 'topic', but their index has 'item'" in refused.stderr) == (2, True)
    Path("table.csv").write_text("image,truth,net\n1,A,B\n")
    with pytest.raises(ValueError, match=r"table\.csv is no log; expected samples_"):
        erralign.reports.compare_file(["a.jsonl", "table.csv"])


def test_a_file_is_a_log_by_the_keys_that_it_must_have(here):
    for model in ("llama", "qwen"):
        folder = Path("out", model)
        read(mc("ABA"), names=["samples_arc_2026-11-23T01-51-28.575539.jsonl"], folders=[folder])
        Path(folder, "results_2026-11-23T01-51-28.575539.json").write_text(json.dumps({"results": {"arc": 1}}))
    said = typed("compare", "out")
    assert "3 trials, 3 options, 2 systems of yours" in said.stdout
    rows = [{"status": "done", "doc_id": i, "image": i, "truth": "ab"[i % 2], "net": "a"} for i in range(6)]
    Path("own.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert logs.log_files(["own.jsonl", "no such file"]) == []


def archive_of(*members, compression=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile("a.eval", "w", compression) as archive:
        for name, content in {"header.json": "{}", **dict(members)}.items():
            archive.writestr(name, content)


def test_what_a_stranger_packed_is_read_within_limits(monkeypatch, here):
    monkeypatch.setattr(logs, "_MOST_PER_LOG", 3 * 10**6)
    monkeypatch.setattr(logs, "_MOST_AT_ONCE", 10**6)
    blank = "{}" + " " * (10**6 - 10)
    cases = {
        r"has 3,999,968 bytes when it is unpacked; expected 3,000,000 at most": [
            (f"samples/{i}_epoch_1.json", blank) for i in range(4)
        ],
        r"header\.json has more than 1,000,000 bytes of JSON in one piece": [("header.json", blank * 2)],
        r"header\.json is nested more deeply than any log": [("header.json", "[" * 200_000)],
        r"header\.json is no whole JSON": [("header.json", b"\xff")],
    }
    header = ("header.json", '{"status": "success", "eval": {}}')
    tracemalloc.start()
    for message, members in cases.items():
        archive_of(header, *members)
        assert Path("a.eval").stat().st_size < 20_000
        with pytest.raises(DataError, match=message):
            erralign.read_logs("a.eval")
    assert tracemalloc.get_traced_memory()[1] < 10**7
    tracemalloc.stop()
    for name, text in {"a.json": '{"status": "success", "eval": {"x": ', "a.jsonl": '{"doc_id": 1, "resps": '}.items():
        Path(name).write_text(text + "[" * 200_000)
        with pytest.raises(DataError, match="is nested more deeply than any log"):
            erralign.read_logs(name)
    archive_of(compression=zipfile.ZIP_BZIP2)
    with pytest.raises(DataError, match=r"a\.eval: header\.json is compressed as no log of Inspect is"):
        erralign.read_logs("a.eval")
    archive_of()
    packed = bytearray(Path("a.eval").read_bytes())
    packed[packed.index(b"PK\x01\x02") + 8] |= 1
    Path("a.eval").write_bytes(packed)
    with pytest.raises(DataError, match=r"a\.eval: header\.json is encrypted"):
        erralign.read_logs("a.eval")


def test_the_metric_for_inspect_says_what_it_needs(monkeypatch):
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    monkeypatch.delitem(sys.modules, "erralign.inspect", raising=False)
    with pytest.raises(ModuleNotFoundError, match=r"erralign\.inspect is for Inspect .*  pip install inspect_ai"):
        importlib.import_module("erralign.inspect")


@pytest.mark.filterwarnings("ignore")  # what the logs would say of their answers
@pytest.mark.parametrize("n_files", [300, pytest.param(10_000, marks=pytest.mark.weekly)])
def test_a_damaged_log_is_read_or_refused_by_name(here, n_files):
    read(mc("ABA"))
    inspect("ABA")
    inspect("ABA", archive=False)
    whole = {path: path.read_bytes() for path in map(Path, ("a.jsonl", "a.eval", "a.json"))}
    rng, refused = random.Random(113), []
    for number in range(n_files):
        path = list(whole)[number % 3]
        damaged = bytearray(whole[path])
        for _ in range(rng.randrange(1, 4)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        path.write_bytes(damaged)
        try:
            erralign.read_logs(path)
        except (ValueError, DataError) as error:
            refused.append(str(error))
    assert len(refused) > n_files / 2
    assert [message for message in refused if not re.search(r"a\.(jsonl|eval|json)|net(#\d)? lacks", message)] == []


def test_half_a_character_is_refused_by_file_and_line(here):
    Path("a.jsonl").write_text('{"doc_id": 0}\n{"doc_id": 1, "filtered_resps": ["\\ud83d"]}\n')
    with pytest.raises(DataError, match=r"a\.jsonl, line 2 holds half a character"):
        list(logs._rows(Path("a.jsonl")))


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="Python reads Zstandard itself")
def test_zstandard_is_read_where_it_is_installed(monkeypatch, here):
    """Stand in for both sides: members are packed by zlib and say that they are of Zstandard."""
    inspect("ABA")
    packed = Path("a.eval").read_bytes()
    compressor = zipfile.ZipFile("a.eval").infolist()[0].compress_type.to_bytes(2, "little")
    at = [match.start() for match in re.finditer(rb"PK\x01\x02", packed)]
    for start in at:
        assert packed[start + 10 : start + 12] == compressor
        packed = packed[: start + 10] + (93).to_bytes(2, "little") + packed[start + 12 :]
    Path("a.eval").write_bytes(packed)
    monkeypatch.setitem(sys.modules, "zstandard", None)
    needs = r"a.eval is compressed with Zstandard.*erralign\[inspect\].*inspect log convert"
    with pytest.raises(ImportError, match=needs):
        erralign.read_logs("a.eval")
    unpack = SimpleNamespace(stream_reader=lambda given, **_: BytesIO(zlib.decompress(given.read(), wbits=-15)))
    monkeypatch.setitem(
        sys.modules, "zstandard", SimpleNamespace(ZstdDecompressor=lambda: unpack, ZstdError=zlib.error)
    )
    assert summary(*noted(erralign.read_logs, "a.eval")).startswith("letters: net: A B A")
    unpack.stream_reader = lambda *_, **__: BytesIO(bytes(10**6))  # more than the archive lists
    with pytest.raises(DataError, match=r"it does not have the .* bytes that the archive lists"):
        erralign.read_logs("a.eval")
