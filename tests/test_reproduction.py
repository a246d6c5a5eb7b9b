"""Printed numbers equal ours, with exceptions counted item by item; and our own claims say what their tables say."""

import json
import re
import tomllib

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT
from scipy.stats import pearsonr, t, ttest_ind, ttest_rel

import erralign
from erralign.behaviour import class_level_error_similarity_from_counts as cles_from_counts
from erralign.measures.matrix import limits_of_difference, wilson_interval
from erralign_book import published, released, table

# How many numbers of an item differ from print, and must go on to do so: the errata page or a chapter explains each.
DIFFER = {
    "geirhos2020": {"Table 1": 2, "Figure 1": 2, "Figure 3": 4, "Section S.3": 2, "repository": 4, "text": 4}
    | {"Figure SF.9": 1, "Figure SF.10": 1, "Figure SF.11": 1},
    "klabunde2024": {"text": 1},
    "klein2025": {"text": 2},
    "xu2024": {"Table 1": 1},
}


@pytest.fixture(scope="module")
def verdicts():
    return published.reproduced()


@pytest.mark.slow
def test_printed_numbers_are_reproduced_but_for_those_counted_here(verdicts):
    differs = verdicts[verdicts["verdict"] == "differs"]
    found = {paper: rows["item"].value_counts().to_dict() for paper, rows in differs.groupby("paper")}
    assert found == DIFFER


def test_shares_instead_of_counts_give_the_released_agreement_to_the_last_bit(requires_data):
    for name, pairs in table("xu2024/pairs").groupby("data_set", sort=False):
        assert (pairs["MA in floats"].fillna(1.0).to_numpy() == released(f"xu2024/{name}")["MA"].to_numpy()).all(), name


@pytest.mark.parametrize(
    ("printed", "alike", "apart"), [("0.40", (0.395, 0.405), (0.4051, 0.3949, np.nan)), ("nan", (np.nan,), (0.5,))]
)
def test_a_number_rounds_to_what_is_printed_either_way_at_an_exact_tie(printed, alike, apart):
    assert all(published.rounds_to(value, printed) for value in alike)
    assert not any(published.rounds_to(value, printed) for value in apart)


@pytest.mark.parametrize(("value", "where"), [(0.41, "within"), (0.59, "within"), (0.39, "outside"), (0.61, "outside")])
def test_a_spread_reaches_as_far_down_as_up(value, where):
    assert published.verdict(value, "0.50", spread=0.1) == f"{where} seed spread"
    assert published.verdict(1.0, "1.00", spread=0.1) == published.PERFECT


@pytest.mark.slow
def test_every_printed_number_and_every_figure_gets_its_verdict(verdicts):
    """What is restated never counts as reproduced."""
    rows, keys = published.published().query("paper in @published.FIVE"), ["paper", "item", "printed"]
    assert verdicts[keys].value_counts().to_dict() == rows[keys].value_counts().to_dict()
    apart = verdicts[verdicts["verdict"].isin({published.RESTATED, published.NOT_COMPUTABLE})]
    assert apart["ours"].isna().all()
    assert (apart["note"] != "").all()
    # Of 459 numbers in the four tables of Xu et al. 289 are different ones, and one of these differs from ours.
    of_xu = verdicts[(verdicts["paper"] == "xu2024") & verdicts["item"].str.startswith("Table")]
    assert of_xu["verdict"].value_counts().to_dict() == {"reproduced": 288, published.AGAIN: 170, "differs": 1}
    restated = (verdicts["verdict"] == published.RESTATED).sum()
    assert restated == rows["note"].str.startswith(published.RESTATED).sum() > 0


@pytest.mark.slow
def test_the_errata_name_every_printed_number_that_differs(verdicts):
    """A value counts as named in any of the spellings of prose."""
    errata = (ROOT / "notebooks" / "errata.md").read_text()
    differs = verdicts.query("verdict == 'differs'")
    for row in differs.itertuples():
        spellings = {row.printed, row.printed.removeprefix("0"), "six" if row.printed == "6" else row.printed}
        spellings |= {f"{int(row.printed):,}"} if row.printed.isdigit() else set()
        found = [each for each in spellings if re.search(rf"(?<![\d.]){re.escape(each)}(?!\d|\.\d)", errata)]
        assert found, (row.paper, row.item, row.row, row.printed)


