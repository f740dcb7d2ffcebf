"""Columns of numpy and of Python objects, described as Arrow would, so that C++ reads their memory in place.

Numbers, truth values and times go in as buffers. Of texts and other Python objects only the distinct values cross, as
the dictionary of an Arrow column; the rows are indices into it.
"""

from __future__ import annotations

import datetime
import decimal
import numbers
from collections.abc import Hashable
from typing import Any

import numpy as np
import numpy.typing as npt

from flaim._flaim import BufferColumn, InputError

Array = npt.NDArray[Any]

_NUMBER_FORMATS = {
    "int8": "c", "int16": "s", "int32": "i", "int64": "l",
    "uint8": "C", "uint16": "S", "uint32": "I", "uint64": "L",
    "float16": "e", "float32": "f", "float64": "g",
}  # fmt: skip
_TIME_FORMATS = {"s": "tss:", "ms": "tsm:", "us": "tsu:", "ns": "tsn:"}


def no_obvious_text(name: str, what: str) -> InputError:
    return InputError(
        f"column '{name}' holds values of type {what}, which have no obvious text; convert it to texts, numbers, "
        "truth values or dates, or drop it"
    )


def ignored_column(name: str) -> BufferColumn:
    """A column of which only the name counts."""
    return BufferColumn(name, "n", np.empty(0, np.int8))


def from_numpy(name: str, values: Array, valid: Array | None = None) -> BufferColumn:
    """An array of one dimension, without those values for which `valid` is false."""
    if isinstance(values, np.ma.MaskedArray):
        return from_numpy(name, values.data, ~np.ma.getmaskarray(values))
    if values.ndim != 1:
        raise InputError(f"column '{name}' has {values.ndim} dimensions; give one value for each row")
    kind = values.dtype.kind
    if kind == "b":
        return BufferColumn(name, "b", _bits(values), _bits_if_needed(valid))
    if kind in "iuf":
        return _from_numbers(name, values, valid)
    if kind == "M":
        return from_times(name, values, valid)
    if kind == "U":
        uniques, indices = np.unique(values, return_inverse=True)
        return from_indices(name, indices.astype(np.int64), text_dictionary(name, uniques.tolist()), valid)
    if kind in "OT":
        objects = values.tolist()
        if valid is not None:
            objects = [value if there else None for value, there in zip(objects, valid)]
        return from_objects(name, objects)
    raise no_obvious_text(name, str(values.dtype))


def from_times(name: str, values: Array, valid: Array | None = None, zone: str = "") -> BufferColumn:
    """datetime64 of any unit. NaT is a missing value."""
    is_time = ~np.isnat(values)
    valid = is_time if valid is None else valid & is_time
    unit, count = np.datetime_data(values.dtype)
    if unit in ("Y", "M", "W", "D"):
        days = values.astype("datetime64[D]").astype(np.int64)
        limits = np.iinfo(np.int32)  # millions of years away: out of every bounds, as the clipped ones are
        return BufferColumn(
            name, "tdD", days.clip(limits.min, limits.max).astype(np.int32), _bits_if_needed(valid)
        )
    if unit not in _TIME_FORMATS or count != 1:
        unit = "s" if unit in ("h", "m") else "ns"
        values = values.astype(f"datetime64[{unit}]")
    whole = _contiguous(values).view(np.int64)
    return BufferColumn(name, _TIME_FORMATS[unit] + zone, whole, _bits_if_needed(valid))


def from_objects(name: str, values: list[Any]) -> BufferColumn:
    """Python objects; None and whatever differs from itself (NaN, NaT, NA) are missing values."""
    kinds = {value.__class__ for value in values} - {type(None)}
    if len(kinds) == 1 and kinds <= {int, float, bool}:
        try:
            return _from_alike(name, values, kinds.pop())
        except OverflowError:  # a whole number beyond 64 bits: its text says what it is
            pass
    indices, uniques = _factorise(name, values)
    return from_indices(name, indices, dictionary_of(name, uniques))


def from_indices(
    name: str, indices: Array, dictionary: BufferColumn, valid: Array | None = None
) -> BufferColumn:
    """Indices into a dictionary; -1 is a missing value."""
    indices = _contiguous(indices)
    is_value = indices >= 0 if valid is None else valid & (indices >= 0)
    return BufferColumn(
        name, _NUMBER_FORMATS[indices.dtype.name], indices, _bits_if_needed(is_value), dictionary
    )


