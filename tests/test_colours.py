"""Colours of charts: enough contrast with a light page and a dark one, and one meaning each."""

import ast
import colorsys
import re

import pytest
from conftest import ROOT

from erralign.plot import colours, theme
from erralign_book.charts import looks

MODULES = sorted([*(ROOT / "erralign/plot").glob("*.py"), *(ROOT / "book/erralign_book/charts").glob("*.py")])
OF_KINDS = {colours.VERMILION, colours.AMBER, colours.BLUE, colours.SKY}
RAMPS = (colours.RAMP, colours.TWO_SIDED)
PALE = {colours.PALE, colours.PALE_GREY, colours.PALE_PURPLE}
TILES = [*sorted(PALE), colours.TILE_PURPLE, colours.TILE_OLIVE, colours.TILE_GREY]
# What recedes towards the page by intent, and what the page's ground itself is.
RECEDING = PALE | {colours.PAPER} | {colour for ramp in RAMPS for colour in ramp}
MARKS = sorted(colours.DARK.keys() - RECEDING)
# A condition of an experiment may be called grey.
NAME_OF_A_COLOUR = re.compile(
    r"#[0-9A-Fa-f]{3,8}|(black|white|gray|red|green|blue|orange|purple)s?|greys|(rgb|hsl)a?\(.*"
)
THEMES = ("light", "dark")


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


def all_looks():
    """Return each meaning that has looks, the library's and the book's."""
    known = vars(theme) | vars(looks)
    return {name: given for name, given in known.items() if isinstance(given, dict) and name != "DARK"}


def test_contrast_is_that_of_wcag():
    assert contrast("#000000", "#FFFFFF") == 21
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("colour", MARKS)
def test_marks_stand_out_from_the_page(colour, name):
    assert contrast(in_theme(colour, name), ground(name)) >= 3


@pytest.mark.parametrize("name", THEMES)
def test_marks_that_are_seen_through_stand_out_too(name):
    mixed = seen_through(in_theme(colours.PURPLE, name), ground(name), looks.SHEER)
    assert contrast(mixed, ground(name)) >= 3


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("tile", TILES)
def test_words_on_tiles_can_be_read(tile, name):
    assert contrast(in_theme(colours.INK, name), in_theme(tile, name)) >= 4.5


@pytest.mark.parametrize("name", THEMES)
def test_words_on_ramps_can_be_read(name):
    faint, middle, strong = (in_theme(colours.TWO_SIDED[place], name) for place in (2, 3, 4))
    mixed = seen_through(strong, middle, 0.3)  # at .65, where the colour of the words changes
    ink, paper = in_theme(colours.INK, name), in_theme(colours.PAPER, name)
    assert contrast(ink, faint) >= 4.5
    assert contrast(paper, strong) >= 4.5
    assert max(contrast(ink, mixed), contrast(paper, mixed)) >= 4.5


@pytest.mark.parametrize("name", THEMES)
def test_low_values_recede_and_high_ones_stand_out(name):
    steps = [contrast(in_theme(colour, name), ground(name)) for colour in colours.RAMP]
    assert steps == sorted(steps)
    assert steps[0] < 1.2
    assert steps[-1] > 9
    least, _, zero, _, most = (contrast(in_theme(colour, name), ground(name)) for colour in colours.TWO_SIDED)
    assert zero < 1.2
    assert min(least, most) > 8


def test_a_right_tile_has_the_colour_of_a_dark_page():
    assert in_theme(looks.RIGHT.colour, "dark") == ground("dark")


def test_kinds_of_pairs_have_their_colours_alone():
    about_kinds = {"FAMILIES", "KINDS", "GROUPS", "WHOSE", "COLOUR_PAIRS", "COMPARED", "SHAPE_AND_TEXTURE"}
    others = {
        f"{name}: {what}"
        for name, given in all_looks().items()
        for what, look in given.items()
        if isinstance(look, theme.Look) and look.colour in OF_KINDS and name not in about_kinds
    }
    assert not others
    assert not OF_KINDS & {look.colour for look in (*looks.CASES, *looks.ANSWERS, *looks.STUDIES, looks.CHANCE)}


def test_families_of_networks_have_colours_of_their_own():
    of_families = {theme.FAMILIES[name].colour for name in ("CNN", "ViT", "Large")}
    every = [
        (name, look.colour)
        for name, given in all_looks().items()
        for look in given.values()
        if isinstance(look, theme.Look)
    ]
    assert len(of_families) == 3
    assert {name for name, colour in every if colour in of_families} == {"FAMILIES"}


@pytest.mark.parametrize("name", THEMES)
def test_methods_are_grey_or_purple(name):
    purple = in_theme(colours.PURPLE, name)
    for look in looks.METHODS.values():
        shown = in_theme(look.colour, name)
        assert shown == purple or colorsys.rgb_to_hls(*channels(shown))[2] < 0.02


def test_no_chart_names_a_colour_by_itself():
    named = {}
    for path in MODULES:
        words = [node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant)]
        named[path.name] = [word for word in words if isinstance(word, str) and NAME_OF_A_COLOUR.fullmatch(word)]
        assert "scheme=" not in path.read_text(), f"{path.name} takes a scheme of Vega's"
    assert [name for name, found in named.items() if found] == ["colours.py"]


def test_opacities_have_names():
    literal = re.compile(r"opacity=(0\.\d+)")
    assert not {path.name: found for path in MODULES if (found := literal.findall(path.read_text()))}


def test_each_chart_carries_the_colours_of_a_dark_page():
    chart = theme.alt.Chart().mark_point(color=colours.GREY).to_dict(validate=False)
    assert chart["usermeta"]["dark"][chart["mark"]["color"]] == in_theme(colours.GREY, "dark")


def test_what_differs_in_a_table_has_the_purple_of_charts():
    sheet = (ROOT / "book/assets/tables.css").read_text()
    assert re.findall("#[0-9a-f]{6}", sheet) == [colours.PURPLE.lower(), colours.DARK[colours.PURPLE].lower()]


def test_tooltips_and_menus_have_the_colours_of_the_page():
    sheet = (ROOT / "book/assets/style.css").read_text()
    for part in ("#vg-tooltip-element", ".vega-actions", ".vega-bind select"):
        (rule,) = [
            line for line in sheet.splitlines() if part in line and "background: var(" in line and " a:" not in line
        ][:1]
        assert "color: var(--pst-color-text-base)" in rule
