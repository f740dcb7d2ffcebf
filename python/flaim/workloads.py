"""The marginals that a synthetic table is asked to preserve."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from . import _flaim
from .domain import Clique, CliqueLike, Domain, clique_of, whole_number


class Workload:
    """Distinct, non-empty cliques with positive whole weights. An immutable value, and public.

    It may depend on the schema and on nobody's rows. Cliques keep the order in which they were given; their attributes
    are in the order of the domain.
    """

    def __init__(self, domain: Domain, queries: Mapping[Clique, int] | Iterable[CliqueLike]) -> None:
        """Cliques, or a mapping from clique to weight; a clique without a weight has weight 1."""
        if not isinstance(queries, Mapping):
            queries = _distinct(queries)
        given = [(list(domain.axes(clique)), whole_number(weight, "a weight")) for clique, weight in queries.items()]
        self._set(domain, _flaim.workload_checked(domain._native, given))

    def _set(self, domain: Domain, queries: list[tuple[list[int], int]]) -> None:
        self.domain = domain
        self._queries = queries

    @classmethod
    def _of(cls, domain: Domain, queries: list[tuple[list[int], int]]) -> Workload:
        workload = cls.__new__(cls)
        workload._set(domain, queries)
        return workload

    @classmethod
    def all_k_way(cls, domain: Domain, k: int, max_cells: int | None = None) -> Workload:
        """All marginals over k attributes, without those of more than `max_cells` cells."""
        return cls._of(domain, _flaim.workload_all_k_way(domain._native, k, max_cells))

    @classmethod
    def random_k_way(
        cls, domain: Domain, count: int, k: int, seed: int = 0, max_cells: int | None = None
    ) -> Workload:
        """`count` of them, drawn by a public seed: the same seed gives the workload of the command line's
        `random:COUNT:K:SEED`."""
        return cls._of(domain, _flaim.workload_random_k_way(domain._native, count, k, seed, max_cells))

    @classmethod
    def parse(cls, domain: Domain, text: str) -> Workload:
        """As the command line has it: `all:K[:CELLS]`, `random:COUNT:K:SEED[:CELLS]`, or the path of a JSON file."""
        return cls._of(domain, _flaim.workload_from_text(domain._native, text))

    @property
    def cliques(self) -> list[Clique]:
        return [self.domain._names(attributes) for attributes, _ in self._queries]

    @property
    def weights(self) -> dict[Clique, int]:
        """The weight that was given to each query."""
        return {self.domain._names(attributes): weight for attributes, weight in self._queries}

    def closure(self) -> list[Clique]:
        """Every non-empty subset of every query, once, by size: the candidates of AIM."""
        closure = _flaim.workload_closure(self.domain._native, self._queries)
        return [self.domain._names(attributes) for attributes in closure]

    def closure_weights(self, over: str = "originals") -> dict[Clique, int]:
        """The weight of each clique q of the closure: the sum over queries r of weight(r) * |q and r|.

        over: "originals" takes r from the workload, as the paper's published figures do; "closure" from the closure,
        as its pseudocode says.
        """
        if over not in ("originals", "closure"):
            raise _flaim.InputError(f"over is {over!r}; choose 'originals' or 'closure'")
        weighted = _flaim.workload_weights(self.domain._native, self._queries, over == "closure")
        return {self.domain._names(attributes): weight for attributes, weight in weighted}

    def __iter__(self) -> Iterator[Clique]:
        return iter(self.cliques)

    def __len__(self) -> int:
        return len(self._queries)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Workload):
            return NotImplemented
        return self.domain == other.domain and self._queries == other._queries

    def __hash__(self) -> int:
        return hash((self.domain, tuple(self.weights.items())))

    def __repr__(self) -> str:
        return f"Workload({len(self)} marginals)"


def _distinct(cliques: Iterable[CliqueLike]) -> dict[Clique, int]:
    weights: dict[Clique, int] = {}
    for given in cliques:
        clique = clique_of(given)
        if clique in weights:
            raise _flaim.InputError(f"the workload lists {','.join(clique)} twice")
        weights[clique] = 1
    return weights
