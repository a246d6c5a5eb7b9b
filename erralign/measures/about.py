"""What is said of measures: their names in sentences, what a value means, and what leaves it as it is."""

from typing import NamedTuple

# What may be changed about the data of two systems, in words. A measure lists those changes that leave it as it is.
INVARIANCES: dict[str, str] = {
    "order of systems": "A and B change places",
    "order of trials": "all trials are put into another order, the same one everywhere",
    "names of classes": "the classes are numbered otherwise, the same way everywhere (confidences without ties)",
    "choice of wrong answers": "a wrong answer becomes another wrong answer",
    "pairing of trials": "the answers of B change places among the trials of one true class",
    "correct trials": "trials that both answered correctly are left out",
    "trials without joint errors": "trials that at least one of them answered correctly are left out",
    "permutation of features": "the features of either system are put into another order",
    "orthogonal transformation": "the features of either system are rotated, mirrored or put into another order",
    "isotropic scaling": "all features of either system are multiplied by one positive number",
    "invertible linear map": "the features of either system are mixed by an invertible matrix",
    "translation": "a vector is added to the features of either system on all trials",
    "affine map": "the features of either system are mixed by an invertible matrix, and a vector is added",
}
# What leaves every measure of errors unchanged.
ORDER_AND_NAMES = frozenset({"order of systems", "order of trials", "names of classes"})
# What leaves those unchanged that look at joint errors alone.
ON_JOINT_ERRORS = frozenset({"correct trials", "trials without joint errors"})


class About(NamedTuple):
    """What is said of a measure of errors."""

    meaning: str = ""  # what the value says, for reports
    invariances: frozenset[str] = frozenset()
    words: str = ""  # the name in a sentence, where it is not that of the function
    right_or_wrong: bool = False  # whether it asks no more than who was right
    of_wrong_answers: bool = False  # whether it compares wrong answers, of which two classes allow but one
    of_classes: bool = False  # whether it compares classes over trials, which letters of options are not
    leaves_unread: bool = False  # whether trials on which either system gave no answer may be left out
    paper: str = ""  # where it was proposed, or on what it builds: its key in references.bib


ABOUT = {
    "accuracy": About(right_or_wrong=True),
    "error_consistency": About(
        "do they fail on the same trials? 1: always; 0: no more often than their accuracies make likely by chance.",
        ORDER_AND_NAMES | {"choice of wrong answers"},
        right_or_wrong=True,
        leaves_unread=True,
        paper="geirhos2020",
    ),
    "within_class_error_consistency": About(
        "do they fail on the same trials? 1: always; 0: no more often than how hard the true class is for either makes "
        "likely by chance.",
        ORDER_AND_NAMES | {"choice of wrong answers"},
        "within-class error consistency",
        of_classes=True,
        paper="geirhos2020",
    ),
    "loevingers_h": About(
        "EC as a share of the largest that the two accuracies allow. "
        "1: wherever the more accurate one fails, the other fails too.",
        ORDER_AND_NAMES | {"choice of wrong answers"},
        "Loevinger's H",
        right_or_wrong=True,
        paper="warrens2008",
    ),
    "log_odds_ratio": About(
        "do they fail on the same trials? 0: no more often than by chance; each 0.7 more doubles the odds ratio, "
        "whatever the accuracies.",
        ORDER_AND_NAMES | {"choice of wrong answers"},
        right_or_wrong=True,
        paper="mantel1959",
    ),
    "misclassification_agreement": About(
        "where both fail, do they give the same wrong answer? 1: always. Chance is not at 0 but at what "
        "habits alone would give, because both avoid the true class and may have habits in it.",
        ORDER_AND_NAMES | ON_JOINT_ERRORS,
        of_wrong_answers=True,
        leaves_unread=True,
        paper="xu2024",
    ),
    "within_class_misclassification_agreement": About(
        "where both fail, do they give the same wrong answer? 1: always; 0: no more often than their habits in "
        "each true class make likely by chance.",
        ORDER_AND_NAMES | ON_JOINT_ERRORS,
        "within-class misclassification agreement",
        of_wrong_answers=True,
        of_classes=True,
        leaves_unread=True,
        paper="xu2024",
    ),
    "blind_misclassification_agreement": About(
        "the MA that two systems would have if nothing but the true class linked their wrong answers.",
        ORDER_AND_NAMES | ON_JOINT_ERRORS,
        "blind value of MA",
        of_wrong_answers=True,
        of_classes=True,
        leaves_unread=True,
        paper="xu2024",
    ),
    "class_level_error_similarity": About(
        "do they confuse the same classes, whatever the trial? 1: the same confusions, "
        "from very many errors; from few, even a system and its copy are a little below 1. It has no zero: systems "
        "without any habits come close to 1 too, so compare the values with each other.",
        ORDER_AND_NAMES | {"pairing of trials", "correct trials"},
        "class-level error similarity",
        of_wrong_answers=True,
        of_classes=True,
        leaves_unread=True,
        paper="xu2024",
    ),
    "similarity_of_independent_errors": About(
        "the CLES of systems that err as often in each class and give each wrong answer as often, and confuse no "
        "classes more than others.",
        ORDER_AND_NAMES | {"pairing of trials", "correct trials"},
        "CLES of independent errors",
        of_wrong_answers=True,
        of_classes=True,
        leaves_unread=True,
    ),
}
