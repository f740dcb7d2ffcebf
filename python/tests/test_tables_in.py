"""A table of any library is read as the CSV file with the same values: the same codes, or refused in the same words."""

import csv
import re

import numpy as np
import pandas as pd
import polars
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import flaim
from twins import COLUMNS, KINDS, marker_of, schema_text


def outcome(data, schema):
    """The codes of column x, or why it was refused."""
    try:
        return flaim.read_table(data, schema).codes("x").tolist()
    except flaim.InputError as refusal:
        found = re.search(r"column 'x': .*", str(refusal), re.DOTALL)
        assert found, str(refusal)
        return found[0]


def table_of(column):
    """A table of the library that the column is of, with a column beside it."""
    ids = list(range(len(column)))
    if isinstance(column, pd.Series):
        return pd.DataFrame({"id": ids, "x": column}).set_axis([7] * len(ids))
    if isinstance(column, polars.Series):
        return polars.DataFrame({"id": ids, "x": column})
    if isinstance(column, pa.Array):
        return pa.table({"id": pa.array(ids, pa.int32()), "x": column})
    return {"id": np.array(ids, dtype=np.int16), "x": column}


def write_csv(path, texts):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["x", "id"])
        writer.writerows(zip(texts, range(len(texts))))


@pytest.fixture(scope="module")
def csv_path(tmp_path_factory):
    return tmp_path_factory.mktemp("csv") / "rows.csv"


@settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
@given(data=st.data(), column=st.sampled_from(list(COLUMNS)), trim=st.booleans())
@pytest.mark.parametrize("kind", KINDS)
def test_every_form_of_the_same_values_has_the_codes_of_the_csv_file(csv_path, kind, data, column, trim):
    twin = KINDS[kind]
    values = data.draw(st.lists(twin.value | st.none(), max_size=6))
    schema = flaim.Schema.parse(schema_text(column, trim))
    write_csv(csv_path, [marker_of(column) if value is None else twin.text(value, column) for value in values])
    expected = outcome(csv_path, schema)
    for form, build in twin.forms.items():
        if None in values and form in twin.without_gaps:
            continue
        assert outcome(table_of(build(values)), schema) == expected, form


COLORS = flaim.Schema.parse(
    'drop = ["name"]\n[[column]]\nname = "x"\ntype = "categorical"\nvalues = ["red", "blue"]\nnullable = true\n'
    '[[column]]\nname = "id"\ntype = "integer"\nmin = 0\nmax = 9\n'
)
ROWS = {"id": [3, 1, 2, 9], "x": ["blue", None, "red", "blue"]}
CODES = {"x": [1, 2, 0, 1], "id": [3, 1, 2, 9]}


