"""What ``erralign similarity`` writes: the values of the measures of two representations."""

import json
import math
import re
from collections.abc import Mapping
from importlib.metadata import version

from erralign.measures import MEASURES, words_of
from erralign.measures.measure import Measure
from erralign.measures.representations import Similarity

UNDEFINED = "undefined"


def as_text(values: Mapping[str, float], shapes: Mapping[str, tuple[int, ...]]) -> str:
    """Write the values for a terminal."""
    heads = [f"{name}: {n_trials:,} trials, {n_features:,} features" for name, (n_trials, n_features) in shapes.items()]
    lines = [f"{'measure':8}{'value':>13}  {'larger is':14}name"]
    for short, value in values.items():
        written = UNDEFINED if math.isnan(value) else f"{value:.4f}"
        likeness = "more similar" if MEASURES[short].larger_is_more_similar else "less similar"
        lines.append(f"{short:8}{written:>13}  {likeness:14}{words_of(short)}")
    return "\n".join([*heads, "", *lines])


def notes_on(values: Mapping[str, float]) -> list[str]:
    """Say which measures depend on which of the two comes first, and when those without a value are undefined."""
    ordered = [short for short in values if "order of systems" not in MEASURES[short].invariances]
    notes = [f"{' and '.join(ordered)}: the order of the files counts."] if ordered else []
    when = {short: undefined_when(MEASURES[short]) for short, value in values.items() if math.isnan(value)}
    return notes + [f"{short}: undefined {words}." for short, words in when.items() if words]


def undefined_when(measure: Measure | Similarity) -> str:
    """Return the words with which the documentation of a measure says when it is undefined."""
    said = " ".join((measure.function.__doc__ or "").split())
    found = re.search(r"Undefined(?:, and nan,)? (.*?)\.(?: |$)", said)
    return re.sub(":func:`|`", "", found[1]) if found else ""


def as_json(values: Mapping[str, float], shapes: Mapping[str, tuple[int, ...]]) -> str:
    """Write the values for programs."""
    content = {
        "erralign": version("erralign"),
        "systems": [{"file": name, "trials": n, "features": width} for name, (n, width) in shapes.items()],
        "measures": {
            short: {
                "value": None if math.isnan(value) else value,
                "larger_is_more_similar": MEASURES[short].larger_is_more_similar,
            }
            for short, value in values.items()
        },
    }
    return json.dumps(content, indent=1)
