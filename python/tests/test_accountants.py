"""What releases cost: golden values, independent formulas, and never below the truth."""

import json
import math
import pickle
import subprocess
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize
from scipy.stats import norm

import flaim
from flaim.privacy import ExponentialMechanism, GaussianMechanism

# At epsilon 1: delta, the rho of zCDP, the mu of a continuous Gaussian.
GOLDEN = [(1e-5, 0.03056, 0.2681), (1e-6, 0.02436, 0.2367), (1e-7, 0.02019, 0.2137), (1e-9, 0.01497, 0.1820)]


@pytest.mark.parametrize("delta, rho, mu", GOLDEN)
def test_golden_values_at_epsilon_one(delta, rho, mu):
    assert flaim.rho_for(1, delta) == pytest.approx(rho, abs=5e-6)
    assert flaim.ContinuousGaussian.within(1, delta).mu == pytest.approx(mu, abs=5e-5)


promises = st.tuples(st.floats(0.01, 20), st.floats(-12, -2).map(lambda exponent: 10**exponent))


@settings(deadline=None, max_examples=200)
@given(promises)
def test_what_a_promise_affords_keeps_it_and_hardly_more_would_break_it(promise):
    epsilon, delta = promise
    rho = flaim.rho_for(epsilon, delta)
    assert flaim.delta_for(rho, epsilon) <= delta < flaim.delta_for(rho * (1 + 1e-6), epsilon)
    assert flaim.epsilon_for(rho, delta) <= epsilon < flaim.epsilon_for(rho * (1 + 1e-6), delta)
    gaussian = flaim.ContinuousGaussian.within(epsilon, delta)
    assert gaussian.delta(epsilon) <= delta < flaim.ContinuousGaussian(gaussian.mu * (1 + 1e-6)).delta(epsilon)
    assert gaussian.epsilon(delta) <= epsilon * (1 + 1e-9)
    assert gaussian.mu**2 / 2 > rho  # zCDP pays for more than Gaussian noise alone


def zcdp_delta(rho, epsilon):
    """The tight conversion, minimised over the order of the Renyi divergence."""

    def log_delta(log_order_above_one):
        order = 1 + math.exp(log_order_above_one)
        return (order - 1) * (order * rho - epsilon) - math.log(order - 1) + order * math.log1p(-1 / order)

    grid = min(np.linspace(-10, 15, 500), key=log_delta)
    best = optimize.minimize_scalar(log_delta, bounds=(grid - 0.1, grid + 0.1), options={"xatol": 1e-9})
    return min(1.0, math.exp(best.fun))


@settings(deadline=None, max_examples=50)
@given(st.floats(1e-4, 2), st.floats(0.05, 10))
def test_zcdp_becomes_epsilon_and_delta_by_the_tight_conversion(rho, epsilon):
    expected = zcdp_delta(rho, epsilon)
    if expected > 1e-200:
        assert expected * (1 - 1e-9) <= flaim.delta_for(rho, epsilon) <= expected * (1 + 1e-6)


@settings(deadline=None, max_examples=100)
@given(st.floats(0.05, 5), st.floats(0, 10))
def test_a_continuous_gaussian_has_its_analytic_delta(mu, epsilon):
    near, far = norm.logcdf(mu / 2 - epsilon / mu), epsilon + norm.logcdf(-mu / 2 - epsilon / mu)
    expected = math.exp(near) * -math.expm1(far - near)
    assert flaim.ContinuousGaussian(mu).delta(epsilon) == pytest.approx(expected, rel=1e-7, abs=1e-13)
    assert flaim.ContinuousGaussian(mu).delta(epsilon) >= expected * (1 - 1e-7) - 1e-14


def test_costs_of_zero_and_of_rounding_are_on_the_private_side():
    assert flaim.epsilon_for(0, 1e-6) == 0 and flaim.delta_for(0, 0.5) == 0
    # Costs count in units of 2^-50: what is less than one is one.
    assert flaim.delta_for(Fraction(1, 2**60), 0) == flaim.delta_for(Fraction(1, 2**50), 0) > 0
    assert flaim.epsilon_for(Fraction(1, 2**60), 1e-12) == flaim.epsilon_for(Fraction(1, 2**50), 1e-12) > 0
    assert flaim.ExactAccountant([]).delta(0) == 0


