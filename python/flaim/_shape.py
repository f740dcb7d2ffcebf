"""How rows came in, so that synthetic rows go out alike."""

from __future__ import annotations

import sys
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from flaim._optional import is_installed, need

Library = Literal["pandas", "polars", "arrow", "numpy"]


@dataclass(frozen=True)
class CategoryType:
    """A category of pandas, without the categories of the data: those of the schema take their place.

    Whole numbers become floats in pandas where one is missing, so it is only kept whether they were numbers at all.
    """

    ordered: bool
    are_numbers: bool


@dataclass(frozen=True)
class ObjectType:
    """Python objects. Of which type is not kept: each row may have its own."""


@dataclass(frozen=True)
class EnumType:
    """An Enum of polars, without its values."""


@dataclass(frozen=True)
class MaskedType:
    """A masked array of numpy."""

    dtype: np.dtype[Any]


@dataclass(frozen=True)
class ListType:
    """A list of Python objects."""


@dataclass(frozen=True)
class Shape:
    """The library of a table, the order of its columns and their types. Holds no value of any row, no number of rows
    and nothing of columns that the schema drops: a shape may be kept and shown. Types count as public, as names do.

    `library` is None where rows came from a file: then they go out as what is installed. Types are those of the
    library, and of Arrow for a Parquet file.
    """

    library: Library | None = None
    labels: tuple[Hashable, ...] = ()
    types: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Any, kept: Collection[str]) -> Shape:
        """The shape of anything that read_table() takes, as far as the columns of these names are concerned."""
        pandas = sys.modules.get("pandas")
        if pandas is not None and isinstance(data, pandas.DataFrame):
            types = [_pandas_type(data.iloc[:, at], pandas) for at in range(data.shape[1])]
            return cls._of_columns("pandas", zip(data.columns, types), kept)
        polars = sys.modules.get("polars")
        if polars is not None and isinstance(data, polars.DataFrame):
            types = [_polars_type(dtype, polars) for dtype in data.dtypes]
            return cls._of_columns("polars", zip(data.columns, types), kept)
        if isinstance(data, Mapping):
            types = [_numpy_type(values) for values in data.values()]
            return cls._of_columns("numpy", zip(data, types), kept)
        is_arrow = hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__")
        if is_arrow and is_installed("pyarrow"):
            return cls._of_arrow("arrow", _arrow_schema(data), kept)
        return cls()

    @classmethod
    def _of_arrow(cls, library: Library | None, schema: Any, kept: Collection[str]) -> Shape:
        fields = () if schema is None else schema
        return cls._of_columns(library, ((field.name, field.type) for field in fields), kept)

    @classmethod
    def of_parquet(cls, schema: Any, kept: Collection[str]) -> Shape:
        """The shape of a Parquet file with this Arrow schema."""
        return cls._of_arrow(None, schema, kept)

    @classmethod
    def _of_columns(
        cls, library: Library | None, columns: Iterable[tuple[Hashable, Any]], kept: Collection[str]
    ) -> Shape:
        named = [(label, name_in_schema(label, kept), dtype) for label, dtype in columns]
        labels = tuple(label for label, name, _ in named if name is not None)
        return cls(library, labels, {name: dtype for _, name, dtype in named if name is not None})


def name_in_schema(label: Hashable, names: Collection[str]) -> str | None:
    """The column that a label of a table means, None if it is none of these. A schema may trim blanks around names."""
    text = str(label)
    candidates = (text, text.strip(" \t"))
    return next((name for name in candidates if name in names), None)


def _pandas_type(series: Any, pandas: Any) -> Any:
    if isinstance(series.dtype, pandas.CategoricalDtype):
        categories = series.dtype.categories.dtype
        return CategoryType(bool(series.dtype.ordered), pandas.api.types.is_numeric_dtype(categories))
    if isinstance(series.dtype, pandas.SparseDtype):
        return series.dtype.subtype
    if series.dtype == object:
        return ObjectType()
    return series.dtype


def _polars_type(dtype: Any, polars: Any) -> Any:
    return EnumType() if isinstance(dtype, polars.Enum) else dtype


def _numpy_type(values: Any) -> Any:
    dtype = getattr(values, "dtype", None)
    if not isinstance(dtype, np.dtype):
        return ListType()
    if dtype.kind == "U":
        dtype = np.dtype("U")  # the longest text of the data would show in a fixed width
    return MaskedType(dtype) if isinstance(values, np.ma.MaskedArray) else dtype


def _arrow_schema(data: Any) -> Any:
    pyarrow = need("pyarrow", "know the columns of an Arrow table")
    schema = getattr(data, "schema", None)
    if isinstance(schema, pyarrow.Schema):
        return schema
    return pyarrow.schema(data) if hasattr(data, "__arrow_c_schema__") else None
