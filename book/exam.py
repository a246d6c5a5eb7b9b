"""Templates of exam questions, for teachers: from a secret that the teacher keeps come numbers, and answers with them.

`make course SEED=…` writes the questions that a secret draws into _build/course/teachers/exam.html. Each template takes
a generator and returns the question and its answer; points are in brackets.
"""

import numpy as np


def counts(rng):
    n, a, b = int(rng.choice([200, 300, 400])), int(rng.integers(76, 88)), int(rng.integers(62, 74))
    right_a, right_b = n * a // 100, n * b // 100
    p, q = right_a / n, right_b / n
    expected = p * q + (1 - p) * (1 - q)
    wrong = round(n * ((1 - p) * (1 - q) + rng.uniform(0.04, 0.08)))
    both = right_a + right_b - n + wrong
    observed = (both + wrong) / n
    ec = (observed - expected) / (1 - expected)
    return (
        f"On {n} pictures A is right on {right_a} and B on {right_b}; both are wrong on {wrong}. "
        "Compute EC, and say in one sentence what it means.",
        f"Both right {both} (2). Observed overlap {observed:.3f}, by chance {expected:.3f} (2). EC {ec:.2f} (1): they "
        f"overlap by {100 * ec:.0f} % of the way from chance to full overlap (1).",
    )


def two_intervals(rng):
    first, by = rng.integers(20, 45) / 100, rng.integers(3, 9) / 100
    reach, r = rng.integers(4, 8) / 100, rng.integers(3, 9) / 10
    of_difference = reach * np.sqrt(2 - 2 * r)
    clear = "leaves out 0: clear" if by > of_difference else "includes 0: not clear"
    return (
        f"Two values of EC, {first:.2f} and {first + by:.2f}, each ± {reach:.2f}, come from the same pictures, and "
        f"their correlation over pictures is {r:.1f}. Is the difference clear?",
        f"Variances are added and the covariance is taken off (2): {reach:.2f} · √(2 − {2 * r:.1f}) = "
        f"{of_difference:.3f} (2). {by:.2f} ± {of_difference:.3f} {clear}, over pictures (2).",
    )


def dark_pictures(rng):
    dark = int(rng.choice([20, 40, 50, 60, 80]))
    p = 1 - dark / 200
    expected, observed = p * p + (1 - p) * (1 - p), 1 - dark / 200
    return (
        f"Of 200 pictures, {dark} % are so dark that everybody is right on one half of them, by chance; nobody is "
        "wrong on the others. What is the EC of two strangers over all, and over the dark ones?",
        f"Over all they overlap on {observed:.2f}, by chance on {expected:.3f} (2): EC "
        f"{(observed - expected) / (1 - expected):.2f} (2). Over the dark ones 0 (1). Difficulty alone gives the "
        "rest (1).",
    )


def joint_errors(rng):
    p, ec = int(rng.integers(66, 92)) / 100, int(rng.integers(2, 8)) / 10
    expected = p * p + (1 - p) * (1 - p)
    observed = expected + ec * (1 - expected)
    wrong = (observed + 1 - 2 * p) / 2
    return (
        f"Two systems are each right on {100 * p:.0f} % of the pictures, and their EC is {ec:.1f}. On which share "
        "of the pictures are both wrong, and on which would they be by chance?",
        f"Overlap by chance {expected:.3f}, observed {observed:.3f} (2). Both right less both wrong is "
        f"{2 * p - 1:.2f} (1), so both are wrong on {wrong:.3f} (2); by chance on {(1 - p) ** 2:.3f} (1).",
    )


def soft_label(rng):
    cats, head = int(rng.choice([3, 4])), int(rng.choice([3, 4, 5, 7, 9])) / 10
    people = {3: "Three", 4: "Four"}[cats]
    way = "falls" if head > cats / 5 else "rises"
    return (
        f"{people} of five people call a cat a cat, the others call it a dog. "
        f"A head gives cat {head:.1f} and dog {1 - head:.1f}. "
        "Which way does a step of soft cross-entropy move the logit of cat, and which way a step with the label "
        "cat? What can the soft label teach that the label cannot?",
        f"The slope is the head's confidence less the share: {head:.1f} − {cats / 5:.1f}, "
        f"so cat's logit {way} (2). With the label "
        f"−{1 - head:.1f}: it rises (2). How unsure people are, and what else they say, about this picture or only "
        "about its class; a control tells which (2).",
    )


def way_to_the_ceiling(rng):
    before, gain, ceiling = int(rng.integers(42, 50)), int(rng.integers(6, 13)), int(rng.integers(64, 72))
    ways = [(score - 100 / 3) / (ceiling - 100 / 3) for score in (before, before + gain)]
    return (
        f"A probe chooses the odd one out as people do in {before + gain} % of the rows of the test, before in "
        f"{before} %. "
        f"Guessing gives a third, the noise ceiling is {ceiling} %. Rows were divided at random into training and "
        "test. How far has it come from guessing to the ceiling, before and after, and what do you doubt?",
        f"{ways[0]:.2f} and {ways[1]:.2f} of the way (2). Nearly every thing of the test was in training, so a part "
        "may be learned by heart (2). Divide the things, and test on rows of which all three are new (2).",
    )


def equal_accuracy(rng):
    low, high = int(rng.integers(30, 40)), int(rng.integers(50, 60))
    accuracy = int(rng.integers(low + 5, high - 4))
    ec_low, ec_high, after = (
        int(number) / 100 for number in (rng.integers(8, 14), rng.integers(20, 28), rng.integers(20, 34))
    )
    on_line = ec_low + (ec_high - ec_low) * (accuracy - low) / (high - low)
    return (
        f"On its way through an ordinary training, a network has an EC with people of {ec_low:.2f} at an accuracy "
        f"of {low} %, "
        f"and of {ec_high:.2f} at {high} %. Trained on people's answers, it has {after:.2f} at {accuracy} %. Which "
        "gain is not "
        "that of accuracy? Name two more things that you must know before you say that it errs like people.",
        f"On a line between the two, {on_line:.3f} belongs to {accuracy} % (2); the gain is {after - on_line:+.3f} "
        "(1). That pictures and people of the test are new (2), and its interval over pictures (1).",
    )


BEHAVIOUR = (counts, two_intervals, dark_pictures, joint_errors)
ALIGNMENT = (soft_label, way_to_the_ceiling, equal_accuracy)
