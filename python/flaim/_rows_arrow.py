"""Synthetic rows as tables of pyarrow and polars, which take the columns as they lie."""

from __future__ import annotations

from typing import Any

from flaim._columns_out import SyntheticColumn, synthetic_columns
from flaim._flaim import Rows
from flaim._optional import need
from flaim._shape import EnumType, Shape


def as_arrow(rows: Rows, shape: Shape) -> Any:
    """A table of pyarrow."""
    pyarrow = need("pyarrow", "make an Arrow table")
    columns = synthetic_columns(rows, shape)
    arrays = [arrow_values(column, rows, shape.types.get(column.name)) for _, column in columns]
    return pyarrow.table(arrays, names=[str(label) for label, _ in columns])


def as_polars(rows: Rows, shape: Shape) -> Any:
    """A DataFrame of polars."""
    polars = need("polars", "make a DataFrame of polars")
    frame = polars.DataFrame(rows)
    return polars.DataFrame(
        [
            _polars_values(column, frame[column.name], shape.types.get(column.name), polars).alias(str(label))
            for label, column in synthetic_columns(rows, shape)
        ]
    )


def arrow_values(column: SyntheticColumn, rows: Rows, wanted: Any) -> Any:
    """A column of the wanted type of Arrow, or of the column's own if it is None or the values do not fit it."""
    pyarrow = need("pyarrow", "make an Arrow table")
    array = pyarrow.table(rows)[column.name]
    if wanted is None or array.type == wanted:
        return array
    try:
        if _is_text(wanted, pyarrow):
            return pyarrow.array(column.texts(), type=wanted)
        if pyarrow.types.is_dictionary(wanted):
            return _dictionary(column, wanted, pyarrow)
        if column.kind == "categorical":
            return pyarrow.array(column.texts(), type=pyarrow.string()).cast(wanted)
        if pyarrow.types.is_decimal(wanted):  # floats are rounded, where whole numbers are refused
            return array.cast(pyarrow.float64()).cast(wanted)
        return array.cast(wanted)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError):
        return array


def _is_text(wanted: Any, pyarrow: Any) -> bool:
    types = pyarrow.types
    is_view = getattr(types, "is_string_view", types.is_string)
    return bool(types.is_string(wanted) or types.is_large_string(wanted) or is_view(wanted))


def _dictionary(column: SyntheticColumn, wanted: Any, pyarrow: Any) -> Any:
    """Of a categorical column with the schema's values, else with those that were drawn."""
    if column.kind != "categorical":
        return pyarrow.array(column.texts(), type=pyarrow.string()).cast(wanted.value_type).cast(wanted)
    indices = pyarrow.array(column.codes(), mask=column.missing).cast(wanted.index_type)
    values = pyarrow.array(column.categories, type=pyarrow.string()).cast(wanted.value_type)
    return pyarrow.DictionaryArray.from_arrays(indices, values, ordered=wanted.ordered)


def _polars_values(column: SyntheticColumn, series: Any, wanted: Any, polars: Any) -> Any:
    if wanted is None or series.dtype == wanted:
        return series
    if isinstance(wanted, EnumType):
        if column.kind != "categorical":
            return series
        wanted = polars.Enum(column.categories)
    if wanted == polars.String or column.kind == "categorical":
        series = polars.Series(column.name, column.texts().tolist(), dtype=polars.String)
    try:
        zone = getattr(wanted, "time_zone", None)
        return series.cast(wanted) if zone is None else _at_zone(series, wanted, zone, polars)
    except polars.exceptions.PolarsError:
        return series


def _at_zone(series: Any, wanted: Any, zone: str, polars: Any) -> Any:
    utc = series.cast(polars.Datetime(wanted.time_unit)).dt.replace_time_zone("UTC")
    return utc.dt.convert_time_zone(zone)
