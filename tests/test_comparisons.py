"""People, networks and mixed pairs: tables against loops, and the findings that the pages state in words."""

from collections import Counter
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import sem, ttest_1samp, ttest_ind
from textbook import textbook_ec

import erralign
from erralign.datasets import geirhos2020, model_vs_human
from erralign.datasets import xu2024 as source
from erralign.plot.colours import BLACK, PAPER
from erralign_book.cells import table
from erralign_book.charts import findings
from erralign_book.papers import kinds, leads, xu2024
from erralign_book.papers.klein2025.kinds import favourite_beside_people
from erralign_book.set_pieces import dots_of_chance

KINDS = PEOPLE, MIXED, NETWORKS = xu2024.KINDS


def strengths_of(data_set, strengths):
    """Return the conditions of a data set, all or those that the benchmark uses."""
    every = source.read(data_set).truth.index.unique("condition")
    left_out = {} if strengths == "all" else model_vs_human.excluded_conditions()
    return [each for each in every if (data_set, each) not in left_out]


def pairs_in(data_set, conditions):
    """Return every pair in some conditions, looped over: kind, difference of accuracies, architectures, EC."""
    responses = source.read(data_set)
    table = responses.answers.eq(responses.truth, axis=0).loc[list(conditions)]
    right = {name: table[name].to_numpy() for name in table}
    network, architecture = responses.systems["kind"] == "model", source.architectures()
    rows = []
    for a, b in combinations(right, 2):
        gap = abs(int(right[a].sum()) - int(right[b].sum())) / len(table)
        built = [architecture[name] if network[name] else name for name in (a, b)]
        kind = KINDS[int(network[a]) + int(network[b])]
        rows.append((kind, gap, *built, built[0] == built[1], textbook_ec(True, right[a], right[b])))
    return pd.DataFrame(rows, columns=["kind", "gap", "one", "other", "copies", "EC"])


@pytest.mark.parametrize(("data_set", "condition"), [("contrast", "c15"), ("stylized", "0"), ("contrast", "used")])
def test_means_of_a_condition_equal_a_loop(requires_data, data_set, condition):
    pairs = pairs_in(data_set, strengths_of(data_set, "used") if condition == "used" else [condition])
    table = xu2024.kinds_by_condition().query("data_set == @data_set and condition == @condition")
    assert len(table) >= 3 * 2
    for row in table.itertuples():
        near = (pairs["gap"] < row.tolerance) & (row.near_copies | ~pairs["copies"])
        chosen = pairs["EC"][near & (pairs["kind"] == row.kind)]
        assert (row.n_pairs, row.EC) == (len(chosen), pytest.approx(chosen.mean(), abs=1e-12))


def test_specifications_equal_a_loop(requires_data):
    """One in which strengths are pooled, and one in which they are taken one at a time, from pairs looped over."""
    choice = ["strengths", "pooling", "accuracies", "near-copies"]
    table = xu2024.leads().query("measure == 'EC' and over == @NETWORKS").set_index(choice)
    ways = [("used", "pooled", "within 0.05", 0.05, True)]
    ways += [("all", "one at a time", "any accuracies", np.inf, False)]
    for strengths, pooling, words, tolerance, copies in ways:
        kept = {}
        for data_set in source.data_sets().query("kind == 'synthetic'").index:
            conditions = strengths_of(data_set, strengths)
            parts = [conditions] if pooling == "pooled" else [[each] for each in conditions]
            pairs = [pairs_in(data_set, part) for part in parts]
            kept[data_set] = [each[(each["gap"] < tolerance) & (copies | ~each["copies"])] for each in pairs]

        def gaps(out="", kept=kept):
            without = [[each[~each[["one", "other"]].eq(out).any(axis=1)] for each in parts] for parts in kept.values()]
            means = [[each.groupby("kind")["EC"].mean() for each in parts] for parts in without]
            return [np.nanmean([each[PEOPLE] - each.get(NETWORKS, np.nan) for each in parts]) for parts in means]

        two = pd.concat([each[each["kind"] == NETWORKS] for parts in kept.values() for each in parts])
        built = {*two["one"], *two["other"]}
        spread = (len(built) - 1) * np.var([np.mean(gaps(out)) for out in built])
        names = ("strengths in use" if strengths == "used" else "all strengths", pooling, words)
        row = table.loc[(*names, "near-copies in" if copies else "near-copies out")]
        assert row["value"] == pytest.approx(np.mean(gaps()), abs=1e-12)
        assert row["se"] ** 2 == pytest.approx(np.var(gaps(), ddof=1) / 14 + spread)


