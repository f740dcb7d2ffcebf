"""Columns of tricky values that every engine counts, and values that every engine refuses."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from counts_testing import Column, same_length, toml_text


def _around(edges: Sequence[float], single: bool = False) -> list[float]:
    """Each edge, and the numbers next to it."""
    numbers: list[float] = []
    for edge in edges:
        if single:
            near = np.float32(edge)
            numbers += [float(np.nextafter(near, np.float32(to))) for to in (-np.inf, np.inf)] + [float(near)]
        else:
            numbers += [math.nextafter(edge, -math.inf), edge, math.nextafter(edge, math.inf)]
    return numbers


def _days(*texts: str) -> list[datetime.date]:
    return [datetime.date.fromisoformat(text) for text in texts]


def _times(*texts: str) -> list[datetime.datetime]:
    return [datetime.datetime.fromisoformat(text) for text in texts]


_ODD_TEXTS = [
    "red",
    "it's",
    'qu"ote',
    "日本",
    "é",
    "back\\slash",
    "50%",
    "{x}",
    "$1",
    "a,b",
    "two\nlines",
    "",
    "`tick`",
]
_LISTED = ", ".join(map(toml_text, _ODD_TEXTS))
_NUMBERS = (
    'type = "integer"\nmin = -5\nmax = 119\nbin_width = 7\nclamp = true\nnullable = true\nmissing = ["", "999", "-9"]'
)
_EDGES = [-2.5, -1e-3, 0.0, 0.1, 0.3, 1.0, 33554434.0]
_REALS = f'type = "real"\nedges = {_EDGES}\nclamp = true\nnullable = true\nmissing = ["NA", "1e9", "2000000000", "99999999.5"]'
_DAYS = 'type = "date"\nmin = 1969-12-15\nmax = 1970-02-10\nbin = "week"\nclamp = true\nnullable = true'
_TIMES = 'type = "datetime"\nmin = 1969-12-31T20:00:00\nmax = 1970-01-01T05:59:59\nbin = "hour"\nclamp = true\nnullable = true'
_WHOLE = [None, -6, -5, 0, 1, 2, 119, 120, 999, -9, 30_000]
_DAY_VALUES = [
    None,
    *_days("1969-12-14", "1969-12-15", "1969-12-21", "1970-01-01", "1970-02-10", "1970-02-11", "0001-01-01"),
]
_TIME_VALUES = [None, *_times(
    "1969-12-31T19:59:59.999999", "1969-12-31T20:00:00", "1969-12-31T23:59:59.999999", "1970-01-01T00:00:00",
    "1970-01-01T05:59:59.000001", "1970-01-01T06:00:00", "0001-01-01T00:00:00", "9999-12-31T23:59:59.5",
)]  # fmt: skip
_MIDNIGHTS = [None, *_times("1969-12-15", "1969-12-28", "1970-01-01", "1970-02-10", "1970-02-11")]
_OTHER = 'other = "else"\nnullable = true\nmissing = ["NA", "?"]'

COLUMNS = same_length([
    Column("text", f'type = "categorical"\nvalues = [{_LISTED}]\n{_OTHER}', "text",
           [*_ODD_TEXTS, None, "NA", "?", "RED", "red ", "\tred", "e\u0301", "else", "unknown", "日 本"]),
    Column('na"me `of` it\'s', f'type = "categorical"\nvalues = [{_LISTED}]', "text", _ODD_TEXTS),
    Column("whole as text", 'type = "categorical"\nvalues = ["1", "02", "-3"]\n' + _OTHER, "int64", [1, 2, -3, None, 7]),
    Column("real as text", 'type = "categorical"\nvalues = ["1", "1.5", "0.1", "100000", "0", "1e-05"]\n' + _OTHER,
           "double", [1.0, 1.5, 0.1, 1e5, -0.0, 1e-5, math.nan, None, math.inf]),
    Column("single as text", 'type = "categorical"\nvalues = ["1", "0.1", "16777216", "1048575.9"]\n' + _OTHER,
           "single", [1.0, float(np.float32(0.1)), 16777216.0, float(np.float32(1048575.9)), None, math.nan]),
    Column("decimal as text", 'type = "categorical"\nvalues = ["1", "1.5", "1.00", "-0.25"]\n' + _OTHER, "decimal(10,2)",
           [Decimal("1"), Decimal("1.5"), Decimal("-0.25"), None, Decimal("2")]),
    Column("truth as text", 'type = "categorical"\nvalues = ["true", "t"]\n' + _OTHER, "boolean", [True, False, None]),
    Column("day as text", 'type = "categorical"\nvalues = ["1970-01-01"]\n' + _OTHER, "date", _DAY_VALUES),
    Column("time as text", 'type = "categorical"\nvalues = ["1970-01-01T00:00:00", "1970-01-01 00:00:00"]\n' + _OTHER,
           "timestamp", _TIME_VALUES),
    Column("truth", 'type = "boolean"\nnullable = true', "boolean", [True, False, None]),
    Column("own truth", 'type = "boolean"\ntrue_values = ["it\'s so", "ja"]\nfalse_values = ["nein"]', "boolean",
           [True, False, False], spellings=("it's so", "nein")),
    Column("spelled truth", 'type = "boolean"\ntrue_values = ["yes", "y"]\nfalse_values = ["no"]\nnullable = true', "text",
           ["yes", "y", "no", "", None]),
    Column("whole truth", 'type = "boolean"\nnullable = true', "int16", [0, 1, None]),
    Column("whole", _NUMBERS, "int64", [*_WHOLE, 2**62, -(2**63), 2**63 - 1]),
    Column("small", _NUMBERS, "int16", _WHOLE),
    Column("whole in doubles", _NUMBERS, "double", [*map(float, _WHOLE[1:]), math.nan, None, -0.0, 123456.0]),
    Column("huge in doubles", _NUMBERS, "double", [1e20, -1e300, 2.0**63, 1.0]),
    Column("whole in singles", _NUMBERS, "single", [*map(float, _WHOLE[1:]), math.nan, None]),
    Column("whole in decimals", _NUMBERS, "decimal(20,0)", [None, *map(Decimal, _WHOLE[1:]), Decimal(10) ** 19]),
    Column("whole in fractions", _NUMBERS, "decimal(10,2)", [Decimal("5"), Decimal("119"), Decimal("120")]),
    Column("whole in texts", _NUMBERS, "text", ["007", "+5", "-5", "999", "-9", "", "9" * 30, None]),
    Column("real", _REALS, "double", [*_around(_EDGES), math.nan, None, 2e9, 99999999.5, 1e308, -1e308, 5e-324]),
    Column("single", _REALS, "single", [*_around(_EDGES, single=True), math.nan, None, 2e9, 3e38]),
    Column("decimal", _REALS, "decimal(38,20)", [None, *(Decimal(sign * units).scaleb(-20) + Decimal(edge) for edge in
           ("-2.5", "-0.001", "0", "0.1", "0.3", "1") for units in (0, 1, 10**3, 10**4) for sign in (1, -1))]),
    Column("real in whole", _REALS, "int64", [None, -3, -2, 0, 1, 2, 33554433, 33554434, 2**62, 2_000_000_000]),
    Column("real in texts", _REALS, "text", ["1e-3", "+0.1", "0.1000000000000000000001", "1e9", "NA", "-0", "3.3554434e7"]),
    Column("tenths", 'type = "real"\nmin = 0\nmax = 1\nbins = 10', "double", [i / 10 for i in range(11)]),
    Column("decimal tenths", 'type = "real"\nmin = 0\nmax = 1\nbins = 10', "decimal(4,3)",
           [Decimal(i).scaleb(-2) for i in range(101)]),
    Column("single tenths", 'type = "real"\nmin = 0\nmax = 1\nbins = 10', "single",
           [float(np.float32(i / 10)) for i in range(11)]),
    Column("day", _DAYS, "date", _DAY_VALUES),
    Column("day in its format", _DAYS + '\nformat = "%d/%m/%Y"\nmissing = ["01/02/1960", ""]', "date",
           [*_DAY_VALUES[:-1], datetime.date(1960, 2, 1)], format="%d/%m/%Y"),
    Column("day in times", _DAYS, "timestamp", _MIDNIGHTS),
    Column("day in texts", _DAYS, "text", ["1970-01-01", "1969-12-15", "9999-12-31", "", None]),
    Column("day with a marker", _DAYS + '\nmissing = ["1900-01-01"]', "date", [*_days("1900-01-01", "1970-01-01"), None]),
    Column("time", _TIMES, "timestamp", _TIME_VALUES),
    Column("time in its format", _TIMES.replace("T05:59:59", "T05:59:00") + '\nformat = "%d.%m.%Y %H:%M"\nmissing = ["31.12.1959 23:59"]',
           "timestamp", [*_TIME_VALUES[:6], *_times("1959-12-31T23:59:30", "1970-01-01T05:59:59")], format="%d.%m.%Y %H:%M"),
    Column("time in texts", _TIMES, "text", ["1970-01-01 00:00", "1970-01-01T00:00:00.999Z", "", None]),
    Column("time with a marker", _TIMES + '\nmissing = ["1900-01-01T00:00:00", "1900-01-01 00:00:00"]', "timestamp",
           [*_times("1900-01-01", "1970-01-01"), None]),
])  # fmt: skip

TRIMMED_TOP = "trim_blanks = true"
TRIMMED = same_length([
    Column("text", 'type = "categorical"\nvalues = ["red", "日本", ""]\n' + _OTHER, "text",
           ["red", " red", "\t red \t", "日本 ", "\u00a0red", "", "  ", " NA ", "red\n", "else ", None]),
    Column("whole in texts", _NUMBERS, "text", [" 5", "7 ", "\t999 ", "", " "]),
    Column("truth", 'type = "boolean"\nnullable = true', "text", [" true", "false\t", "  ", None]),
    Column("day in texts", _DAYS, "text", [" 1970-01-01 ", "1969-12-15", "\t"]),
])  # fmt: skip

REFUSED = [
    Column("missing", 'type = "integer"\nmin = 0\nmax = 9', "int64", [None]),
    Column("missing text", 'type = "categorical"\nvalues = ["a", ""]\nmissing = ["NA"]\nother = "else"', "text", [None]),
    Column("nan", 'type = "real"\nmin = 0\nmax = 9', "double", [math.nan]),
    Column("infinite", 'type = "real"\nmin = 0\nmax = 9\nclamp = true\nnullable = true', "double", [math.inf]),
    Column("infinite single", 'type = "integer"\nmin = 0\nmax = 9\nclamp = true', "single", [-math.inf]),
    Column("unlisted", 'type = "categorical"\nvalues = ["a", "b"]', "text", ["it's 日本"]),
    Column("unlisted number", 'type = "categorical"\nvalues = ["1"]', "double", [1.25]),
    Column("above", 'type = "integer"\nmin = 0\nmax = 9', "int16", [10]),
    Column("just below", 'type = "real"\nmin = 0.1\nmax = 9', "double", [math.nextafter(0.1, 0)]),
    Column("just above", 'type = "real"\nmin = 0\nmax = 0.1', "single", [float(np.float32(0.1001))]),
    Column("decimal above", 'type = "real"\nmin = 0\nmax = 0.3', "decimal(10,2)", [Decimal("0.31")]),
    Column("fraction", 'type = "integer"\nmin = 0\nmax = 9\nclamp = true', "double", [1.5]),
    Column("fraction of a decimal", 'type = "integer"\nmin = 0\nmax = 9', "decimal(10,2)", [Decimal("1.25")]),
    Column("no number", 'type = "integer"\nmin = 0\nmax = 9\nclamp = true', "text", ["twelve"]),
    Column("marker", 'type = "integer"\nmin = 0\nmax = 9\nclamp = true\nmissing = ["99"]', "int64", [99]),
    Column("early day", 'type = "date"\nmin = 2024-01-01\nmax = 2024-12-31\nbin = "month"', "date", _days("2023-12-31")),
    Column("not a day", 'type = "date"\nmin = 2024-01-01\nmax = 2024-12-31\nbin = "month"', "timestamp",
           _times("2024-02-29T10:00:00")),
    Column("late time", 'type = "datetime"\nmin = 2024-01-01T00:00:00\nmax = 2024-12-31T23:59:59\nbin = "month"',
           "timestamp", _times("2025-01-01T00:00:00")),
    Column("truth", 'type = "integer"\nmin = 0\nmax = 9', "boolean", [True]),
]  # fmt: skip
