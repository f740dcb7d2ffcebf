"""One table for each of several cliques, in one piece of memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _flaim
from .domain import Clique, CliqueLike, Domain, clique_of
from .factor import Factor, Number, _dot

DEFAULT_MAX_CELLS = 1 << 26
"""Of a junction tree, unless the caller allows another number: a table of half a gigabyte."""


class CliqueLayout:
    """How the tables of several cliques lie in one flat vector: the layout of the C++ library.

    Each table is row-major with its attributes in the order of the domain; a clique that the caller wrote in another
    order is a transposed view. Vectors that share a layout share the junction tree that was built for it.
    """

    def __init__(self, domain: Domain, cliques: Iterable[CliqueLike]) -> None:
        self.domain = domain
        self.cliques: tuple[Clique, ...] = tuple(clique_of(clique) for clique in cliques)
        if len(set(self.cliques)) != len(self.cliques):
            raise _flaim.InputError("a clique is given twice")
        self.positions: list[tuple[int, ...]] = [tuple(sorted(domain.axes(clique))) for clique in self.cliques]
        cells = [math.prod(domain.shape[position] for position in clique) for clique in self.positions]
        offsets = [0]
        for size in cells:
            offsets.append(offsets[-1] + size)
        self.slices = [slice(begin, end) for begin, end in zip(offsets, offsets[1:])]
        self.cells = offsets[-1]
        self._index = {clique: number for number, clique in enumerate(self.cliques)}
        self._compiled: dict[tuple[int, int], _flaim.BeliefPropagation] = {}

    def view(self, flat: NDArray[np.float64], clique: Clique) -> Factor:
        """The table of one clique inside a flat vector, with axes as the clique was written. A view."""
        number = self._index[clique]
        positions = self.positions[number]
        table = flat[self.slices[number]].reshape([self.domain.shape[position] for position in positions])
        order = [positions.index(axis) for axis in self.domain.axes(clique)]
        return Factor(self.domain.project(clique), table.transpose(order))

    def propagation(self, max_cells: int, threads: int) -> _flaim.BeliefPropagation:
        """The compiled inference for these cliques, kept for the next run."""
        key = (max_cells, threads)
        if key not in self._compiled:
            self._compiled[key] = _flaim.BeliefPropagation(
                self.domain._native, [list(clique) for clique in self.positions], max_cells, threads
            )
        return self._compiled[key]

    def __getstate__(self) -> dict[str, Any]:
        return {"domain": self.domain, "cliques": self.cliques}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["domain"], state["cliques"])  # type: ignore[misc]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CliqueLayout):
            return NotImplemented
        return self is other or (self.domain == other.domain and self.cliques == other.cliques)

    def __hash__(self) -> int:
        return hash((self.domain, self.cliques))


class CliqueVector(Mapping[Clique, Factor]):
    """A Factor for each clique: potentials, marginals, gradients.

    A mapping from clique to Factor. All factors are views of `flat`, one float64 vector in the layout of the C++
    library, so belief propagation reads it without a copy, and writing into `vector[clique].values` writes there.
    """

    def __init__(self, layout: CliqueLayout, flat: NDArray[np.float64]) -> None:
        if flat.dtype != np.float64 or flat.shape != (layout.cells,) or not flat.flags.c_contiguous:
            raise _flaim.InputError(f"a vector over these cliques is a contiguous float64 array: {layout.cells} cells")
        self.layout = layout
        self.flat = flat

    @classmethod
    def zeros(cls, domain: Domain, cliques: Iterable[CliqueLike]) -> CliqueVector:
        layout = CliqueLayout(domain, cliques)
        return cls(layout, np.zeros(layout.cells))

    @classmethod
    def ones(cls, domain: Domain, cliques: Iterable[CliqueLike]) -> CliqueVector:
        layout = CliqueLayout(domain, cliques)
        return cls(layout, np.ones(layout.cells))

    @classmethod
    def random(cls, domain: Domain, cliques: Iterable[CliqueLike], random_state: Any = None) -> CliqueVector:
        """Uniform in [0, 1): for trying things out, never for noise."""
        layout = CliqueLayout(domain, cliques)
        return cls(layout, np.random.default_rng(random_state).random(layout.cells))

    @classmethod
    def from_dict(cls, domain: Domain, tables: Mapping[Clique, Factor | Any]) -> CliqueVector:
        """A copy of these tables: Factors, or arrays with axes as the clique is written."""
        vector = cls.zeros(domain, tables.keys())
        for clique, table in tables.items():
            vector[clique_of(clique)] = table
        return vector

    @property
    def domain(self) -> Domain:
        return self.layout.domain

    @property
    def cliques(self) -> tuple[Clique, ...]:
        return self.layout.cliques

    def size(self) -> int:
        """The number of cells of all tables together."""
        return self.layout.cells

    def parent(self, clique: CliqueLike) -> Clique | None:
        """The smallest clique of this vector that contains these attributes."""
        wanted = set(clique_of(clique))
        containing = [candidate for candidate in self.cliques if wanted <= set(candidate)]
        return min(containing, key=self.domain.size, default=None)

    def supports(self, clique: CliqueLike) -> bool:
        return self.parent(clique) is not None

    def project(self, clique: CliqueLike, log: bool = False) -> Factor:
        """The table over these attributes, from the smallest clique that contains them."""
        wanted = clique_of(clique)
        if wanted in self.layout._index:
            return self[wanted]
        parent = self.parent(wanted)
        if parent is None:
            raise _flaim.InputError(f"no clique of this vector contains ({', '.join(wanted)})")
        return self[parent].project(wanted, log=log)

    def expand(self, cliques: Sequence[CliqueLike]) -> CliqueVector:
        """The same potentials over other cliques, each of these inside one of those: the same distribution."""
        result = CliqueVector.zeros(self.domain, cliques)
        for clique, factor in self.items():
            parent = result.parent(clique)
            if parent is None:
                raise _flaim.InputError(f"none of the cliques contains ({', '.join(clique)})")
            target = result[parent]
            target.values[...] += factor.expand(target.domain).values
        return result

    def contract(self, cliques: Sequence[CliqueLike], log: bool = False) -> CliqueVector:
        """Marginals over smaller cliques, each inside one of these."""
        wanted = [clique_of(clique) for clique in cliques]
        return CliqueVector.from_dict(self.domain, {clique: self.project(clique, log) for clique in wanted})

    def normalize(self, total: float = 1.0, log: bool = True) -> CliqueVector:
        """Each table by itself, see Factor.normalize."""
        result = CliqueVector(self.layout, np.empty(self.size()))
        for clique, factor in self.items():
            result[clique] = factor.normalize(total, log)
        return result

    def exp(self) -> CliqueVector:
        return CliqueVector(self.layout, np.exp(self.flat))

    def log(self) -> CliqueVector:
        with np.errstate(divide="ignore"):
            return CliqueVector(self.layout, np.log(self.flat))

    def copy(self) -> CliqueVector:
        return CliqueVector(self.layout, self.flat.copy())

    def dot(self, other: CliqueVector) -> float:
        """The sum over all cells of the products. A cell that is 0 on one side adds 0."""
        return _dot(self.flat, self._aligned(other))

    def _aligned(self, other: CliqueVector) -> NDArray[np.float64]:
        if self.layout != other.layout:
            raise _flaim.InputError("the two vectors are not over the same cliques in the same order")
        return other.flat

    def _binary(self, function: Callable[..., Any], other: CliqueVector | Number) -> CliqueVector:
        if isinstance(other, CliqueVector):
            return CliqueVector(self.layout, function(self.flat, self._aligned(other)))
        if np.ndim(other) != 0:
            raise TypeError("a CliqueVector is combined with a number or another CliqueVector")
        return CliqueVector(self.layout, function(self.flat, other))

    def __add__(self, other: CliqueVector | Number) -> CliqueVector:
        return self._binary(np.add, other)

    def __sub__(self, other: CliqueVector | Number) -> CliqueVector:
        return self._binary(np.subtract, other)

    def __mul__(self, other: CliqueVector | Number) -> CliqueVector:
        return self._binary(np.multiply, other)

    def __truediv__(self, other: CliqueVector | Number) -> CliqueVector:
        return self._binary(np.divide, other)

    def __radd__(self, other: Number) -> CliqueVector:
        return self + other

    def __rsub__(self, other: Number) -> CliqueVector:
        return -self + other

    def __rmul__(self, other: Number) -> CliqueVector:
        return self * other

    def __neg__(self) -> CliqueVector:
        return CliqueVector(self.layout, -self.flat)

    __array_ufunc__ = None

    def __getitem__(self, clique: CliqueLike) -> Factor:
        return self.layout.view(self.flat, clique_of(clique))

    def __setitem__(self, clique: CliqueLike, table: Factor | Any) -> None:
        """Copies the numbers into this vector. An array has its axes as the clique is written."""
        target = self[clique]
        if isinstance(table, Factor):
            table = table.transpose(target.domain.attributes).values
        target.values[...] = Factor(target.domain, table).values

    def __iter__(self) -> Iterator[Clique]:
        return iter(self.cliques)

    def __len__(self) -> int:
        return len(self.cliques)

    def __contains__(self, clique: object) -> bool:
        key = tuple(clique) if isinstance(clique, (list, tuple)) else (clique,)
        return key in self.layout._index

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CliqueVector):
            return NotImplemented
        return self.layout == other.layout and bool(np.array_equal(self.flat, other.flat))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"CliqueVector({len(self)} cliques, {self.size()} cells, {self.domain})"
