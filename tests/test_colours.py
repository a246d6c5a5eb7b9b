"""Colours of charts: enough contrast with a light page and a dark one, and one law of what they mean."""

import ast
import re
from itertools import pairwise

import numpy as np
import pytest
from conftest import ROOT

from erralign.plot import colours, theme
from erralign_book.charts import looks

MODULES = [*(ROOT / "erralign/plot").glob("*.py"), *(ROOT / "book/erralign_book/charts").glob("*.py")]
RAMPS = (colours.RAMP, colours.TWO_SIDED)
# A condition of an experiment may be called grey.
A_COLOUR = re.compile(r"#[0-9A-Fa-f]{3,8}|(black|white|gray|red|green|blue|orange|purple)s?|greys|(rgb|hsl)a?\(.*")
THEMES = ("light", "dark")


@pytest.fixture(params=THEMES)
def name(request):
    return request.param


def in_theme(colour, name):
    return colours.DARK[colour] if name == "dark" else colour


def ground(name):
    return colours.GROUNDS[THEMES.index(name)]


def channels(colour):
    return [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]


def luminance(colour):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels(colour)]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    """Return the ratio of WCAG 2, from 1 to 21."""
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def seen_through(colour, below, opacity):
    mixed = (opacity * c + (1 - opacity) * b for c, b in zip(channels(colour), channels(below), strict=True))
    return "#" + "".join(f"{round(255 * c):02X}" for c in mixed)


def test_marks_stand_out_from_the_page_and_words_from_marks(name):
    """Pale colours and ramps recede towards the page by intent."""
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.005)  # as WCAG says
    pale = {colours.PALE, colours.PALE_GREY}
    receding = pale | {colours.PAPER, *colours.RAMP, *colours.TWO_SIDED}
    tiles = pale | {colours.TILE_GREY, colours.TWO_SIDED[2]}
    shown = {colour: in_theme(colour, name) for colour in colours.DARK}
    on_page = {colour: contrast(shown[colour], ground(name)) for colour in shown.keys() - receding}
    words = {colour: contrast(shown[colours.INK], shown[colour]) for colour in tiles}
    middle, strong = (shown[colours.TWO_SIDED[place]] for place in (3, 4))
    mixed = seen_through(strong, middle, 0.3)  # at .65, where the colour of the words changes
    words["strong"] = contrast(shown[colours.PAPER], strong)
    words["mixed"] = max(contrast(shown[each], mixed) for each in (colours.INK, colours.PAPER))
    assert {colour: ratio for colour, ratio in on_page.items() if ratio < 3} == {}
    assert {colour: ratio for colour, ratio in words.items() if ratio < 4.5} == {}


MACHINES = {colours.BLUE, colours.NAVY, colours.DEEP}
NETWORK = re.compile("CNN|ViT|Large|MLP|CLIP|CORnet|ResNet|vision|classifier|self-sup|JFT|networks?|model-model")


def test_the_newer_a_machine_the_more_its_blue_stands_out(name):
    shown = [in_theme(colour, name) for colour in (colours.BLUE, colours.DEEP, colours.NAVY)]
    assert all(contrast(*pair) > 1.45 for pair in pairwise(shown))
    ratios = [contrast(colour, ground(name)) for colour in shown]
    assert ratios == sorted(ratios)


def test_hues_are_people_machines_the_readers_own_and_amounts(name):
    amounts = {*colours.LEVELS, *colours.RAMP, *colours.TWO_SIDED}
    grey = colours.DARK.keys() - amounts - MACHINES - {colours.ORANGE, colours.MAGENTA}
    assert all(np.ptp(channels(in_theme(colour, name))) < 0.05 for colour in grey)


def test_each_look_is_that_of_whom_it_shows():
    meanings = [each for module in (theme, looks) for each in vars(module).values() if isinstance(each, dict)]
    every = [(str(name), look) for each in meanings for name, look in each.items() if isinstance(look, theme.Look)]
    both = [look for name, look in every if re.search("a person|model-human|mixed", name)]
    assert {look.split for look in both} == {(colours.ORANGE, colours.BLUE)}
    alone = [(name, look.colour) for name, look in every if not look.split and look.colour != colours.MAGENTA]
    people = {colour for name, colour in alone if re.search("people|[Hh]uman", name)}
    assert people == {colours.ORANGE}
    assert {colour for name, colour in alone if NETWORK.search(name)} <= MACHINES


def test_low_values_recede_and_high_ones_stand_out(name):
    ratios = ([contrast(in_theme(step, name), ground(name)) for step in ramp] for ramp in RAMPS)
    steps, (least, _, zero, _, most) = ratios
    assert steps == sorted(steps)
    assert max(steps[0], zero) < 1.2
    assert min(steps[-1], least, most) > 8


def test_no_chart_names_a_colour_or_an_opacity_by_itself_nor_makes_a_legend_a_control():
    """A menu can be reached by keyboard and read aloud, a legend cannot."""
    for path in MODULES:
        text = path.read_text()
        words = [str(node.value) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)]
        assert any(map(A_COLOUR.fullmatch, words)) == (path.name == "colours.py"), path
        assert not re.search(r"scheme=|opacity=0\.\d+|bind=.legend", text), path


def test_each_chart_carries_the_colours_of_a_dark_page():
    chart = theme.alt.Chart().mark_point(color=colours.GREY).to_dict(validate=False)
    assert chart["usermeta"]["dark"][chart["mark"]["color"]] == in_theme(colours.GREY, "dark")
    split = theme.KINDS["model-human"].fill.expr  # of which the page's script takes each for that of a dark page
    assert set(re.findall("#[0-9A-F]{6}", split)) == {colours.ORANGE, colours.BLUE} <= colours.DARK.keys()
    assert split.index(colours.ORANGE) < split.index(colours.BLUE)  # people are on the left
