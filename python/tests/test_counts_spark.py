"""Counts that Spark computes are those of the command line. One local session, which is slow to start, for all tests."""

import dataclasses
import itertools

import pyarrow
import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

import flaim
from clinic import SCHEMA, clinic
from counts_testing import Column, about_column, expect_same_counts, refusal, schema_of
from counts_testing_columns import COLUMNS, REFUSED, TRIMMED, TRIMMED_TOP
from flaim.counts import SparkCounts

TYPES = {
    "text": pyarrow.string(),
    "boolean": pyarrow.bool_(),
    "int16": pyarrow.int16(),
    "int64": pyarrow.int64(),
    "single": pyarrow.float32(),
    "double": pyarrow.float64(),
    "date": pyarrow.date32(),
    "timestamp": pyarrow.timestamp("us"),
}


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",  # quick to start, which is what tests do most
        "spark.sql.shuffle.partitions": "2",
        "spark.default.parallelism": "2",
        "spark.sql.session.timeZone": "Asia/Tokyo",
        "spark.sql.timestampType": "TIMESTAMP_NTZ",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
    }
    builder = SparkSession.builder.master("local[2]").appName("flaim")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(autouse=True)
def nothing_is_left_behind(spark):
    yield
    assert [table.name for table in spark.catalog.listTables() if table.name.startswith("flaim")] == []
    assert spark.sparkContext._jsc.getPersistentRDDs().size() == 0


def frame_of(spark, columns):
    def type_of(kind):
        if not kind.startswith("decimal"):
            return TYPES[kind]
        return pyarrow.decimal128(*map(int, kind[len("decimal(") : -1].split(",")))

    arrays = {column.name: pyarrow.array(column.values, type_of(column.kind)) for column in columns}
    return spark.createDataFrame(pyarrow.table(arrays))


@pytest.mark.parametrize("columns, top", [(COLUMNS, ""), (TRIMMED, TRIMMED_TOP)], ids=["plain", "trimmed"])
def test_values_count_as_in_a_csv_file(spark, tmp_path, columns, top):
    schema = schema_of(columns, top)
    with SparkCounts(frame_of(spark, columns), schema=schema) as counts:
        texts = {column.name: column.texts() for column in columns}
        expect_same_counts(counts, schema, texts, tmp_path, pairs=itertools.pairwise(texts))


@pytest.mark.parametrize("column", REFUSED, ids=lambda column: column.name)
def test_refused_values_are_refused_in_the_words_of_the_command_line(spark, tmp_path, column):
    schema = schema_of([column])
    with pytest.raises(flaim.InputError) as refused:
        SparkCounts(frame_of(spark, [column]), schema=schema)
    assert about_column(refused.value) == refusal(schema, column.name, column.texts()[0], tmp_path)


@pytest.fixture
def clinic_schema(tmp_path):
    path = tmp_path / "clinic.toml"
    path.write_text(SCHEMA)
    return flaim.Schema.load(str(path))


def test_the_same_seed_gives_the_same_model_as_the_rows(spark, clinic_schema, tmp_path):
    rows = clinic()
    expected = flaim.AIM(epsilon=1, random_state=7, workload="all:2").fit(rows, schema=clinic_schema)
    arrow = pyarrow.Table.from_pandas(rows, preserve_index=False)
    spark.createDataFrame(arrow).write.parquet(str(tmp_path / "rows"))
    spark.read.parquet(str(tmp_path / "rows")).createOrReplaceTempView("patients")
    for source in ({"table": "patients"}, {"query": "SELECT * FROM patients -- all of them"}):
        with SparkCounts(spark, schema=clinic_schema, **source) as counts:
            model = flaim.from_counts(counts, epsilon=1, schema=clinic_schema, random_state=7, workload="all:2")
        assert model._fitted.to_bytes() == expected._fitted.to_bytes()
    spark.catalog.dropTempView("patients")


