"""The file of a ledger: verification, damage, several processes, and the command line."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import flaim
from flaim.privacy import GaussianMechanism

COUNTS = np.arange(6).reshape(2, 3)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "people.ledger"


@pytest.fixture
def ledger(path):
    return flaim.Ledger.create(path, data="people", epsilon=1, delta=1e-6)


def run_python(script, *arguments):
    return subprocess.Popen([sys.executable, "-c", script, *map(str, arguments)], stdout=subprocess.PIPE, text=True)


def test_a_verified_ledger_proves_what_was_there(ledger, path):
    ledger.release_gaussian("fit", 0, "q", COUNTS, 1000)
    noted = ledger.head
    ledger.release_gaussian("fit", 1, "q", COUNTS, 1000)
    summary = ledger.verify(noted)
    assert summary == flaim.verify_ledger(path)
    assert (summary.data, summary.debits, summary.releases) == ("people", 2, 2)
    assert summary.head == ledger.head != noted and summary.rho_spent == ledger.spent
    with pytest.raises(flaim.DamagedFileError, match="noted hash"):
        ledger.verify("00" * 32)
    with pytest.raises(flaim.InputError, match="64 hexadecimal"):
        ledger.verify("00")


def test_an_older_copy_is_found_out_by_a_noted_head(ledger, path):
    ledger.release_gaussian("fit", 0, "q", COUNTS, 1000)
    older = path.read_bytes()
    ledger.release_gaussian("fit", 1, "q", COUNTS, 1000)
    noted = ledger.head
    path.write_bytes(older)
    assert flaim.verify_ledger(path).debits == 1
    with pytest.raises(flaim.DamagedFileError, match="removed or rewritten"):
        flaim.verify_ledger(path, noted)


def alter(path, change):
    """Past the triggers that guard against mistakes: as somebody who means it."""
    with sqlite3.connect(path) as file:
        triggers = file.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            file.execute(f"DROP TRIGGER {name}")
        file.execute(change)
        for _, sql in triggers:
            file.execute(sql)


@pytest.mark.parametrize("change", [
    "UPDATE debit SET cost_units = 1, cumulative_units = 1",
    "UPDATE release SET value = zeroblob(length(value))",
    "UPDATE release SET provenance = 'secure'",
    "UPDATE terms SET epsilon = 5",
    "DELETE FROM debit",
])
def test_an_altered_file_is_refused(ledger, path, change):
    ledger.release_gaussian("fit", 0, "q", COUNTS, 1000, random_state=1)
    alter(path, change)
    for ask in (flaim.Ledger, flaim.verify_ledger, lambda _: ledger.debits()):
        with pytest.raises(flaim.DamagedFileError):
            ask(path)


def test_a_payment_without_a_value_stays_spent_and_is_paid_again(ledger, path):
    ledger.release_gaussian("fit", 0, "q", COUNTS, 1000)
    alter(path, "DELETE FROM release")  # as a crash leaves it
    after = flaim.Ledger(path)
    assert after.spent == ledger.spent and not after.has_value("fit", 0, "q") and after.debits()[0].noise is None
    after.release_gaussian("fit", 0, "q", COUNTS, 1000)
    assert after.spent == 2 * ledger.spent and [debit.attempt for debit in after.debits()] == [1, 2]


def test_a_file_that_is_no_ledger_is_refused(tmp_path):
    for number, content in enumerate((b"something else entirely, of some length", b"SQLite format 3\0" + bytes(100))):
        (tmp_path / str(number)).write_bytes(content)
        with pytest.raises(flaim.FlaimError):
            flaim.Ledger(tmp_path / str(number))


RELEASES = """
import sys, flaim
ledger, run = flaim.Ledger(sys.argv[1]), sys.argv[2]
def release(number):
    try:
        return int(ledger.release_gaussian(run, number, "q", [number], int(sys.argv[3]))[0])
    except flaim.FileError as error:  # another process was at it in the same moment
        assert "run again to get the recorded one" in str(error)
        return release(number)

try:
    for number in range(1000):
        print(number, release(number), flush=True)
except flaim.BudgetError:
    print("refused")
