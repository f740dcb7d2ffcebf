"""Small distributions, written out in full: what the engine's answers are compared with."""

import itertools

import numpy as np

import flaim

SMALL = flaim.Domain(["a", "b", "c", "d", "e"], [2, 3, 4, 2, 3])

# Sets of cliques on which junction trees go wrong: cycles, forests, nested cliques, attributes that nothing mentions.
TRICKY_CLIQUES = [
    [],
    [()],
    [("a",)],
    [("a",), ("a", "b")],
    [("a", "b"), ("b", "a")],
    [("b", "a"), ("e", "c")],
    [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")],
    [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")],
    [("a", "b"), ("b", "c"), ("a", "c")],
    [("c", "a"), ("c", "b"), ("c", "d"), ("c", "e")],
    [("a", "b", "c"), ("c", "d", "e"), ("b",), ()],
    [("e", "d", "c", "b", "a")],
    [tuple(pair) for pair in itertools.combinations("abcde", 2)],
]


def log_joint(potentials: flaim.CliqueVector) -> np.ndarray:
    """The sum of all potentials for each record, without a constant: one axis for each attribute of the domain."""
    domain = potentials.domain
    joint = np.zeros(domain.shape)
    for clique, factor in potentials.items():
        order = sorted(range(len(clique)), key=lambda position: domain.attributes.index(clique[position]))
        table = factor.values.transpose(order)
        present = [domain.attributes.index(name) for name in clique]
        joint += table.reshape([size if axis in present else 1 for axis, size in enumerate(domain.shape)])
    return joint


def log_sum_exp(values: np.ndarray) -> float:
    largest = values.max()
    return float(largest + np.log(np.exp(values - largest).sum())) if np.isfinite(largest) else float(largest)


def probabilities(potentials: flaim.CliqueVector) -> np.ndarray:
    joint = log_joint(potentials)
    return np.exp(joint - log_sum_exp(joint))


def marginal(joint: np.ndarray, domain: flaim.Domain, clique: tuple[str, ...]) -> np.ndarray:
    """Of a full table, with axes in the order of the clique."""
    kept = [domain.attributes.index(name) for name in clique]
    summed = joint.sum(axis=tuple(axis for axis in range(joint.ndim) if axis not in kept))
    return summed.transpose(np.argsort(np.argsort(kept)))


def all_records(domain: flaim.Domain) -> np.ndarray:
    """Every record as a row of codes, in the order in which a full table is flattened."""
    return np.stack(np.unravel_index(np.arange(domain.size()), domain.shape), axis=1)