def test_counts_are_of_the_moment_when_they_were_opened(spark, tmp_path):
    before = [
        Column("n", 'type = "integer"\nmin = 0\nmax = 3', "int64", [1, 2, 2]),
        Column("m", 'type = "boolean"', "boolean", [True, False, True]),
    ]
    after = [dataclasses.replace(column, values=column.values[:1]) for column in before]
    schema, path = schema_of(before), str(tmp_path / "rows")
    frame_of(spark, before).write.parquet(path)
    with SparkCounts(spark, query=f"SELECT * FROM parquet.`{path}`", schema=schema) as counts:
        frame_of(spark, after).write.mode("overwrite").parquet(path)
        assert counts.count([("n", "m")])[0].tolist() == [[0, 0], [0, 1], [1, 1], [0, 0]]
    with SparkCounts(spark, query=f"SELECT * FROM parquet.`{path}`", schema=schema) as counts:
        assert counts.count([("n", "m")])[0].tolist() == [[0, 0], [0, 1], [0, 0], [0, 0]]


def test_an_empty_table_has_counts_of_zero(spark):
    column = Column("n", 'type = "integer"\nmin = 0\nmax = 3', "int64", [])
    text = Column("t", 'type = "date"\nmin = 2024-01-01\nmax = 2024-01-02', "text", [])
    with SparkCounts(frame_of(spark, [column, text]), schema=schema_of([column, text])) as counts:
        assert counts.count([("n",), ("n", "t"), ()])[1].tolist() == [[0, 0]] * 4


def test_a_moment_has_a_day_only_where_the_zone_is_utc(spark):
    column = Column("t", 'type = "date"\nmin = 2024-01-01\nmax = 2024-01-09\nclamp = true', "timestamp", [])
    texts = Column("t", 'type = "categorical"\nvalues = ["2024-01-01T09:00:00"]\nother = "?"', "timestamp", [])
    frame = spark.sql("SELECT timestamp_seconds(1704067200) AS t")
    with pytest.raises(flaim.InputError, match="without a zone"):
        SparkCounts(frame, schema=schema_of([column]))
    with SparkCounts(frame, schema=schema_of([texts])) as counts:
        assert counts.count([("t",)])[0].tolist() == [1, 0]
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    try:
        with SparkCounts(frame, schema=schema_of([column])) as counts:
            assert counts.count([("t",)])[0][0] == 1
    finally:
        spark.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")


def test_texts_are_compared_byte_by_byte_whatever_the_collation(spark):
    frame = spark.sql("SELECT t COLLATE UTF8_LCASE AS t FROM VALUES ('a'), ('A'), ('A') AS v(t)")
    schema = schema_of([Column("t", 'type = "categorical"\nvalues = ["a", "A"]', "text", [])])
    with SparkCounts(frame, schema=schema) as counts:
        assert counts.count([("t",)])[0].tolist() == [1, 2]


def test_an_engine_that_fails_raises_its_own_error_and_nothing_is_spent(spark, tmp_path):
    columns = [Column(name, 'type = "boolean"', "boolean", [True, False]) for name in ("a", "b")]
    ledger = tmp_path / "people.ledger"
    with SparkCounts(frame_of(spark, columns), schema=schema_of(columns)) as counts:
        for table in spark.catalog.listTables():
            spark.catalog.dropTempView(table.name)
        with pytest.raises(AnalysisException):
            flaim.from_counts(counts, epsilon=1, ledger=ledger)
    assert flaim.Ledger(ledger).spent == 0


def test_what_cannot_be_counted_is_refused(spark):
    column = Column("n", 'type = "integer"\nmin = 0\nmax = 3', "int64", [1])
    schema, frame = schema_of([column]), frame_of(spark, [column])
    with pytest.raises(ValueError, match="give no other"):
        SparkCounts(frame, "people", schema=schema)
    with pytest.raises(ValueError, match="either a table or a query"):
        SparkCounts(spark, schema=schema)
    with pytest.raises(AnalysisException):
        SparkCounts(spark, ("nowhere", "nobody"), schema=schema)
    with pytest.raises(flaim.InputError, match="lacks: 'n'; upper and lower case count"):
        SparkCounts(spark, query="SELECT 1 AS N", schema=schema)
    counts = SparkCounts(frame, schema=schema)
    counts.close()
    counts.close()
