"""What the tests of counts from other engines share: columns of tricky values, and what the command line makes of them.

The reference is always a CSV file with the same values, read as the command line reads it.
"""

from __future__ import annotations

import csv
import dataclasses
import datetime
import itertools
import math
import pathlib
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np

import flaim

Texts = Mapping[str, Sequence["str | None"]]


@dataclasses.dataclass(frozen=True)
class Column:
    """A column: what the schema says of it, the type that an engine gives it, and its values."""

    name: str
    schema: str
    kind: str
    values: list[Any]
    format: str = ""
    """Of dates and times, if the schema has one."""
    spellings: tuple[str, str] | None = None
    """Of true and false, if the schema says boolean."""

    def texts(self) -> list[str | None]:
        """What the values are in a CSV file; None if missing."""
        return [self._text(value) for value in self.values]

    def _text(self, value: Any) -> str | None:
        if value is None or isinstance(value, float) and math.isnan(value):
            return None
        if isinstance(value, bool):
            yes, no = self.spellings or ("true", "false")
            return yes if value else no
        if isinstance(value, datetime.date):
            return self._time_text(value)
        if isinstance(value, Decimal):
            return f"{value:f}".rstrip("0").rstrip(".") if "." in f"{value:f}" else f"{value:f}"
        if isinstance(value, float):
            is_whole = math.isfinite(value) and value == int(value)
            return str(int(value)) if is_whole else self._shortest(value)
        return str(value)

    def _shortest(self, value: float) -> str:
        if self.kind != "single" or not math.isfinite(value):
            return repr(value)
        is_small = abs(value) < 1e-4
        return str(np.float32(value)) if is_small else np.format_float_positional(np.float32(value), trim="-")

    def _time_text(self, value: datetime.date) -> str:
        if self.format:
            return value.strftime(self.format)
        if 'type = "date"' in self.schema and isinstance(value, datetime.datetime):
            value = value.date() if value.time() == datetime.time() else value
        text = value.isoformat()
        return text.rstrip("0") if "." in text else text


def toml_text(text: str) -> str:
    """A text as TOML writes it."""
    return '"' + "".join(f"\\U{ord(character):08X}" for character in text) + '"'


def schema_of(columns: Sequence[Column], top: str = "") -> Any:
    """The schema of a table of these columns."""
    described = [f"[[column]]\nname = {toml_text(column.name)}\n{column.schema}\n" for column in columns]
    return flaim.Schema.parse("\n".join([top, *described]))


def same_length(columns: Sequence[Column]) -> list[Column]:
    """The columns with their values repeated, as far as one table needs."""
    rows = max(len(column.values) for column in columns)
    return [
        dataclasses.replace(column, values=list(itertools.islice(itertools.cycle(column.values), rows)))
        for column in columns
    ]


def write_csv(path: pathlib.Path, schema: Any, texts: Texts) -> None:
    """A CSV file of texts, where the first marker of its column stands for a missing value."""
    markers = {name: flaim._flaim.column_rule(schema, name)["missing"][:1] or [""] for name in texts}
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerow(texts)
        for row in zip(*texts.values(), strict=True):
            writer.writerow(markers[name][0] if text is None else text for name, text in zip(texts, row, strict=True))


def expect_same_counts(
    counts: Any, schema: Any, texts: Texts, folder: pathlib.Path, pairs: Iterable[tuple[str, str]] | None = None
) -> None:
    """Every column and every pair of columns (or those given) is counted as in the CSV file."""
    path = folder / "values.csv"
    write_csv(path, schema, texts)
    table = flaim.read_table(str(path), schema)
    cliques = [(name,) for name in texts] + list(itertools.combinations(texts, 2) if pairs is None else pairs)
    expected = flaim.count(table, cliques)
    for clique, cells in zip(cliques, counts.count(cliques), strict=True):
        assert cells.dtype == np.int64
        np.testing.assert_array_equal(cells, expected[clique], err_msg=str(clique))


def refusal(schema: Any, name: str, text: str | None, folder: pathlib.Path) -> str:
    """What the command line says of a column that holds this value, without the line."""
    path = folder / "refused.csv"
    write_csv(path, schema, {name: [text]})
    try:
        flaim.read_table(str(path), schema)
    except flaim.InputError as error:
        return about_column(error)
    raise AssertionError(f"the command line takes {text!r}")


def about_column(error: Exception) -> str:
    """A refusal from the name of the column on: what comes before it says where the rows are."""
    found = re.search(r"column '.*", str(error), re.DOTALL)
    assert found, str(error)
    return found[0]
