"""Columns of pandas, described as Arrow would."""

from __future__ import annotations

from typing import Any

import numpy as np

from flaim._columns_in import (
    dictionary_of,
    from_indices,
    from_numpy,
    from_objects,
    from_times,
    text_dictionary,
)
from flaim._flaim import BufferColumn

_UTC = ("UTC", "Etc/UTC", "Z", "+00:00")


def from_pandas(name: str, series: Any, pandas: Any) -> BufferColumn:
    """A series, read where its values lie as far as pandas shows them. The index is not looked at."""
    dtype = series.dtype
    types = pandas.api.types
    if isinstance(dtype, pandas.CategoricalDtype):
        return from_indices(name, series.cat.codes.to_numpy(), _categories(name, series.cat.categories, pandas))
    if isinstance(dtype, pandas.SparseDtype):
        return from_pandas(name, series.sparse.to_dense(), pandas)
    if isinstance(dtype, pandas.DatetimeTZDtype):
        utc = series.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy()
        return from_times(name, utc, zone=_zone_name(dtype.tz))
    if isinstance(dtype, pandas.StringDtype) or _holds_only_texts(series, types):
        indices, uniques = pandas.factorize(series)
        return from_indices(name, indices, text_dictionary(name, uniques.tolist()))
    if isinstance(dtype, np.dtype):
        return from_numpy(name, series.to_numpy())
    if types.is_bool_dtype(dtype) or types.is_integer_dtype(dtype) or types.is_float_dtype(dtype):
        return _from_masked(name, series)
    if isinstance(dtype, pandas.ArrowDtype):
        return _from_arrow_backed(name, series, pandas)
    return from_objects(name, series.tolist())


def _zone_name(zone: Any) -> str:
    return "UTC" if str(zone) in _UTC else str(zone)


def _holds_only_texts(series: Any, types: Any) -> bool:
    return bool(series.dtype == object and types.infer_dtype(series, skipna=True) == "string")


def _categories(name: str, categories: Any, pandas: Any) -> BufferColumn:
    """The categories as the dictionary of a column: numbers and times as they are, all else by way of objects."""
    if isinstance(categories.dtype, np.dtype) and categories.dtype.kind in "biufM":
        return from_numpy("", categories.to_numpy())
    if isinstance(categories.dtype, pandas.DatetimeTZDtype):
        return from_pandas(name, categories.to_series(), pandas)
    return dictionary_of(name, categories.tolist())


def _from_masked(name: str, series: Any) -> BufferColumn:
    """Numbers and truth values of pandas that keep their missing values in a mask of their own."""
    plain = np.dtype(series.dtype.numpy_dtype)
    missing = series.isna().to_numpy()
    if not missing.any():
        return from_numpy(name, series.to_numpy(dtype=plain))
    return from_numpy(name, series.to_numpy(dtype=plain, na_value=plain.type(0)), ~missing)


def _from_arrow_backed(name: str, series: Any, pandas: Any) -> BufferColumn:
    """Texts, times and what else pandas leaves to pyarrow."""
    column = series.array.__arrow_array__().combine_chunks()
    if str(column.type).startswith(("timestamp", "date")):
        zone = _zone_name(getattr(column.type, "tz", None) or "")
        return from_times(name, column.to_numpy(zero_copy_only=False), zone=zone)
    try:
        encoded = column if hasattr(column, "indices") else column.dictionary_encode()
    except NotImplementedError:  # pyarrow's own error is one: lists, structs
        return from_objects(name, series.tolist())
    indices = encoded.indices.fill_null(-1).to_numpy()
    return from_indices(name, indices, dictionary_of(name, encoded.dictionary.to_pylist()))
