"""Counts of a table in Spark."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from flaim.counts.dialect import Dialect, table_or_query
from flaim.counts.sql import SqlCounts
from flaim.counts.values import EngineColumn, Kind

# The names that pyspark gives types.
_KINDS = {
    "boolean": Kind.BOOLEAN,
    "byte": Kind.INTEGER,
    "short": Kind.INTEGER,
    "integer": Kind.INTEGER,
    "long": Kind.INTEGER,
    "float": Kind.FLOAT32,
    "double": Kind.FLOAT64,
    "date": Kind.DATE,
    "timestamp": Kind.ZONED_TIMESTAMP,
    "timestamp_ntz": Kind.TIMESTAMP,
    "string": Kind.TEXT,
    "char": Kind.TEXT,
    "varchar": Kind.TEXT,
}
_UTC = ("UTC", "Etc/UTC", "GMT", "Z", "+00:00")


class SparkDialect(Dialect):
    """Spark's SQL."""

    text_type = "STRING"
    double_type = "DOUBLE"
    timestamp_type = "TIMESTAMP_NTZ"

    def identifier(self, name: str) -> str:
        return "`" + name.replace("`", "``") + "`"

    def text(self, text: str) -> str:
        # Which characters a literal has to escape is a setting of the session.
        return f"CAST(X'{text.encode().hex()}' AS STRING)"

    def trimmed(self, expression: str) -> str:
        blanks = self.text(" \t")
        return f"btrim({expression}, {blanks})"

    def is_whole(self, expression: str, kind: Kind) -> str:
        return f"{expression} % 1 = 0" if kind is Kind.DECIMAL else f"{expression} = rint({expression})"


class SparkCounts(SqlCounts):
    """Counts that Spark computes.

    source: a DataFrame of pyspark, or a SparkSession, with one of
    table: the name of a table or view, with its parts as a tuple if it has several, e.g. ("clinic", "people");
    query: a query whose rows are the table.

    The codes of all rows are computed once and kept, in memory and on the disks of the executors, until `close`: a
    local checkpoint, which Spark never computes anew, so that all counts are of one moment. They take about ten bytes
    for each value. If an executor is lost, so are they, and the next count fails.

    A `timestamp` is a moment, and what day it is depends on the zone: it is refused as a date or time unless the
    session's zone is UTC. A `timestamp_ntz` is taken as it is.
    """

    def __init__(
        self,
        source: Any,
        table: str | tuple[str, ...] | None = None,
        *,
        schema: Any,
        query: str | None = None,
    ) -> None:
        dialect = SparkDialect()
        name = uuid.uuid4().hex
        self._rows_view = f"flaim_rows_{name}"
        self._codes_view = f"flaim_codes_{name}"
        self._codes_frame: Any = None
        if hasattr(source, "createOrReplaceTempView"):
            if table is not None or query is not None:
                raise ValueError("a DataFrame is the table: give no other")
            super().__init__(schema, dialect, "the DataFrame")
            self._session = source.sparkSession
            self._rows_frame = source
        else:
            from_clause, place = table_or_query(dialect.identifier, table, query)
            super().__init__(schema, dialect, place)
            self._session = source
            self._rows_frame = source.sql(f"SELECT * FROM {from_clause} AS t")
        self._open()

    def _described_columns(self) -> dict[str, EngineColumn]:
        zone = self._session.conf.get("spark.sql.session.timeZone")
        fields = self._rows_frame.schema.fields
        self._rows_frame.createOrReplaceTempView(self._rows_view)
        return {field.name: _column(field, zone in _UTC) for field in fields}

    def _value(self, column: EngineColumn) -> str:
        value = super()._value(column)
        if column.kind is Kind.TIMESTAMP:
            return f"CAST({value} AS TIMESTAMP_NTZ)"
        # A text may have a collation for which upper and lower case are the same.
        return f"COLLATE({value}, 'UTF8_BINARY')" if "collate" in column.type_name else value

    def _table(self) -> str:
        return self._rows_view

    def _prepare(self) -> None:
        # What is only persisted is computed anew when the session writes to the table, or a block is lost.
        self._codes_frame = self._session.sql(self._select_codes(self._sizes)).localCheckpoint()
        self._codes_frame.createOrReplaceTempView(self._codes_view)

    def _coded_table(self, names: Iterable[str]) -> str:
        return self._codes_view

    def _texts(self, query: str) -> list[str | None]:
        return [text for (text,) in self._session.sql(query).collect()]

    def _numbers(self, query: str) -> npt.NDArray[np.int64]:
        answer = self._session.sql(query)
        rows = answer.collect()
        return np.array(rows, np.int64).reshape(len(rows), len(answer.columns))

    def close(self) -> None:
        """Gives back the codes."""
        if self._is_closed:
            return
        super().close()
        java_frame = getattr(self._codes_frame, "_jdf", None)
        if java_frame is not None:  # with Spark Connect, the server gives them back by itself
            java_frame.queryExecution().analyzed().rdd().unpersist(False)
        self._codes_frame = None
        for view in (self._rows_view, self._codes_view):
            self._session.catalog.dropTempView(view)


def _column(field: Any, is_utc: bool) -> EngineColumn:
    type_name = field.dataType.simpleString()
    kind = _KINDS.get(field.dataType.typeName(), Kind.OTHER)
    if field.dataType.typeName() == "decimal":
        return EngineColumn(field.name, Kind.DECIMAL, type_name, field.dataType.precision, field.dataType.scale)
    if kind is Kind.ZONED_TIMESTAMP and is_utc:
        kind = Kind.TIMESTAMP
    return EngineColumn(field.name, kind, type_name)
