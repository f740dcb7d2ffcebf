"""An Arrow table becomes codes where it lies: no copy of its columns, and no step of Python for each row."""

import subprocess
import sys
import textwrap
import tracemalloc

import numpy as np
import pandas as pd
import polars
import pyarrow as pa
import pytest

import flaim

SCHEMA_TEXT = """
[[column]]
name = "number"
type = "integer"
min = 0
max = 9999
bins = 200
[[column]]
name = "word"
type = "categorical"
values = ["red", "green", "blue"]
"""


def arrow_rows(rows):
    numbers = np.arange(rows, dtype=np.int64) % 10_000
    words = pa.DictionaryArray.from_arrays(pa.array((numbers % 3).astype(np.int64)), ["red", "green", "blue"])
    return pa.table({"number": numbers, "word": words})


# Memory is measured in a process of its own, by the kernel: the most that was ever resident, before and after. Codes
# are 2 bytes a row; a copy of one column would be 8.
MEASURE = """
import os, resource, sys
sys.path[:0] = {path!r}
import pyarrow as pa
import flaim
from test_arrow_memory import SCHEMA_TEXT, arrow_rows

def most_resident():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

schema = flaim.Schema.parse(SCHEMA_TEXT)
flaim.read_table(arrow_rows(1000), schema)
table = arrow_rows({rows})
peak, ballast = most_resident(), []
while most_resident() <= peak:  # what was needed for a while and is free again must not hide what reading needs
    ballast.append(os.urandom(1 << 18))
before, held = most_resident(), pa.total_allocated_bytes()
codes = flaim.read_table(table, schema)
print(most_resident() - before, pa.total_allocated_bytes() - held, codes.rows)
"""


def test_two_million_rows_need_the_memory_of_their_codes():
    rows = 2_000_000
    script = textwrap.dedent(MEASURE).format(path=sys.path, rows=rows)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    grown, held_by_arrow, read = map(int, done.stdout.split())
    assert read == rows
    assert held_by_arrow == 0
    assert grown < 6 * rows, f"{grown} bytes are more than codes and some room"


def calls_of_python(data, schema):
    """How many functions, of Python and of C, are called to read the data."""
    calls = 0

    def count(frame, event, argument):
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        table = flaim.read_table(data, schema)
    finally:
        sys.setprofile(None)
    assert table.rows == len(data if isinstance(data, pd.DataFrame) else data["number"])
    return calls


@pytest.mark.parametrize("library", [
    lambda table: table, lambda table: table.combine_chunks().to_batches()[0], polars.from_arrow, pa.Table.to_pandas,
    lambda table: table.to_pandas(types_mapper=pd.ArrowDtype),
    lambda table: {"number": table["number"].to_numpy(), "word": table["word"].to_numpy().astype("U")},
], ids=["arrow", "batch", "polars", "pandas", "pandas of arrow", "numpy"])
def test_the_steps_of_python_do_not_depend_on_the_number_of_rows(library):
    schema = flaim.Schema.parse(SCHEMA_TEXT)
    few, many = (library(arrow_rows(rows)) for rows in (300, 30_000))
    calls_of_python(few, schema)  # what is done once is done
    assert calls_of_python(many, schema) < calls_of_python(few, schema) + 1000


def test_numbers_of_numpy_are_read_where_they_lie():
    schema = flaim.Schema.parse(SCHEMA_TEXT.partition("[[column]]\nname = \"word\"")[0])
    data = {"number": np.arange(1_000_000, dtype=np.int64) % 10_000}
    flaim.read_table(data, schema)
    tracemalloc.start()
    try:
        flaim.read_table(data, schema)
        assert tracemalloc.get_traced_memory()[1] < 100_000, "numpy's arrays are traced: one more would show"
    finally:
        tracemalloc.stop()
