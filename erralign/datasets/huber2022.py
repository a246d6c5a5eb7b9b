"""Answers of children, adults and five networks to pictures with a cue conflict (Huber, Geirhos & Wichmann 2022)."""

from functools import cache

import pandas as pd

from erralign._validation import expected
from erralign.datasets.archives import open_member
from erralign.datasets.trials import CATEGORIES, class_ids
from erralign.responses import Responses

DEVELOPMENT = "wichmann-lab/robustness-development@88224d4199ec10e3405955b735dcd8d81430b661"
ARCHIVES = (DEVELOPMENT,)
_AGES = {"4_6": "4 to 6", "7_9": "7 to 9", "10_12": "10 to 12", "13_15": "13 to 15", "adults": "adult"}
_NETWORKS = ("bitm", "resnext", "swag", "swsl", "vgg19")


@cache
def trials() -> pd.DataFrame:
    """Read all trials with a cue conflict: ``system``, ``kind``, ``age`` (a group of years), ``image``, truth, answer.

    A network goes by the name that its file holds: the files of four of the five have each other's names.
    """
    people = [_read(f"humans/{group}").assign(kind="human", age=age) for group, age in _AGES.items()]
    networks = [_read(f"models/{name}").assign(kind="model", age="") for name in _NETWORKS]
    table = pd.concat([*people, *networks], ignore_index=True)
    human = table["kind"] == "human"
    names = table["subj"].where(~human, "person-" + table["subj"].str.zfill(3))
    ids = {"truth": class_ids(table["category"]), "answer": class_ids(table["object_response"])}
    return table.assign(system=names, **ids)[["system", "kind", "age", "image", "truth", "answer"]]


def _read(name: str) -> pd.DataFrame:
    file = open_member(DEVELOPMENT, f"data/cue_conflict/{name}.csv")
    table = pd.read_csv(file, dtype=str, keep_default_na=False)
    table = table[table["difficulty"].astype(float) == 1]
    return table.assign(image=table["imagename"].str.rpartition("_")[2])


def _seen_by(*names: str) -> Responses:
    """Return what some people or networks answered on the pictures that all of them saw.

    Nearly everybody saw other pictures, so all of them together have none in common. A picture that somebody did not
    see is no wrong answer, so it has no place in :class:`Responses`: compare person by person.
    """
    everybody = trials()
    for name in names:
        if name not in set(everybody["system"]):
            raise ValueError(f"{name!r} is in none of the files; {expected(name, everybody['system'].unique())}")
    table = everybody[everybody["system"].isin(names)]
    answers = table.pivot(index="image", columns="system", values="answer")[list(names)].dropna().astype("int64")
    if answers.empty:
        raise ValueError(f"no picture was seen by all {len(names)}, {names[0]} to {names[-1]}; name fewer at once")
    truth = table.drop_duplicates("image").set_index("image")["truth"].loc[answers.index]
    facts = table.drop_duplicates("system").set_index("system").loc[list(names)]
    family = facts["kind"].map({"human": "Human", "model": "network"})
    about = pd.DataFrame({"kind": facts["kind"], "family": family, "source": DEVELOPMENT, "age": facts["age"]})
    return Responses("huber2022/cue-conflict", truth, answers.rename_axis(columns=None), CATEGORIES, about)


def read() -> Responses:
    """Read the answers of the six people and five networks who saw all 240 pictures."""
    n_seen = trials().groupby("system", sort=False)["image"].nunique()
    return _seen_by(*n_seen.index[n_seen == n_seen.max()])