def made_up_sets(rng, of_sets, of_people, of_networks):
    """Return pairs of 14 sets, four people each, and 20 networks of 8 kinds, the same on all; the lead is 0.2."""
    of_kinds, own = rng.normal(0, of_networks, 8), rng.normal(0, of_networks / 2, 20)
    rows = []
    for data_set in range(14):
        (of_two, of_mixed), people = rng.normal(0, of_sets, 2), rng.normal(0, of_people, 4)
        here = rng.normal(0, of_networks / 2, 20)
        rows += [(data_set, PEOPLE, "", "", 0.2 + of_two + a + b) for a, b in combinations(people, 2)]
        for person, n in product(people, range(20)):
            rows.append((data_set, MIXED, "", n % 8, of_mixed + person / 2 + of_kinds[n % 8] + own[n] + here[n]))
    table = pd.DataFrame(rows, columns=["data_set", "kind", "architecture_a", "architecture_b", "EC"])
    return table.assign(EC=table["EC"] + rng.normal(0, 0.05, len(table)), condition="all")


@pytest.mark.slow
@pytest.mark.parametrize("spreads", [(0.02, 0.02, 0.1), (0.02, 0.1, 0.02), (0.1, 0.02, 0.02)])
def test_intervals_over_sets_people_and_networks_contain_a_lead_that_is_known(spreads, rng):
    rows = [next(kinds._leads_over_sets(made_up_sets(rng, *spreads), MIXED, ["EC"])) for _ in range(150)]
    found = leads.limits(pd.DataFrame(rows), 0.95)
    assert 0.91 < ((found["low"] < 0.2) & (found["high"] > 0.2)).mean() < 0.985


def test_leaving_out_single_systems_is_the_jackknife_by_hand():
    """Where every network has an architecture of its own, from each system left out in turn; means are apart."""
    chosen = [*geirhos2020.SIXTEEN, *geirhos2020.systems().query("kind == 'human'").index]
    pairs = table("geirhos2020/pairwise_scores").query("data_set == 'edges' and kind != @MIXED")
    pairs = pairs[pairs[["system_a", "system_b"]].isin(chosen).all(axis=1)]
    pairs = pairs.assign(architecture_a=pairs["system_a"], architecture_b=pairs["system_b"])
    variance = 0.0
    for _, of_kind in pairs.groupby("kind"):
        ends = of_kind[["system_a", "system_b"]]
        without = [of_kind.loc[(ends != out).all(axis=1), "EC"].mean() for out in np.unique(ends)]
        variance += (len(without) - 1) * np.var(without)
    assert leads.jackknife(pairs, "EC", PEOPLE, NETWORKS)["se"] == pytest.approx(np.sqrt(variance))


def test_networks_of_one_architecture_are_left_out_together():
    ends = [("a", "b"), ("a", "c"), ("b", "c"), *product("abc", "mno")]
    pairs = pd.DataFrame(ends, columns=["system_a", "system_b"]).assign(EC=np.random.default_rng(0).random(12))
    pairs = pairs.assign(kind=np.where(pairs["system_b"].isin([*"mno"]), MIXED, PEOPLE), architecture_a=None)
    pairs["architecture_b"] = pairs["system_b"].map({"m": "V", "n": "V", "o": "W"})

    def variance(*units):
        kept = [pairs[~pairs[["system_a", "system_b"]].isin([*unit]).any(axis=1)] for unit in units]
        values = [each.groupby("kind")["EC"].mean() for each in kept]
        return (len(units) - 1) * np.var([each[PEOPLE] - each[MIXED] for each in values])

    found = leads.jackknife(pairs, "EC", PEOPLE, MIXED)
    assert found["se"] ** 2 == pytest.approx(variance("a", "b", "c") + variance("mn", "o"))


def test_a_picture_of_a_cue_conflict_goes_with_its_shape_and_its_texture():
    """A third of the pictures goes with a shape, half with a texture, a sixth alone; there are two textures."""
    pictures = pd.Index([f"{shape}-{texture}.png" for shape, texture in product(["a1", "b1", "c1"], ["x1", "y1"])])
    found = leads.over_pictures(pictures.rename("image"), np.array([1.0, 1, -1, -1, 1, -1]))
    over_shapes, over_textures, both = 1.5**2 * (2**2 + 2**2), 2**2 * (1 + 1), 1.2**2 * 6
    assert found == pytest.approx(((over_shapes + over_textures - both) * 2 / (2 - 1), 1))