class OnlyStream:
    """What a library unknown to this one looks like."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


class OnlyArray:
    def __init__(self, batch):
        self._batch = batch

    def __arrow_c_array__(self, requested_schema=None):
        return self._batch.__arrow_c_array__(requested_schema)


def _chunked():
    table = pa.table(ROWS)
    chunks = pa.chunked_array([table["x"].combine_chunks().slice(0, 1), table["x"].combine_chunks().slice(1)])
    return table.set_column(1, "x", chunks)


CONTAINERS = {
    "table": lambda: pa.table(ROWS),
    "sliced table": lambda: pa.concat_tables([pa.table(ROWS)] * 3).slice(4, 4),
    "table of chunks": _chunked,
    "batch": lambda: pa.record_batch(ROWS),
    "reader": lambda: pa.table(ROWS).to_reader(max_chunksize=1),
    "stream of an unknown library": lambda: OnlyStream(pa.table(ROWS)),
    "array of an unknown library": lambda: OnlyArray(pa.record_batch(ROWS)),
    "pandas": lambda: pd.DataFrame(ROWS),
    "pandas with a column to drop": lambda: pd.DataFrame({"name": [object()] * 4, **ROWS}),
    "polars": lambda: polars.DataFrame(ROWS),
    "polars in another order": lambda: polars.DataFrame(ROWS).select("x", "id"),
    "lists": lambda: ROWS,
    "dict of arrow arrays": lambda: {name: pa.array(values) for name, values in ROWS.items()},
    "dict of polars series": lambda: {name: polars.Series(values) for name, values in ROWS.items()},
    "dict of pandas indices": lambda: {name: pd.Index(values) for name, values in ROWS.items()},
    "dict of pandas arrays": lambda: {"id": pd.array(ROWS["id"]), "x": pd.Categorical(ROWS["x"])},
}


@pytest.mark.parametrize("container", CONTAINERS)
def test_every_container_is_read_alike(container):
    table = flaim.read_table(CONTAINERS[container](), COLORS)
    assert {name: table.codes(name).tolist() for name in table.columns} == CODES
    assert table.rows == 4


def test_a_parquet_file_is_read_and_columns_to_drop_are_not(tmp_path):
    data = pa.table({"name": [[1], [2], [3], [4]], **ROWS})
    pa.parquet.write_table(data, tmp_path / "rows.parquet", row_group_size=3)
    table = flaim.read_table(str(tmp_path / "rows.parquet"), COLORS)
    assert {name: table.codes(name).tolist() for name in table.columns} == CODES


def test_codes_are_a_read_only_view_that_outlives_the_table():
    table = flaim.read_table(ROWS, COLORS)
    codes = table.codes("x")
    assert not codes.flags.writeable and codes.dtype == np.uint8
    assert np.shares_memory(codes, table.codes("x"))
    with pytest.raises(ValueError):
        codes[0] = 0
    del table
    assert codes.tolist() == CODES["x"]
    with pytest.raises(KeyError, match="nobody"):
        flaim.read_table(ROWS, COLORS).codes("nobody")


def test_blanks_around_names_do_not_count_where_the_schema_trims_them():
    schema = flaim.Schema.parse("trim_blanks = true\n" + COLORS.to_toml())
    for data in (pd.DataFrame(ROWS), ROWS):
        spaced = pd.DataFrame(data).rename(columns={"x": " x\t"})
        assert flaim.read_table(spaced, schema).codes("x").tolist() == CODES["x"]
        assert flaim.read_table(dict(spaced), schema).codes("x").tolist() == CODES["x"]


@pytest.mark.parametrize("library", [dict, pd.DataFrame, polars.DataFrame, pa.table])
def test_the_first_refused_row_is_named_and_of_it_the_first_column(library):
    data = library({"x": ["red", "red", "green", "pink"], "id": [1, 2, 77, 88]})
    with pytest.raises(flaim.InputError, match="row 3: column 'x': 'green' is not one of the listed values"):
        flaim.read_table(data, COLORS)


def test_every_half_precision_number_has_the_shortest_text_as_numpy_has_it():
    every = np.arange(2**16, dtype=np.uint16).view(np.float16)
    numbers = every[~np.isnan(every)]
    texts = [KINDS["float16"].text(number, "plain categories") for number in numbers]
    values = sorted(set(texts))
    listed = ", ".join(f'"{text}"' for text in values)
    schema = flaim.Schema.parse(f'[[column]]\nname = "x"\ntype = "categorical"\nvalues = [{listed}]\nnullable = true\n')
    assert [values[code] for code in flaim.read_table({"x": numbers}, schema).codes("x")] == texts
    assert set(flaim.read_table({"x": every[np.isnan(every)]}, schema).codes("x")) == {len(values)}


@pytest.mark.parametrize("unit", ["Y", "M", "W", "D", "h", "m", "10s", "s", "ms", "us", "ns", "ps", "fs"])
def test_every_unit_of_time_is_read(unit):
    texts = ["1970-01-01", "1971-12-30", "1969-12-25", "NaT"]  # fs do not reach further
    texts = ["1970-01-01T01:00:00", "1969-12-31T22:30:00"] if unit == "fs" else texts
    times = np.array(texts, dtype=f"datetime64[{unit}]")
    exact = times.astype("datetime64[s]")
    schema = flaim.Schema.parse(schema_text("dates" if unit in "YMWD" else "times"))
    expected = pa.table({"x": exact.astype("datetime64[D]") if unit in "YMWD" else exact, "id": range(len(texts))})
    assert outcome({"x": times, "id": range(len(texts))}, schema) == outcome(expected, schema)


def test_dates_beyond_all_calendars_are_out_of_bounds():
    schema = flaim.Schema.parse(schema_text("dates"))
    for year in (10**7, -(10**7)):
        times = np.array([f"{year:+09}-01-01"], dtype="datetime64[D]")
        assert "seconds since 1970" in outcome({"x": times, "id": [0]}, schema)


def test_sparse_columns_and_long_numbers_are_read():
    schema = flaim.Schema.parse(schema_text("reals"))
    values = [0.0, 0.25, np.nan, 0.1]
    expected = outcome({"x": values, "id": range(4)}, schema)
    for column in (pd.Series(pd.arrays.SparseArray(values)), np.array(values, dtype=np.longdouble)):
        assert outcome({"x": column, "id": range(4)}, schema) == expected
    assert outcome(pd.DataFrame({"x": pd.arrays.SparseArray(values), "id": range(4)}), schema) == expected


def test_codes_go_in_as_they_are():
    table = flaim.table_from_codes({"a": 3, "b": 300}, {"b": np.array([299, 0]), "a": [2, 1]})
    assert table.domain == {"a": 3, "b": 300} and table.codes("b").tolist() == [299, 0]
    for wrong in ([3], [-1], [0, 1], [0.5], [[0]]):
        with pytest.raises(flaim.InputError, match="column 'a'|column 'b'"):
            flaim.table_from_codes({"a": 3, "b": 300}, {"a": wrong, "b": [0]})
    with pytest.raises(flaim.InputError, match="codes were given for"):
        flaim.table_from_codes({"a": 3, "b": 300}, {"a": [0]})
