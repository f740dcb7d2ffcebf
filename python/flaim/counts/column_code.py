"""A column's code, as an SQL expression."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from flaim.counts import thresholds
from flaim.counts.dialect import Dialect
from flaim.counts.values import FLOATS, EngineColumn, Kind

REFUSED = -1
"""The code of a value that the schema refuses."""

_NUMBERS = (Kind.INTEGER, Kind.DECIMAL, *FLOATS)
_LAST_CALENDAR_SECOND = 253_402_300_799


@dataclasses.dataclass(frozen=True)
class ColumnCode:
    """How the engine computes a code: from an expression over the table `t`, and a table joined to it if need be."""

    expression: str
    join: str = ""


def is_ordered(column: EngineColumn, rule: dict[str, Any]) -> bool:
    """Whether the engine can find the bin by comparing values, without their texts."""
    if rule["type"] in ("integer", "real"):
        return column.kind in _NUMBERS
    if rule["type"] == "date":
        return column.kind in (Kind.DATE, Kind.TIMESTAMP)
    return rule["type"] == "datetime" and column.kind is Kind.TIMESTAMP


def code_of_listed(
    dialect: Dialect, value: str, codes: dict[str, int], *, missing: int, others: int, alias: str, trims: bool
) -> ColumnCode:
    """Looks the value's text up in a list. `missing` is the code of NULL, `others` that of texts not listed."""
    text = dialect.as_text(value)
    if trims:
        text = dialect.trimmed(text)
    unlisted = f"CASE WHEN {value} IS NULL THEN {missing} ELSE {others} END"
    if not codes:
        return ColumnCode(unlisted)
    rows = ", ".join(f"({dialect.text(key)}, {code})" for key, code in codes.items())
    join = f"LEFT JOIN (VALUES {rows}) AS {alias}(k, c) ON {alias}.k = {text}"
    return ColumnCode(f"COALESCE({alias}.c, {unlisted})", join)


def code_of_boolean(value: str, missing: int) -> ColumnCode:
    """A truth value of a boolean column needs no spelling."""
    return ColumnCode(f"CASE WHEN {value} THEN 1 WHEN NOT {value} THEN 0 ELSE {missing} END")


def code_of_ordered(dialect: Dialect, value: str, column: EngineColumn, rule: dict[str, Any]) -> ColumnCode:
    """Finds the bin by comparisons, as the schema's own type does. REQUIRES: is_ordered."""
    lowest, highest = rule["bins"]
    missing = rule["size"] - 1 if rule["nullable"] else REFUSED
    order = _TimeOrder if rule["type"] in ("date", "datetime") else _NumberOrder
    comparison = order(dialect, value, column, rule)
    inside = f"{comparison.at_least(lowest[0])} AND {comparison.at_most(highest)}"
    is_value = comparison.is_value()
    arms = [f"WHEN {comparison.is_missing()} THEN {missing}"]
    arms.append(f"WHEN {is_value} AND {inside} THEN {_search(comparison.at_least, lowest)}")
    arms += [f"WHEN {marker} THEN {missing}" for marker in comparison.markers()]
    if rule["clamp"]:
        arms.append(f"WHEN {is_value} AND NOT {comparison.at_least(lowest[0])} THEN 0")
        arms.append(f"WHEN {is_value} AND NOT {comparison.at_most(highest)} THEN {len(lowest) - 1}")
    return ColumnCode(f"CASE {' '.join(arms)} ELSE {REFUSED} END")


def _search(at_least: Callable[[Any], str], lowest: Sequence[Any]) -> str:
    """Binary search: as many comparisons for each row as the number of bins has digits."""

    def between(first: int, last: int) -> str:
        if first == last:
            return str(first)
        middle = (first + last + 1) // 2
        upper, lower = between(middle, last), between(first, middle - 1)
        return f"CASE WHEN {at_least(lowest[middle])} THEN {upper} ELSE {lower} END"

    return between(0, len(lowest) - 1)


