"""Synthetic rows come back as what went in: library, order of columns, types. And with nothing else of what went in."""

import pandas as pd
import polars
import pyarrow as pa
import pyarrow.parquet
import pytest

import flaim
from people import N, VALUES, check_values, sample, values_of

PANDAS = {
    "color": ["str", "string", "category", object, pd.ArrowDtype(pa.string())],
    "size": ["int64", "int8", "uint16", "float32", "Int32", "str", object, pd.ArrowDtype(pa.int16())],
    "age": ["int64", "uint8", "int16", "float64", "float16", "Int8", "str", "category", object,
            pd.ArrowDtype(pa.int64())],
    "visits": ["float64", "float32", "Int64", "UInt8", "Float32", object, pd.ArrowDtype(pa.uint8())],
    "weight": ["float64", "float32", "Float64", object, pd.ArrowDtype(pa.float32())],
    "smoker": ["boolean", object, pd.ArrowDtype(pa.bool_())],
    "insured": ["bool", "boolean", object],
    "born": ["datetime64[s]", "datetime64[ns]", object, pd.ArrowDtype(pa.date32())],
    "seen": ["datetime64[s]", "datetime64[us]", "datetime64[ns, UTC]", object, pd.ArrowDtype(pa.timestamp("ms"))],
}


def frame_with(**dtypes):
    columns = {name: pd.Series(values, dtype=dtypes.get(name, object)) for name, values in VALUES.items()}
    return pd.DataFrame({"name": [f"person {i}" for i in range(N)], **columns})


@pytest.mark.parametrize("which", range(10))
def test_a_pandas_frame_comes_back_with_its_order_and_types(which):
    dtypes = {name: choices[which % len(choices)] for name, choices in PANDAS.items()}
    frame = frame_with(**dtypes)
    rows = sample(frame)
    assert isinstance(rows, pd.DataFrame) and list(rows.columns) == list(VALUES)
    for name in VALUES:
        if frame[name].dtype != "category":
            assert rows[name].dtype == frame[name].dtype, name
        if frame[name].dtype == object:
            is_categorical = name in ("color", "size")  # whose values are the schema's texts
            kinds = {str} if is_categorical else {type(value) for value in values_of(frame, name)} - {type(None)}
            assert {type(value) for value in values_of(rows, name)} - {type(None)} == kinds, name
    assert list(rows.index) == list(range(60))
    check_values(rows)


def test_categories_are_those_of_the_schema_in_its_order():
    ordered = pd.CategoricalDtype(["blue", "red"], ordered=True)
    rows = sample(frame_with(color=ordered, size=pd.CategoricalDtype([3, 2, 1])))
    assert list(rows["color"].cat.categories) == ["red", "green", "blue"] and rows["color"].cat.ordered
    assert list(rows["size"].cat.categories) == [1, 2, 3] and rows["size"].cat.categories.dtype == "int64"
    check_values(rows)


def test_labels_that_are_no_texts_come_back():
    schema = flaim.Schema.parse('[[column]]\nname = "0"\ntype = "integer"\nmin = 0\nmax = 3\n')
    rows = flaim.AIM(epsilon=1, workload="all:1", random_state=1).fit(pd.DataFrame([[1], [2]]), schema=schema).sample(5)
    assert list(rows.columns) == [0]


@pytest.mark.parametrize("name, dtype, expected", [
    ("visits", "int64", "float64"), ("visits", "float64", "float64"),
    ("smoker", "bool", object), ("smoker", object, object),
])
def test_the_type_does_not_tell_whether_private_values_are_missing(name, dtype, expected):
    """numpy's integers become floats when one is missing: then they always do."""
    frame = frame_with()
    if dtype not in (object, "float64"):
        frame[name] = frame[name].map(lambda value: value or 0).astype(dtype)
    else:
        frame[name] = frame[name].astype(dtype)
    assert sample(frame)[name].dtype == expected
    assert sample(frame, where={name: "0" if name == "visits" else "no"})[name].dtype == expected


