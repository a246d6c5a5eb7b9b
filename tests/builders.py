"""Made-up responses for the tests, and commands as they are typed."""

import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from click.testing import CliRunner

from erralign import DataError, Responses
from erralign.cli import main


def make_responses(truth, answers, n_classes, kinds="model", name="made up"):
    """Put a truth and a table of answers, one column per system, together."""
    answers = pd.DataFrame(answers)
    kind = kinds if isinstance(kinds, str) else dict(zip(map(str, answers), kinds, strict=True))
    return Responses.from_table(truth, answers, classes=range(n_classes), kind=kind, name=name)


def guessers(n_trials=300, n_systems=4, n_classes=5, known=0.7, seed=0, time_outs=0.0):
    """Draw systems that know the answer or guess among all classes and no answer."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, n_classes, n_trials)
    drawn = (rng.random(n_trials) < known for _ in range(n_systems))
    answers = {f"s{i}": np.where(each, truth, rng.integers(-1, n_classes, n_trials)) for i, each in enumerate(drawn)}
    for said in answers.values():
        said[rng.random(n_trials) < time_outs] = -1
    return make_responses(truth, answers, n_classes)


def mixed_systems(seed, n_systems=7, n_trials=300, n_classes=6, time_outs=0.0):
    """Draw systems of all accuracies up to 0.9."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(n_classes, size=n_trials)
    right = rng.random((n_systems, n_trials)) < 0.9 * rng.random((n_systems, 1))
    answers = np.where(right, truth, rng.integers(n_classes, size=(n_systems, n_trials)))
    answers[rng.random(answers.shape) < time_outs] = -1
    return make_responses(truth, answers.T, n_classes)


def three_systems(rng, n, accuracies, copied=0.6, n_classes=6):
    """C errs alone; A and B repeat C's answer with a probability, else answer on their own."""
    truth = rng.integers(0, n_classes, n)
    said = [np.where(rng.random(n) < p, truth, (truth + rng.integers(1, n_classes, n)) % n_classes) for p in accuracies]
    a, b = (np.where(rng.random(n) < copied, said[2], own) for own in said[:2])
    return truth, a, b, said[2]


def small_benchmark(seed=7, n_models=3, n_people=4, n_sets=3, n_conditions=2, n=80):
    """Draw models and people that find the same trials hard."""
    rng = np.random.default_rng(seed)
    names = [f"m{i}" for i in range(n_models)] + [f"p{i}" for i in range(n_people)]
    kinds = ["model"] * n_models + ["human"] * n_people
    data_sets = []
    for i in range(n_sets):
        trials = pd.MultiIndex.from_product([range(n_conditions), range(n)], names=["condition", "image"])
        truth = pd.Series(rng.integers(0, 4, len(trials)), index=trials)
        hard = rng.beta(1, 2, len(trials))
        wrong = rng.random((len(trials), len(names))) < hard[:, None]
        answers = np.where(wrong, (truth.to_numpy()[:, None] + 1) % 4, truth.to_numpy()[:, None])
        answers = pd.DataFrame(answers, index=trials, columns=names)
        data_sets.append(make_responses(truth, answers, 4, kinds, f"set {i}"))
    return data_sets


def typed(*words):
    """Call ``erralign`` with some words."""
    return CliRunner().invoke(main, [*map(str, words)])


def noted(read, *given, **how):
    """Return what was read, and the warnings that came with it."""
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always", UserWarning)
        responses = read(*given, **how)
    return responses, [str(note.message) for note in notes if note.category is UserWarning]


OF_TYPES = "TypeError: "


def refused_otherwise(calls):
    """Return what each call said that was not refused in one line with the words that go with it.

    Before words that a wrong type is refused with stands ``TypeError: ``; others are of a wrong value, or of a file.
    """
    found = {}
    for words, call in calls:
        try:
            said = f"returned {call()!r}"
        except (ValueError, TypeError, DataError) as error:
            kind = OF_TYPES if isinstance(error, TypeError) else ""
            said = f"{kind}{error}"
            is_expected = words.startswith(OF_TYPES) == bool(kind) and re.search(words.removeprefix(kind), str(error))
            if is_expected and "\n" not in said:
                continue
        found[words] = said
    return found


def cases_of(file):
    """Return the calls of a text file, and what each of them says: a regular expression, in the line below."""
    text = Path(__file__).with_name(file).read_text(encoding="utf-8")
    return re.findall(r"^(\w.*\))\n    (.*)", text, flags=re.MULTILINE)


def told_otherwise(cases, names):
    """Return what each call gave that is not as its words have it: what was read, or in one line why it was refused."""
    wrong = {}
    for call, said in cases:
        try:
            found = eval(call, names)
        except (ValueError, TypeError, DataError) as error:
            found = f"refused: {error}"
        wanted = re.sub(r" \|$", " | $", said).replace(" | ", r" \| ").replace("refused: ", "^refused: .*")
        if not re.search(f"{wanted}(?!.*\n)", found):
            wrong[call] = found
    return wrong