def test_a_build_keeps_what_chapters_compare_and_refuses_a_number_without_verdict(monkeypatch, tmp_path):
    """Two parts of one item, then all that is left but one."""
    monkeypatch.setenv(published.RECORD, str(tmp_path / "page.csv"))
    theirs = published.printed("geirhos2020", "Figure 3")
    ours = theirs.replace("", np.nan).astype(float)
    shown = published.beside(ours, theirs.iloc[:2])
    assert (shown.attrs["differ"], shown.attrs["compared"]) == (0, theirs.iloc[:2].ne("").to_numpy().sum())
    published.beside(ours + 1, theirs.iloc[2:])
    kept = pd.read_csv(tmp_path / "page.csv", dtype=str)
    assert len(kept) == theirs.ne("").to_numpy().sum()
    assert set(kept["verdict"]) == {"reproduced", "differs"}
    with pytest.raises(ValueError, match="that no chapter sets beside ours: xu2024, Table 1: 102, such as colour"):
        published.collect([tmp_path / "page.csv"])


# --- Muttenthaler et al. (2023): Table B.1, and tables of odd-one-out choices -----------------------------------------


@pytest.mark.parametrize(("score", "printed_as"), [("zero_shot", "Zero-Shot"), ("probing", "Probing")])
def test_limits_over_networks_are_those_of_a_jackknife_by_hand(score, printed_as):
    facts = pd.read_csv(ROOT / "data/muttenthaler2023-networks.csv", index_col="model")
    rows = published.published().query("paper == 'muttenthaler2023' and item == 'Table B.1' and printed != ''")
    read = rows.pivot(index="row", columns="column", values="printed").astype(float)
    read["imagenet"] = read["ImageNet"].fillna(facts["imagenet"])
    read = read.dropna(subset=["imagenet", "Zero-Shot", "Probing"])
    row = table("muttenthaler2023/limits_by_unit").set_index(["score", "drawn"]).loc[(score, "networks")]
    found = pearsonr(read["imagenet"], read[printed_as])
    assert row["r"] == pytest.approx(found.statistic, abs=1e-12)
    kept = [read.drop(name) for name in read.index]
    without = np.arctanh([pearsonr(each["imagenet"], each[printed_as]).statistic for each in kept])
    half = t.ppf(0.975, len(read) - 1) * np.sqrt((len(read) - 1) * without.var())
    middle = np.arctanh(found.statistic)
    assert (row["low"], row["high"]) == pytest.approx((np.tanh(middle - half), np.tanh(middle + half)), abs=1e-9)


# --- our own claims: signs by three rows written by hand --------------------------------------------------------------


RECORDS = tomllib.loads((ROOT / "data" / "claims.toml").read_text(encoding="utf-8"))
CHOICES = table("what_we_claim/choices")


@pytest.mark.parametrize("name", RECORDS)
def test_a_claim_says_what_its_first_choice_gives_and_its_values_are_differences_within_their_limits(name):
    choices = CHOICES[CHOICES["claim"] == name]
    assert choices["verdict"].iloc[0] == RECORDS[name]["says"]
    with_limits = choices.dropna(subset=["low", "high"])
    assert len(with_limits)
    assert with_limits["value"].between(with_limits["low"], with_limits["high"]).all()
    arms = choices.dropna(subset=["first", "second"])
    assert arms["value"].to_numpy() == pytest.approx((arms["first"] - arms["second"]).to_numpy(), abs=1e-9)


