"""Ours beside what papers print: as cells ask for it."""

import pytest

from erralign_book import beside, printed, released


def test_a_printed_table_has_its_rows_columns_and_digits():
    table = printed("xu2024", "Table 1")
    assert table.shape == (17, 6)
    assert table.loc["colour", ["EC vs MA", "EC vs CLES"]].tolist() == ["0.01", "0.40"]
    with pytest.raises(ValueError, match="xu2024, Table 9 has no row with a number"):
        printed("xu2024", "Table 9")


def test_ours_stands_where_it_differs_and_what_is_missing_is_named(capsys):
    theirs = printed("xu2024", "Table 1")
    ours = theirs.astype(float)
    ours.loc["colour", "EC vs MA"] = 0.0149
    ours.loc["contrast", "EC vs MA"] = 0.53
    shown = beside(ours, theirs)
    assert shown.loc["colour", "EC vs MA"] == "0.01"
    assert shown.loc["contrast", "EC vs MA"] == "0.52 ≠ 0.53"
    assert capsys.readouterr().out == "Table 1: 101 of 102 numbers as printed\n"
    with pytest.raises(ValueError, match="colour, EC vs CLES is printed, but ours lacks it"):
        beside(ours.drop(columns="EC vs CLES"), theirs)


def test_what_authors_released_is_read_from_their_archive(requires_data):
    pairs = released("xu2024/stylized")
    assert list(pairs) == ["system_a", "system_b", "EC", "MA", "CLES", "CKA", "SOC", "SOCE"]
    assert len(pairs) == 27 * 26 / 2
