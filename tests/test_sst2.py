"""Pieces of film reviews, with the numbers of rows that their release states."""

import pytest

from erralign.sources.sst2 import sst2


@pytest.mark.parametrize(("part", "counts"), [("train", [29_780, 37_569]), ("dev", [428, 444]), ("test", [912, 909])])
def test_every_row_is_read(requires_data, part, counts):
    table = sst2(part)
    assert [(table["label"] == label).sum() for label in (0, 1)] == counts
    assert (table["sentence"].str.len() > 0).all()


def test_quotation_marks_and_line_ends_are_no_traps(requires_data):
    sentences = sst2("train")["sentence"]
    assert not sentences.str.contains("[\r\n\t]").any()
    assert sentences.str.contains('"', regex=False).any() or sentences.str.contains("``", regex=False).any()
    assert sentences.duplicated().sum() == 371


def test_an_unknown_part_is_refused():
    with pytest.raises(ValueError, match="part is 'valid'"):
        sst2("valid")
