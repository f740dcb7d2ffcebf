"""How many rows fall into each cell of a marginal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _flaim
from .domain import Clique, CliqueLike, Domain, clique_of


def count(
    table: Any,
    cliques: Iterable[CliqueLike],
    *,
    domain: Domain | None = None,
    threads: int = 0,
) -> dict[Clique, NDArray[np.int64]]:
    """The exact counts of each clique, with axes in the order in which the clique is written.

    table: a `flaim.Table`; or codes with a `domain`: a mapping or a DataFrame with a column of whole numbers for each
        attribute, by name, or a 2-D array with the attributes as columns, in their order. Codes are checked: each is
        in 0, ..., size - 1.

    All arrays are views of one piece of memory that the counting filled; none is copied. The counts are as private as
    the rows: add noise (`flaim.Ledger`) before they go anywhere. The interpreter's lock is released.
    """
    names = [clique_of(clique) for clique in cliques]
    if domain is None:
        if not isinstance(table, _flaim.Table):
            raise _flaim.InputError("codes by themselves need the domain that they are over")
        domain = Domain.from_dict(table.domain)
    positions = [list(domain.axes(clique)) for clique in names]
    if isinstance(table, _flaim.Table):
        if Domain.from_dict(table.domain) != domain:
            raise _flaim.InputError("the table has another domain")
        counts = _flaim.count_table(table, positions, threads)
    else:
        counts = _flaim.count_codes(domain._native, _columns(table, domain), positions, threads)
    return {clique: _as_written(array, axes) for clique, array, axes in zip(names, counts, positions)}


def _columns(table: Any, domain: Domain) -> list[NDArray[Any]]:
    names = _column_names(table)
    if names is not None:
        missing = [name for name in domain if name not in names]
        if missing:
            raise _flaim.InputError(f"there is no column {missing[0]!r}")
        return [_codes(np.asarray(table[name]), name) for name in domain]
    codes = np.asarray(table)
    if codes.ndim != 2 or codes.shape[1] != len(domain):
        raise _flaim.InputError(f"codes are a 2-D array with {len(domain)} columns, or a mapping from name to column")
    return [_codes(column, name) for column, name in zip(codes.T, domain)]


def _column_names(table: Any) -> set[str] | None:
    """Of a mapping, a pandas or polars DataFrame, an Arrow table; None if columns have no names."""
    if isinstance(table, Mapping):
        return set(table)
    names = getattr(table, "column_names", getattr(table, "columns", None))
    return None if names is None else set(names)


def _codes(column: NDArray[Any], name: str) -> NDArray[Any]:
    if column.ndim != 1:
        raise _flaim.InputError(f"column {name} has {column.ndim} dimensions; it must have one")
    if column.dtype.kind not in "iu" and column.size > 0:
        raise _flaim.InputError(f"column {name} is of type {column.dtype}; codes are whole numbers of an integer type")
    is_readable = column.dtype.kind in "iu" and column.dtype.isnative
    return column if is_readable else column.astype(np.int64)


def _as_written(array: NDArray[np.int64], axes: list[int]) -> NDArray[np.int64]:
    return array.transpose(np.argsort(np.argsort(axes)))