class _NumberOrder:
    """Comparisons of a column of numbers with bounds of the schema."""

    def __init__(self, dialect: Dialect, value: str, column: EngineColumn, rule: dict[str, Any]) -> None:
        self._dialect = dialect
        self._column = column
        self._rule = rule
        self._written = value
        self._value = dialect.single(value) if column.kind is Kind.FLOAT32 else value

    def is_missing(self) -> str:
        if self._column.kind in FLOATS:
            return f"{self._value} IS NULL OR {self._value} = {self._dialect.double('NaN')}"
        return f"{self._value} IS NULL"

    def is_value(self) -> str:
        conditions = ["TRUE"]
        if self._column.kind in FLOATS:
            low, high = self._dialect.double("-Infinity"), self._dialect.double("Infinity")
            conditions.append(f"{self._value} > {low} AND {self._value} < {high}")
        if self._rule["type"] == "integer" and self._column.kind is not Kind.INTEGER:
            conditions.append(self._dialect.is_whole(self._value, self._column.kind))
        return " AND ".join(conditions)

    def markers(self) -> list[str]:
        written = [self._dialect.is_written(self._written, self._column, marker) for marker in self._rule["missing"]]
        return [condition for condition in written if condition is not None]

    def at_least(self, bound: int | float) -> str:
        is_whole = self._rule["type"] == "integer"
        if self._column.kind is Kind.FLOAT64:
            return self._compare(">=", thresholds.lowest_float64_from(int(bound)) if is_whole else bound)
        if self._column.kind is Kind.FLOAT32:
            if is_whole:
                return self._compare(">=", thresholds.lowest_float64_from(int(bound)))
            return self._compare(">=", thresholds.lowest_float32(bound))
        scale = self._column.scale
        units = int(bound) * 10**scale if is_whole else thresholds.lowest_decimal_units(bound, scale)
        return self._compare_units(">=", units)

    def at_most(self, bound: int | float) -> str:
        is_whole = self._rule["type"] == "integer"
        if self._column.kind in FLOATS and is_whole:
            return self._compare("<=", thresholds.highest_float64_to(int(bound)))
        if self._column.kind is Kind.FLOAT64:
            return self._compare("<=", bound)
        if self._column.kind is Kind.FLOAT32:
            above = int(bound) + 1 if is_whole else thresholds.next_double(bound)
            return f"NOT ({self.at_least(above)})"
        scale = self._column.scale
        units = int(bound) * 10**scale if is_whole else thresholds.highest_decimal_units(bound, scale)
        return self._compare_units("<=", units)

    def _compare(self, operator: str, bound: float) -> str:
        text = "Infinity" if bound == float("inf") else repr(bound)
        return f"{self._value} {operator} {self._dialect.double(text)}"

    def _compare_units(self, operator: str, units: int) -> str:
        """With a bound that the column's type can hold, or known without looking."""
        limit = self._column.limit if self._column.kind is Kind.INTEGER else 10 ** (self._column.precision or 0)
        if abs(units) >= limit:
            return "TRUE" if (units < 0) == (operator == ">=") else "FALSE"
        if self._column.kind is Kind.INTEGER:
            return f"{self._value} {operator} {units}"
        digits = thresholds.decimal_digits(units, self._column.scale)
        return f"{self._value} {operator} {self._dialect.decimal(digits, self._column)}"


class _TimeOrder:
    """Comparisons of a column of dates or timestamps with bounds of the schema, in seconds since 1970."""

    def __init__(self, dialect: Dialect, value: str, column: EngineColumn, rule: dict[str, Any]) -> None:
        self._dialect = dialect
        self._value = value
        self._column = column
        self._rule = rule
        self._literal = dialect.date if column.kind is Kind.DATE else dialect.timestamp

    def is_missing(self) -> str:
        return f"{self._value} IS NULL"

    def is_value(self) -> str:
        in_calendar = f"{self._dialect.year(self._value)} BETWEEN 1 AND 9999"
        if self._rule["type"] == "datetime" or self._column.kind is Kind.DATE:
            return in_calendar
        return f"{in_calendar} AND CAST(CAST({self._value} AS DATE) AS {self._dialect.timestamp_type}) = {self._value}"

    def markers(self) -> list[str]:
        step = self._rule["resolution_seconds"] - 1
        times = self._rule["missing_times"]
        return [f"{self.is_value()} AND {self.at_least(time)} AND {self.at_most(time + step)}" for time in times]

    def at_least(self, seconds: int) -> str:
        if abs(seconds) >= self._column.limit:
            return "TRUE" if seconds < 0 else "FALSE"
        return f"{self._value} >= {self._literal(seconds)}"

    def at_most(self, seconds: int) -> str:
        """Fractions of that second are still inside."""
        return "TRUE" if seconds >= _LAST_CALENDAR_SECOND else f"NOT {self.at_least(seconds + 1)}"