def arrow_column(values, wanted):
    by_way_of = {pa.types.is_dictionary: pa.string(), pa.types.is_decimal: pa.float64()}
    column = pa.array(values)
    for is_such, detour in by_way_of.items():
        column = column.cast(detour) if is_such(wanted) else column
    return column.cast(wanted)


def arrow_table(types):
    return pa.table({"name": ["person"] * N, **{
        name: arrow_column(values, types[name]) for name, values in VALUES.items()}})


ARROW = [
    {"seen": pa.timestamp("us"), "color": pa.string(), "size": pa.int8(), "age": pa.int64(), "visits": pa.uint8(),
     "weight": pa.float64(), "smoker": pa.bool_(), "insured": pa.bool_(), "born": pa.date32()},
    {"seen": pa.timestamp("ns", "UTC"), "color": pa.dictionary(pa.int8(), pa.large_string()),
     "size": pa.dictionary(pa.int32(), pa.string()), "age": pa.float32(), "visits": pa.int16(),
     "weight": pa.float32(), "smoker": pa.bool_(), "insured": pa.bool_(), "born": pa.date64()},
    {"seen": pa.timestamp("s"), "color": pa.string_view(), "size": pa.float64(), "age": pa.decimal128(5, 1),
     "visits": pa.int64(), "weight": pa.decimal128(20, 6), "smoker": pa.bool_(), "insured": pa.bool_(),
     "born": pa.date32()},
]


@pytest.mark.parametrize("types", ARROW)
def test_an_arrow_table_comes_back_with_its_order_and_types(types, tmp_path):
    table = arrow_table(types)
    rows = sample(table)
    assert isinstance(rows, pa.Table) and rows.schema.names == list(VALUES)
    assert {field.name: field.type for field in rows.schema} == types
    check_values(rows)
    assert sample(table.to_reader()).equals(rows) and sample(table.to_batches()[0]).equals(rows)


@pytest.mark.parametrize("types", ARROW)
def test_a_parquet_file_comes_back_as_one(types, tmp_path):
    pa.parquet.write_table(arrow_table(types), tmp_path / "in.parquet")
    kept = pa.parquet.read_schema(tmp_path / "in.parquet")
    assert sample(tmp_path / "in.parquet", to=tmp_path / "out.parquet") is None
    rows = pa.parquet.read_table(tmp_path / "out.parquet")
    assert rows.schema.names == list(VALUES)
    assert [field.type for field in rows.schema] == [kept.field(name).type for name in VALUES]
    check_values(rows)


POLARS = [
    {"seen": polars.Datetime("us"), "color": polars.String, "size": polars.Int8, "age": polars.Int64,
     "visits": polars.UInt8, "weight": polars.Float64, "smoker": polars.Boolean, "insured": polars.Boolean,
     "born": polars.Date},
    {"seen": polars.Datetime("ns", "UTC"), "color": polars.Categorical, "size": polars.Float32, "age": polars.Int16,
     "visits": polars.Int64, "weight": polars.Float32, "smoker": polars.Boolean, "insured": polars.Boolean,
     "born": polars.Date},
    {"seen": polars.Datetime("ms"), "color": polars.Enum(["blue", "red"]), "size": polars.UInt64,
     "age": polars.Decimal(10, 2), "visits": polars.Float64, "weight": polars.Decimal(20, 6),
     "smoker": polars.Boolean, "insured": polars.Boolean, "born": polars.Date},
]


@pytest.mark.parametrize("types", POLARS)
def test_a_polars_frame_comes_back_with_its_order_and_types(types):
    frame = polars.DataFrame({"name": ["person"] * N, **VALUES}).with_columns(
        [polars.Series(name, VALUES[name]).cast(dtype) if name != "seen" else
         polars.Series(name, VALUES[name]).dt.cast_time_unit(dtype.time_unit).dt.replace_time_zone(dtype.time_zone)
         for name, dtype in types.items()])
    rows = sample(frame)
    assert isinstance(rows, polars.DataFrame) and rows.columns == list(VALUES)
    wanted = dict(types)
    if isinstance(types["color"], polars.Enum):
        wanted["color"] = polars.Enum(["red", "green", "blue"])
    assert dict(rows.schema) == wanted
    check_values(rows)
