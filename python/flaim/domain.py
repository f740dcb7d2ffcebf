"""The attributes of a table, and how many values each can take."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Union

from . import _flaim

Clique = tuple[str, ...]
"""Attributes by name. The order is that of the axes of the table over them."""

CliqueLike = Union[str, Sequence[str]]


def clique_of(attributes: CliqueLike) -> Clique:
    """A clique as a tuple; one attribute may be given by its name alone. Refuses an attribute that is named twice."""
    clique = (attributes,) if isinstance(attributes, str) else tuple(attributes)
    if len(set(clique)) != len(clique):
        raise _flaim.InputError(f"an attribute is named twice: {', '.join(clique)}")
    return clique


def whole_number(value: Any, what: str) -> int:
    """As an int of 64 bits. Refuses fractions instead of cutting them off."""
    try:
        number = operator.index(value)
    except TypeError:
        raise _flaim.InputError(f"{what} is {value!r}; it must be a whole number") from None
    if not -(2**63) <= number < 2**63:
        raise _flaim.InputError(f"{what} is {value!r}, which does not fit 64 bits")
    return number


@dataclass(frozen=True, init=False, repr=False)
class Domain:
    """Names and sizes, in order. An immutable value, and public: it comes from a schema, not from rows.

    A column holds the codes 0, ..., size - 1. A domain without attributes is allowed: it is that of a single number.
    """

    attributes: Clique
    shape: tuple[int, ...]

    def __init__(self, attributes: Iterable[str], shape: Iterable[int]) -> None:
        object.__setattr__(self, "attributes", clique_of(tuple(attributes)))
        object.__setattr__(self, "shape", tuple(whole_number(size, "a number of values") for size in shape))
        if len(self.attributes) != len(self.shape):
            raise _flaim.InputError(
                f"a domain of {len(self.attributes)} names has {len(self.shape)} sizes; give one for each"
            )
        for name, size in zip(self.attributes, self.shape):
            if not isinstance(name, str):
                raise _flaim.InputError(f"{name!r} is no name; attributes are named by text")
            if size < 1:
                raise _flaim.InputError(f"attribute {name} has {size} values; it must have at least one")

    @classmethod
    def from_dict(cls, sizes: Mapping[str, int]) -> Domain:
        """From {name: size}."""
        return cls(sizes.keys(), sizes.values())

    def to_dict(self) -> dict[str, int]:
        """The same as {name: size}."""
        return dict(zip(self.attributes, self.shape))

    def project(self, attributes: CliqueLike) -> Domain:
        """Only these attributes, in the order given."""
        clique = clique_of(attributes)
        return Domain(clique, [self[name] for name in clique])

    def marginalize(self, attributes: CliqueLike) -> Domain:
        """All attributes but these."""
        gone = set(self.axes(attributes))
        return self.project([name for axis, name in enumerate(self.attributes) if axis not in gone])

    def merge(self, other: Domain) -> Domain:
        """These attributes, then those that only the other has. Refuses sizes that disagree."""
        for name in self.attributes:
            if name in other and other[name] != self[name]:
                raise _flaim.InputError(f"attribute {name} has {self[name]} values here and {other[name]} there")
        extra = [name for name in other.attributes if name not in self]
        return Domain(self.attributes + tuple(extra), self.shape + tuple(other[name] for name in extra))

    def intersect(self, other: Domain) -> Domain:
        """The attributes that both have, in this order."""
        return self.project([name for name in self.attributes if name in other])

    def contains(self, other: Domain) -> bool:
        """Whether every attribute of the other is one of these."""
        return set(other.attributes) <= set(self.attributes)

    def axes(self, attributes: CliqueLike) -> tuple[int, ...]:
        """The position of each attribute."""
        try:
            return tuple(self._positions[name] for name in clique_of(attributes))
        except KeyError as missing:
            raise self._no_attribute(missing.args[0]) from None

    def size(self, attributes: CliqueLike | None = None) -> int:
        """The number of cells of the table over these attributes, or over all."""
        return math.prod(self.shape if attributes is None else self.project(attributes).shape)

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {name: position for position, name in enumerate(self.attributes)}

    @cached_property
    def _native(self) -> _flaim.Domain:
        return _flaim.Domain(list(self.attributes), list(self.shape))

    def _names(self, positions: Iterable[int]) -> Clique:
        return tuple(self.attributes[position] for position in positions)

    def _no_attribute(self, name: object) -> _flaim.InputError:
        return _flaim.InputError(f"there is no attribute {name!r}; there are {', '.join(self.attributes)}")

    def __getitem__(self, name: str) -> int:
        try:
            return self.shape[self._positions[name]]
        except KeyError:
            raise self._no_attribute(name) from None

    def __contains__(self, name: object) -> bool:
        return name in self._positions

    def __iter__(self) -> Iterator[str]:
        return iter(self.attributes)

    def __len__(self) -> int:
        return len(self.attributes)

    def __reduce__(self) -> Any:
        return (Domain, (self.attributes, self.shape))

    def __repr__(self) -> str:
        return f"Domain({', '.join(f'{name}: {size}' for name, size in zip(self.attributes, self.shape))})"
