"""One private table: fit a model with a privacy promise, draw synthetic rows from it, keep it."""

import pathlib
import tempfile

import numpy as np

import flaim

# The schema is public: it is written from what a column can hold, never from the rows.
SCHEMA = """
[[column]]
name = "age"
type = "integer"
min = 18
max = 97
bin_width = 10

[[column]]
name = "income"
type = "real"
min = 0
max = 200
bins = 10
clamp = true

[[column]]
name = "smoker"
type = "boolean"
"""


def private_rows(people: int = 20_000) -> dict[str, np.ndarray]:
    random = np.random.default_rng(2024)
    age = random.integers(18, 98, people)
    income = random.gamma(3, 12 + age / 10, people)
    return {"age": age, "income": income, "smoker": random.random(people) < 0.35 - age / 500}


folder = pathlib.Path(tempfile.mkdtemp())
(folder / "people.toml").write_text(SCHEMA)
rows = private_rows()

# The ledger adds up what all fits of these people cost, and refuses what the budget does not allow.
aim = flaim.AIM(epsilon=1.0, delta=1e-9, ledger=folder / "people.ledger")
model = aim.fit(rows, schema=folder / "people.toml")
print(f"promise: {model.budget}")
print(f"spent rho {model.budget.rho_spent:.4f} of {model.budget.rho:.4f} in {model.report['rounds']} rounds")

# Whatever is computed from the model costs nothing more.
synthetic = model.sample(10_000)
print(f"smokers: {synthetic['smoker'].mean():.3f} of the synthetic rows, {rows['smoker'].mean():.3f} of the private ones")
young = model.sample(1_000, where={"age": (18, 27)})
print(f"mean income of the young: {young['income'].mean():.1f} thousand")
worst = max(model.error_bounds, key=model.error_bounds.get)
print(f"no marginal is off by more than {model.error_bounds[worst]:.1%} (the worst bound is of {', '.join(worst)})")

model.save(folder / "people.flaim")
print(f"kept: {flaim.load(folder / 'people.flaim')!r}")
try:
    flaim.AIM(epsilon=0.5, delta=1e-9, ledger=folder / "people.ledger").fit(rows, schema=folder / "people.toml")
except flaim.BudgetError as refusal:
    print(f"a second fit is refused: {str(refusal)[:60]}...")
