"""Columns of synthetic rows as numpy arrays, in the type that a caller wants, where the values fit it."""

from __future__ import annotations

import datetime
import re
from collections.abc import Hashable
from typing import Any

import numpy as np
import numpy.typing as npt

from flaim._flaim import Rows
from flaim._shape import Shape, name_in_schema

Array = npt.NDArray[Any]
Flags = npt.NDArray[np.bool_]


class SyntheticColumn:
    """One column of synthetic rows, with what its schema says about it.

    Each method gives the values as another type, or None where they are not of it. Where a value is missing, `missing`
    is true and the value is arbitrary.
    """

    def __init__(self, values: Array, missing: npt.NDArray[np.uint8] | None, described: dict[str, Any]) -> None:
        self.name: str = described["name"]
        self.kind: str = described["type"]
        self.nullable: bool = described["nullable"]
        self.missing: Flags | None = None if missing is None else missing.view(np.bool_)
        self._values = values
        self._described = described

    @property
    def categories(self) -> list[str]:
        """The schema's values, of a categorical column."""
        values: list[str] = self._described["values"]
        return values

    def codes(self) -> Array:
        """Of a categorical column; -1 where it is missing."""
        return self._values if self.missing is None else np.where(self.missing, -1, self._values)

    def natural(self) -> Array:
        """The values as what the schema says they are; texts of a categorical column."""
        if self.kind == "boolean":
            return self._values.astype(np.bool_)
        if self.kind in ("date", "datetime"):
            return self._own_times()
        return self.texts() if self.kind == "categorical" else self._values

    def integers(self) -> Array | None:
        if self.kind in ("integer", "boolean"):
            return self._values.astype(np.int64)
        if self.kind == "real":
            return self._values.astype(np.int64) if bool(np.all(self._present() % 1 == 0)) else None
        return self._parsed_categories(np.int64)

    def floats(self) -> Array | None:
        if self.kind in ("integer", "real", "boolean"):
            return self._values.astype(np.float64)
        return self._parsed_categories(np.float64)

    def booleans(self) -> Array | None:
        if self.kind == "boolean":
            return self._values.astype(np.bool_)
        if self.kind == "integer" and bool(np.all(np.isin(self._present(), (0, 1)))):
            return self._values.astype(np.bool_)
        if self.kind == "categorical" and {text.lower() for text in self.categories} <= {"true", "false"}:
            return self._by_category([text.lower() == "true" for text in self.categories], np.bool_)
        return None

    def times(self) -> Array | None:
        """Dates as datetime64[D], times as datetime64[s]."""
        if self.kind in ("date", "datetime"):
            return self._own_times()
        return self._parsed_categories("datetime64[s]")

    def texts(self) -> Array:
        """Python strings, as the schema writes them, and None where they are missing."""
        if self.kind == "categorical":
            texts = self._by_category(self.categories, object)
        elif self.kind == "boolean":
            texts = np.array(self._described["spellings"], dtype=object)[self._values]
        elif self.kind in ("date", "datetime"):
            texts = self._formatted_times()
        else:
            texts = np.array([str(value) for value in self._values.tolist()], dtype=object)
        return self._with_none(texts)

    def objects(self) -> Array:
        """Python objects of the column's own kind, texts of a categorical column, and None where they are missing."""
        return self._with_none(self.natural().astype(object))

    def _own_times(self) -> Array:
        unit = "datetime64[D]" if self.kind == "date" else "datetime64[s]"
        return self._values.astype(np.int64).view(unit)

    def _present(self) -> Array:
        return self._values if self.missing is None else self._values[~self.missing]

    def _with_none(self, values: Array) -> Array:
        if self.missing is not None:
            values[self.missing] = None
        return values

    def _by_category(self, values: list[Any], dtype: Any) -> Array:
        """The value of each row's category. Anything where it is missing."""
        indices = self._values if self.missing is None else np.where(self.missing, 0, self._values)
        return np.array(values, dtype=dtype)[indices]

    def _parsed_categories(self, dtype: Any) -> Array | None:
        """Categories that are numbers or times, as such. None if one is not."""
        if self.kind != "categorical":
            return None
        try:
            parsed = np.array([text.strip() for text in self.categories]).astype(dtype)
        except (ValueError, OverflowError):
            return None
        return self._by_category(parsed.tolist(), parsed.dtype)

    def _formatted_times(self) -> Array:
        times = self._own_times()
        pattern = self._described.get("format")
        if pattern is None:
            return np.datetime_as_string(times).astype(object)
        uniques, indices = np.unique(times.astype("datetime64[s]"), return_inverse=True)
        return np.array([_format(time, pattern) for time in uniques.tolist()], dtype=object)[indices]


def _format(time: datetime.datetime, pattern: str) -> str:
    fields = {
        "Y": f"{time.year:04}", "m": f"{time.month:02}", "d": f"{time.day:02}",
        "H": f"{time.hour:02}", "M": f"{time.minute:02}", "S": f"{time.second:02}", "%": "%",
    }  # fmt: skip
    return re.sub("%(.)", lambda conversion: fields[conversion[1]], pattern)


def synthetic_columns(rows: Rows, shape: Shape) -> list[tuple[Hashable, SyntheticColumn]]:
    """Each column with its label, in the order of the shape. Columns that the shape does not know come last."""
    described = rows.schema.describe()
    columns: dict[str, SyntheticColumn] = {
        name: SyntheticColumn(values, missing, about)
        for (name, values, missing), about in zip(rows.numpy_columns(), described)
    }
    label_of = {name_in_schema(label, columns.keys()): label for label in shape.labels}
    known = [(label, columns[name]) for name, label in label_of.items() if name is not None]
    return known + [(name, column) for name, column in columns.items() if name not in label_of]


def of_dtype(column: SyntheticColumn, wanted: np.dtype[Any]) -> Array | None:
    """The values as this type of numpy, if they fit it. Missing values are left as they are."""
    if wanted.kind in "iu":
        integers = column.integers()
        return None if integers is None else _narrowed(integers, wanted, column.missing)
    if wanted.kind == "f":
        floats = column.floats()
        return None if floats is None else floats.astype(wanted)
    if wanted.kind == "b":
        return column.booleans()
    if wanted.kind == "M":
        times = column.times()
        return None if times is None else times.astype(wanted)
    return None


def _narrowed(values: Array, wanted: np.dtype[Any], missing: Flags | None) -> Array | None:
    there = values if missing is None else values[~missing]
    limits = np.iinfo(wanted)
    fits = there.size == 0 or (there.min() >= limits.min and there.max() <= limits.max)
    return values.astype(wanted) if fits else None


def type_with_gaps(wanted: np.dtype[Any], column: SyntheticColumn) -> np.dtype[Any]:
    """The type of numpy that a column of this type has where values may be missing: floats for whole numbers, objects
    for truth values and texts. It follows from the schema and not from the rows: no missing value shows in it.
    """
    if not column.nullable:
        return wanted
    if wanted.kind in "iu":
        return np.dtype(np.float64)
    return np.dtype(object) if wanted.kind in "bU" else wanted


def with_gaps(values: Array, missing: Flags | None) -> Array:
    """NaN, NaT or None where values are missing."""
    if missing is None:
        return values
    if values.dtype.kind in "iu":
        values = values.astype(np.float64)
    elif values.dtype.kind not in "fM":
        values = values.astype(object)
    gap = {"f": np.nan, "M": np.datetime64("NaT")}.get(values.dtype.kind)
    filled = values.copy()
    filled[missing] = gap
    return filled
