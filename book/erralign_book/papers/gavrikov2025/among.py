"""What makes two newer models alike: the prompt, the model, its vision encoder, or how its answer was read."""

import re
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pandas as pd

from erralign.datasets import gavrikov2025 as source
from erralign.datasets.trials import CATEGORIES, class_ids
from erralign.responses import Responses
from erralign_book.cells import table as stored
from erralign_book.papers.frozen import frozen
from erralign_book.papers.gavrikov2025 import answers as shared
from erralign_book.papers.gavrikov2025.answers import ANSWERS, CLIP, DESCRIPTION, OPTIONS, Mean
from erralign_book.papers.leads import Lead

CLASSIFIER, JUDGE, BOTH = (
    "a classifier of texts",
    "a language model as judge",
    "the classifier, where the judge names one",
)
# How the two of a pair were asked, and what they share.
EACH, CHOOSING, DESCRIBING = "one chooses, one describes", "both choose", "both describe"
ONE_MODEL, ONE_EYE, TWO_MODELS = "one model", "two models, one eye", "any two models"
# Eyes are on the board themselves, as CLIPs: how the models were asked, and how many at least have an eye.
OWN_EYE, OTHER_EYE = "a model and its eye", "a model and another's eye"
BESIDE_EYES = {"the model chooses": (OPTIONS, 1), "the model describes": (DESCRIPTION, 1)}
BESIDE_EYES |= {f"{asked}, eyes of several": (group, 2) for asked, (group, _) in BESIDE_EYES.items()}
# How the judge, a language model, names a class: by its letter, A. airplane to P. truck, or X for none of them.
JUDGES_LETTERS = dict(zip("ABCDEFGHIJKLMNOP", CATEGORIES, strict=True))


def _spread(responses: Responses, *means: Mean) -> Lead:
    """Draw again people, and models or, beside their eyes, the models of each eye."""
    systems = {name for mean in means for name in (*mean.values.index, *mean.values.columns)}
    eyes, people = systems.intersection(shared.members()[CLIP]), systems.intersection(shared.members()["people"])
    samples = {"people": sorted(people)}
    for model in sorted(systems - eyes - people):
        samples.setdefault(source.systems()["vision_encoder"][model] if eyes else "models", []).append(model)
    return shared.lead(
        responses.truth.index, means, shared.units(), {name: found for name, found in samples.items() if found}
    )


@frozen(inputs=ANSWERS)
def pairs_of_models() -> pd.DataFrame:
    """Return how alike vision-language models are that share a model, a vision encoder or a prompt.

    All models that share a vision encoder are of one family. So one that is a CLIP is compared with the models that
    have it, and with those that have another. Where ``less`` names other pairs, the value is the difference of
    ``first`` and ``second``.
    """
    eyes = [((asked, OWN_EYE), (asked, OTHER_EYE)) for asked in BESIDE_EYES]
    ways = [((asked, TWO_MODELS), (EACH, TWO_MODELS)) for asked in (CHOOSING, DESCRIBING)]
    compared = [((EACH, ONE_MODEL), (EACH, ONE_EYE)), *eyes, *ways]
    rows = []
    for measure in ("EC", "MA"):
        means = {kind: _means(measure, *kind) for kind in dict.fromkeys(sum(compared, ()))}
        rows += [_named(measure, of) | _spread(shared.everybody(), *each) for of, each in means.items()]
        rows += [
            _named(measure, of) | {"less_asked": other[0], "less": other[1]} | _difference(means[of], means[other])
            for of, other in compared
        ]
    return pd.DataFrame(rows)


def _named(measure: str, of: tuple[str, str]) -> Lead:
    return {"measure": measure, "asked": of[0], "pairs": of[1]}


def _difference(first: list[Mean], second: list[Mean]) -> Lead:
    sums = {name: sum(mean.without() for mean in means) for name, means in {"first": first, "second": second}.items()}
    return sums | _spread(shared.everybody(), *first, *map(shared.less, second))


def _means(measure: str, asked: str, pairs: str) -> list[Mean]:
    """Return means over pairs that add up to the mean of a kind."""
    facts, options = source.systems(), shared.members()[OPTIONS]
    described = [name for name in shared.members()[DESCRIPTION] if facts["model"][name] in set(facts["model"][options])]
    if asked in BESIDE_EYES:
        group, least = BESIDE_EYES[asked]
        return _beside_eyes(measure, {OPTIONS: options, DESCRIPTION: described}[group], least, pairs == OWN_EYE)
    rows, columns = {EACH: (options, described), CHOOSING: (options,) * 2, DESCRIBING: (described,) * 2}[asked]
    counts = facts.loc[options, "vision_encoder"].replace("", None).value_counts()
    eyes = facts["vision_encoder"].where(facts["vision_encoder"].isin(counts.index[counts > 1]))
    one_model, one_eye = (of[rows].to_numpy()[:, None] == of[columns].to_numpy() for of in (facts["model"], eyes))
    known = eyes[rows].notna().to_numpy()[:, None]
    chosen = {ONE_MODEL: known & one_model, ONE_EYE: one_eye & ~one_model, TWO_MODELS: ~one_model}
    return [shared.mean_of_pairs(shared.everybody(), measure, rows, columns, chosen[pairs])]


