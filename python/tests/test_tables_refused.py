"""What is no table, or holds what no CSV file could: refused in words that help."""

import datetime
import fractions

import numpy as np
import pandas as pd
import polars
import pyarrow as pa
import pytest

import flaim

SCHEMA = flaim.Schema.parse(
    '[[column]]\nname = "x"\ntype = "categorical"\nvalues = ["1"]\nother = "rest"\n'
    '[[column]]\nname = "id"\ntype = "integer"\nmin = 0\nmax = 9\n'
)


def beside(values):
    return {"x": values, "id": [0] * len(values)}


def refusal(data, kind=flaim.InputError):
    with pytest.raises(kind) as raised:
        flaim.read_table(data, SCHEMA)
    return str(raised.value)


@pytest.mark.parametrize("library", [dict, pd.DataFrame, polars.DataFrame, pa.table])
def test_columns_must_be_those_of_the_schema(library):
    missing = refusal(library({"id": [1]}))
    assert "lacks: 'x'" in missing and "unexpected" not in missing
    extra = refusal(library({"x": ["1"], "id": [1], "colour": [1], "size": [2]}))
    assert "does not mention: 'colour', 'size'" in extra and "'drop'" in extra


def test_a_name_that_occurs_twice_is_refused():
    frame = pd.DataFrame([["1", "1", 0]], columns=["x", "x", "id"])
    assert "both named 'x'" in refusal(frame)
    assert "both named 'x'" in refusal(pa.Table.from_arrays([pa.array(["1"])] * 2 + [pa.array([0])], ["x", "x", "id"]))
    assert "both named '1'" in refusal({1: [0], "1": [0]})


def test_columns_must_be_of_one_length():
    assert refusal({"x": ["1", "1"], "id": [0]}) == "column 'id' has 1 values, and column 'x' has 2"


@pytest.mark.parametrize("values, what", [
    ([[1], [2]], "list"),
    ([{"a": 1}], "dict"),
    ([b"1"], "bytes"),
    ([1j], "complex"),
    ([object()], "object"),
    ([fractions.Fraction(1, 2)], "Fraction"),
    ([datetime.time(12)], "time"),
    ([datetime.timedelta(1)], "timedelta"),
    (np.array([1j]), "complex128"),
    (np.array([b"1"]), "|S1"),
    (np.array([1], dtype="timedelta64[s]"), "timedelta64"),
    (np.array([(1, 2)], dtype="i4,i4"), "i4"),
    (pd.Series([pd.Interval(0, 1)]), "Interval"),
    (pd.Series([pd.Period("2024")]), "Period"),
    (pd.Series([[1]], dtype=pd.ArrowDtype(pa.list_(pa.int64()))), "list"),
])
def test_values_without_an_obvious_text_are_refused(values, what):
    text = refusal(beside(values))
    assert text.startswith("column 'x' holds values of type") and what in text and "drop it" in text
    if not isinstance(values, np.ndarray):
        assert what in refusal(pd.DataFrame(beside(pd.Series(values))))


@pytest.mark.parametrize("array", [
    pa.array([[1]]), pa.array([{"a": 1}]), pa.array([b"1"]),
    pa.array([1], pa.duration("s")), pa.array([1], pa.time32("s")),
    pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int64())),
    pa.array([1], pa.decimal256(50, 2)),
])
def test_types_of_arrow_without_an_obvious_text_are_refused(array):
    text = refusal(pa.table(beside(array)))
    assert text.startswith("column 'x' is of the Arrow type") and "cast it" in text


@pytest.mark.parametrize("data", [
    {"x": np.array([["1"]]), "id": [0]}, {"x": np.array("1"), "id": [0]}, {"x": np.array([["1", "2"]]), "id": [0]},
])
def test_arrays_have_one_dimension(data):
    assert "dimensions" in refusal(data)


@pytest.mark.parametrize("values", ["1", {"1"}, {"1": 1}, iter(["1"]), 1, None, b"1"])
def test_columns_are_arrays_or_lists(values):
    assert "column 'x' is of type" in refusal({"x": values, "id": [0]}, TypeError)


@pytest.mark.parametrize("data", [
    None, 3, [1, 2], np.zeros((2, 2)), [{"x": 1}], iter([]), polars.LazyFrame({"x": ["1"]})])
def test_what_is_no_table_is_refused_by_type(data):
    text = refusal(data, TypeError)
    assert text.startswith(f"a table is expected, not {type(data).__name__}")


def test_a_single_column_is_no_table():
    for column in (pa.array(["1"]), pa.chunked_array([["1"]]), polars.Series(["1"])):
        assert "single column, not a table" in refusal(column)


@pytest.mark.parametrize("values", [
    pd.Series(["2024-01-01"], dtype="datetime64[ns]").dt.tz_localize("Europe/Berlin"),
    [datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))],
    pd.Series([1], dtype=pd.ArrowDtype(pa.timestamp("s", "Europe/Berlin"))),
])
def test_times_of_a_zone_are_refused_because_nobody_knows_which_day_is_meant(values):
    assert "time zone" in refusal(beside(values)) and "UTC" in refusal(beside(values))
    frame = pd.DataFrame(beside(pd.Series(values)))
    assert "time zone" in refusal(frame)


def test_a_text_that_is_not_unicode_is_refused():
    assert "column 'x' holds a text that is not valid Unicode" in refusal(beside(["\ud800"]))


@pytest.mark.parametrize("schema", [None, 3, {"x": 2}, b"path"])
def test_a_schema_is_a_path_or_a_schema(schema):
    with pytest.raises(TypeError, match="a schema is expected"):
        flaim.read_table(beside(["1"]), schema)


def test_a_missing_file_is_an_os_error(tmp_path):
    for name in ("nowhere.csv", "nowhere.parquet"):
        with pytest.raises(OSError, match="nowhere"):
            flaim.read_table(tmp_path / name, SCHEMA)
    with pytest.raises(OSError, match="nowhere"):
        flaim.read_table(beside(["1"]), tmp_path / "nowhere.toml")


@pytest.mark.parametrize("library", [dict, pd.DataFrame, polars.DataFrame, pa.table])
def test_rows_that_do_not_fit_are_dropped_where_that_was_asked_for(library):
    data = library({"x": ["1", "2", "1"], "id": [3, 4, 10]})
    assert "row 3: column 'id'" in refusal(data)
    assert list(flaim.read_table(data, SCHEMA, unfit="drop").codes("id")) == [3, 4]
    with pytest.raises(flaim.InputError, match="column 'id' has no code"):
        flaim.read_table(data, SCHEMA, unfit="other")
    with pytest.raises(flaim.InputError, match="refuse, other or drop"):
        flaim.read_table(data, SCHEMA, unfit="skip")


def test_values_that_do_not_fit_count_as_missing_where_that_was_asked_for(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("x,id\n1,3\n2,10\n")
    schema = flaim.Schema.parse(
        '[[column]]\nname = "x"\ntype = "categorical"\nvalues = ["1"]\nother = "rest"\n'
        '[[column]]\nname = "id"\ntype = "integer"\nmin = 0\nmax = 9\nnullable = true\n'
    )
    assert list(flaim.read_table(str(path), schema, unfit="other").codes("id")) == [3, 10]
    model = flaim.AIM(epsilon=1, unfit="other", random_state=1, ledger=tmp_path / "l").fit(str(path), schema=schema)
    assert model.schema == schema
