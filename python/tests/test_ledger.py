"""flaim.Ledger: pays first, releases once, refuses beyond the promise, and shows what happened."""

import json
import sqlite3
import stat
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

import flaim
from flaim.privacy import ExponentialMechanism, GaussianMechanism

COUNTS = np.arange(6).reshape(2, 3)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "people.ledger"


@pytest.fixture
def ledger(path):
    return flaim.Ledger.create(path, data="people", epsilon=1, delta=1e-6)


def test_a_new_ledger_affords_what_the_promise_does(ledger, path):
    assert (ledger.data, ledger.epsilon, ledger.delta) == ("people", 1, 1e-6)
    assert ledger.total == ledger.left == flaim.rho_for(1, 1e-6) and ledger.spent == 0 and ledger.debits() == []
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert flaim.Ledger.open_or_create(path, data="people", epsilon=1).total == ledger.total
    assert repr(ledger) == f"Ledger({str(path)!r}, data='people', spent=0.000000 of 0.024356)"


def test_a_release_pays_its_mechanism_and_keeps_the_shape(ledger):
    noisy = ledger.release_gaussian("fit", 0, "a,b", COUNTS, 1000, sensitivity_squared=2)
    assert noisy.shape == COUNTS.shape and noisy.dtype == np.int64 and not np.array_equal(noisy, COUNTS)
    assert np.abs(noisy - COUNTS).max() < 50 * np.sqrt(1000)
    choice = ledger.release_exponential("select", 1, "candidates", [0, 10**6, 5], Fraction(1, 10))
    assert choice == 1
    costs = [GaussianMechanism(1000, 2).rho, ExponentialMechanism(Fraction(1, 10)).rho]
    assert ledger.spent_exactly == sum(map(Fraction, costs)) == Fraction(ledger.spent)
    assert ledger.spent_by("fit") == costs[0] and ledger.spent_by("select") == costs[1] and ledger.spent_by("x") == 0
    assert ledger.left == pytest.approx(ledger.total - sum(costs), abs=1e-15)
    first, second = ledger.debits()
    assert (first.run, first.round, first.query, first.attempt, first.noise) == ("fit", 0, "a,b", 1, "secure")
    assert first.mechanism == "Gaussian, sigma^2 = 1000, sensitivity^2 = 2" and first.rho == costs[0]
    assert second.mechanism == "exponential, epsilon = 1/10, sensitivity = 1" and second.rho_cumulative == ledger.spent
    assert first.time <= second.time


@pytest.mark.parametrize("counts", [7, [], [[]], np.zeros((2, 0, 3), int), np.arange(24).reshape(2, 3, 4).transpose()])
def test_counts_of_any_shape_keep_it(ledger, counts):
    assert ledger.release_gaussian("fit", 0, "q", counts, 1000).shape == np.shape(counts)


def test_the_payment_stands_in_the_file_before_the_value(ledger, path):
    for number in range(3):
        ledger.release_gaussian("fit", number, "q", [number], 1000)
    with sqlite3.connect(path) as file:
        pairs = file.execute("SELECT debit, sequence FROM release ORDER BY sequence").fetchall()
        debits = file.execute("SELECT sequence FROM debit ORDER BY sequence").fetchall()
    assert pairs == [(1, 2), (3, 4), (5, 6)] and debits == [(1,), (3,), (5,)]


def test_a_name_has_one_value_for_everybody_and_it_is_paid_once(ledger, path):
    value = ledger.release_gaussian("fit", 0, "q", COUNTS, 1000)
    choice = ledger.release_exponential("fit", 0, "s", [1, 2, 3], 0.01)
    spent = ledger.spent
    assert ledger.has_value("fit", 0, "q") and not ledger.has_value("fit", 1, "q")
    for again in (ledger, flaim.Ledger(path)):
        np.testing.assert_array_equal(again.release_gaussian("fit", 0, "q", COUNTS, 1000), value)
        # Not even what the counts are now makes a difference: they are not looked at.
        np.testing.assert_array_equal(again.release_gaussian("fit", 0, "q", COUNTS + 9, 1000, random_state=1), value)
        assert again.release_exponential("fit", 0, "s", [9, 9, 9], 0.01) == choice
        assert again.spent == spent
    ask = "flaim.Ledger(sys.argv[1]).release_gaussian('fit', 0, 'q', [0] * 6, 1000)"
    script = f"import sys, flaim; print({ask}.tolist())"
    elsewhere = subprocess.run([sys.executable, "-c", script, path], check=True, capture_output=True)
    assert json.loads(elsewhere.stdout) == value.reshape(-1).tolist()
    assert flaim.Ledger(path).spent == spent


def test_the_same_name_for_something_else_is_refused_and_free(ledger):
    ledger.release_gaussian("fit", 0, "q", COUNTS, 1000)
    spent = ledger.spent
    with pytest.raises(flaim.InputError, match="other parameters"):
        ledger.release_gaussian("fit", 0, "q", COUNTS, 1001)
    with pytest.raises(flaim.InputError, match="other parameters"):
        ledger.release_exponential("fit", 0, "q", [1, 2], 0.01)
    with pytest.raises(flaim.InputError, match="6 counts"):
        ledger.release_gaussian("fit", 0, "q", [1, 2], 1000)
    assert ledger.spent == spent


