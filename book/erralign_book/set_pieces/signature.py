"""The 160 silhouettes that sort themselves: who fails on them, and with which word."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from io import BytesIO

import numpy as np
import pandas as pd

from erralign.datasets.trials import CATEGORIES
from erralign.plot.html import Table
from erralign_book.cells import table
from erralign_book.charts.pictures import address
from erralign_book.files import place
from erralign_book.on_site import OnSite

SAID = "index/words_said"  # the table of the front page: how many said each word to each silhouette
SIDES_OF_A_PICTURE = ("people", "networks")
FOOLED = ("neither", "people", "networks", "both")  # whom a picture fools
HABIT = "knife"  # the wrong word that networks like best: the claim saw-knife
NO_ANSWER = "no answer"

STEPS = ("All pictures", "How many fool both?", "Same wrong word?", "Same reason?")
WHO = re.compile("people|networks", re.IGNORECASE)  # underlined in their colours
SIDES = ("people_say", "networks_say")
ON = '<a href="misclassification-agreement.html">How many would match by chance?</a>'  # from the last step
KEY = "".join(f'<span><i class="{who}"></i> {who}</span> ' for who in ("people", "networks", "both"))  # whom it fools
DOWN, SMALL, GREYS = 10, 96, 4  # silhouettes per class; pixels and greys of one where few are shown
UNDECIDED = "tie"  # several wrong words are commonest; it is sorted behind all words


@dataclass(frozen=True)
class Group:
    """Tiles beside each other under a heading: whom they fool, and how many stand in a row."""

    words: str
    pictures: pd.DataFrame  # rows of silhouettes()
    look: str = "neither"  # as in FOOLED
    across: int = 14
    says: tuple[str, ...] = ()  # sides whose commonest wrong word is written below each tile
    chance: float = 0  # how many there would be by chance, at which a line stands
    mixed: bool = False  # whether each tile has the frame of whom it fools, and a class begins with its name


@dataclass(frozen=True)
class Step:
    """One of four ways to sort the pictures: its name, what it shows in a sentence, its groups."""

    name: str
    sentence: str
    groups: tuple[Group, ...]
    key: str = ""  # below the sentence


def asked(said: pd.DataFrame | None = None) -> tuple[int, int]:
    """Return how many people and how many networks answered; all of them saw every picture."""
    said = table(SAID) if said is None else said
    of_each = said.groupby("image")[[*SIDES_OF_A_PICTURE]].sum().drop_duplicates()
    ((people, networks),) = of_each.to_numpy().tolist()
    return people, networks


def in_order(said: pd.DataFrame) -> pd.DataFrame:
    """Sort what was said by class and number of the silhouette, as the script counts them."""
    number = said["image"].str.extract(r"(\d+)", expand=False).astype(int)
    return said.loc[said.assign(number=number).sort_values(["shows", "number", "answer"]).index]


def silhouettes(said: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return of each silhouette whom it fools, and each side's commonest wrong word.

    A side is fooled where half or more of it are wrong. Of words that are equally common, all are named, and none
    counts as the same as the other side's.
    """
    said = in_order(table(SAID) if said is None else said)
    rows = said.groupby("image", sort=False)[["shows"]].first()
    for side in SIDES_OF_A_PICTURE:
        counts = said.groupby("image")[side].sum()
        right = said[said["answer"] == said["shows"]].set_index("image")[side].reindex(rows.index, fill_value=0)
        rows[f"{side}_fooled"] = right / counts <= 0.5
        wrong = said[(said["answer"] != said["shows"]) & (said["answer"] != NO_ANSWER)]
        most = wrong[wrong[side] == wrong.groupby("image")[side].transform("max").clip(lower=1)]
        rows[f"{side}_say"] = most.groupby("image")["answer"].agg(" or ".join).reindex(rows.index).fillna("")
    rows["fools"] = np.array(FOOLED)[rows["people_fooled"] + 2 * rows["networks_fooled"]]
    split = rows["people_say"].str.contains(" or ")
    rows["same"] = (rows["fools"] == "both") & (rows["people_say"] == rows["networks_say"]) & ~split
    return rows


