"""Solutions of the homework, for teachers: the course for nbgrader has them; no package that students install has."""

import numpy as np


def saw_3(levels, accuracy):
    order = np.argsort(accuracy)
    return 100 * np.exp(np.interp(0.5, accuracy[order], np.log(levels[order])))


def ec_1(p, q):
    p, q = p / 100, q / 100
    overlap = p * p + (1 - p) * (1 - p)  # of the first pair by chance, and so of both
    expected = q * q + (1 - q) * (1 - q)
    return (overlap - expected) / (1 - expected)


def ec_2(n, wrong):
    rng = np.random.default_rng(0)
    a = np.arange(n) >= wrong
    p = a.mean()
    expected = p * p + (1 - p) * (1 - p)
    values = []
    for _ in range(1000):
        observed = np.mean(a == rng.permutation(a))
        values.append((observed - expected) / (1 - expected))
    return values


def ec_3(both, a, b, wrong, easy):
    from erralign.behaviour import error_consistency_from_counts

    without = error_consistency_from_counts([[wrong, b], [a, both]])
    with_easy = error_consistency_from_counts([[wrong, b], [a, both + easy]])
    return [without, with_easy]


def against_1(people, first, second):
    from erralign.bounds import error_consistency_bounds

    limits = [error_consistency_bounds(people / 100, network / 100) for network in (first, second)]
    return [largest for _, largest in limits]


def against_2(noise, mistaken):
    slip, mistake = noise / 100, mistaken / 100
    # Half of the pictures are right, so chance gives one half; EC is 1 less twice the share that differs.
    ann_and_ben = 2 * slip * (1 - slip)
    ann_and_network = slip * (1 - mistake) + mistake * (1 - slip)
    return [1 - 2 * ann_and_ben, 1 - 2 * ann_and_network]


def sure_1(reach, r):
    return reach / 100 * np.sqrt(2 - 2 * r)


def ma_1(less):
    words = less + 1  # chance agreement is 1 / words
    return np.roll(np.eye(words, dtype=int), 1, axis=1)


def ma_2(ec, ma):
    joint = round(100 * (1 + ec))  # of 400 pictures each network is wrong on 200
    same = round(joint * (1 + ma) / 4)  # with two wrong words, half of them the first
    crossed = joint - 2 * same
    outcomes = [[joint, 200 - joint], [200 - joint, joint]]
    return outcomes, [[same, crossed // 2], [crossed - crossed // 2, same]]


def ma_3(truth, a, twin, other):
    changed = twin.copy()
    picture = np.flatnonzero(twin != truth)[0]
    changed[picture] = 3 - truth[picture] - twin[picture]  # the third of the classes 0, 1 and 2
    return changed


def cles_1(n, m):
    def divergence(one, other):
        common = (one + other) / 2
        parts = [row[row > 0] * np.log(row[row > 0] / common[row > 0]) for row in (one, other)]
        return (parts[0].sum() + parts[1].sum()) / 2

    always_dog, always_fox, mixed = np.array([[n, 0], [0, n], [m, n - m]]) / n
    return [1 / (1 + divergence(always_dog, row)) for row in (always_fox, mixed)]


def cles_3(truth, a, twin, other):
    from erralign.behaviour import class_level_error_similarity

    values = np.zeros((5, 2))
    for row, alpha in enumerate((0.01, 0.1, 0.5, 2, 10)):
        for column, b in enumerate((twin, other)):
            values[row, column] = class_level_error_similarity(truth, a, b, alpha=alpha)
    return values


def hard_1(wrong, a, b, right):
    from erralign.behaviour import error_consistency_from_counts

    return [error_consistency_from_counts([[wrong, b], [a, right]]), 2 * wrong / (2 * wrong + a + b)]


def hard_2(accuracies):
    mean = accuracies.mean()
    return accuracies.var() / (mean * (1 - mean))


def odd_3(features, triplets, plus):
    from erralign.triplets import odd_one_out

    counts = []
    for similarity in ("cosine", "dot"):
        before = odd_one_out(features, triplets, similarity=similarity)
        after = odd_one_out(features + plus, triplets, similarity=similarity)
        counts.append(int(np.sum(before != after)))
    return counts


def odd_4(shares, chosen):
    score = shares[np.arange(len(shares)), chosen].mean()
    ceiling = shares.max(axis=1).mean()
    return (score - 1 / 3) / (ceiling - 1 / 3)


def taught_2(p, second):
    wrong = 1 - p / 100
    expected = 1 - 2 * wrong * (1 - wrong)
    shares = []
    for ec in (1, second):
        overlap = expected + ec * (1 - expected)
        shares.append((overlap - (1 - 2 * wrong)) / 2)  # both right and both wrong differ by 1 - 2 * wrong
    return shares
