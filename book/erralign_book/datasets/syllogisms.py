"""Syllogisms: what people conclude from two premises, what theories say that they conclude, and what models wrote.

A form is the quantifiers of two premises, A (all), I (some), E (no) or O (some are not), and a figure, 1 to 4: the
order of their terms. Of the three terms a and c each stand in one premise and b in both; conclusions are of a and c,
such as ``Aca``, all c are a, or ``NVC``: nothing follows.
"""

import json
import re
from functools import cache
from itertools import combinations, product

import numpy as np
import pandas as pd

from erralign._validation import check_choice
from erralign.datasets.archives import manifest, open_member

CCOBRA = "CognitiveComputationLab/ccobra@fa6e8aa8d0b8cde486b0c6f108d87d7c3e64a40b"
REASONERS = "leobertolazzi/soft-syllogistic-reasoners@27f5a04bb066574468ab66e9e36c8dcc22718c3d"
PEOPLE = {"2016": "Ragni2016", "2018": "Veser2018"}
NOTHING = "NVC"
CONCLUSIONS = (*(mood + terms for mood in "AIOE" for terms in ("ac", "ca")), NOTHING)
FORMS = tuple(first + second + figure for first in "AIEO" for second in "AIEO" for figure in "1234")
SETTINGS = {
    "zero-shot-cot": "step by step", "icl-in": "examples of the form", "icl-out": "examples of others", "sft": "trained"
}  # fmt: skip
FIRST, ONE = "the first conclusion named", "none if several are named"
READINGS = (ONE, FIRST)
BELIEFS = ("believable", "unbelievable")  # whether a problem's valid conclusion is what the world is like
_FIGURES = {"1": ("ab", "bc"), "2": ("ba", "cb"), "3": ("ab", "cb"), "4": ("ba", "bc")}
_MOODS = {"All": "A", "Some": "I", "No": "E", "Some not": "O"}
_MODELS = "benchmarks/syllogistic/models/2012-Khemlani/"


# ---- logic ---------------------------------------------------------------------------------------------------------


@cache
def follows() -> pd.DataFrame:
    """Return which conclusions follow from each form, found by trying all ways in which things can be a, b and c.

    There are things of each term, as people are told to assume. Where no conclusion follows, ``NVC`` is right.
    """
    kinds = [kind for kind in product((False, True), repeat=3) if any(kind)]
    worlds = [
        [dict(zip("abc", kind, strict=True)) for kind in world]
        for n in range(1, len(kinds) + 1)
        for world in combinations(kinds, n)
        if all(any(terms) for terms in zip(*world, strict=True))
    ]
    table = pd.DataFrame(False, FORMS, CONCLUSIONS)
    for form in FORMS:
        premises = [mood + terms for mood, terms in zip(form, _FIGURES[form[2]], strict=False)]
        possible = [world for world in worlds if all(_holds(each, world) for each in premises)]
        table.loc[form] = [all(_holds(each, world) for world in possible) for each in CONCLUSIONS[:-1]] + [False]
    table[NOTHING] = ~table.any(axis=1)
    return table


def _holds(sentence: str, world: list[dict[str, bool]]) -> bool:
    mood, (subject, predicate) = sentence[0], tuple(sentence[1:])
    of_subject = [thing[predicate] for thing in world if thing[subject]]
    return {"A": all(of_subject), "I": any(of_subject), "E": not any(of_subject), "O": not all(of_subject)}[mood]


# ---- people and theories -------------------------------------------------------------------------------------------


@cache
def people(year: str = "2016") -> pd.DataFrame:
    """Return the conclusion that each person drew from each form, by its place among ``CONCLUSIONS``; forms by people.

    Of 2018, a person who did not answer all 64 is left out.
    """
    check_choice("year", year, list(PEOPLE))
    table = pd.read_csv(open_member(CCOBRA, f"benchmarks/syllogistic/data/{PEOPLE[year]}.csv"))
    read = [_read(*row) for row in table[["task", "response"]].itertuples(index=False, name=None)]
    found = table[["id"]].join(pd.DataFrame(read, columns=["form", "said"]))
    return found.pivot(index="form", columns="id", values="said").dropna(axis=1).astype(int).loc[list(FORMS)]


