"""A model over bins of codes: everything that a model answers is over codes."""

import pathlib
import pickle

import numpy as np
import pytest

import flaim

FILE = pathlib.Path(__file__).parents[2] / "fuzz" / "corpus" / "model" / "version_2_levels.flaim"


@pytest.fixture(scope="module")
def model():
    return flaim.load(FILE)


def test_bins_are_lists_of_codes_and_none_without_any(model):
    assert model.domain == {"sex": 2, "age": 5}
    assert model.bins == {"age": [[0, 3], [2], [1, 4]]}
    assert flaim.load(FILE.with_name("version_2.flaim")).bins is None


def test_marginals_and_densities_are_over_codes_and_agree(model):
    records = np.indices((2, 5)).reshape(2, -1).T
    densities = np.exp(model.log_density(records))
    np.testing.assert_allclose(densities.reshape(2, 5), model.marginal(["sex", "age"]), atol=1e-12)
    assert densities.sum() == pytest.approx(1)
    age = model.marginal("age")
    assert age[3] == pytest.approx(2 * age[0]) and age[4] == 0


def test_rows_under_a_condition_on_codes_are_drawn_as_often_as_they_should(model):
    rows = model.sample(20000, where={"age": ["v0", "v1", "v4"]}, method="exact", random_state=1, to="numpy")
    joint = model.marginal("age")[[0, 1, 4]]
    shares = [np.mean(rows["age"] == value) for value in ("v0", "v1", "v4")]
    np.testing.assert_allclose(shares, joint / joint.sum(), atol=0.02)


def test_what_was_measured_over_bins_has_axes_of_bins(model):
    shapes = [(clique, values.shape) for clique, values, _ in model.measurements]
    assert shapes == [(("sex",), (2,)), (("sex", "age"), (2, 3)), (("age",), (5,))]


def test_potentials_are_over_bins(model):
    assert flaim.engine.potentials_of(model).size() == 2 * 3 + 3


def test_it_survives_pickling_and_saving(model, tmp_path):
    back = pickle.loads(pickle.dumps(model))
    assert back.bins == model.bins
    model.save(tmp_path / "m.flaim")
    assert (tmp_path / "m.flaim").read_bytes() == FILE.read_bytes()
