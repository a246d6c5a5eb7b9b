"""THINGS: the answers are made unique, and the rows of embeddings are where the list of objects has them."""

import numpy as np
import pytest

from erralign.sources import archives, multi_arrangement, things


def test_the_union_of_six_files_is_made_unique(requires_data):
    triplets = things.triplets()
    assert len(triplets) == 317_584
    assert len(np.unique(np.sort(triplets, axis=1), axis=0)) == 315_924
    assert (triplets[:, 0] < triplets[:, 1]).all()
    assert np.array_equal(things.triplets(), np.unique(triplets, axis=0))


def profile_correlations(name, **order):
    """Correlate each object's similarities to all others with those in SPoSE, whose rows are in order."""
    profiles = [cosines(things.embedding("SPoSE")), cosines(things.embedding(name, **order))]
    profiles = [(each - each.mean(axis=1, keepdims=True)) for each in profiles]
    lengths = [np.linalg.norm(each, axis=1) for each in profiles]
    return (profiles[0] * profiles[1]).sum(axis=1) / (lengths[0] * lengths[1])


def cosines(rows):
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows @ rows.T)[~np.eye(len(rows), dtype=bool)].reshape(len(rows), -1)


@pytest.mark.parametrize(("name", "displaced"), [("CLIP ViT-B/32", 192), ("VICE", 21)])
def test_rows_are_put_right_which_the_data_show(requires_data, name, displaced):
    shipped, right = (profile_correlations(name, as_shipped=each) for each in (True, False))
    moved = (things.embedding(name, as_shipped=True) != things.embedding(name)).any(axis=1)
    assert moved.sum() == displaced
    assert (shipped < 0).sum() >= 4
    assert (right > 0).all()
    assert right[moved].mean() > shipped[moved].mean() + 0.3


def test_embeddings_cannot_be_changed_by_one_of_their_users(requires_data):
    with pytest.raises(ValueError, match="read-only"):
        things.embedding("VICE")[0] = 0


def test_an_embedding_that_is_none_of_them():
    with pytest.raises(ValueError, match=r"name is 'Vice'; expected one of SPoSE, VICE, .*did you mean 'VICE'"):
        things.embedding("Vice")


def test_pictures_that_people_judged():
    pictures = things.pictures()
    assert len(things.concepts()) == things.N_OBJECTS
    assert len(pictures) == pictures["member"].nunique() == 1824
    assert set(pictures["member"]) == set(archives.manifest()[things.PICTURES]["members"])


def test_the_manifest_lists_what_the_readers_name():
    named = {member for key, member in things.EMBEDDINGS.values() if key == things.SEMANTIC}
    named |= {*things.RESPONSES, "data/triplets-delta.csv"}
    assert set(archives.manifest()[things.SEMANTIC]["members"]) == named


def test_answers_of_people(requires_data):
    answers = things.answers_of_people()
    assert answers.shape == (440, 209)
    assert (answers >= 0).sum(axis=1).between(199, 202).all()
    shares = [(answers == odd).sum(axis=1) / (answers >= 0).sum(axis=1) for odd in range(3)]
    assert np.max(shares, axis=0).mean() == pytest.approx(0.578, abs=0.001)


def test_the_order_of_48_objects(requires_data):
    """Of choices that SPoSE predicts, the share in which a pair stays together is how alike people find it."""
    objects, matrix = multi_arrangement.forty_eight()
    assert len(np.unique(objects)) == 48
    assert np.array_equal(matrix, matrix.T)
    odds = np.exp(things.embedding("SPoSE")[objects] @ things.embedding("SPoSE")[objects].T)
    predicted = np.array([[_stays(odds, i, j) for j in range(48)] for i in range(48)])
    upper = np.triu_indices(48, 1)
    assert np.corrcoef(predicted[upper], 1 - matrix[upper])[0, 1] == pytest.approx(0.9, abs=0.005)


def _stays(odds, i, j):
    others = np.delete(np.arange(48), [i, j]) if i != j else np.arange(0)
    return np.mean(odds[i, j] / (odds[i, j] + odds[i, others] + odds[j, others])) if i != j else 1


@pytest.mark.parametrize(("kind", "number"), [("people", 16), ("models", 8), ("brains", 8)])
def test_92_pictures(requires_data, kind, number):
    matrices = multi_arrangement.ninety_two(kind)
    assert len(matrices) == number
    for matrix in matrices.values():
        assert matrix.shape == (92, 92)
        assert np.allclose(matrix, matrix.T)
        assert not np.diag(matrix).any()