"""


def test_processes_share_a_budget_and_never_exceed_it(ledger, path):
    workers = [run_python(RELEASES, path, run, 1000) for run in ("one", "two")]
    outputs = [worker.communicate(timeout=300)[0].split("\n") for worker in workers]
    assert all(output[-2] == "refused" for output in outputs)
    summary = flaim.verify_ledger(path)
    assert summary.debits == summary.releases == sum(len(output) - 2 for output in outputs) == 48
    assert summary.rho_spent <= summary.rho_total
    assert ledger.spent == 0  # as of when this object last looked
    with pytest.raises(flaim.BudgetError):
        ledger.release_gaussian("three", 0, "q", [1], 1000)
    assert ledger.spent == summary.rho_spent


def test_processes_that_ask_for_the_same_names_get_the_same_values(ledger, path):
    workers = [run_python(RELEASES, path, "same", 1000) for _ in range(2)]
    one, two = (set(worker.communicate(timeout=300)[0].splitlines()) - {"refused"} for worker in workers)
    # One number, one value; the last that the budget affords may have come after the other process was refused.
    assert len({line.split()[0] for line in one | two}) == len(one | two) >= 1 and len(one ^ two) <= 1
    summary = flaim.verify_ledger(path)
    assert summary.releases == len(one | two) <= summary.debits == 48 and summary.rho_spent <= summary.rho_total


def test_what_a_killed_process_has_shown_was_paid_and_is_shown_again(ledger, path):
    worker = run_python(RELEASES, path, "killed", 100_000)
    shown = [worker.stdout.readline().split() for _ in range(20)]
    worker.send_signal(signal.SIGKILL)
    worker.communicate()
    after = flaim.Ledger(path)
    after.verify()
    assert after.spent >= 20 * GaussianMechanism(100_000).rho
    for number, value in shown:
        assert after.release_gaussian("killed", int(number), "q", [0], 100_000)[0] == int(value)


FORK = """
import os, sys, flaim
ledger = flaim.Ledger(sys.argv[1])
if os.fork() == 0:
    try:
        ledger.release_gaussian("child", 0, "q", [1], 1000)
    except flaim.InputError as refusal:
        flaim.Ledger(sys.argv[1]).release_gaussian("child", 0, "q", [1], 1000)
        os._exit(0 if "open it again" in str(refusal) else 1)
    os._exit(2)
assert os.waitstatus_to_exitcode(os.wait()[1]) == 0
ledger.release_gaussian("parent", 0, "q", [1], 1000)
print([debit.run for debit in ledger.debits()])
"""


def test_a_forked_process_must_open_the_ledger_itself(ledger, path):
    worker = run_python(FORK, path)
    assert worker.communicate(timeout=300)[0].strip() == "['child', 'parent']" and worker.returncode == 0


def test_threads_may_share_a_ledger(ledger):
    def work(run):
        for number in range(10):
            ledger.release_gaussian(run, number, "q", [number], 10_000)
            assert ledger.has_value(run, number, "q") and ledger.spent + ledger.left <= ledger.total * (1 + 1e-12)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, [f"thread {number}" for number in range(4)]))
    assert ledger.verify().releases == 40 and len({ledger.spent_by(f"thread {number}") for number in range(4)}) == 1


def test_the_program_verifies_and_shows_it(flaim_program, ledger, path):
    ledger.release_gaussian("fit", 0, "a,b", COUNTS, 1000)
    verified = subprocess.run([flaim_program, "ledger", "verify", path, "--head", ledger.head], check=True,
                              capture_output=True, text=True)
    assert "verified" in verified.stdout and ledger.head in verified.stdout
    shown = subprocess.run([flaim_program, "ledger", "show", path, "--json"], check=True, capture_output=True)
    assert json.loads(shown.stdout)["data"] == "people"
    path.write_bytes(path.read_bytes().replace(b"people", b"peopel"))
    assert subprocess.run([flaim_program, "ledger", "verify", path], capture_output=True).returncode == 5
    with pytest.raises(flaim.DamagedFileError):
        flaim.verify_ledger(path)


def test_a_ledger_of_the_program_is_one_of_python(flaim_program, path):
    subprocess.run([flaim_program, "ledger", "create", path, "--data", "people", "--epsilon", "1"], check=True,
                   capture_output=True)
    ledger = flaim.Ledger.open_or_create(os.fspath(path), data="people", epsilon=1, delta=1e-6)
    assert ledger.total == flaim.rho_for(1, 1e-6)
