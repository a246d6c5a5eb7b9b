"""Questions with up to ten options, and what 28 language models wrote (MMLU-Pro, Wang et al. 2024)."""

import json
import re
import zipfile
from collections.abc import Sequence
from functools import cache

import pandas as pd

from erralign._validation import DataError, check_choice
from erralign.datasets.archives import manifest, open_member
from erralign.responses import Responses

_MMLU_PRO = "TIGER-AI-Lab/MMLU-Pro@f418b116db00b065c2aea046518d8fcf74d39872"
ARCHIVES = (_MMLU_PRO,)
_LETTERS = tuple("ABCDEFGHIJ")
OLD, OTHERS = "old MMLU", "other sources"  # where the questions are from
# Its file has 10,351 of the 12,032 items; of those of the other models none has fewer than 12,012.
_NOT_WHOLE = "DeepSeek-Coder-V2"
_START, _END = "eval_results/model_outputs_", "_5shots.zip"
_SAID = re.compile(r"answer is \(?([A-J])\)?")
# Some texts of the Geminis answer the five worked examples of the prompt first, then the question.
_LISTED = re.compile(r"\s*(?:The answer is \(?[A-J]\)?\.?\s*){5}The answer is \(?([A-J])\)?")
_BROAD = re.compile(r"(?:[Aa]nswer|[Oo]ption|[Cc]hoice)(?: is)?:?\s*[*\[(]*([A-J])\b(?! [a-z])")


def _models() -> list[str]:
    """Return the names of the language models."""
    names = [path.removeprefix(_START).removesuffix(_END) for path in manifest()[_MMLU_PRO]["members"]]
    return [name for name in names if name != _NOT_WHOLE]


@cache
def items(model: str) -> pd.DataFrame:
    """Return, item by item, what one file holds: key, options, category, source, and readings of the answer.

    ``first`` and ``last`` are the options that the text first and last names in "answer is (X)", -1 where it does so
    nowhere or where the question lacks that option. ``said`` is the first one, but the sixth one if the text opens with
    a bare list of at least six such sentences. ``pred`` is what the file's authors took: the first one, and where there
    is none nothing (-1), a letter found otherwise, or, in some files, a letter that fills the gap. ``broad`` is
    ``said``, and where that is -1 the last option that "answer", "option" or "choice" precedes.
    """
    check_choice("model", model, _models())
    with zipfile.ZipFile(open_member(_MMLU_PRO, f"{_START}{model}{_END}")) as archive:
        # Strings between the records of some files say how far a run had come.
        rows = json.loads(archive.read(archive.namelist()[0]))
        records = [record for record in rows if isinstance(record, dict)]
    table = pd.DataFrame(map(_item, records)).set_index("item")
    if not table.index.is_unique:
        raise DataError(f"the file of {model} answers item {table.index[table.index.duplicated()][0]} twice")
    return table.sort_index()


def _item(record: dict) -> dict:
    text, options = record.get("generated_text") or record.get("model_outputs") or "", record["options"]
    named, listed = _SAID.findall(text), _LISTED.match(text)

    def place(letters: list[str]) -> int:
        option = _LETTERS.index(letters[0]) if letters else -1
        return option if option < len(options) else -1

    letters = [listed[1]] if listed else named
    said = place(letters)
    return {
        "item": record["question_id"],
        "key": record["answer_index"],
        "options": tuple(options),
        "category": record["category"],
        "source": OLD if record["src"].startswith("ori_mmlu") else OTHERS,
        "said": said,
        "first": place(named),
        "last": place(named[::-1]),
        "broad": said if said >= 0 else place(_BROAD.findall(text)[::-1]),
        "pred": _LETTERS.index(record["pred"]) if record["pred"] else -1,
    }


def read(names: Sequence[str] | None = None) -> Responses:
    """Read what each model said on the items that all files have, with the same options, at least two, and one key.

    Of 12,032 items, the files of the two Geminis lack 30, and on 42 the files of all models differ.
    """
    tables = {name: items(name) for name in (names or _models())}
    first = next(iter(tables.values()))
    usable = first.index[first["options"].map(len) > 1]
    for table in tables.values():
        same = first.loc[:, ["key", "options"]].eq(table.reindex(first.index)[["key", "options"]]).all(axis=1)
        usable = usable[same.loc[usable]]
    answers = pd.DataFrame({name: table["said"].loc[usable] for name, table in tables.items()}).astype("int64")
    facts = {"kind": "model", "family": [_maker(name) for name in tables], "source": _MMLU_PRO}
    truth, options = first.loc[usable, "key"].rename("truth"), first.loc[usable, "options"].map(len)
    return Responses("mmlu-pro", truth, answers, _LETTERS, pd.DataFrame(facts, list(tables)), options)


def _maker(model: str) -> str:
    """Return who made a model."""
    starts = {
        "Llama": "Meta", "Meta": "Meta", "Mi": "Mistral", "mathstral": "Mistral", "Phi": "Microsoft", "Qwen": "Alibaba",
        "Yi": "01.AI", "c4ai": "Cohere", "gem": "Google", "jamba": "AI21",
    }  # fmt: skip
    return next(who for start, who in starts.items() if model.startswith(start))
