"""Counts that were computed beforehand."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from flaim import _flaim
from flaim.counts.base import Clique, CountArray, Counts

_MAX_NAMED = 10


class GivenCounts(Counts):
    """Marginals by name: {("age", "sex"): array}, whose axes are the columns in the order of the key.

    A marginal that is not among them is summed up from a larger one, if there is one. `required_cliques` says which
    marginals a fit needs.
    """

    def __init__(self, marginals: Mapping[Any, npt.ArrayLike], *, schema: Any) -> None:
        super().__init__(schema)
        self._given: dict[Clique, CountArray] = {}
        for columns, counts in marginals.items():
            self._add((columns,) if isinstance(columns, str) else tuple(columns), np.asarray(counts))
        self._check_consistency()

    def lacks(self, cliques: Iterable[Iterable[str]]) -> list[Clique]:
        """Those of the cliques that can neither be found nor summed up."""
        return [clique for clique in map(self.clique, cliques) if self._smallest_with(clique) is None]

    def _add(self, columns: tuple[str, ...], counts: npt.NDArray[Any]) -> None:
        clique = self.clique(columns)
        name = ", ".join(columns)
        if clique in self._given:
            raise _flaim.InputError(f"the counts of {name} are given twice")
        if not np.issubdtype(counts.dtype, np.integer):
            raise _flaim.InputError(f"the counts of {name} must be whole numbers, in an array of an integer type")
        if counts.shape != self.shape(columns):
            raise _flaim.InputError(
                f"the counts of {name} have the shape {counts.shape}; the schema gives {self.shape(columns)}"
            )
        if counts.size and counts.min() < 0:
            raise _flaim.InputError(f"the counts of {name} have a negative number")
        if counts.dtype == np.uint64 and counts.max() > np.iinfo(np.int64).max:
            raise _flaim.InputError(f"the counts of {name} are too large")
        order = [columns.index(column) for column in clique]
        self._given[clique] = np.array(counts.transpose(order), np.int64, order="C")

    def _check_consistency(self) -> None:
        """Refuses two marginals that differ where they overlap: they cannot be of the same rows."""
        overlaps = {
            tuple(column for column in one if column in other) for one, other in itertools.combinations(self._given, 2)
        }
        for overlap in overlaps:
            owners = [clique for clique in self._given if set(overlap) <= set(clique)]
            first = self._summed(owners[0], overlap)
            for clique in owners[1:]:
                if not np.array_equal(self._summed(clique, overlap), first):
                    raise _flaim.InputError(
                        f"the counts of {', '.join(clique)} and of {', '.join(owners[0])} contradict each other; count "
                        "all of them over the same rows, as of one moment, and do not leave out groups"
                    )

    def _smallest_with(self, clique: Clique) -> Clique | None:
        if clique in self._given:
            return clique
        larger = [given for given in self._given if set(clique) <= set(given)]
        return min(larger, key=lambda given: self._given[given].size, default=None)

    def require(self, cliques: Iterable[Iterable[str]]) -> None:
        """Refuses if any of them can neither be found nor summed up, and says which."""
        lacking = self.lacks(cliques)
        if not lacking:
            return
        named = "; ".join(", ".join(clique) for clique in lacking[:_MAX_NAMED])
        rest = f"; and {len(lacking) - _MAX_NAMED} more" if len(lacking) > _MAX_NAMED else ""
        raise _flaim.InputError(
            f"the fit needs counts that were not given: {named}{rest}. Give them, or larger marginals that contain "
            "them, or a smaller workload; flaim.counts.required_cliques lists all that are needed"
        )

    def _count(self, cliques: list[Clique]) -> list[CountArray]:
        self.require(cliques)
        return [self._summed(self._smallest_with(clique) or (), clique) for clique in cliques]

    def _summed(self, given: Clique, clique: Clique) -> CountArray:
        others = tuple(axis for axis, column in enumerate(given) if column not in clique)
        return np.asarray(self._given[given].sum(axis=others), np.int64)
