"""Ten million rows of an Arrow table to codes: how long it takes, and what memory it takes beside the rows.

    python arrow_rows.py [ROWS]

Prints a table in Markdown. Nothing but the codes should be allocated: the columns are read where they lie.
"""

from __future__ import annotations

import resource
import sys
import threading
import time

import numpy as np
import pyarrow as pa

import flaim

SCHEMA = """
[[column]]
name = "age"
type = "integer"
min = 0
max = 99

[[column]]
name = "income"
type = "real"
min = 0
max = 1000
bins = 50
clamp = true

[[column]]
name = "region"
type = "categorical"
values = ["north", "east", "south", "west"]

[[column]]
name = "diagnosis"
type = "categorical"
values = [{values}]

[[column]]
name = "insured"
type = "boolean"

[[column]]
name = "admitted"
type = "date"
min = "2020-01-01"
max = "2024-12-31"
bin = "month"
"""
DIAGNOSES = [f"diagnosis-{number:02}" for number in range(40)]
MB = 1e6


def table(rows: int) -> pa.Table:
    random = np.random.default_rng(1)
    return pa.table(
        {
            "age": pa.array(random.integers(0, 100, rows, dtype=np.int32)),
            "income": pa.array(random.gamma(3, 60, rows)),
            "region": pa.DictionaryArray.from_arrays(
                pa.array(random.integers(0, 4, rows, dtype=np.int8)), ["north", "east", "south", "west"]
            ),
            "diagnosis": pa.array(DIAGNOSES).take(pa.array(random.integers(0, 40, rows, dtype=np.int32))),
            "insured": pa.array(random.random(rows) < 0.5),
            "admitted": pa.array(random.integers(18_262, 20_088, rows, dtype=np.int32)).cast(pa.date32()),
        }
    )


def resident() -> float:
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize() / MB


class PeakMemory:
    """The most resident memory while a block runs, looked at every millisecond: the calls below hold no lock."""

    def __enter__(self) -> PeakMemory:
        self.most = resident()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def _watch(self) -> None:
        while not self._is_over.wait(0.001):
            self.most = max(self.most, resident())

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()


def measured(data: pa.Table, schema: flaim.Schema) -> tuple[flaim.Table, float, float]:
    before = resident()
    with PeakMemory() as peak:
        begin = time.perf_counter()
        codes = flaim.read_table(data, schema)
        seconds = time.perf_counter() - begin
    return codes, seconds, peak.most - before


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    schema = flaim.Schema.parse(SCHEMA.format(values=", ".join(f'"{value}"' for value in DIAGNOSES)))
    data = table(rows)
    allocated = pa.total_allocated_bytes()
    codes, seconds, more = measured(data, schema)
    size = sum(codes.codes(name).nbytes for name in codes.columns)
    print("| Arrow table to codes | |")
    print("| --- | ---: |")
    print(f"| rows × columns | {rows:,} × {data.num_columns} |")
    print(f"| time, one call | {seconds:.2f} s |")
    print(f"| rows a second | {rows / seconds / 1e6:.1f} million |")
    print(f"| the columns, as Arrow holds them | {data.nbytes / MB:.0f} MB |")
    print(f"| the codes | {size / MB:.0f} MB |")
    print(f"| more resident memory at the peak | {more:.0f} MB |")
    print(f"| more memory that Arrow allocated | {(pa.total_allocated_bytes() - allocated) / MB:.0f} MB |")
    for name in data.column_names:
        _, alone, _ = measured(data.select([name]), only(schema, name))
        print(f"| {name} ({data.schema.field(name).type}) alone | {rows / alone / 1e6:.0f} million rows/s |")


def only(schema: flaim.Schema, name: str) -> flaim.Schema:
    """The schema of one column."""
    columns = schema.to_toml().split("[[column]]")
    found = [column for column in columns if f'name = "{name}"' in column]
    return flaim.Schema.parse("[[column]]" + found[0])


if __name__ == "__main__":
    main()
