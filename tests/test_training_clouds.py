"""Small networks that tell clouds of points apart learn what they are given."""

import numpy as np

from erralign_book.training.clouds import Clouds


def test_a_network_learns_true_labels_and_not_random_ones():
    clouds = Clouds(0)
    of_true, of_random = (
        np.mean(clouds.with_labels(share, 0)[1].argmax(axis=1) == clouds.new_labels) for share in (0, 1)
    )
    assert of_true > 0.7 > 0.4 > of_random
    assert np.array_equal(clouds.with_labels(0.5, 1)[1], Clouds(0).with_labels(0.5, 1)[1])


def test_networks_share_random_labels_if_they_are_told_to():
    clouds = Clouds(0)
    assert np.array_equal(clouds.with_labels(1, 3, drawn=3)[1], clouds.with_labels(1, 3)[1])
    assert not np.array_equal(clouds.with_labels(1, 3, drawn=4)[1], clouds.with_labels(1, 3)[1])
