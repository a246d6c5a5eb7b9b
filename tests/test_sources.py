"""The data road: every byte known, every trial named, errors that say what is missing."""

import hashlib
import io
import shutil
import tarfile
import tracemalloc
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import erralign
from erralign.cli import main
from erralign.datasets import archives, geirhos2020, model_vs_human, xu2024
from erralign.datasets.archives import DataError
from erralign.datasets.trials import CATEGORIES, MODEL_VS_HUMAN, class_ids, read_trials

SYNTHETIC = list(xu2024.data_sets().query("kind == 'synthetic'").index)


# --- archives, made up ------------------------------------------------------------------------------------------------

KEY = "somebody/something@0123456789abcdef"
MEMBERS = {f"data/{name}.npy": np.random.default_rng(place).bytes(50_000) for place, name in enumerate("abc")}
MANIFEST, SIZES_OF_ALL = archives.manifest, archives._sizes
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
    monkeypatch.setattr(archives, "_GITHUB", "http://127.0.0.1:9/")
    with pytest.raises(DataError, match="could not be downloaded"):
        archives.fetch(KEY)
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    monkeypatch.setattr("pooch.retrieve", lambda _, path, fname, **__: shutil.copy(whole, path / fname))
    archives.fetch(KEY)
    assert archives.is_there(KEY)


@pytest.fixture
def github(archive, empty_machine, monkeypatch):
    """Serve an archive on this machine in GitHub's place, and return its folder and the paths that were asked for."""
    asked = []

    class Handler(SimpleHTTPRequestHandler):
        def __init__(self, *more):
            super().__init__(*more, directory=empty_machine / "github")

        def do_GET(self):
            asked.append(self.path)
            super().do_GET()

        def log_message(self, *_):
            """Say nothing."""

    place = empty_machine / "github" / archives._relative(KEY)
    place.parent.mkdir(parents=True)
    shutil.move(archive(), place)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setattr(archives, "_GITHUB", f"http://127.0.0.1:{server.server_port}/")
    monkeypatch.setattr(archives, "_sizes", lambda: {KEY: (0.1, "about")})
    monkeypatch.delenv("ERRALIGN_OFFLINE")
    yield asked
    server.shutdown()
    server.server_close()


def cached(folder):
    return sorted(path.name for path in (folder / "cache").rglob("*") if path.is_file())


def test_what_is_missing_is_downloaded_once_with_a_line_beside_the_output(github, empty_machine, capsys):
    for name, content in MEMBERS.items():
        assert archives.open_member(KEY, name).read() == content
    assert len(github) == 1
    output, line = capsys.readouterr()
    where = empty_machine / "cache" / "somebody" / "something" / "archive"
    assert (output, line) == ("", f"somebody/something: about 0.1 MB, downloaded once and kept in {where}\n")
    assert cached(empty_machine) == ["0123456789abcdef.tar.gz"]


def test_offline_nothing_is_asked_for_and_the_line_that_is_named_brings_it(github, empty_machine, monkeypatch):
    monkeypatch.setenv("ERRALIGN_OFFLINE", "1")
    with pytest.raises(DataError, match="ERRALIGN_OFFLINE=1 forbids the network"):
        archives.open_member(KEY, "data/a.npy")
    assert github == cached(empty_machine) == []
    what, line = archives.missing([f"{KEY}:data"]).splitlines()
    assert what == "download somebody/something (about 0.1 MB):"
    exec(line.strip(), {"erralign": erralign})
    assert archives.open_member(KEY, "data/a.npy").read() == MEMBERS["data/a.npy"]


@pytest.mark.parametrize("known", [0.1, 25])
def test_what_is_larger_than_the_limit_is_downloaded_only_by_the_line_that_is_named(
    github, empty_machine, monkeypatch, known, capsys
):
    """It is known beforehand, and nothing is asked for; or it shows while it comes, and nothing of it stays."""
    monkeypatch.setattr(archives, "_sizes", lambda: {KEY: (known, "")})
    if known == 0.1:
        monkeypatch.setattr(archives, "_UNASKED", 120_000)  # of the 150,000 bytes
    with pytest.raises(DataError, match=r"its archive is .* MB\. To download it:  ") as error:
        archives.open_member(KEY, "data/a.npy")
    assert (len(github), cached(empty_machine)) == (int(known == 0.1), [])
    exec(str(error.value).partition("To download it:  ")[2], {"erralign": erralign})
    assert archives.open_member(KEY, "data/a.npy").read() == MEMBERS["data/a.npy"]


def test_an_address_that_is_not_there_is_named(github, monkeypatch, empty_machine):
    monkeypatch.setattr(archives, "_GITHUB", f"{archives._GITHUB}nowhere/")
    with pytest.raises(DataError, match=r"could not be downloaded \(HTTPError\)"):
        archives.open_member(KEY, "data/a.npy")
    assert cached(empty_machine) == []


def test_a_set_comes_by_itself_and_so_do_the_people_that_answers_are_compared_with(
    github, empty_machine, monkeypatch, requires_data
):
    """What is on this machine is served in GitHub's place."""
    monkeypatch.setattr(archives, "manifest", MANIFEST)
    monkeypatch.setattr(archives, "_sizes", SIZES_OF_ALL)
    for key in (geirhos2020.ERROR_CONSISTENCY, xu2024.ERROR_ALIGN, MODEL_VS_HUMAN):
        place = empty_machine / "github" / archives._relative(key)
        place.parent.mkdir(parents=True)
        shutil.copy(requires_data[key], place)
    assert not erralign.datasets.is_here("xu2024/stylized")
    assert erralign.load("xu2024/stylized").answers.shape == (800, 27)
    assert len(github) == 2
    with tarfile.open(requires_data[geirhos2020.ERROR_CONSISTENCY]) as file:
        (name,) = [name for name in file.getnames() if name.endswith(geirhos2020._trial_file("edges", "alexnet"))]
        trials = pd.read_csv(file.extractfile(name), dtype=str)
    mine = empty_machine / "mine.csv"
    image = trials["imagename"].str.rpartition("_")[2]
    pd.DataFrame({"image": image, "mine": trials["object_response"]}).to_csv(mine, index=False)
    run = CliRunner().invoke(main, ["compare", str(mine), "--data", "geirhos2020/edges"])
    assert run.exit_code == 0
    assert "wichmann-lab/error-consistency: 9 MB, downloaded once" in run.stderr
    assert "downloaded" not in run.stdout
    assert "subject-01" in run.stdout
    assert erralign.datasets.is_here("geirhos2020/edges")


def test_the_size_of_each_archive_is_known():
    assert list(SIZES_OF_ALL()) == list(MANIFEST())
    assert min(megabytes for megabytes, _ in SIZES_OF_ALL().values()) > 0


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