def steps(said: pd.DataFrame | None = None) -> tuple[Step, ...]:
    """Sort the pictures in four ways; each sentence has its numbers from the table."""
    table = silhouettes(said)
    neither, people, networks, both = (table[table["fools"] == group] for group in FOOLED)
    same, other = both[both["same"]], both[~both["same"]]
    other = other.sort_values(
        "people_say", key=lambda says: says.where(says.map(in_a_word) == says, "~"), kind="stable"
    )
    habit = other["networks_say"] == HABIT
    alone = networks[networks["networks_say"] == HABIT]
    fooled = len(people) + len(both), len(networks) + len(both)
    assert (table["people_fooled"] & (table["people_say"] == HABIT)).equals(table["same"])
    sentences = (
        f"A silhouette fools a group if at least half of its members fail to name it. By this rule {fooled[0]} of "
        f"{len(table)} fool people, and {fooled[1]} fool networks.",
        f"{len(both)} of the {fooled[0]} that fool people fool networks, too.",
        f"On {len(same)} of those that fool both, people’s commonest wrong word and networks’ are the same:"
        f" always “{HABIT}”.",
        f"Perhaps not: “{HABIT}” is networks’ commonest wrong word on {len(same) + habit.sum() + len(alone)} of the"
        f" {fooled[1]} that fool them, people’s only on those {len(same)} of their {fooled[0]}.",
    )
    groups = (
        (Group("", _hardest_first(table), across=20, mixed=True),),
        (
            Group("fool both", both, "both", across=5, chance=fooled[0] * fooled[1] / len(table)),
            Group("only people", people, "people", across=1),
            Group("only networks", networks, "networks", across=6),
            Group("neither", neither, across=10),
        ),
        (
            Group(f"the same wrong word: “{HABIT}”", same, "both"),
            Group(f"with networks’ “{HABIT}” and people’s word below", other[habit], "both", says=SIDES[:1]),
            Group("other words, people’s above networks’", other[~habit], "both", says=SIDES),
        ),
        (
            Group(f"both fail, both say “{HABIT}”", same, "both"),
            Group(f"both fail, only networks say “{HABIT}”", other[habit], "both"),
            Group(f"only networks fail, and say “{HABIT}”", alone, "networks"),
        ),
    )
    return tuple(map(Step, STEPS, sentences, groups, 2 * (KEY,) + ("", ON)))


def _hardest_first(table: pd.DataFrame) -> pd.DataFrame:
    """Sort classes by how many pictures fool networks, and the pictures of each by whom they fool."""
    fools = table["fools"].map(FOOLED.index)
    hard = table["networks_fooled"].groupby(table["shows"]).transform("sum")
    return table.assign(easy=-hard, last=-fools).sort_values(["easy", "shows", "last"], kind="stable")


RULE = '<p class="sig-rule">{} <b>Choose a picture to see what {} people and {} networks said.</b></p>'
CREDIT = (
    f"Everybody chose one of {len(CATEGORIES)} words, people after a fifth of a second."
    " Silhouettes: Geirhos et al. 2019 "
    '(<a href="https://github.com/rgeirhos/texture-vs-shape">rgeirhos/texture-vs-shape</a>, '
    '<a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>). '
    "Answers: Geirhos et al. 2020."
)


def signature(said: pd.DataFrame, title: str, ask: Table | None = None) -> Table:
    """Show all steps; with a script the tiles fly from one to the next, and one at a time is large.

    ``said`` has how many people and how many networks gave each word to each silhouette. In the first step stands the
    guess for which we ``ask``, and the second answers.
    """
    shown = steps(said)
    tab = '<button type="button" role="tab" aria-controls="signature-{}">{}</button>'.format
    tabs = "".join(tab(place, step.name) for place, step in enumerate(shown))
    panel = ' role="tabpanel" id="signature-{}" aria-label="{}"'.format
    asks = (ask.html if ask else "", "", "", "")
    rules = [before + RULE.format(step.key, *asked(said)) for step, before in zip(shown, asks, strict=True)]
    panels = "".join(_step(step, panel(place, step.name), rules[place]) for place, step in enumerate(shown))
    of_each = in_order(said)[["image", "answer", *SIDES_OF_A_PICTURE]].set_index("image").groupby("image", sort=False)
    answers = [[str(image).removesuffix(".png"), rows.to_numpy().tolist()] for image, rows in of_each]
    data = json.dumps(answers, separators=(",", ":"))
    html = (
        f'<figure class="signature" role="group" aria-label="{escape(title)}">'
        '<script>document.currentScript.parentElement.classList.add("live")</script>'
        f'<div class="sig-stage"><div class="sig-tabs" role="tablist" aria-label="{escape(title)}">{tabs}</div>'
        f'<div class="sig-steps">{panels}</div><figcaption>{CREDIT}</figcaption>'
        '<div class="sig-lens" aria-hidden="true"></div></div>'
        f'<script type="application/json">{data}</script></figure>'
    )
    return Table(html, _text(shown))


