"""flaim.Model: what it answers, rows under conditions, keeping it."""

import datetime
import pickle
import subprocess

import numpy as np
import pandas as pd
import polars
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flaim
from clinic import SCHEMA, clinic


@pytest.fixture(scope="module")
def schema(tmp_path_factory):
    path = tmp_path_factory.mktemp("schema") / "clinic.toml"
    path.write_text(SCHEMA)
    return path


@pytest.fixture(scope="module")
def model(schema):
    return flaim.AIM(epsilon=5, workload="all:2", random_state=1).fit(clinic(), schema=schema)


COLUMNS = ["sex", "age", "ward", "weight", "insured", "admitted"]


@settings(deadline=None, max_examples=40)
@given(st.permutations(COLUMNS), st.integers(1, 4))
def test_a_marginal_has_the_axes_in_the_order_asked_for(model, order, count):
    asked = order[:count]
    marginal = model.marginal(asked)
    assert marginal.shape == tuple(model.domain[name] for name in asked)
    assert marginal.sum() == pytest.approx(1)
    straight = model.marginal(sorted(asked, key=COLUMNS.index))
    back = [asked.index(name) for name in sorted(asked, key=COLUMNS.index)]
    np.testing.assert_array_equal(marginal.transpose(back), straight)
    for axis, name in enumerate(asked):
        rest = tuple(other for other in range(count) if other != axis)
        np.testing.assert_allclose(marginal.sum(axis=rest), model.marginal(name), atol=1e-12)


def test_log_densities_of_all_records_add_up_to_one(schema):
    model = flaim.AIM(epsilon=5, workload="all:2", random_state=1).fit(clinic(300), schema=schema)
    sizes = [model.domain[name] for name in COLUMNS]
    records = np.indices(sizes).reshape(len(sizes), -1).T
    assert np.exp(model.log_density(records)).sum() == pytest.approx(1, abs=1e-9)
    one_way = np.bincount(records[:, 1], weights=np.exp(model.log_density(records)))
    np.testing.assert_allclose(one_way, model.marginal("age"), atol=1e-9)


def test_log_density_takes_rows_and_codes_alike(model):
    frame = clinic(50, seed=9)
    table = flaim.read_table(frame, model.schema)
    codes = np.stack([table.codes(name) for name in COLUMNS], axis=1)
    np.testing.assert_array_equal(model.log_density(frame), model.log_density(codes))
    codes[0, 0] = 99
    with pytest.raises(flaim.InputError, match="sex"):
        model.log_density(codes)


@pytest.mark.parametrize("where, flags", [
    ({"sex": "F"}, ["sex=F"]),
    ({"age": (30, 39)}, ["age=30..39"]),
    ({"age": (None, 19), "insured": True}, ["age=..19", "insured=true"]),
    ({"ward": ["north", "west"]}, ["ward=north", "ward=west"]),
    ({"admitted": (pd.Timestamp("2024-03-01").date(), None)}, ["admitted=2024-03-01.."]),
])
def test_conditions_mean_what_they_mean_to_the_command_line(flaim_program, model, tmp_path, where, flags):
    model.save(tmp_path / "m.flaim")
    arguments = [text for flag in flags for text in ("--where", flag)]
    subprocess.run([flaim_program, "sample", tmp_path / "m.flaim", "-n", "200", "--seed", "5", "-o", tmp_path / "p.csv",
                    *arguments], check=True, capture_output=True)
    model.sample(200, where=where, random_state=5, to=tmp_path / "q.csv")
    assert (tmp_path / "q.csv").read_bytes() == (tmp_path / "p.csv").read_bytes()


@pytest.mark.parametrize("where, text", [({"sex": "X"}, "X"), ({"nobody": 1}, "nobody"), ({"sex": []}, "sex")])
def test_an_impossible_condition_is_refused(model, where, text):
    with pytest.raises(flaim.InputError, match=text):
        model.sample(10, where=where)


def test_rows_equal_those_of_the_csv_file_whatever_they_come_back_as(model, tmp_path):
    model.sample(300, random_state=2, to=tmp_path / "rows.csv")
    expected = flaim.read_table(tmp_path / "rows.csv", model.schema)
    for to, kind in (("pandas", pd.DataFrame), ("polars", polars.DataFrame), ("arrow", pyarrow.Table), ("numpy", dict)):
        rows = model.sample(300, random_state=2, to=to)
        assert isinstance(rows, kind)
        table = flaim.read_table(rows, model.schema)
        for name in COLUMNS:
            np.testing.assert_array_equal(table.codes(name), expected.codes(name))
    model.sample(300, random_state=2, to=tmp_path / "rows.parquet")
    table = flaim.read_table(tmp_path / "rows.parquet", model.schema)
    for name in COLUMNS:
        np.testing.assert_array_equal(table.codes(name), expected.codes(name))


def test_as_many_rows_as_the_model_estimates_come_without_a_number(model):
    assert len(model.sample()) == round(model.total)
    assert len(model.sample(0)) == 0
    with pytest.raises(ValueError, match="-1"):
        model.sample(-1)


def test_new_rows_each_time_and_the_same_ones_with_a_random_state(model):
    assert not model.sample(100).equals(model.sample(100))
    assert model.sample(100, random_state=4).equals(model.sample(100, random_state=4))


