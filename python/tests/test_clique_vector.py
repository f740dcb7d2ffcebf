"""flaim.CliqueVector: one table for each clique, all of them views of one vector."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flaim
from brute_force import SMALL, TRICKY_CLIQUES, log_joint

CLIQUES = [("a", "b"), ("c", "b"), ("e", "d", "c")]


def test_every_table_is_a_view_of_one_vector_with_axes_as_its_clique_is_written():
    vector = flaim.CliqueVector.zeros(SMALL, CLIQUES)
    assert vector.size() == vector.flat.size == 6 + 12 + 24
    for number, (clique, factor) in enumerate(vector.items()):
        assert factor.domain == SMALL.project(clique)
        assert np.shares_memory(factor.values, vector.flat)
        factor.values[...] = number + 1
    np.testing.assert_array_equal(vector.flat, np.repeat([1.0, 2.0, 3.0], [6, 12, 24]))
    vector["c", "b"].values[3, 0] = -5
    assert vector.flat[6 + 0 * 4 + 3] == -5  # b before c, as in the domain


def test_a_vector_wraps_an_array_without_a_copy_and_refuses_one_that_does_not_fit():
    layout = flaim.CliqueVector.zeros(SMALL, CLIQUES).layout
    flat = np.arange(42.0)
    assert flaim.CliqueVector(layout, flat).flat is flat
    for wrong in (np.arange(41.0), np.arange(42), np.arange(84.0)[::2], np.arange(42.0).reshape(6, 7)):
        with pytest.raises(flaim.InputError, match="42 cells"):
            flaim.CliqueVector(layout, wrong)


def test_a_vector_is_a_mapping_from_cliques_to_factors():
    vector = flaim.CliqueVector.random(SMALL, CLIQUES + ["e"], random_state=1)
    assert list(vector) == [*CLIQUES, ("e",)] and len(vector) == 4
    assert ("c", "b") in vector and ["c", "b"] in vector and ("b", "c") not in vector
    assert "e" in vector and ("e",) in vector and "a" not in vector and 3 not in vector
    np.testing.assert_array_equal(vector["e"].values, vector[("e",)].values)
    assert vector.get(("a", "e")) is None
    with pytest.raises(KeyError):
        vector["a", "e"]


def test_tables_are_set_from_factors_in_any_order_and_from_arrays_as_the_clique_is_written():
    table = np.arange(6.0).reshape(2, 3)
    factor = flaim.Factor(SMALL.project(("a", "b")), table)
    vector = flaim.CliqueVector.from_dict(SMALL, {("b", "a"): factor, ("a", "b"): table})
    np.testing.assert_array_equal(vector["b", "a"].values, table.T)
    np.testing.assert_array_equal(vector["a", "b"].values, table)
    assert not np.shares_memory(vector.flat, table)
    with pytest.raises(flaim.InputError, match="no table over"):
        vector["b", "a"] = table
    with pytest.raises(flaim.InputError, match="no order of"):
        vector["b", "a"] = flaim.Factor.ones(SMALL.project(("a", "c")))


@pytest.mark.parametrize("cliques, text", [
    ([("a", "b"), ("a", "b")], "given twice"),
    ([("a", "a")], "named twice"),
    ([("a", "x")], "no attribute 'x'"),
])
def test_cliques_that_make_no_sense_are_refused(cliques, text):
    with pytest.raises(flaim.InputError, match=text):
        flaim.CliqueVector.zeros(SMALL, cliques)


def test_arithmetic_is_cell_by_cell_and_keeps_the_layout():
    one, other = (flaim.CliqueVector.random(SMALL, CLIQUES, random_state=seed) for seed in (1, 2))
    for result, expected in (
        (one + other, one.flat + other.flat),
        (one - 2 * other, one.flat - 2 * other.flat),
        (np.float64(3) - one, 3 - one.flat),
        (one * other / 4, one.flat * other.flat / 4),
        (1 + one, 1 + one.flat),
        (-one, -one.flat),
        (one.exp(), np.exp(one.flat)),
        (one.exp().log(), one.flat),
    ):
        assert isinstance(result, flaim.CliqueVector) and result.layout is one.layout
        np.testing.assert_allclose(result.flat, expected)
    assert one.dot(other) == pytest.approx(one.flat @ other.flat)
    zeros = flaim.CliqueVector.zeros(SMALL, CLIQUES)
    assert zeros.dot(one.log() - np.inf) == 0
    with pytest.raises(flaim.InputError, match="same cliques"):
        one + flaim.CliqueVector.zeros(SMALL, CLIQUES[::-1])
    with pytest.raises(TypeError):
        one + np.ones(42)


def test_vectors_compare_copy_and_pickle_by_value():
    vector = flaim.CliqueVector.random(SMALL, CLIQUES, random_state=3)
    flaim.belief_propagation(vector)  # has built its junction tree
    for other in (vector.copy(), copy.deepcopy(vector), pickle.loads(pickle.dumps(vector))):
        assert other == vector and not np.shares_memory(other.flat, vector.flat)
        np.testing.assert_array_equal(flaim.belief_propagation(other)[0].flat, flaim.belief_propagation(vector)[0].flat)
    assert vector != vector + 1 and vector != "something else"


def test_a_projection_comes_from_the_smallest_clique_that_contains_it():
    vector = flaim.CliqueVector.random(SMALL, [("a", "b", "c"), ("c", "b")], random_state=4)
    assert vector.parent(("b",)) == ("c", "b") and vector.parent("a") == ("a", "b", "c")
    assert vector.parent(("a", "d")) is None and vector.supports(("c", "a")) and not vector.supports("e")
    np.testing.assert_allclose(vector.project("b").values, vector["c", "b"].values.sum(axis=0))
    assert np.shares_memory(vector.project(("c", "b")).values, vector.flat)
    np.testing.assert_allclose(vector.project(("c", "a")).values, vector["a", "b", "c"].values.sum(axis=1).T)
    np.testing.assert_allclose(
        vector.project(("c", "a"), log=True).values, np.log(np.exp(vector["a", "b", "c"].values).sum(axis=1).T)
    )
    smaller = vector.contract([("a",), ("b", "c")])
    np.testing.assert_allclose(smaller["b", "c"].values, vector["c", "b"].values.T)
    with pytest.raises(flaim.InputError, match="no clique of this vector contains"):
        vector.project("e")


@settings(deadline=None, max_examples=50)
@given(st.sampled_from(TRICKY_CLIQUES), st.integers(0, 2**32 - 1))
def test_expanding_to_larger_cliques_keeps_the_distribution(cliques, seed):
    vector = flaim.CliqueVector.random(SMALL, cliques, random_state=seed)
    larger = vector.expand([("d", "c", "b", "a", "e"), ("a",)])
    np.testing.assert_allclose(log_joint(larger), log_joint(vector), atol=1e-12)
    if cliques and max(map(len, cliques)) > 1:
        with pytest.raises(flaim.InputError, match="none of the cliques"):
            vector.expand([(name,) for name in SMALL])


def test_each_table_is_normalised_by_itself():
    vector = flaim.CliqueVector.random(SMALL, CLIQUES, random_state=5)
    for normalised in (vector.normalize(9).exp(), vector.normalize(9, log=False)):
        assert normalised.layout is vector.layout
        for factor in normalised.values():
            assert float(factor.sum()) == pytest.approx(9)