def discrete_gaussian_delta(sigma_squared, sensitivity_squared, epsilon):
    """By summing: one record moves each of so many cells by one."""
    values = np.arange(-400, 401)
    mass = np.exp(-(values.astype(float) ** 2) / (2 * sigma_squared))
    mass /= mass.sum()
    # The privacy loss at k of one cell is ((k - 1)^2 - k^2) / 2 sigma^2 = (1 - 2 k) / 2 sigma^2; losses add up.
    total = mass
    for _ in range(sensitivity_squared - 1):
        total = np.convolve(total, mass)
    sums = np.arange(len(total)) - len(total) // 2
    losses = (sensitivity_squared - 2 * sums) / (2 * sigma_squared)
    return float(np.sum(total * np.clip(-np.expm1(epsilon - losses), 0, None)))


@pytest.mark.parametrize("sigma_squared, sensitivity_squared", [(4, 1), (20, 1), (20, 3), (100, 2)])
@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0])
def test_the_exact_accountant_is_just_above_the_truth_for_discrete_noise(sigma_squared, sensitivity_squared, epsilon):
    exact = flaim.ExactAccountant([GaussianMechanism(sigma_squared, sensitivity_squared)]).delta(epsilon)
    truth = discrete_gaussian_delta(sigma_squared, sensitivity_squared, epsilon)
    assert truth * (1 - 1e-9) - 1e-15 <= exact <= 1.02 * truth + 1e-12


@pytest.mark.parametrize("epsilon", [0, 0.2, 0.5, 0.9, 1.0, 1.1])
def test_the_exact_accountant_knows_a_single_selection(epsilon):
    exact = flaim.ExactAccountant([ExponentialMechanism(1)]).delta(epsilon)
    low = np.linspace(0, 1, 20_001)
    chance = (math.e - np.exp(low)) / (math.e - 1)
    above, below = (np.clip(-np.expm1(epsilon - loss), 0, None) for loss in (low, low - 1))
    truth = np.max(chance * above + (1 - chance) * below)
    assert truth - 1e-12 <= exact <= truth + 1e-3


SCHEDULES = {
    "ten measurements": lambda: [GaussianMechanism(400)] * 10,
    "fourteen one-ways": lambda: [GaussianMechanism(500, 14)],
    "selections": lambda: [ExponentialMechanism(0.1)] * 8,
    "rounds": lambda: [ExponentialMechanism(0.05), GaussianMechanism(600)] * 8,
    "AIM": lambda: [
        GaussianMechanism(900, 14),
        *[ExponentialMechanism(Fraction(1, 20), 2520), GaussianMechanism(700)] * 5,
    ],
}


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("delta", [1e-5, 1e-9])
def test_exact_accounting_is_tighter_than_zcdp_and_never_below_its_gaussian_part(schedule, delta):
    steps = SCHEDULES[schedule]()
    accountant = flaim.ExactAccountant(steps)
    zcdp = flaim.epsilon_for(sum(Fraction(step.rho) for step in steps), delta)
    epsilon = accountant.epsilon(delta)
    assert epsilon < zcdp
    assert accountant.best_delta(epsilon) <= delta * (1 + 1e-3)  # both round up, each in its own way
    assert accountant.best_delta(zcdp) <= delta
    gaussian = [step for step in steps if isinstance(step, GaussianMechanism)]
    if gaussian:
        mu = math.sqrt(sum(step.sensitivity_squared / step.sigma_squared for step in gaussian))
        # Discrete noise of this width hides as well as continuous noise, to many digits.
        assert epsilon >= flaim.ContinuousGaussian(mu).epsilon(delta) * (1 - 1e-6)


