"""flaim.count: against numpy and pandas, and codes that are none."""

import itertools
import subprocess
import sys

import numpy as np
import pandas as pd
import polars
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flaim
from brute_force import SMALL
from clinic import SCHEMA, clinic


def codes(rows, seed=1):
    random = np.random.default_rng(seed)
    return np.stack([random.integers(0, size, rows) for size in SMALL.shape], axis=1)


def count_with_numpy(table, clique):
    shape = SMALL.project(clique).shape
    cells = np.zeros(len(table), int)
    for axis, size in zip(SMALL.axes(clique), shape):
        cells = cells * size + table[:, axis]
    return np.bincount(cells, minlength=SMALL.size(clique)).reshape(shape)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.lists(st.sampled_from("abcde"), unique=True, max_size=5).map(tuple), max_size=6),
    st.integers(0, 300),
    st.integers(0, 2**32 - 1),
)
def test_counts_equal_numpy_with_axes_in_the_order_of_the_clique(cliques, rows, seed):
    table = codes(rows, seed)
    counts = flaim.count(table, cliques, domain=SMALL)
    assert list(counts) == list(dict.fromkeys(cliques))
    for clique, array in counts.items():
        assert array.dtype == np.int64 and array.sum() == rows
        np.testing.assert_array_equal(array, count_with_numpy(table, clique))


@pytest.mark.parametrize("dtype", ["u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", ">i4", ">u2"])
def test_columns_of_every_integer_type_and_memory_order_are_read_alike(dtype):
    table = codes(500)
    expected = flaim.count(table, [("e", "b")], domain=SMALL)["e", "b"]
    plain = table.astype(dtype)
    for same in (plain, np.asfortranarray(plain), np.repeat(plain, 2, axis=0)[::2]):
        same.flags.writeable = False
        np.testing.assert_array_equal(flaim.count(same, [("e", "b")], domain=SMALL)["e", "b"], expected)
    columns = {name: table[:, axis].astype(dtype)[::-1] for axis, name in enumerate(SMALL)}
    np.testing.assert_array_equal(flaim.count(columns, [("e", "b")], domain=SMALL)["e", "b"], expected)


def test_named_columns_are_found_by_name_whatever_their_order():
    table = codes(200)
    frame = pd.DataFrame(table, columns=list(SMALL))[["e", "c", "a", "b", "d"]].assign(other=-1)
    expected = pd.crosstab(frame["a"], frame["e"]).to_numpy()
    for named in (frame, polars.DataFrame(frame), pyarrow.Table.from_pandas(frame), dict(frame.items()),
                  {name: frame[name].tolist() for name in frame}):
        np.testing.assert_array_equal(flaim.count(named, [("a", "e")], domain=SMALL)["a", "e"], expected)


def test_a_table_is_counted_by_its_own_domain(tmp_path):
    (tmp_path / "schema.toml").write_text(SCHEMA)
    frame = clinic(1000)
    table = flaim.read_table(frame, tmp_path / "schema.toml")
    counts = flaim.count(table, [("insured", "sex"), "age"])
    np.testing.assert_array_equal(counts["insured", "sex"], pd.crosstab(frame["insured"], frame["sex"]).to_numpy())
    np.testing.assert_array_equal(counts["age",], np.bincount(frame["age"] // 10, minlength=10))
    domain = flaim.Domain.from_dict(table.domain)
    np.testing.assert_array_equal(flaim.count(table, ["age"], domain=domain)["age",], counts["age",])
    with pytest.raises(flaim.InputError, match="another domain"):
        flaim.count(table, ["a"], domain=SMALL)


def test_all_counts_are_views_of_memory_that_outlives_the_table():
    counts = flaim.count(codes(100), list(itertools.combinations("edcba", 2)), domain=SMALL)
    for array in counts.values():
        assert not array.flags.owndata and array.sum() == 100
    array = counts.pop(("e", "d"))
    del counts
    array += 1
    assert array.sum() == 100 + 6


def test_results_do_not_depend_on_threads():
    table = codes(50_000)
    cliques = list(itertools.combinations("abcde", 3))
    one, many = (flaim.count(table, cliques, domain=SMALL, threads=threads) for threads in (1, 4))
    for clique in cliques:
        np.testing.assert_array_equal(one[clique], many[clique])


def test_no_rows_give_counts_of_nothing():
    for empty in (np.zeros((0, 5), int), {name: [] for name in SMALL}):
        assert not flaim.count(empty, [("a", "c")], domain=SMALL)["a", "c"].any()


def with_column(name, values):
    return {**{other: np.zeros(2, int) for other in SMALL}, name: np.array(values)}


@pytest.mark.parametrize("table, text", [
    (with_column("b", [0, 3]), "column 'b' has a code outside 0, ..., 2"),
    (with_column("b", [0, -1]), "column 'b' has a code"),
    (with_column("b", np.array([0, 2**64 - 1], dtype=np.uint64)), "column 'b' has a code"),
    (with_column("b", [0, 1.0]), "column b is of type float64"),
    (with_column("b", ["0", "1"]), "column b is of type"),
    (with_column("b", [True, False]), "column b is of type bool"),
    (with_column("b", [[0], [1]]), "column b has 2 dimensions"),
    (with_column("b", [0, 1, 2]), "more or fewer rows"),
    ({"a": [0]}, "no column 'b'"),
    (np.zeros((3, 4), int), "5 columns"),
    (np.zeros(5, int), "5 columns"),
])
def test_codes_that_are_none_are_refused(table, text):
    with pytest.raises(flaim.InputError, match=text):
        flaim.count(table, ["a"], domain=SMALL)


def test_codes_without_a_domain_and_unknown_attributes_are_refused():
    with pytest.raises(flaim.InputError, match="need the domain"):
        flaim.count(codes(3), ["a"])
    with pytest.raises(flaim.InputError, match="no attribute 'x'"):
        flaim.count(codes(3), ["x"], domain=SMALL)
    with pytest.raises(flaim.InputError, match="threads"):
        flaim.count(codes(3), ["a"], domain=SMALL, threads=-1)
    wide = flaim.Domain("abcd", [2**16] * 4)
    with pytest.raises(flaim.FlaimError, match="cells"):
        flaim.count(np.zeros((1, 4), int), [("a", "b", "c", "d")], domain=wide)


def test_a_machine_without_that_many_threads_counts_with_fewer():
    program = (
        "import resource, flaim; limit = 2_500_000 * 1024; resource.setrlimit(resource.RLIMIT_AS, (limit, limit));"
        "counts = flaim.count({'a': [0, 1] * 5000}, ['a'], domain=flaim.Domain(['a'], [2]), threads=1024);"
        "assert counts[('a',)].tolist() == [5000, 5000]"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
