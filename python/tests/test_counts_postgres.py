"""Counts that PostgreSQL computes are those of the command line, which reads what COPY writes."""

import dataclasses
import datetime
import subprocess

import psycopg
import pytest
from psycopg.pq import TransactionStatus

import flaim
from clinic import SCHEMA, clinic
from counts_testing import Column, about_column, expect_same_counts, refusal, same_length, schema_of
from counts_testing_columns import COLUMNS, REFUSED, TRIMMED, TRIMMED_TOP
from counts_testing_postgres import running_server
from flaim.counts import PostgresCounts

TYPES = {"int16": "smallint", "int64": "bigint", "single": "real", "double": "double precision"}

# All that a server, a database or a role may have been told about the looks of values.
ODD_SETTINGS = """
    ALTER DATABASE postgres SET DateStyle = 'German, DMY';
    ALTER DATABASE postgres SET IntervalStyle = 'iso_8601';
    ALTER DATABASE postgres SET extra_float_digits = -10;
    ALTER DATABASE postgres SET TimeZone = 'Asia/Tokyo';
    ALTER DATABASE postgres SET standard_conforming_strings = off;
"""


@pytest.fixture(scope="module")
def server():
    with running_server() as address:
        yield address


@pytest.fixture
def connection(server):
    """For the tests' own statements."""
    with psycopg.connect(server, autocommit=True) as opened:
        opened.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        yield opened


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def make_table(connection, columns, name="people"):
    described = ", ".join(f"{quoted(column.name)} {TYPES.get(column.kind, column.kind)}" for column in columns)
    connection.execute(f"CREATE TABLE {quoted(name)} ({described})")
    with connection.cursor() as cursor, cursor.copy(f"COPY {quoted(name)} FROM STDIN") as copy:
        for row in zip(*(column.values for column in columns), strict=True):
            copy.write_row(row)


def copied_texts(connection, columns, name="people"):
    """What COPY writes for each column in a CSV file, where NULL is empty; a truth value in a column of truth values is
    one, whatever its spelling."""
    selected = ", ".join(quoted(column.name) for column in columns)
    with connection.cursor() as cursor, cursor.copy(f"COPY (SELECT {selected} FROM {quoted(name)}) TO STDOUT") as copy:
        rows = list(copy.rows())
    texts = {}
    for i, column in enumerate(columns):
        is_spelled = column.kind == "boolean" and 'type = "boolean"' in column.schema
        texts[column.name] = [text or "" for text in (column.texts() if is_spelled else [row[i] for row in rows])]
    return texts


def is_taken(schema, name, text):
    try:
        flaim._flaim.encode_texts(schema, name, [text])
    except flaim.InputError:
        return False
    return True


def split_by_rule(connection, columns, top=""):
    """The columns with those of their values that the schema takes as COPY writes them, and one column for each that it
    does not: NaN, dates in a format of the schema, NULL where nothing says that an empty field is missing."""
    make_table(connection, columns, "every value")
    texts = copied_texts(connection, columns, "every value")
    schema = schema_of(columns, top)
    taken, refused = [], []
    for column in columns:
        fate = {text: is_taken(schema, column.name, text) for text in texts[column.name]}
        pairs = list(zip(column.values, texts[column.name], strict=True))
        values = [value for value, text in pairs if fate[text]]
        if values:
            taken.append(dataclasses.replace(column, values=values))
        for unfit in (text for text in fate if not fate[text]):
            value = next(value for value, text in pairs if text == unfit)
            refused.append(dataclasses.replace(column, values=[value]))
    return same_length(taken), refused


SUITES = [(COLUMNS, ""), (TRIMMED, TRIMMED_TOP)]


@pytest.mark.parametrize("columns, top", SUITES, ids=["plain", "trimmed"])
def test_values_count_as_in_the_file_that_copy_writes_whatever_the_settings(server, connection, tmp_path, columns, top):
    columns, _ = split_by_rule(connection, columns, top)
    make_table(connection, columns)
    schema = schema_of(columns, top)
    texts = copied_texts(connection, columns)
    try:
        for settings in ("", ODD_SETTINGS):
            connection.execute(settings)
            with PostgresCounts(server, "people", schema=schema) as counts:
                expect_same_counts(counts, schema, texts, tmp_path)
    finally:
        connection.execute("ALTER DATABASE postgres RESET ALL")


