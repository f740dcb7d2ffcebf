"""The discrete Gaussian and the exponential mechanism: exact distributions, rounding to the private side, sources."""

import math
import pickle
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import flaim
from flaim import privacy

ALPHA = 1e-9  # how often a right sampler would fail a test here, were it not seeded


def check_frequencies(observed, probabilities):
    """Chi-squared; rare outcomes are put together so that each class expects ten draws or more."""
    expected = probabilities * observed.sum()
    rare = expected < 10
    observed = np.append(observed[~rare], observed[rare].sum())
    expected = np.append(expected[~rare], expected[rare].sum())
    if expected[-1] == 0:
        assert observed[-1] == 0
        observed, expected = observed[:-1], expected[:-1]
    statistic = np.sum((observed - expected) ** 2 / expected)
    assert statistic < stats.chi2.isf(ALPHA, len(expected) - 1)


@pytest.mark.parametrize("sigma_squared", [Fraction(1, 20), Fraction(1, 2), 1, Fraction(7, 3), 40.5, 1000])
def test_discrete_gaussian_draws_have_the_exact_distribution(sigma_squared):
    draws = flaim.discrete_gaussian(sigma_squared, 200_000, random_state=flaim.RandomSource.seeded(1, "chi-squared"))
    reach = int(20 * math.sqrt(sigma_squared)) + 5
    values = np.arange(-reach, reach + 1)
    weights = np.exp(-(values.astype(float) ** 2) / (2 * float(sigma_squared)))
    assert np.abs(draws).max() <= reach
    check_frequencies(np.bincount(draws + reach, minlength=2 * reach + 1), weights / weights.sum())


@pytest.mark.parametrize("scores, epsilon, sensitivity", [
    ([0, 1, 2, 3], 1, 1),
    ([5, 5, 5], 2, 1),
    ([-1000, 0, 2520, 5040], Fraction(1, 3), 2520),
    ([0, 40, 41], 1.5, 1),
    ([7, -7], 0, 1),
    ([2**63 - 1, 2**63 - 2, -(2**63)], 1, 1),
])
def test_the_exponential_mechanism_chooses_with_exact_probabilities(scores, epsilon, sensitivity):
    source = flaim.RandomSource.seeded(2, "chi-squared")
    choices = [flaim.exponential_mechanism(scores, epsilon, sensitivity, source) for _ in range(20_000)]
    behind = [max(scores) - score for score in scores]
    weights = np.array([math.exp(-float(epsilon) * distance / (2 * sensitivity)) for distance in behind])
    check_frequencies(np.bincount(choices, minlength=len(scores)), weights / weights.sum())


def test_a_large_gap_between_scores_leaves_no_choice():
    assert {flaim.exponential_mechanism([0, 2**63 - 1, -(2**63)], 1) for _ in range(50)} == {1}


numbers = st.one_of(
    st.floats(2**-12, 2**38),
    st.fractions(Fraction(1, 2**12), 2**38, max_denominator=10**15),
    st.decimals(Decimal("0.001"), Decimal("1e9"), places=25),
    st.integers(1, 2**38),
)


@settings(deadline=None, max_examples=300)
@given(numbers)
def test_variances_are_rounded_up_and_epsilons_down_by_next_to_nothing(number):
    exact = Fraction(number)
    above, below = privacy.GaussianMechanism(number).sigma_squared, privacy.ExponentialMechanism(exact / 2**39).epsilon
    assert exact <= above <= exact * (1 + Fraction(1, 2**29)) + Fraction(1, 2**40)
    assert flaim.DiscreteGaussian(number).sigma_squared == above
    assert exact / 2**39 * (1 - Fraction(1, 2**29)) - Fraction(1, 2**40) <= below <= exact / 2**39
    for rounded in (above, below):
        assert rounded.numerator <= 2**40 and rounded.denominator <= 2**40
    if exact.numerator <= 2**40 and exact.denominator <= 2**40:
        assert above == exact


