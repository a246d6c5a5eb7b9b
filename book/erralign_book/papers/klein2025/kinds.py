"""How far two people are ahead of other pairs with the networks of model-vs-human, all and the larger ones."""

from itertools import product

import pandas as pd

from erralign.responses import Responses
from erralign.sources import model_vs_human as source
from erralign_book.papers.frozen import frozen
from erralign_book.papers.kinds import KINDS, by_condition, leads_on_a_set, leads_over_sets
from erralign_book.papers.klein2025.elsewhere import FOURTEEN, THREE
from erralign_book.papers.klein2025.models import ANSWERS, sound_models
from erralign_book.papers.klein2025.yardsticks import LARGER
from erralign_book.papers.tables import each_data_set

OTHERS = "25 other networks"
ARCHITECTURE = "(resnet50|bagnet|regnety|vit|clip|dino|convnext|mlp_mixer|shufflenet|swin|efficientnet)"
MEASURES = ("EC", "MA", "WMA", "H")
PEOPLE, OVER = KINDS[0], KINDS[1:]


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
    over_sets = each_data_set(lambda name: by_condition(_with(name, networks), networks), FOURTEEN)
    parts = [
        leads_over_sets(over_sets, measure, PEOPLE, over).assign(measure=measure, over=over)
        for measure, over in product(MEASURES, OVER)
    ]
    single = each_data_set(lambda name: leads_on_a_set(_with(name, networks), networks, MEASURES), THREE)
    return pd.concat([*parts, single.replace({"data_set": THREE}).rename(columns={"data_set": "sets"})])


def _with(data_set: str, networks: pd.Series) -> Responses:
    every = source.read(data_set)
    return every.select(systems=[*every.systems.query("kind == 'human'").index, *networks.index])