def test_refused_values_are_refused_in_the_words_of_the_command_line(connection, tmp_path):
    _, refused = split_by_rule(connection, COLUMNS)
    assert {"whole in fractions", "huge in doubles", "day in its format", "real"} <= {column.name for column in refused}
    refused += [column for column in REFUSED if column.name != "missing text"]  # an empty field is a text there
    for column in refused:
        connection.execute("DROP TABLE IF EXISTS people")
        make_table(connection, [column])
        schema = schema_of([column])
        (text,) = copied_texts(connection, [column])[column.name]
        with pytest.raises(flaim.InputError) as refusing:
            PostgresCounts(connection, "people", schema=schema)
        assert about_column(refusing.value) == refusal(schema, column.name, text, tmp_path)
        assert connection.info.transaction_status == TransactionStatus.IDLE


def test_other_types_count_as_in_the_file_that_copy_writes(server, connection, tmp_path):
    connection.execute("""
        CREATE TYPE mood AS ENUM ('sad', 'ok', 'o''k');
        CREATE DOMAIN age AS smallint CHECK (VALUE < 200);
        CREATE DOMAIN truth AS boolean;
        CREATE COLLATION ignores_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    """)
    edges = '\nedges = [-1e300, 0, 0.1, 1e15, 1.7976931348623157e308]\nclamp = true\nnullable = true\nmissing = ["", "Infinity", "NaN"]'
    numbers = ["0.1", "0.10000000000000000555", "0.09999999999999999861", "0.099999999999999998612", "-0", "1e15", "NaN",
               "Infinity", "1.797693134862315807e308", "-1e300", "0.10", None, "5e-324"]  # fmt: skip
    else_ = '\nother = "else"'
    columns = same_length([
        Column("padded", 'type = "categorical"\nvalues = ["ab  ", "ab"]' + else_, "char(4)", ["ab", "cd"]),
        Column("mood", 'type = "categorical"\nvalues = ["sad", "o\'k"]' + else_, "mood", ["sad", "ok", "o'k"]),
        Column("cased", 'type = "categorical"\nvalues = ["a", "A"]' + else_, "text COLLATE ignores_case", ["a", "A", "á"]),
        Column("document", 'type = "categorical"\nvalues = ["{\\"a\\":1}"]' + else_, "json", ['{"a":1}', '{"a": 1}']),
        Column("stay", 'type = "categorical"\nvalues = ["24:00:00", "1 day"]' + else_, "interval", ["1 day", "24 hours"]),
        Column("bytes", 'type = "categorical"\nvalues = ["\\\\x00"]' + else_, "bytea", [b"\0", b"a"]),
        Column("age", 'type = "integer"\nmin = 0\nmax = 99\nclamp = true', "age", [5, 99, 100]),
        Column("truth", 'type = "boolean"', "truth", ["t", "f"]),
        Column("numeric", 'type = "real"' + edges, "numeric", numbers),
        Column("double", 'type = "real"' + edges, "double precision", [text for text in numbers if text != "1.797693134862315807e308"]),
        Column("whole", 'type = "integer"\nmin = 0\nmax = 9\nclamp = true\nnullable = true\nmissing = ["9.0", "", "NaN"]', "numeric",
               ["0", "-1", "9", "9.0", "NaN", "1" + "0" * 400]),
        Column("written", 'type = "categorical"\nvalues = ["1", "1.0", "1.00"]' + else_, "numeric", ["1", "1.0", "1.00", "2"]),
        Column("moment", 'type = "categorical"\nvalues = ["2024-01-01 00:00:00+00"]' + else_, "timestamptz", ["2024-01-01 00:00Z"]),
    ])  # fmt: skip
    make_table(connection, columns)
    schema = schema_of(columns)
    texts = copied_texts(connection.execute("SET TimeZone = 'UTC'").connection, columns)
    with PostgresCounts(server, ("public", "people"), schema=schema) as counts:
        expect_same_counts(counts, schema, texts, tmp_path)