def _read(task: str, response: str) -> tuple[str, int]:
    """Return the form of a task such as ``Some;models;managers/All;models;clerks``, and the place of a response."""
    (first, *of_first), (second, *of_second) = (premise.split(";") for premise in task.split("/"))
    (b,) = {*of_first} & {*of_second}
    names = {b: "b"} | {term: name for of, name in ((of_first, "a"), (of_second, "c")) for term in of if term != b}
    order = tuple("".join(names[term] for term in of) for of in (of_first, of_second))
    figure = next(figure for figure, terms in _FIGURES.items() if terms == order)
    mood, *terms = response.split(";")
    said = _MOODS[mood] + "".join(names[term] for term in terms) if terms else NOTHING
    return _MOODS[first] + _MOODS[second] + figure, CONCLUSIONS.index(said)


@cache
def theories() -> dict[str, pd.DataFrame]:
    """Return, theory by theory, which conclusions it predicts from each form."""
    members = [path for path in manifest()[CCOBRA]["members"] if path.startswith(_MODELS)]
    return {_name(path): _predicted(path) for path in members}


def _name(path: str) -> str:
    folder = path.removeprefix(_MODELS).partition("/")[0]
    return {"MentalModels": "Mental Models", "VerbalModels": "Verbal Models"}.get(folder, folder)


def _predicted(path: str) -> pd.DataFrame:
    said = pd.read_csv(open_member(CCOBRA, path), index_col="Syllogism")["Prediction"]
    return said.str.get_dummies(";").astype(bool).reindex(index=FORMS, columns=CONCLUSIONS, fill_value=False)


# ---- language models -----------------------------------------------------------------------------------------------


@cache
def written(model: str, setting: str, belief: str) -> pd.DataFrame:
    """Return the form of each of 640 problems, and which conclusions a model named, in their order, by their places."""
    lines = open_member(REASONERS, f"data/test/syllogisms_{belief}.jsonl").read().decode().splitlines()
    text = open_member(REASONERS, f"results/qualitative/{model}_{setting}_{belief}.txt").read().decode()
    said = re.findall(r"^PREDICTION:\n(.*?)^TARGET:", text, re.S | re.M)
    problems = [json.loads(line) for line in lines]
    rows = [(each["type"], named(words, each["term_order"])) for each, words in zip(problems, said, strict=True)]
    return pd.DataFrame(rows, columns=["form", "named"])


def named(text: str, terms: dict[str, str]) -> tuple[int, ...]:
    """Return the conclusions that a text names, before it goes on to another problem, by their places."""
    text = re.split("syllogism:|premise|options:", text.casefold())[0].replace("-", " ")
    # Terms are written with hyphens, such as winged-animals, and in the text without.
    names = {term.casefold().replace("-", " "): name.lower() for term, name in terms.items() if name != "B"}
    either = "|".join(map(re.escape, names))
    found = []
    for match in re.finditer(rf"nothing follows|\b(all|some|no) ({either}) are (not )?({either})\b", text):
        quantifier, subject, negated, predicate = match.groups()
        mood = _MOODS.get(f"{quantifier} {negated or ''}".strip().capitalize()) if quantifier else None
        said = f"{mood}{names[subject]}{names[predicate]}" if quantifier else NOTHING
        found.append(said)
    return tuple(CONCLUSIONS.index(each) for each in dict.fromkeys(found) if each in CONCLUSIONS)


def said(model: str, setting: str, reading: str = ONE) -> pd.DataFrame:
    """Return the share of a form's problems on which a model drew each conclusion; what is missing to 1 is unread."""
    check_choice("reading", reading, list(READINGS))
    problems = pd.concat([written(model, setting, belief) for belief in BELIEFS])
    first = [each[0] if each and (len(each) == 1 or reading == FIRST) else -1 for each in problems["named"]]
    shares = pd.crosstab(problems["form"], np.array(first), normalize="index")
    return shares.reindex(index=FORMS, columns=range(len(CONCLUSIONS)), fill_value=0.0).set_axis(CONCLUSIONS, axis=1)
