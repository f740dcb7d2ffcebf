"""How rows came in is kept with the model: without anything of the rows. And rows go elsewhere if asked."""

import pickle
import sys

import numpy as np
import pandas as pd
import polars
import pyarrow as pa
import pyarrow.parquet
import pytest

import flaim
from flaim._shape import Shape
from people import N, SCHEMA, VALUES, check_values, sample

SECRET = "a private text that nobody may see"
OTHER = flaim.Schema.parse(
    'drop = ["secret column"]\n[[column]]\nname = "x"\ntype = "categorical"\nvalues = ["a", "b"]\nother = "rest"\n'
    'nullable = true\n'
)


def fit(data, schema=SCHEMA):
    return flaim.AIM(epsilon=5, workload="all:1", random_state=1).fit(data, schema=schema)


def dictionaries(texts):
    return pa.array(texts).dictionary_encode()


@pytest.mark.parametrize("data", [
    lambda texts: {"x": np.array(texts), "secret column": np.array(texts)},
    lambda texts: {"x": list(texts), "secret column": list(texts)},
    lambda texts: pd.DataFrame({"x": pd.Categorical(texts), "secret column": texts}),
    lambda texts: pd.DataFrame({"x": pd.Series(texts, dtype=object), "secret column": pd.Categorical(texts)}),
    lambda texts: pd.DataFrame({"x": pd.Series(texts, dtype="str"), "secret column": texts}).set_axis(texts),
    lambda texts: polars.DataFrame({"x": texts, "secret column": texts},
                                   schema={"x": polars.Enum(sorted({*texts})), "secret column": polars.Categorical}),
    lambda texts: pa.table({"x": dictionaries(texts), "secret column": texts}).replace_schema_metadata(
        {SECRET: str(len(texts))}),
])
def test_neither_texts_nor_the_number_of_rows_are_in_the_shape(data):
    one = fit(data([SECRET] * 3), OTHER)
    other = fit(data(["a"] * 1 + ["b"] * 4321), OTHER)
    shape = pickle.dumps(one._shape)
    assert shape == pickle.dumps(other._shape), "it depends on the rows"
    for private in (SECRET, "secret column", "4321"):
        assert private.encode() not in shape and private not in repr(one._shape)
    assert SECRET.encode() not in pickle.dumps(one)
    assert one._shape.library in ("numpy", "pandas", "polars", "arrow")


@pytest.mark.parametrize("data", [
    VALUES, pd.DataFrame(VALUES).astype({"color": "category", "size": "Int8"}), polars.DataFrame(VALUES),
    pa.table(VALUES),
])
def test_a_model_that_was_pickled_gives_the_same_rows(data):
    model = fit(data)
    back = pickle.loads(pickle.dumps(model))
    rows, again = model.sample(30, random_state=3), back.sample(30, random_state=3)
    assert back._shape == model._shape and type(rows) is type(again)
    if isinstance(rows, dict):
        assert rows == again
    else:
        assert rows.equals(again)
    if isinstance(rows, pd.DataFrame):
        assert list(rows.dtypes) == list(again.dtypes)


def test_a_saved_model_knows_no_shape_and_gives_a_frame(tmp_path):
    fit(pa.table(VALUES)).save(tmp_path / "m.flaim")
    rows = flaim.load(tmp_path / "m.flaim").sample(60, random_state=1)
    assert isinstance(rows, pd.DataFrame) and list(rows.columns) == SCHEMA.columns
    assert rows["color"].dtype == "category" and rows["visits"].dtype == "Int64" and rows["age"].dtype == "int64"
    assert rows["smoker"].dtype == "boolean" and rows["insured"].dtype == bool
    assert rows["born"].dtype == "datetime64[s]" and rows["weight"].dtype == "float64"
    check_values(rows)


LIBRARIES = {"pandas": pd.DataFrame, "polars": polars.DataFrame, "arrow": pa.Table, "numpy": dict}
FROM = {"numpy": VALUES, "pandas": pd.DataFrame(VALUES), "polars": polars.DataFrame(VALUES), "arrow": pa.table(VALUES)}


