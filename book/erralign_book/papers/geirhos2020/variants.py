"""Three EfficientNets beside the paper's systems: what they answer to the same pictures, and how sure they are."""

from functools import cache, reduce
from itertools import combinations, product

import numpy as np
import pandas as pd

from erralign import inference
from erralign.datasets import geirhos2020 as source
from erralign.datasets.archives import is_there, open_member
from erralign.datasets.stimuli import TEXTURE_VS_SHAPE, in_every_copy, sixteen_categories, stimuli
from erralign.datasets.trials import CATEGORIES, class_ids
from erralign.inference.people import ConsistencyWithPeople
from erralign.measures import MEASURES_OF_ERRORS, limit_columns, short_name
from erralign.measures.matrix import wilson_interval
from erralign.models import category_confidences, features, load
from erralign.models.categories import MAPPINGS
from erralign.models.networks import PACKAGES, PREPROCESSING
from erralign.reports import as_text, compare_file
from erralign.responses import Responses
from erralign_book.cells import frozen
from erralign_book.files import data_folder
from erralign_book.papers.tables import limits_beside_others, with_limits

ANSWERS = [source.ERROR_CONSISTENCY]
EFFICIENTNETS = tuple(PACKAGES)
SETTINGS = tuple(product(EFFICIENTNETS, PREPROCESSING, source.DATA_SETS))
QUICK = tuple(product(EFFICIENTNETS[:1], PREPROCESSING, ["edges"]))


