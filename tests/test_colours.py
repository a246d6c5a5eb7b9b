"""Colours of charts: enough contrast with a light page and a dark one, and one law of what they mean."""

import re

import numpy as np
import pytest

from erralign.plot import colours, theme


def contrast(one, other):
    """Return the ratio of WCAG 2, from 1 to 21."""
    levels = []
    for colour in (one, other):
        channels = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
        linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
        levels.append(np.dot((0.2126, 0.7152, 0.0722), linear))
    return (max(levels) + 0.05) / (min(levels) + 0.05)


@pytest.fixture(params=["light", "dark"])
def page(request):
    """Return the ground of a page, and its colours by their names on a light one."""
    light, dark = colours._GROUNDS
    if request.param == "dark":
        return dark, colours.DARK
    return light, {colour: colour for colour in colours.DARK}


def test_marks_stand_out_from_the_page_and_words_from_marks(page):
    """Pale colours and ramps recede towards the page by intent."""
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.005)  # as WCAG says
    ground, shown = page
    pale = {colours.PALE, colours.PALE_GREY}
    receding = pale | {colours.PAPER, *colours.RAMP, *colours.TWO_SIDED}
    on_page = {colour: contrast(shown[colour], ground) for colour in shown.keys() - receding}
    tiles = pale | {colours.TILE_GREY, colours.TWO_SIDED[2]}
    words = {colour: contrast(shown[colours.INK], shown[colour]) for colour in tiles}
    words["strong"] = contrast(shown[colours.PAPER], shown[colours.TWO_SIDED[4]])
    assert {colour: ratio for colour, ratio in on_page.items() if ratio < 3} == {}
    assert {colour: ratio for colour, ratio in words.items() if ratio < 4.5} == {}


def test_low_values_recede_and_high_ones_stand_out(page):
    ground, shown = page
    steps, (least, _, zero, _, most) = (
        [contrast(shown[step], ground) for step in ramp] for ramp in (colours.RAMP, colours.TWO_SIDED)
    )
    assert steps == sorted(steps)
    assert max(steps[0], zero) < 1.2
    assert min(steps[-1], least, most) > 8


def test_people_are_orange_and_machines_blue_everywhere():
    meanings = [each for each in vars(theme).values() if isinstance(each, dict)]
    every = [(str(name), look) for each in meanings for name, look in each.items() if isinstance(look, theme.Look)]
    both = [look for name, look in every if re.search("a person|model-human|mixed", name)]
    assert {look.split for look in both} == {(colours.ORANGE, colours.BLUE)}
    alone = [(name, look.colour) for name, look in every if not look.split and look.colour != colours.MAGENTA]
    assert {colour for name, colour in alone if re.search("people|[Hh]uman", name)} == {colours.ORANGE}
    networks = {colour for name, colour in alone if re.search("CNN|ViT|CLIP|ResNet|networks?|model-model", name)}
    assert networks <= {colours.BLUE, colours.NAVY, colours.DEEP}


def test_each_chart_carries_the_colours_of_a_dark_page():
    chart = theme.alt.Chart().mark_point(color=colours.GREY).to_dict(validate=False)
    assert chart["usermeta"]["dark"][chart["mark"]["color"]] == colours.DARK[colours.GREY]
    split = theme.KINDS["model-human"].fill.expr  # of which the page's script takes each for that of a dark page
    assert set(re.findall("#[0-9A-F]{6}", split)) == {colours.ORANGE, colours.BLUE} <= colours.DARK.keys()
    assert split.index(colours.ORANGE) < split.index(colours.BLUE)  # people are on the left
