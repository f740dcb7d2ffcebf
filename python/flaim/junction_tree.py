"""The tree on which inference is exact."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from . import _flaim
from .clique_vector import DEFAULT_MAX_CELLS
from .domain import Clique, CliqueLike, Domain


@dataclass(frozen=True)
class TreeNode:
    """One node: its attributes, what it shares with its parent (by number; None for a root), and its cells."""

    clique: Clique
    separator: Clique
    parent: int | None
    cells: int


class JunctionTree:
    """A tree (or forest) of cliques with the running-intersection property, which covers every attribute.

    An attribute that two nodes share is in every node between them. Equal inputs give equal trees. Nodes come after
    their parents. Refuses a tree of more than `max_cells` cells.
    """

    def __init__(
        self, domain: Domain, cliques: Iterable[CliqueLike], max_cells: int = DEFAULT_MAX_CELLS
    ) -> None:
        self.domain = domain
        tree = _flaim.JunctionTree(domain._native, [list(domain.axes(clique)) for clique in cliques], max_cells)
        self.cells: int = tree.cells
        self.nodes = [
            TreeNode(
                clique=domain._names(sorted(node)),
                separator=domain._names(sorted(separator)),
                parent=None if parent < 0 else parent,
                cells=domain.size(domain._names(node)),
            )
            for node, separator, parent in zip(tree.nodes, tree.separators, tree.parents)
        ]

    @property
    def cliques(self) -> list[Clique]:
        """The attributes of each node, in the order of the domain."""
        return [node.clique for node in self.nodes]

    @property
    def separators(self) -> list[Clique]:
        """What each node but the roots shares with its parent."""
        return [node.separator for node in self.nodes if node.parent is not None]

    def __repr__(self) -> str:
        return f"JunctionTree({len(self.nodes)} nodes, {self.cells} cells)"


def tree_cells(domain: Domain, cliques: Iterable[CliqueLike]) -> float:
    """How many cells the tree over these cliques would have, without building it."""
    return _flaim.tree_cells(domain._native, [list(domain.axes(clique)) for clique in cliques])
