"""The graphical-model engine on its own: count, pay for noise, estimate a model from noisy marginals, ask it."""

import pathlib
import tempfile

import numpy as np

import flaim

# Public: what the columns can hold. A column holds the codes 0, ..., size - 1.
DOMAIN = flaim.Domain.from_dict({"region": 6, "age": 8, "diagnosis": 5, "outcome": 2})
CLIQUES = [("region", "age"), ("age", "diagnosis"), ("diagnosis", "outcome")]


def private_rows(people: int = 20_000) -> dict[str, np.ndarray]:
    random = np.random.default_rng(2024)
    region = random.integers(0, 6, people)
    age = np.minimum(random.poisson(2 + region / 2), 7)
    diagnosis = np.minimum(random.binomial(4, 0.1 + age / 10), 3)  # code 4 does not occur
    outcome = (random.random(people) < 0.1 + diagnosis / 5).astype(np.int64)
    return {"region": region, "age": age, "diagnosis": diagnosis, "outcome": outcome}


rows = private_rows()
folder = pathlib.Path(tempfile.mkdtemp())

# Counting is exact, and as private as the rows: what leaves goes through the ledger, which is paid first.
counts = flaim.count(rows, CLIQUES, domain=DOMAIN)
ledger = flaim.Ledger.create(folder / "rows.ledger", data="rows", epsilon=1.0, delta=1e-6)
sigma_squared = len(CLIQUES) / (2 * ledger.total)
measurements = [
    flaim.Measurement(
        ledger.release_gaussian("example", 0, ",".join(clique), counts[clique], sigma_squared),
        clique,
        variance=sigma_squared,
    )
    for clique in CLIQUES
]
print(f"paid: rho {ledger.spent:.4f} of {ledger.total:.4f} for {len(ledger.debits())} marginals, "
      f"noise of {sigma_squared ** 0.5:.1f} in every cell")
exact = flaim.ExactAccountant([flaim.GaussianMechanism(sigma_squared)] * len(CLIQUES))
print(f"by the exact accountant that was epsilon {exact.epsilon(1e-6):.3f}")

# The best fit of all distributions, with a proof: none has a loss below loss - gap.
impossible = {("diagnosis",): np.arange(5) == 4}
model = flaim.estimate(DOMAIN, measurements, zeros=impossible)
print(f"estimated: {model.total:.0f} records, loss {model.loss:.1f}, certified gap {model.gap:.4f}")
print(f"junction tree: {' - '.join(' x '.join(clique) for clique in model.cliques)}, {model.cells} cells")

# A marginal that was never measured, exact in the model; and the same question to the private rows.
joint = model.marginal(("outcome", "region"))
truth = np.array([rows["outcome"][rows["region"] == region].mean() for region in range(6)])
print(f"P(outcome | region): model {np.round(joint[1] / joint.sum(axis=0), 3)}, private {np.round(truth, 3)}")

# The same by hand: potentials in, marginals and the log-partition function out.
potentials = flaim.potentials_of(model)
marginals, log_partition = flaim.belief_propagation(potentials)
same = np.allclose(marginals["diagnosis", "outcome"].values, model.marginal(("diagnosis", "outcome")))
print(f"belief propagation: the same marginals: {same}; log Z {log_partition:.2f}")

synthetic = model.sample(10_000)
print(f"drawn: {len(synthetic['age'])} rows, mean age {synthetic['age'].mean():.2f} (private: {rows['age'].mean():.2f})"
      f", diagnosis 4 in {np.sum(synthetic['diagnosis'] == 4)}")
codes = np.stack([synthetic[name] for name in DOMAIN], axis=1)
print(f"mean log-density of a drawn row: {model.log_density(codes).mean():.2f}")
more = ("region", "outcome")
try:
    ledger.release_gaussian("example", 1, ",".join(more), flaim.count(rows, [more], domain=DOMAIN)[more], sigma_squared)
except flaim.BudgetError as refusal:
    print(f"one more is refused: {str(refusal)[:56]}...")
