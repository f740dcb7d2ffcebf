"""FLAIM's engine beside Private-PGM (the package mbi, on JAX), on Adult, in one process: time and error.

    python private_pgm.py DATA_FOLDER

DATA_FOLDER has aim_adult.csv.xz, aim_adult-domain.json and reference/aim_adult. Prints tables in Markdown. mbi has
estimation and inference but no AIM: the loop of aim_loop.py follows the AIM paper and runs on either engine. JAX compiles
the marginal of every candidate anew whenever the model has grown, which takes over a minute a round for the closure of 64
three-ways, so AIM is compared on the first eight of them. Noise is numpy's, from a seed: a benchmark on public data, no
release.
"""

from __future__ import annotations

import json
import lzma
import pathlib
import sys
import time
import warnings
from collections.abc import Callable

import jax
import numpy as np

jax.config.update("jax_enable_x64", True)
warnings.simplefilter("ignore")

import mbi  # noqa: E402
from aim_loop import Measured, aim  # noqa: E402

import flaim  # noqa: E402
from flaim.domain import Clique  # noqa: E402

Marginals = Callable[[list[Clique]], list[np.ndarray]]
AIM_QUERIES = 8


class FlaimEngine:
    name = "FLAIM"

    def __init__(self, domain: flaim.Domain, **options: object) -> None:
        self._domain = domain
        self._options = options
        self._last: flaim.Model | None = None

    def fit(self, measured: list[Measured]) -> Marginals:
        measurements = [flaim.Measurement(values, clique, stddev=sigma) for clique, values, sigma in measured]
        start = self._last if "method" in self._options else None
        model = flaim.estimate(self._domain, measurements, start=start, **self._options)  # type: ignore[arg-type]
        self._last = model
        return lambda cliques: [model.marginal(clique) * model.total for clique in cliques]


class MbiEngine:
    name = "mbi"

    def __init__(self, domain: flaim.Domain, iterations: int) -> None:
        self._domain = mbi.Domain(domain.attributes, domain.shape)
        self._iterations = iterations
        self._last: mbi.MarkovRandomField | None = None

    def fit(self, measured: list[Measured]) -> Marginals:
        measurements = [
            mbi.LinearMeasurement(np.asarray(values, float).reshape(-1), clique, stddev=sigma)
            for clique, values, sigma in measured
        ]
        estimator = mbi.estimation.MirrorDescent()
        model = estimator.estimate(self._domain, measurements, iters=self._iterations, warm_start=self._last)
        jax.block_until_ready(model.potentials)
        self._last = model
        return lambda cliques: [np.asarray(model.project(clique).values) for clique in cliques]


def timed(call: Callable[[], object]) -> tuple[object, float, float]:
    """What it gives, seconds, processor seconds."""
    begin, cpu = time.perf_counter(), time.process_time()
    result = call()
    return result, time.perf_counter() - begin, time.process_time() - cpu


def fastest(call: Callable[[], object], least_seconds: float = 1.0) -> float:
    best, spent = float("inf"), 0.0
    while spent < least_seconds:
        _, seconds, _ = timed(call)
        best, spent = min(best, seconds), spent + seconds
    return best


