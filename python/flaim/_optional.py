"""Packages that are used where they are installed. Only numpy is required."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any


def is_installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def need(module: str, purpose: str) -> Any:
    """The module, for a purpose that cannot be served without it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise ImportError(f"to {purpose}, install {package}: pip install {package}") from error
