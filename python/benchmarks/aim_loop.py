"""AIM as its paper has it, on any engine: for comparing engines, with noise from a seed. No release."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

import numpy as np

import flaim
from flaim.domain import Clique
from flaim.junction_tree import tree_cells

Measured = tuple[Clique, np.ndarray, float]  # clique, noisy counts, sigma
Marginals = Callable[[list[Clique]], list[np.ndarray]]
NOISE = math.sqrt(2 / math.pi)
SELECTION_SHARE = 0.1
ROUNDS_PER_ATTRIBUTE = 16
MAX_MODEL_BYTES = 80 * 2**20


class Engine(Protocol):
    def fit(self, measured: list[Measured]) -> Marginals:
        """A model of the measurements: a function from cliques to expected counts."""


def aim(
    engine: Engine,
    domain: flaim.Domain,
    codes: dict[str, np.ndarray],
    workload: list[Clique],
    *,
    epsilon: float,
    delta: float,
    seed: int,
) -> tuple[Marginals, int]:
    """Initialise with the one-ways, then select, measure, estimate, until the budget is spent."""
    random = np.random.default_rng(seed)
    rho = flaim.rho_for(epsilon, delta)
    weights = flaim.Workload(domain, workload).closure_weights()
    counts = flaim.count(codes, weights, domain=domain)
    rounds_planned = ROUNDS_PER_ATTRIBUTE * len(domain)
    sigma = math.sqrt(rounds_planned / (2 * (1 - SELECTION_SHARE) * rho))
    selection_epsilon = math.sqrt(8 * SELECTION_SHARE * rho / rounds_planned)

    measured: list[Measured] = [
        (clique, table + random.normal(0, sigma, table.shape), sigma)
        for clique, table in flaim.count(codes, [(name,) for name in domain], domain=domain).items()
    ]
    spent = len(measured) / (2 * sigma**2)
    marginals = engine.fit(measured)
    rounds = 0
    while spent < rho * (1 - 1e-9):
        rounds += 1
        left = rho - spent
        if left < 2 * (1 / (2 * sigma**2) + selection_epsilon**2 / 8):
            sigma = math.sqrt(1 / (2 * (1 - SELECTION_SHARE) * left))
            selection_epsilon = math.sqrt(8 * SELECTION_SHARE * left)
        spent += 1 / (2 * sigma**2) + selection_epsilon**2 / 8

        candidates = _affordable(domain, list(weights), measured, MAX_MODEL_BYTES * spent / rho)
        expected = dict(zip(candidates, marginals(candidates)))
        scores = [
            weights[clique] * (np.abs(counts[clique] - expected[clique]).sum() - NOISE * sigma * counts[clique].size)
            for clique in candidates
        ]
        sensitivity = max(weights[clique] for clique in candidates)
        clique = candidates[_choose(np.array(scores), selection_epsilon / (2 * sensitivity), random)]

        noisy = counts[clique] + random.normal(0, sigma, counts[clique].shape)
        measured.append((clique, noisy, sigma))
        marginals = engine.fit(measured)
        change = np.abs(marginals([clique])[0] - expected[clique]).sum()
        if change <= NOISE * sigma * noisy.size:
            sigma, selection_epsilon = sigma / 2, selection_epsilon * 2
    return marginals, rounds


def _affordable(domain: flaim.Domain, closure: list[Clique], measured: list[Measured], limit: float) -> list[Clique]:
    """What keeps the model below the limit, and always what the model already has."""
    cliques = [clique for clique, _, _ in measured]
    return [
        candidate
        for candidate in closure
        if any(set(candidate) <= set(clique) for clique in cliques)
        or 8 * tree_cells(domain, [*cliques, candidate]) <= limit
    ]


def _choose(scores: np.ndarray, scale: float, random: np.random.Generator) -> int:
    return int(np.argmax(scale * (scores - scores.max()) + random.gumbel(size=scores.size)))
