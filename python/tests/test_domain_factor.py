"""flaim.Domain and flaim.Factor: names, axes, views, arithmetic by name."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flaim

DOMAIN = flaim.Domain(["a", "b", "c"], [2, 3, 4])


def test_a_domain_knows_names_sizes_and_axes():
    assert DOMAIN == flaim.Domain.from_dict({"a": 2, "b": 3, "c": 4}) == flaim.Domain("abc", (2, 3, 4))
    assert DOMAIN.to_dict() == {"a": 2, "b": 3, "c": 4}
    assert list(DOMAIN) == ["a", "b", "c"] and len(DOMAIN) == 3 and "b" in DOMAIN and "x" not in DOMAIN
    assert DOMAIN["c"] == 4 and DOMAIN.size() == 24 and DOMAIN.size(("c", "a")) == 8 and DOMAIN.size(()) == 1
    assert DOMAIN.axes(("c", "a")) == (2, 0) and DOMAIN.axes("b") == (1,)
    assert repr(DOMAIN) == "Domain(a: 2, b: 3, c: 4)"


def test_a_domain_of_many_attributes_has_an_exact_size():
    assert flaim.Domain([f"x{i}" for i in range(200)], [10] * 200).size() == 10**200


def test_domains_are_projected_merged_and_intersected():
    assert DOMAIN.project(("c", "a")) == flaim.Domain(["c", "a"], [4, 2])
    assert DOMAIN.project("b") == flaim.Domain(["b"], [3])
    assert DOMAIN.marginalize(("a", "c")) == flaim.Domain(["b"], [3])
    other = flaim.Domain(["d", "c"], [5, 4])
    assert DOMAIN.merge(other) == flaim.Domain(["a", "b", "c", "d"], [2, 3, 4, 5])
    assert other.merge(DOMAIN) == flaim.Domain(["d", "c", "a", "b"], [5, 4, 2, 3])
    assert DOMAIN.intersect(other) == flaim.Domain(["c"], [4])
    assert DOMAIN.contains(flaim.Domain(["c"], [4])) and not DOMAIN.contains(other)


def test_a_domain_is_a_value_that_can_be_hashed_copied_and_pickled_but_not_changed():
    flaim.belief_propagation(flaim.CliqueVector.zeros(DOMAIN, ["a"]))  # has made its counterpart in C++
    for other in (pickle.loads(pickle.dumps(DOMAIN)), copy.deepcopy(DOMAIN)):
        assert other == DOMAIN and hash(other) == hash(DOMAIN)
    with pytest.raises(AttributeError):
        DOMAIN.shape = (2, 3, 5)


@pytest.mark.parametrize("names, sizes, text", [
    (["a", "a"], [2, 2], "named twice"),
    (["a"], [2, 2], "one for each"),
    (["a"], [0], "at least one"),
    (["a"], [2.5], "whole number"),
    (["a"], [2**70], "64 bits"),
    ([1], [2], "text"),
])
def test_what_is_no_domain_is_refused(names, sizes, text):
    with pytest.raises(flaim.InputError, match=text):
        flaim.Domain(names, sizes)


def test_unknown_attributes_and_sizes_that_disagree_are_refused():
    for ask in (DOMAIN.project, DOMAIN.marginalize, DOMAIN.axes, DOMAIN.size, DOMAIN.__getitem__):
        with pytest.raises(flaim.InputError, match="no attribute 'x'; there are a, b, c"):
            ask("x")
    with pytest.raises(flaim.InputError, match="3 values here and 9 there"):
        DOMAIN.merge(flaim.Domain(["b"], [9]))
    with pytest.raises(flaim.InputError, match="named twice"):
        DOMAIN.project(("a", "a"))


def test_a_factor_over_an_array_is_a_view_of_it():
    values = np.arange(24.0).reshape(2, 3, 4)
    factor = flaim.Factor(DOMAIN, values)
    assert factor.values is values
    turned = factor.transpose(("c", "a", "b"))
    part = factor.slice({"b": 1, "unrelated": 7})
    wide = factor.expand(flaim.Domain(["c", "d", "a", "b"], [4, 5, 2, 3]))
    for view in (turned.values, part.values, wide.values, factor.datavector(), np.asarray(factor)):
        assert np.shares_memory(view, values)
    values[1, 1, 3] = -1
    assert turned.values[3, 1, 1] == part.values[1, 3] == wide.values[3, 4, 1, 1] == -1
    assert part.domain == flaim.Domain(["a", "c"], [2, 4])
    with pytest.raises(ValueError, match="read-only"):
        wide.values[...] = 0
    assert not np.shares_memory(factor.copy().values, values)


def test_a_factor_takes_its_values_flat_or_in_shape_and_nothing_else():
    table = np.arange(6.0).reshape(2, 3)
    domain = DOMAIN.project(("a", "b"))
    np.testing.assert_array_equal(flaim.Factor(domain, list(range(6))).values, table)
    for wrong in (table.T, np.zeros((1, 6)), np.zeros(5), 3.0):
        with pytest.raises(flaim.InputError, match="no table over"):
            flaim.Factor(domain, wrong)
    assert float(flaim.Factor(flaim.Domain([], []), 3.0)) == 3.0
    with pytest.raises(TypeError, match="not one number"):
        float(flaim.Factor.zeros(domain))


def test_what_does_not_fit_a_factor_is_refused():
    factor = flaim.Factor.ones(DOMAIN)
    with pytest.raises(flaim.InputError, match="no order of"):
        factor.transpose(("a", "b"))
    for domain in (DOMAIN.project(("a", "b")), flaim.Domain("abc", (2, 3, 1)), flaim.Domain("abc", (2, 3, 5))):
        with pytest.raises(flaim.InputError, match="does not contain"):
            factor.expand(domain)
    for code in (-1, 3):
        with pytest.raises(flaim.InputError, match=f"no code {code}"):
            factor.slice({"b": code})
    with pytest.raises(TypeError):
        factor + np.ones(4)


attribute_sets = st.lists(st.sampled_from("abc"), unique=True, min_size=0, max_size=3)


@settings(deadline=None, max_examples=100)
@given(attribute_sets, st.integers(0, 2**32 - 1))
def test_aggregation_equals_numpy_over_the_axes_of_the_names(names, seed):
    factor = flaim.Factor.random(DOMAIN, seed)
    values = factor.values - 0.5
    factor = flaim.Factor(DOMAIN, values)
    axes = DOMAIN.axes(names)
    rest = [name for name in "abc" if name not in names]
    np.testing.assert_allclose(factor.sum(names).values, values.sum(axis=axes), rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(factor.max(names).values, values.max(axis=axes))
    np.testing.assert_allclose(factor.logsumexp(names).values, np.log(np.exp(values).sum(axis=axes)), atol=1e-12)
    assert factor.sum(names).domain == DOMAIN.project(rest)
    onto = factor.project(names)
    assert onto.domain == DOMAIN.project(names)
    expected = values.sum(axis=DOMAIN.axes(rest)).transpose(np.argsort(np.argsort(axes)))
    np.testing.assert_allclose(onto.values, expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(factor.project(names, log=True).exp().values, factor.exp().project(names).values)


@settings(deadline=None, max_examples=100)
@given(attribute_sets, attribute_sets, st.sampled_from(["__add__", "__sub__", "__mul__", "__truediv__"]))
def test_arithmetic_aligns_attributes_by_name(left_names, right_names, operation):
    left = flaim.Factor.random(DOMAIN.project(left_names), 1)
    right = flaim.Factor.random(DOMAIN.project(right_names), 2) + 0.5
    result = getattr(left, operation)(right)
    assert result.domain == left.domain.merge(right.domain)
    for record in np.ndindex(*DOMAIN.shape):
        code = dict(zip("abc", record))
        one, other = float(left.slice(code)), float(right.slice(code))
        assert float(result.slice(code)) == pytest.approx(getattr(one, operation)(other), rel=1e-15)


def test_numbers_of_python_and_numpy_combine_from_either_side():
    factor = flaim.Factor(DOMAIN.project("a"), [1, 3])
    for two in (2, 2.0, np.float64(2), np.int64(2)):
        for result, expected in ((two + factor, [3, 5]), (two - factor, [1, -1]), (two * factor, [2, 6]),
                                 (factor / two, [0.5, 1.5]), (-factor, [-1, -3])):
            assert isinstance(result, flaim.Factor)
            np.testing.assert_array_equal(result.values, expected)


def test_logarithms_survive_zeros_and_magnitudes_that_overflow_exp():
    factor = flaim.Factor(DOMAIN.project(("a", "b")), [[1000, 1000, -np.inf], [-np.inf] * 3])
    summed = factor.logsumexp("b")
    np.testing.assert_allclose(summed.values, [1000 + np.log(2), -np.inf])
    np.testing.assert_array_equal(flaim.Factor(DOMAIN.project("a"), [0, 1]).log().values, [-np.inf, 0])
    np.testing.assert_allclose(factor.normalize(10, log=True).exp().values, [[5, 5, 0], [0, 0, 0]])
    assert float(flaim.Factor.random(DOMAIN, 3).normalize(7).sum()) == pytest.approx(7)
    for table, log in (([0, 0], False), ([-np.inf, -np.inf], True)):
        with pytest.raises(flaim.InputError, match="without any mass"):
            flaim.Factor(DOMAIN.project("a"), table).normalize(log=log)


def test_a_dot_product_aligns_axes_and_ignores_what_is_infinite_where_the_other_side_is_zero():
    left = flaim.Factor.random(DOMAIN.project(("a", "c")), 4)
    right = flaim.Factor.random(DOMAIN.project(("c", "a")), 5)
    assert left.dot(right) == pytest.approx((left.values * right.values.T).sum())
    one = DOMAIN.project("a")
    assert flaim.Factor(one, [0, 2]).dot(flaim.Factor(one, [-np.inf, 3])) == 6
    with pytest.raises(flaim.InputError, match="different attributes"):
        left.dot(flaim.Factor.ones(one))