def text_dictionary(name: str, texts: list[str]) -> BufferColumn:
    try:
        return BufferColumn("", "U", texts)
    except TypeError:
        raise InputError(f"column '{name}' holds a text that is not valid Unicode; correct it") from None


def _bits(flags: Array) -> Array:
    return np.packbits(flags, bitorder="little")


def _bits_if_needed(valid: Array | None) -> Array | None:
    return None if valid is None or bool(valid.all()) else _bits(valid)


def _contiguous(values: Array) -> Array:
    return np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("="))


def _from_numbers(name: str, values: Array, valid: Array | None) -> BufferColumn:
    if values.dtype.kind == "f" and values.dtype.itemsize > 8:
        values = values.astype(np.float64)
    values = _contiguous(values)
    return BufferColumn(name, _NUMBER_FORMATS[values.dtype.name], values, _bits_if_needed(valid))


def _from_alike(name: str, values: list[Any], kind: type) -> BufferColumn:
    """Objects of one type that numpy has too."""
    valid = np.fromiter((value is not None for value in values), dtype=bool, count=len(values))
    dtype = {int: np.int64, float: np.float64, bool: np.bool_}[kind]
    filled = values if bool(valid.all()) else [kind() if value is None else value for value in values]
    return from_numpy(name, np.array(filled, dtype=dtype), valid)


def is_missing(value: Any) -> bool:
    if value is None:
        return True
    if isinstance(value, decimal.Decimal):
        return value.is_nan()
    try:
        return bool(value != value)
    except TypeError:
        return type(value).__name__ == "NAType"  # pandas.NA is neither true nor false
    except ValueError:  # an array
        return False


def _factorise(name: str, values: list[Any]) -> tuple[Array, list[Any]]:
    """The distinct values, and for each row which one it is. 1, 1.0 and True are three values."""
    index_of: dict[Hashable, int] = {}
    uniques: list[Any] = []

    def index(value: Any) -> int:
        is_text = value.__class__ is str
        if not is_text and is_missing(value):
            return -1
        key = value if is_text else (value.__class__, value)
        try:
            found = index_of.get(key)
        except TypeError:
            raise no_obvious_text(name, type(value).__name__) from None
        if found is None:
            found = index_of[key] = len(uniques)
            uniques.append(value)
        return found

    return np.fromiter((index(value) for value in values), np.int64, len(values)), uniques


def dictionary_of(name: str, uniques: list[Any]) -> BufferColumn:
    """Distinct Python objects as an Arrow column: truth values and times as such, all else as texts."""
    if uniques and all(isinstance(value, (bool, np.bool_)) for value in uniques):
        return BufferColumn("", "b", _bits(np.array(uniques, dtype=bool)))
    if uniques and all(isinstance(value, np.datetime64) for value in uniques):
        return from_times("", np.array(uniques))
    if uniques and all(isinstance(value, datetime.datetime) for value in uniques):
        times = [_without_zone(name, value) for value in uniques]
        return from_times("", np.array(times, dtype="datetime64[us]"))
    if uniques and all(_is_date(value) for value in uniques):
        return from_times("", np.array(uniques, dtype="datetime64[D]"))
    return text_dictionary(name, [value_text(name, value) for value in uniques])


def _is_date(value: Any) -> bool:
    return isinstance(value, datetime.date) and not isinstance(value, datetime.datetime)


def _without_zone(name: str, value: datetime.datetime) -> datetime.datetime:
    if value.tzinfo is not None and value.utcoffset() != datetime.timedelta(0):
        raise InputError(
            f"column '{name}' holds times of the time zone '{value.tzinfo}'; convert them to UTC or to local times "
            "without a zone, as the schema means them"
        )
    return value.replace(tzinfo=None)


def value_text(name: str, value: Any) -> str:
    """What the value would be in a CSV file."""
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        is_whole = bool(np.isfinite(value) and value == np.trunc(value))
        return str(int(value)) if is_whole else repr(float(str(value)))  # as few digits as its width needs
    if isinstance(value, decimal.Decimal):
        text = format(value, "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    if isinstance(value, datetime.datetime):
        return _without_zone(name, value).isoformat()
    if isinstance(value, (datetime.date, np.datetime64)):
        return str(value)
    raise no_obvious_text(name, type(value).__name__)
