"""What the values of other engines' columns mean as texts of a CSV file."""

from __future__ import annotations

import dataclasses
import decimal
import enum
import math
from fractions import Fraction

import numpy as np


class Kind(enum.Enum):
    """What a column of an engine holds, as far as its texts and its order go."""

    BOOLEAN = "boolean"
    INTEGER = "integer"
    FLOAT32 = "single precision"
    FLOAT64 = "double precision"
    DECIMAL = "decimal"
    DATE = "date"
    TIMESTAMP = "timestamp"
    ZONED_TIMESTAMP = "timestamp with time zone"
    TEXT = "text"
    OTHER = "other"


FLOATS = (Kind.FLOAT32, Kind.FLOAT64)

_SMALLEST_IN_FULL = 1e-4
_MAX_MARKER_DIGITS = 400


@dataclasses.dataclass(frozen=True)
class EngineColumn:
    """A column as the engine describes it."""

    name: str
    kind: Kind
    type_name: str
    precision: int | None = None
    """Of a decimal: its digits."""
    scale: int = 0
    """Of a decimal: its digits after the point."""
    limit: int = 2**63
    """Of whole numbers, and of the seconds of times: none is further from zero."""


def float_text(value: float) -> str:
    """A double: whole numbers as their digits, others with as many digits as tell them apart."""
    if value == 0:
        return "0"
    return f"{value:.0f}" if math.isfinite(value) and value == math.trunc(value) else repr(value)


def float32_text(value: np.float32) -> str:
    """A single: as a double, but as many digits as tell singles apart."""
    if value == 0 or not np.isfinite(value) or value == np.trunc(value):
        return float_text(float(value))
    if abs(value) < _SMALLEST_IN_FULL:
        return np.format_float_scientific(value, unique=True, trim="-", exp_digits=2)
    return np.format_float_positional(value, unique=True, trim="-")


def decimal_text(value: decimal.Decimal) -> str:
    """A decimal without zeros at the end of its fraction."""
    text = f"{value:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def text_of(kind: Kind, engine_text: str) -> str | None:
    """What a value, written by the engine, is in a CSV file; None if it is missing (NaN)."""
    if kind in FLOATS:
        value = float(engine_text)
        if math.isnan(value):
            return None
        return float_text(value) if kind is Kind.FLOAT64 else float32_text(np.float32(engine_text))
    if kind is Kind.DECIMAL:
        return decimal_text(decimal.Decimal(engine_text))
    if kind in (Kind.TIMESTAMP, Kind.ZONED_TIMESTAMP):
        return iso_time(engine_text)
    return engine_text


def iso_time(engine_text: str) -> str:
    """A date or time as ISO 8601 writes it, with as many digits of the second as it needs."""
    day, _, time = engine_text.partition(" ")
    seconds, point, fraction = time.partition(".")
    fraction = fraction.rstrip("0")
    return f"{day}T{seconds}{point if fraction else ''}{fraction}" if time else engine_text


def number_with_text(column: EngineColumn, text: str) -> str | None:
    """The number of this column that is written exactly so, in full digits; None if there is none."""
    if column.kind in FLOATS and text in ("inf", "-inf"):
        return text.replace("inf", "Infinity")
    try:
        value = decimal.Decimal(text)
    except decimal.InvalidOperation:
        return None
    if not value.is_finite() or abs(value.adjusted()) > _MAX_MARKER_DIGITS:
        return None
    if column.kind is Kind.INTEGER:
        is_written_so = str(int(value)) == text and abs(value) < column.limit
    elif column.kind is Kind.DECIMAL:
        units = Fraction(value) * 10**column.scale
        is_of_type = units.denominator == 1 and abs(units) < 10 ** (column.precision or 0)
        is_written_so = decimal_text(value) == text and is_of_type
    elif column.kind is Kind.FLOAT64:
        is_written_so = float_text(float(text)) == text
    else:
        with np.errstate(over="ignore"):
            single = np.float32(text)
        return repr(float(single)) if float32_text(single) == text else None
    return text if is_written_so else None
