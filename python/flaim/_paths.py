"""Paths as the C++ library takes them."""

from __future__ import annotations

import os

from flaim._flaim import InputError


def path_text(path: str | os.PathLike[str]) -> str:
    """The path as a text. One with a NUL would be cut off there without a word."""
    text = os.fspath(path)
    if "\0" in text:
        raise InputError(f"{text!r} is no path: it has a NUL in it")
    return text
