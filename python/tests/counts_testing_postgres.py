"""A PostgreSQL server of its own for tests: the newest that is installed, in a temporary folder, on a Unix socket."""

import contextlib
import ctypes
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile
import time

import psycopg


def _programs():
    """Debian keeps each version of the server in a folder of its own."""
    versions = [folder for folder in pathlib.Path("/usr/lib/postgresql").glob("*/bin") if (folder / "initdb").exists()]
    assert versions, "there is no PostgreSQL server under /usr/lib/postgresql: run scripts/setup test"
    return max(versions, key=lambda folder: int(folder.parent.name))


def _die_with_the_tests():
    set_parent_death_signal = 1
    ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGQUIT)


@contextlib.contextmanager
def running_server():
    """How to connect to a server that runs meanwhile. Servers refuse to run as root; then it runs as another user."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="flaim-pg-"))
    identity = {}
    if os.geteuid() == 0:
        user = next(user for user in pwd.getpwall() if user.pw_name in ("postgres", "nobody"))
        os.chown(folder, user.pw_uid, user.pw_gid)
        identity = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    log = folder / "log"
    how = {"stdout": log.open("wb"), "stderr": subprocess.STDOUT, "cwd": folder, "preexec_fn": _die_with_the_tests}
    programs, data = _programs(), folder / "data"
    initialise = [
        programs / "initdb",
        "-D",
        data,
        "-U",
        "administrator",
        "-E",
        "UTF8",
        "--locale=C",
        "--no-sync",
        "-A",
        "trust",
    ]
    subprocess.run(initialise, check=True, **how, **identity)
    settings = ["listen_addresses=", "fsync=off", "shared_buffers=16MB", "max_connections=20", "autovacuum=off"]
    options = [word for setting in settings for word in ("-c", setting)]
    process = subprocess.Popen([programs / "postgres", "-D", data, "-k", folder, *options], **how, **identity)
    try:
        address = f"host={folder} user=administrator dbname=postgres"
        _wait_for(address, process, log)
        yield address
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()
        shutil.rmtree(folder)


def _wait_for(address, process, log):
    deadline = time.monotonic() + 60
    while True:
        assert process.poll() is None and time.monotonic() < deadline, log.read_text()
        with contextlib.suppress(psycopg.OperationalError):
            psycopg.connect(address).close()
            return
        time.sleep(0.05)