@settings(deadline=None, max_examples=300)
@given(numbers, st.integers(1, 1000))
def test_costs_are_exact_to_the_last_unit_and_never_below(number, sensitivity):
    unit = Fraction(1, 2**50)
    gaussian = privacy.GaussianMechanism(number + 1000, sensitivity)
    true_cost = Fraction(sensitivity) / (2 * gaussian.sigma_squared)
    assert true_cost <= Fraction(gaussian.rho) < true_cost + unit
    exponential = privacy.ExponentialMechanism(Fraction(number) / 2**37)
    true_cost = exponential.epsilon**2 / 8
    assert true_cost <= Fraction(exponential.rho) < true_cost + unit


def test_mechanisms_are_values():
    gaussian, exponential = privacy.GaussianMechanism(0.1, 3), privacy.ExponentialMechanism(Fraction(1, 3), 5)
    assert privacy.GaussianMechanism(np.int64(3)) == privacy.GaussianMechanism(Fraction(3)) != gaussian
    for mechanism in (gaussian, exponential):
        assert pickle.loads(pickle.dumps(mechanism)) == mechanism
        assert hash(pickle.loads(pickle.dumps(mechanism))) == hash(mechanism)
    assert repr(exponential) == "ExponentialMechanism(epsilon=Fraction(1, 3), sensitivity=5)"


@pytest.mark.parametrize("make, error, text", [
    (lambda: privacy.GaussianMechanism(0), flaim.InputError, "no noise"),
    (lambda: privacy.GaussianMechanism(-1.0), flaim.InputError, "allowed are 0"),
    (lambda: privacy.GaussianMechanism(float("inf")), flaim.InputError, "finite"),
    (lambda: privacy.GaussianMechanism(float("nan")), flaim.InputError, "finite"),
    (lambda: privacy.GaussianMechanism(2**40), flaim.InputError, "2\\^39"),
    (lambda: privacy.GaussianMechanism("3"), TypeError, "number was expected"),
    (lambda: privacy.GaussianMechanism(True), TypeError, "number was expected"),
    (lambda: privacy.GaussianMechanism(1, 0), flaim.InputError, "at least 1"),
    (lambda: privacy.GaussianMechanism(1, 1.5), flaim.InputError, "whole number"),
    (lambda: privacy.ExponentialMechanism(1, 0), flaim.InputError, "at least 1"),
    (lambda: privacy.ExponentialMechanism(-0.5), flaim.InputError, "allowed are 0"),
    (lambda: flaim.DiscreteGaussian(0), flaim.InputError, "no noise"),
    (lambda: flaim.discrete_gaussian(1, -1), flaim.InputError, "negative"),
    (lambda: flaim.exponential_mechanism([], 1), flaim.InputError, "nothing to choose"),
    (lambda: flaim.exponential_mechanism([1.0, 2.0], 1), flaim.InputError, "integer type"),
    (lambda: flaim.exponential_mechanism([[1, 2]], 1), flaim.InputError, "2 dimensions"),
    (lambda: flaim.exponential_mechanism(np.array([2**63], dtype=np.uint64), 1), flaim.InputError, "64 bits"),
    (lambda: flaim.discrete_gaussian(1, 1, random_state=-1), ValueError, "whole number"),
])
def test_what_is_no_mechanism_is_refused(make, error, text):
    with pytest.raises(error, match=text):
        make()


def test_draws_have_the_shape_that_is_asked_for():
    noise = flaim.DiscreteGaussian(4)
    assert isinstance(noise.sample(), int)
    for size, shape in ((5, (5,)), (0, (0,)), ((2, 3), (2, 3)), ([4, 0], (4, 0)), ((), ())):
        drawn = noise.sample(size)
        assert drawn.shape == shape and drawn.dtype == np.int64
    np.testing.assert_array_equal(noise.sample((2, 3), 7).reshape(-1), noise.sample(6, 7))


