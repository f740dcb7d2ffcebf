"""The same values twice: as the text of a CSV file, and as a column of every library that can hold them."""

import datetime
import decimal
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import polars
import pyarrow as pa
from hypothesis import strategies as st

COLUMNS = {
    "plain categories": 'type = "categorical"\nvalues = ["red", "1", "2.5", "true", "2024-02-29", "x y", "grün"]',
    "other": 'type = "categorical"\nvalues = ["a", "0", "-1", "false"]\nother = "rest"\nnullable = true',
    "other listed": 'type = "categorical"\nvalues = ["a", "b"]\nother = "b"\nnullable = true\nmissing = ["?", ""]',
    "integers": 'type = "integer"\nmin = -3\nmax = 200\nbin_width = 7',
    "clamped integers": 'type = "integer"\nmin = 0\nmax = 99\nclamp = true\nnullable = true\nmissing = ["", "999"]',
    "reals": 'type = "real"\nedges = [-1.5, 0, 0.1, 0.3, 1000]\nnullable = true',
    "clamped reals": 'type = "real"\nmin = -1\nmax = 1\nbins = 20\nclamp = true',
    "booleans": 'type = "boolean"\nnullable = true',
    "spelled booleans": 'type = "boolean"\ntrue_values = ["yes", "1"]\nfalse_values = ["no"]',
    "dates": 'type = "date"\nmin = 1960-01-01\nmax = 2030-12-31\nbin = "month"\nnullable = true',
    "formatted dates": 'type = "date"\nmin = 1960-01-01\nmax = 2030-12-31\nclamp = true\nbin = "year"\n'
    'format = "%d/%m/%Y"',
    "times": 'type = "datetime"\nmin = 1960-01-01T00:00:00\nmax = 2030-12-31T23:59:59\nbin = "week"\nnullable = true',
    "formatted times": 'type = "datetime"\nmin = 1960-01-01T00:00:00\nmax = 2030-12-31T23:00:00\nbin = "month"\n'
    'format = "%Y%m%d at %H"\nclamp = true\nnullable = true\nmissing = ["never"]',
}


def schema_text(column: str, trim_blanks: bool = False) -> str:
    trim = "trim_blanks = true\n" if trim_blanks else ""
    beside = '[[column]]\nname = "id"\ntype = "integer"\nmin = 0\nmax = 99\n'
    return f'{trim}[[column]]\nname = "x"\n{COLUMNS[column]}\n\n{beside}'


def marker_of(column: str) -> str:
    for marker in ("never", "?"):
        if f'missing = ["{marker}"' in COLUMNS[column]:
            return marker
    return ""


def is_a(column: str, kind: str) -> bool:
    return f'type = "{kind}"' in COLUMNS[column]


@dataclass(frozen=True)
class Kind:
    """Values of one type: how to draw one, its text for a column, and the columns of libraries that hold them."""

    value: st.SearchStrategy[Any]
    text: Callable[[Any, str], str]
    forms: dict[str, Callable[[list[Any]], Any]]
    without_gaps: tuple[str, ...] = ()  # forms that cannot miss a value


def whole_text(value: Any, column: str) -> str:
    return str(int(value))


def float_text(value: Any, column: str) -> str:
    if np.isnan(value):
        return marker_of(column)
    is_whole = np.isfinite(value) and value == np.trunc(value)
    return str(int(value)) if is_whole else repr(float(str(value)))  # the digits of its own width


def truth_text(value: bool, column: str) -> str:
    if column == "spelled booleans":
        return "yes" if value else "no"
    return "true" if value else "false"


def in_format(time: datetime.datetime, pattern: str) -> str:
    for field in ("%m", "%d", "%H"):
        pattern = pattern.replace(field, time.strftime(field))
    return pattern.replace("%Y", f"{time.year:04}")


def date_text(value: datetime.date, column: str) -> str:
    if column == "formatted dates":
        return in_format(datetime.datetime(value.year, value.month, value.day), "%d/%m/%Y")
    return value.isoformat()


def time_text(value: np.datetime64, column: str) -> str:
    time = value.astype("datetime64[s]").item()
    if column == "formatted times":
        return in_format(time, "%Y%m%d at %H")
    if is_a(column, "datetime"):
        return time.isoformat()
    if is_a(column, "date") and value == value.astype("datetime64[D]"):
        return date_text(time.date(), column)
    text = str(value)
    return text.rstrip("0").rstrip(".") if "." in text else text


