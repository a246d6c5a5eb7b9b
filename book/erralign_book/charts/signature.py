"""The 160 silhouettes that sort themselves: who fails on them, and with which word."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape

import pandas as pd

from erralign.errors import check_choice
from erralign.plot.tables import Table
from erralign.sources.trials import CATEGORIES
from erralign_book.papers import geirhos2020
from erralign_book.papers.geirhos2020 import HABIT

STEPS = ("160 pictures", "Who fails?", "Same wrong word?")
WHO = re.compile("(people|networks)")  # underlined in their colours
SIDES = ("people_say", "networks_say")
UNDECIDED = "several"  # wrong words are commonest; longer words have no room below a tile


@dataclass(frozen=True)
class Group:
    """Tiles beside each other under a heading: whom they fool, and how many stand in a row."""

    words: str
    pictures: pd.DataFrame  # rows of geirhos2020.silhouettes()
    look: str = "neither"  # as in geirhos2020.GROUPS
    across: int = 14
    says: tuple[str, ...] = ()  # sides whose commonest wrong word is written below each tile
    framed: bool = False  # whether a tile has the frame of whom it fools, where they are mixed


@dataclass(frozen=True)
class Step:
    """One of three ways to sort the pictures: its name, what it shows in a sentence, its groups."""

    name: str
    sentence: str
    groups: tuple[Group, ...]


def asked() -> tuple[int, int]:
    """Return how many people and how many networks answered; all of them saw every picture."""
    of_each = geirhos2020.answers_to_silhouettes().groupby("image")[["people", "networks"]].sum().drop_duplicates()
    ((people, networks),) = of_each.to_numpy().tolist()
    return people, networks


def key() -> str:
    """Say what a frame means; half of those who were asked is enough."""
    return RULE.format(*(f"{-(-n // 2)} of {n}" for n in asked()))


def steps() -> tuple[Step, ...]:
    """Sort the pictures in three ways; each sentence has its numbers from the table."""
    table = geirhos2020.silhouettes()
    neither, people, networks, both = (table[table["fools"] == group] for group in geirhos2020.GROUPS)
    same, other = both[both["same"]], both[~both["same"]]
    other = other.sort_values("people_say", key=lambda says: says.map(in_a_word).replace(UNDECIDED, "~"), kind="stable")
    habit = other["networks_say"] == HABIT
    assert (same["people_say"] == HABIT).all()
    n_people, n_networks = asked()
    sentences = (
        f"{n_people} people, who saw each for a fifth of a second, and {n_networks} networks named {len(table)} black"
        " shapes.",
        f"Of {len(people) + len(both)} pictures that fool people, {len(both)} fool networks too;"
        f" {len(networks)} fool only networks.",
        f"Where both fail, people and networks say the same wrong word on {len(same)} of {len(both)}:"
        f" always “{HABIT}”.",
    )
    groups = (
        (Group("", table, across=20, framed=True),),
        (
            Group("fool both", both, "both", across=5),
            Group("fools only people", people, "people", across=1),
            Group("fool only networks", networks, "networks", across=6),
            Group("fool neither", neither, across=10),
        ),
        (
            Group(f"the same wrong word: “{HABIT}”", same, "both"),
            Group(f"networks say “{HABIT}”, people the word below", other[habit], "both", says=SIDES[:1]),
            Group("other words, people’s above networks’", other[~habit], "both", says=SIDES),
        ),
    )
    return tuple(map(Step, STEPS, sentences, groups))


RULE = (
    '<p class="sig-rule"><span><i class="people"></i> fools people: at least {} miss it</span> '
    '<span><i class="networks"></i> fools networks: at least {} miss it</span> '
    '<span><i class="both"></i> both</span></p>'
)
CREDIT = (
    "Silhouettes: Geirhos et al. 2019 "
    '(<a href="https://github.com/rgeirhos/texture-vs-shape">rgeirhos/texture-vs-shape</a>, '
    '<a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>), in four greys. '
    "Answers: Geirhos et al. 2020."
)


def signature(title: str) -> Table:
    """Show all steps; with a script the tiles fly from one to the next, and one at a time is large."""
    shown = steps()
    tab = '<button type="button" role="tab" aria-controls="signature-{}">{}</button>'.format
    tabs = "".join(tab(place, step.name) for place, step in enumerate(shown))
    panel = ' role="tabpanel" id="signature-{}" aria-label="{}"'.format
    panels = "".join(_step(step, panel(place, step.name)) for place, step in enumerate(shown))
    said = geirhos2020.answers_to_silhouettes().groupby("image", sort=False)
    tables = {str(image): rows[["answer", "people", "networks"]].to_numpy().tolist() for image, rows in said}
    answers = [[image.removesuffix(".png"), rows] for image, rows in tables.items()]
    data = json.dumps(answers, separators=(",", ":"))
    html = (
        f'<figure class="signature" role="group" aria-label="{escape(title)}">'
        '<script>document.currentScript.parentElement.classList.add("live")</script>'
        f'<div class="sig-stage"><div class="sig-tabs" role="tablist" aria-label="{escape(title)}">{tabs}</div>'
        f'{key()}<div class="sig-steps">{panels}</div>'
        f"<figcaption><b>Choose a picture to see its {sum(asked())} answers.</b> {CREDIT}</figcaption>"
        '<div class="sig-lens" aria-hidden="true"></div></div>'
        f'<script type="application/json">{data}</script></figure>'
    )
    return Table(html, _text(shown))


def signature_step(name: str) -> Table:
    """Show one of ``STEPS``, such as "Same wrong word?", as it stands."""
    check_choice("name", name, STEPS)
    one = steps()[STEPS.index(name)]
    plain = replace(one, groups=tuple(replace(group, look="neither") for group in one.groups))
    html = (
        f'<figure class="signature" role="group" aria-label="{escape(one.sentence)}">'
        f"{_step(plain)}<figcaption>{CREDIT}</figcaption></figure>"
    )
    return Table(html, _text([one]))


def rows_found(found: Sequence[bool], title: str) -> Table:
    """Show the first eight rows of a table of answers to silhouettes: which of them a program found."""
    rows = geirhos2020.silhouettes().reset_index().head(8).to_dict("records")
    shown = zip(rows, found, strict=False)
    tiles = "".join(
        f"<span{'' if seen else ' class=lost'}>{_tile(row, Group('', pd.DataFrame()))}"
        f"<small>{'found' if seen else 'lost'}</small></span>"
        for row, seen in shown
    )
    tiles = f'<div class="sig-tiles" role="img" aria-label="Of eight rows {sum(found[:8])} are found">{tiles}</div>'
    html = f'<figure class="signature rows-found"><figcaption><b>{escape(title)}</b></figcaption>{tiles}</figure>'
    return Table(html, title)


def _step(step: Step, attributes: str = "") -> str:
    groups = "".join(map(_group, step.groups))
    kind = f"step-{STEPS.index(step.name) + 1}"
    said = WHO.sub(r'<span class="\1">\1</span>', escape(step.sentence))
    return f'<div class="sig-step {kind}"{attributes}><p>{said}</p><div class="sig-groups">{groups}</div></div>'


def _group(group: Group) -> str:
    heading = f"<p><b>{len(group.pictures)}</b> {escape(group.words)}</p>" if group.words else ""
    about = f"{len(group.pictures)} silhouettes: {_listed(group.pictures['shows'])}"
    rows = group.pictures.reset_index().to_dict("records")
    tiles = "".join(_tile(row, group) for row in rows)
    return (
        f'<div class="sig-group {group.look}" style="--wide:{group.across}">{heading}'
        f'<div class="sig-tiles" role="img" aria-label="{about}">{tiles}</div></div>'
    )


def _listed(shows: pd.Series) -> str:
    return ", ".join(f"{n} of {word}" for word, n in shows.value_counts(sort=False).items())


def _tile(row: dict, group: Group) -> str:
    x, y = place_in_sheet(row["image"], row["shows"])
    fools = f' class="{row["fools"]}"' if group.framed else ""
    tile = f'<i{fools} style="--x:{x};--y:{y}"></i>'
    if not group.says:
        return tile
    words = "".join(f"<small>{in_a_word(row[side])}</small>" for side in group.says)
    words = words.replace(UNDECIDED, f"<em>{UNDECIDED}</em>")
    return f"<span>{tile}{words}</span>"


def place_in_sheet(image: str, shows: str) -> tuple[int, int]:
    """Return the column and the row of a picture in the sheet ``signature.webp``: its class and its number."""
    return CATEGORIES.index(shows), int("".join(filter(str.isdigit, image))) - 1


def in_a_word(say: str) -> str:
    """Write the commonest wrong word of a side below a tile, where several have no room."""
    return UNDECIDED if " or " in say else say


def _text(shown: Sequence[Step]) -> str:
    groups = {step.sentence: (f"  {len(group.pictures)} {group.words}" for group in step.groups) for step in shown}
    return "\n".join(line for sentence, lines in groups.items() for line in (sentence, *lines))