def test_seeds_repeat_labels_differ_and_secure_noise_never_repeats():
    def draw(state):
        return flaim.discrete_gaussian(10**9, 20, random_state=state).tolist()

    assert draw(3) == draw(3) == draw(flaim.RandomSource.seeded(3)) != draw(4)
    assert draw(flaim.RandomSource.seeded(3, "x")) != draw(flaim.RandomSource.seeded(3, "y"))
    source = flaim.RandomSource.seeded(3)
    assert draw(source) == draw(3) and draw(source) != draw(3)  # it goes on where it was
    assert draw(np.random.default_rng(5)) == draw(np.random.default_rng(5))
    assert draw(None) != draw(None) != draw(flaim.RandomSource.secure())


def test_a_source_says_whether_it_protects_anybody():
    secure, seeded = flaim.RandomSource.secure(), flaim.RandomSource.seeded(9, "label")
    assert secure.is_secure and secure.provenance == "secure"
    assert not seeded.is_secure and "NOT PRIVATE" in seeded.provenance and "9" in repr(seeded)


FORK = """
import os, flaim
source = flaim.RandomSource.secure()
draw = lambda: str(flaim.discrete_gaussian(10**9, 8, random_state=source).tolist()).encode()
draw()  # its pool is filled
read, write = os.pipe()
if os.fork() == 0:
    os.write(write, draw())
    os._exit(0)
mine = draw()
os.wait()
assert os.read(read, 10_000) != mine, "both sides of a fork draw the same noise"
"""


def test_both_sides_of_a_fork_draw_different_noise():
    subprocess.run([sys.executable, "-c", FORK], check=True, timeout=60)


@settings(deadline=None, max_examples=200)
@given(
    st.lists(st.tuples(st.integers(0, 10**6), st.floats(0, 1e6)), min_size=1, max_size=8),
    st.integers(1, 100),
    st.floats(0, 1e5),
)
def test_a_query_score_is_the_weighted_distance_and_one_record_moves_it_by_its_sensitivity(cells, weight, penalty):
    counts, expected = (np.array(side) for side in zip(*cells))
    scale = privacy.SCORE_SCALE
    score = privacy.query_score(counts, expected, weight=weight, penalty=penalty)
    distance = sum(abs(scale * int(count) - round(scale * public)) for count, public in zip(counts, expected))
    # Half units may be rounded either way: at most one for each cell, and one for the penalty.
    assert abs(score - weight * (distance - round(scale * penalty))) <= weight * (len(cells) + 1)
    neighbour = counts.copy()
    neighbour[0] += 1
    moved = abs(privacy.query_score(neighbour, expected, weight=weight, penalty=penalty) - score)
    assert moved <= privacy.score_sensitivity([1, weight])
    if expected[0] <= counts[0]:
        assert moved == privacy.score_sensitivity([weight])


@pytest.mark.parametrize("arguments, text", [
    (([1, 2], [1.0]), "shape"),
    (([[1, 2, 3], [4, 5, 6]], np.ones((3, 2))), "shape"),
    (([1.5], [1.0]), "integer type"),
    (([1], [float("nan")]), "not finite"),
])
def test_scores_of_what_is_no_marginal_are_refused(arguments, text):
    with pytest.raises(flaim.InputError, match=text):
        privacy.query_score(*arguments)


def test_a_count_that_no_rows_have_counts_as_the_nearest_one_because_an_error_would_tell():
    assert privacy.query_score([-1], [1.0]) == privacy.query_score([0], [1.0])


def test_weights_and_penalties_without_meaning_are_refused():
    for weight, text in ((0, "positive"), (-2, "positive"), (1.5, "whole number")):
        with pytest.raises(flaim.InputError, match=text):
            privacy.query_score([1], [1.0], weight=weight)
        with pytest.raises(flaim.InputError, match=text):
            privacy.score_sensitivity([1, weight])
    with pytest.raises(flaim.InputError, match="penalty"):
        privacy.query_score([1], [1.0], penalty=float("nan"))
    with pytest.raises(flaim.InputError, match="no candidates"):
        privacy.score_sensitivity([])