@pytest.mark.parametrize("type, kind, values", [
    ("numeric", "real", ["1e400", "1e-400", "-Infinity"]),
    ("timestamp", "datetime", ["infinity", "0044-03-15 00:00:00 BC", "10000-01-01"]),
    ("date", "date", ["-infinity", "0001-01-01 BC", "20000-01-01"]),
])  # fmt: skip
def test_values_beyond_the_calendar_and_the_doubles_are_refused_as_by_the_command_line(
    connection, tmp_path, type, kind, values
):
    bounds = {"real": "min = 0\nmax = 1", "date": "min = 2024-01-01\nmax = 2024-01-09",
              "datetime": 'min = 2024-01-01T00:00:00\nmax = 2024-01-01T23:59:59\nbin = "hour"'}[kind]  # fmt: skip
    column = Column("beyond", f'type = "{kind}"\n{bounds}\nclamp = true\nnullable = true', type, [])
    schema = schema_of([column])
    for value in values:
        connection.execute("DROP TABLE IF EXISTS people")
        make_table(connection, [dataclasses.replace(column, values=[value])])
        with pytest.raises(flaim.InputError) as refused:
            PostgresCounts(connection, "people", schema=schema)
        (text,) = copied_texts(connection, [column])["beyond"]
        assert about_column(refused.value) == refusal(schema, "beyond", text, tmp_path)


@pytest.fixture
def clinic_schema(tmp_path):
    path = tmp_path / "clinic.toml"
    path.write_text(SCHEMA)
    return flaim.Schema.load(str(path))


@pytest.fixture
def clinic_frame(connection):
    """Also as the table Patients, with a column that nobody asks for."""
    frame = clinic()
    connection.execute(
        'CREATE TABLE "Patients" (sex text, age smallint, ward text, weight double precision, insured boolean, '
        "admitted date, id serial)"
    )
    rows = frame.astype(object).where(frame.notna(), None).itertuples(index=False)
    with (
        connection.cursor() as cursor,
        cursor.copy('COPY "Patients" (sex, age, ward, weight, insured, admitted) FROM STDIN') as copy,
    ):
        for row in rows:
            copy.write_row([value.date() if isinstance(value, datetime.datetime) else value for value in row])
    return frame


@pytest.mark.parametrize("parameters", [{}, {"workload": "all:2"}])
def test_the_same_seed_gives_the_same_model_as_the_rows(server, clinic_schema, clinic_frame, parameters):
    expected = flaim.AIM(epsilon=1, random_state=7, **parameters).fit(clinic_frame, schema=clinic_schema)
    for source in ({"table": "Patients"}, {"query": 'SELECT * FROM "Patients"; '}):
        with PostgresCounts(server, schema=clinic_schema, **source) as counts:
            model = flaim.from_counts(counts, epsilon=1, schema=clinic_schema, random_state=7, **parameters)
        assert model._fitted.to_bytes() == expected._fitted.to_bytes()


def test_the_command_line_learns_the_same_model_from_the_same_table(
    server, connection, flaim_program, clinic_schema, clinic_frame, tmp_path
):
    connection.execute("UPDATE \"Patients\" SET sex = ' ' || sex || ' ', weight = '-0' WHERE id % 7 = 0")
    schema = SCHEMA.replace("[[column]]", "trim_blanks = true\n\n[[column]]", 1)
    paths = {name: str(tmp_path / name) for name in ("schema.toml", "model", "ledger")}
    (tmp_path / "schema.toml").write_text(schema)
    with PostgresCounts(server, "Patients", schema=flaim.Schema.parse(schema)) as counts:
        model = flaim.from_counts(counts, epsilon=1, workload="all:2", random_state=7)
    subprocess.run(
        [flaim_program, "fit", "--postgres", server, "--table", '"Patients"', "--schema", paths["schema.toml"]]
        + ["--ledger", paths["ledger"], "--epsilon", "1", "--workload", "all:2", "--seed", "7", "-o", paths["model"]],
        check=True,
    )
    assert (tmp_path / "model").read_bytes() == model._fitted.to_bytes()


def test_counts_are_of_the_moment_when_they_were_opened(server, connection, clinic_schema, clinic_frame):
    with PostgresCounts(server, "Patients", schema=clinic_schema) as counts:
        connection.execute('DELETE FROM "Patients"')
        assert counts.count([("sex", "insured")])[0].sum() == len(clinic_frame)
    with PostgresCounts(server, "Patients", schema=clinic_schema) as counts:
        assert counts.count([("sex", "insured")])[0].tolist() == [[0, 0], [0, 0]]