def test_accuracies_are_equal_that_differ_by_less():
    pairs = pd.DataFrame({"accuracy_a": [0.8, 0.8], "accuracy_b": [0.75, 0.76], "kind": MIXED, "architecture_a": "V"})
    pairs = pairs.assign(architecture_b="W", n_joint_errors=9, **dict.fromkeys(kinds.OF_KINDS, 0.1))
    assert kinds._means(pairs).query("near_copies").set_index("tolerance")["n_pairs"].to_dict() == {0.05: 1, np.inf: 2}


# --- who is ahead: rows by hand ---------------------------------------------------------------------------------------


def test_a_lead_is_that_of_the_kind_named_first():
    by_hand = pd.DataFrame({"kind": [PEOPLE, PEOPLE, MIXED], "EC": [0.4, 0.6, 0.2]})
    assert leads.lead_of(by_hand, "EC", PEOPLE, MIXED) == pytest.approx(0.3)
    sets = pd.DataFrame({"data_set": ["x", "x", "y", "y"], "kind": [PEOPLE, MIXED] * 2, "EC": [0.5, 0.2, 0.4, 0.3]})
    shown = pd.DataFrame(product(["used", "all", "c1"], ["V", "W"]), columns=["condition", "architecture_b"])
    pairs = sets.merge(shown, how="cross").assign(used=True, accuracy_a=0.8, accuracy_b=0.8, architecture_a="")
    pairs["n_joint_errors"] = 20
    found = kinds.leads_over_sets(pairs, MIXED, ["EC"])
    assert found[["value", "first", "second", "n"]].to_numpy() == pytest.approx(np.tile([0.2, 0.45, 0.25, 2], (16, 1)))
    few = pairs.assign(MA=pairs["EC"], n_joint_errors=np.where(pairs["data_set"] == "y", 19, 20))
    of_wrong = kinds.leads_over_sets(few, MIXED, ["MA"]).groupby("joint errors")[["value", "n"]].agg(["min", "max"])
    assert of_wrong.loc[leads.JOINT[20]].to_list() == pytest.approx([0.3, 0.3, 1, 1])
    assert of_wrong.loc[leads.JOINT[0]].to_list() == pytest.approx([0.2, 0.2, 2, 2])


def test_pairs_are_chosen_on_a_set_and_people_networks_and_pictures_move_their_lead(rng):
    right = {name: rng.permutation(100) < 80 for name in "abcdmn"} | {"o": rng.permutation(100) < 50}
    table = pd.DataFrame({name: np.where(of, 0, 1) for name, of in right.items()})
    table.index = pd.Index([f"{n}.png" for n in table.index], name="image")
    systems = {name: "human" if name in "abcd" else "model" for name in table}
    every = erralign.Responses.from_table(pd.Series(0, table.index), table, classes=["x", "y"], kind=systems)
    found = kinds.leads_on_a_set(every, pd.Series({"m": "V", "n": "W", "o": "V"}), ["EC"])
    row = found.query("over == @MIXED and accuracies == 'within 0.05'").iloc[0]

    def lead(pictures=slice(None), out=""):
        ec = {pair: textbook_ec(True, *(right[name][pictures] for name in pair)) for pair in combinations("abcdmn", 2)}
        of = {pair: value for pair, value in ec.items() if out not in pair}
        people = [value for pair, value in of.items() if pair[1] in "abcd"]
        return np.mean(people) - np.mean([value for pair, value in of.items() if pair[0] in "abcd" and pair[1] in "mn"])

    moved = [*([lead(out=name) for name in units] for units in ("abcd", "mn"))]
    moved.append([lead(np.arange(100) != place) for place in range(100)])
    assert row["value"] == pytest.approx(lead())
    assert row["se"] ** 2 == pytest.approx(sum(leads.variance_of(without)[0] for without in moved))
    over_networks = found.query("over == @NETWORKS and accuracies == 'any accuracies'").set_index("near-copies")
    of = [textbook_ec(True, right[one], right[other]) for one, other in ("mn", "no", "mo")]
    seconds = over_networks.loc[["near-copies in", "near-copies out"], "second"].tolist()
    assert seconds == pytest.approx([np.mean(of), np.mean(of[:2])])


