"""Counts of a table in PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from flaim import _flaim
from flaim._optional import need
from flaim.counts.base import Clique, CountArray, Counts
from flaim.counts.dialect import in_double_quotes, table_or_query

Answer = TypeVar("Answer")

_MAX_NAME_BYTES = 63
"""Servers cut longer names off, and may then find another table."""


class PostgresCounts(Counts):
    """Counts that PostgreSQL computes, as for the command line: the same code, over a connection of psycopg.

    connection: of the package psycopg (version 3), outside a transaction and yours again after `close`; or a connection
        string, for a connection of its own.
    table: the name of a table or view, with its parts as a tuple if it has several, e.g. ("clinic", "people"). Spelled
        as in the catalogue: upper and lower case count.
    query: in place of a table, a query whose rows are the table.

    A read-only transaction holds one snapshot until `close`, so all counts are of one moment. Nothing is written to the
    server. A value counts as the text that COPY writes in a CSV file, as for the command line. Of the server's errors
    only the message is passed on: the rest may quote values.
    """

    def __init__(
        self,
        connection: Any,
        table: str | tuple[str, ...] | None = None,
        *,
        schema: Any,
        query: str | None = None,
    ) -> None:
        super().__init__(schema)
        source, place = table_or_query(in_double_quotes, table, query)
        for part in (table,) if isinstance(table, str) else table or ():
            if not part or len(part.encode()) > _MAX_NAME_BYTES or "\0" in part:
                raise _flaim.InputError(f"{place!r} is not the name of a table")
        self._snapshot = _Snapshot(connection, place)
        try:
            types = self._types_in_table(source, place) if query is None else self._types_of(f"SELECT * FROM {source}")
            self._counts = _flaim.PostgresCounts(self._schema, place, source, types, self._snapshot.copy)
        except BaseException:
            self.close()
            raise

    def _types_in_table(self, source: str, place: str) -> dict[str, str]:
        found = self._snapshot.fetch(
            "SELECT attname FROM pg_catalog.pg_attribute WHERE attrelid = pg_catalog.to_regclass(%s) "
            "AND attnum > 0 AND NOT attisdropped",
            source,
        )
        if not found:
            raise _flaim.InputError(
                f"{place}: there is no such table or view in the database, or it has no columns; give the parts of its "
                "name as a tuple if it is not on the search path, and mind upper-case letters"
            )
        names = {name for (name,) in found}
        if not set(self._sizes) <= names:
            return dict.fromkeys(names, "")  # what it lacks is refused; the rest does not matter
        # Only the columns that are needed: a role may be allowed no others.
        return self._types_of(f"SELECT {', '.join(map(in_double_quotes, self._sizes))} FROM {source}")

    def _types_of(self, query: str) -> dict[str, str]:
        described = self._snapshot.describe(f"{query} AS t LIMIT 0")
        rows = self._snapshot.fetch(
            "SELECT oid::pg_catalog.int8, pg_catalog.format_type(oid, NULL) FROM pg_catalog.pg_type "
            "WHERE oid = ANY (%s::pg_catalog.oid[])",
            sorted(set(described.values())),
        )
        type_names = dict(rows)
        return {name: type_names[oid] for name, oid in described.items()}

    def _count(self, cliques: list[Clique]) -> list[CountArray]:
        return self._counts.count(cliques)

    def close(self) -> None:
        """Ends the transaction, and the connection if it was made here. What was counted before is still known."""
        self._snapshot.close()


class _Snapshot:
    """A read-only transaction of one moment, on a connection that is borrowed or its own.

    An error of the server keeps its type and its first message, and loses its details.
    """

    def __init__(self, connection: Any, place: str) -> None:
        self._place = place
        self._is_closed = False
        self._owns_connection = isinstance(connection, str)
        self._connection: Any = _connect(connection) if isinstance(connection, str) else connection
        if not self._is_idle():
            raise _flaim.InputError("the connection is closed or in a transaction, and counts need one of their own")
        self._autocommit = self._connection.autocommit
        self._connection.autocommit = True
        # No notice is sent, because one may quote a value; and nobody reads a backslash in quotes as more than it is.
        settings = ["SET LOCAL client_min_messages = error", "SET LOCAL standard_conforming_strings = on"]
        try:
            for statement in [*_flaim.postgres_opening_statements(), *settings]:
                self._with_cursor(lambda cursor: cursor.execute(statement))
        except BaseException:
            self.close()
            raise

    def fetch(self, statement: str, parameter: Any) -> list[Any]:
        """All rows of a small result."""
        return self._ask(lambda cursor: list(cursor.execute(statement, (parameter,)).fetchall()))

    def describe(self, query: str) -> dict[str, int]:
        """The columns of a query, and the numbers of their types."""
        columns = self._ask(lambda cursor: cursor.execute(query).description)
        return {column.name: column.type_code for column in columns}

    def copy(self, statement: str) -> Iterator[bytes]:
        """The lines that COPY ... TO STDOUT writes."""
        import psycopg

        self._check()
        failure = None
        try:
            with self._connection.cursor() as cursor, cursor.copy(statement) as lines:
                for line in lines:
                    yield bytes(line)
        except psycopg.Error as error:
            failure = _without_details(error)
        if failure is not None:
            raise failure

    def close(self) -> None:
        import psycopg

        if self._is_closed:
            return
        self._is_closed = True
        try:
            self._connection.rollback()
            self._connection.autocommit = self._autocommit
        except psycopg.Error:
            pass  # the connection is lost, and the transaction with it
        if self._owns_connection:
            self._connection.close()

    def _is_idle(self) -> bool:
        from psycopg.pq import TransactionStatus

        return bool(self._connection.info.transaction_status == TransactionStatus.IDLE)

    def _check(self) -> None:
        if self._is_closed:
            raise _flaim.InputError(f"{self._place}: the counts were closed")
        if self._is_idle():
            raise _flaim.InputError(
                f"{self._place}: somebody ended the transaction that the counts are in, and others would be of another "
                "moment; start again, with a connection that nobody else uses"
            )

    def _ask(self, ask: Callable[[Any], Answer]) -> Answer:
        self._check()
        return self._with_cursor(ask)

    def _with_cursor(self, ask: Callable[[Any], Answer]) -> Answer:
        import psycopg
        from psycopg.rows import tuple_row

        try:
            with self._connection.cursor(row_factory=tuple_row) as cursor:
                return ask(cursor)
        except psycopg.Error as error:
            failure = _without_details(error)
        raise failure


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


def _without_details(error: Any) -> Any:
    return type(error)(error.diag.message_primary or str(error).partition("\n")[0])
