"""How far a long job is, for people: a line in a terminal or a notebook, and nothing elsewhere."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from typing import Any, Protocol

from flaim._optional import need

Observer = Callable[[str, int, "int | None", str], None]


class _Line(Protocol):
    def show(self, text: str) -> None: ...
    def clear(self) -> None: ...


class _TerminalLine:
    """A line that overwrites itself. It is cut to the width of the terminal, because a second line would stay."""

    def show(self, text: str) -> None:
        columns = shutil.get_terminal_size().columns
        print(f"\r\x1b[2K{text[: max(columns - 1, 1)]}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        print("\r\x1b[2K", end="", file=sys.stderr, flush=True)


class _NotebookLine:
    """A display that is updated in place: plain text, so that it also reads well in an exported notebook."""

    def __init__(self) -> None:
        self._display: Any = None

    def show(self, text: str) -> None:
        if self._display is None:
            display = need("IPython.display", "show progress in a notebook").display
            self._display = display({"text/plain": text}, raw=True, display_id=True)
        else:
            self._display.update({"text/plain": text}, raw=True)

    def clear(self) -> None:
        if self._display is not None:
            self._display.update({"text/plain": ""}, raw=True)


def _is_notebook() -> bool:
    """True in the kernel of a notebook, whose shell derives from ipykernel's."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return any(base.__name__ == "ZMQInteractiveShell" for base in type(shell).__mro__)


def _is_terminal(stream: Any) -> bool:
    return stream is not None and bool(stream.isatty())


def _line_for(wanted: bool | None) -> _Line | None:
    if wanted is False:
        return None
    if _is_notebook():
        return _NotebookLine()
    if sys.stderr is not None and (wanted or _is_terminal(sys.stderr)):
        return _TerminalLine()
    return None


class ProgressLine:
    """Shows at most ten times a second. `wanted`: True, False, or None for "where somebody looks"."""

    EVERY_SECONDS = 0.1

    def __init__(self, wanted: bool | None) -> None:
        self._line = _line_for(wanted)
        self._shown_at: float | None = None

    @property
    def is_shown(self) -> bool:
        return self._line is not None

    def report(self, step: str, done: int, total: int | None, detail: str) -> None:
        """An `Observer`: `done` of `total`, where that is known, of a step."""
        now = time.monotonic()
        if self._line is None or (self._shown_at is not None and now - self._shown_at < self.EVERY_SECONDS):
            return
        self._shown_at = now
        share = f"{100 * done / total:3.0f}%" if total else f"{done:,}"
        self._line.show(f"{step} {share}" + (f"  {detail}" if detail else ""))

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *_: object) -> None:
        if self._line is not None and self._shown_at is not None:
            self._line.clear()
