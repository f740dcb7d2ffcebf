"""Counting with SQL, in the engine that has the rows."""

from __future__ import annotations

import abc
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from flaim import _flaim
from flaim.counts.base import Clique, CountArray, Counts
from flaim.counts.column_code import (
    REFUSED,
    ColumnCode,
    code_of_boolean,
    code_of_listed,
    code_of_ordered,
    is_ordered,
)
from flaim.counts.dialect import Dialect
from flaim.counts.values import EngineColumn, Kind, iso_time, text_of

MAX_LISTED_VALUES = 65_536
"""A column whose texts FLAIM must read one by one may have this many different ones."""

_MAX_SETS_PER_QUERY = 32
_MAX_CELLS_PER_QUERY = 2**22
_MAX_KEPT_CELLS = 2**24
_NOT_GROUPED = -2


class SqlCounts(Counts):
    """Counts that an engine computes by GROUP BY. No row leaves the engine.

    Each value becomes a code inside the engine, by an SQL expression that follows the schema: comparisons with the
    edges of bins for numbers and dates, a list for everything else. What comes back are counts of cells and, only for
    columns whose texts FLAIM must read (a number or date kept as a text), the column's different values.

    Everything that the schema refuses is an error when the object is made, in the words of the command line.
    """

    def __init__(self, schema: Any, dialect: Dialect, place: str) -> None:
        super().__init__(schema)
        self._dialect = dialect
        self._place = place
        self._kept: dict[Clique, CountArray] = {}
        self._kept_cells = 0
        self._is_closed = False

    def close(self) -> None:
        """Counts that were not asked for before are refused from now on."""
        self._is_closed = True

    def _open(self) -> None:
        """For subclasses, once they can be asked. Leaves nothing behind if it fails."""
        try:
            self._begin()
            self._read_columns()
            self._prepare()
            self._check_values()
        except BaseException:
            self.close()
            raise

    def _read_columns(self) -> None:
        described = self._described_columns()
        lacking = [name for name in self._sizes if name not in described]
        if lacking:
            raise _flaim.InputError(
                f"{self._place}: columns of the schema that the table lacks: {', '.join(map(repr, lacking))}; upper "
                "and lower case count. A view can give columns other names."
            )
        self._codes = {name: self._code_of(described[name]) for name in self._sizes}
        self._columns = {name: described[name] for name in self._sizes}

    @abc.abstractmethod
    def _described_columns(self) -> dict[str, EngineColumn]:
        """The columns of the table, by name."""

    @abc.abstractmethod
    def _table(self) -> str:
        """What stands after FROM: the table that the rows are in."""

    @abc.abstractmethod
    def _texts(self, query: str) -> list[str | None]:
        """A column of texts."""

    @abc.abstractmethod
    def _numbers(self, query: str) -> npt.NDArray[np.int64]:
        """Rows of whole numbers."""

    def _begin(self) -> None:
        """Before the engine is asked for the first time."""

    def _prepare(self) -> None:
        """Before the first marginal is counted."""

    def _coded_table(self, names: Iterable[str]) -> str:
        """What stands after FROM: a table with the codes of these columns, named by `_code_name`."""
        return f"({self._select_codes(names)}) AS coded"

    def _code_name(self, name: str) -> str:
        return f"c{self._position[name]}"

    def _select_codes(self, names: Iterable[str]) -> str:
        columns = {name: self._codes[name] for name in names}
        codes = [
            f"{self._dialect.code(column.expression, self._sizes[name])} AS {self._code_name(name)}"
            for name, column in columns.items()
        ]
        joins = [column.join for column in columns.values() if column.join]
        return f"SELECT {', '.join(codes)} FROM {self._table()} AS t {' '.join(joins)}"

    def _value(self, column: EngineColumn) -> str:
        return f"t.{self._dialect.identifier(column.name)}"

    def _code_of(self, column: EngineColumn) -> ColumnCode:
        rule = _flaim.column_rule(self._schema, column.name)
        value = self._value(column)
        missing = rule["size"] - 1 if rule["nullable"] else REFUSED
        if column.kind is Kind.ZONED_TIMESTAMP and rule["type"] in ("date", "datetime"):
            self._refuse_zone(column)
        if is_ordered(column, rule):
            return code_of_ordered(self._dialect, value, column, rule)
        if column.kind is Kind.BOOLEAN and rule["type"] == "boolean":
            return code_of_boolean(value, missing)
        alias = f"m{self._position[column.name]}"
        if column.kind is Kind.TEXT and rule["type"] in ("categorical", "boolean"):
            codes, others, trims = dict(rule["texts"]), rule["other_texts"], rule["trim_blanks"]
        else:
            codes, others, trims = self._codes_of_values(column), REFUSED, False
        return code_of_listed(self._dialect, value, codes, missing=missing, others=others, alias=alias, trims=trims)

    def _codes_of_values(self, column: EngineColumn) -> dict[str, int]:
        """The code of each different value of a column, as the engine writes it."""
        text = self._dialect.as_text(self._value(column))
        query = (
            f"SELECT DISTINCT {text} AS v FROM {self._table()} AS t "
            f"WHERE {self._value(column)} IS NOT NULL LIMIT {MAX_LISTED_VALUES + 1}"
        )
        written = [value for value in self._texts(query) if value is not None]
        if len(written) > MAX_LISTED_VALUES:
            raise _flaim.InputError(
                f"{self._place}: column {column.name!r} is of the type {column.type_name} and has more than "
                f"{MAX_LISTED_VALUES} different values, which are more than can be read one by one; make it a number "
                "or a date in a view, as the schema has it"
            )
        texts = [self._csv_text(column, value) for value in written]
        codes = _flaim.encode_texts(self._schema, column.name, texts, self._place)
        return dict(zip(written, map(int, codes), strict=True))

    def _csv_text(self, column: EngineColumn, engine_text: str) -> str | None:
        rule = _flaim.column_rule(self._schema, column.name)
        is_time = column.kind in (Kind.DATE, Kind.TIMESTAMP) and is_ordered(column, rule)
        if not is_time:
            return text_of(column.kind, engine_text)
        text = iso_time(engine_text)
        if rule["type"] == "date":
            text = text.removesuffix("T00:00:00")
        is_written_in_format = rule["type"] == "datetime" or "T" not in text
        return _flaim.time_text(self._schema, column.name, text) if is_written_in_format else text

    def _refuse_zone(self, column: EngineColumn) -> None:
        raise _flaim.InputError(
            f"{self._place}: column {column.name!r} is a {column.type_name}, and the schema's times are without a "
            f"zone; choose the zone in a view"
        )

    def _check_values(self) -> None:
        one_ways = [(name,) for name in self._sizes]
        for clique, cells, refused in self._group(one_ways):
            if refused:
                self._refuse(self._columns[clique[0]])
            self._keep(clique, cells)

    def _refuse(self, column: EngineColumn) -> None:
        """Finds a value that the schema refuses and says why."""
        code = self._codes[column.name]
        text = self._dialect.as_text(self._value(column))
        query = f"SELECT {text} AS v FROM {self._table()} AS t {code.join} WHERE {code.expression} = {REFUSED} LIMIT 1"
        for written in self._texts(query):
            value = None if written is None else self._csv_text(column, written)
            _flaim.encode_texts(self._schema, column.name, [value], self._place)
        raise _flaim.InputError(f"{self._place}: column {column.name!r} changed while it was read; try again")

    def _count(self, cliques: list[Clique]) -> list[CountArray]:
        counted: dict[Clique, CountArray] = {(): self._total()}
        wanted = [clique for clique in dict.fromkeys(cliques) if clique and clique not in self._kept]
        for clique, cells, refused in self._group(wanted):
            if refused:
                raise _flaim.InputError(f"{self._place}: the rows changed while they were counted; start again")
            counted[clique] = cells
            self._keep(clique, cells)
        return [self._kept[clique] if clique in self._kept else counted[clique] for clique in cliques]

    def _total(self) -> CountArray:
        first = next(iter(self._sizes))
        return np.array(self._kept[(first,)].sum(), np.int64)

    def _keep(self, clique: Clique, cells: CountArray) -> None:
        if len(clique) > 1 and self._kept_cells + cells.size > _MAX_KEPT_CELLS:
            return
        cells.flags.writeable = False
        self._kept[clique] = cells
        self._kept_cells += cells.size

    def _group(self, cliques: Sequence[Clique]) -> list[tuple[Clique, CountArray, bool]]:
        """Each clique with its counts, and whether a value was refused."""
        if self._is_closed and cliques:
            raise _flaim.InputError(f"{self._place}: the counts were closed")
        counted = []
        for batch in self._batches(cliques):
            counted += self._group_batch(batch)
        return counted

    def _batches(self, cliques: Sequence[Clique]) -> list[list[Clique]]:
        batches: list[list[Clique]] = []
        cells_in_batch = 0
        for clique in cliques:
            cells = math.prod(self.shape(clique))
            is_full = batches and (
                len(batches[-1]) == _MAX_SETS_PER_QUERY or cells_in_batch + cells > _MAX_CELLS_PER_QUERY
            )
            if not batches or is_full:
                batches.append([])
                cells_in_batch = 0
            batches[-1].append(clique)
            cells_in_batch += cells
        return batches

    def _group_batch(self, cliques: list[Clique]) -> list[tuple[Clique, CountArray, bool]]:
        names = sorted({name for clique in cliques for name in clique}, key=self._position.__getitem__)
        sets = ", ".join(f"({', '.join(map(self._code_name, clique))})" for clique in cliques)
        answer = self._numbers(self._grouping_query(names, sets))
        is_grouped = answer[:, :-1] != _NOT_GROUPED
        counted = []
        for clique in cliques:
            pattern = np.array([name in clique for name in names])
            rows = answer[(is_grouped == pattern).all(axis=1)]
            codes, counts = rows[:, :-1][:, pattern], rows[:, -1]
            accepted = (codes >= 0).all(axis=1)
            cells = np.zeros(self.shape(clique), np.int64)
            np.add.at(cells, tuple(codes[accepted].T), counts[accepted])
            counted.append((clique, cells, not bool(accepted.all())))
        return counted

    def _grouping_query(self, names: list[str], sets: str) -> str:
        """Codes are never NULL, so a NULL in the answer is a column that the row is not grouped by."""
        codes = [self._code_name(name) for name in names]
        grouped = ", ".join(f"COALESCE(grouped.{code}, {_NOT_GROUPED}) AS {code}" for code in codes)
        return (
            f"SELECT {grouped}, n FROM (SELECT {', '.join(codes)}, COUNT(*) AS n FROM {self._coded_table(names)} "
            f"GROUP BY GROUPING SETS ({sets})) AS grouped"
        )
