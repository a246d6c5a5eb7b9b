"""Error consistency with people, set against accuracy, Brain-Score and shape bias."""

import numpy as np
import pandas as pd
from scipy.stats import PermutationMethod, linregress, pearsonr

from erralign.datasets import geirhos2020 as source
from erralign.datasets.archives import is_there, open_member
from erralign.datasets.trials import CATEGORIES
from erralign.measures.matrix import wilson_interval
from erralign_book.papers.frozen import frozen
from erralign_book.papers.geirhos2020 import pair_means
from erralign_book.papers.geirhos2020.pair_means import ANSWERS, IMAGENET_ACCURACIES, SIXTEEN, answers_on
from erralign_book.papers.tables import beside_people

STYLIZED = ("SIN-and-IN-then-finetuned-on-IN", "SIN-and-IN", "SIN")
ON_STYLIZED = tuple(f"resnet50-trained-on-{pictures}" for pictures in STYLIZED)
# The least accurate networks of the sixteen on ImageNet, each of which moves a line by itself.
SQUEEZENETS = ("squeezenet1-0", "squeezenet1-1")
ALL_THREE = ("alexnet", *SQUEEZENETS)
LEFT_OUT = {"nothing": (), "SqueezeNets": SQUEEZENETS, "AlexNet": ("alexnet",), "all three": ALL_THREE}
BRAIN_SCORES = {"avg.": "average", "V1": "V1", "V2": "V2", "V4": "V4", "IT": "IT", "Behavior": "behaviour"}
THEIR_NAMES = {"resnet-50_v1": "resnet50", "resnet-101_v1": "resnet101", "resnet-152_v1": "resnet152"}


@frozen(inputs=ANSWERS)
def regressions() -> pd.DataFrame:
    """Return the straight lines of error consistency with people, of all networks and without some.

    They are against ImageNet top-5 accuracy (Figure 3), and against six Brain-Scores (appendix).
    """
    brain = _brain_scores()[list(BRAIN_SCORES)].rename(columns=BRAIN_SCORES)
    scores = pd.concat([IMAGENET_ACCURACIES["top5"].rename("ImageNet"), brain], axis=1)
    parts = {(name, of): _regress(scores[of], networks) for name, networks in LEFT_OUT.items() for of in scores}
    return pd.concat(parts, names=["left_out", "score"]).reset_index(["left_out", "score"])


def _regress(score: pd.Series, left_out: tuple[str, ...]) -> pd.DataFrame:
    pairs = _with_persons(score.dropna().rename("x"))
    pairs = pairs[~pairs["network"].isin(left_out)]
    return pd.DataFrame([{"data_set": name} | _line(points) for name, points in pairs.groupby("data_set", sort=False)])


def _line(points: pd.DataFrame) -> dict:
    line = linregress(points["x"], points["EC"])
    by_network = points.groupby("network")[["x", "EC"]].mean()
    shuffled = PermutationMethod(n_resamples=9999, rng=np.random.default_rng(0))
    of_means = pearsonr(by_network["x"], by_network["EC"], method=shuffled)
    return {
        "F": (line.slope / line.stderr) ** 2,
        "p": line.pvalue,
        "R2": line.rvalue**2,
        "R2_networks": of_means.statistic**2,
        "p_networks": of_means.pvalue,
    }


def _brain_scores() -> pd.DataFrame:
    """Read the Brain-Scores of those of the sixteen networks that have one, as the paper's appendix uses them."""
    file = open_member(source.ERROR_CONSISTENCY, "raw-data/brain-score_metrics/brainscore_metrics.csv")
    table = pd.read_csv(file, skipinitialspace=True)
    names = table.iloc[:, 0].replace(THEIR_NAMES)
    names = names.replace({"vgg-16": "vgg16-bn", "vgg-19": "vgg19-bn", "inception_v3": "inception-v3"})
    names = names.str.replace(r"^(densenet|resnet)-(\d+)$", r"\1\2", regex=True)
    names = names.str.replace(r"^squeezenet1_", "squeezenet1-", regex=True)
    return table.iloc[:, 1:].set_axis(names.rename("network"))


@frozen(inputs=ANSWERS)
def shape_bias() -> pd.DataFrame:
    """Return how often each system names the shape, and not the texture, on cue-conflict images."""
    responses = pair_means.answers_on("cue-conflict")
    shares = responses.answers.apply(lambda said: named_shapes(said, responses.truth)["shape_bias"])
    table = pd.DataFrame({"kind": responses.systems["kind"], "shape_bias": shares}).rename_axis("system")
    return table.assign(EC=_mean_with_people()["cue-conflict"]).reset_index()


