"""Conditions on rows, as the command line has them: one COLUMN=VALUE each."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

import numpy as np

from flaim import _flaim
from flaim._columns_in import is_missing, value_text


def condition_texts(where: Mapping[str, Any] | None, schema: _flaim.Schema) -> list[str]:
    """A value, a collection of values of which any will do, or a range (low, high), for each column."""
    conditions = []
    columns = {column["name"]: column for column in schema.describe()}
    for name, wanted in (where or {}).items():
        if name not in columns:
            raise _flaim.InputError(f"the model has no column {name!r}; it has {', '.join(columns)}")
        values = list(wanted) if _is_collection(wanted) else [wanted]
        if not values:
            raise _flaim.InputError(f"`where` allows no value at all for column {name!r}")
        conditions += [f"{name}={_condition_text(value, columns[name], schema)}" for value in values]
    return conditions


def _is_collection(wanted: Any) -> bool:
    return hasattr(wanted, "__iter__") and not isinstance(wanted, (str, bytes, tuple))


def _condition_text(value: Any, column: dict[str, Any], schema: _flaim.Schema) -> str:
    if not isinstance(value, tuple):
        return _text(value, column, schema)
    if len(value) != 2:
        raise _flaim.InputError(f"a range of column {column['name']!r} is a tuple (low, high), not {value!r}")
    return "..".join("" if end is None else _text(end, column, schema) for end in value)


def _text(value: Any, column: dict[str, Any], schema: _flaim.Schema) -> str:
    """As the column writes it: with its spellings, in its format, with its marker for a missing value."""
    name, kind = column["name"], column["type"]
    if is_missing(value):
        return str(next(iter(column["missing"]), ""))
    if kind == "boolean" and isinstance(value, (bool, np.bool_)):
        return str(column["spellings"][int(value)])
    text = value_text(name, value)
    is_time = isinstance(value, (datetime.date, np.datetime64))
    return _flaim.time_text(schema, name, text) if is_time and kind in ("date", "datetime") else text
