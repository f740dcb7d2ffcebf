"""The model: what is fitted, and what rows are drawn from."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _flaim
from ._budget import Budget
from ._conditions import condition_texts
from ._parameters import row_count, seed_of, workload_argument
from ._paths import path_text
from ._rows_out import deliver
from ._shape import Shape
from ._tables import to_table


class Model:
    """A distribution over records, and a number of records: everything that was learnt, and nothing else.

    Made by `AIM.fit`, `Simulation.fit`, `estimate`, `from_counts` and `load`. Whatever is computed from a private
    model is private at no further cost: rows, marginals, densities.
    """

    def __init__(
        self,
        model: _flaim.Model,
        fitted: _flaim.FittedModel | None = None,
        *,
        shape: Shape | None = None,
        quality: Mapping[str, Any] | None = None,
        ledger: str | None = None,
        run: str | None = None,
    ) -> None:
        self._model = model
        self._fitted = fitted
        self._shape = Shape() if shape is None else shape
        self._quality = dict(quality or {})
        self._ledger = ledger
        self._run = run

    @classmethod
    def _of_fit(cls, fitted: _flaim.FittedModel, **more: Any) -> "Model":
        return cls(fitted.model, fitted, **more)

    # What it is.

    @property
    def domain(self) -> dict[str, int]:
        """The number of codes of each column."""
        return dict(self._model.domain)

    @property
    def columns(self) -> list[str]:
        """Names of the columns, in the order of the schema."""
        return [name for name, _ in self._model.domain]

    @property
    def bins(self) -> dict[str, list[list[int]]] | None:
        """The codes of each bin, for each column whose codes were gathered in bins; None if no column's were.

        The junction tree of such a model is over bins, and given its bin a code depends on nothing else. Marginals,
        densities, conditions and rows are over codes all the same.
        """
        return self._model.bins

    @property
    def schema(self) -> _flaim.Schema:
        """What the columns can hold."""
        return self._with_schema().schema

    @property
    def total(self) -> float:
        """The number of records, as estimated from noisy counts."""
        return self._model.total

    @property
    def log_partition(self) -> float:
        """The logarithm of the sum over all records of exp(sum of the potentials)."""
        return self._model.log_partition

    @property
    def cells(self) -> int:
        """The size of the junction tree, in cells of 8 bytes."""
        return self._model.cells

    @property
    def cliques(self) -> list[tuple[str, ...]]:
        """The columns of each node of the junction tree."""
        names = self.columns
        return [tuple(names[attribute] for attribute in clique) for clique in self._model.cliques]

    @property
    def budget(self) -> Budget:
        """What the model promises, and what that cost."""
        return Budget.of_report(self._with_schema().report, self._ledger, self._run)

    @property
    def report(self) -> dict[str, Any]:
        """How the model came about: rounds, iterations, loss, certified gap, promise."""
        return self._with_schema().report if self._fitted is not None else dict(self._quality)

    @property
    def gap(self) -> float:
        """Certified: no model of the same cliques has a loss below `loss - gap`."""
        return float(self._of_the_fit("gap"))

    @property
    def loss(self) -> float:
        """Half the squared distance to the measurements, each divided by the variance of its noise."""
        return float(self._of_the_fit("loss"))

    @property
    def error_bounds(self) -> dict[tuple[str, ...], float]:
        """How far the model can be from the private table, for each marginal of the workload's closure.

        L1 distance as a share of the records; each bound holds with the confidence that `report` names.
        """
        names = self.columns
        return {
            tuple(names[attribute] for attribute in attributes): distance / self.total
            for attributes, _, distance in self._with_schema().bounds
        }

    @property
    def measurements(self) -> list[tuple[tuple[str, ...], np.ndarray, float]]:
        """The noisy marginals that the model was fitted to: columns, values, variance of the noise in each cell.

        Of a model with `bins`, a marginal may have been measured over them: its axes are then as long as there are bins.
        """
        names = self.columns
        result = []
        for attributes, values, variance in self._with_schema().measurements:
            clique = tuple(names[attribute] for attribute in attributes)
            result.append((clique, values, variance))
        return result

    # What it answers.

    def marginal(self, columns: Sequence[str] | str) -> np.ndarray:
        """P(columns): probabilities, one axis for each column in the order given. Any columns, measured or not."""
        clique = [columns] if isinstance(columns, str) else list(columns)
        attributes = [self._attribute(name) for name in clique]
        if len(set(attributes)) != len(attributes):
            raise _flaim.InputError(f"a column is named twice: {', '.join(clique)}")
        answer = self._model.marginal(sorted(attributes))
        return answer.transpose(np.argsort(np.argsort(attributes)))

    def log_density(self, rows: Any) -> np.ndarray:
        """log P of each row, -inf for what the model excludes. Rows as `fit` takes them, or a 2-D array of codes."""
        if isinstance(rows, np.ndarray) and rows.ndim == 2:
            return self._model.log_density(_checked_codes(rows))
        table, _ = to_table(rows, self.schema)
        codes = np.empty((table.rows, len(self.columns)), dtype=np.uint32)
        for position, name in enumerate(self.columns):
            codes[:, position] = table.codes(name)
        return self._model.log_density(codes)

    def sample(
        self,
        n: int | None = None,
        *,
        where: Mapping[str, Any] | None = None,
        method: str = "rounded",
        swap: bool = False,
        workload: str | os.PathLike[str] | Sequence[Sequence[str]] | None = None,
        to: str | os.PathLike[str] | None = None,
        random_state: Any = None,
    ) -> Any:
        """Draws synthetic rows, as what went into `fit`: a pandas or polars DataFrame, an Arrow table, a dict.

        n: how many; as many as the model estimates there are, if not given.
        where: only such rows. A value, a list of values (any of them), or a range (low, high) as a tuple of which
            either end may be None, for each column; all must hold. `{"sex": "F", "age": (30, 39)}`. None as a value
            means a missing one.
        method: "rounded" keeps marginals closer to the model than chance; "exact" draws independent rows.
        swap: exchange rows for spare ones of the same model until marginals are closer still to it: a better table,
            whose rows are not independent. Takes a few seconds for 50,000 rows.
        workload: the marginals to swap rows for, as for `AIM`; all pairs and some three-ways if not given.
        to: "pandas", "polars", "arrow" or "numpy" for another kind of result; a path ending in .csv or .parquet
            writes a file, and nothing is returned.
        random_state: the same rows each time; new ones each time if None. Costs no privacy either way.
        """
        rows = None if n is None else row_count(n)
        if method not in ("rounded", "exact"):
            raise _flaim.InputError(f"method is {method!r}; choose 'rounded' or 'exact'")
        if workload is not None and not swap:
            raise _flaim.InputError("workload says what rows are swapped for: give swap=True with it")
        swaps = workload_argument(workload) if swap else None
        seed = seed_of(random_state)
        if self._fitted is None:
            if where or to not in (None, "numpy"):
                raise _flaim.InputError("this model knows codes only: without a schema there is no `where` and no `to`")
            return self._sample_codes(rows, method, seed, swaps)
        fitted = self._fitted
        conditions = condition_texts(where, fitted.schema)
        return deliver(
            lambda: fitted.draw(rows, conditions, method, seed, swaps),
            lambda path: fitted.write_csv(path, rows, conditions, method, seed, swaps),
            self._shape,
            to,
        )

    def _sample_codes(
        self, n: int | None, method: str, seed: int | None, swaps: str | list[list[str]] | None
    ) -> dict[str, np.ndarray]:
        table = self._model.sample_codes(round(self.total) if n is None else n, method, seed, swaps)
        return {name: table.codes(name) for name in self.columns}

    # Keeping it.

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a model file, as `flaim fit` does; `flaim.load` and the command line read it."""
        self._with_schema().save(path_text(path))

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_bytes, (self._with_schema().to_bytes(), self._shape, self._ledger, self._run)

    def __repr__(self) -> str:
        promise = str(self.budget) if self._fitted is not None else "from measurements"
        return f"<flaim.Model of {len(self.columns)} columns, {self.cells} cells: {promise}>"

    def _attribute(self, name: str) -> int:
        try:
            return self.columns.index(name)
        except ValueError:
            raise _flaim.InputError(f"the model has no column {name!r}; it has {', '.join(self.columns)}") from None

    def _of_the_fit(self, what: str) -> Any:
        if what not in self.report:
            raise _flaim.InputError(f"this model was made from potentials, not fitted: it has no {what}")
        return self.report[what]

    def _with_schema(self) -> _flaim.FittedModel:
        if self._fitted is None:
            raise _flaim.InputError("this model was made from measurements alone: it has no schema and no report")
        return self._fitted


def load(path: str | os.PathLike[str]) -> Model:
    """Reads a model file that `Model.save` or the command line wrote."""
    return Model._of_fit(_flaim.FittedModel.load(path_text(path)))


def _from_bytes(content: bytes, shape: Shape, ledger: str | None, run: str | None) -> Model:
    return Model._of_fit(_flaim.FittedModel.from_bytes(content), shape=shape, ledger=ledger, run=run)


def _checked_codes(codes: np.ndarray) -> np.ndarray:
    if codes.dtype.kind not in "iu":
        raise _flaim.InputError("codes are whole numbers: give an array of integers, with a row for each record")
    limits = np.iinfo(np.uint32)
    if codes.size > 0 and (codes.min() < 0 or codes.max() > limits.max):
        raise _flaim.InputError("a code is negative or absurdly large")
    return np.ascontiguousarray(codes, dtype=np.uint32)
