"""Synthetic rows as a DataFrame of pandas."""

from __future__ import annotations

from typing import Any

import numpy as np

from flaim._columns_out import Array, SyntheticColumn, of_dtype, synthetic_columns, with_gaps
from flaim._flaim import Rows
from flaim._optional import need
from flaim._rows_arrow import arrow_values
from flaim._rows_numpy import plain_values
from flaim._shape import CategoryType, ObjectType, Shape


def as_pandas(rows: Rows, shape: Shape) -> Any:
    """A DataFrame, made without pyarrow unless its types are pyarrow's. Rows are numbered."""
    pandas = need("pandas", "make a DataFrame")
    columns = synthetic_columns(rows, shape)
    values = {
        position: _values(column, shape.types.get(column.name), rows, pandas)
        for position, (_, column) in enumerate(columns)
    }
    frame = pandas.DataFrame(values)
    frame.columns = [label for label, _ in columns]
    return frame


def _values(column: SyntheticColumn, wanted: Any, rows: Rows, pandas: Any) -> Any:
    if isinstance(wanted, CategoryType):
        return _category(column, wanted, pandas)
    if isinstance(wanted, ObjectType):
        return pandas.Series(column.objects(), dtype=object)
    if isinstance(wanted, np.dtype):
        return pandas.Series(plain_values(column, wanted))
    if wanted is not None:
        series = _extension_series(column, wanted, rows, pandas)
        if series is not None:
            return series
    return _own_type(column, pandas)


def _own_type(column: SyntheticColumn, pandas: Any) -> Any:
    """What pandas has for the column's kind; its nullable types where values may be missing."""
    if column.kind == "categorical":
        return _category(column, None, pandas)
    values = column.natural()
    if values.dtype.kind == "M":
        return pandas.Series(with_gaps(values.astype("datetime64[s]"), column.missing))
    if not column.nullable or values.dtype.kind == "f":
        return pandas.Series(with_gaps(values, column.missing))
    return _nullable(values, "boolean" if values.dtype.kind == "b" else "Int64", column, pandas)


def _extension_series(column: SyntheticColumn, wanted: Any, rows: Rows, pandas: Any) -> Any:
    """A series of this type of pandas, or None if the values do not fit it."""
    if isinstance(wanted, pandas.ArrowDtype):
        array = arrow_values(column, rows, wanted.pyarrow_dtype)
        return pandas.Series(pandas.arrays.ArrowExtensionArray(array))
    if isinstance(wanted, pandas.DatetimeTZDtype):
        times = of_dtype(column, np.dtype(f"datetime64[{wanted.unit}]"))
        if times is None:
            return None
        return pandas.Series(with_gaps(times, column.missing)).dt.tz_localize("UTC").dt.tz_convert(wanted.tz)
    if isinstance(wanted, pandas.StringDtype):
        return pandas.Series(column.texts(), dtype=wanted)
    plain = getattr(wanted, "numpy_dtype", None)
    values = None if plain is None else of_dtype(column, plain)
    return None if values is None else _nullable(values, wanted, column, pandas)


def _nullable(values: Array, dtype: Any, column: SyntheticColumn, pandas: Any) -> Any:
    series = pandas.Series(values).astype(dtype)
    if column.missing is not None:
        series[column.missing] = pandas.NA
    return series


def _category(column: SyntheticColumn, wanted: CategoryType | None, pandas: Any) -> Any:
    ordered = wanted is not None and wanted.ordered
    if column.kind != "categorical":
        return pandas.Categorical(with_gaps(column.natural(), column.missing), ordered=ordered)
    as_numbers = wanted is not None and wanted.are_numbers
    categories = _numbers_of(column.categories, pandas) if as_numbers else column.categories
    return pandas.Categorical.from_codes(column.codes(), categories=categories, ordered=ordered)


def _numbers_of(texts: list[str], pandas: Any) -> Any:
    """Whole numbers if all are, else numbers, else the texts themselves."""
    for dtype in ("int64", "float64"):
        try:
            return pandas.Index(texts).astype(dtype)
        except (TypeError, ValueError):
            continue
    return texts
