"""The same rows, held by thirty clients whose rows differ: federated methods side by side, for research."""

import pathlib
import tempfile

import numpy as np

import flaim

SCHEMA = "\n".join(
    f'[[column]]\nname = "{name}"\ntype = "integer"\nmin = 0\nmax = {size - 1}\n'
    for name, size in (("region", 6), ("age", 8), ("diagnosis", 10), ("outcome", 2))
)


def rows_of_clients(clients: int = 30, rows_each: int = 400) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Each client has people of few regions, so no client looks like the whole."""
    random = np.random.default_rng(7)
    owner = np.repeat(np.arange(clients), rows_each)
    region = (owner + random.integers(0, 2, owner.size)) % 6
    age = np.minimum(random.poisson(2 + region / 2), 7)
    diagnosis = (age + random.integers(0, 4, owner.size)) % 10
    outcome = (random.random(owner.size) < 0.2 + diagnosis / 20).astype(int)
    return {"region": region, "age": age, "diagnosis": diagnosis, "outcome": outcome}, owner


folder = pathlib.Path(tempfile.mkdtemp())
(folder / "schema.toml").write_text(SCHEMA)
rows, owner = rows_of_clients()

print(f"{'method':20} {'error':>6}  whom it needs to trust")
trust = {method["name"]: method["trust"] for method in flaim.methods()}
for method in ("aim", "dist-aim", "augflaim-private", "flaim-once"):
    simulation = flaim.Simulation(
        method, clients=owner, epsilon=1.0, workload="all:2", participation=0.3, evaluate=True, random_state=1
    )
    simulation.fit(rows, schema=folder / "schema.toml")
    print(f"{method:20} {simulation.errors_['model']['queries']:6.3f}  {trust[method]}")

chosen = []
flaim.Simulation(
    "augflaim-private", clients=owner, workload="all:2", participation=0.3, rounds=5, random_state=1,
    callback=lambda round_: chosen.append(round_["chosen"]),
).fit(rows, schema=folder / "schema.toml")
for number, queries in enumerate(chosen, start=1):
    print(f"round {number} chose {'; '.join(' x '.join(query) for query in queries)}")
