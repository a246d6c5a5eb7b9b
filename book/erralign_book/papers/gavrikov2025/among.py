"""What makes two newer models alike: the prompt, the model, its vision encoder, or how its answer was read."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd

from erralign.responses import Responses
from erralign.sources import gavrikov2025 as source
from erralign_book.papers.frozen import frozen
from erralign_book.papers.gavrikov2025.answers import ANSWERS, DESCRIPTION, OPTIONS, everybody, members, units
from erralign_book.papers.gavrikov2025.spread import Mean, lead, less, mean_of_pairs
from erralign_book.papers.leads import Lead

CLASSIFIER, JUDGE, BOTH = (
    "a classifier of texts",
    "a language model as judge",
    "the classifier, where the judge names one",
)
APART = " − "


def _spread(responses: Responses, *means: Mean) -> Lead:
    systems = {name for mean in means for name in (*mean.values.index, *mean.values.columns)}
    people = [name for name in members()["people"] if name in systems]
    samples = {"people": people, "models": sorted(systems.difference(people))}
    return lead(responses.truth.index, means, units(), {name: found for name, found in samples.items() if found})


@frozen(inputs=ANSWERS)
def pairs_of_models() -> pd.DataFrame:
    """Return how alike newer models are that share a prompt, a model or a vision encoder, and how these differ."""
    facts, options = source.systems(), members()[OPTIONS]
    described = [name for name in members()[DESCRIPTION] if facts["model"][name] in set(facts["model"][options])]
    clips = [f"{name} (80 templates)" for name in ("CLIP ViT-L/14-336", "EVA01-CLIP-g/14", "EVA02-CLIP-E/14+")]
    encoders = facts["vision_encoder"].replace("", None)
    seen = [name for name in options if encoders[name] in set(facts.loc[clips, "model"])]
    kinds = {
        "two models, both with options": (options, options, facts["model"], False),
        "two models, both describing": (described, described, facts["model"], False),
        "one model, once with each": (options, described, facts["model"], True),
        "two models of one vision encoder": (options, options, encoders, True),
        "two models of two vision encoders": (options, options, encoders, False),
        "a model and the CLIP of its encoder": (seen, clips, encoders, True),
        "a model and the CLIP of another": (seen, clips, encoders, False),
    }
    rows = []
    for measure in ("EC", "MA"):
        means = {words: _mean(measure, *kind) for words, kind in kinds.items()}
        rows += [{"pairs": words} | _row(measure, mean) for words, mean in means.items()]
        with_options, describing, one_model, *others = kinds
        beside = [(with_options, one_model), (describing, one_model), tuple(others[:2]), tuple(others[2:])]
        for first, second in beside:
            rows.append({"pairs": first + APART + second} | _row(measure, means[first], less(means[second])))
    return pd.DataFrame(rows)


def _mean(measure: str, rows: list[str], columns: list[str], parts: pd.Series, same: bool) -> Mean:
    a, b = parts[rows].to_numpy(object)[:, None], parts[columns].to_numpy(object)
    return mean_of_pairs(everybody(), measure, rows, columns, ((a == b) == same) & pd.notna(a) & pd.notna(b))


def _row(measure: str, *means: Mean) -> Lead:
    counted = int(means[0].values.count().sum())
    return {"measure": measure, "n_pairs": counted} | _spread(everybody(), *means)


@cache
def _read_otherwise() -> dict[str, Responses]:
    described = members()[DESCRIPTION]
    chosen = everybody().select(systems=[*members()["people"], *described])
    judged = pd.concat([source.judged(name) for name in described], axis=1).loc[chosen.answers.index]
    both = chosen.answers[described].mask(judged < 0, -1)
    return {CLASSIFIER: chosen} | {
        words: replace(chosen, answers=chosen.answers.assign(**answers))
        for words, answers in ((BOTH, both), (JUDGE, judged))
    }


@frozen(inputs=ANSWERS)
def readings() -> pd.DataFrame:
    """Return agreement of descriptions with people, by what says which class a description names."""
    rows, people, described = [], members()["people"], members()[DESCRIPTION]
    for words, responses in _read_otherwise().items():
        answers = responses.answers[described]
        right, unread = answers.eq(responses.truth, axis=0).mean().mean(), (answers < 0).mean().mean()
        for measure in ("EC", "H", "MA"):
            found = _spread(responses, mean_of_pairs(responses, measure, people, described))
            rows.append({"reading": words, "measure": measure, "accuracy": right, "unread": unread} | found)
    return pd.DataFrame(rows)


@frozen(inputs=ANSWERS)
def answers_of_each() -> pd.DataFrame:
    """Return shape bias, accuracy by shape or texture, and how many answers are missing, as the authors count them."""
    return pd.DataFrame([_counted(name) for name in source.systems().index])


def _counted(name: str) -> dict:
    released = source.released(name)
    shape, texture = (released.index.str.extract(rf"^(?:.*-)?([a-z]+)\d+{end}", expand=False) for end in ("-", r"\."))
    conflict = np.asarray(shape != texture)
    said = released["pred_label"]
    by_shape, by_texture = (float((said == cue)[conflict].mean()) for cue in (shape, texture))
    counted = {"accuracy": by_shape + by_texture, "shape_bias": by_shape / (by_shape + by_texture)}
    text = released.get("pred_llm_judge", pd.Series("", released.index)).str.strip()
    counted |= {"unread": (said == "None").sum(), "generic": text.str.startswith("X").mean()}
    return {"system": name} | counted
