"""The two mechanisms that protect people, with exact samplers.

The samplers here only draw: they keep no account. Noise on private counts that leave your hands should be drawn by a
`flaim.Ledger`, which is paid first and never draws twice under one name.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _flaim
from ._exact import Exact, fraction_of, rho_above, rounded_down, rounded_up
from ._parameters import seed_of
from .domain import whole_number

SCORE_SCALE: int = _flaim.SCORE_SCALE
"""How many units of a score one record is."""


@dataclass(frozen=True)
class GaussianMechanism:
    """Discrete Gaussian noise on whole numbers that one record moves by at most sqrt(sensitivity_squared) in L2 norm.

    d marginals together have sensitivity_squared = d. Costs rho = sensitivity_squared / (2 sigma_squared). A float
    or a long fraction is rounded up to a fraction that can be sampled exactly; `sigma_squared` is that fraction.
    """

    sigma_squared: Exact
    sensitivity_squared: int = 1
    _native: _flaim.GaussianMechanism = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        exact = rounded_up(self.sigma_squared)
        sensitivity = whole_number(self.sensitivity_squared, "sensitivity_squared")
        object.__setattr__(self, "_native", _flaim.GaussianMechanism(exact, sensitivity))
        object.__setattr__(self, "sigma_squared", fraction_of(exact))

    @property
    def rho(self) -> float:
        """The zCDP cost of one use, rounded up."""
        return rho_above(self._native.rho_units)

    def __reduce__(self) -> Any:
        return (type(self), (self.sigma_squared, self.sensitivity_squared))


@dataclass(frozen=True)
class ExponentialMechanism:
    """Chooses candidate q with probability proportional to exp(epsilon * score_q / (2 * sensitivity)).

    Scores are whole numbers, and one record moves each by at most `sensitivity`. Costs rho = epsilon^2 / 8. A float
    or a long fraction is rounded down to a fraction that can be sampled exactly; `epsilon` is that fraction.
    """

    epsilon: Exact
    sensitivity: int = 1
    _native: _flaim.ExponentialMechanism = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        exact = rounded_down(self.epsilon)
        sensitivity = whole_number(self.sensitivity, "sensitivity")
        object.__setattr__(self, "_native", _flaim.ExponentialMechanism(exact, sensitivity))
        object.__setattr__(self, "epsilon", fraction_of(exact))

    @property
    def rho(self) -> float:
        """The zCDP cost of one use, rounded up."""
        return rho_above(self._native.rho_units)

    def __reduce__(self) -> Any:
        return (type(self), (self.epsilon, self.sensitivity))


class RandomSource:
    """Where random bytes come from: the operating system's cryptographic source, or a seed, for research.

    Whoever knows the seed can take the noise off again, so nothing that seeded noise touched is private; `provenance`
    says which it was and is recorded with every release.
    """

    def __init__(self, native: _flaim.RandomSource) -> None:
        self._native = native

    @classmethod
    def secure(cls) -> RandomSource:
        return cls(_flaim.RandomSource.secure())

    @classmethod
    def seeded(cls, seed: int, label: str = "") -> RandomSource:
        """Research only. Sources of one seed with different labels are independent."""
        return cls(_flaim.RandomSource.seeded(seed, label))

    @property
    def provenance(self) -> str:
        return self._native.provenance

    @property
    def is_secure(self) -> bool:
        return self._native.is_secure

    def __repr__(self) -> str:
        return f"RandomSource({self.provenance})"


RandomState = Union[None, int, RandomSource, np.random.Generator, np.random.RandomState]


def random_source(random_state: RandomState) -> _flaim.RandomSource:
    """Secure for None; seeded, for research, by a whole number or a numpy generator; or the source that is given."""
    if isinstance(random_state, RandomSource):
        return random_state._native
    seed = seed_of(random_state)
    return _flaim.RandomSource.secure() if seed is None else _flaim.RandomSource.seeded(seed, "")


class DiscreteGaussian:
    """Whole number k with probability exactly proportional to exp(-k^2 / (2 sigma_squared)).

    Exact: no floating-point number takes part, nothing is cut off. Made once for a variance, then shared by threads.
    A float or a long fraction is rounded up; `sigma_squared` is the variance parameter that is sampled.
    """

    def __init__(self, sigma_squared: Exact) -> None:
        exact = rounded_up(sigma_squared)
        self.sigma_squared: Fraction = fraction_of(exact)
        self._native = _flaim.DiscreteGaussian(exact)

    def sample(
        self, size: int | Sequence[int] | None = None, random_state: RandomState = None
    ) -> NDArray[np.int64] | int:
        """Independent draws as an int64 array of this shape; one int without a size.

        Secure by default. The same seed gives the same draws each time, so two calls with one seed are not
        independent: hand over one `RandomSource.seeded(...)` for several.
        """
        source = random_source(random_state)
        if size is None:
            return int(np.asarray(self._native.sample(source, 1))[0])
        shape = (int(size),) if isinstance(size, (int, np.integer)) else tuple(int(length) for length in size)
        if any(length < 0 for length in shape):
            raise _flaim.InputError(f"size is {size}; it must not be negative")
        return np.asarray(self._native.sample(source, math.prod(shape))).reshape(shape)

    def __repr__(self) -> str:
        return f"DiscreteGaussian(sigma_squared={self.sigma_squared})"


def discrete_gaussian(
    sigma_squared: Exact, size: int | Sequence[int] | None = None, random_state: RandomState = None
) -> NDArray[np.int64] | int:
    """Draws of `DiscreteGaussian(sigma_squared)`."""
    return DiscreteGaussian(sigma_squared).sample(size, random_state)


def exponential_mechanism(
    scores: ArrayLike, epsilon: Exact, sensitivity: int = 1, random_state: RandomState = None
) -> int:
    """The position of the candidate that the exponential mechanism chooses, drawn exactly. Keeps no account.

    Scores are whole numbers; to use fractions, multiply scores and sensitivity by the same public number and make
    sure that rounding did not add to the sensitivity (`query_score` does this for marginals).
    """
    mechanism = ExponentialMechanism(epsilon, sensitivity)
    return _flaim.sample_exponential(score_list(scores), mechanism._native, random_source(random_state))


def query_score(counts: ArrayLike, expected: ArrayLike, *, weight: int = 1, penalty: float = 0.0) -> int:
    """AIM's score of a marginal: weight * (|counts - expected|_1 - penalty), in units of 1/SCORE_SCALE record.

    `expected` are the counts that a public model expects; `penalty` is the expected error of measuring, in records.
    One record moves the scores of candidates with these weights by at most `score_sensitivity(weights)`. As private as
    the counts.
    """
    private = whole_numbers(counts, "counts")
    public = np.asarray(expected, dtype=np.float64, order="C")
    if private.shape != public.shape:
        raise _flaim.InputError(f"counts of shape {private.shape} are compared with expected ones of {public.shape}")
    weight = whole_number(weight, "the weight")
    return _flaim.query_score(private.reshape(-1), public.reshape(-1), weight, float(penalty))


def score_sensitivity(weights: Iterable[int]) -> int:
    """How far one record moves any `query_score` of candidates with these weights."""
    return _flaim.score_sensitivity([whole_number(weight, "a weight") for weight in weights])


def whole_numbers(values: ArrayLike, what: str) -> NDArray[np.int64]:
    """As a contiguous int64 array. Refuses fractions instead of cutting them off."""
    array = np.asarray(values)
    if array.dtype.kind == "u" and array.dtype.itemsize == 8 and array.size and array.max() > np.uint64(2**63 - 1):
        raise _flaim.InputError(f"the {what} do not fit 64 bits")
    if array.dtype.kind not in "iub" and array.size:
        raise _flaim.InputError(f"the {what} are of type {array.dtype}; whole numbers of an integer type are needed")
    return np.asarray(array, dtype=np.int64, order="C")


def score_list(scores: ArrayLike) -> NDArray[np.int64]:
    """One score for each candidate."""
    array = whole_numbers(scores, "scores")
    if array.ndim != 1:
        raise _flaim.InputError(f"the scores have {array.ndim} dimensions; give a list of one for each candidate")
    return array