def named_shapes(given: pd.Series, truth: pd.Series) -> dict[str, float]:
    """Say how often a system names the shape and not the texture of pictures in which the two differ."""
    texture = source.textures(truth.index)
    shapes, textures = (int(((given == cue) & (truth != texture)).sum()) for cue in (truth, texture))
    named = shapes + textures
    low, high = (float(limit[0]) for limit in wilson_interval(np.array([shapes / named]), np.array([named]), 0.95))
    return {"named": named, "shape_bias": shapes / named, "low": low, "high": high}


def _mean_with_people() -> pd.DataFrame:
    """Return the mean EC of each system with (other) people: a column per data set."""
    pairs = beside_people(pair_means.pairwise_scores())
    return pairs.pivot_table(index="system_b", columns="data_set", values="EC", aggfunc="mean")


@frozen(inputs=ANSWERS)
def with_people() -> pd.DataFrame:
    """Return the mean error consistency of each system with the (other) people."""
    return _mean_with_people()[list(source.DATA_SETS)].rename_axis("system", axis=0).reset_index()


def networks_with_people() -> pd.DataFrame:
    """Return the pairs of a network and a person beside the network's accuracy on ImageNet."""
    return _with_persons(IMAGENET_ACCURACIES["top5"].rename("accuracy"))


def with_brain_scores() -> pd.DataFrame | None:
    """Return each network's error consistency with each person beside its Brain-Scores, where the data are here.

    The scores are other people's results, and not part of this book's repository.
    """
    if not is_there(source.ERROR_CONSISTENCY):
        return None
    return _with_persons(_brain_scores()[list(BRAIN_SCORES)].rename(columns=BRAIN_SCORES))


def _with_persons(scores: pd.Series | pd.DataFrame) -> pd.DataFrame:
    pairs = pair_means.of_the_paper(pair_means.pairwise_scores()).query("kind == 'model-human'")
    named = pairs.rename(columns={"system_a": "person", "system_b": "network"})
    return named[["data_set", "network", "person", "EC"]].join(scores, on="network", how="inner").reset_index(drop=True)


def bands_of_pairs(networks: str) -> pd.DataFrame:
    """Return the mean error consistency of two people and of two networks, with 1.96 standard errors."""
    people = pair_means.kinds_of_pairs().query("kind == 'human-human'")
    parts = pair_means.parts_of_the_trials()
    chosen = parts[(parts["networks"] == networks) & (parts["rows"] == "all")]
    both = pd.concat({"two people": people, "two networks": chosen}, names=["group"]).reset_index("group")
    both = both.assign(low=both["EC"] - both["width"], high=both["EC"] + both["width"])
    return both[["data_set", "group", "EC", "low", "high"]]


@frozen(inputs=ANSWERS)
def brain_score_and_imagenet() -> pd.DataFrame:
    """Return how the behavioural Brain-Score goes with accuracy on ImageNet, over all models of the shared table."""
    scores = _brain_scores()
    return pd.DataFrame({"r": [scores["Behavior"].corr(scores["Imagenet"])]})


# ---- answers by picture and by category: confusions, what is easy for one side only, shape or texture -------------


# In the figures that compare CORnet-S with ResNet-50: our name for each observer, and who that is.
OBSERVERS = {"people": "subject-", "CORnet-S": "cornet-s", "ResNet-50": "resnet50"}
NO_ANSWER = "no answer"
WORDS = {-1: NO_ANSWER, **dict(enumerate(CATEGORIES))}
# The file whose order decides between pictures that are equally easy and hard.
ORDERED_AS = "subject-02"


def _answers_of(observer: str, data_set: str) -> pd.DataFrame:
    """Return the answers of an observer, a column per system: all people together, or one network."""
    answers, name = pair_means.answers_on(data_set).answers, OBSERVERS[observer]
    return answers.filter(like=name) if observer == "people" else answers[[name]]


@frozen(inputs=ANSWERS, settings=tuple(source.DATA_SETS), by="data_set")
def confusions(data_set: str) -> pd.DataFrame:
    """Return what people, CORnet-S and ResNet-50 answer to each category (Figure SF.8)."""
    truth = pair_means.answers_on(data_set).truth
    parts = {observer: confusion_of(_answers_of(observer, data_set), truth) for observer in OBSERVERS}
    return pd.concat(parts, names=["observer"]).reset_index("observer")


def confusion_of(answers: pd.DataFrame, truth: pd.Series) -> pd.DataFrame:
    """Return the share of each answer of some systems together, one a column, to each category."""
    category = np.repeat(truth.map(WORDS).to_numpy(), answers.shape[1])
    answer = pd.Series(answers.to_numpy().ravel()).map(WORDS).to_numpy()
    shares = pd.crosstab(category, answer, rownames=["category"], normalize="index")
    shares = shares.reindex(columns=[*CATEGORIES, NO_ANSWER], fill_value=0).reset_index()
    return shares.melt("category", var_name="answer", value_name="share")