def test_swapped_rows_are_closer_to_the_model_and_the_same_as_on_the_command_line(flaim_program, model, tmp_path):
    def distance(rows):
        table = flaim.read_table(rows, model.schema)
        cells = np.ravel_multi_index([table.codes("sex"), table.codes("ward")], model.marginal(["sex", "ward"]).shape)
        shares = model.marginal(["sex", "ward"]).ravel()
        return np.abs(np.bincount(cells, minlength=shares.size) / len(rows) - shares).sum()

    drawn = model.sample(3000, method="exact", random_state=3)
    swapped = model.sample(3000, method="exact", random_state=3, swap=True, workload=[["sex", "ward"]])
    assert distance(swapped) < 0.3 * distance(drawn)
    women = model.sample(500, where={"sex": "F"}, swap=True)
    assert len(women) == 500 and set(women["sex"]) == {"F"}

    model.save(tmp_path / "m.flaim")
    subprocess.run([flaim_program, "sample", tmp_path / "m.flaim", "-n", "400", "--seed", "5", "--swap", "--workload",
                    "all:2", "-o", tmp_path / "p.csv"], check=True, capture_output=True)
    model.sample(400, random_state=5, swap=True, workload="all:2", to=tmp_path / "q.csv")
    assert (tmp_path / "q.csv").read_bytes() == (tmp_path / "p.csv").read_bytes()


def test_a_workload_without_swapping_is_refused(model):
    with pytest.raises(flaim.InputError, match="swap=True"):
        model.sample(10, workload="all:2")


def test_a_model_survives_pickling(model):
    back = pickle.loads(pickle.dumps(model))
    assert back._fitted.to_bytes() == model._fitted.to_bytes()
    assert back.sample(50, random_state=1).equals(model.sample(50, random_state=1))


def test_bounds_and_measurements_are_named_by_columns(model):
    assert all(set(clique) <= set(COLUMNS) for clique in model.error_bounds)
    for clique, values, variance in model.measurements:
        assert values.shape == tuple(model.domain[name] for name in clique) and variance > 0
    assert model.gap >= 0 and model.loss >= 0


CODEBOOK = flaim.Schema.parse("""
[[column]]
name = "smoker"
type = "boolean"
true_values = ["yes"]
false_values = ["no"]
nullable = true
missing = ["?"]
[[column]]
name = "born"
type = "date"
min = 1950-01-01
max = 2019-12-31
bin = "year"
format = "%d.%m.%Y"
[[column]]
name = "visits"
type = "integer"
min = 0
max = 9
""")


@pytest.mark.parametrize("where, holds", [
    ({"smoker": True}, lambda rows: rows["smoker"].all()),
    ({"smoker": [np.bool_(False), None]}, lambda rows: (~rows["smoker"].fillna(False).astype(bool)).all()),
    ({"smoker": None}, lambda rows: rows["smoker"].isna().all()),
    ({"born": (pd.Timestamp("1960-01-01"), None)}, lambda rows: (rows["born"] >= pd.Timestamp("1960-01-01")).all()),
    ({"born": datetime.date(1990, 5, 5)}, lambda rows: (rows["born"].dt.year == 1990).all()),
    ({"born": np.datetime64("1990-05-05")}, lambda rows: (rows["born"].dt.year == 1990).all()),
    ({"born": (None, "31.12.1959")}, lambda rows: (rows["born"] < pd.Timestamp("1960-01-01")).all()),
    ({"visits": np.float64(3)}, lambda rows: (rows["visits"] == 3).all()),
    ({"visits": pd.Series([1, 2])}, lambda rows: rows["visits"].isin([1, 2]).all()),
    ({"visits": {(0, 1), 9}}, lambda rows: rows["visits"].isin([0, 1, 9]).all()),
])
def test_conditions_are_values_of_python_whatever_the_schema_writes(where, holds):
    frame = pd.DataFrame({"smoker": pd.array([True, False, None] * 20, dtype="boolean"),
                          "born": pd.date_range("1950-01-01", "2019-12-31", 60).normalize(),
                          "visits": np.arange(60) % 10})
    model = flaim.AIM(epsilon=1, workload="all:1", random_state=1).fit(frame, schema=CODEBOOK)
    rows = model.sample(40, where=where)
    assert len(rows) == 40 and holds(rows)


@pytest.mark.parametrize("call, text", [
    (lambda model: model.sample("many"), "n is 'many'"),
    (lambda model: model.sample(2.5), "n is 2.5"),
    (lambda model: model.sample(5, method="guess"), "guess"),
    (lambda model: model.sample(5, where={"age": (1, 2, 3)}), "tuple"),
    (lambda model: model.sample(5, where={"age": 1j}), "complex"),
    (lambda model: model.marginal(["sex", "sex"]), "twice"),
    (lambda model: model.marginal(["sex", "nobody"]), "nobody"),
    (lambda model: model.log_density(np.zeros((2, 6))), "whole numbers"),
    (lambda model: model.log_density(np.full((2, 6), -1)), "negative"),
    (lambda model: model.log_density(np.full((2, 6), 2**32)), "large"),
])
def test_what_makes_no_sense_is_refused_in_words(model, call, text):
    with pytest.raises(flaim.InputError, match=text):
        call(model)
