"""Agreement with people through the years, and with people of all ages, under what accuracies allow."""

from __future__ import annotations

import altair as alt
import pandas as pd

from erralign.plot.colours import INK, PURPLE, SILVER, VERMILION
from erralign.plot.parts import dots, finish, layer, line_at, whisker
from erralign_book.charts.looks import SEEN, SHEER
from erralign_book.charts.parts import DASHED, marked

PEOPLE_AT = 2026.5  # their place on the axis, behind the years
SPREAD = 0.8  # how much of a year its systems take
WITH, MODELS = "mean EC with people", "mean EC with the models"


def through_the_years(systems: pd.DataFrame, two_people: float, title: str) -> alt.LayerChart:
    """Draw each system in its year: a point for its EC with people, on a line up to what accuracies allow."""
    shown = systems.assign(year=systems["year"].fillna(PEOPLE_AT))
    shown = shown.sort_values(["year", "accuracy"], ignore_index=True)
    of_year = shown.groupby("year")["model"]
    shown["at"] = shown["year"] + SPREAD * ((of_year.cumcount() + 0.5) / of_year.transform("size") - 0.5)
    labels = f"datum.value == {PEOPLE_AT} ? 'people' : format(datum.value, 'd')"
    axis = alt.Axis(values=[*range(2012, 2025, 4), PEOPLE_AT], grid=False, labelOverlap=False, labelExpr=labels)
    x = alt.X("at:Q", title="published", axis=axis, scale=alt.Scale(domain=[2011.4, PEOPLE_AT + 0.6], nice=False))
    y = alt.Y("EC:Q", title=WITH, scale=alt.Scale(domain=[0, 0.85], nice=False))
    base = alt.Chart(shown.assign(zero=0).round(4)).encode(x)
    known = [*map(alt.Tooltip, ("model", "accuracy", "EC")), alt.Tooltip("largest", title="EC at most")]
    points = marked(base.encode(y, tooltip=known), "group", SEEN, 46, columns=2)
    level = line_at(two_people, WITH, color=VERMILION, strokeDash=DASHED)
    notes = [(2013.8, two_people, "two people"), (2019, 0.43, "what accuracies allow")]
    words = alt.Chart(pd.DataFrame(notes, columns=["at", "EC", "words"]).round(4)).encode(x, y, text="words:N")
    about = f"EC with people for {len(shown)} systems by year, each on a line up to the largest possible value."
    chart = layer(_room(base, 2), level, points, words.mark_text(align="right", dy=-8, fontSize=12, color=INK))
    under = "point: EC with people; grey line: up to what the accuracies allow"
    return finish(chart, title, about, 380, subtitle=under)


def _room(base: alt.Chart, width: float, axis: str = WITH) -> alt.Chart:
    """Draw from 0 to the largest EC."""
    mark = base.mark_rule(color=SILVER, opacity=SHEER, strokeWidth=width)
    return mark.encode(y=alt.Y("zero:Q", title=axis), y2="largest:Q")


def by_age(ages: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the EC of models with people of each age, with intervals, on bars up to what accuracies allow."""
    x = alt.X("age:N", title="age in years", sort=list(ages["age"]), axis=alt.Axis(labelAngle=0))
    base = alt.Chart(ages.assign(zero=0).round(4)).encode(x)
    known = [alt.Tooltip("value", title="EC"), *map(alt.Tooltip, ("low", "high", "people", "accuracy"))]
    y = alt.Y("value:Q", title=MODELS, scale=alt.Scale(domain=[0, 1]))
    points = dots(base, 90, color=PURPLE).encode(y, tooltip=[*known, alt.Tooltip("largest", title="EC at most")])
    whiskers = whisker(base, MODELS, color=PURPLE, strokeWidth=2)
    about = "EC of vision-language models with people of five ages, with intervals, and the largest possible value."
    chart = layer(_room(base, 14, MODELS), whiskers, points)
    return finish(chart, title, about, 260, subtitle="whiskers: intervals; grey bar: up to what the accuracies allow")
