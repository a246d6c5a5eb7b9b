"""What is looked for in files of answers, and what is said of it: one table for the command and for the browser.

The page "Your own data" gets all of it as data; a sentence is a note, or the reason why a file is refused. Names in
braces are filled in by :func:`say`, and by ``say`` in ``book/assets/own-data/columns.js``.
"""

import re
from collections.abc import Iterable
from typing import Any

from erralign.errors import NO_ANSWER_WORDS

# What columns are called, in small letters.
_CALLED = {
    "truth": "category, class, corrans, correct, correct_answer, correct_response, cresp, gold, gold_label, gt, "
    "ground_truth, label, labels, target, true, true_label, y_true",
    "answers": "answer, object_response, pred, predicted, prediction, response",
    "people": "observer, participant, participant private id, participant_id, person, subj, subject, subject_id, "
    "subject_nr, worker_id, workerid",
    "models": "model, network",
    "right_or_wrong": "0, 1, false, true",
}
NAMES = {what: names.split(", ") for what, names in _CALLED.items()} | {"no_answer": sorted(NO_ANSWER_WORDS)}
# All without regard to capitals, and of the whole word.
PATTERNS = {
    "times": r"(.*[_ .])?(ms|rt|seconds|seed|time|time_elapsed)|worktimeinseconds|consent",
    "options": r"(n_)?options",
    # Recorded beside answers, and no answers: a system must be named if it is called so.
    "recorded": r"age|block|certainty|clicks|cond|condition|conf|confidence|contrast|difficulty|duration|fold|gender"
    r"|height|index|order|position|rating|run|score|session|sex|split|trial|trial_?(index|no|nr|number)|truth.+"
    r"|.+_truth|weight|width",
    "counter": r"(.*_)?(index|no|nr|number|order|position|trial)(_.*)?",
    "number": r"-?\d+([.,]\d+)?",
    "whole": r"-?\d+",
    "formula": r"#(calc!|div/0!|name\?|null!|num!|ref!|spill!|value!)",  # one failed in a spreadsheet
    # A table's header that comes again in other words; in Markdown, the line below it.
    "heading": r"(.*\b)?(answer|category|class|gold|gt|importid|label|prediction|response|string|text|truth)s?(\b.*)?"
    r"|str|[-=_:. ]+",
    # What tells systems apart in a column of its own, beside that of their names.
    "variant": r"attempt|checkpoint|ckpt|epoch|fold|lab|model|network|observer|participant(_id)?|person|prompt|seed"
    r"|site|subj|subject(_id)?|system",
    "human": r"humans?|people|persons?",
    "machine": r"ais?|cnns?|dnns?|llms?|machines?|models?|nets?|networks?",
    "degree": r".*(blur|cond|condition|contrast|ecc|eccentricity|level|noise|severity|sigma|snr)[-_ ]?\d+([.,]\d+)?%?",
    "status": r"(.*[_ .])?(assignment)?status",
    "sums": r"all|total|overall|average|sum|mean|consensus|majority([_ ]?(answer|vote))?",
    "fraction": r"[+-]?\d*[.,]\d+(e[+-]?\d+)?",
}
LIMITS = {
    "enough": 50,  # answers, to say that a system is no better than guessing
    "by_chance": 1e-4,  # how rarely guessing agrees with the truth so little
    "strange": 0.2,  # of a system's answers may be no true class, and
    "few": 4,  # so many of any
    "listed": 6,  # words that are no true class
    "rare": 3,  # trials at most have a true class that may be misspelt, and
    "times_rarer": 4,  # than the class for which it may be meant
    "names": 20,  # so many classes are named
    "edge": 3,  # rows at either end may be of no trial, if
    "often": 4,  # trials have each true class, on average
    "many": 20,  # trials: two systems do not say the same on all by chance
}
# How files begin that hold no table as text, what their first bytes also hold, what they are, what makes a CSV file.
_PANDAS = "python -c \"import pandas; pandas.read_{reader}('{name}').to_csv('{to}', index=False)\""
_UNPACK = "python -c \"import {reader}; open('{to}', 'wb').write({reader}.open('{name}').read())\""
_ARRAYS = "python -c \"import numpy, pandas; pandas.DataFrame(dict(numpy.load('{name}'))).to_csv('{to}', index=False)\""
OTHERS = [
    ["PK", ".npy", "arrays of NumPy", _ARRAYS],
    ["PK", "[Content_Types].xml", "a workbook of Excel", _PANDAS.replace("{reader}", "excel")],
    ["PK", "", "a zip archive", "python -m zipfile -e {name} ."],
    ["\xd0\xcf\x11\xe0", "", "an old workbook of Excel", _PANDAS.replace("{reader}", "excel")],
    ["PAR1", "", "Parquet", _PANDAS.replace("{reader}", "parquet")],
    ["ARROW1", "", "Feather", _PANDAS.replace("{reader}", "feather")],
    ["\x80", "", "a pickle (which runs code: only if it is yours)", _PANDAS.replace("{reader}", "pickle")],
    ["\x93NUMPY", "", "an array of NumPy", 'python -c "import numpy; help(numpy.savetxt)"'],
    ["BZh", "", "compressed with bzip2", _UNPACK.replace("{reader}", "bz2")],
    ["\xfd7zXZ", "", "compressed with xz", _UNPACK.replace("{reader}", "lzma")],
    ["<", "", "a page of the web, or XML", "save the table that it shows as CSV"],
]
SENTENCES = {
    # Files and cells.
    "other": "{file} is {what}; make a CSV file of it:  {command}",
    "comment": "{file}, row {row} begins with #; delete lines of comments, and the # before a header",
    "json": "{file} is JSON, but no list of trials, with words and numbers by the names of columns; make a CSV file of "
    "it:  " + _PANDAS.replace("{reader}", "json"),
    "empty": "{file} holds no trials; expected a header and a row per trial below it",
    "width": "{file}, row {row} has {n} cells, the header has {width}",
    "quotes": "{file}, row {row}: a quotation mark is not closed, or closed within a cell",
    "header_again": "{file}, row {row} is the header again; leave it out, or give each table a file of its own",
    "twice": "{file}, row 1 names column '{column}' twice; give each column its own name",
    "nameless": "{file}, row 1: column {place} has no name; name the system or leave it out; if the header is row 2, "
    "leave out row 1",
    "no_trial": "{file}, row {row}: second heading, or sum? No other row has any of its words; leave it out, or, if "
    "it is one of a trial, list all classes (--classes, classes=[...])",
    "rejected": "{file}: column '{column}' says of {n} of {all} answers that they were rejected; leave their rows out",
    # Columns.
    "truth_elsewhere": "{file} has no column 'truth', but a column '{column}': if it holds the true classes, call it "
    "'truth', or say {command}; if it holds the answers of a system, give it the system's name",
    "right_or_wrong": "{file} has no column 'truth'; if its columns say which answers are right, add a column 'truth' "
    "with that word, 1 or True, in each row: EC needs no more, MA and CLES need the answers",
    "no_truth": "{file} has no column 'truth'; expected trial, truth and a column per system, or system, trial, truth "
    "and answer, or the columns of model-vs-human; its header is {header}",
    "no_answers": "{file} has a column 'system', but none called 'answer'; a file with one row per answer has system, "
    "trial, truth and answer{offer}; its header is {header}",
    "no_trials": "{file} has no column that names the trial, beside {header}",
    "apart": "{file}: several answers to one trial have the same '{system}', and '{column}' tells them apart: if "
    "both name a system, say --system {system} --system {column} --answer {answer}, or write both into one column; if "
    "'{column}' names trials, say{trials} (trials=[...])",
    "which_system": "{file}: {columns} could all name the systems; say which does, with --system {column} --answer "
    "{answer}",
    "recorded": "{file}: column '{column}' is called like something that is recorded beside answers; leave it out, or "
    "name the systems' columns with --system (columns={'system': [...]})",
    "counter": "{file}: column '{column}' holds another whole number in each row, as a counter does; leave it out, or "
    "name the systems' columns with --system (columns={'system': [...]})",
    "same": "{file}: column '{column}' holds {word} in each row, and no answers; leave it out, or name the systems' "
    "columns with --system (columns={'system': [...]})",
    "per_class": "{file}: columns {columns} are called like classes; a column holds the answers of a system, not a "
    "value of each class: write the class with the largest",
    "score": "{file}: column '{column}' says whether '{other}' is right, and holds no answers; leave it out, or name "
    "the systems' columns with --system (columns={'system': [...]})",
    "people": "'{system}' is taken to name the systems, and '{answer}' to hold their answers; --system and --answer "
    "say otherwise.",
    "before": "'{column}' stands before '{truth}' and holds classes: it is taken for a system.",
    "in_name": "'{column}' holds classes and is taken as part of the trial's name; if it holds a system's answers, "
    "name the columns that name trials with --trials (trials=[...]).",
    "times": "{columns}: left out, as times, a seed or consent.",
    "options": "'{column}': left out, as the number of options of each trial; --options {column} "
    "(columns={'options': '{column}'}) takes it.",
    "differ": "Systems differ in {columns}, so trials are named by {trials} alone; --trials names other columns.",
    # Trials.
    "no_name": "{at} is empty; expected the name of {what} in every row",
    "again": "{at} gives {what} {trial} again, after row {row}; give each once",
    "lacking": "{at}: '{system}' has no answer on trial {trial}, which others have{named}; write a row with na where a "
    "system gave no answer, or compare on the trials that all have with --subset (subset=True)",
    "two_truths": "{at} holds '{word}', row {row} holds '{other}': both are about trial {trial}; give each trial one",
    "repeated": "Systems answered some trials several times: these are read as repetitions, numbered in the order of "
    "the file. Intervals take them as independent, unless --clusters names what is shown again.",
    "by_place": "The trials of {files} are only counted, so their rows are paired by place.",
    "by_number": "Trials are named by the numbers in '{column}' alone: is each the same picture for all systems?",
    "shared": "Several trials have the same '{column}': if they show one picture, --clusters {column} makes intervals "
    "as wide as they should be.",
    "subset": "{n} of {all} trials, which not all have, are left out.",
    # Classes.
    "fraction": "{at} holds '{word}', a fraction; expected a class, as a word or a whole number: leave out a column "
    "that holds no answers, or list classes that are written so (--classes, classes=[...])",
    "formula": "{at} holds '{word}', which a spreadsheet writes where a formula fails; mend it there, and save again",
    "no_class": "{at} holds no class{read}; every trial needs its true class",
    "read": " ('{word}' is read as no answer; if it is a class, list all with --classes, classes=[...])",
    "commas": "'{words}' is read as one class, which does not occur; write commas between classes: {offer}",
    "never": "{file}: '{system}' never answers with a true class, such as '{true}', but says '{word}'; check how it "
    "writes classes, or list all of them (--classes, classes=[...])",
    "alike": "{file} holds '{word}' and '{other}', which look alike; write each class in one way",
    "missing": "Read as no answer: {words}; --missing WORD (missing=[...]) names other words.",
    "merged": "Read as one class: {words}.",
    "strange": "No true class: {words}; misspelt, or no answer (then --missing WORD)?",
    "too_strange": "{file}: {n} of {all} answers of '{system}' are no true class: {words}. Mend how it writes classes, "
    "name words that mean no answer with --missing (missing=[...]), or list all classes (--classes, classes=[...])",
    "near": "'{word}', the true class of {n} of {all} trials, is one letter from '{other}': is it misspelt?",
    "classes": "{n} classes occur in {file}{names}, and CLES depends on their number: if there are more, name all of "
    "them with --classes.",
    "letters": "If letters mean something else on each trial, as options of questions do, give --options.",
    "always": "The true class is always '{word}': that is read as right, all else as wrong.",
    "below": "{systems}: right less often than by chance; are the numbers of classes shifted, or their names mixed up?",
    "by_chance": "{systems}: right about as often as by chance; is it a system (else --system names those), in the "
    "order of truth?",
    "blind": "MA's zero is not chance: with these {n} classes, systems that have the habits of yours and nothing else "
    "in common would score {score} (MA blind). WMA has its zero there: --measures EC,MA,WMA.",
    "copies": "{systems}: the same answers on all {n} trials; is one system given twice?",
    "vote": "'{system}' says what most others say, wherever they have a favourite: is it their vote, and no system?",
    "sums": "{systems}: called like a sum of other systems; is it one? Then leave it out.",
    "silent": "{system} gave no answer on {n} of {all} trials; {then}.",
}


def say(key: str, /, **fields: Any) -> str:
    """Return a sentence of the table, with numbers and names filled in."""
    return re.sub(r"\{(\w+)\}", lambda name: str(fields.get(name[1], name[0])), SENTENCES[key])


def is_like(pattern: str, word: str) -> bool:
    """Say whether a whole word is as a pattern of the table has it."""
    return re.fullmatch(PATTERNS[pattern], word, re.IGNORECASE) is not None


def listed(names: Iterable[str]) -> str:
    """Return names with quotes and commas."""
    return ", ".join(f"'{name}'" for name in names)


def counted(words: Iterable[tuple[str, int]]) -> str:
    """Return words with how often each occurs."""
    return ", ".join(f"'{word}' ({n:,})" if word else f"an empty cell ({n:,})" for word, n in words)
