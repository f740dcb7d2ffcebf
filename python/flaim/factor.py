"""A table of numbers with an axis for each attribute."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _flaim
from .domain import CliqueLike, Domain, clique_of

Number = Union[int, float, np.integer, np.floating]


class Factor:
    """Numbers over the cells of a domain: potentials, counts or probabilities.

    `values` is a float64 array of the domain's shape. Such an array is not copied: a Factor over it is a view, and so
    are the results of `transpose`, `expand` and `slice`, and of `project` and `sum` where nothing is summed out.
    Arithmetic aligns attributes by name, as if both sides were expanded to the attributes of both.
    """

    def __init__(self, domain: Domain, values: ArrayLike) -> None:
        """Values in the domain's shape, or flat in row-major order."""
        numbers = np.asarray(values, dtype=np.float64)
        if numbers.shape != domain.shape:
            if numbers.ndim != 1 or numbers.size != domain.size():
                raise _flaim.InputError(f"values of shape {numbers.shape} are no table over {domain}")
            numbers = numbers.reshape(domain.shape)
        self.domain = domain
        self.values: NDArray[np.float64] = numbers

    @classmethod
    def zeros(cls, domain: Domain) -> Factor:
        return cls(domain, np.zeros(domain.shape))

    @classmethod
    def ones(cls, domain: Domain) -> Factor:
        return cls(domain, np.ones(domain.shape))

    @classmethod
    def random(cls, domain: Domain, random_state: Any = None) -> Factor:
        """Uniform in [0, 1): for trying things out, never for noise."""
        return cls(domain, np.random.default_rng(random_state).random(domain.shape))

    # Shape.

    def transpose(self, attributes: CliqueLike) -> Factor:
        """The same with its axes in this order. A view."""
        clique = clique_of(attributes)
        if set(clique) != set(self.domain):
            raise _flaim.InputError(f"({', '.join(clique)}) is no order of {self.domain}")
        return Factor(self.domain.project(clique), self.values.transpose(self.domain.axes(clique)))

    def expand(self, domain: Domain) -> Factor:
        """The same number in every cell that the new attributes distinguish. A view that cannot be written."""
        if not domain.contains(self.domain) or domain.project(self.domain.attributes) != self.domain:
            raise _flaim.InputError(f"{domain} does not contain {self.domain}")
        aligned = self.values.transpose(self.domain.axes([name for name in domain if name in self.domain]))
        index = tuple(slice(None) if name in self.domain else np.newaxis for name in domain)
        return Factor(domain, np.broadcast_to(aligned[index], domain.shape))

    # Aggregation.

    def sum(self, attributes: CliqueLike | None = None) -> Factor:
        """Sums these attributes out; all if none are given."""
        return self._aggregate(np.sum, attributes)

    def logsumexp(self, attributes: CliqueLike | None = None) -> Factor:
        """log(sum(exp(.))) over these attributes, without overflow; -inf where every cell is."""
        return self._aggregate(_logsumexp, attributes)

    def max(self, attributes: CliqueLike | None = None) -> Factor:
        """The largest over these attributes."""
        return self._aggregate(np.max, attributes)

    def project(self, attributes: CliqueLike, log: bool = False) -> Factor:
        """Onto these attributes, with axes in their order: the others are summed out (log: by logsumexp)."""
        clique = clique_of(attributes)
        self.domain.axes(clique)
        gone = self.domain.marginalize(clique).attributes
        return (self.logsumexp(gone) if log else self.sum(gone)).transpose(clique)

    def slice(self, evidence: Mapping[str, int]) -> Factor:
        """The part where these attributes have these codes. A view; other attributes of `evidence` are ignored."""
        known = {name: code for name, code in evidence.items() if name in self.domain}
        for name, code in known.items():
            if not 0 <= code < self.domain[name]:
                raise _flaim.InputError(f"attribute {name} has no code {code}; it has 0 to {self.domain[name] - 1}")
        index = tuple(known.get(name, slice(None)) for name in self.domain)
        return Factor(self.domain.marginalize(tuple(known)), self.values[index])

    def _aggregate(self, function: Callable[..., Any], attributes: CliqueLike | None) -> Factor:
        clique = self.domain.attributes if attributes is None else clique_of(attributes)
        axes = self.domain.axes(clique)
        return Factor(self.domain.marginalize(clique), function(self.values, axis=axes) if axes else self.values)

    # Cell by cell.

    def exp(self) -> Factor:
        return Factor(self.domain, np.exp(self.values))

    def log(self) -> Factor:
        """-inf where the value is 0."""
        with np.errstate(divide="ignore"):
            return Factor(self.domain, np.log(self.values))

    def normalize(self, total: float = 1.0, log: bool = False) -> Factor:
        """Scaled to sum to `total`; for log-values (log) shifted so that their exponentials do."""
        mass = float(self.logsumexp() if log else self.sum())
        if mass == (-math.inf if log else 0):
            raise _flaim.InputError(f"a table over {self.domain} without any mass cannot be scaled")
        return self + (math.log(total) - mass) if log else self * (total / mass)

    def copy(self) -> Factor:
        return Factor(self.domain, self.values.copy())

    # Two factors.

    def dot(self, other: Factor) -> float:
        """The sum over cells of the products. A cell that is 0 on one side adds 0, also where the other is infinite."""
        if set(self.domain) != set(other.domain):
            raise _flaim.InputError(f"{self.domain} and {other.domain} have different attributes")
        return _dot(self.values, other.transpose(self.domain.attributes).values)

    def datavector(self, flatten: bool = True) -> NDArray[np.float64]:
        """The values as one vector, row-major in this order of attributes; a view where the memory allows."""
        return self.values.reshape(-1) if flatten else self.values

    def _binary(self, function: Callable[..., Any], other: Factor | Number) -> Factor:
        if not isinstance(other, Factor):
            if np.ndim(other) != 0:
                raise TypeError("a Factor is combined with a number or another Factor")
            return Factor(self.domain, function(self.values, other))
        domain = self.domain.merge(other.domain)
        return Factor(domain, function(self.expand(domain).values, other.expand(domain).values))

    def __add__(self, other: Factor | Number) -> Factor:
        return self._binary(np.add, other)

    def __sub__(self, other: Factor | Number) -> Factor:
        return self._binary(np.subtract, other)

    def __mul__(self, other: Factor | Number) -> Factor:
        return self._binary(np.multiply, other)

    def __truediv__(self, other: Factor | Number) -> Factor:
        with np.errstate(divide="ignore", invalid="ignore"):
            return self._binary(np.divide, other)

    def __radd__(self, other: Number) -> Factor:
        return self + other

    def __rsub__(self, other: Number) -> Factor:
        return -self + other

    def __rmul__(self, other: Number) -> Factor:
        return self * other

    def __neg__(self) -> Factor:
        return Factor(self.domain, -self.values)

    def __float__(self) -> float:
        if len(self.domain) > 0:
            raise TypeError(f"a Factor over {self.domain} is not one number")
        return float(self.values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        values = self.values if dtype is None else self.values.astype(dtype, copy=False)
        return values.copy() if copy else values

    # numpy scalars leave arithmetic with a Factor to it.
    __array_ufunc__ = None

    def __repr__(self) -> str:
        return f"Factor({self.domain})"


def _logsumexp(values: NDArray[np.float64], axis: tuple[int, ...]) -> Any:
    largest = np.max(values, axis=axis, keepdims=True)
    shift = np.where(np.isfinite(largest), largest, 0.0)
    with np.errstate(divide="ignore"):
        sums = np.log(np.sum(np.exp(values - shift), axis=axis, keepdims=True))
    return np.squeeze(sums + shift, axis=axis)


def _dot(left: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    with np.errstate(invalid="ignore"):
        products = left * right
    return float(np.sum(products, where=(left != 0) & (right != 0)))
