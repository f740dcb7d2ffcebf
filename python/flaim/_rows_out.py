"""Synthetic rows out, as what went in."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from flaim._flaim import InputError, Rows
from flaim._optional import is_installed, need
from flaim._paths import path_text
from flaim._rows_arrow import as_arrow, as_polars
from flaim._rows_numpy import as_numpy
from flaim._rows_pandas import as_pandas
from flaim._shape import Shape
from flaim._tables import is_parquet, is_path


def deliver(
    draw: Callable[[], Rows],
    write_csv: Callable[[str], None],
    shape: Shape,
    to: str | os.PathLike[str] | None = None,
) -> Any:
    """Hands out synthetic rows: as a table (see from_rows), or into a .csv or .parquet file, returning None.

    A CSV file is written by `write_csv`, as the command line writes it: same seed, same bytes.
    """
    if to is None or (isinstance(to, str) and to in _LIBRARIES):
        return from_rows(draw(), shape, to)
    if not is_path(to):
        raise _bad_target(to)
    path = path_text(to)
    if is_parquet(path):
        _write_parquet(draw, shape, path)
    elif path.endswith(".csv"):
        write_csv(path)
    else:
        raise _bad_target(to)
    return None


def from_rows(rows: Rows, shape: Shape, to: str | None = None) -> Any:
    """Synthetic rows in the given shape: the same library, the same order of columns, and the types that went in where
    the values fit them. Categories are the schema's. Columns that the schema dropped do not come back.

    `to` is "pandas", "polars", "arrow" or "numpy" (a dict of arrays) for another library, with its own types for the
    columns. Rows that came from a file come back as a pandas DataFrame if pandas is installed, else as numpy arrays.
    """
    library = to or shape.library or ("pandas" if is_installed("pandas") else "numpy")
    return _LIBRARIES[library](rows, shape if library == shape.library else Shape(None, shape.labels))


def _write_parquet(draw: Callable[[], Rows], shape: Shape, path: str) -> None:
    parquet = need("pyarrow.parquet", "write Parquet files")
    has_arrow_types = shape.library in ("arrow", None)
    labels = tuple(str(label) for label in shape.labels)
    wanted = Shape("arrow", labels, shape.types if has_arrow_types else {})
    parquet.write_table(as_arrow(draw(), wanted), path)


_LIBRARIES: dict[str, Callable[[Rows, Shape], Any]] = {
    "pandas": as_pandas,
    "polars": as_polars,
    "arrow": as_arrow,
    "numpy": as_numpy,
}


def _bad_target(to: Any) -> InputError:
    return InputError(
        f"rows cannot go to {to!r}; choose 'pandas', 'polars', 'arrow', 'numpy', or a path that ends in .csv or "
        ".parquet"
    )
