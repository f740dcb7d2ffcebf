"""Counts that DuckDB computes are those of the command line, for every type and every value."""

import datetime
import math
import re
from decimal import Decimal

import duckdb
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import flaim
from clinic import SCHEMA, clinic
from counts_testing import (
    Column,
    about_column,
    expect_same_counts,
    refusal,
    same_length,
    schema_of,
    toml_text,
)
from counts_testing_columns import COLUMNS, REFUSED, TRIMMED, TRIMMED_TOP
from flaim.counts import DuckDBCounts

TYPES = {
    "text": "VARCHAR",
    "boolean": "BOOLEAN",
    "int16": "SMALLINT",
    "int64": "BIGINT",
    "single": "FLOAT",
    "double": "DOUBLE",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
}


@pytest.fixture
def connection():
    with duckdb.connect() as opened:
        yield opened


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def make_table(connection, columns, name="people"):
    selected = ", ".join(
        f"unnest($c{i}::{TYPES.get(column.kind, column.kind)}[]) AS {quoted(column.name)}"
        for i, column in enumerate(columns)
    )
    values = {f"c{i}": column.values for i, column in enumerate(columns)}
    connection.execute(f"CREATE OR REPLACE TABLE {quoted(name)} AS SELECT {selected}", values)


def temporary_tables(connection):
    return connection.execute("SELECT table_name FROM duckdb_tables() WHERE temporary").fetchall()


@pytest.mark.parametrize("columns, top", [(COLUMNS, ""), (TRIMMED, TRIMMED_TOP)], ids=["plain", "trimmed"])
def test_values_count_as_in_a_csv_file(connection, tmp_path, columns, top):
    make_table(connection, columns)
    schema = schema_of(columns, top)
    with DuckDBCounts(connection, "people", schema=schema) as counts:
        expect_same_counts(counts, schema, {column.name: column.texts() for column in columns}, tmp_path)


@pytest.mark.parametrize("column", REFUSED, ids=lambda column: column.name)
def test_refused_values_are_refused_in_the_words_of_the_command_line(connection, tmp_path, column):
    make_table(connection, [column])
    schema = schema_of([column])
    with pytest.raises(flaim.InputError) as refused:
        DuckDBCounts(connection, "people", schema=schema)
    assert about_column(refused.value) == refusal(schema, column.name, column.texts()[0], tmp_path)
    assert str(refused.value).startswith("people: ")
    assert temporary_tables(connection) == []


_SOME_REALS = [0.0, 0.1, 0.25, 1 / 3, 1e-7, 7.0, 1e6, 16777217.0, 1e17, 3.4e38, 1e300]


@st.composite
def numbers_near(draw, kind, bounds):
    """A number of an engine's type, mostly near a bound or an edge."""
    near = draw(st.sampled_from(bounds)) * draw(st.sampled_from([1, 1, 1, -1]))
    if kind == "int64":
        return min(max(int(near) + draw(st.integers(-2, 2)), -(2**63)), 2**63 - 1)
    if kind.startswith("decimal"):
        scale = int(kind.rstrip(")").split(",")[1])
        units = int(Decimal(min(max(near, -9e14), 9e14)).scaleb(scale)) + draw(st.integers(-2, 2))
        return Decimal(units).scaleb(-scale)
    if kind == "single":
        with np.errstate(over="ignore"):
            single = np.float32(near)
            for _ in range(draw(st.integers(0, 2))):
                single = np.nextafter(single, np.float32(draw(st.sampled_from([-np.inf, np.inf]))))
        return float(single)
    if draw(st.booleans()):
        return math.nextafter(near, draw(st.sampled_from([-math.inf, math.inf])))
    return near


