"""Counts of a table in DuckDB, or of whatever DuckDB can read."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from flaim.counts.dialect import Dialect, table_or_query
from flaim.counts.sql import SqlCounts
from flaim.counts.values import EngineColumn, Kind

_KINDS = {
    "BOOLEAN": Kind.BOOLEAN,
    "TINYINT": Kind.INTEGER,
    "SMALLINT": Kind.INTEGER,
    "INTEGER": Kind.INTEGER,
    "BIGINT": Kind.INTEGER,
    "UTINYINT": Kind.INTEGER,
    "USMALLINT": Kind.INTEGER,
    "UINTEGER": Kind.INTEGER,
    "UBIGINT": Kind.INTEGER,
    "HUGEINT": Kind.INTEGER,
    "FLOAT": Kind.FLOAT32,
    "DOUBLE": Kind.FLOAT64,
    "DATE": Kind.DATE,
    "TIMESTAMP": Kind.TIMESTAMP,
    "TIMESTAMP_S": Kind.TIMESTAMP,
    "TIMESTAMP_MS": Kind.TIMESTAMP,
    "TIMESTAMP_NS": Kind.TIMESTAMP,
    "TIMESTAMP WITH TIME ZONE": Kind.ZONED_TIMESTAMP,
    "VARCHAR": Kind.TEXT,
}
_LIMITS = {"UBIGINT": 2**64, "HUGEINT": 2**127, "TIMESTAMP_NS": 2**63 // 10**9}


class DuckDBDialect(Dialect):
    """DuckDB's SQL."""

    text_type = "VARCHAR"
    double_type = "DOUBLE"

    def trimmed(self, expression: str) -> str:
        return f"(trim({expression}, ' ' || chr(9)) COLLATE \"binary\")"

    def as_text(self, expression: str) -> str:
        # Whatever collation the column or the connection has.
        return f'(CAST({expression} AS VARCHAR) COLLATE "binary")'


class DuckDBCounts(SqlCounts):
    """Counts that DuckDB computes.

    connection: of the package duckdb.
    table: the name of a table or view, with its parts as a tuple if it has several, e.g. ("main", "people").
    query: in place of a table, a query whose rows are the table, e.g. "SELECT * FROM 'rows.parquet'".

    The codes of all rows are computed once and kept in a temporary table of the connection until `close`, so that all
    counts are of one moment. They take one to four bytes for each value, and DuckDB may put them on its disk.
    """

    def __init__(
        self,
        connection: Any,
        table: str | tuple[str, ...] | None = None,
        *,
        schema: Any,
        query: str | None = None,
    ) -> None:
        dialect = DuckDBDialect()
        self._source, place = table_or_query(dialect.identifier, table, query)
        super().__init__(schema, dialect, place)
        self._connection = connection
        self._temporary = f"flaim_codes_{uuid.uuid4().hex}"
        self._open()

    def _described_columns(self) -> dict[str, EngineColumn]:
        described = self._connection.execute(f"DESCRIBE SELECT * FROM {self._source} AS t").fetchall()
        return {name: _column(name, type_name) for name, type_name, *_ in described}

    def _table(self) -> str:
        return self._source

    def _prepare(self) -> None:
        self._connection.execute(f"CREATE TEMP TABLE {self._temporary} AS {self._select_codes(self._sizes)}")

    def _coded_table(self, names: Iterable[str]) -> str:
        return self._temporary

    def _texts(self, query: str) -> list[str | None]:
        return [row[0] for row in self._connection.execute(query).fetchall()]

    def _numbers(self, query: str) -> npt.NDArray[np.int64]:
        columns = self._connection.execute(query).fetchnumpy()
        return np.column_stack([np.asarray(column, np.int64) for column in columns.values()])

    def close(self) -> None:
        """Drops the temporary table."""
        super().close()
        self._connection.execute(f"DROP TABLE IF EXISTS {self._temporary}")


def _column(name: str, type_name: str) -> EngineColumn:
    decimal = re.fullmatch(r"DECIMAL\((\d+),(\d+)\)", type_name)
    if decimal:
        return EngineColumn(name, Kind.DECIMAL, type_name, int(decimal[1]), int(decimal[2]))
    if type_name.startswith("ENUM("):
        return EngineColumn(name, Kind.TEXT, "ENUM")
    kind = _KINDS.get(type_name, Kind.OTHER)
    return EngineColumn(name, kind, type_name, limit=_LIMITS.get(type_name, 2**63))