def decimal_text(value: decimal.Decimal, column: str) -> str:
    text = format(value, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def arrow(type_: Any) -> Callable[[list[Any]], Any]:
    return lambda values: pa.array(values, type=type_)


SMALL_INDEX = pa.int8()


def arrow_dictionary(type_: Any, index: Any = SMALL_INDEX) -> Callable[[list[Any]], Any]:
    return lambda values: pa.array(values, type=type_).dictionary_encode().cast(pa.dictionary(index, type_))


def series(dtype: Any) -> Callable[[list[Any]], Any]:
    return lambda values: pd.Series(values, dtype=dtype)


def category(dtype: Any) -> Callable[[list[Any]], Any]:
    """Categories of pandas in an order of their own."""
    def build(values: list[Any]) -> Any:
        categories = pd.Series(values, dtype=dtype).astype("category")
        return categories.cat.set_categories(categories.cat.categories[::-1])
    return build


def masked(dtype: Any) -> Callable[[list[Any]], Any]:
    def build(values: list[Any]) -> Any:
        filler = next((value for value in values if value is not None), np.zeros(1, dtype)[0])
        return np.ma.array([filler if value is None else value for value in values],
                           dtype=dtype, mask=[value is None for value in values])
    return build


def numbers(dtype: str, value: st.SearchStrategy[Any], text: Callable[[Any, str], str]) -> Kind:
    arrow_type = {"float16": pa.float16(), "float32": pa.float32(), "float64": pa.float64()}.get(dtype)
    arrow_type = arrow_type or getattr(pa, dtype)()
    forms = {
        "numpy": lambda values: np.array(values, dtype=dtype),
        "big endian": lambda values: np.array(values, dtype=np.dtype(dtype).newbyteorder(">")),
        "strided": lambda values: np.repeat(np.array(values, dtype=dtype), 2)[::2],
        "masked": masked(dtype),
        "scalars": lambda values: [None if value is None else np.dtype(dtype).type(value) for value in values],
        "pandas": series(dtype),
        "arrow": arrow(arrow_type),
    }
    if dtype != "float16":
        nullable = dtype.replace("int", "Int").replace("uI", "UI").replace("float", "Float")
        polars_type = getattr(polars, nullable)
        forms |= {
            "pandas nullable": series(nullable),
            "pandas arrow": series(pd.ArrowDtype(arrow_type)),
            "pandas category": category(dtype),
            "polars": lambda values: polars.Series(values, dtype=polars_type),
            "arrow dictionary": arrow_dictionary(arrow_type),
        }
    if dtype in ("int64", "float64"):
        forms |= {"list": list, "pandas objects": series(object)}
    without_gaps = ("numpy", "big endian", "strided", "pandas", "pandas category") if text is whole_text else ()
    return Kind(value, text, forms, without_gaps)


def _integers(dtype: str) -> Kind:
    limits = np.iinfo(dtype)
    value = st.integers(int(limits.min), int(limits.max)) | st.integers(max(-5, int(limits.min)), 127)
    return numbers(dtype, value, whole_text)


def _floats(bits: int) -> Kind:
    dtype = np.dtype(f"float{bits}")
    near = st.sampled_from([0.1, 0.3, 1000, -1.5, 1, -1, 0, -0.0, 99, 999, 2.5, np.nan, np.inf, -np.inf])
    value = (st.floats(width=bits) | near).map(dtype.type)
    if bits == 64:
        value |= st.sampled_from([1e300, 5e-324, 2.0**63, 123456789012345678.0]).map(dtype.type)
    return numbers(dtype.name, value, float_text)


_WORDS = st.sampled_from([
    "red", "1", "2.5", " ", "", "x y", "grün", "a", "b", "rest", "?", "999", "-3", "+4", "1e2", "yes", "no", "TRUE",
    " a", "29/02/2024", "2024-02-29", "2024-02-29T10:00", "20240229 at 7", "never", "b\t",
])
_TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)