def test_limits_are_two_sided_and_a_negative_interval_is_clear():
    differences = pd.Series([-0.1, -0.2, -0.4])
    row = leads.limits(pd.DataFrame([leads.lead(differences)]), 0.9).iloc[0]
    assert (row["low"], row["high"]) == pytest.approx(ttest_1samp(differences, 0).confidence_interval(0.9))
    samples = [0.1, 0.5, 0.2, 0.9], [-0.1, -0.2, -0.4]
    found = leads.summed([(sem(each) ** 2, len(each) - 1) for each in samples])
    assert found["df"] == pytest.approx(ttest_ind(*samples, equal_var=False).df)
    by_hand = pd.DataFrame({"low": [0.1, -0.2, -0.1], "high": [0.2, -0.1, 0.1], "value": 0.0, "finding": list("xyz")})
    drawn = findings.intervals(by_hand, "A title", "difference").to_dict()
    [fill] = (layer["encoding"]["fill"] for layer in drawn["layer"] if "fill" in layer["encoding"])
    assert fill["condition"]["test"] == "datum.low * datum.high > 0"
    assert [fill["condition"]["value"], fill["value"]] == [BLACK, PAPER]


def test_all_ways_to_place_mistakes_are_dots_once():
    right = pd.DataFrame({"A": [True] * 9 + [False] * 3, "B": [False] * 3 + [True] * 9})
    spec = dots_of_chance(right, 0, "Title").to_dict()
    (dots,) = (rows for rows in spec["datasets"].values() if "agree" in rows[0])
    assert Counter(row["agree"] for row in dots) == {6: 84, 8: 108, 10: 27, 12: 1}
    assert len({(row["agree"], row["beside"], row["level"]) for row in dots}) == 220
    (tiles,) = (rows for rows in spec["datasets"].values() if "B" in rows[0])
    ways = pd.DataFrame(tiles).groupby("way")["B"].apply(tuple)
    assert (ways.nunique(), set(map(sum, ways))) == (220, {3})


def test_strengths_with_few_joint_errors_are_left_out():
    rows = [("x", at, kind, n, value) for at, n, value in (("1", 30, 0.2), ("2", 10, 0.9)) for kind in KINDS]
    table = pd.DataFrame(rows, columns=["data_set", "condition", "kind", "n_joint_errors", "MA"])
    table = table.assign(used=True, tolerance=np.inf, near_copies=True)
    table.loc[table["condition"] == "2", "n_joint_errors"] = [40, 40, 10]  # one kind with few is enough
    assert kinds.compared(table, "MA", within=True, fewest=20)[PEOPLE].to_list() == [0.2]
    assert kinds.compared(table, "MA", within=True)[PEOPLE].to_list() == [pytest.approx(0.55)]


def test_networks_favourite_wrong_answer_beside_people_and_what_leaving_out_does():
    rng, index = np.random.default_rng(0), pd.Index([f"{i}.png" for i in range(60)], name="image")
    truth, other = (pd.Series(rng.integers(8, size=60).clip(max=3), index) for _ in range(2))
    # They say 0 more often than 3, but 3 more often where it is wrong.
    said = {name: truth.mask(rng.random(60) < 0.6, 3 * (truth != 3)) for name in ("n0", "n1", "n2")}
    table = pd.DataFrame(said | {name: truth.mask(rng.random(60) < 0.3, other) for name in ("p0", "p1")})
    kind = ["model"] * 3 + ["human"] * 2
    responses = erralign.Responses.from_table(truth, table, kind=dict(zip(table, kind, strict=True)), classes=range(4))
    found = favourite_beside_people(responses, pd.Series(["a", "a", "b"], ["n0", "n1", "n2"]))

    def share(side, of, without):
        pairs = [(n, i) for n in table if n[0] == side for i in index if truth[i] != 3 and not {n, i} & without]
        return np.mean([table[n][i] == 3 for n, i in pairs if of == "others" or table[n][i] != truth[i]])

    left_out = [[{i} for i in index if truth[i] != 3], [{"n0", "n1"}, {"n2"}], [{"p0"}, {"p1"}]]
    for row, of in zip(found, ("others", "wrong"), strict=True):
        leads_without = [[share("n", of, unit) - share("p", of, unit) for unit in units] for units in left_out]
        assert row["value"] == pytest.approx(share("n", of, set()) - share("p", of, set()))
        assert row["se"] ** 2 == pytest.approx(sum((len(part) - 1) * np.var(part) for part in leads_without))


def test_a_group_is_behind_people_by_the_difference_of_accuracies():
    table = xu2024.accuracy_by_strength().set_index(["data_set", "strength", "group"])
    people = table["accuracy"].xs("people", level="group").reindex(table.index.droplevel("group")).to_numpy()
    np.testing.assert_allclose(table["behind"], people - table["accuracy"], atol=1e-12)