@pytest.mark.parametrize("autocommit", [True, False])
def test_a_connection_that_was_lent_comes_back_as_it_was(server, clinic_schema, clinic_frame, autocommit):
    shown = ("DateStyle", "client_min_messages", "transaction_read_only", "transaction_isolation", "client_encoding")
    with psycopg.connect(server, autocommit=autocommit, client_encoding="latin1") as lent:
        before = [lent.execute(f"SHOW {name}").fetchone() for name in shown]
        lent.rollback()
        with PostgresCounts(lent, "Patients", schema=clinic_schema) as counts:
            with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
                lent.execute('DELETE FROM "Patients"')
        assert lent.info.transaction_status == TransactionStatus.IDLE and lent.autocommit == autocommit
        assert [lent.execute(f"SHOW {name}").fetchone() for name in shown] == before
        lent.rollback()
        with pytest.raises(flaim.InputError, match="closed"):
            counts.count([("sex", "age")])
        with PostgresCounts(lent, "Patients", schema=clinic_schema) as counts:
            lent.rollback()
            with pytest.raises(flaim.InputError, match="another moment"):
                counts.count([("sex", "age")])
        lent.execute("BEGIN" if autocommit else "SELECT 1")
        with pytest.raises(flaim.InputError, match="in a transaction"):
            PostgresCounts(lent, "Patients", schema=clinic_schema)


def test_a_server_that_fails_raises_its_own_error_and_nothing_is_spent(
    server, connection, clinic_schema, clinic_frame, tmp_path
):
    ledger = tmp_path / "clinic.ledger"
    counts = PostgresCounts(server, "Patients", schema=clinic_schema)
    connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'flaim'")
    with pytest.raises(psycopg.OperationalError):
        flaim.from_counts(counts, epsilon=1, ledger=ledger)
    assert flaim.Ledger(ledger).spent == 0
    counts.close()


def test_of_a_servers_error_only_the_message_is_passed_on(server, connection, clinic_schema):
    connection.execute("""
        CREATE FUNCTION complain(value text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
          RAISE NOTICE 'secret %', value;
          RAISE EXCEPTION 'no' USING DETAIL = 'secret ' || value, HINT = 'secret ' || value;
        END $$;
    """)
    query = (
        "SELECT complain('Alice') AS sex, 1 AS age, '' AS ward, 1 AS weight, true AS insured, now()::date AS admitted"
    )
    notices = []
    with psycopg.connect(server) as lent:
        lent.add_notice_handler(notices.append)
        with pytest.raises(psycopg.errors.RaiseException) as failed:
            PostgresCounts(lent, query=query, schema=clinic_schema)
    assert str(failed.value) == "no" and failed.value.diag.message_detail is None
    assert failed.value.__cause__ is None and failed.value.__context__ is None and notices == []


def test_a_role_needs_to_read_the_columns_of_the_schema_and_no_others(server, connection, clinic_schema, clinic_frame):
    connection.execute("""
        DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA public TO reader;
        GRANT SELECT (sex, age, ward, weight, insured) ON "Patients" TO reader;
    """)
    reader = server.replace("administrator", "reader")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        PostgresCounts(reader, "Patients", schema=clinic_schema)
    connection.execute('GRANT SELECT (admitted) ON "Patients" TO reader')
    with PostgresCounts(reader, "Patients", schema=clinic_schema) as counts:
        assert counts.count([()])[0] == len(clinic_frame)
    connection.execute("DROP OWNED BY reader; DROP ROLE reader")


def test_what_cannot_be_counted_is_refused(server, connection, clinic_schema, clinic_frame):
    for table in ("patients", ("nowhere", "Patients")):
        with pytest.raises(flaim.InputError, match="no such table"):
            PostgresCounts(connection, table, schema=clinic_schema)
    with pytest.raises(flaim.InputError, match="not the name"):
        PostgresCounts(connection, "p" * 64, schema=clinic_schema)
    connection.execute('CREATE VIEW few AS SELECT sex, admitted::timestamptz FROM "Patients"')
    for source in ({"table": "few"}, {"query": "SELECT * FROM few"}):
        with pytest.raises(flaim.InputError, match="lacks: 'age', 'ward'"):
            PostgresCounts(connection, schema=clinic_schema, **source)
    zoned = schema_of([Column("admitted", 'type = "date"\nmin = 2024-01-01\nmax = 2024-01-09', "", [])])
    with pytest.raises(flaim.InputError, match="AT TIME ZONE"):
        PostgresCounts(connection, "few", schema=zoned)
    for string in ("hunter2", "postgresql://user:hun@ter2@host/db", "host=nowhere password='hunter2"):
        with pytest.raises(flaim.InputError, match="cannot be understood") as refused:
            PostgresCounts(string, "few", schema=zoned)
        assert "ter2" not in str(refused.value) and refused.value.__context__ is None
    assert connection.info.transaction_status == TransactionStatus.IDLE