# Where a table has no column `drawn`: the line of the code that leaves out the units, in this order.
MANY, JUDGES = "notebooks/many-language-models.md", "notebooks/how-many-judges.md"
STUDENTS = [("questions", MANY, 'strata=strata, clusters="item"')]
LEAVES_OUT = {
    "clip": [("things", "notebooks/reproducing-muttenthaler-2023.md", "lead = mean_interval(own - other, triplets)")],
    "probed": [("things", "notebooks/further-muttenthaler-2023.md", "mean_interval(after[its] * 1.0 - before[its],")],
    "taught": [
        (
            "pictures, people, divisions",
            "book/erralign_book/studies/training/scores.py",
            "(self.by_picture, self.by_person, self.by_seed)",
        )
    ],
    "many_language_models/students": STUDENTS,
    "many_language_models/two_models": STUDENTS,
    "tempting": STUDENTS,
    "together": [
        ("subjects", MANY, "found = np.array(over_subjects(means, subjects)).T"),
        ("tasks", MANY, "ec_of_all(best[kept], 0 * task[kept]).mean(), task)"),
    ],
    "many_language_models/growth": [("subjects, makers", MANY, "variance = over_subjects + over_makers")],
    "votes": [
        ("subjects", MANY, "over_subjects(lambda kept: gain[kept].mean(), subjects)"),
        ("queries", JUDGES, "found = over_queries(lambda kept: gain[kept].mean(), query)"),
    ],
    "theories/leads": [
        ("forms, people", "notebooks/which-theory.md", "return np.nanmean(whole, axis=1), np.array(forms)")
    ],
}
TRIALS = {"pictures", "things", "questions", "queries", "forms", "tasks"}
TRIALS |= {"sets", "subjects"}  # each with all its trials


@pytest.mark.parametrize("name", RECORDS)
def test_what_a_claim_draws_again_is_what_its_intervals_redraw(name):
    said, rows = RECORDS[name]["drawn_again"], CHOICES[CHOICES["claim"] == name]
    if rows["drawn"].isna().all():
        code = {
            units: (ROOT / file).read_text(encoding="utf-8") for units, file, _ in LEAVES_OUT[RECORDS[name]["table"]]
        }
        assert set(said) <= set(code)
        assert all(line in code[units] for units, _, line in LEAVES_OUT[RECORDS[name]["table"]])
    else:
        assert rows["drawn"].notna().all()
        assert list(dict.fromkeys(rows["drawn"])) == said


@pytest.mark.parametrize("name", RECORDS)
def test_where_there_is_one_set_its_trials_are_drawn(name):
    """But not for the table of another paper, which prints no trials."""
    for units in RECORDS[name]["drawn_again"]:
        assert TRIALS & set(units.split(", ")) or RECORDS[name]["table"] == "imagenet"


@pytest.mark.parametrize("name", RECORDS)
def test_the_difference_of_two_choices_is_tested_and_not_their_stars(name):
    """However two values are correlated, the error of a difference is between the difference and the sum of theirs."""
    rows = CHOICES[CHOICES["claim"] == name]
    half, apart = (rows["high"] - rows["low"]) / 2, rows["value"] - rows["value"].iloc[0]
    assert rows["apart"].to_numpy() == pytest.approx(apart.to_numpy(), abs=1e-9)
    surely = apart.abs() > 1.1 * (half + half.iloc[0])  # degrees of freedom are not quite those of either
    assert rows.loc[surely, "differs"].isin(["more", "less"]).all()
    not_so = apart.abs() < 0.8 * (half - half.iloc[0]).abs()
    assert not rows.loc[not_so, "differs"].isin(["more", "less"]).any()
    paired = rows.dropna(subset=["apart_low", "apart_high"])
    assert paired["apart"].between(paired["apart_low"] - 1e-9, paired["apart_high"] + 1e-9).all()
    assert rows["differs"].iloc[0] not in ("more", "less")