def compare_propagation(domain: flaim.Domain, models: dict[str, list[Clique]]) -> None:
    print("| belief propagation | cells of FLAIM's tree | FLAIM | mbi, first run | mbi | mbi / FLAIM |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    random = np.random.default_rng(1)
    other = mbi.Domain(domain.attributes, domain.shape)
    for name, cliques in models.items():
        potentials = flaim.CliqueVector.zeros(domain, cliques)
        potentials.flat[:] = random.normal(size=potentials.size())
        tables = {clique: mbi.Factor(other.project(clique), factor.values) for clique, factor in potentials.items()}
        theirs = mbi.CliqueVector(other, list(tables), tables)
        oracle = jax.jit(mbi.marginal_oracles.default_oracle(cliques, other, has_constraints=False))
        answer, first, _ = timed(lambda: jax.block_until_ready(oracle(theirs, 1.0)))
        ours, _ = flaim.belief_propagation(potentials)
        for clique, marginal in ours.items():
            np.testing.assert_allclose(np.asarray(answer.project(clique).values), marginal.values, atol=1e-9)
        out = ours.copy()
        mine = fastest(lambda: flaim.belief_propagation(potentials, out=out))
        its = fastest(lambda: jax.block_until_ready(oracle(theirs, 1.0)))
        cells = flaim.JunctionTree(domain, cliques).cells
        print(f"| {name} | {cells:,} | {mine * 1e3:.3f} ms | {first:.1f} s | {its * 1e3:.2f} ms | {its / mine:.1f}× |")


def compare_estimation(domain: flaim.Domain, counts: dict[Clique, np.ndarray]) -> None:
    """The same noisy marginals to both; the loss is that of both: half the squared distance over the variance."""
    random = np.random.default_rng(2)
    sigma = 50.0
    measured = [(clique, table + random.normal(0, sigma, table.shape), sigma) for clique, table in counts.items()]

    def loss(marginals: Marginals) -> float:
        answers = marginals([clique for clique, _, _ in measured])
        return sum(0.5 * float(((a - v) ** 2).sum()) / sigma**2 for a, (_, v, _) in zip(answers, measured))

    print(f"| estimation from {len(measured)} noisy marginals of the model 3way_1MB | seconds | loss |")
    print("| --- | ---: | ---: |")
    for engine, what in (
        (FlaimEngine(domain), "FLAIM, until the gap is certified (1e-3)"),
        (FlaimEngine(domain, method="mirror-descent", max_iterations=1000, relative_gap=0), "FLAIM, 1,000 steps of mirror descent"),
        (MbiEngine(domain, 1000), "mbi, 1,000 steps of mirror descent, first run"),
        (MbiEngine(domain, 1000), "mbi, the same again, compiled"),
    ):
        marginals, seconds, _ = timed(lambda: engine.fit(measured))  # noqa: B023
        print(f"| {what} | {seconds:.2f} | {loss(marginals):.1f} |")  # type: ignore[arg-type]


def compare_aim(domain: flaim.Domain, codes: dict[str, np.ndarray], workload: list[Clique]) -> None:
    counts = flaim.count(codes, workload, domain=domain)
    rows = len(next(iter(codes.values())))

    def error(marginals: Marginals) -> float:
        answers = marginals(list(counts))
        return float(np.mean([np.abs(a / a.sum() - c / rows).sum() for a, c in zip(answers, counts.values())]))

    print(f"| AIM, {len(workload)} three-ways, epsilon 1, delta 1e-9 | seconds | processor seconds | rounds | error of the model |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for engine, fit in (
        (FlaimEngine(domain), "fits certified to 1e-3"),
        (FlaimEngine(domain, method="mirror-descent", max_iterations=100, relative_gap=0), "100 steps of mirror descent"),
        (MbiEngine(domain, 100), "100 steps of mirror descent"),
    ):
        result, seconds, cpu = timed(lambda: aim(engine, domain, codes, workload, epsilon=1.0, delta=1e-9, seed=1))  # noqa: B023
        marginals, rounds = result  # type: ignore[misc]
        print(f"| the paper's loop on {engine.name}, {fit} | {seconds:.1f} | {cpu:.1f} | {rounds} | {error(marginals):.4f} |")
    schema = "".join(f'[[column]]\nname = "{n}"\ntype = "integer"\nmin = 0\nmax = {s - 1}\n' for n, s in zip(domain, domain.shape))
    estimator = flaim.AIM(epsilon=1.0, delta=1e-9, workload=workload, random_state=1)
    model, seconds, cpu = timed(lambda: estimator.fit(codes, schema=flaim.Schema.parse(schema)))
    own = error(lambda cliques: [model.marginal(clique) for clique in cliques])  # type: ignore[attr-defined]
    print(f"| `flaim.AIM`, our constants | {seconds:.1f} | {cpu:.1f} | {model.report['rounds']} | {own:.4f} |")  # type: ignore[attr-defined]


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    sizes = json.loads((folder / "aim_adult-domain.json").read_text())
    with lzma.open(folder / "aim_adult.csv.xz", "rt") as file:
        names = file.readline().strip().split(",")
        table = np.loadtxt(file, delimiter=",", dtype=np.int32)
    domain = flaim.Domain(names, [sizes[name] for name in names])
    codes = {name: np.ascontiguousarray(table[:, position]) for position, name in enumerate(names)}
    one_ways = [(name,) for name in names]
    given = json.loads((folder / "reference/aim_adult/model_cliques.json").read_text())
    models = {name: [*one_ways, *(tuple(clique) for clique in cliques)] for name, cliques in given.items()}
    workload = [tuple(query) for query in json.loads((folder / "reference/aim_adult/workload64.json").read_text())]

    compare_propagation(domain, models)
    print()
    compare_estimation(domain, flaim.count(codes, models["3way_1MB"], domain=domain))
    print()
    compare_aim(domain, codes, workload[:AIM_QUERIES])


if __name__ == "__main__":
    main()
