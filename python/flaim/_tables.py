"""Tables of every library in, as codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from flaim import _flaim
from flaim._columns_in import from_numpy, from_objects, ignored_column
from flaim._columns_pandas import from_pandas
from flaim._flaim import BufferColumn, InputError, Schema, Table
from flaim._optional import need
from flaim._paths import path_text
from flaim._shape import Shape, name_in_schema

PARQUET_SUFFIXES = (".parquet", ".pq")

Numbers = npt.NDArray[np.int64]


def is_path(data: Any) -> bool:
    return isinstance(data, (str, os.PathLike))


def is_parquet(path: str) -> bool:
    return path.lower().endswith(PARQUET_SUFFIXES)


def to_schema(schema: Schema | str | os.PathLike[str]) -> Schema:
    """A schema, or the schema in the file of this name (TOML or JSON)."""
    if isinstance(schema, Schema):
        return schema
    if not is_path(schema):
        raise TypeError(
            f"a schema is expected, not {type(schema).__name__}: the path of a schema file, or a flaim.Schema, which "
            "Schema.parse makes from text"
        )
    return Schema.load(path_text(schema))


def read_table(data: Any, schema: Schema | str | os.PathLike[str], *, unfit: str = "refuse") -> Table:
    """Turns rows into codes.

    `data` is a path (.csv, compressed or not; .parquet, which needs pyarrow), a DataFrame of pandas or polars, a table,
    batch or reader of pyarrow, anything else with the Arrow PyCapsule interface, or a dict of arrays or lists. Columns
    are found by name. The index of a pandas DataFrame is ignored: reset_index() makes columns of it.

    A value means what its text would mean in a CSV file that the command line reads: null, NaN, NaT and None are
    missing; values that are not listed and values out of bounds go where the schema says, or are refused with the row,
    the column and the value. Numbers, truth values, times and everything of Arrow are read where they lie; what is
    allocated is the codes. Spends no privacy: codes are as private as the rows.

    `unfit` says what becomes of a row with a value that does not fit: "refuse" it with an error, "drop" the row, or
    count the value as "other" or missing, which every column must have then.
    """
    return _read(data, to_schema(schema), None, unfit)[0]


def to_table(data: Any, schema: Schema, unfit: str = "refuse") -> tuple[Table, Shape]:
    """As read_table(), and in what shape the rows came."""
    table, _ = _read(data, schema, None, unfit)
    return table, _shape_of(data, schema)


def to_table_with_numbers(data: Any, schema: Schema, column: str, unfit: str) -> tuple[Table, Shape, Numbers]:
    """As to_table(), with a column of whole numbers read alongside, e.g. the client of each row.

    The schema may drop that column but not keep it.
    """
    table, numbers = _read(data, schema, column, unfit)
    return table, _shape_of(data, schema), numbers


def table_from_codes(domain: Schema | Mapping[str, int], codes: Mapping[str, npt.ArrayLike]) -> Table:
    """A table from codes that the caller has: an array of whole numbers for each column of the domain.

    `domain` is a schema, or how many codes each column has. Codes are copied, and checked to be in range.
    """
    sizes = domain.domain if isinstance(domain, Schema) else dict(domain)
    if set(sizes) != set(codes):
        raise InputError(f"the domain has the columns {sorted(sizes)}, and codes were given for {sorted(codes)}")
    arrays = {name: np.ascontiguousarray(codes[name]) for name in sizes}
    for name, array in arrays.items():
        if array.ndim != 1 or array.dtype.kind not in "iu":
            raise InputError(f"column '{name}' needs one whole number for each row, its code")
    return _flaim.table_from_codes(list(sizes.items()), list(arrays.values()))


def _shape_of(data: Any, schema: Schema) -> Shape:
    if is_path(data) and is_parquet(path_text(data)):
        parquet = need("pyarrow.parquet", "read Parquet files")
        return Shape.of_parquet(parquet.read_schema(path_text(data)), schema.columns)
    return Shape.of(data, schema.columns)


def _read(data: Any, schema: Schema, numbers: str | None, unfit: str) -> tuple[Table, Numbers]:
    if is_path(data):
        return _read_path(path_text(data), schema, numbers, unfit)
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(data, pandas.DataFrame):
        columns = [(str(label), data.iloc[:, at]) for at, label in enumerate(data.columns)]
        return _read_columns(columns, len(data), schema, numbers, unfit)
    if hasattr(data, "__arrow_c_stream__"):
        return _flaim.read_arrow(data.__arrow_c_stream__(), schema, numbers, unfit)
    if hasattr(data, "__arrow_c_array__"):
        return _flaim.read_arrow_array(data.__arrow_c_array__(), schema, numbers, unfit)
    if isinstance(data, Mapping):
        return _read_mapping(data, schema, numbers, unfit)
    raise TypeError(
        f"a table is expected, not {type(data).__name__}: a path, a DataFrame of pandas or polars, an Arrow table, or "
        "a dict of arrays"
    )


def _read_path(path: str, schema: Schema, numbers: str | None, unfit: str) -> tuple[Table, Numbers]:
    if not is_parquet(path):
        return _flaim.read_path(path, schema, numbers, unfit)
    pyarrow = need("pyarrow", "read Parquet files")
    with need("pyarrow.parquet", "read Parquet files").ParquetFile(path) as file:
        dropped = set(schema.drop) - {numbers}
        names = [name for name in file.schema_arrow.names if name not in dropped]
        kept = pyarrow.schema([file.schema_arrow.field(name) for name in names])
        reader = pyarrow.RecordBatchReader.from_batches(kept, file.iter_batches(columns=names))
        return _flaim.read_arrow(reader.__arrow_c_stream__(), schema, numbers, unfit)


def _read_mapping(data: Mapping[Any, Any], schema: Schema, numbers: str | None, unfit: str) -> tuple[Table, Numbers]:
    columns = [(str(label), _one_dimension(label, values)) for label, values in data.items()]
    rows = len(columns[0][1]) if columns else 0
    for name, values in columns:
        if len(values) != rows:
            first = columns[0][0]
            raise InputError(f"column '{name}' has {len(values)} values, and column '{first}' has {rows}")
    return _read_columns(columns, rows, schema, numbers, unfit)


def _one_dimension(label: Any, values: Any) -> Any:
    """The values of a dict as something that has a length and an order."""
    if isinstance(values, np.ndarray):
        if values.ndim != 1:
            raise InputError(f"column '{label}' has {values.ndim} dimensions; give one value for each row")
        return values
    if isinstance(values, Sequence) and not isinstance(values, (str, bytes, bytearray, memoryview)):
        return values
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(values, (pandas.Series, pandas.Index, pandas.api.extensions.ExtensionArray)):
        return pandas.Series(values)
    for to_list in ("to_pylist", "to_list"):  # of pyarrow, of polars
        if hasattr(values, to_list):
            return getattr(values, to_list)()
    raise TypeError(f"column '{label}' is of type {type(values).__name__}; give an array or a list")


def _read_columns(
    columns: list[tuple[str, Any]], rows: int, schema: Schema, numbers: str | None, unfit: str
) -> tuple[Table, Numbers]:
    used = {*schema.columns, *([] if numbers is None else [numbers])}
    buffers = [
        ignored_column(name) if name_in_schema(name, used) is None else _buffer_column(name, values)
        for name, values in columns
    ]
    return _flaim.read_columns(buffers, rows, schema, numbers, unfit)


def _buffer_column(name: str, values: Any) -> BufferColumn:
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(values, pandas.Series):
        return from_pandas(name, values, pandas)
    return from_numpy(name, values) if isinstance(values, np.ndarray) else from_objects(name, list(values))
