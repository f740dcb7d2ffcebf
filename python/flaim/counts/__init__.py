"""Counts from elsewhere: fit a model where the rows need not come.

A fit of AIM asks its table for nothing but counts of marginals. Here they may come from an engine that has the rows
(`DuckDBCounts`, `PostgresCounts`, `SparkCounts`), from arrays that were counted beforehand (`GivenCounts`), or from a
subclass of `Counts` of your own. Counts are as private as the rows; the fit adds the noise.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy.typing as npt

from flaim._aim import AIM
from flaim._flaim import InputError
from flaim._model import Model
from flaim._tables import to_schema
from flaim.counts.base import Counts, required_cliques
from flaim.counts.duckdb import DuckDBCounts
from flaim.counts.given import GivenCounts
from flaim.counts.postgres import PostgresCounts
from flaim.counts.spark import SparkCounts

__all__ = [
    "Counts",
    "DuckDBCounts",
    "GivenCounts",
    "PostgresCounts",
    "SparkCounts",
    "from_counts",
    "required_cliques",
]


def from_counts(
    counts: Counts | Mapping[Any, npt.ArrayLike],
    *,
    epsilon: float,
    schema: Any = None,
    delta: float = 1e-6,
    workload: str | Sequence[Sequence[str]] | None = None,
    ledger: str | os.PathLike[str] | None = None,
    random_state: Any = None,
    **parameters: Any,
) -> Model:
    """Fits a model with AIM to counts, and returns it.

    counts: a `Counts`, or a mapping from tuples of column names to arrays (see `GivenCounts`), which needs a schema.
    schema: of the columns that were counted; a `Counts` has one already.
    epsilon, delta, workload, ledger, random_state and the other parameters: those of `flaim.AIM`.

    Promises (epsilon, delta) for adding or removing one of the rows that were counted, as `flaim.AIM` does; the same
    seed gives the same model as a fit of the rows themselves. Without a ledger the cost is on nobody's account: give
    one wherever the same rows are used again.
    """
    if not isinstance(counts, Counts):
        if schema is None:
            raise ValueError("counts as arrays need a schema")
        counts = GivenCounts(counts, schema=schema)
    elif schema is not None and counts.schema != to_schema(schema):
        raise InputError("the counts were made with another schema")
    if isinstance(counts, GivenCounts):
        counts.require(required_cliques(counts.schema, workload, model_cells=parameters.get("model_cells")))
    estimator = AIM(
        epsilon=epsilon, delta=delta, workload=workload, ledger=ledger, random_state=random_state, **parameters
    )
    return estimator.fit(counts, schema=counts.schema)
