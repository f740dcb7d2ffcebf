"""Run where numpy is the only other package: the whole way from columns to rows works without pandas and pyarrow."""

import importlib.util
import pathlib
import tempfile

import numpy as np

import flaim

for package in ("pandas", "pyarrow", "polars", "sklearn"):
    assert importlib.util.find_spec(package) is None, f"{package} is installed: this shows nothing"

SCHEMA = """
[[column]]
name = "sex"
type = "categorical"
values = ["F", "M"]

[[column]]
name = "age"
type = "integer"
min = 0
max = 99
bin_width = 10
"""

with tempfile.TemporaryDirectory() as folder:
    schema = pathlib.Path(folder) / "schema.toml"
    schema.write_text(SCHEMA)
    random = np.random.default_rng(1)
    columns = {"sex": random.choice(["F", "M"], 500), "age": random.integers(0, 100, 500)}
    model = flaim.AIM(epsilon=1.0, delta=1e-6).fit(columns, schema=schema)
    rows = model.sample(100, where={"sex": "F"})
    assert set(rows) == {"sex", "age"} and len(rows["sex"]) == 100 and set(rows["sex"]) == {"F"}
    model.save(pathlib.Path(folder) / "model.flaim")
    loaded = flaim.load(pathlib.Path(folder) / "model.flaim")
    assert loaded.budget.is_private and loaded.marginal("age").shape == (10,)
print("works with numpy alone")
