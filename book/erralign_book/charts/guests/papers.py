"""What pages that recompute papers show of guests: a further mark or row, never in a mean or a verdict of theirs."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from erralign import plot
from erralign.plot.grammar import Plot, numbers
from erralign.plot.parts import CHOSEN
from erralign.plot.theme import LOOKS_OF_PAIRS, PAIRS
from erralign.resampling import consistency_with_people
from erralign.responses import Responses
from erralign.sources import model_vs_human
from erralign_book.charts import reproducing_geirhos_2020 as charts
from erralign_book.charts.guests.lessons import CUES, THREE
from erralign_book.charts.guests.part import YOURS, Made, named, part, short
from erralign_book.charts.looks import CROWD, with_guests
from erralign_book.papers import geirhos2020, klein2025, xu2024
from erralign_book.papers.guests.reading import TWINS, Guest
from erralign_book.papers.guests.tables import (
    as_models,
    confusion,
    over_networks,
    over_people,
    overlaps,
    pairs,
    sets_with_people,
    shape_bias_by_category,
    with_people,
)
from erralign_book.papers.guests.words import compared, over_sets

OF_BENCHMARK = {geirhos: name.partition("/")[2] for name, geirhos in TWINS.items()}  # data set -> its name there


@part("reproducing-geirhos-2020", THREE)
def _geirhos(everybody: Sequence[Guest], sets: list[str]) -> Made:
    scores = geirhos2020.pairwise_scores()
    scores = geirhos2020.of_the_paper(scores.assign(group=geirhos2020.groups(scores)))
    mine = [
        overlaps(guest, name).assign(data_set=short(name), group=guest.name)
        for guest in everybody
        for name in sets
        if name in guest.sets
    ]
    of_sets = scores[scores["data_set"].isin(list(map(short, sets)))]
    rows, who, first = pd.concat([of_sets, *mine]), named(everybody), short(sets[0])
    title = f", with the pairs of {who}"
    shown: list[object] = [
        charts.overlap(rows, geirhos2020.chance("observed"), "observed", first, f"Figure 1{title}"),
        charts.overlap(rows, geirhos2020.chance("EC"), "EC", first, f"Figure 4{title}"),
    ]
    words = []
    for guest in everybody:
        here = [name for name in sets if name in guest.sets]
        for name in here:
            lead, n = over_networks(guest, name, "EC")
            words.append(compared(guest.name, short(name), "EC with people", lead, f"the {n} networks have on average"))
    return [*shown, _figure_3(everybody, sets), _table_1(everybody, sets)], words


def _figure_3(everybody: Sequence[Guest], sets: list[str]) -> object:
    """Show the guests' means where the figure has its networks; their accuracy on ImageNet is not known."""
    points, bands = geirhos2020.networks_with_people(), geirhos2020.bands_of_pairs("sixteen")
    rows = [
        {"data_set": short(name), "group": guest.name, "EC": row.iloc[0], "low": row.iloc[1], "high": row.iloc[2]}
        for guest in everybody
        for name in sets
        if name in guest.sets
        for row in [with_people(guest, name, "EC").table.loc[guest.name]]
    ]
    title = f"Figure 3, with a band for {named(everybody)}"
    return charts.consistency_and_accuracy(points, pd.concat([bands, pd.DataFrame(rows)]), short(sets[0]), title)


def _table_1(everybody: Sequence[Guest], sets: list[str]) -> object:
    theirs = geirhos2020.accuracies().pivot(index="system", columns="data_set", values="accuracy")
    rows = {"mean of people": theirs.filter(like="subject-", axis=0).mean()}
    rows |= {"mean of the 16 networks": theirs.loc[list(geirhos2020.SIXTEEN)].mean()}
    for guest in everybody:
        both = {short(name): guest.sets[name] for name in sets if name in guest.sets}
        rows[guest.name] = pd.Series(
            {name: each.answers[guest.name].eq(each.truth).mean() for name, each in both.items()}
        )
    table = pd.DataFrame(rows).T[list(map(short, sets))].rename_axis("accuracy of")
    return plot.table(table, "Table 1, and a row for each guest", digits=3, missing="–")


@part("further-geirhos-2020", THREE)
def _further(everybody: Sequence[Guest], sets: list[str]) -> Made:
    confusions = [geirhos2020.confusions()] + [
        confusion(guest, name).assign(data_set=short(name), observer=guest.name)
        for guest in everybody
        for name in sets
        if name in guest.sets
    ]
    start = short(next(name for name in sets if name in everybody[0].sets)), everybody[0].name
    shown: list[object] = [
        charts.confusion_matrices(pd.concat(confusions), start, f"Figure SF.8, with {named(everybody)}")
    ]
    by_category = [
        shape_bias_by_category(guest).assign(observer=guest.name) for guest in everybody if CUES in guest.sets
    ]
    if by_category:
        rows = pd.concat([geirhos2020.shape_bias_by_category(), *by_category])
        shown.append(charts.shape_bias_by_category(rows, f"Figure SF.5, with {named(everybody)}"))
    words = []
    for guest in everybody:
        for name in (each for each in sets if each in guest.sets):
            answer, share = _favourite(guest, name)
            often = f"is {answer}: {100 * share:.0f} % of its errors."
            words.append(f"On {short(name)}, the most frequent wrong answer of {guest.name} {often}")
    return shown, words


