"""Counts of one private table, wherever its rows are."""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from flaim import _flaim
from flaim._parameters import workload_argument
from flaim._tables import to_schema

Clique = tuple[str, ...]
CountArray = npt.NDArray[np.int64]
Fitted = TypeVar("Fitted")
Self = TypeVar("Self", bound="Counts")


class Counts(abc.ABC):
    """Where the exact counts of a private table come from.

    A subclass says how to count; `flaim.AIM(...).fit(counts)` and `flaim.from_counts` ask it. What it answers is
    private: nothing here adds noise. All answers must be over the same rows, as of one moment. Marginals that do not
    add up to the same number of rows are refused; before anything is spent, unless they are so many that a fit has to
    ask for them one by one (see `memory` of `flaim.AIM`).
    """

    def __init__(self, schema: Any) -> None:
        self._schema = to_schema(schema)
        self._sizes = dict(_flaim.column_sizes(self._schema))
        self._position = {name: position for position, name in enumerate(self._sizes)}

    @property
    def schema(self) -> Any:
        """The columns, in the order of the table's domain, and how many codes each has."""
        return self._schema

    def clique(self, columns: Iterable[str]) -> Clique:
        """The columns in the schema's order. Refuses an unknown one and repeats."""
        names = (columns,) if isinstance(columns, str) else tuple(columns)
        for name in names:
            if name not in self._position:
                raise _flaim.InputError(f"the schema has no column {name!r}")
        if len(set(names)) != len(names):
            raise _flaim.InputError(f"a marginal names a column twice: {', '.join(names)}")
        return tuple(sorted(names, key=self._position.__getitem__))

    def shape(self, clique: Sequence[str]) -> tuple[int, ...]:
        """The number of codes of each column."""
        return tuple(self._sizes[name] for name in clique)

    def count(self, cliques: Iterable[Iterable[str]]) -> list[CountArray]:
        """How many rows fall into each cell of each marginal.

        One array of int64 for each clique, whose axes are the clique's columns in the schema's order.
        """
        wanted = [self.clique(columns) for columns in cliques]
        counted = self._count(wanted)
        for clique, cells in zip(wanted, counted):
            if not np.issubdtype(np.asarray(cells).dtype, np.integer):
                raise _flaim.InputError(f"the counts of {', '.join(clique)} must be whole numbers")
        return [np.ascontiguousarray(cells, np.int64) for cells in counted]

    @abc.abstractmethod
    def _count(self, cliques: list[Clique]) -> list[CountArray]:
        """The same for cliques that are checked and in the schema's order."""

    def fit_with(self, fit: Callable[[Any], Fitted]) -> Fitted:
        """Calls fit with these counts as the C++ library takes them; what counting raises goes on to the caller."""
        source = _flaim.PythonCounts(self._schema, self.count)
        try:
            return fit(source)
        except _flaim.FlaimError as error:
            failure = error
        source.raise_if_failed()
        raise failure

    def close(self) -> None:
        """Gives back what the counts hold in their engine. Does nothing unless a subclass says so."""

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self._sizes)} columns)"


def required_cliques(
    schema: Any, workload: str | Sequence[Sequence[str]] | None = None, *, model_cells: int | None = None
) -> list[Clique]:
    """The marginals that a fit of AIM asks for: the workload, all its subsets, and every single column.

    A workload is written as for `flaim.AIM`: "all:3" or a list of tuples of column names; without one, what suits the
    schema. This needs no rows and costs no privacy.
    """
    asked = workload_argument(workload)
    return [tuple(names) for names in _flaim.required_cliques(to_schema(schema), asked, model_cells)]
