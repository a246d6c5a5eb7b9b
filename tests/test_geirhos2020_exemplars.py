"""Standard errors of error consistency where pictures share material."""

import numpy as np
import pytest

from erralign.behaviour import error_consistency
from erralign.clusters import clusters_of, effects_of_pairs, influence_of_trials
from erralign.measures import measure_of
from erralign.measures.matrix import response_matrix
from erralign.sources import geirhos2020 as source
from erralign_book.papers import geirhos2020


def test_a_standard_error_is_that_of_plain_resampling(requires_data):
    responses, rng = source.read("cue-conflict"), np.random.default_rng(5)
    truth, networks = responses.truth.to_numpy(), ["vgg16", "vgg19"]
    first, second = responses.answers[networks].to_numpy().T
    drawn = [rng.integers(0, len(truth), len(truth)) for _ in range(800)]
    plain = np.std([error_consistency(truth[i], first[i], second[i]) for i in drawn])
    table = geirhos2020.shared_material().set_index(["system_a", "system_b"])
    assert table.loc[tuple(networks), "pictures"] == pytest.approx(plain, rel=0.1)


def test_design_effects_are_those_of_resampled_exemplars(requires_data):
    """Standard errors with one factor as clusters, without what makes up for few clusters, against resampling."""
    responses, table = source.read("cue-conflict"), geirhos2020.shared_material()
    photographs = source.exemplars(responses.truth.index)
    for column in ("shapes", "textures"):
        ratio = table[column] / table["pictures"]
        trials, shared = response_matrix(responses), clusters_of(photographs[column[:-1]], responses.truth)
        pairs = [trials.only(a, b) for a, b in zip(*trials.pairs, strict=True)]
        moved = [influence_of_trials(measure_of("EC"), pair, {})[:, None] for pair in pairs]
        widening = [shared.widening(each)[0] for each in moved]
        formula = np.sqrt(effects_of_pairs(shared, "EC", trials, 0.95, {})) / widening
        larger = ratio > 1.1  # below 1 the formula takes it for chance
        assert np.median(formula[larger] / ratio[larger]) == pytest.approx(1, abs=0.03)