@settings(deadline=None, max_examples=15)
@given(st.lists(st.floats(0.02, 0.4), min_size=1, max_size=4), st.floats(0.1, 2))
def test_composed_continuous_gaussians_are_one_gaussian(parts, epsilon):
    together = flaim.ContinuousGaussian(math.sqrt(sum(mu**2 for mu in parts))).delta(epsilon)
    exact = flaim.ExactAccountant(map(flaim.ContinuousGaussian, parts)).delta(epsilon)
    assert together * (1 - 1e-9) <= exact <= 1.05 * together + 1e-12


@pytest.mark.parametrize("schedule", ["selections", "rounds"])
def test_calibrated_noise_keeps_the_promise_and_a_little_less_does_not(schedule):
    accountant = flaim.ExactAccountant(SCHEDULES[schedule]())
    scale = accountant.noise_scale_for(1.0, 1e-6)
    assert accountant.scaled(scale).best_delta(1.0) <= 1e-6 < accountant.scaled(0.999 * scale).best_delta(1.0)
    for before, after in zip(accountant.steps, accountant.scaled(2).steps):
        assert type(after) is type(before)
        if isinstance(before, GaussianMechanism):
            assert after.sigma_squared >= 4 * before.sigma_squared
            assert after.sigma_squared == pytest.approx(4 * before.sigma_squared)
        else:
            assert after.epsilon <= before.epsilon / 2 and after.epsilon == pytest.approx(before.epsilon / 2)
            assert after.sensitivity == before.sensitivity


@pytest.mark.parametrize("delta", [1e-5, 1e-9])
def test_numbers_are_those_of_the_program(flaim_program, delta):
    asked = ["--epsilon", "1", "--delta", str(delta), "--marginals", "10"]
    run = subprocess.run([flaim_program, "budget", *asked, "--json"], check=True, capture_output=True)
    printed = json.loads(run.stdout)
    assert flaim.rho_for(1, delta) == printed["rho"]
    assert flaim.ContinuousGaussian.within(1, delta).mu == printed["mu"]
    [priced] = printed["measuring_only"]
    accountant = flaim.ExactAccountant([GaussianMechanism(priced["sigma_exact"] ** 2, 10)])
    assert accountant.best_delta(1) == pytest.approx(delta, rel=5e-3)
    assert 10 * GaussianMechanism(priced["sigma_zcdp"] ** 2).rho == pytest.approx(printed["rho"])


def test_accountants_are_values_that_explain_themselves():
    gaussian = flaim.ContinuousGaussian(0.25)
    assert pickle.loads(pickle.dumps(gaussian)) == gaussian and repr(gaussian) == "ContinuousGaussian(mu=0.25)"
    assert repr(flaim.ExactAccountant([gaussian] * 10)) == "ExactAccountant(10 steps)"


@pytest.mark.parametrize("ask, error, text", [
    (lambda: flaim.rho_for(-1, 1e-6), flaim.InputError, "epsilon"),
    (lambda: flaim.rho_for(1, 0), flaim.InputError, "delta"),
    (lambda: flaim.rho_for(1, 1), flaim.InputError, "delta"),
    (lambda: flaim.epsilon_for(-1, 1e-6), flaim.InputError, "rho"),
    (lambda: flaim.epsilon_for(1e9, 1e-6), flaim.InputError, "rho"),
    (lambda: flaim.epsilon_for(float("nan"), 1e-6), flaim.InputError, "finite"),
    (lambda: flaim.delta_for(1, -1), flaim.InputError, "epsilon"),
    (lambda: flaim.ContinuousGaussian(-1), flaim.InputError, "mu"),
    (lambda: flaim.ContinuousGaussian(float("nan")), flaim.InputError, "mu"),
    (lambda: flaim.ExactAccountant([1]), TypeError, "mechanism"),
    (lambda: flaim.ExactAccountant([GaussianMechanism(9)]).delta(-1), flaim.InputError, "epsilon"),
    (lambda: flaim.ExactAccountant([GaussianMechanism(9)]).epsilon(0), flaim.InputError, "delta"),
    (lambda: flaim.ExactAccountant([GaussianMechanism(9)]).scaled(0), flaim.InputError, "scale"),
])
def test_questions_without_an_answer_are_refused(ask, error, text):
    with pytest.raises(error, match=text):
        ask()