def _favourite(guest: Guest, data_set: str) -> tuple[str, float]:
    both = guest.sets[data_set]
    given = both.answers[guest.name]
    wrong = given[(given != both.truth) & (given >= 0)]
    shares = wrong.map(dict(enumerate(both.classes))).value_counts(normalize=True)
    return str(shares.index[0]), float(shares.iloc[0])


@part("reproducing-klein-2025", "model-vs-human/*", THREE)
def _klein(everybody: Sequence[Guest], sets: list[str]) -> Made:
    shown, words = [], []
    scores = klein2025.scores_by_data_set()
    for guest in everybody:
        here = [name for name in sets if name in guest.sets]
        of = [OF_BENCHMARK.get(name, short(name)) for name in here]
        theirs = scores[scores["data_set"].isin(of)].groupby("system")["EC"].mean()
        found = consistency_with_people([_used(guest, name) for name in here], n_resamples=20).table
        mine = found.loc[guest.name, ["error_consistency", "low", "high"]]
        above = int((theirs.drop("people") > mine.iloc[0]).sum())
        table = pd.DataFrame({"system": theirs.index, "EC": theirs.to_numpy()}).assign(
            low=lambda t: t["EC"], high=lambda t: t["EC"]
        )
        family = table["system"].map(model_vs_human.models()["family"]).fillna("Human")
        own = pd.DataFrame(
            [{"system": guest.name, "EC": mine.iloc[0], "low": mine.iloc[1], "high": mine.iloc[2], "family": YOURS}]
        )
        rows = pd.concat([table.assign(family=family), own]).sort_values("EC", ascending=False)
        n = len(theirs) - 1
        shown.append(plot.ranking(rows, f"Figure 4 on {len(of)} of 17 data sets, with {guest.name}"))
        words.append(
            f"In a Table 2 of {len(of)} of the 17 data sets, {above} of {n} models are ahead of {guest.name}, by the "
            f"values; its EC with people is {plot.with_interval(*mine)}, that of two people {theirs['people']:.2f}."
        )
    return shown, words


def _used(guest: Guest, data_set: str) -> Responses:
    """Return people and a guest on the conditions that the benchmark uses."""
    both = as_models(guest.sets[data_set], guest.name)
    kinds = both.systems["kind"]
    both = both.select(systems=[*kinds.index[kinds == "human"], guest.name])
    return model_vs_human.used_conditions(both) if data_set.startswith("model-vs-human/") else both


@part("reproducing-xu-2024", "xu2024/*")
def _xu(everybody: Sequence[Guest], sets: list[str]) -> Made:
    mine = pd.concat(
        [pairs(guest, name).assign(data_set=short(name)) for guest in everybody for name in sets if name in guest.sets]
    )
    here = list(mine["data_set"].unique())
    theirs = xu2024.pairwise_scores().query("data_set in @here")
    order = dict.fromkeys([*theirs["system_a"], *theirs["system_b"], *mine["system_b"]])
    title = f"Every pair, with {named(everybody)} at the end"
    every = pd.concat([theirs, mine])
    shown = [
        plot.heatmap(
            every,
            ["EC", "MA", "CLES"],
            order=order,
            data_sets={name: name for name in here},
            start=(here[0], "EC"),
            title=title,
        )
    ]
    shown.append(_figure_4(theirs, mine, everybody))
    words = []
    for guest in everybody:
        leads = {short(name): over_people(guest, name, "EC") for name in sets_with_people(guest, sets)}
        words += over_sets(guest.name, "EC with people", leads, "two people have") if leads else []
    return shown, words


def _figure_4(theirs: pd.DataFrame, mine: pd.DataFrame, everybody: Sequence[Guest]) -> object:
    columns = ["data_set", "system_a", "system_b", "MA", "EC", "who"]
    rows = pd.concat([theirs.assign(who=theirs["kind"].map(PAIRS)), mine.assign(who=mine["system_b"])])[
        columns
    ].dropna()
    looks = with_guests(LOOKS_OF_PAIRS, rows["who"])
    plot_ = Plot(rows, numbers("MA"), numbers("EC"), look=("who", looks), hover=columns, columns=3, where=CHOSEN)
    others = rows["who"].isin(LOOKS_OF_PAIRS)
    plot_.points(14, rows[others], opacity=CROWD).points(50, rows[~others])
    plot_.menu("data_set", rows["data_set"].unique(), rows["data_set"].iloc[0], "data set")
    about = "EC against MA of all pairs, those of guests set apart."
    return plot_.done(f"Figure 4, with the pairs of {named(everybody)}", about, 320)
