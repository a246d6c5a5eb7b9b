"""The data road: every byte known, every trial named, errors that say what is missing."""

import hashlib
import io
import shutil
import tarfile
import tracemalloc

import numpy as np
import pandas as pd
import pytest

import erralign
from erralign.datasets import archives, geirhos2020, model_vs_human, xu2024
from erralign.datasets.archives import DataError
from erralign.datasets.trials import CATEGORIES, class_ids, read_trials

SYNTHETIC = list(xu2024.data_sets().query("kind == 'synthetic'").index)


# --- archives, made up ------------------------------------------------------------------------------------------------

KEY = "somebody/something@0123456789abcdef"
MEMBERS = {f"data/{name}.npy": np.random.default_rng(place).bytes(50_000) for place, name in enumerate("abc")}
SIZES = {name: {"size": len(bits), "sha256": hashlib.sha256(bits).hexdigest()} for name, bits in MEMBERS.items()}


@pytest.fixture
def empty_machine(monkeypatch, tmp_path):
    """Forget all data: no offline copy, an empty cache, no network."""
    monkeypatch.delenv("ERRALIGN_DATA", raising=False)
    monkeypatch.setenv("ERRALIGN_OFFLINE", "1")
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda _: str(tmp_path / "cache"))
    for cached in (archives._offline_copy, archives._unpack):
        cached.cache_clear()
    yield tmp_path
    monkeypatch.undo()
    for cached in (archives._offline_copy, archives._unpack):
        cached.cache_clear()


LINK = b"a link"


@pytest.fixture
def archive(empty_machine, monkeypatch):
    """Return where the archive of a manifest with one entry lies, and what writes it."""
    monkeypatch.setattr(archives, "manifest", lambda: {KEY: {"licence": "MIT", "members": SIZES}})
    place = empty_machine / "cache" / archives._relative(KEY)

    def write(**changed):
        place.parent.mkdir(parents=True, exist_ok=True)
        with tarfile.open(place, "w:gz") as file:
            for name, content in (MEMBERS | changed).items():
                if content is not None:
                    entry = tarfile.TarInfo(f"something-0123/{name}")
                    entry.size = len(content)
                    if content == LINK:
                        entry.type, entry.linkname, entry.size = tarfile.SYMTYPE, "nowhere", 0
                    file.addfile(entry, io.BytesIO(content))
        return place

    return write


def test_what_is_whole_is_read_and_does_not_stay_in_memory(archive):
    archive()
    assert archives.is_complete(KEY)
    tracemalloc.start()
    assert all(archives.open_member(KEY, name).read() == content for name, content in MEMBERS.items())
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 10_000
    with pytest.raises(DataError, match=r"d.npy of .* is not in data/manifest.json: enter its size and SHA-256"):
        archives.open_member(KEY, "data/d.npy")


def test_a_member_that_is_missing_linked_empty_or_has_one_bit_changed_is_named(archive):
    content = MEMBERS["data/a.npy"]
    for changed, words in (
        (content[:-1] + bytes([content[-1] ^ 1]), f"data/a.npy of {KEY} is damaged: its SHA-256 is"),
        (None, r"data/a.npy.* is missing.*erralign fetch.*ERRALIGN_DATA"),
        (LINK, r"data/a.npy.* is missing.*erralign fetch.*ERRALIGN_DATA"),
        (b"", f"data/a.npy of {KEY} is damaged: its SHA-256 is"),
    ):
        archive(**{"data/a.npy": changed})
        archives.open_member(KEY, "data/b.npy")
        for look in (archives.fetch, lambda key: archives.open_member(key, "data/a.npy")):
            with pytest.raises(DataError, match=words):
                look(KEY)


def test_an_archive_cut_short_is_named_and_one_that_was_mended_is_read_anew(archive):
    place = archive()
    place.write_bytes(place.read_bytes()[:100_000])
    with pytest.raises(DataError, match=r"0123456789abcdef.*is damaged"):
        archives.is_complete(KEY)
    archive()
    assert archives.is_complete(KEY)