@frozen(inputs=ANSWERS, settings=tuple(source.DATA_SETS), by="data_set")
def easy_for_one_side(data_set: str) -> pd.DataFrame:
    """Return the pictures that are easiest for people and hardest for networks, and the reverse (Figure SF.4)."""
    responses = pair_means.answers_on(data_set)
    right = responses.answers.eq(responses.truth, axis=0)
    counts = {"people": right.filter(like="subject-").sum(axis=1), "networks": right[list(SIXTEEN)].sum(axis=1)}
    table = pd.DataFrame(counts).loc[source.trials_of(data_set, ORDERED_AS)["image"]]
    table["alike"] = table.groupby(["people", "networks"])["people"].transform("size")
    sides = {"people": ["people", "networks"], "networks": ["networks", "people"]}
    parts = {side: _first_five(table, order) for side, order in sides.items()}
    return pd.concat(parts, names=["easy_for"]).reset_index()


def _first_five(table: pd.DataFrame, order: list[str]) -> pd.DataFrame:
    table = table.assign(as_easy=table.groupby(order[0])[order[0]].transform("size"))
    first = table.sort_values(order, ascending=[False, True], kind="stable").head(5).reset_index()
    return first.set_index(pd.RangeIndex(1, 6, name="rank"))


@frozen(inputs=ANSWERS)
def shape_bias_by_category() -> pd.DataFrame:
    """Return how often people, CORnet-S and ResNet-50 name the shape of cue-conflict pictures (Figure SF.5)."""
    truth = pair_means.answers_on("cue-conflict").truth
    parts = {observer: shapes_by_category(_answers_of(observer, "cue-conflict"), truth) for observer in OBSERVERS}
    return pd.concat(parts, names=["observer"]).reset_index()


def shapes_by_category(answers: pd.DataFrame, truth: pd.Series) -> pd.DataFrame:
    """Return how often systems name the shape, of cue conflicts in which they name the shape or the texture."""
    cues = {"shape": truth, "texture": pd.Series(source.textures(truth.index), truth.index)}
    differ = cues["shape"] != cues["texture"]
    named = {name: answers[differ].eq(cue[differ], axis=0).mean(axis=1) for name, cue in cues.items()}
    shares = pd.DataFrame(named).groupby(truth[differ].map(WORDS).rename("category")).mean()
    either = shares["shape"] + shares["texture"]
    return pd.DataFrame({"shape_bias": shares["shape"] / either, "either": either})


# ---- who fails on each of the 160 silhouettes, and with which word -------------------------------------------------


SIDES = {"people": "human", "networks": "model"}
GROUPS = ("neither", "people", "networks", "both")  # whom a picture fools
HABIT = "knife"  # the wrong word that networks like best: the claim saw-knife


@frozen(inputs=ANSWERS)
def answers_to_silhouettes() -> pd.DataFrame:
    """Return how many people and how many networks gave each word to each silhouette; 0 of both is left out."""
    responses = answers_on("silhouettes")
    answers, kinds = responses.answers, responses.systems["kind"]
    counts = {
        side: pd.DataFrame({word: answers.loc[:, kinds == kind].eq(label).sum(axis=1) for label, word in WORDS.items()})
        for side, kind in SIDES.items()
    }
    said = pd.DataFrame({side: table.stack() for side, table in counts.items()}).rename_axis(["image", "answer"])
    said = said[said.any(axis=1)].reset_index()
    said.insert(1, "shows", said["image"].map(responses.truth.map(WORDS)))
    number = said["image"].str.extract(r"(\d+)", expand=False).astype(int)
    order = said.assign(number=number).sort_values(["shows", "number", "answer"]).index
    return said.loc[order].reset_index(drop=True)


def silhouettes() -> pd.DataFrame:
    """Return of each silhouette whom it fools, and each side's commonest wrong word.

    A side is fooled where half or more of it are wrong. Of words that are equally common, all are named, and none
    counts as the same as the other side's.
    """
    said = answers_to_silhouettes()
    table = said.groupby("image", sort=False)[["shows"]].first()
    for side in SIDES:
        counts = said.pivot_table(side, "image", "answer", fill_value=0, sort=False).loc[table.index]
        right = said[said["answer"] == said["shows"]].set_index("image")[side].reindex(table.index, fill_value=0)
        table[f"{side}_fooled"] = right / counts.sum(axis=1) <= 0.5
        wrong = said[(said["answer"] != said["shows"]) & (said["answer"] != NO_ANSWER)]
        most = wrong[wrong[side] == wrong.groupby("image")[side].transform("max").clip(lower=1)]
        words = most.groupby("image")["answer"].agg(" or ".join)
        table[f"{side}_say"] = words.reindex(wrong["image"].unique()).fillna("")
    table["fools"] = np.array(GROUPS)[table["people_fooled"] + 2 * table["networks_fooled"]]
    split = table["people_say"].str.contains(" or ", na=False)
    table["same"] = (table["fools"] == "both") & (table["people_say"] == table["networks_say"]) & ~split
    return table