def still(step: Step) -> Table:
    """Show one step by itself, with small pictures of its own: all of them, large, are half the weight of a page."""
    html = (
        f'<figure class="signature" role="group" aria-label="{escape(step.sentence)}"'
        f' style="--sheet:url({_sheet(step)})">'
        f"{_step(step, rule=f'<p class=sig-rule>{step.key}</p>')}<figcaption>{CREDIT}</figcaption></figure>"
    )
    return OnSite(html, _text([step]))


def _sheet(step: Step) -> str:
    """Return the pictures of a step, each where it is in signature.webp, as an address that holds them."""
    from PIL import Image

    with Image.open(place("signature.webp")) as sheet:
        small = np.asarray(sheet.convert("L").resize((len(CATEGORIES) * SMALL, DOWN * SMALL)))
    shown, step_of_grey, file = np.full_like(small, 255), 255 // (GREYS - 1), BytesIO()
    for row in (row for group in step.groups for row in group.pictures.reset_index().to_dict("records")):
        x, y = (slice(at * SMALL, (at + 1) * SMALL) for at in _place(row))
        shown[y, x] = np.rint(small[y, x] / step_of_grey) * step_of_grey
    Image.fromarray(shown).save(file, "WEBP", lossless=True, method=6)
    return address(file.getvalue())


def _place(row: dict) -> tuple[int, int]:
    """Return the column and the row of a picture in signature.webp."""
    return CATEGORIES.index(row["shows"]), int("".join(filter(str.isdigit, row["image"]))) - 1


def _step(step: Step, attributes: str = "", rule: str = "") -> str:
    groups = "".join(map(_group, step.groups))
    kind = f"step-{STEPS.index(step.name) + 1}"
    said = WHO.sub(lambda who: f'<span class="{who[0].lower()}">{who[0]}</span>', escape(step.sentence))
    return f'<div class="sig-step {kind}"{attributes}><p>{said}</p>{rule}<div class="sig-groups">{groups}</div></div>'


def _group(group: Group) -> str:
    heading = f"<p><b>{len(group.pictures)}</b> {escape(group.words)}</p>" if group.words else ""
    of_each = group.pictures["shows"].value_counts(sort=False)
    about = f"{len(group.pictures)} silhouettes: {', '.join(f'{n} of {word}' for word, n in of_each.items())}"
    first = group.mixed & ~group.pictures["shows"].duplicated()
    tiles = "".join(_tile(row, group) for row in group.pictures.assign(named=first).reset_index().to_dict("records"))
    share, by_chance = group.chance / len(group.pictures), f"{group.chance:.1f} fool both&#10;by chance"
    line = f' style="--chance:{share:.4f}" data-chance="{by_chance}"'
    return (
        f'<div class="sig-group {group.look}" style="--wide:{group.across}">{heading}'
        f'<div class="sig-tiles" role="img" aria-label="{about}"{line * bool(group.chance)}>{tiles}</div></div>'
    )


def _tile(row: dict, group: Group) -> str:
    x, y = _place(row)
    fools = f' class="{row["fools"]}"' if group.mixed else ""
    name = f"<b>{row['shows']}</b>" if row.get("named") else ""
    tile = f'{name}<i{fools} style="--x:{x};--y:{y}"></i>'
    if not group.says:
        return tile
    words = "".join(f"<small>{in_a_word(row[side])}</small>" for side in group.says)
    return f"<span>{tile}{words.replace(UNDECIDED, f'<em>{UNDECIDED}</em>')}</span>"


def in_a_word(say: str) -> str:
    """Write the commonest wrong word of a side below a tile, and that they tie where several are."""
    return UNDECIDED if " or " in say else say


def _text(shown: Sequence[Step]) -> str:
    groups = {step.sentence: (f"  {len(group.pictures)} {group.words}" for group in step.groups) for step in shown}
    return "\n".join(line for sentence, lines in groups.items() for line in (sentence, *lines))
