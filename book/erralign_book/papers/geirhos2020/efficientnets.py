"""Three EfficientNets beside the paper's systems: what they answer to the same pictures, and how sure they are."""

from itertools import combinations, product

import numpy as np
import pandas as pd

from erralign.measures import limit_columns, short_name
from erralign.models import category_confidences, features, load
from erralign.models.categories import MAPPINGS
from erralign.models.lite import PACKAGES
from erralign.models.networks import PREPROCESSING
from erralign.resampling import confidence_similarity_interval, error_confidence_similarity_interval, pairwise_intervals
from erralign.responses import Responses
from erralign.results import Interval
from erralign.sources import geirhos2020 as source
from erralign.sources.stimuli import TEXTURE_VS_SHAPE, sixteen_categories, stimuli
from erralign.sources.trials import CATEGORIES, class_ids
from erralign_book.papers.frozen import frozen

EFFICIENTNETS = tuple(PACKAGES)
SETTINGS = tuple(product(EFFICIENTNETS, PREPROCESSING, source.DATA_SETS))
QUICK = tuple(product(EFFICIENTNETS[:1], PREPROCESSING, ["edges"]))


@frozen(
    inputs=[TEXTURE_VS_SHAPE],
    needs=["torch", "timm", *PACKAGES.values()],
    slow=True,
    rtol=1e-2,  # of logarithms that are kept to a thousandth
    settings=SETTINGS,
    spot=QUICK,
)
def efficientnets(setting: tuple[str, str, str]) -> dict[str, np.ndarray]:
    """Return what three EfficientNets say about all pictures of the three data sets, prepared in two ways."""
    network, preprocessing, data_set = setting
    model = load(network, preprocessing=preprocessing, device="cpu")
    logits = features(model, f"geirhos2020/{data_set}", layer="logits").to_numpy()
    members = list(sixteen_categories().values())
    by_mapping = {mapping: category_confidences(logits, members, mapping) for mapping in MAPPINGS}
    return {
        "setting": np.full(len(logits), SETTINGS.index(setting), dtype=np.int8),
        "answers": np.column_stack([each.argmax(axis=1) for each in by_mapping.values()]).astype(np.int8),
        "log_confidences": np.log(by_mapping["mean"]).astype(np.float16),
    }


def _rows(name: str, network: str, preprocessing: str, data_set: str) -> np.ndarray:
    arrays = efficientnets()
    return arrays[name][arrays["setting"] == SETTINGS.index((network, preprocessing, data_set))]


def efficientnet_answers(data_set: str, *, preprocessing: str = "own", mapping: str = "mean") -> Responses:
    """Return the answers of the three EfficientNets, to join with those of people and networks."""
    pictures = stimuli(f"geirhos2020/{data_set}")
    column = MAPPINGS.index(mapping)
    answers = {name: _rows("answers", name, preprocessing, data_set)[:, column] for name in EFFICIENTNETS}
    return Responses.from_table(
        pd.Series(class_ids(pictures["category"]), index=pictures.index),
        {name: pd.Series(ids.astype(np.int64), index=pictures.index) for name, ids in answers.items()},
        classes=CATEGORIES,
        family="CNN",
        source=TEXTURE_VS_SHAPE,
        name=f"geirhos2020/{data_set}",
    )


def efficientnet_confidences(network: str, data_set: str) -> pd.DataFrame:
    """Return how sure one of the three EfficientNets is of each category, picture by picture."""
    confidences = np.exp(_rows("log_confidences", network, "own", data_set).astype(np.float64))
    return pd.DataFrame(
        confidences / confidences.sum(axis=1, keepdims=True),
        index=stimuli(f"geirhos2020/{data_set}").index,
        columns=list(CATEGORIES),
    )


def efficientnet_similarities(data_set: str) -> pd.DataFrame:
    """Return EC, MA, SOC and SOCE of the three pairs of EfficientNets, with 95 % intervals."""
    found = efficientnet_answers(data_set)
    shared = source.exemplars(found.truth.index) if data_set == "cue-conflict" else None
    sure = {name: efficientnet_confidences(name, data_set) for name in EFFICIENTNETS}
    truth = found.truth.map(dict(enumerate(found.classes)))
    table = pairwise_intervals(found, ["EC", "MA"], clusters=shared).rename(columns=short_name)
    rows = [
        _with_limits("SOC", confidence_similarity_interval(sure[a], sure[b], clusters=shared))
        | _with_limits("SOCE", error_confidence_similarity_interval(truth, sure[a], sure[b], clusters=shared))
        for a, b in combinations(EFFICIENTNETS, 2)
    ]
    columns = [name for short in ("EC", "MA") for name in (short, *limit_columns(short)[:2])]
    return table[["system_a", "system_b", *columns]].join(pd.DataFrame(rows))


def _with_limits(short: str, found: Interval) -> dict[str, float]:
    return dict(zip((short, *limit_columns(short)[:2]), (found.estimate, found.low, found.high), strict=True))
