"""Numbers that a privacy promise depends on, as exact fractions. What must be rounded goes to the private side."""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from typing import Any, Union

import numpy as np

from . import _flaim

Exact = Union[int, float, Fraction]
"""What a variance, an epsilon or a rho may be given as. Decimal and numpy numbers are taken as well."""

_MAX_TERM = 2**40
_SIGNIFICANT_BITS = 30
_MAX_BITS = 40
_RHO_UNITS: int = 2**_flaim.RHO_UNIT_BITS
_MAX_RHO = 2**12


def rounded_up(value: Exact) -> _flaim.Rational:
    """The fraction that is sampled and charged for: the value itself where its terms are at most 2^40, otherwise the
    next above with 30 significant bits or more, and a multiple of 2^-40. For variances: never less noise than asked."""
    return _rational(value, up=True)


def rounded_down(value: Exact) -> _flaim.Rational:
    """The same with the next below. For epsilons: never a sharper choice than asked for."""
    return _rational(value, up=False)


def fraction_of(rational: _flaim.Rational) -> Fraction:
    return Fraction(rational.numerator, rational.denominator)


def rho_units_up(rho: Exact) -> int:
    """A cost in whole units of 2^-50, rounded up."""
    exact = _fraction(rho)
    if not 0 <= exact < _MAX_RHO:
        raise _flaim.InputError(f"rho is {rho}; it must be at least 0 and below {_MAX_RHO}")
    return math.ceil(exact * _RHO_UNITS)


def rho_above(units: int) -> float:
    """A cost as a float that is not below it. Below 8, it is exact."""
    value = units / _RHO_UNITS
    return value if Fraction(value) * _RHO_UNITS >= units else math.nextafter(value, math.inf)


def rho_below(units: int) -> float:
    """An allowance as a float that is not above it. Below 8, it is exact."""
    value = units / _RHO_UNITS
    return value if Fraction(value) * _RHO_UNITS <= units else math.nextafter(value, -math.inf)


def _fraction(value: Any) -> Fraction:
    if isinstance(value, (bool, np.bool_)) or not (hasattr(value, "as_integer_ratio") or hasattr(value, "__index__")):
        raise TypeError(f"a number was expected, not {type(value).__name__}")
    if not hasattr(value, "as_integer_ratio"):
        return Fraction(operator.index(value))
    try:
        return Fraction(*value.as_integer_ratio())
    except (ValueError, OverflowError):
        raise _flaim.InputError(f"{value} is not a finite number") from None


def _rational(value: Any, up: bool) -> _flaim.Rational:
    exact = _fraction(value)
    if exact < 0 or exact > 2**39:
        raise _flaim.InputError(f"{value} cannot be made an exact fraction; allowed are 0 to 2^39")
    if exact.numerator <= _MAX_TERM and exact.denominator <= _MAX_TERM:
        return _flaim.Rational(exact.numerator, exact.denominator)
    exponent = exact.numerator.bit_length() - exact.denominator.bit_length() - 1  # of the value, or one below it
    bits = min(max(_SIGNIFICANT_BITS - exponent, 0), _MAX_BITS)
    scaled = math.ceil(exact * 2**bits) if up else math.floor(exact * 2**bits)
    return _flaim.Rational(scaled, 2**bits)