KINDS: dict[str, Kind] = {
    **{dtype: _integers(dtype) for sign in ("int", "uint") for dtype in (f"{sign}{bits}" for bits in (8, 16, 32, 64))},
    "float16": _floats(16), "float32": _floats(32), "float64": _floats(64),
    "huge integers": Kind(st.integers(2**64, 2**80) | st.integers(0, 9), whole_text,
                          {"list": list, "pandas objects": series(object)}),
    "truth values": Kind(st.booleans(), truth_text, {
        "numpy": lambda values: np.array(values, dtype=bool), "masked": masked(bool), "list": list,
        "pandas": series(bool), "pandas nullable": series("boolean"), "pandas objects": series(object),
        "pandas arrow": series(pd.ArrowDtype(pa.bool_())), "pandas category": category("boolean"),
        "polars": lambda values: polars.Series(values, dtype=polars.Boolean), "arrow": arrow(pa.bool_()),
    }, ("numpy", "pandas")),
    "texts": Kind(_WORDS | _TEXTS, lambda value, column: value, {
        "numpy": lambda values: np.array(values, dtype="U") if values else np.array([], dtype="U1"),
        "masked": lambda values: np.ma.array([value or "" for value in values], dtype="U21",
                                             mask=[value is None for value in values]),
        "numpy strings": lambda values: np.array(values, dtype=np.dtypes.StringDType(na_object=None)),
        "numpy objects": lambda values: np.array(values, dtype=object), "list": list,
        "tuple": tuple,
        "pandas objects": series(object), "pandas str": series("str"), "pandas string": series("string"),
        "pandas arrow": series(pd.ArrowDtype(pa.string())), "pandas category": category("str"),
        "polars": lambda values: polars.Series(values, dtype=polars.String),
        "polars categories": lambda values: polars.Series(values, dtype=polars.Categorical),
        "polars enum": lambda values: polars.Series(values, dtype=polars.Enum(sorted({*values} - {None}))),
        "arrow": arrow(pa.string()), "arrow large": arrow(pa.large_string()), "arrow view": arrow(pa.string_view()),
        "arrow dictionary": arrow_dictionary(pa.string()),
        "arrow large dictionary": arrow_dictionary(pa.large_string(), pa.uint64()),
    }, ("numpy",)),
    "dates": Kind(st.dates(), date_text, {
        "numpy": lambda values: np.array(values, dtype="datetime64[D]"), "list": list, "pandas objects": series(object),
        "pandas arrow": series(pd.ArrowDtype(pa.date32())),
        "polars": lambda values: polars.Series(values, dtype=polars.Date),
        "arrow": arrow(pa.date32()), "arrow 64": arrow(pa.date64()), "arrow dictionary": arrow_dictionary(pa.date32()),
    }),
    "decimals": Kind(st.decimals(-(10**9), 10**9, places=3) | st.integers(-3, 99).map(decimal.Decimal), decimal_text, {
        "list": list, "pandas objects": series(object), "pandas arrow": series(pd.ArrowDtype(pa.decimal128(20, 4))),
        "polars": lambda values: polars.Series(values, dtype=polars.Decimal(20, 4)),
        "arrow": arrow(pa.decimal128(20, 4)), "arrow dictionary": arrow_dictionary(pa.decimal128(38, 10)),
    }),
    "nothing": Kind(st.none(), lambda value, column: marker_of(column), {
        "list": list, "numpy objects": lambda values: np.array(values, dtype=object), "pandas objects": series(object),
        "polars": lambda values: polars.Series(values, dtype=polars.Null), "arrow": arrow(pa.null()),
    }),
}


def _times(unit: str) -> Kind:
    first, last = ("0001-01-01", "9999-12-31") if unit != "ns" else ("1700-01-01", "2200-01-01")
    limits = [int(np.datetime64(day, unit).astype(np.int64)) for day in (first, last)]
    days = st.dates(datetime.date(1950, 1, 1), datetime.date(2040, 1, 1)).map(lambda day: np.datetime64(day, unit))
    value = st.integers(*limits).map(lambda count: np.datetime64(count, unit)) | days
    numpy_type = f"datetime64[{unit}]"

    def whole(values: list[Any]) -> list[Any]:
        return [None if value is None else int(value.astype(np.int64)) for value in values]

    forms = {
        "numpy": lambda values: np.array(values, dtype=numpy_type), "scalars": list,
        "pandas": series(numpy_type), "pandas category": category(numpy_type),
        "pandas utc": lambda values: pd.Series(values, dtype=numpy_type).dt.tz_localize("UTC"),
        "pandas arrow": lambda values: pd.Series(
            pd.arrays.ArrowExtensionArray(pa.array(whole(values), pa.timestamp(unit)))),
        "arrow": lambda values: pa.array(whole(values), pa.timestamp(unit)),
        "arrow utc": lambda values: pa.array(whole(values), pa.timestamp(unit, "UTC")),
    }
    if unit in ("s", "ms", "us"):
        forms["list"] = lambda values: [
            None if value is None else value.astype("datetime64[us]").item() for value in values]
    if unit != "s":
        forms["polars"] = lambda values: polars.Series(whole(values), dtype=polars.Int64).cast(polars.Datetime(unit))
    return Kind(value, time_text, forms)


KINDS |= {f"times in {unit}": _times(unit) for unit in ("s", "ms", "us", "ns")}