def _beside_eyes(measure: str, models: list[str], least: int, own: bool) -> list[Mean]:
    """Compare each eye with the models that have it, or with those of each other eye; all such pairs count alike.

    So their difference does not depend on how much an eye, or the models of one, agree with everybody.
    """
    eye = source.systems()["vision_encoder"]
    clips, having = (eye[of].groupby(eye[of]).groups for of in (shared.members()[CLIP], models))
    eyes = [each for each in clips if len(having.get(each, ())) >= least]
    of_pairs = [(list(clips[a]), list(having[b])) for a, b in product(eyes, repeat=2) if (a == b) == own]
    means = [shared.mean_of_pairs(shared.everybody(), measure, *pair) for pair in of_pairs]
    return [replace(mean, moved=mean.moved / len(means), weight=1 / len(means)) for mean in means]


def judged(system: str) -> pd.Series:
    """Read a description's class as the released judge has it; -1 where it finds none of the categories, or several."""
    said = source.released(system)["pred_llm_judge"]
    letters = [re.findall(r"\b([A-P])(?=[.,\s]|$)", text.partition("\n")[0]) for text in said]
    named = [JUDGES_LETTERS[each[0]] if len(each) == 1 else "" for each in letters]
    return pd.Series(class_ids(named), said.index, name=system)


@cache
def _read_otherwise() -> dict[str, Responses]:
    described = shared.members()[DESCRIPTION]
    chosen = shared.everybody().select(systems=[*shared.members()["people"], *described])
    by_judge = pd.concat([judged(name) for name in described], axis=1).loc[chosen.answers.index]
    both = chosen.answers[described].mask(by_judge < 0, -1)
    others = {BOTH: both, JUDGE: by_judge}
    return {CLASSIFIER: chosen} | {
        words: replace(chosen, answers=chosen.answers.assign(**answers)) for words, answers in others.items()
    }


@frozen(inputs=ANSWERS)
def readings() -> pd.DataFrame:
    """Return agreement of descriptions with people, by what says which class a description names."""
    rows: list[Lead] = []
    people, described = shared.members()["people"], shared.members()[DESCRIPTION]
    for measure in ("EC", "H", "MA"):
        means = {words: shared.mean_of_pairs(of, measure, people, described) for words, of in _read_otherwise().items()}
        for words, mean in means.items():
            answers, known = _read_otherwise()[words].answers[described], {"reading": words, "measure": measure}
            right, unread = answers.eq(shared.everybody().truth, axis=0).mean().mean(), (answers < 0).mean().mean()
            rows.append(known | {"accuracy": right, "unread": unread} | _spread(shared.everybody(), mean))
            if words != CLASSIFIER:
                rows.append(known | {"less": CLASSIFIER} | _difference([mean], [means[CLASSIFIER]]))
    return pd.DataFrame(rows)


@frozen(inputs=ANSWERS, settings=lambda: tuple(source.systems().index), by="system")
def answers_of_each(name: str) -> pd.DataFrame:
    """Return shape bias, accuracy by shape or texture, and how many answers are missing, as the authors count them."""
    released = source.released(name)
    shape, texture = (released.index.str.extract(rf"^(?:.*-)?([a-z]+)\d+{end}", expand=False) for end in ("-", r"\."))
    conflict = np.asarray(shape != texture)
    said = released["pred_label"]
    by_shape, by_texture = (float((said == cue)[conflict].mean()) for cue in (shape, texture))
    counted = {"accuracy": by_shape + by_texture, "shape_bias": by_shape / (by_shape + by_texture)}
    text = released.get("pred_llm_judge", pd.Series("", released.index)).str.strip()
    counted |= {"unread": (said == "None").sum(), "generic": text.str.startswith("X").mean()}
    return pd.DataFrame([counted])


# ---- our numbers for what Gavrikov et al. print in the text of their workshop paper -------------------------------


BIAS = "shape bias in %"


def table() -> pd.DataFrame:
    """Return our numbers in the rows and columns of the text, the only item that prints any."""
    counted = answers_of_each().set_index("system")
    bias, prompt = 100 * counted["shape_bias"], source.systems()["prompt"]
    generic = 100 * counted["generic"]
    options = bias[prompt == "options"].drop("GPT-4V (options)")
    described = bias[prompt == "description"].sort_values()
    people = stored("geirhos2020/shape_bias").query("kind == 'human'")["shape_bias"].mean()
    rows = {
        ("people", BIAS): 100 * people,
        ("ResNet-50", BIAS): bias["ResNet-50 (torchvision)"],
        ("CLIP ViT-L/14", BIAS): bias["CLIP ViT-L/14 (a photo of a)"],
        ("options, lowest", BIAS): options.min(),
        ("options, highest", BIAS): options.max(),
        ("descriptions, lowest", BIAS): described.iloc[0],
        ("descriptions, lowest but outliers", BIAS): described.iloc[2],
        ("descriptions, highest", BIAS): described.iloc[-1],
        ("GPT-4V, options", "answers that could not be read"): counted.loc["GPT-4V (options)", "unread"],
        ("descriptions, mean", "naming no class in %"): generic[described.index].mean(),
        ("GPT-4V, description", "naming no class in %"): generic["GPT-4V (description)"],
    }
    return pd.Series(rows).unstack()
