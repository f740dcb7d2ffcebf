"""Accountants, mechanisms and the ledger, in one place."""

from ._exact import Exact
from .accountants import ContinuousGaussian, ExactAccountant, delta_for, epsilon_for, rho_for
from .ledger import Debit, Ledger, LedgerSummary, verify_ledger
from .mechanisms import (
    SCORE_SCALE,
    DiscreteGaussian,
    ExponentialMechanism,
    GaussianMechanism,
    RandomSource,
    discrete_gaussian,
    exponential_mechanism,
    query_score,
    score_sensitivity,
)

__all__ = [
    "SCORE_SCALE",
    "ContinuousGaussian",
    "Debit",
    "DiscreteGaussian",
    "Exact",
    "ExactAccountant",
    "ExponentialMechanism",
    "GaussianMechanism",
    "Ledger",
    "LedgerSummary",
    "RandomSource",
    "delta_for",
    "discrete_gaussian",
    "epsilon_for",
    "exponential_mechanism",
    "query_score",
    "rho_for",
    "score_sensitivity",
    "verify_ledger",
]