@st.composite
def number_columns(draw):
    kind = draw(st.sampled_from(["int64", "double", "single", "decimal(18,0)", "decimal(18,3)", "decimal(38,20)"]))
    clamp = "true" if draw(st.booleans()) else "false"
    if draw(st.booleans()):
        low = draw(st.sampled_from([0, -7, 2**53 - 1, -(2**40)]))
        high = low + draw(st.sampled_from([1, 9, 100, 2**41]))
        bins = draw(st.integers(1, min(12, high - low + 1)))
        schema = f'type = "integer"\nmin = {low}\nmax = {high}\nbins = {bins}'
        bounds = [float(low), float(high), *((low + (high - low) * i / bins) for i in range(bins))]
    else:
        edges = sorted(set(draw(st.lists(st.sampled_from(_SOME_REALS), min_size=2, max_size=6, unique=True))))
        edges = [-edges[-1], *edges] if draw(st.booleans()) else edges
        edges = sorted(set(edges))
        schema, bounds = f'type = "real"\nedges = {edges}', edges
    outside = int(max(map(abs, bounds)) * 2) + 1
    if draw(st.booleans()):
        markers = draw(st.lists(st.sampled_from([str(outside), f"-{outside}", "inf", "1e400"]), unique=True))
        schema += f"\nnullable = true\nmissing = {['', *markers]}"
    number = {"int64": int, "double": float, "single": lambda value: float(np.float32(value))}.get(kind, Decimal)
    extra = [number(0)] + [number(sign * outside) for sign in (1, -1) if outside < 10**14 and kind != "decimal(38,20)"]
    if kind in ("double", "single"):
        extra += [math.nan, math.inf, -math.inf, -0.0]
    values = st.one_of(numbers_near(kind, bounds), st.sampled_from([None, *extra]))
    return Column("n", f"{schema}\nclamp = {clamp}", kind, draw(st.lists(values, min_size=1, max_size=20)))


@st.composite
def time_columns(draw):
    kind = draw(st.sampled_from(["date", "timestamp"]))
    low = draw(st.datetimes(datetime.datetime(1, 1, 2), datetime.datetime(9000, 1, 1))).replace(microsecond=0)
    high = low + datetime.timedelta(seconds=draw(st.integers(0, 10**7)))
    is_date = draw(st.booleans())
    if is_date:
        low, high = (time.replace(hour=0, minute=0, second=0) for time in (low, high))
    bins = draw(st.integers(1, (high - low).days + 1 if is_date else min(9, int((high - low).total_seconds()) + 1)))
    schema = f'type = "{"date" if is_date else "datetime"}"\nbins = {bins}\nclamp = {str(draw(st.booleans())).lower()}'
    schema += "".join(
        f"\n{key} = {time.date().isoformat() if is_date else time.isoformat()}"
        for key, time in (("min", low), ("max", high))
    )
    schema += "\nnullable = true" if draw(st.booleans()) else ""
    step = datetime.timedelta(microseconds=1)
    near = [low - step, low, low + step, high, high + step, high + datetime.timedelta(days=1), (low + (high - low) / 2)]
    if kind == "date":
        return Column(
            "t", schema, kind, draw(st.lists(st.sampled_from([None, *(time.date() for time in near)]), min_size=1))
        )
    near += [time.replace(hour=0, minute=0, second=0, microsecond=0) for time in near]
    return Column("t", schema, kind, draw(st.lists(st.sampled_from([None, *near]), min_size=1, max_size=12)))


@st.composite
def text_columns(draw):
    letters = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=4)
    trimmed = letters.map(lambda text: text.strip(" \t"))
    values = draw(st.lists(trimmed, min_size=1, max_size=5, unique=True))
    markers = draw(st.lists(trimmed.filter(lambda text: text not in values), min_size=1, max_size=2, unique=True))
    listed, missing = (", ".join(map(toml_text, texts)) for texts in (values, markers))
    schema = f'type = "categorical"\nvalues = [{listed}]\nmissing = [{missing}]'
    schema += "\nnullable = true" if draw(st.booleans()) else ""
    schema += '\nother = "everything else"' if draw(st.booleans()) else ""
    cells = st.one_of(st.sampled_from([None, *values, *markers, *(f" {value}\t" for value in values)]), letters)
    return Column("c", schema, "text", draw(st.lists(cells, min_size=1, max_size=20)))