def test_a_download_is_checked_and_then_used_and_one_that_fails_leaves_nothing(archive, monkeypatch, tmp_path):
    whole = shutil.move(archive(), tmp_path / "whole.tar.gz")
    with pytest.raises(DataError, match="ERRALIGN_OFFLINE=1 forbids"):
        archives.fetch(KEY)
    monkeypatch.delenv("ERRALIGN_OFFLINE")
    monkeypatch.setattr(archives, "GITHUB", "http://127.0.0.1:9/")
    with pytest.raises(DataError, match="could not be downloaded"):
        archives.fetch(KEY)
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    monkeypatch.setattr("pooch.retrieve", lambda _, path, fname, **__: shutil.copy(whole, path / fname))
    archives.fetch(KEY)
    assert archives.is_there(KEY)


def test_without_data_the_error_says_how_to_get_them(empty_machine):
    with pytest.raises(DataError, match=r"not on this machine.*erralign fetch"):
        erralign.load("xu2024/stylized")


# --- what the archives hold -------------------------------------------------------------------------------------------


def test_every_data_set_has_the_size_that_the_catalogue_says(requires_data):
    for row in erralign.catalog().itertuples():
        if row.source in archives.manifest() and not archives.is_complete(row.source):
            continue
        responses = erralign.load(row.name)
        kinds = responses.systems["kind"].tolist()
        assert (*responses.answers.shape, len(responses.classes)) == (row.trials, row.systems, row.classes)
        assert (kinds.count("human"), kinds.count("model")) == (row.people, row.models)
        assert responses.truth.index.is_unique


READERS = {"geirhos2020": geirhos2020, "model-vs-human": model_vs_human}
FROM_FILES = [name for name in erralign.catalog()["name"] if name.partition("/")[0] in READERS]


@pytest.mark.parametrize("data_set", FROM_FILES)
def test_answers_are_those_of_the_files_image_by_image(requires_data, data_set):
    """Everybody saw the same images in the same conditions, in whatever order; truth and answer go with the image."""
    responses, (paper, _, name) = erralign.load(data_set), data_set.partition("/")
    named, images = np.array([*responses.classes, "na"]), responses.truth.index.get_level_values("image")
    for system, answers in responses.answers.items():
        trials = READERS[paper].trials_of(name, system).set_index("image")
        assert sorted(trials.index) == sorted(images)
        trials = trials.loc[images]
        assert (trials["category"] == named[responses.truth]).all()
        assert (trials["object_response"] == named[answers]).all()
        if system in responses.times:
            seconds = trials["rt"].astype(float)  # NaN where no answer came in time
            assert np.array_equal(responses.times[system], seconds, equal_nan=True)
            assert (seconds.isna() == (trials["object_response"] == "na")).all()
    assert list(responses.times) == list(responses.systems.index[responses.systems["kind"] == "human"])


@pytest.mark.parametrize("data_set", SYNTHETIC)
def test_trials_stand_in_the_order_that_we_say(requires_data, data_set):
    """The truth and every person's answered trials equal the original ones, row by row."""
    responses = erralign.load(f"xu2024/{data_set}")
    n_people = xu2024.data_sets()["people"][data_set]
    of_people = [read_trials(data_set, i + 1).set_index(["condition", "image"]) for i in range(n_people)]
    first = of_people[0]["category"]
    truth = pd.Index(CATEGORIES).get_indexer(first.loc[responses.truth.index])
    assert (responses.truth.to_numpy() == truth).all()
    for place, seen in enumerate(of_people, start=1):
        person, answers = f"s{place}", class_ids(seen.loc[xu2024.trial_names(data_set), "object_response"])
        answered = answers >= 0
        assert (responses.answers[person].to_numpy()[answered] == answers[answered]).all()
