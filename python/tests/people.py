"""A table with a column of every kind, and what a synthetic one of it must be like."""

import datetime

import numpy as np
import pandas as pd
import pyarrow as pa

import flaim

SCHEMA = flaim.Schema.parse("""
drop = ["name"]
[[column]]
name = "color"
type = "categorical"
values = ["red", "green", "blue"]
nullable = true
[[column]]
name = "size"
type = "categorical"
values = ["1", "2", "3"]
[[column]]
name = "age"
type = "integer"
min = 0
max = 99
bin_width = 10
[[column]]
name = "visits"
type = "integer"
min = 0
max = 3
nullable = true
[[column]]
name = "weight"
type = "real"
min = 0
max = 200
bins = 4
nullable = true
[[column]]
name = "smoker"
type = "boolean"
true_values = ["yes"]
false_values = ["no"]
nullable = true
[[column]]
name = "insured"
type = "boolean"
[[column]]
name = "born"
type = "date"
min = 1950-01-01
max = 2020-12-31
bin = "year"
format = "%d.%m.%Y"
[[column]]
name = "seen"
type = "datetime"
min = 2024-01-01T00:00:00
max = 2024-12-31T23:59:59
bin = "month"
nullable = true
""")
N = 40
GAPS = {"color", "visits", "weight", "smoker", "seen"}
VALUES = {
    "seen": [None if i % 5 == 0 else datetime.datetime(2024, 1 + i % 12, 3, i % 24) for i in range(N)],
    "color": [[None, "blue", "red"][i % 3] for i in range(N)],
    "size": [1 + i % 3 for i in range(N)],
    "age": [(7 * i) % 100 for i in range(N)],
    "visits": [None if i % 4 == 0 else i % 4 for i in range(N)],
    "weight": [None if i % 6 == 0 else 50.5 + i for i in range(N)],
    "smoker": [[True, None, False, False][i % 4] for i in range(N)],
    "insured": [i % 3 == 0 for i in range(N)],
    "born": [datetime.date(1950 + i, 1 + i % 12, 5) for i in range(N)],
}


def sample(data, n=60, **how):
    model = flaim.AIM(epsilon=5, workload="all:1", random_state=1).fit(data, schema=SCHEMA)
    return model.sample(n, random_state=1, **how)


def values_of(rows, name):
    """Python objects of a column of any library."""
    column = rows[name]
    if isinstance(column, (pa.ChunkedArray, pa.Array)):
        return column.to_pylist()
    objects = column.to_list() if hasattr(column, "to_list") else list(column)
    return [None if value is pd.NA or value is np.ma.masked or value != value else value for value in objects]


def check_values(rows):
    """Values of the schema, and missing ones exactly where they may be."""
    for name in VALUES:
        values = values_of(rows, name)
        assert len(values) == 60 and ((None in values) == (name in GAPS)), name
    assert set(values_of(rows, "color")) <= {"red", "green", "blue", None}
    assert {float(size) for size in values_of(rows, "size")} == {1, 2, 3}
    assert all(0 <= float(age) <= 99 and float(age) == int(age) for age in values_of(rows, "age"))
    codes = flaim.read_table(rows, SCHEMA)
    assert codes.rows == 60
