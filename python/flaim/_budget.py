"""What a model promises, and what that cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Budget:
    """The promise of one fit, and its price.

    `is_private` is False when the noise was seeded, the method makes no promise, or the schema was derived from
    private rows: then epsilon and delta say what was asked for, and nothing is promised.
    """

    epsilon: float
    delta: float
    rho: float
    rho_spent: float
    adjacency: str
    noise: str
    is_private: bool
    ledger: str | None = None
    run: str | None = None

    @classmethod
    def of_report(cls, report: dict[str, Any], ledger: str | None, run: str | None) -> "Budget":
        """From `Model.report`."""
        is_private = report["noise"] == "secure" and report["schema_is_private"]
        return cls(
            epsilon=report["epsilon"],
            delta=report["delta"],
            rho=report["rho"],
            rho_spent=report["rho_spent"],
            adjacency=report["adjacency"],
            noise=report["noise"],
            is_private=is_private,
            ledger=ledger,
            run=run,
        )

    def __str__(self) -> str:
        if not self.is_private:
            reason = "schema from private rows" if self.noise == "secure" else f"noise: {self.noise}"
            return f"NOT private ({reason}); asked for epsilon {self.epsilon:g}, delta {self.delta:g}"
        return f"epsilon {self.epsilon:g}, delta {self.delta:g}, to {self.adjacency}"
