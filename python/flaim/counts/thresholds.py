"""Where a bin begins, as a number of the type that an engine compares.

A value becomes a double when FLAIM reads its text. A decimal or a single is another number than that double, so "the
double is at least the edge" is asked of the engine as "the value is at least the smallest one whose text reads as the
edge or more". That number is computed here, exactly.
"""

from __future__ import annotations

import math
import struct
from fractions import Fraction

import numpy as np

from flaim.counts.values import float32_text


TOO_LARGE = 2**1024 - 2**970
"""From this number on, and from its opposite down, a text reads as no double."""


def _has_even_mantissa(value: float) -> bool:
    return int.from_bytes(struct.pack("<d", value), "little") % 2 == 0


def rounding_start(edge: float) -> tuple[Fraction, bool]:
    """The smallest real number that rounds to this double or one above, and whether it does itself."""
    if edge == math.inf:
        return Fraction(TOO_LARGE), True
    below = math.nextafter(edge, -math.inf)
    if below == -math.inf:
        return Fraction(-TOO_LARGE), False
    return (Fraction(below) + Fraction(edge)) / 2, _has_even_mantissa(edge)


def lowest_decimal_units(edge: float, scale: int) -> int:
    """The smallest k for which k / 10**scale reads as this double or one above."""
    start, is_included = rounding_start(edge)
    scaled = start * 10**scale
    units = int(math.ceil(scaled))
    return units if is_included or units != scaled else units + 1


def highest_decimal_units(edge: float, scale: int) -> int:
    """The largest k for which k / 10**scale reads as this double or one below."""
    return lowest_decimal_units(next_double(edge), scale) - 1


def lowest_float32(edge: float) -> float:
    """The smallest single whose text reads as this double or one above; infinity if there is none."""
    infinity = np.float32(math.inf)
    with np.errstate(over="ignore"):
        candidate = np.float32(edge)
        for _ in range(2):
            candidate = np.nextafter(candidate, -infinity)
        while candidate < infinity and float(float32_text(candidate)) < edge:
            candidate = np.nextafter(candidate, infinity)
    return float(candidate)


def lowest_float64_from(number: int) -> float:
    """The smallest double that is at least this whole number."""
    value = float(number)
    return value if int(value) >= number else math.nextafter(value, math.inf)


def highest_float64_to(number: int) -> float:
    """The largest double that is at most this whole number."""
    return -lowest_float64_from(-number)


def next_double(value: float) -> float:
    """The next one above."""
    return math.nextafter(value, math.inf)


def decimal_digits(units: int, scale: int) -> str:
    """units / 10**scale, in full."""
    digits = str(abs(units)).rjust(scale + 1, "0")
    sign = "-" if units < 0 else ""
    return f"{sign}{digits[:-scale]}.{digits[-scale:]}" if scale else f"{sign}{digits}"
