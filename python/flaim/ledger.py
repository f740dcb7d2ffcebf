"""The account of what was released from private data, and what it cost."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime, timezone
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _flaim
from ._exact import Exact, rho_above, rho_below
from ._paths import path_text
from .mechanisms import (
    ExponentialMechanism,
    GaussianMechanism,
    RandomState,
    random_source,
    score_list,
    whole_numbers,
)


@dataclass(frozen=True)
class Debit:
    """One payment. `noise` says where the noise of its value came from; None if it never got a value."""

    entry: int
    time: datetime
    run: str
    round: int
    query: str
    mechanism: str
    attempt: int
    rho: float
    rho_cumulative: float
    noise: str | None


@dataclass(frozen=True)
class LedgerSummary:
    """What a verified ledger says. Note `head` elsewhere: it proves later that nothing up to here was removed.

    accountant: "zcdp", whose budget any release may spend; or "exact", whose budget belongs to the plan of one run,
        `exact_run`, and nobody else.
    epsilon_spent: what the payments come to at `delta`, by that accountant.
    is_private: False if the noise of any release came from a seed; then the ledger keeps no promise.
    """

    data: str
    epsilon: float
    delta: float
    rho_total: float
    rho_spent: float
    accountant: str
    exact_run: str | None
    epsilon_spent: float
    is_within_promise: bool
    is_private: bool
    debits: int
    releases: int
    head: str


class Ledger:
    """The budget of one body of private data, in a file that outlives the runs on it; the command line's as well.

    Every release names itself (run, round, query) and pays here first. A name that has a value gets the same value
    again, also after a crash and from another process, and pays nothing. Payments never exceed the total: a release
    that would is refused with `flaim.BudgetError`, before the private numbers are looked at. Of two processes that
    release under one name in the same moment, both have paid, and one gets a `flaim.FileError` that says to ask again.

    Threads may share it; a forked process opens the file again.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Opens a ledger, and verifies all of it."""
        self.path = path_text(path)
        self._native = _flaim.Ledger.open(self.path)

    @classmethod
    def _of(cls, path: str, native: _flaim.Ledger) -> Ledger:
        ledger = cls.__new__(cls)
        ledger.path = path
        ledger._native = native
        return ledger

    @classmethod
    def create(cls, path: str | os.PathLike[str], *, data: str, epsilon: float, delta: float = 1e-6) -> Ledger:
        """Makes the file. The promise is for everything that is ever released from the data, by all runs together."""
        place = path_text(path)
        return cls._of(place, _flaim.Ledger.create(place, data, epsilon, delta))

    @classmethod
    def open_or_create(
        cls, path: str | os.PathLike[str], *, data: str, epsilon: float, delta: float = 1e-6
    ) -> Ledger:
        """Opens the ledger if there is one, and refuses if its terms differ."""
        place = path_text(path)
        return cls._of(place, _flaim.Ledger.open_or_create(place, data, epsilon, delta))

    @property
    def data(self) -> str:
        """What the data is called."""
        return self._native.data_name

    @property
    def epsilon(self) -> float:
        return self._native.epsilon

    @property
    def delta(self) -> float:
        return self._native.delta

    @property
    def total(self) -> float:
        """The zCDP cost of all releases together that the promise affords, rounded down."""
        return rho_below(self._native.total_units)

    @property
    def spent(self) -> float:
        """Of it, rounded up. As of the last time that this object looked at the file."""
        return rho_above(self._native.spent_units)

    @property
    def left(self) -> float:
        """The rest, rounded down."""
        return rho_below(self._native.left_units)

    @property
    def spent_exactly(self) -> Fraction:
        """What was spent, to the last unit of 2^-50."""
        return Fraction(self._native.spent_units, 2**_flaim.RHO_UNIT_BITS)

    @property
    def head(self) -> str:
        """The hash of the last entry."""
        return self._native.head

    def spent_by(self, run: str) -> float:
        """What one run has spent."""
        return rho_above(self._native.spent_units_by(run))

    def has_value(self, run: str, round: int, query: str) -> bool:
        """Whether a release under this name would be free, because its value is there already."""
        return self._native.has_value(run, round, query)

    def release_gaussian(
        self,
        run: str,
        round: int,
        query: str,
        counts: ArrayLike,
        sigma_squared: Exact,
        *,
        sensitivity_squared: int = 1,
        random_state: RandomState = None,
    ) -> NDArray[np.int64]:
        """Pays, adds discrete Gaussian noise to whole counts, records the result, and returns it, in the same shape.

        Costs rho = sensitivity_squared / (2 sigma_squared). One record must not move the counts by more than
        sqrt(sensitivity_squared) in L2 norm: one marginal has 1, d marginals together have d. A `random_state` makes
        the release worthless as protection, and the ledger says so.
        """
        private = whole_numbers(counts, "counts")
        mechanism = GaussianMechanism(sigma_squared, sensitivity_squared)
        source = random_source(random_state)
        noisy, provenance = self._native.release_gaussian(
            run, round, query, private.reshape(-1), mechanism._native, source
        )
        _check_provenance(source, provenance)
        return np.asarray(noisy, dtype=np.int64).reshape(private.shape)

    def release_exponential(
        self,
        run: str,
        round: int,
        query: str,
        scores: ArrayLike,
        epsilon: Exact,
        *,
        sensitivity: int = 1,
        random_state: RandomState = None,
    ) -> int:
        """Pays, chooses a candidate by its score, records the choice, and returns its position.

        Costs rho = epsilon^2 / 8. One record must not move any score by more than `sensitivity`.
        """
        mechanism = ExponentialMechanism(epsilon, sensitivity)
        source = random_source(random_state)
        index, provenance = self._native.release_exponential(
            run, round, query, score_list(scores), mechanism._native, source
        )
        _check_provenance(source, provenance)
        return int(index)

    def debits(self) -> list[Debit]:
        """Every payment, from the file, which is verified first."""
        return [
            Debit(
                entry=line["entry"],
                time=datetime.fromtimestamp(line["time_us"] / 1e6, tz=timezone.utc),
                run=line["run"],
                round=line["round"],
                query=line["query"],
                mechanism=line["mechanism"],
                attempt=line["attempt"],
                rho=rho_above(line["cost_units"]),
                rho_cumulative=rho_above(line["cumulative_units"]),
                noise=line["noise"],
            )
            for line in _flaim.Ledger.debits(self.path)
        ]

    def verify(self, noted_head: str | None = None) -> LedgerSummary:
        """Recomputes every hash, cost and sum of the file. See `verify_ledger`."""
        return verify_ledger(self.path, noted_head)

    def __repr__(self) -> str:
        return f"Ledger({self.path!r}, data={self.data!r}, spent={self.spent:.6f} of {self.total:.6f})"


def _check_provenance(source: _flaim.RandomSource, provenance: str) -> None:
    """A value that is on record comes back as it is, also where another kind of noise was asked for."""
    if source.is_secure and provenance != "secure":
        raise _flaim.InputError(
            f"this release is on record with {provenance} noise, which is not private; use another name for one that is"
        )


def verify_ledger(path: str | os.PathLike[str], noted_head: str | None = None) -> LedgerSummary:
    """Recomputes every hash, cost and sum of a ledger, without the right to write it.

    With a head that was noted earlier, it also proves that nothing up to that head was removed.
    """
    summary = _flaim.Ledger.verify(path_text(path), noted_head)
    return LedgerSummary(
        data=summary["data"],
        epsilon=summary["epsilon"],
        delta=summary["delta"],
        rho_total=rho_below(summary["total_units"]),
        rho_spent=rho_above(summary["spent_units"]),
        accountant=summary["accountant"],
        exact_run=summary["exact_run"],
        epsilon_spent=summary["epsilon_spent"],
        is_within_promise=summary["is_within_promise"],
        is_private=summary["is_private"],
        debits=summary["debits"],
        releases=summary["releases"],
        head=summary["head"],
    )
