"""What becomes of NULL where an engine counts for Python: no row may be left out.

    sql_codes_test.py FOLDER_OF_THE_PACKAGE [TESTS]

The SQL is that of python/flaim/counts; the engine is SQLite, which every Python has. So neither the extension module
nor numpy is needed: they are played by stand-ins, and all that the SQL is made from is the package's own. What the real
engines make of it is for python/tests.
"""

import importlib
import pathlib
import re
import sqlite3
import sys
import types
import unittest
from unittest import mock

PACKAGE = pathlib.Path(sys.argv.pop(1))


class NamedColumns:
    """In place of Counts: a schema is its rules."""

    def __init__(self, schema):
        self._schema = schema
        self._sizes = {name: rule["size"] for name, rule in schema.items()}
        self._position = {name: position for position, name in enumerate(schema)}


def import_sql():
    """flaim.counts.sql of the package, without what is around it."""
    for name, folder in (("flaim", PACKAGE), ("flaim.counts", PACKAGE / "counts")):
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__path__ = [str(folder)]
    extension = mock.MagicMock()
    extension.column_rule = lambda schema, name: schema[name]
    extension.encode_texts = lambda schema, name, texts, place: [schema[name]["texts"][text] for text in texts]
    sys.modules["flaim"]._flaim = sys.modules["flaim._flaim"] = extension
    base = types.ModuleType("flaim.counts.base")
    base.Counts, base.Clique, base.CountArray = NamedColumns, tuple, list
    sys.modules["flaim.counts.base"] = base
    for name in ("numpy", "numpy.typing"):
        sys.modules[name] = mock.MagicMock()
    return importlib.import_module("flaim.counts.sql"), importlib.import_module("flaim.counts.dialect")


SQL, DIALECT = import_sql()
KIND = sys.modules["flaim.counts.values"].Kind
EngineColumn = sys.modules["flaim.counts.values"].EngineColumn


class SQLiteDialect(DIALECT.Dialect):
    text_type = "TEXT"
    double_type = "REAL"

    def trimmed(self, expression):
        return f"trim({expression}, ' ')"


class SQLiteCounts(SQL.SqlCounts):
    KINDS = {"ward": KIND.TEXT, "place": KIND.TEXT, "age": KIND.INTEGER, "smokes": KIND.BOOLEAN}

    def __init__(self, schema, rows):
        super().__init__(schema, SQLiteDialect(), "a table")
        self._engine = sqlite3.connect(":memory:")
        self._engine.execute("CREATE TABLE people (ward TEXT, place TEXT, age INTEGER, smokes INTEGER)")
        self._engine.executemany("INSERT INTO people VALUES (?, ?, ?, ?)", rows)
        self._read_columns()

    def _described_columns(self):
        return {name: EngineColumn(name, kind, str(kind)) for name, kind in self.KINDS.items()}

    def _table(self):
        return "people"

    def _rows(self, query):
        # SQLite calls the columns of a list of values column1, column2.
        query = re.sub(r"\((VALUES .*?)\) AS (m\d+)\(k, c\)", r"(SELECT column1 AS k, column2 AS c FROM (\1)) AS \2", query)
        return self._engine.execute(query).fetchall()

    def _texts(self, query):
        return [text for (text,) in self._rows(query)]

    def _numbers(self, query):
        raise NotImplementedError

    def codes(self):
        """Of each row, in their order."""
        return self._rows(self._select_codes(self._sizes))


def rule(kind, size, nullable=True, **more):
    return {"type": kind, "size": size, "nullable": nullable, "missing": [], "clamp": False, "trim_blanks": True,
            "other_texts": -1, "texts": {}, **more}


def schema(nullable=True):
    """Codes of values, and then that of NULL."""
    one = 1 if nullable else 0
    return {"ward": rule("categorical", 2 + one, nullable, texts={"north": 0, "south": 1}),
            "place": rule("categorical", 1 + one, nullable, other_texts=0),
            "age": rule("integer", 2 + one, nullable, bins=([0, 40], 99)),
            "smokes": rule("boolean", 2 + one, nullable)}


class NullTest(unittest.TestCase):
    ROWS = [("north", "here", 20, 1), (None, None, None, None), ("south", "there", 60, 0), ("north", None, None, 1)]

    def test_is_the_last_code_of_a_column_that_has_one(self):
        self.assertEqual(SQLiteCounts(schema(), self.ROWS).codes(), [(0, 0, 0, 1), (2, 1, 2, 2), (1, 0, 1, 0), (0, 1, 2, 1)])

    def test_is_refused_by_a_column_that_has_none(self):
        codes = SQLiteCounts(schema(nullable=False), self.ROWS).codes()
        self.assertEqual(codes, [(0, 0, 0, 1), (-1, -1, -1, -1), (1, 0, 1, 0), (0, -1, -1, 1)])

    def test_keeps_no_row_from_being_counted(self):
        counts = SQLiteCounts(schema(), self.ROWS)
        for name in counts._sizes:
            [(number,)] = counts._rows(f"SELECT COUNT(c{counts._position[name]}) FROM {counts._coded_table([name])}")
            self.assertEqual(number, len(self.ROWS), name)

    def test_is_what_a_row_has_in_a_column_by_which_it_is_not_grouped(self):
        query = SQLiteCounts(schema(), [])._grouping_query(["ward", "age"], "(c0), (c2)")
        for code in ("c0", "c2"):
            self.assertIn(f"COALESCE(grouped.{code}, {SQL._NOT_GROUPED}) AS {code}", query)
        self.assertNotIn("WHERE", query)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]], verbosity=1)