def test_the_difference_of_two_choices_is_scipys_where_pictures_are_the_same_and_where_they_are_not(requires_data):
    older, newer = (erralign.load(f"{of}/uniform-noise") for of in ("xu2024", "model-vs-human"))
    right = older.answers.eq(older.truth, axis=0)
    cnn, vit = (right.loc[:, older.systems["family"] == family].mean(axis=1) for family in ("CNN", "ViT"))
    people = newer.answers.loc[:, newer.systems["kind"] == "human"].eq(newer.truth, axis=0).mean(axis=1)
    strength = cnn.index.get_level_values("condition")
    behind = people.reindex(cnn.index) - cnn
    wide, narrow = strength == "0.20", strength == "0.03"
    found = CHOICES[CHOICES["claim"] == "saw-noise"].set_index("choice")[["apart_low", "apart_high"]]
    paired = ttest_rel(cnn[wide], vit[wide]).confidence_interval()
    assert found.loc["ViT, 0.20"].tolist() == pytest.approx([paired.low, paired.high], abs=1e-9)
    apart = ttest_ind(behind[narrow], behind[wide], equal_var=False).confidence_interval()
    assert found.loc["CNN, 0.03"].tolist() == pytest.approx([apart.low, apart.high], abs=1e-3)


def test_a_choice_says_the_contrary_of_four_claims_which_say_when():
    both = CHOICES.groupby("claim")["verdict"].agg(lambda says: {"more", "less"} <= set(says))
    assert set(both.index[both]) == {"saw-noise", "saw-contrast", "saw-blur", "people-over-networks"}


def test_no_loss_is_scored_where_it_was_trained():
    assert not CHOICES["choice"].str.contains("pictures and people in training").any()
    assert "taught-in-training" not in RECORDS


def test_pages_12_to_15_and_17_make_claims():
    pages = {record["page"] for record in RECORDS.values()}
    assert pages >= {
        "so-do-they",
        "accuracy-makes-crossovers",
        "slow-where-networks-fail",
        "which-pictures-divide-them",
        "how-many-judges",
    }


def test_limits_of_a_difference_are_the_published_ones():
    """Newcombe (1998), Table II, example (a), method 10: 56 of 70 less 48 of 80."""
    shares, numbers = np.array([56 / 70, 48 / 80]), np.array([70, 80])
    limits = limits_of_difference(*zip(shares, *wilson_interval(shares, numbers, 0.95), strict=True))
    assert np.round(limits, 3).tolist() == [0.052, 0.334]


# --- why a number is not computed, and what shows it ------------------------------------------------------------------


LINE = re.compile(r"([\w.-]+/[\w.-]+)@([0-9a-f]{7}):([^#;]+)#L([1-9]\d*)")
KINDS = ["public elsewhere", "public in part", "not found", "nothing to compute", "unreadable in our copy"]
MANIFEST = json.loads((ROOT / "data" / "manifest.json").read_text(encoding="utf-8"))
# The sections of each paper, as its text numbers them; figures and tables are items of published.csv.
SECTIONS = {
    "xu2024": """Appx.2; Appx.4; Appx.5; footnote 6; section "Introduction"; section "Alignment across Metrics";
        section "Dataset and Metrics"; footnote 7""",
    "geirhos2020": "section 1.1; section 2.1; section 2.3; section 3.1; section 3.2",
    "klein2025": "section 2; section 3.1; section 3.3; section 4.1; section 4.2; section 5.1; appendix A",
    "muttenthaler2023": """section 2; section 3.1; section 3.3; section 4.1; section 4.3; section 4.4; section 4.4.2;
        section 5; appendix A.1; appendix A.2; appendix A.3; appendix C; appendix D; appendix E; appendix F; appendix G;
        appendix H; appendix J""",
    "klabunde2024": """section 3; section 3.1; section 3.2; section 3.3; section 3.4; appendix A.1.2; appendix A.1.3;
        appendix A.1.4; appendix A.2; appendix A.3; appendix A.4; appendix A.5""",
}


def evidence():
    """Return a row per address that shows why a number or figure is not computed."""
    rows = published.published()
    rows = rows[rows["note"].str.startswith((published.NOT_COMPUTABLE, published.RESTATED))]
    return rows.assign(address=rows["evidence"].str.split("; ")).explode("address")