def without_fraction(message):
    """A typed time is shown as the schema writes it, in whole seconds."""
    return re.sub(r"(:\d\d)\.\d+'", r"\1'", message)


@settings(max_examples=250, deadline=None, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(column=st.one_of(number_columns(), time_columns(), text_columns()), trims=st.booleans())
def test_random_columns_count_as_in_a_csv_file_or_are_refused_as_there(connection, tmp_path, column, trims):
    schema = schema_of([column], f"trim_blanks = {str(trims).lower()}")
    make_table(connection, [column])
    try:
        counts = DuckDBCounts(connection, "people", schema=schema)
    except flaim.InputError as error:
        reasons = set()
        for text in set(column.texts()):
            try:
                reasons.add(refusal(schema, column.name, text, tmp_path))
            except AssertionError:
                continue
        assert without_fraction(about_column(error)) in map(without_fraction, reasons)
    else:
        with counts:
            expect_same_counts(counts, schema, {column.name: column.texts()}, tmp_path)
    assert temporary_tables(connection) == []


def test_other_types_of_duckdb_count_as_in_a_csv_file(connection, tmp_path):
    days = 'type = "datetime"\nmin = 1900-01-01T00:00:00\nmax = 9999-12-31T23:59:59\nbins = 7\nnullable = true'
    moments = [datetime.datetime(1969, 12, 31, 23, 59, 59, 999999), datetime.datetime(2024, 2, 29), None]
    whole = 'type = "integer"\nmin = -1\nmax = 100\nclamp = true'
    columns = same_length([
        Column("enum", 'type = "categorical"\nvalues = ["a", "B"]\nother = "b"', "ENUM('a', 'b', 'B')", ["a", "b", "B"]),
        Column("unsigned", whole, "UBIGINT", [0, 100, 2**64 - 1]),
        Column("huge", whole, "HUGEINT", [-(2**127) + 1, 100, 2**127 - 1]),
        Column("nanoseconds", days, "TIMESTAMP_NS", moments),
        Column("seconds", days, "TIMESTAMP_S", [datetime.datetime(1900, 1, 1), datetime.datetime(9999, 12, 31, 23, 59, 59)]),
        Column("hour", 'type = "categorical"\nvalues = ["10:00:00"]\nother = "?"', "TIME", [datetime.time(10), datetime.time(11)]),
    ])  # fmt: skip
    make_table(connection, columns)
    schema = schema_of(columns)
    with DuckDBCounts(connection, "people", schema=schema) as counts:
        expect_same_counts(counts, schema, {column.name: column.texts() for column in columns}, tmp_path)


@pytest.mark.parametrize("top", ["", TRIMMED_TOP])
def test_texts_are_compared_byte_by_byte_whatever_the_collation(connection, tmp_path, top):
    columns = [
        Column(name, f'type = "{kind}"\n{listed}', "text", ["A", "a", "A", "A"])
        for name, kind, listed in (
            ("listed", "categorical", 'values = ["a", "A"]'),
            ("else", "categorical", 'values = ["a"]\nother = "?"'),
            ("truth", "boolean", 'true_values = ["a"]\nfalse_values = ["A"]'),
        )
    ]
    schema = schema_of(columns, top)
    make_table(connection, columns)
    for column in columns:
        connection.execute(f"ALTER TABLE people ALTER {quoted(column.name)} TYPE VARCHAR COLLATE NOCASE")
    for setting in ("", "NOCASE.NOACCENT"):
        connection.execute(f"SET default_collation = '{setting}'")
        with DuckDBCounts(connection, "people", schema=schema) as counts:
            expect_same_counts(counts, schema, {column.name: column.texts() for column in columns}, tmp_path)


def test_a_time_with_a_zone_is_refused(connection):
    connection.execute("CREATE TABLE people AS SELECT TIMESTAMPTZ '2024-01-01 00:00:00' AS t")
    schema = schema_of([Column("t", 'type = "date"\nmin = 2024-01-01\nmax = 2024-01-09', "", [])])
    with pytest.raises(flaim.InputError, match="without a zone"):
        DuckDBCounts(connection, "people", schema=schema)


@pytest.fixture
def clinic_schema(tmp_path):
    path = tmp_path / "clinic.toml"
    path.write_text(SCHEMA)
    return flaim.Schema.load(str(path))


@pytest.fixture
def clinic_table(connection):
    frame = clinic()
    connection.execute('CREATE SCHEMA ward; CREATE TABLE ward."Pa.tients" AS SELECT * FROM frame')
    return ("ward", "Pa.tients"), frame


@pytest.mark.parametrize(
    "parameters", [{}, {"workload": "all:2"}, {"workload": [("sex", "age", "ward")], "memory": "60M"}]
)
def test_the_same_seed_gives_the_same_model_as_the_rows(connection, clinic_schema, clinic_table, parameters):
    table, frame = clinic_table
    expected = flaim.AIM(epsilon=1, random_state=7, **parameters).fit(frame, schema=clinic_schema)
    for source in ({"table": table}, {"query": 'SELECT * FROM ward."Pa.tients" -- all of them'}):
        with DuckDBCounts(connection, schema=clinic_schema, **source) as counts:
            model = flaim.from_counts(counts, epsilon=1, schema=clinic_schema, random_state=7, **parameters)
        assert model._fitted.to_bytes() == expected._fitted.to_bytes()


def test_counts_are_of_the_moment_when_they_were_opened(connection, clinic_schema, clinic_table):
    table, frame = clinic_table
    with DuckDBCounts(connection, table, schema=clinic_schema) as counts:
        connection.execute('DELETE FROM ward."Pa.tients"')
        (total,) = counts.count([()])
        (pairs,) = counts.count([("sex", "insured")])
    assert total == pairs.sum() == len(frame)
    with DuckDBCounts(connection, table, schema=clinic_schema) as counts:
        assert counts.count([("sex", "insured")])[0].tolist() == [[0, 0], [0, 0]]


def test_an_engine_that_fails_raises_its_own_error_and_nothing_is_spent(
    connection, clinic_schema, clinic_table, tmp_path
):
    table, _ = clinic_table
    counts = DuckDBCounts(connection, table, schema=clinic_schema)
    for (name,) in temporary_tables(connection):
        connection.execute(f"DROP TABLE {name}")
    with pytest.raises(duckdb.CatalogException):
        flaim.from_counts(counts, epsilon=1, ledger=tmp_path / "clinic.ledger")
    assert flaim.Ledger(tmp_path / "clinic.ledger").spent == 0


def test_what_cannot_be_counted_is_refused(connection, clinic_schema, clinic_table):
    table, _ = clinic_table
    with pytest.raises(ValueError, match="either a table or a query"):
        DuckDBCounts(connection, table, schema=clinic_schema, query="SELECT 1")
    with pytest.raises(flaim.InputError, match="lacks: 'sex', 'age'"):
        DuckDBCounts(connection, schema=clinic_schema, query="SELECT 1 AS SEX")
    with pytest.raises(duckdb.CatalogException):
        DuckDBCounts(connection, "nobody", schema=clinic_schema)
    connection.execute("CREATE TABLE texts AS SELECT CAST(range AS VARCHAR) AS n FROM range(70000)")
    schema = schema_of([Column("n", 'type = "integer"\nmin = 0\nmax = 99999\nbins = 9', "text", [])])
    with pytest.raises(flaim.InputError, match="more than 65536 different values"):
        DuckDBCounts(connection, "texts", schema=schema)
    counts = DuckDBCounts(connection, table, schema=clinic_schema)
    with pytest.raises(flaim.InputError, match="no column 'nobody'"):
        counts.count([("sex", "nobody")])
    counts.close()
    counts.close()
    with pytest.raises(flaim.InputError, match="closed"):
        counts.count([("sex", "age")])
    assert temporary_tables(connection) == []
