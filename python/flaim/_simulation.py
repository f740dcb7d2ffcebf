"""Federated methods on clients that exist in memory only."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _flaim
from ._aim import fit_request, is_counts
from ._model import Model
from ._parameters import Parameters, filled, method_changes, seed_of, thread_count, workload_argument
from ._progress import ProgressLine
from ._shape import Shape
from ._tables import Numbers, to_schema, to_table, to_table_with_numbers

DEFAULT_MEMORY = "2G"
PAPER_MEMORY = "4G"


class Simulation(Parameters):
    """Runs a federated method on a table dealt to simulated clients. For research: the result is stamped.

    method: one of `flaim.methods()`, e.g. "augflaim-private", "flaim-once", "dist-aim", "aim".
    clients: who holds which row: a number of clients (rows dealt at random), "clusters:10" (rows that are alike),
        "label-skew:10:0.5:COLUMN", "column:NAME" (a column of the data with whole numbers), or an array with the client
        of each row.
    rounds: how many; the method's own number if None.
    participation, availability: who takes part when, as the command line's flags.
    changes: choices of the method to change, by the names of `flaim methods NAME` with _ for -, e.g.
        `{"selection_share": 0.1, "penalty": "none"}`.
    paper_fit: fit as far as the paper does.
    published_code: the method as the published code runs it, with its mistakes, for comparisons: NOT private.
    evaluate: compare with the true rows after each round and at the end.
    random_state: of partition, availability, noise and rows; a fresh seed, kept as `seed_`, if None.
    callback: called with a dict after each round; an exception ends the simulation.
    epsilon, delta, workload, memory, model_cells, unfit, threads, progress: as in `AIM`.

    After fit: `model_`, `seed_`, `rounds_` (a dict each), `clients_` (bytes, rounds and costs of clients), `errors_`.
    """

    def __init__(
        self,
        method: str = "augflaim-private",
        clients: int | str | Sequence[int] | npt.NDArray[Any] = 100,
        *,
        epsilon: float = 1.0,
        delta: float = 1e-6,
        workload: str | Sequence[Sequence[str]] | None = None,
        rounds: int | None = None,
        participation: float | None = None,
        availability: str | None = None,
        changes: dict[str, Any] | None = None,
        paper_fit: bool = False,
        published_code: bool = False,
        evaluate: bool = False,
        memory: str | None = None,
        model_cells: int | None = None,
        unfit: str = "refuse",
        threads: int | None = None,
        random_state: Any = None,
        progress: bool | None = None,
        callback: Callable[[dict[str, Any]], None] | None = None,
    ) -> None:
        self.method = method
        self.clients = clients
        self.epsilon = epsilon
        self.delta = delta
        self.workload = workload
        self.rounds = rounds
        self.participation = participation
        self.availability = availability
        self.changes = changes
        self.paper_fit = paper_fit
        self.published_code = published_code
        self.evaluate = evaluate
        self.memory = memory
        self.model_cells = model_cells
        self.unfit = unfit
        self.threads = threads
        self.random_state = random_state
        self.progress = progress
        self.callback = callback

    def fit(self, data: Any, y: None = None, *, schema: _flaim.Schema | str | os.PathLike[str]) -> Model:
        """Runs the simulation on the rows and returns the model, which the estimator keeps as `model_`.

        data, y, schema: as for `AIM.fit`, but no counts from other engines: clients need rows.
        """
        if is_counts(data):
            raise TypeError("a simulation deals rows to clients: give it a table, not counts")
        schema = to_schema(schema)
        request = self._request()
        workload = workload_argument(self.workload)
        threads = thread_count(self.threads)
        with ProgressLine(self.progress) as line:
            table, shape, numbers = self._rows_and_clients(data, schema)
            observers = (line.report if line.is_shown else None, self._round_observer(line))
            result = _flaim.simulate_table(
                table, numbers, schema, request, workload, bool(self.evaluate), threads, *observers
            )
        self.model_ = Model._of_fit(result.fit, shape=shape)
        self.seed_ = result.seed
        self.rounds_ = list(result.rounds)
        self.clients_ = result.clients
        self.errors_ = result.errors
        return self.model_

    def sample(self, n: int | None = None, **how: Any) -> Any:
        """Rows of the fitted model: `model_.sample`."""
        return self._fitted_model().sample(n, **how)

    def _request(self) -> _flaim.SimulationRequest:
        memory = self.memory or (PAPER_MEMORY if self.paper_fit else DEFAULT_MEMORY)
        run = filled(
            _flaim.RunRequest(),
            method=self._method(),
            participation=self.participation,
            availability=self.availability or "",
            paper_fit=self.paper_fit,
        )
        return filled(
            _flaim.SimulationRequest(),
            fit=fit_request(self, memory),
            run=run,
            partition=self._partition(),
            published_code=self.published_code,
            seed=seed_of(self.random_state),
        )

    def _method(self) -> _flaim.MethodChanges:
        return method_changes(self.method, self.changes, self.rounds)

    def _partition(self) -> str:
        if isinstance(self.clients, str):
            return self.clients
        if isinstance(self.clients, (int, np.integer)):
            return f"iid:{self.clients}"
        return "column:client"

    def _rows_and_clients(self, data: Any, schema: _flaim.Schema) -> tuple[_flaim.Table, Shape, Numbers]:
        """The rows, and the client of each where the caller says it."""
        if isinstance(self.clients, str) and self.clients.startswith("column:"):
            return to_table_with_numbers(data, schema, self.clients.removeprefix("column:"), self.unfit)
        table, shape = to_table(data, schema, self.unfit)
        if isinstance(self.clients, (int, np.integer, str)):
            return table, shape, np.empty(0, dtype=np.int64)
        numbers = np.asarray(self.clients)
        if numbers.ndim != 1 or not np.issubdtype(numbers.dtype, np.integer):
            raise _flaim.InputError("clients as an array has one whole number for each row")
        if len(numbers) != table.rows:
            raise _flaim.InputError(f"clients has {len(numbers)} numbers, and the table has {table.rows} rows")
        return table, shape, np.ascontiguousarray(numbers, dtype=np.int64)

    def _round_observer(self, line: ProgressLine) -> Callable[[dict[str, Any]], None] | None:
        if self.callback is None and not line.is_shown:
            return None

        def observe(round_: dict[str, Any]) -> None:
            line.report("round", round_["round"], round_["rounds"] or None, f"{round_['members']} clients")
            if self.callback is not None:
                self.callback(round_)

        return observe


def methods() -> list[dict[str, Any]]:
    """Every federated method: its name, what it does, whom it needs to trust, and whether it is private."""
    return list(_flaim.methods())
