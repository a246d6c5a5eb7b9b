"""Our own claims: each says what its table says, and its sign is that of three rows written by hand."""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pandas as pd
import pytest
import yaml

from erralign_book.papers import claims

HERE = Path(__file__).parent
MODULES = [import_module(f"{claims.__name__}.{found.name}") for found in iter_modules(claims.__path__)]
CLAIMS = {claim.name: claim for module in MODULES for claim in getattr(module, "CLAIMS", ())}
TOLD = [yaml.safe_load(file.read_text()) for file in sorted((HERE / "claims").glob("*.yml"))]
BY_HAND = {name: rows for told in TOLD for name, rows in told.items() if "tables" in rows}


def test_each_claim_has_rows_by_hand_and_a_page():
    assert set(BY_HAND) == set(CLAIMS)
    assert all((HERE.parent / "notebooks" / f"{claim.page}.md").is_file() for claim in CLAIMS.values())


@pytest.mark.parametrize("name", CLAIMS)
def test_the_first_arm_comes_first(name):
    tables = [pd.DataFrame(rows) for rows in BY_HAND[name]["tables"]]
    assert CLAIMS[name].rows(*tables)["value"].iloc[0] == pytest.approx(BY_HAND[name]["value"])


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_says_what_its_table_says(name):
    assert CLAIMS[name].said()["verdict"] == CLAIMS[name].says


@pytest.mark.parametrize("name", CLAIMS)
def test_a_value_is_the_difference_of_its_arms_and_lies_between_its_limits(name):
    found = CLAIMS[name].found()
    known = found.dropna(subset=["low", "high"])
    assert len(known)
    assert not found.duplicated().any()  # each choice once
    assert known["value"].between(known["low"], known["high"]).all()
    if "first" in found:
        apart = (found["first"] - found["second"]).to_numpy()
        assert found["value"].to_numpy() == pytest.approx(apart, abs=1e-9, nan_ok=True)
