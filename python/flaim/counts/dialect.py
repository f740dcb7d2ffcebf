"""How an engine writes SQL."""

from __future__ import annotations

import abc
import datetime
from collections.abc import Callable

from flaim.counts.values import EngineColumn, Kind, number_with_text

_EPOCH = datetime.datetime(1970, 1, 1)


class Dialect(abc.ABC):
    """The expressions in which engines differ. Only text: nothing here has a connection."""

    text_type: str
    double_type: str
    timestamp_type = "TIMESTAMP"

    def identifier(self, name: str) -> str:
        """A name, quoted as the SQL standard does."""
        return in_double_quotes(name)

    def text(self, text: str) -> str:
        """A text, as a literal of the SQL standard."""
        return "'" + text.replace("'", "''") + "'"

    @abc.abstractmethod
    def trimmed(self, expression: str) -> str:
        """A text without blanks and tabs at its ends."""

    def as_text(self, expression: str) -> str:
        """Any value as the engine writes it. Texts are compared byte by byte."""
        return f"CAST({expression} AS {self.text_type})"

    def is_whole(self, expression: str, kind: Kind) -> str:
        """Whether a number has no fraction."""
        return f"{expression} = trunc({expression})"

    def year(self, expression: str) -> str:
        """The year of a date or timestamp."""
        return f"EXTRACT(YEAR FROM {expression})"

    def double(self, text: str) -> str:
        """A double; also NaN and Infinity."""
        return f"CAST('{text}' AS {self.double_type})"

    def decimal(self, text: str, column: EngineColumn) -> str:
        """A decimal that the column could hold."""
        return f"CAST('{text}' AS DECIMAL({column.precision}, {column.scale}))"

    def date(self, seconds: int) -> str:
        """The day of a time since 1970."""
        return f"DATE '{_calendar(seconds).date().isoformat()}'"

    def timestamp(self, seconds: int) -> str:
        """A time since 1970."""
        return f"{self.timestamp_type} '{_calendar(seconds).isoformat(' ')}'"

    def single(self, expression: str) -> str:
        """A single as a double."""
        return f"CAST({expression} AS {self.double_type})"

    def is_written(self, expression: str, column: EngineColumn, text: str) -> str | None:
        """Whether a number has exactly this text in a CSV file; None if no number of the column has."""
        number = number_with_text(column, text)
        if number is None:
            return None
        if column.kind is Kind.FLOAT32:
            return f"{self.single(expression)} = {self.double(number)}"
        return f"{expression} = {self.double(number) if column.kind is Kind.FLOAT64 else number}"

    def code(self, expression: str, size: int) -> str:
        """A code in as few bytes as the engine has a type for."""
        narrowest = "TINYINT" if size <= 127 else "SMALLINT" if size <= 32767 else "INTEGER"
        return f"CAST({expression} AS {narrowest})"


def _calendar(seconds: int) -> datetime.datetime:
    return _EPOCH + datetime.timedelta(seconds=seconds)


def in_double_quotes(name: str) -> str:
    """A name as the SQL standard quotes it."""
    return '"' + name.replace('"', '""') + '"'


def table_or_query(
    quoted: Callable[[str], str], table: str | tuple[str, ...] | None, query: str | None
) -> tuple[str, str]:
    """What stands after FROM, and what it is called in messages."""
    parts = (table,) if isinstance(table, str) else tuple(table or ())
    if bool(parts) == (query is not None):
        raise ValueError("give either a table or a query")
    if query is None:
        return ".".join(map(quoted, parts)), ".".join(parts)
    # A comment may end the query.
    return f"({query.rstrip().rstrip(';')}\n)", "the query"
