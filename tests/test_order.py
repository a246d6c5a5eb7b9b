"""The order of the book: how far a newcomer is from what they want to know."""

import yaml
from bs4 import BeautifulSoup
from conftest import ROOT

NEWCOMER = yaml.safe_load((ROOT / "tests/newcomer.yml").read_text())
CLICKS = 2  # from the front page: a part of the contents, which is folded, and a page


def clicks(site, page):
    """Count clicks from the front page: a link on it or in its contents, or one behind a fold."""
    front = BeautifulSoup((site / "index.html").read_text(encoding="utf-8"), "html.parser")
    links = front.select(f'a[href="{page}.html"], a[href^="{page}.html#"]')
    folds = [len([fold for fold in link.find_parents("details") if not fold.has_attr("open")]) for link in links]
    return min(folds, default=9) + 1


def test_a_newcomer_is_two_clicks_from_an_answer(site):
    assert {question: page for question, page in NEWCOMER.items() if clicks(site, page) > CLICKS} == {}
