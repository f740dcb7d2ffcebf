"""The line that shows how far a fit is: in terminals and notebooks, and nowhere else."""

import os
import pty
import subprocess
import sys
import textwrap

import pytest
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell

import flaim
from clinic import SCHEMA, clinic
from flaim._progress import ProgressLine

CLEAR = "\r\x1b[2K"


def fit(**parameters):
    schema = flaim.Schema.parse(SCHEMA)
    aim = flaim.AIM(epsilon=1, rounds=4, workload="all:2", random_state=1, **parameters)
    return aim.fit(clinic(200), schema=schema)


class Terminal:
    """A stream that says that it is a terminal."""

    def __init__(self):
        self.text = ""

    def isatty(self):
        return True

    def write(self, text):
        self.text += text

    def flush(self):
        pass


def looked_at(monkeypatch):
    """Makes the standard error a terminal. Not a fixture: pytest sets a stream of its own once those are made."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


def test_a_terminal_gets_a_line_that_is_gone_in_the_end(monkeypatch):
    terminal = looked_at(monkeypatch)
    fit()
    lines = terminal.text.split(CLEAR)
    assert lines[0] == "" and lines[-1] == "" and len(lines) > 2, terminal.text
    assert all("%" in line and "\n" not in line for line in lines[1:-1])


def test_the_line_is_gone_after_an_error_too(monkeypatch):
    terminal = looked_at(monkeypatch)
    def stop(*report):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        fit(callback=stop)
    assert terminal.text.endswith(CLEAR)


def test_a_simulation_shows_its_rounds(monkeypatch):
    terminal = looked_at(monkeypatch)
    flaim.Simulation(clients=5, epsilon=1, workload="all:1", rounds=3, random_state=1).fit(
        clinic(200), schema=flaim.Schema.parse(SCHEMA))
    assert "clients" in terminal.text and terminal.text.endswith(CLEAR)


def test_nobody_who_looks_elsewhere_gets_anything(capfd):
    fit()
    assert capfd.readouterr() == ("", "")


def test_progress_can_be_turned_off_and_on(capfd, monkeypatch):
    terminal = looked_at(monkeypatch)
    fit(progress=False)
    assert terminal.text == ""
    monkeypatch.setattr(terminal, "isatty", lambda: False)
    fit(progress=True)
    assert terminal.text.endswith(CLEAR)
    assert capfd.readouterr() == ("", "")


def test_without_a_standard_error_there_is_no_line(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    fit()
    fit(progress=True)


def test_a_line_is_shown_ten_times_a_second_at_most_and_never_wraps(monkeypatch):
    terminal = looked_at(monkeypatch)
    monkeypatch.setenv("COLUMNS", "30")
    with ProgressLine(None) as line:
        for done in range(1000):
            line.report("rounds", done, 1000, "x" * 500)
    shown = terminal.text.split(CLEAR)[1:-1]
    assert 1 <= len(shown) <= 3 and all(len(text) < 30 for text in shown)


def test_a_real_terminal_shows_it(tmp_path):
    """The other end of a pseudo-terminal is the standard error of a process of its own."""
    (tmp_path / "schema.toml").write_text(SCHEMA)
    clinic(200).to_pickle(tmp_path / "rows.pickle")
    script = textwrap.dedent("""
        import flaim, pandas
        flaim.AIM(epsilon=1, rounds=3, random_state=1).fit(pandas.read_pickle("rows.pickle"), schema="schema.toml")
        print("done")
    """)
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-c", script], cwd=tmp_path, check=True, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
        shown = os.read(ours, 100_000).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.stdout == "done\n"
    assert shown.startswith(CLEAR) and shown.endswith(CLEAR) and "%" in shown


class ZMQInteractiveShell(InteractiveShell):
    """The shell of a notebook's kernel, without the kernel: what it displays is kept."""


@pytest.fixture
def notebook(monkeypatch):
    InteractiveShell.clear_instance()
    shell = ZMQInteractiveShell.instance()
    monkeypatch.setattr(shell, "display_pub", CapturingDisplayPublisher())
    yield shell
    ZMQInteractiveShell.clear_instance()


def test_a_notebook_gets_one_display_that_is_updated(notebook, capfd, monkeypatch):
    monkeypatch.setattr(ProgressLine, "EVERY_SECONDS", 0)
    result = notebook.run_cell("import test_progress; model = test_progress.fit()")
    assert result.success
    first, *updates = notebook.display_pub.outputs
    identity = first["transient"]["display_id"]
    assert "%" in first["data"]["text/plain"] and updates
    assert all(update["update"] and update["transient"]["display_id"] == identity for update in updates)
    assert updates[-1]["data"] == {"text/plain": ""}
    assert capfd.readouterr() == ("", "")


def test_a_notebook_can_do_without(notebook):
    fit(progress=False)
    assert notebook.display_pub.outputs == []
