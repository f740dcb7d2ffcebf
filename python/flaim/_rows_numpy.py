"""Synthetic rows as numpy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from flaim._columns_out import Array, SyntheticColumn, of_dtype, synthetic_columns, type_with_gaps, with_gaps
from flaim._flaim import Rows
from flaim._shape import ListType, MaskedType, Shape


def as_numpy(rows: Rows, shape: Shape) -> dict[Any, Any]:
    """A dict of arrays. Missing numbers are NaN, missing times NaT, other missing values None; a column that may miss
    values is of the same type whether it does or not."""
    return {
        label: _values(column, shape.types.get(column.name)) for label, column in synthetic_columns(rows, shape)
    }


def _values(column: SyntheticColumn, wanted: Any) -> Any:
    if isinstance(wanted, ListType):
        return column.objects().tolist()
    if isinstance(wanted, MaskedType):
        return _masked(column, wanted.dtype)
    if wanted is None:
        return plain_values(column, column.natural().dtype)
    return plain_values(column, wanted)


def plain_values(column: SyntheticColumn, wanted: np.dtype[Any]) -> Array:
    """An array of the wanted type, or of one that holds missing values; of the column's own type if they do not fit."""
    dtype = type_with_gaps(wanted, column)
    if wanted.kind in "UT" or (wanted.kind == "O" and column.kind == "categorical"):
        return column.texts().astype(dtype)
    if dtype.kind == "O":
        own = column.booleans() if wanted.kind == "b" else None
        return column.objects() if own is None else with_gaps(own.astype(object), column.missing)
    values = of_dtype(column, dtype)
    if values is None:
        natural = column.natural()
        return plain_values(column, natural.dtype) if natural.dtype != wanted else column.objects()
    return with_gaps(values, column.missing)


def _masked(column: SyntheticColumn, wanted: np.dtype[Any]) -> Any:
    values = column.texts() if wanted.kind == "U" else of_dtype(column, wanted)
    if values is None:
        values = column.natural()
    if column.missing is None:
        return np.ma.MaskedArray(values.astype(wanted) if wanted.kind == "U" else values)
    if wanted.kind == "U":
        values[column.missing] = ""
        values = values.astype(wanted)
    return np.ma.MaskedArray(values, mask=column.missing)
