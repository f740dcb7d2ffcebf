"""AIM and Simulation as scikit-learn's tools see them."""

import inspect

import pytest
from sklearn.base import clone

import flaim

ESTIMATORS = (flaim.AIM, flaim.Simulation)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_parameters_are_those_of_the_constructor(estimator):
    names = [name for name in inspect.signature(estimator).parameters]
    assert list(estimator().get_params()) == names


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_clone_has_the_same_parameters_and_nothing_that_was_learnt(estimator):
    original = estimator(epsilon=3, random_state=1).set_params(delta=1e-9)
    original.model_ = "learnt"
    copy = clone(original)
    assert copy is not original and copy.get_params() == original.get_params()
    assert not hasattr(copy, "model_")


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_an_unknown_parameter_is_refused_by_name(estimator):
    with pytest.raises(ValueError, match="epsilom"):
        estimator().set_params(epsilom=1)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_what_was_not_fitted_says_so(estimator):
    with pytest.raises(flaim.InputError, match="fit"):
        estimator().sample(10)


def test_repr_shows_what_was_changed():
    assert repr(flaim.AIM(epsilon=2.5)) == "AIM(epsilon=2.5)"
