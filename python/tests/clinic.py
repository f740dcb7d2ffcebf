"""A small table that the tests share: its schema, and rows in which columns depend on each other."""

import numpy as np
import pandas as pd

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

[[column]]
name = "ward"
type = "categorical"
values = ["north", "south", "west"]
nullable = true

[[column]]
name = "weight"
type = "real"
min = 0
max = 150
bins = 6
clamp = true

[[column]]
name = "insured"
type = "boolean"

[[column]]
name = "admitted"
type = "date"
min = "2024-01-01"
max = "2024-12-31"
bin = "month"
"""


def clinic(rows: int = 2000, seed: int = 1) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    sex = random.choice(["F", "M"], rows, p=[0.6, 0.4])
    age = np.clip(random.normal(np.where(sex == "F", 55, 45), 15, rows), 0, 99).astype(np.int64)
    ward = random.choice(["north", "south", "west", None], rows, p=[0.5, 0.3, 0.1, 0.1])
    weight = np.round(np.clip(random.normal(60 + age / 5, 12, rows), 1, 180), 1)
    insured = random.random(rows) < 0.5 + age / 250
    admitted = pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 366, rows), unit="D")
    return pd.DataFrame(
        {"sex": sex, "age": age, "ward": ward, "weight": weight, "insured": insured, "admitted": admitted}
    )
