"""What releases cost together, as (epsilon, delta). For adding or removing one record.

Nothing here is ever below the true value: what must be rounded is rounded to the private side.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Union

from . import _flaim
from ._exact import Exact, fraction_of, rho_below, rho_units_up
from .mechanisms import ExponentialMechanism, GaussianMechanism


@dataclass(frozen=True)
class ContinuousGaussian:
    """Continuous Gaussian noise of standard deviation sensitivity / mu: a yardstick, no mechanism of this library."""

    mu: float
    _native: _flaim.Mu = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_native", _flaim.Mu(float(self.mu)))

    def delta(self, epsilon: float) -> float:
        """The delta at epsilon (Balle and Wang 2018)."""
        return _flaim.gaussian_delta(self._native, epsilon)

    def epsilon(self, delta: float) -> float:
        """The epsilon at delta."""
        return _flaim.gaussian_epsilon(self._native, delta)

    @classmethod
    def within(cls, epsilon: float, delta: float) -> ContinuousGaussian:
        """The largest mu within the promise, rounded down."""
        return cls(_flaim.mu_for(epsilon, delta))

    def __reduce__(self) -> Any:
        return (type(self), (self.mu,))


Step = Union[GaussianMechanism, ExponentialMechanism, ContinuousGaussian]


def rho_for(epsilon: float, delta: float) -> float:
    """The largest zCDP cost that the promise affords: what a ledger may spend. Rounded down."""
    return rho_below(_flaim.rho_for(epsilon, delta))


def epsilon_for(rho: Exact, delta: float) -> float:
    """The epsilon that a total cost of rho means at this delta."""
    return _flaim.zcdp_epsilon(rho_units_up(rho), delta)


def delta_for(rho: Exact, epsilon: float) -> float:
    """The delta that a total cost of rho means at this epsilon."""
    return _flaim.zcdp_delta(rho_units_up(rho), epsilon)


class ExactAccountant:
    """What a fixed schedule of releases costs, without the detour over zCDP.

    Covers a sequence of mechanisms whose number, order and parameters are fixed in advance; the queries may depend on
    earlier answers. Does not cover parameters or stopping that depend on answers, as in AIM: for those only the zCDP
    total holds, which is why the ledger counts in rho. A GaussianMechanism is noise on counts in which one record
    moves sensitivity_squared cells by one each, as in that many marginals.
    """

    def __init__(self, steps: Iterable[Step]) -> None:
        self.steps: tuple[Step, ...] = tuple(steps)
        for step in self.steps:
            if not isinstance(step, (GaussianMechanism, ExponentialMechanism, ContinuousGaussian)):
                raise TypeError(f"a step is a mechanism, not a {type(step).__name__}")
        self._native = [step._native for step in self.steps]

    def delta(self, epsilon: float) -> float:
        """An upper bound on the delta at epsilon, from the exact recursion."""
        return _flaim.exact_delta(self._native, epsilon)

    def epsilon(self, delta: float) -> float:
        """An upper bound on the epsilon at delta."""
        return _flaim.exact_epsilon(self._native, delta)

    def best_delta(self, epsilon: float) -> float:
        """The smaller of `delta` and what the zCDP total gives: both are valid."""
        return _flaim.best_delta(self._native, epsilon)

    def noise_scale_for(self, epsilon: float, delta: float) -> float:
        """By how much the noise may be multiplied, to four digits, so that the schedule keeps the promise."""
        return _flaim.calibrate_noise(self._native, epsilon, delta)

    def scaled(self, scale: float) -> ExactAccountant:
        """The schedule with `scale` times the noise, rounded to the private side."""
        return ExactAccountant(_step_of(step) for step in _flaim.scale_noise(self._native, scale))

    def __repr__(self) -> str:
        return f"ExactAccountant({len(self.steps)} steps)"


def _step_of(native: Any) -> Step:
    if isinstance(native, _flaim.GaussianMechanism):
        return GaussianMechanism(fraction_of(native.sigma_squared), native.sensitivity_squared)
    if isinstance(native, _flaim.ExponentialMechanism):
        return ExponentialMechanism(fraction_of(native.epsilon), native.sensitivity)
    return ContinuousGaussian(native.value)