@frozen(
    "geirhos2020/efficientnets.npz",
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


@cache
def answers_on(data_set: str) -> Responses:
    """Return a data set's answers, read once."""
    return source.read(data_set)


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
    shares = confidences / confidences.sum(axis=1, keepdims=True)
    return pd.DataFrame(shares, stimuli(f"geirhos2020/{data_set}").index, list(CATEGORIES))


def efficientnet_similarities(data_set: str) -> pd.DataFrame:
    """Return EC, MA, SOC and SOCE of the three pairs of EfficientNets, with 95 % intervals."""
    found = efficientnet_answers(data_set)
    shared = source.exemplars(found.truth.index) if data_set == "cue-conflict" else None
    sure = {name: efficientnet_confidences(name, data_set) for name in EFFICIENTNETS}
    truth = found.truth.map(dict(enumerate(found.classes)))
    table = inference.pairwise_intervals(found, ["EC", "MA"], clusters=shared)
    rows = [
        with_limits(inference.confidence_similarity_interval(sure[a], sure[b], clusters=shared), "SOC", "SOC_")
        | with_limits(
            inference.error_confidence_similarity_interval(truth, sure[a], sure[b], clusters=shared), "SOCE", "SOCE_"
        )
        for a, b in combinations(EFFICIENTNETS, 2)
    ]
    columns = [name for short in ("EC", "MA") for name in (short, *limit_columns(short)[:2])]
    return table[["system_a", "system_b", *columns]].join(pd.DataFrame(rows))


# ---- which network it is, and what one chose before it answered: what either does to the numbers beside people ----


NETWORKS = "geirhos2020/efficientnets.npz"
CHOICES = ("network", "preprocessing", "mapping")
VARIANTS = tuple(product(EFFICIENTNETS, PREPROCESSING, MAPPINGS))
MEASURES = ("accuracy", *map(short_name, MEASURES_OF_ERRORS))
SHOWN = 4  # pictures of the camps
RUNS = {name: f"../../board/geirhos2020/cue-conflict/{name}.csv" for name in EFFICIENTNETS}


@frozen(
    "geirhos2020/efficientnet_pairs",
    inputs=[*ANSWERS, NETWORKS],
    slow=True,
    settings=tuple(source.DATA_SETS),
    spot=["edges", "silhouettes"],
)
def efficientnet_pairs(data_set: str) -> pd.DataFrame:
    """Return EC, MA and CLES of the three EfficientNets with people, networks and each other, with 95 % intervals."""
    both = answers_on(data_set).join(efficientnet_answers(data_set))
    return limits_beside_others(both, EFFICIENTNETS).assign(data_set=data_set)


@frozen("geirhos2020/camps", inputs=[*ANSWERS, NETWORKS])
def camps() -> pd.DataFrame:
    """Return the pictures on which people agree, and the networks agree on something else."""
    both = answers_on("cue-conflict").join(efficientnet_answers("cue-conflict"))
    both = both.select(trials=in_every_copy("geirhos2020/cue-conflict").index)
    human = both.systems["kind"] == "human"
    sides = {"people": both.answers.loc[:, human], "networks": both.answers.loc[:, ~human]}
    said = {
        side: pd.DataFrame({place: answers.eq(place).sum(axis=1) for place in range(len(CATEGORIES))})
        for side, answers in sides.items()
    }
    table = pd.DataFrame({"shape": both.truth, "texture": source.textures(both.truth.index)})
    for side, each in said.items():
        table[f"{side}_say"], table[side] = each.idxmax(axis=1), each.max(axis=1)
    words = ["shape", "texture", "people_say", "networks_say"]
    table[words] = table[words].map(lambda place: CATEGORIES[place])
    united = table["people"] / sides["people"].shape[1] + table["networks"] / sides["networks"].shape[1]
    parted = table.assign(united=united)[table["people_say"] != table["networks_say"]]
    ordered = parted.sort_values("united", ascending=False, kind="stable").drop_duplicates("shape").head(8)
    return ordered.reset_index()[["image", "shape", "texture", "people_say", "people", "networks_say", "networks"]]


def pictures_of_camps() -> dict[str, bytes] | None:
    """Return the first pictures of :func:`camps`, which are not ours: they are on a page only where the data are."""
    if not is_there(TEXTURE_VS_SHAPE):
        return None
    members = in_every_copy("geirhos2020/cue-conflict")["member"]
    return {image: open_member(TEXTURE_VS_SHAPE, members[image]).read() for image in camps()["image"].head(SHOWN)}


@frozen("geirhos2020/variants", inputs=[*ANSWERS, NETWORKS])
def variants() -> pd.DataFrame:
    """Return accuracy, and mean EC, MA and CLES with the ten people, of three networks under six choices each."""
    rows = [
        (measure, *variant, *found.table.loc["/".join(variant), [found.measure, "low", "high"]])
        for measure, found in _with_people().items()
        for variant in VARIANTS
    ]
    return pd.DataFrame(rows, columns=["measure", *CHOICES, "value", "low", "high"])


@frozen("geirhos2020/variant_differences", inputs=[*ANSWERS, NETWORKS])
def variant_differences() -> pd.DataFrame:
    """Return how two variants differ that differ in one choice only."""
    others = [f"{choice}_b" for choice in CHOICES]
    rows = []
    for (measure, found), (a, b) in product(_with_people().items(), combinations(VARIANTS, 2)):
        changed = [name for name, x, y in zip(CHOICES, a, b, strict=True) if x != y]
        if len(changed) == 1:
            names = {"measure": measure, "changed": changed[0]} | dict(zip([*CHOICES, *others], (*a, *b), strict=True))
            rows.append(names | with_limits(found.difference("/".join(b), "/".join(a)), "difference"))
    return pd.DataFrame(rows)


@frozen(
    "geirhos2020/reports_of_efficientnets",
    inputs=[*ANSWERS, *RUNS.values()],
    slow=True,
    settings=EFFICIENTNETS,
    spot=EFFICIENTNETS[:2],
    by=["network"],
)
def reports_of_efficientnets(network: str) -> pd.DataFrame:
    """Return what ``erralign compare`` prints of a file that ``erralign run`` wrote, cut at each empty line."""
    compared = compare_file(data_folder() / "frozen" / RUNS[network], "geirhos2020/cue-conflict")
    return pd.DataFrame({"said": as_text(compared).split("\n\n")})


def named_shapes(given: pd.Series, truth: pd.Series) -> dict[str, float]:
    """Say how often a system names the shape and not the texture of pictures in which the two differ."""
    texture = source.textures(truth.index)
    shapes, textures = (int(((given == cue) & (truth != texture)).sum()) for cue in (truth, texture))
    named = shapes + textures
    low, high = (float(limit[0]) for limit in wilson_interval(np.array([shapes / named]), np.array([named]), 0.95))
    return {"named": named, "shape_bias": shapes / named, "low": low, "high": high}


def answers_of_variants() -> pd.DataFrame:
    """Return which answers a choice changes, and how often each variant names the shape and not the texture."""
    return pd.DataFrame([_answers_of(*variant) for variant in VARIANTS])


def _answers_of(network: str, preprocessing: str, mapping: str) -> dict:
    found = efficientnet_answers("cue-conflict", preprocessing=preprocessing, mapping=mapping)
    given, truth, usual = found.answers[network], found.truth, efficientnet_answers("cue-conflict").answers[network]
    choices = dict(zip(CHOICES, (network, preprocessing, mapping), strict=True))
    return choices | {"changed": (given != usual).mean()} | named_shapes(given, truth)


@cache
def _with_people() -> dict[str, ConsistencyWithPeople]:
    every = answers_on("cue-conflict")
    people = every.select(systems=list(every.systems.query("kind == 'human'").index))
    every = reduce(Responses.join, (_variants_of(*each) for each in product(PREPROCESSING, MAPPINGS)), people)
    return {
        measure: inference.consistency_with_people(every, measure, clusters=[source.exemplars(every.truth.index)])
        for measure in MEASURES
    }


def _variants_of(preprocessing: str, mapping: str) -> Responses:
    found = efficientnet_answers("cue-conflict", preprocessing=preprocessing, mapping=mapping)
    names = {network: f"{network}/{preprocessing}/{mapping}" for network in EFFICIENTNETS}
    answers, systems = found.answers.rename(columns=names), found.systems.rename(index=names)
    return Responses(found.name, found.truth, answers, found.classes, systems)