def test_nothing_is_released_beyond_the_promise(ledger, path):
    spent = 0
    with pytest.raises(flaim.BudgetError, match="costs rho"):
        for number in range(100):
            ledger.release_gaussian("fit", number, "q", COUNTS, 100)
            spent = ledger.spent
    assert number == 4 and ledger.spent == spent <= ledger.total < spent + GaussianMechanism(100).rho
    with pytest.raises(flaim.BudgetError):
        ledger.release_exponential("fit", 0, "s", [1, 2], 1)
    ledger.release_gaussian("fit", 0, "q", COUNTS, 100)  # has its value already
    ledger.release_gaussian("fit", 0, "blurred", COUNTS, 10**6)  # costs less than what is left
    assert flaim.epsilon_for(flaim.Ledger(path).spent, 1e-6) <= 1


@pytest.mark.parametrize("release, text", [
    (lambda ledger: ledger.release_gaussian("fit", 0, "q", [1.5], 1000), "integer type"),
    (lambda ledger: ledger.release_gaussian("fit", 0, "q", [2**63 - 1], 1000), "nothing was paid"),
    (lambda ledger: ledger.release_gaussian("fit", 0, "q", [1], 0), "no noise"),
    (lambda ledger: ledger.release_gaussian("fit", 0, "q", [1], 1000, sensitivity_squared=0), "at least 1"),
    (lambda ledger: ledger.release_gaussian("", 0, "q", [1], 1000), "no name"),
    (lambda ledger: ledger.release_gaussian("fit", -1, "q", [1], 1000), "negative"),
    (lambda ledger: ledger.release_exponential("fit", 0, "q", [], 0.01), "nothing to choose"),
    (lambda ledger: ledger.release_exponential("fit", 0, "q", [[1, 2]], 0.01), "2 dimensions"),
    (lambda ledger: ledger.release_exponential("fit", 0, "q", [0.5, 1], 0.01), "integer type"),
])
def test_what_cannot_be_released_is_refused_before_it_costs_anything(ledger, release, text):
    with pytest.raises(flaim.InputError, match=text):
        release(ledger)
    assert ledger.spent == 0 and ledger.debits() == []


def test_seeded_noise_is_stamped(ledger):
    value = ledger.release_gaussian("research", 0, "q", COUNTS, 10**6, random_state=5)
    np.testing.assert_array_equal(value - COUNTS, flaim.discrete_gaussian(10**6, COUNTS.shape, random_state=5))
    assert "NOT PRIVATE" in ledger.debits()[0].noise
    summary = ledger.verify()
    assert not summary.is_private and not summary.is_within_promise


def test_secure_and_seeded_noise_share_no_ledger(path):
    for first, second in ((None, 5), (5, None)):
        path.unlink(missing_ok=True)
        ledger = flaim.Ledger.create(path, data="people", epsilon=1)
        ledger.release_gaussian("r", 0, "q", COUNTS, 10**6, random_state=first)
        spent = ledger.spent
        with pytest.raises(flaim.InputError, match="seed"):
            ledger.release_gaussian("r", 1, "q", COUNTS, 10**6, random_state=second)
        with pytest.raises(flaim.InputError, match="seed"):
            ledger.release_exponential("r", 1, "s", [1, 2], 0.01, random_state=second)
        assert ledger.spent == spent


def test_a_ledger_names_its_accountant_and_compares_with_the_promise(ledger):
    ledger.release_gaussian("r", 0, "q", COUNTS, 10**6)
    summary = ledger.verify()
    assert summary.accountant == "zcdp" and summary.exact_run is None
    assert 0 < summary.epsilon_spent < summary.epsilon
    assert summary.is_within_promise and summary.is_private


def test_terms_cannot_change_and_files_are_not_written_over(ledger, path, tmp_path):
    with pytest.raises(flaim.InputError, match="a promise cannot be changed"):
        flaim.Ledger.open_or_create(path, data="people", epsilon=2)
    with pytest.raises(flaim.FileError, match="exists already"):
        flaim.Ledger.create(path, data="people", epsilon=1)
    with pytest.raises(flaim.FileError, match="no ledger"):
        flaim.Ledger(tmp_path / "nothing")
    with pytest.raises(flaim.InputError, match="epsilon"):
        flaim.Ledger.create(tmp_path / "new", data="people", epsilon=-1)


def test_secure_noise_is_never_answered_with_a_seeded_value_that_is_on_record(ledger):
    ledger.release_gaussian("r", 0, "counts", [5, 5], 10_000, random_state=1)
    ledger.release_exponential("r", 0, "choice", [1, 2], 0.01, random_state=1)
    with pytest.raises(flaim.InputError, match="seeded"):
        ledger.release_gaussian("r", 0, "counts", [5, 5], 10_000)
    with pytest.raises(flaim.InputError, match="seeded"):
        ledger.release_exponential("r", 0, "choice", [1, 2], 0.01)


@pytest.mark.parametrize("call", [flaim.load, flaim.Ledger, flaim.verify_ledger, flaim.Schema.load])
def test_a_path_with_a_nul_is_refused_instead_of_cut_off(call, tmp_path):
    with pytest.raises((flaim.FlaimError, ValueError)):
        call(f"{tmp_path}/name\0rest")
    assert not list(tmp_path.iterdir())