@pytest.mark.parametrize("to", LIBRARIES)
@pytest.mark.parametrize("come", FROM)
def test_rows_go_to_the_library_that_is_asked_for(come, to):
    rows = sample(FROM[come], to=to)
    assert isinstance(rows, LIBRARIES[to])
    names = {"arrow": lambda: rows.column_names, "numpy": lambda: list(rows)}.get(to, lambda: list(rows.columns))()
    assert names == list(VALUES), "the order of the columns stays"
    check_values(rows)


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet", "rows.pq"])
def test_rows_go_to_a_file_with_the_values_of_the_table(tmp_path, name):
    for path in (tmp_path / name, str(tmp_path / name)):
        assert sample(pd.DataFrame(VALUES), to=path) is None
        expected = flaim.read_table(sample(pd.DataFrame(VALUES)), SCHEMA)
        written = flaim.read_table(path, SCHEMA)
        for column in SCHEMA.columns:
            np.testing.assert_array_equal(written.codes(column), expected.codes(column))
    if name != "rows.csv":
        assert pa.parquet.read_schema(tmp_path / name).names == list(VALUES)


@pytest.mark.parametrize("to", ["excel", "rows.xlsx", 3, "", b"rows.csv"])
def test_another_target_is_refused_with_those_there_are(to):
    with pytest.raises(flaim.InputError, match=r"'pandas', 'polars', 'arrow', 'numpy', or a path"):
        sample(VALUES, to=to)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_library_that_is_not_installed_is_named(library, monkeypatch):
    model = fit(VALUES)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ImportError, match=f"pip install {library}"):
        model.sample(5, to={"pyarrow": "arrow"}.get(library, library))


@pytest.mark.parametrize("dtype", ["int64", "int8", "uint16", "float32", "U5", object])
def test_arrays_come_back_with_their_types(dtype):
    data = {**VALUES, "size": np.array(VALUES["size"], dtype=dtype), "age": np.ma.masked_less(VALUES["age"], -1)}
    rows = sample(data)
    assert rows["size"].dtype.kind == np.dtype(dtype).kind and isinstance(rows["age"], np.ma.MaskedArray)
    assert isinstance(rows["visits"], list), "a list went in"
    check_values(rows)


def test_an_unknown_library_gets_an_arrow_table():
    class Unknown:
        def __arrow_c_stream__(self, requested_schema=None):
            return pa.table(VALUES).__arrow_c_stream__(requested_schema)

    rows = sample(Unknown())
    assert isinstance(rows, pa.Table)
    check_values(rows)


def test_no_rows_are_a_table_too():
    for data in FROM.values():
        rows = sample(data, n=0)
        assert len(rows if isinstance(rows, (pd.DataFrame, polars.DataFrame)) else rows["age"]) == 0
    assert Shape().labels == () and N == 40


@pytest.mark.parametrize("values, other", [
    ([1, 2, 3], [1, 2, "3"]), ([1, 2, 3], [1, 2, 3.0]), ([True, False], [True, "false"]), ([1, 2, None], [1, 2, 3]),
])
def test_how_one_row_is_written_does_not_show_in_a_column_of_objects(values, other):
    kind = '"boolean"' if values[0] is True else '"integer"\nmin = 0\nmax = 9'
    schema = flaim.Schema.parse(f'[[column]]\nname = "x"\ntype = {kind}\nnullable = true')
    frames = [pd.DataFrame({"x": pd.Series(column, dtype=object)}) for column in (values, other)]
    shapes = [fit(frame, schema)._shape for frame in frames]
    assert pickle.dumps(shapes[0]) == pickle.dumps(shapes[1])


def test_a_missing_value_does_not_show_in_the_type_of_categories():
    schema = flaim.Schema.parse('[[column]]\nname = "x"\ntype = "categorical"\nvalues = ["1", "2"]\nnullable = true')
    models = [fit(pd.DataFrame({"x": pd.Series(x).astype("category")}), schema) for x in ([1, 2, 1], [1, 2, None])]
    assert pickle.dumps(models[0]._shape) == pickle.dumps(models[1]._shape)
    assert models[0].sample(50)["x"].dtype == models[1].sample(50)["x"].dtype
