"""What the shared table of Brain-Scores says of accuracy, and error consistency beside it (Figures SF.9 to SF.11)."""

import pandas as pd

from erralign.sources import geirhos2020 as source
from erralign.sources.archives import is_there
from erralign.sources.geirhos2020 import ERROR_CONSISTENCY
from erralign_book.papers.frozen import frozen
from erralign_book.papers.geirhos2020.pair_means import ANSWERS, of_the_paper, pairwise_scores
from erralign_book.papers.geirhos2020.people import BRAIN_SCORES


def with_brain_scores() -> pd.DataFrame | None:
    """Return each network's error consistency with each person beside its Brain-Scores, where the data are here.

    The scores are other people's results, and not part of this book's repository.
    """
    if not is_there(ERROR_CONSISTENCY):
        return None
    scores = source.brain_scores()[list(BRAIN_SCORES)].rename(columns=BRAIN_SCORES)
    pairs = of_the_paper(pairwise_scores()).query("kind == 'model-human'")
    named = pairs.rename(columns={"system_a": "person", "system_b": "network"})
    return named[["data_set", "network", "person", "EC"]].join(scores, on="network", how="inner").reset_index(drop=True)


@frozen(inputs=ANSWERS)
def brain_score_and_imagenet() -> pd.DataFrame:
    """Return how the behavioural Brain-Score goes with accuracy on ImageNet, over all models of the shared table."""
    scores = source.brain_scores()
    both = scores[["Behavior", "Imagenet"]].dropna()
    found = {"models": len(scores), "with_both": len(both), "r": both["Behavior"].corr(both["Imagenet"])}
    return pd.DataFrame([found | {"cornet_s": scores.loc["CORnet-S", "Imagenet"]}])
