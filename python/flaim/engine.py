"""The graphical-model engine by itself: inference, and estimation from noisy marginals.

For whoever uses Private-PGM today; docs/PRIVATE_PGM.md maps its names to these. Nothing here looks at private rows or
costs privacy: what goes in are potentials, or marginals to which noise was added already.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _flaim
from ._model import Model
from .clique_vector import DEFAULT_MAX_CELLS, CliqueLayout, CliqueVector
from .domain import Clique, CliqueLike, Domain, clique_of
from .factor import Factor


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Measurement:
    """A noisy marginal: counts with noise of one standard deviation in every cell.

    values: one for each cell, flat or in shape, with axes in the order of `clique`.
    clique: the attributes.
    stddev: of the noise in each cell, 1 if nothing is said; or give `variance`, its square.
    """

    values: NDArray[np.float64]
    clique: Clique
    stddev: float
    variance: float

    def __init__(
        self, values: ArrayLike, clique: CliqueLike, stddev: Any = None, *, variance: Any = None
    ) -> None:
        if stddev is not None and variance is not None:
            raise _flaim.InputError("a measurement has a stddev or a variance, not both")
        deviation = 1.0 if stddev is None else float(stddev)
        squared = deviation**2 if variance is None else float(variance)
        if not (deviation > 0 and 0 < squared < math.inf):
            raise _flaim.InputError(f"the noise has stddev {stddev}, variance {variance}; it must be positive")
        object.__setattr__(self, "values", np.asarray(values, dtype=np.float64))
        object.__setattr__(self, "clique", clique_of(clique))
        object.__setattr__(self, "stddev", deviation if variance is None else math.sqrt(squared))
        object.__setattr__(self, "variance", squared)

    def __repr__(self) -> str:
        return f"Measurement(clique={self.clique!r}, variance={self.variance:g})"


def belief_propagation(
    potentials: CliqueVector,
    total: float = 1.0,
    *,
    max_cells: int = DEFAULT_MAX_CELLS,
    threads: int = 0,
    out: CliqueVector | None = None,
) -> tuple[CliqueVector, float]:
    """The marginals of p(x) = exp(sum of potentials at x) / Z over the same cliques, and log Z.

    Exact, in float64, whatever the magnitude of the potentials; -inf excludes cells. Marginals sum to `total`. If the
    potentials exclude every record, log Z is -inf and the marginals are 0. The potentials are read without a copy; the
    junction tree is built at the first call and kept with the layout, so a loop pays for it once. `out` takes the
    marginals instead of new memory. The interpreter's lock is released; results do not depend on `threads` (0: all).
    """
    propagation = potentials.layout.propagation(max_cells, threads)
    if out is None:
        out = CliqueVector(potentials.layout, np.empty(potentials.size()))
    elif out.layout != potentials.layout or not out.flat.flags.writeable:
        raise _flaim.InputError("`out` is read-only, or not over the cliques of the potentials")
    log_partition = propagation.run(potentials.flat, out.flat)
    if total != 1.0:
        np.multiply(out.flat, total, out=out.flat)
    return out, log_partition


def estimate(
    domain: Domain,
    measurements: Iterable[Measurement],
    *,
    total: float | None = None,
    zeros: Mapping[Clique, ArrayLike] | None = None,
    method: str = "proximal-newton",
    max_iterations: int = 1000,
    relative_gap: float = 1e-3,
    ignore_noise_floor: bool = False,
    max_cells: int = DEFAULT_MAX_CELLS,
    start: Model | None = None,
    threads: int = 0,
) -> Model:
    """The distribution that fits noisy marginals best, with a proof of how good the fit is.

    Minimises half the sum over measurements of |counts of the model - measured|^2 / variance over all distributions.
    The result's `loss` is within its certified `gap` of the optimum; `report` also says `iterations` and `converged`.
    Measurements of the same attributes are replaced by their mean, weighted by precision, which moves no optimum; the
    loss is that of the means.

    total: the number of records; estimated from the measurements if not given.
    zeros: what cannot occur, for each clique a boolean array that is True there (axes as the clique is written).
    method: "proximal-newton", or "mirror-descent" as in the paper, which needs many more iterations.
    relative_gap: stops when the gap is at most this share of the loss, or of the loss that noise alone leaves
        (`ignore_noise_floor`: of the loss only). 0 runs all iterations.
    max_cells: of the junction tree; a larger one is refused.
    start: a model whose potentials to start from, where it has the same cliques.

    Releases the interpreter's lock. Ctrl-C takes effect when the call is done.
    """
    problem = _flaim.Estimation(domain._native)
    for measurement in measurements:
        problem.add_measurement(*_sorted_table(domain, measurement.clique, measurement.values), measurement.variance)
    for clique, impossible in (zeros or {}).items():
        positions, mask = _sorted_table(domain, clique_of(clique), np.asarray(impossible, dtype=bool))
        problem.add_zeros(positions, np.flatnonzero(mask).astype(np.int64))
    model, quality = problem.fit(
        total,
        method,
        max_iterations,
        relative_gap,
        ignore_noise_floor,
        max_cells,
        None if start is None else start._model,
        threads,
    )
    return Model(model, quality=quality)


def model_of(potentials: CliqueVector, total: float = 1.0, *, max_cells: int = DEFAULT_MAX_CELLS) -> Model:
    """A model with these potentials, to ask for marginals over any attributes, densities and rows."""
    positions = [list(clique) for clique in potentials.layout.positions]
    native = potentials.domain._native
    return Model(_flaim.model_from_potentials(native, positions, potentials.flat, float(total), max_cells))


def potentials_of(model: Model) -> CliqueVector:
    """The potentials of a model, over the cliques that were measured: a read-only view of its memory.

    Structural zeros over a clique that was also measured are added to its potentials, which takes a copy. Of a model
    with `bins` they are over bins.
    """
    domain = Domain.from_dict(dict(model._model.tree_domain))
    positions, flat = _flaim.model_potentials(model._model)
    cliques = [domain._names(clique) for clique in positions]
    if len(set(cliques)) == len(cliques):
        return CliqueVector(CliqueLayout(domain, cliques), flat)
    result = CliqueVector.zeros(domain, dict.fromkeys(cliques))
    begin = 0
    for clique in cliques:
        cells = domain.size(clique)
        result[clique] = result[clique] + Factor(domain.project(clique), flat[begin : begin + cells])
        begin += cells
    return result


def _sorted_table(domain: Domain, clique: CliqueLike, values: Any) -> tuple[list[int], NDArray[np.float64]]:
    """The clique's attributes in the order of the domain, and its table in that order, flat."""
    attributes = clique_of(clique)
    factor = Factor(domain.project(attributes), values)
    positions: Sequence[int] = sorted(domain.axes(attributes))
    ordered = factor.transpose(domain._names(positions)).values
    return list(positions), np.ascontiguousarray(ordered).reshape(-1)
