"""The families of the 23 measures, by what they look at."""

from typing import Final

from erralign.measures import OF_REPRESENTATIONS

_OF_MODULE: Final = {
    "alignment": "alignment",
    "correlations": "CCA",
    "kernels": "similarity matrix",
    "matrices": "similarity matrix",
    "neighbours": "neighbours",
    "topology": "topology",
    "statistics": "statistics",
}


def families() -> dict[str, str]:
    """Return the family of each measure, as the paper's Table 2 sorts them."""
    order = list(dict.fromkeys(_OF_MODULE.values()))
    found = {
        short: _OF_MODULE[measure.function.__module__.rpartition(".")[2]]
        for short, measure in OF_REPRESENTATIONS.items()
    }
    return dict(sorted(found.items(), key=lambda each: order.index(each[1])))
