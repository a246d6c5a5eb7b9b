"""What ``erralign similarity`` writes: measures of two representations, beside those of rows in random order."""

import json
import math
import re
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import NamedTuple

from erralign.measures import MEASURES, words_of
from erralign.measures.measure import Measure
from erralign.measures.representations import Similarity
from erralign.similarity import Prepared, cka, compare, compare_shuffled

_UNBIASED = "unbiased"  # after "CKA": 0 on average where rows have nothing to do with each other
_FEWEST = 4  # trials, of which it can be computed


class _Value(NamedTuple):
    """A value, and what rows in random order give: the median, and a 95 % band."""

    value: float
    shuffled: float
    low: float
    high: float

    @property
    def is_of_single_systems(self) -> bool:
        """Whether it does not depend on which row of the one belongs to which row of the other."""
        return math.isclose(self.low, self.high) and math.isclose(self.low, self.value)


def values_beside_chance(x: Prepared, y: Prepared, measures: str | Iterable[str] | None) -> dict[str, _Value]:
    """Return the values of measures by abbreviation; after CKA comes the unbiased one, which is 0 by chance."""
    values, shuffled = compare(x, y, measures), compare_shuffled(x, y, measures)
    table = {}
    for short, value in values.items():
        table[short] = _Value(value, *shuffled[short])
        if short == "CKA" and x.n >= _FEWEST:
            table[f"{short} {_UNBIASED}"] = _Value(cka(x, y, unbiased=True), math.nan, math.nan, math.nan)
    return table


def as_text(values: Mapping[str, _Value], shapes: Mapping[str, tuple[int, ...]]) -> str:
    """Write the values for a terminal."""
    heads = [f"{name}: {n_trials:,} trials, {n_features:,} features" for name, (n_trials, n_features) in shapes.items()]
    lines = [f"{'measure':13}{'value':>11}  {'rows in random order (95 %)':33}{'larger is':14}name"]
    for name, (value, shuffled, low, high) in values.items():
        short = name.partition(" ")[0]
        by_chance = f"{shuffled:.4f} ({low:.4f} to {high:.4f})"
        if values[name].is_of_single_systems:
            by_chance = "the same"
        elif math.isnan(shuffled):
            by_chance = "undefined"
        likeness = "more similar" if MEASURES[short].larger_is_more_similar else "less similar"
        words = words_of(short)
        if name.endswith(_UNBIASED):
            by_chance, words = "0 on average", f"{words}, {_UNBIASED}"
        written = "undefined" if math.isnan(value) else f"{value:.4f}"
        lines.append(f"{name:13}{written:>11}  {by_chance:33}{likeness:14}{words}")
    return "\n".join([*heads, "", *lines])


def notes_on(values: Mapping[str, _Value]) -> list[str]:
    """Say which values chance explains, which depend on which comes first, and when those that lack are undefined."""
    measures = {name: MEASURES[name] for name in values if name in MEASURES}
    notes = []
    within = [name for name in measures if values[name].low <= values[name].value <= values[name].high]
    by_chance = [name for name in within if not values[name].is_of_single_systems]
    if by_chance:
        notes.append(f"{', '.join(by_chance)}: as rows in random order give.")
    ordered = [name for name, measure in measures.items() if "order of systems" not in measure.invariances]
    if ordered:
        notes.append(f"{' and '.join(ordered)}: the order of the files counts.")
    for name, measure in measures.items():
        if math.isnan(values[name].value) and (words := undefined_when(measure)):
            notes.append(f"{name}: undefined {words}.")
    return notes


def undefined_when(measure: Measure | Similarity) -> str:
    """Return the words with which the documentation of a measure says when it is undefined."""
    documentation = " ".join((measure.function.__doc__ or "").split())
    sentence = re.search(r"Undefined(?:, and nan,)? (.*?)\.(?: |$)", documentation)
    if sentence is None:
        return ""
    return re.sub(":func:`|`", "", sentence[1])


def as_json(values: Mapping[str, _Value], shapes: Mapping[str, tuple[int, ...]]) -> str:
    """Write the values for programs."""
    measures = {}
    for name, numbers in values.items():
        written = {key: None if math.isnan(number) else number for key, number in numbers._asdict().items()}
        larger = MEASURES[name.partition(" ")[0]].larger_is_more_similar
        measures[name] = written | {"larger_is_more_similar": larger}
    systems = [{"file": name, "trials": n, "features": width} for name, (n, width) in shapes.items()]
    return json.dumps({"erralign": version("erralign"), "systems": systems, "measures": measures}, indent=1)
