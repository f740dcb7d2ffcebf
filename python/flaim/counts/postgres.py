"""Counts of a table in PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from flaim import _flaim
from flaim._optional import need
from flaim.counts.dialect import Dialect, table_or_query
from flaim.counts.sql import SqlCounts
from flaim.counts.values import FLOATS, EngineColumn, Kind

Answer = TypeVar("Answer")

# The names that pg_catalog.format_type gives types.
_KINDS = {
    "boolean": Kind.BOOLEAN,
    "smallint": Kind.INTEGER,
    "integer": Kind.INTEGER,
    "bigint": Kind.INTEGER,
    "real": Kind.FLOAT32,
    "double precision": Kind.FLOAT64,
    "numeric": Kind.DECIMAL,
    "date": Kind.DATE,
    "timestamp without time zone": Kind.TIMESTAMP,
    "timestamp with time zone": Kind.ZONED_TIMESTAMP,
    "text": Kind.TEXT,
    "character varying": Kind.TEXT,
    "character": Kind.TEXT,
}

# LOCAL: they end with the transaction. No notice is sent, because one may quote a value.
_OPENING_STATEMENTS = (
    "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
    "SET LOCAL client_min_messages = error",
    "SET LOCAL client_encoding = 'UTF8'",
    "SET LOCAL standard_conforming_strings = on",
    "SET LOCAL DateStyle = 'ISO, YMD'",
    "SET LOCAL IntervalStyle = 'postgres'",
    "SET LOCAL TimeZone = 'UTC'",
    "SET LOCAL extra_float_digits = 3",
    "SET LOCAL bytea_output = 'hex'",
    "SELECT 1",  # takes the snapshot
)

_MAX_NAME_BYTES = 63
"""Servers cut longer names off, and may then find another table."""


class PostgresDialect(Dialect):
    """PostgreSQL's SQL. A value's text is what COPY writes, which is what the command line reads."""

    text_type = "pg_catalog.text"
    double_type = "pg_catalog.float8"
    keeps_times_as_written = True

    def trimmed(self, expression: str) -> str:
        return f"pg_catalog.btrim({expression}, E' \\t')"

    def as_text(self, expression: str) -> str:
        # Of all functions, concat writes as COPY does: a cast writes booleans and padded texts otherwise.
        return f'(CASE WHEN {expression} IS NOT NULL THEN pg_catalog.concat({expression}) END COLLATE "C")'

    def csv_text(self, kind: Kind, engine_text: str) -> str | None:
        is_nan = kind in (Kind.DECIMAL, *FLOATS) and engine_text == "NaN"
        return None if is_nan else engine_text

    def is_whole(self, expression: str, kind: Kind) -> str:
        """Whether the text has neither a point nor an exponent."""
        if kind is Kind.DECIMAL:
            return f"pg_catalog.scale({expression}) = 0"
        in_full = "1e6" if kind is Kind.FLOAT32 else "1e15"
        return f"{expression} = pg_catalog.trunc({expression}) AND pg_catalog.abs({expression}) < {in_full}"

    def single(self, expression: str) -> str:
        return f"CAST(CAST({expression} AS {self.text_type}) AS {self.double_type})"

    def lowest_single(self, edge: float) -> float:
        return edge

    def is_written(self, expression: str, column: EngineColumn, text: str) -> str | None:
        return f"{self.as_text(expression)} = {self.text(text)}"

    def code(self, expression: str, size: int) -> str:
        return f"CAST({expression} AS pg_catalog.{'int2' if size <= 32767 else 'int4'})"


class PostgresCounts(SqlCounts):
    """Counts that PostgreSQL computes.

    connection: of the package psycopg (version 3), outside a transaction and yours again after `close`; or a connection
        string, for a connection of its own.
    table: the name of a table or view, with its parts as a tuple if it has several, e.g. ("clinic", "people"). Spelled
        as in the catalogue: upper and lower case count.
    query: in place of a table, a query whose rows are the table.

    A read-only transaction holds one snapshot until `close`, so all counts are of one moment. Nothing is written to the
    server. A value counts as the text that COPY writes, as for the command line; but NaN is a missing value, and a
    date needs no format. Of the server's errors only the message is passed on: the rest may quote values.
    """

    def __init__(
        self,
        connection: Any,
        table: str | tuple[str, ...] | None = None,
        *,
        schema: Any,
        query: str | None = None,
    ) -> None:
        dialect = PostgresDialect()
        self._source, place = table_or_query(dialect, table, query)
        self._is_table = query is None
        super().__init__(schema, dialect, place)
        for part in (table,) if isinstance(table, str) else table or ():
            if not part or len(part.encode()) > _MAX_NAME_BYTES or "\0" in part:
                raise _flaim.InputError(f"{place!r} is not the name of a table")
        self._owns_connection = isinstance(connection, str)
        self._connection: Any = _connect(connection) if isinstance(connection, str) else connection
        if not self._is_idle():
            raise _flaim.InputError("the connection is closed or in a transaction, and counts need one of their own")
        self._autocommit = self._connection.autocommit
        self._open()

    def _is_idle(self) -> bool:
        from psycopg.pq import TransactionStatus

        return bool(self._connection.info.transaction_status == TransactionStatus.IDLE)

    def _begin(self) -> None:
        self._connection.autocommit = True
        self._with_cursor(lambda cursor: [cursor.execute(statement) for statement in _OPENING_STATEMENTS])

    def _described_columns(self) -> dict[str, EngineColumn]:
        names = self._names_in_catalogue() if self._is_table else None
        if names is not None and not set(self._sizes) <= names:
            return {name: EngineColumn(name, Kind.OTHER, "") for name in names}
        # Only the columns that are needed: a role may be allowed no others.
        selected = "*" if names is None else ", ".join(map(self._dialect.identifier, self._sizes))
        described = self._ask(
            lambda cursor: cursor.execute(f"SELECT {selected} FROM {self._source} AS t LIMIT 0").description
        )
        type_of_column = {column.name: column.type_code for column in described}
        type_names = self._type_names(set(type_of_column.values()))
        return {name: _column(name, *type_names[oid]) for name, oid in type_of_column.items()}

    def _names_in_catalogue(self) -> set[str]:
        found = self._ask(
            lambda cursor: cursor.execute(
                "SELECT attname FROM pg_catalog.pg_attribute WHERE attrelid = pg_catalog.to_regclass(%s) "
                "AND attnum > 0 AND NOT attisdropped",
                (self._source,),
            ).fetchall()
        )
        if not found:
            raise _flaim.InputError(
                f"{self._place}: there is no such table or view in the database, or it has no columns; give the parts "
                "of its name as a tuple if it is not on the search path, and mind upper-case letters"
            )
        return {name for (name,) in found}

    def _type_names(self, oids: set[int]) -> dict[int, tuple[str, bool]]:
        """What each type is called, and whether it is an enumeration."""
        rows = self._ask(
            lambda cursor: cursor.execute(
                "SELECT oid::pg_catalog.int8, pg_catalog.format_type(oid, NULL), typtype = 'e' "
                "FROM pg_catalog.pg_type WHERE oid = ANY (%s::pg_catalog.oid[])",
                (sorted(oids),),
            ).fetchall()
        )
        return {oid: (name, is_enumeration) for oid, name, is_enumeration in rows}

    def _table(self) -> str:
        return self._source

    def _texts(self, query: str) -> list[str | None]:
        return self._ask(lambda cursor: [text for (text,) in cursor.execute(query).fetchall()])

    def _numbers(self, query: str) -> npt.NDArray[np.int64]:
        def numbers(cursor: Any) -> npt.NDArray[np.int64]:
            rows = cursor.execute(query).fetchall()
            return np.array(rows, np.int64).reshape(len(rows), len(cursor.description))

        return self._ask(numbers)

    def _ask(self, ask: Callable[[Any], Answer]) -> Answer:
        if self._is_idle():
            raise _flaim.InputError(
                f"{self._place}: somebody ended the transaction that the counts are in, and others would be of another "
                "moment; start again, with a connection that nobody else uses"
            )
        return self._with_cursor(ask)

    def _with_cursor(self, ask: Callable[[Any], Answer]) -> Answer:
        """An error keeps its type and its first message, and loses its details."""
        import psycopg
        from psycopg.rows import tuple_row

        try:
            with self._connection.cursor(row_factory=tuple_row) as cursor:
                return ask(cursor)
        except psycopg.Error as error:
            failure = type(error)(error.diag.message_primary or _first_line(error))
        raise failure

    def close(self) -> None:
        """Ends the transaction, and the connection if it was made here."""
        import psycopg

        if self._is_closed:
            return
        super().close()
        try:
            self._connection.rollback()
            self._connection.autocommit = self._autocommit
        except psycopg.Error:
            pass  # the connection is lost, and the transaction with it
        if self._owns_connection:
            self._connection.close()


def _connect(connection: str) -> Any:
    psycopg = need("psycopg", "count in PostgreSQL")
    if not _is_understood(connection):
        raise _flaim.InputError(
            "the connection string cannot be understood; write host=... dbname=... user=..., with single quotes around "
            "values that contain blanks, or postgresql://user@host:port/dbname, with special characters as %40 and the "
            "like. A password is better kept in the file ~/.pgpass"
        )
    return psycopg.connect(connection, application_name="flaim", client_encoding="utf8")


def _is_understood(connection: str) -> bool:
    """Whether libpq takes no piece of a password for something else. What libpq says may quote the password."""
    import psycopg.conninfo

    try:
        options = psycopg.conninfo.conninfo_to_dict(connection)
    except psycopg.Error:
        return False
    place = f"{options.get('host', '')}{options.get('port', '')}"
    return "@" not in place and not set("@=") & set(str(options.get("dbname", "")))


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _column(name: str, type_name: str, is_enumeration: bool) -> EngineColumn:
    kind = Kind.TEXT if is_enumeration else _KINDS.get(type_name, Kind.OTHER)
    return EngineColumn(name, kind, type_name)
