"""Differentially private synthetic tables.

    model = flaim.AIM(epsilon=1.0, delta=1e-6).fit(df, schema="s.toml")
    rows = model.sample(1000, where={"sex": "F"})
    model.save("m.flaim"); flaim.load("m.flaim").budget

One table: `AIM`. Many holders, simulated: `Simulation`, `methods`. Rows that stay where they are: `flaim.counts`,
`from_counts`. The engine: `Domain`, `Factor`, `CliqueVector`, `JunctionTree`, `belief_propagation`, `estimate`,
`Workload`, `count`. Privacy: `Ledger`, mechanisms and accountants, also as `flaim.privacy`.
"""

from . import counts, privacy
from ._aim import AIM, BudgetWarning
from ._budget import Budget
from ._flaim import (
    BudgetError,
    DamagedFileError,
    FileError,
    FlaimError,
    InputError,
    Schema,
    Table,
    __version__,
)
from ._model import Model, load
from ._simulation import Simulation, methods
from ._tables import read_table, table_from_codes
from .accountants import ContinuousGaussian, ExactAccountant, delta_for, epsilon_for, rho_for
from .clique_vector import CliqueVector
from .counting import count
from .counts import from_counts
from .domain import Domain
from .engine import Measurement, belief_propagation, estimate, model_of, potentials_of
from .factor import Factor
from .junction_tree import JunctionTree
from .ledger import Ledger, verify_ledger
from .mechanisms import (
    DiscreteGaussian,
    ExponentialMechanism,
    GaussianMechanism,
    RandomSource,
    discrete_gaussian,
    exponential_mechanism,
)
from .workloads import Workload

__all__ = [
    "AIM",
    "Budget",
    "BudgetError",
    "BudgetWarning",
    "CliqueVector",
    "ContinuousGaussian",
    "DamagedFileError",
    "DiscreteGaussian",
    "Domain",
    "ExactAccountant",
    "ExponentialMechanism",
    "Factor",
    "FileError",
    "FlaimError",
    "GaussianMechanism",
    "InputError",
    "JunctionTree",
    "Ledger",
    "Measurement",
    "Model",
    "RandomSource",
    "Schema",
    "Simulation",
    "Table",
    "Workload",
    "__version__",
    "belief_propagation",
    "count",
    "counts",
    "delta_for",
    "discrete_gaussian",
    "epsilon_for",
    "estimate",
    "exponential_mechanism",
    "from_counts",
    "load",
    "methods",
    "model_of",
    "potentials_of",
    "privacy",
    "read_table",
    "rho_for",
    "table_from_codes",
    "verify_ledger",
]
