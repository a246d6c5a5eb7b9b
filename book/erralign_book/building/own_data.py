"""The page "Your own data" in the browser: forms, scripts, published pairs, and the policy that keeps answers there."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
import yaml
from numpy.polynomial import Polynomial
from scipy.stats import t

from erralign._validation import NO_ANSWER_WORDS
from erralign.datasets import catalog
from erralign.datasets.examples import animals, my_answers
from erralign.inference import pairwise_intervals
from erralign.measures import MEASURES_OF_ERRORS, limit_columns, short_name
from erralign.plot.colours import GREY
from erralign.plot.theme import KINDS, WHOSE, Look
from erralign_book.building.stimuli import laboratory
from erralign_book.cells import table

SIGNS = Path(__file__).parents[2] / "signs.yml"
FORM = re.compile(r'<div data-form="([\w-]+)"></div>')  # a chapter has it where a form of book/forms belongs
PUBLISHED, LABORATORY = "own-data/published.js", "sit/laboratory.js"
PLANS = "own-data/plans.js"
LIVE_PARTS = tomllib.loads(Path(__file__).with_name("live.toml").read_text(encoding="utf-8"))
# No connection at all; everything else from the site alone. Vega compiles its expressions ('unsafe-eval'); a worker of
# a page on disk can only be made from text (blob:); and on disk, where 'self' means nothing, the site is file:.
POLICY = (
    "default-src 'self' file: blob: data: 'unsafe-inline'; "
    "script-src 'self' file: blob: 'unsafe-inline' 'unsafe-eval'; "
    "connect-src 'none'; form-action 'self' file:; object-src 'none'; base-uri 'none'"
)
MEASURES = [short_name(measure) for measure in MEASURES_OF_ERRORS]
VALUES = [column for short in MEASURES for column in (short, *limit_columns(short)[:2])]
TABLES = ("xu2024/pairs", "xu2024/pairwise_limits", "geirhos2020/pairwise_limits")


def write_published(folder: Path) -> None:
    """Write scripts with the published pairs and the laboratory's answers: a page on disk cannot read files of data."""
    signs = yaml.safe_load(SIGNS.read_text(encoding="utf-8"))
    scripts = {
        PLANS: _script("ownPlans", plans()),
        PUBLISHED: _script("ownPublished", published()),
        LABORATORY: _script("sitData", _look() | laboratory() | {"signs": signs, "student": students_t()}),
    }
    for script, text in scripts.items():
        (folder / script).parent.mkdir(parents=True, exist_ok=True)
        (folder / script).write_text(text, encoding="utf-8")


def students_t() -> list[float]:
    """Return the powers of 1 / df that add up to what leaves 2.5 % of Student's t above it, from df = 4 on."""
    inverse = np.linspace(0, 1 / 4, 201)[1:]
    return list(Polynomial.fit(inverse, np.asarray(t.ppf(0.975, 1 / inverse)), 9).convert().coef)


def _script(name: str, data: Any) -> str:
    return f"const {name} = {json.dumps(data, ensure_ascii=False, separators=(',', ':'))};\n"


def plans() -> dict[str, Any]:
    """Return for many experiments how wide an interval of EC is, and how often a difference is found, in percent."""
    widths, power = table("planning/widths"), table("planning/power")
    pairs = widths.dropna().groupby(["accuracy_a", "accuracy_b", "ec"])["width"]
    rows = ["accuracy", "ec", "difference", "pictures"]
    by_people = power.query("comparison == 'A less B'").pivot(index=rows, columns="people", values="power")
    worlds = (100 * by_people).round().astype(int).groupby(level=rows[:-1])
    of = {"a": widths["accuracy_a"], "b": widths["accuracy_b"], "ec": widths["ec"]}
    of |= {"accuracy": power["accuracy"], "of": power["ec"], "difference": power["difference"]}
    largest = widths.groupby(["accuracy_a", "accuracy_b"])["largest"].first().map("{:.2f}".format)
    return {
        "choices": {name: [f"{value:g}" for value in sorted(set(column))] for name, column in of.items()},
        "trials": widths["pictures"].unique().tolist(),
        "people": power["people"].unique().tolist(),
        "pictures": power["pictures"].unique().tolist(),
        "widths": {_named(pair): its.tolist() for pair, its in pairs},
        "largest": {_named(pair): value for pair, value in largest.items()},
        "power": {_named(world): percent.values.tolist() for world, percent in worlds},
    }


def _named(numbers: Any) -> str:
    return " ".join(f"{number:g}" for number in numbers)


def published() -> dict[str, Any]:
    """Return the published pairs of each data set, how charts look, an example, and words that mean no answer."""
    scores, limits, other_pairs = map(table, TABLES)
    measured = scores.join(limits[limits.columns.difference(scores.columns)])
    made_up = pairwise_intervals(animals()).assign(data_set="animals")
    papers = {"geirhos2020": other_pairs, "xu2024": measured, "example": made_up}
    sets = []
    for paper, pairs in papers.items():
        sets += [_data_set(f"{paper}/{name}", rows) for name, rows in pairs.groupby("data_set", sort=False)]
    example, no_answer = my_answers().to_csv(index=False), sorted(NO_ANSWER_WORDS)
    return _look() | {"values": VALUES, "sets": sets, "example": example, "noAnswer": no_answer}


def _look() -> dict[str, Any]:
    """Return how charts look that scripts draw."""
    chart = alt.Chart().to_dict(validate=False)
    looks = {**KINDS, **WHOSE, "blind": Look(GREY)}
    fills = {kind: look.fill for kind, look in looks.items()}
    colours = {kind: fill if isinstance(fill, str) else fill.to_dict() for kind, fill in fills.items()}
    return {"config": chart["config"], "usermeta": chart["usermeta"], "colours": colours}


def _data_set(name: str, pairs: pd.DataFrame) -> dict[str, Any]:
    facts = catalog().set_index("name").astype(object).loc[name].to_dict()
    systems = pd.unique(pairs[["system_a", "system_b"]].to_numpy().ravel())
    places = pd.Series(range(len(systems)), index=systems)
    columns = [pairs["system_a"].map(places), pairs["system_b"].map(places), pairs["kind"].map(list(KINDS).index)]
    values = pairs.reindex(columns=VALUES).astype(float).round(3)
    rows = pd.concat([*columns, pairs["n_joint_errors"], values], axis=1).astype(object)
    return {
        "name": name,
        "paper": facts["paper"] or "made up",
        "classes": int(facts["classes"]),
        "systems": systems.tolist(),
        "pairs": rows.where(rows.notna(), None).to_numpy().tolist(),
    }


def live_parts(body: str) -> tuple[list[str], list[str]]:
    """Say what the live parts of a page need: forms, strips to flip, a game."""
    needed = [part for part in LIVE_PARTS.values() if part["mark"] in body]
    styles, scripts = ([name for part in needed for name in part.get(kind, ())] for kind in ("styles", "scripts"))
    return list(dict.fromkeys(styles)), list(dict.fromkeys(scripts))


def policy(body: str) -> str:
    """Return the content policy of a page that takes answers, as an element of its head; nothing for other pages."""
    if not any(f'data-form="{form}"' in body for form in ("own-answers", "sit")):
        return ""
    return f'<meta http-equiv="Content-Security-Policy" content="{POLICY}" />\n'
