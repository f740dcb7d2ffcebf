"""AIM on one private table."""

from __future__ import annotations

import contextlib
import os
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from . import _flaim
from ._model import Model
from ._parameters import Parameters, filled, method_changes, seed_of, thread_count, workload_argument
from ._paths import path_text
from ._progress import Observer, ProgressLine
from ._tables import is_path, to_schema, to_table


class BudgetWarning(UserWarning):
    """Several fits whose costs nobody adds up."""


class AIM(Parameters):
    """Learns a model of one private table, with differential privacy: select, measure with noise, fit, repeat.

    Promise: (epsilon, delta) for adding or removing one record, for everything that `fit` returns and everything
    computed from it. The noise is the exact discrete Gaussian from the operating system's secure source.

    epsilon, delta: the promise. delta well below 1 / number of people.
    workload: the marginals to preserve: "all:3", "all:3:10000" (at most that many cells each), "random:64:3:1", the
        path of a JSON file, or a list of column names for each; a default that suits the columns if None.
    rounds: a fixed number of equal rounds; as many as pay off, with falling noise, if None.
    method: "aim", or "aim-paper" with the paper's constants.
    changes: choices of the method to change, by the names of `flaim methods aim` with _ for -, e.g.
        `{"selection_share": 0.2, "one_way_candidates": "filter"}`.
    ledger: the file in which the data's budget is accounted for over all fits, made with this fit's budget if absent.
        If None: beside the file when `fit` is given a path (DATA.ledger, as the command line); otherwise the fit is on
        its own account, and adding up the costs of several fits is up to you.
    separate_ledger: `ledger` is another account than the one that the file has, beside it or elsewhere as this machine
        knows, on purpose: a second promise to the same people, or other people. Refused otherwise.
    run: the name of this fit in the ledger; repeating a fit under its name gives the same model and pays nothing. A
        name that follows from the parameters, if None.
    memory, model_cells, zeros, unfit: as the command line's flags (docs/COMMANDS.md). Counts from other engines take
        no `unfit`: whoever counts decides.
    threads: how many; all cores if None.
    random_state: repeatable noise, for research only. NOT private, and the model is stamped so.
    progress: show a line with the progress; where somebody looks, if None.
    callback: called as callback(step, done, total, detail) after each round; an exception ends the fit.

    After fit: `model_`, and `budget_`, what was promised and paid.
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        delta: float = 1e-6,
        *,
        workload: str | Sequence[Sequence[str]] | None = None,
        rounds: int | None = None,
        method: str = "aim",
        changes: dict[str, Any] | None = None,
        ledger: str | os.PathLike[str] | None = None,
        separate_ledger: bool = False,
        run: str | None = None,
        memory: str = "2G",
        model_cells: int | None = None,
        zeros: str | os.PathLike[str] | None = None,
        unfit: str = "refuse",
        threads: int | None = None,
        random_state: Any = None,
        progress: bool | None = None,
        callback: Observer | None = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.workload = workload
        self.rounds = rounds
        self.method = method
        self.changes = changes
        self.ledger = ledger
        self.separate_ledger = separate_ledger
        self.run = run
        self.memory = memory
        self.model_cells = model_cells
        self.zeros = zeros
        self.unfit = unfit
        self.threads = threads
        self.random_state = random_state
        self.progress = progress
        self.callback = callback

    def fit(self, data: Any, y: None = None, *, schema: _flaim.Schema | str | os.PathLike[str]) -> Model:
        """Fits a model to the rows and returns it; the estimator keeps it as `model_`.

        data: a pandas or polars DataFrame, an Arrow table or anything with the Arrow PyCapsule interface, a dict of
            arrays, the path of a CSV or Parquet file, or counts from another engine (`flaim.counts`).
        y: not used; scikit-learn's tools pass it.
        schema: the path of a schema file, or a `Schema`. Public: it must not be made from private rows.
        """
        schema = to_schema(schema)
        workload = workload_argument(self.workload)
        threads = thread_count(self.threads)
        request = filled(
            fit_request(self, self.memory),
            method=method_changes(self.method, self.changes, self.rounds),
            zeros="" if self.zeros is None else path_text(self.zeros),
        )
        if is_counts(data) and data.schema != schema:
            raise _flaim.InputError("the counts were made with another schema")
        if is_counts(data) and self.unfit != "refuse":
            raise _flaim.InputError("unfit is for rows that are read here: whoever counts decides what fits")
        has_own_account = self.ledger is None and not is_path(data)
        if has_own_account:
            self._warn_of_costs()
        with ProgressLine(self.progress) as line, _ledger_of(self, data) as ledger:
            name = path_text(data) if is_path(data) else "a table in memory"
            account = _flaim.Account(ledger, name, is_path(data), run_name(self.run), seed_of(self.random_state))
            arguments = (schema, request, workload, account, threads, _observer(line, self.callback))
            table, shape = (None, None) if is_counts(data) else to_table(data, schema, self.unfit)
            if has_own_account:
                self._note_own_account()  # also if the fit ends early: its rounds may have been watched
            if table is None:
                paid = data.fit_with(lambda counts: _flaim.fit_counts(counts, *arguments))
            else:
                paid = _flaim.fit_table(table, *arguments)
        _warn_of_other_ledgers(paid.other_ledgers)
        if paid.was_known:
            _warn_of_record(ledger, paid.run)
        kept_ledger = None if has_own_account else ledger
        self.model_ = Model._of_fit(paid.fit, shape=shape, ledger=kept_ledger, run=paid.run)
        self.budget_ = self.model_.budget
        return self.model_

    def sample(self, n: int | None = None, **how: Any) -> Any:
        """Rows of the fitted model: `model_.sample`."""
        return self._fitted_model().sample(n, **how)

    # Fits of this process that nobody adds up. Those with seeded noise do not count: they promise nothing.
    _fits_on_own_account = 0

    def _note_own_account(self) -> None:
        if self.random_state is None:
            AIM._fits_on_own_account += 1

    def _warn_of_costs(self) -> None:
        if self.random_state is None and AIM._fits_on_own_account > 0:
            warnings.warn(
                f"this is fit number {AIM._fits_on_own_account + 1} without a ledger: each keeps its own promise, but "
                "if they are of the same people their costs add up. AIM(ledger='table.ledger') keeps the account.",
                BudgetWarning,
                stacklevel=3,
            )


def _warn_of_other_ledgers(ledgers: Sequence[str]) -> None:
    for other in ledgers:
        warnings.warn(
            f"many of these rows were charged to {other} before. If they are the same people, they get two promises "
            "whose costs add up: pay from one ledger",
            BudgetWarning,
            stacklevel=3,
        )


def _warn_of_record(ledger: str, run: str) -> None:
    warnings.warn(
        f"{ledger} knows the run '{run}': what it released came back and was not paid again",
        BudgetWarning,
        stacklevel=3,
    )


def fit_request(parameters: Any, memory: str) -> _flaim.FitRequest:
    """The parameters that every fit has."""
    return filled(
        _flaim.FitRequest(),
        epsilon=parameters.epsilon,
        delta=parameters.delta,
        memory=memory,
        model_cells=parameters.model_cells,
        unfit=parameters.unfit,
    )


def run_name(run: str | None) -> str:
    if run is None:
        return ""
    if not isinstance(run, str):
        raise _flaim.InputError(f"run is {run!r}, and must be a text")
    return run


def is_counts(data: Any) -> bool:
    return hasattr(data, "fit_with")


def _observer(line: ProgressLine, callback: Observer | None) -> Observer | None:
    if callback is None:
        return line.report if line.is_shown else None

    def observe(step: str, done: int, total: int | None, detail: str) -> None:
        line.report(step, done, total, detail)
        callback(step, done, total, detail)

    return observe


@contextlib.contextmanager
def _ledger_of(aim: AIM, data: Any) -> Iterator[str]:
    """The path of the ledger given, of the one beside the data, or of one that ends with the fit.

    The last kind is enough for the promise of this fit: its values leave only as a finished model.
    """
    if aim.ledger is not None or is_path(data):
        place = path_text(data) if is_path(data) else ""
        ledger = "" if aim.ledger is None else path_text(aim.ledger)
        yield _flaim.ledger_path(place, ledger, bool(aim.separate_ledger))
    else:
        with tempfile.TemporaryDirectory(prefix="flaim-") as folder:
            yield os.path.join(folder, "fit.ledger")