def test_what_is_not_computed_and_nothing_else_has_its_evidence_and_one_of_five_reasons():
    rows = published.published()
    excused = rows["note"].str.startswith((published.NOT_COMPUTABLE, published.RESTATED))
    assert (excused == (rows["evidence"] != "")).all()
    notes = rows.loc[rows["note"].str.startswith(published.NOT_COMPUTABLE), "note"]
    assert set(notes.str.split(": ").str[1]) == set(KINDS)
    assert not notes.str.contains("would have to be trained|at hand|by this route").any()


def test_an_evidence_is_a_line_of_a_file_at_a_commit_or_a_place_that_its_paper_has():
    items = published.published().groupby("paper")["item"].agg(set)
    for row in evidence().drop_duplicates(["paper", "address"]).itertuples():
        if line := LINE.fullmatch(row.address):
            repository, commit, path, _ = line.groups()
            pinned = {key: each["members"] for key, each in MANIFEST.items() if key.startswith(f"{repository}@")}
            at_commit = [members for key, members in pinned.items() if key.startswith(f"{repository}@{commit}")]
            assert at_commit or not pinned, f"{row.address}: the manifest pins another commit"
            folder = path.rpartition("/")[0]
            listed = [name for members in at_commit for name in members if name.rpartition("/")[0] == folder]
            assert not listed or path in listed, f"{row.address}: the manifest has no such file"
        else:
            paper, _, place = row.address.partition(": ")
            assert paper == row.paper, row.address
            first, *others = place.split(", ")
            assert first in items[paper] or first in re.split(r";\s+", SECTIONS[paper]), row.address
            named = [other for other in others if other.startswith(("Figure", "Table"))]
            assert items[paper].issuperset(named), row.address


def test_no_evidence_serves_two_papers_or_half_of_what_is_not_computed():
    shown = evidence()
    assert (shown.groupby("address")["paper"].nunique() == 1).all()
    assert shown["address"].value_counts().max() < len(shown["evidence"]) / 2
    by_reason = shown[shown["note"].str.startswith(published.NOT_COMPUTABLE)].groupby("paper")["address"].nunique()
    assert (by_reason >= 4).all()


def test_what_holds_by_definition_counts_apart_only_while_ours_agrees(monkeypatch, tmp_path):
    known = published._known()
    of_definitions = known["verdict"] == published.BY_DEFINITION
    again = known.replace({"verdict": {published.BY_DEFINITION: "reproduced", published.AGAIN: "reproduced"}})
    first = known.index[of_definitions][0]
    again.loc[first, ["ours", "verdict"]] = [0.5, "differs"]
    again[again["ours"].notna()].to_csv(tmp_path / "page.csv", index=False)
    for name in ["published.csv", "reproduced.csv"]:
        (tmp_path / name).write_bytes((ROOT / "data" / name).read_bytes())
    published.published()  # read from the book's own folder, before another is named
    monkeypatch.setattr(published, "data_folder", lambda: tmp_path)
    published.collect([tmp_path / "page.csv"])
    found = published._known()
    assert found.loc[first, "verdict"] == "differs"
    assert (found.loc[of_definitions, "verdict"] == published.BY_DEFINITION).sum() == of_definitions.sum() - 1 == 7


@pytest.mark.parametrize(("of_a", "of_b", "alike"), [
    ([300, 100], [100, 300], True), ([300, 100], [900, 300], True), ([300, 100], [100, 900], False),
])  # fmt: skip
def test_two_forms_of_cles_agree_where_errors_are_equally_many_or_proportional(of_a, of_b, alike):
    """Two classes of three have no errors; as good as nothing is smoothed."""
    a, b = np.zeros((3, 3), int), np.zeros((3, 3), int)
    a[0, 1:], b[0, 1:] = of_a, of_b
    of_text, of_program = (cles_from_counts(a, b, variant=form, alpha=1e-9) for form in ("printed", "released"))
    assert (abs(of_text - of_program) < 1e-6) == alike
