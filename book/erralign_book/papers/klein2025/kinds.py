"""What each system's EC with people is, and what it could be at most: networks of 2020 and larger ones since."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from erralign.bounds import error_consistency_bounds, largest_mean_error_consistency
from erralign.datasets import geirhos2020 as older
from erralign.datasets import model_vs_human as source
from erralign.datasets import xu2024
from erralign.datasets.geirhos2020 import DATA_SETS, ERROR_CONSISTENCY, SIXTEEN, read
from erralign.responses import Responses
from erralign_book import cells
from erralign_book.cells import table
from erralign_book.papers.frozen import frozen
from erralign_book.papers.kinds import KINDS, leads_on_a_set, leads_over_sets, pairs_by_condition
from erralign_book.papers.klein2025.answers import ANSWERS, sound_models
from erralign_book.papers.leads import Lead, summed, variance_of
from erralign_book.papers.tables import beside_people, each_data_set

FOURTEEN = tuple(name for name in source.data_sets().index if name in xu2024.data_sets().index)
# As the older repository calls the three others.
THREE = {"edge": "edges", "silhouette": "silhouettes", "cue-conflict": "cue-conflict"}
GROUPS = {"human-human": "people", "model-human": "CNNs of 2020"}
LARGER = "networks trained on more data"
EQUAL = "other networks as accurate"
COLUMNS = ["accuracy", "EC", "largest"]
KNOWS = ["knows all", "knows nine"]


def systems_with_people() -> pd.DataFrame:
    """Return accuracy, mean EC with the ten people, and the mean of the largest EC that both accuracies allow."""
    scores, chosen = table("geirhos2020/pairwise_scores"), [*older.systems().query("kind == 'human'").index, *SIXTEEN]
    pairs = beside_people(scores[scores[["system_a", "system_b"]].isin(chosen).all(axis=1)])
    of_2020 = means_with_people(pairs).assign(group=lambda rows: rows["kind"].map(GROUPS))
    later = _of_benchmark()
    return pd.concat([of_2020, later[later["group"] == LARGER]], ignore_index=True)


def means_with_people(pairs: pd.DataFrame) -> pd.DataFrame:
    """Average pairs of a person, who comes first, and a system."""
    most = error_consistency_bounds(pairs["accuracy_a"], pairs["accuracy_b"])[1]
    named = pairs.assign(largest=most).rename(columns={"system_b": "system", "accuracy_b": "accuracy"})
    return named.groupby(["data_set", "kind", "system"], sort=False)[COLUMNS].mean().reset_index()


@frozen(inputs=[ERROR_CONSISTENCY], settings=tuple(DATA_SETS), by="data_set")
def reach_with_people(data_set: str) -> pd.DataFrame:
    """Return what somebody of each accuracy reaches who knows the answers of all ten people, or of nine."""
    responses = read(data_set)
    right = responses.answers.filter(like="subject-").eq(responses.truth, axis=0).to_numpy().T
    rows = [(accuracy, *_reached(right, accuracy)) for accuracy in np.linspace(0.01, 0.99, 99)]
    return pd.DataFrame(rows, columns=["accuracy", *KNOWS])


def _reached(right: np.ndarray, accuracy: float) -> tuple[float, float]:
    one_out = [
        largest_mean_error_consistency(right[[one]], accuracy, known=np.delete(right, one, axis=0))
        for one in range(len(right))
    ]
    return largest_mean_error_consistency(right, accuracy), float(np.mean(one_out))


def beside_reach() -> pd.DataFrame:
    """Return networks with their EC as a share of what their accuracies allow, and of what is within reach."""
    systems, reach = systems_with_people(), reach_with_people().set_index("data_set")
    networks = systems[systems["group"] != "people"]
    parts = []
    for name, rows in networks.groupby("data_set", sort=False):
        line = reach.loc[name]
        reached = {knows: np.interp(rows["accuracy"], line["accuracy"], line[knows]) for knows in KNOWS}
        parts.append(rows.assign(**reached))
    return pd.concat(parts, ignore_index=True)


def _of_benchmark() -> pd.DataFrame:
    families = source.models()["family"]
    every = cells.table("klein2025/accuracies").query("data_set in @THREE")
    people, models = (every[every["kind"] == kind] for kind in GROUPS)
    named = models.assign(group=np.where(models["system"].map(families) == "Large", LARGER, EQUAL))
    pairs = named.merge(people[["data_set", "accuracy"]], on="data_set", suffixes=("", "_of_person"))
    pairs["largest"] = error_consistency_bounds(pairs["accuracy_of_person"], pairs["accuracy"])[1]
    means = pairs.groupby(["data_set", "kind", "system", "group"], sort=False)[["accuracy", "largest"]].mean()
    scored = means.reset_index().merge(cells.table("klein2025/scores_by_data_set"), on=["data_set", "system"])
    return scored.replace({"data_set": THREE})


# ---- how far two people are ahead of other pairs with the networks of model-vs-human, all and the larger ones -----


OTHERS = "25 other networks"
ARCHITECTURE = "(resnet50|bagnet|regnety|vit|clip|dino|convnext|mlp_mixer|shufflenet|swin|efficientnet)"


@frozen(inputs=ANSWERS)
def leads_with_other_networks() -> pd.DataFrame:
    """Return how far two people are ahead of other pairs, under all choices, on fourteen sets and on each of three."""
    parts = [_leads(networks).assign(networks=words) for words, networks in other_networks().items()]
    return pd.concat(parts, ignore_index=True)


def other_networks() -> dict[str, pd.Series]:
    """Return the architectures of the networks of model-vs-human, all and the larger ones."""
    architectures = pd.Series(sound_models(), sound_models()).str.extract(ARCHITECTURE, expand=False)
    larger = source.models()["family"].reindex(architectures.index) == "Large"
    return {OTHERS: architectures, LARGER: architectures[larger]}


def _leads(networks: pd.Series) -> pd.DataFrame:
    pairs = each_data_set(lambda name: pairs_by_condition(_with(name, networks), networks), FOURTEEN)
    single = each_data_set(lambda name: leads_on_a_set(_with(name, networks), networks), THREE)
    named = single.replace({"data_set": THREE}).rename(columns={"data_set": "sets"})
    return pd.concat([*(leads_over_sets(pairs, over) for over in KINDS[1:]), named])


def _with(data_set: str, networks: pd.Series) -> Responses:
    every = source.read(data_set)
    return every.select(systems=[*every.systems.query("kind == 'human'").index, *networks.index])


# ---- the wrong answer that networks give most often, and how often people give it ---------------------------------


OF_2020, OF_THEIR_PAPER = "Geirhos et al.'s 25 networks", "Geirhos et al.'s 16 networks"
OF_OTHERS, OF_WRONG = "pictures of other things", "wrong answers"
Counts = tuple[np.ndarray, np.ndarray]  # what a share is of: said or not, and counted or not, (n_pictures, n_systems)


@frozen(inputs=[older.ERROR_CONSISTENCY, *ANSWERS], settings=tuple(THREE.values()), by="data_set")
def favourite_answers(data_set: str) -> pd.DataFrame:
    """Return networks' most frequent wrong answer to each set of pictures, and how often they and people give it.

    It is a share of the pictures of other things, or of wrong answers. The standard error is over pictures, people and
    architectures; pictures that share a photograph are left out together.
    """
    architectures = older.systems().query("kind == 'model'")["architecture"]
    of_2020 = {OF_2020: architectures, OF_THEIR_PAPER: architectures[list(SIXTEEN)]}
    theirs = {ours: name for name, ours in THREE.items()}[data_set]
    sets = (older.read(data_set), of_2020), (source.read(theirs), other_networks())
    return pd.DataFrame(
        row | {"networks": words}
        for responses, groups in sets
        for words, networks in groups.items()
        for row in favourite_beside_people(responses, networks)
    )


def favourite_beside_people(responses: Responses, networks: pd.Series) -> Iterator[Lead]:
    """Compare networks, given with their architectures, with people: of pictures of other things, of wrong answers."""
    people = responses.systems.query("kind == 'human'").index
    truth, answers = responses.truth.to_numpy()[:, None], responses.answers
    given, theirs = answers[networks.index].to_numpy(), answers[people].to_numpy()
    wrong = np.bincount(given[given != truth], minlength=len(responses.classes))
    label = int((wrong / (truth != np.arange(len(wrong))).sum(axis=0)).argmax())
    rows = (truth != label)[:, 0]
    for of in (OF_OTHERS, OF_WRONG):
        counts = [(said[rows] == label, (said != truth)[rows] | (of == OF_OTHERS)) for said in (given, theirs)]
        yield {"answer": responses.classes[label], "of": of} | _lead(counts, networks, _photographs(responses, rows))


def _photographs(responses: Responses, rows: np.ndarray) -> list[np.ndarray]:
    """Return what is left out together: the two photographs of a cue conflict, elsewhere single pictures."""
    index = responses.truth.index[rows]
    shared = older.exemplars(index)
    return [np.arange(len(index))] if shared.isna().any(axis=None) else [shared[of].to_numpy() for of in shared]


def _lead(counts: list[Counts], networks: pd.Series, photographs: list[np.ndarray]) -> Lead:
    first, second = (said.sum() / of.sum() for said, of in counts)
    without = [_without(counts[0], units, 0) - _without(counts[1], units, 0) for units in photographs]
    without += [_without(counts[0], networks.to_numpy(), 1) - second]
    without += [first - _without(counts[1], np.arange(counts[1][0].shape[1]), 1)]
    arms = {"first": first, "second": second, "value": first - second}
    return arms | summed([variance_of(values) for values in without])


def _without(counts: Counts, units: np.ndarray, axis: int) -> np.ndarray:
    """Return the share without each unit, of pictures (axis 0) or of systems."""
    codes, found = pd.factorize(units)
    said, of = (np.bincount(codes, of_each.sum(axis=1 - axis), len(found)) for of_each in counts)
    return (said.sum() - said) / (of.sum() - of)
