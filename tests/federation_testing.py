"""What the tests of the networked federation share: a study with its coordinator and sites as real processes.

Everything runs on the loopback, in a temporary folder, and is stopped when the test is over.
"""

import json
import pathlib
import random
import signal
import socket
import subprocess
import time

from cli_testing import FLAIM, NOT_PRIVATE

COLUMNS = (("a", 4), ("b", 3), ("c", 2), ("d", 5))
SCHEMA = "".join(f'[[column]]\nname = "{name}"\ntype = "integer"\nmin = 0\nmax = {size - 1}\n'
                 for name, size in COLUMNS)
HEADER = ",".join(name for name, _ in COLUMNS)


def row(rng, site):
    """b follows from a mostly, and sites differ in a."""
    a = (site + rng.randrange(3)) % 4 if rng.random() < 0.7 else rng.randrange(4)
    return a, a % 3 if rng.random() < 0.8 else rng.randrange(3), rng.randrange(2), rng.randrange(5)


def tables_of_sites(sites, per_site, seed=1):
    """The lines of each site's table, without the header."""
    rng = random.Random(seed)
    return [[",".join(map(str, row(rng, site))) for _ in range(per_site)] for site in range(sites)]


def free_port():
    """One that nobody has, and that nobody gets who dials out meanwhile: those ports begin at 32768."""
    while True:
        port = random.SystemRandom().randrange(20000, 32000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def wait_until(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s in vain until {what}")
        time.sleep(0.05)


class Federation:
    """A study in `folder`. Sites are called by their number; their names sort in the same order."""

    def __init__(self, test, folder, tables, flags, dialled_port=None, header=HEADER, schema=SCHEMA,
                 port=None):
        self.test = test
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(exist_ok=True)
        self.port = port or free_port()
        self.coordinator_folder = str(self.folder / "coordinator")
        self.processes = {}  # name -> running process
        self.logs = {}
        self.tables = tables
        self.header = header
        self.names = [f"site-{i:03}" for i in range(len(tables))]
        self.schema = self.folder / "schema.toml"
        self.schema.write_text(schema)
        for name, lines in zip(self.names, tables):
            (self.folder / f"{name}.csv").write_text("\n".join([header, *lines]) + "\n")
        self.flaim("coordinator", "init", self.coordinator_folder, "--name", "test study", "--address",
                   f"127.0.0.1:{dialled_port or self.port}", "--schema", str(self.schema), *flags)
        test.addCleanup(self.stop)

    def flaim(self, *arguments, code=0, **named):
        done = subprocess.run([FLAIM, *arguments], capture_output=True, text=True, timeout=120, **named)
        self.test.assertEqual(done.returncode, code, f"flaim {' '.join(arguments)}\n{done.stdout}{done.stderr}")
        return done

    def start(self, name, *arguments):
        log = open(self.folder / f"{name}.log", "ab")
        self.logs[name] = self.folder / f"{name}.log"
        self.processes[name] = subprocess.Popen([FLAIM, *arguments], stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        log.close()
        return self.processes[name]

    def log_of(self, name):
        return self.logs[name].read_text() if name in self.logs else ""

    def events_of(self, name):
        return [json.loads(line)["event"] for line in self.log_of(name).splitlines() if line.startswith("{")]

    def kill(self, name, how=signal.SIGKILL):
        process = self.processes.pop(name, None)
        if process is not None:
            process.send_signal(how)
            process.wait(timeout=60)

    def stop(self):
        for name in list(self.processes):
            self.kill(name)

    def site_folder(self, site):
        return str(self.folder / f"{self.names[site]}-folder")

    # Enrolment.

    def serve(self):
        before = self.log_of("serve").count("coordinator listens")  # it may have served before, into the same log
        self.start("serve", "coordinator", "serve", self.coordinator_folder, "--listen", f"127.0.0.1:{self.port}",
                   "--status", "none", "--timeout", "10", "--log", "json")
        wait_until(lambda: self.log_of("serve").count("coordinator listens") > before, "the coordinator listens")

    def invite(self, name):
        return self.flaim("-q", "coordinator", "invite", self.coordinator_folder, name).stdout.strip()

    def enrol(self, consent=("--yes", "--accept-research"), roster=("--any-roster",)):
        self.serve()
        for site, name in enumerate(self.names):
            self.flaim("site", "join", self.site_folder(site), self.invite(name))
            self.flaim("coordinator", "approve", self.coordinator_folder, name)
            self.flaim("site", "join", self.site_folder(site))
            self.consent(site, *consent, roster=roster)
        self.kill("serve", signal.SIGTERM)

    def consent(self, site, *flags, data=None, roster=("--any-roster",), code=0):
        return self.flaim("site", "approve", self.site_folder(site), "--data",
                          str(data or self.folder / f"{self.names[site]}.csv"), *roster, *flags, code=code)

    # Running.

    # A busy machine is slow: where everybody is to be there, patience is long. It costs nothing when all come.
    def start_coordinator(self, *flags, timeout="60"):
        return self.start("coordinator", "coordinator", "run", self.coordinator_folder, "--listen",
                          f"127.0.0.1:{self.port}", "--timeout", timeout, "--log", "json", "--threads", "1", *flags)

    def start_site(self, site, timeout="30"):
        return self.start(self.names[site], "site", "run", self.site_folder(site), "--timeout", timeout, "--log", "json")

    def start_sites(self, timeout="30"):
        for site in range(len(self.names)):
            self.start_site(site, timeout)

    def finish(self, seconds=120):
        process = self.processes["coordinator"]
        try:
            code = process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError("the study did not finish:\n" + self.log_of("coordinator")[-6000:]) from None
        self.test.assertEqual(code, 0, self.log_of("coordinator")[-6000:])
        return self.model()

    def model(self):
        return (pathlib.Path(self.coordinator_folder) / "model.flaim").read_bytes()

    def ledger_path(self, site):
        return str(self.folder / f"{self.names[site]}.csv.ledger")

    def ledger(self, site, code=NOT_PRIVATE):
        """Of a study with seeded noise, unless another code is said."""
        return json.loads(self.flaim("ledger", "show", self.ledger_path(site), "--json", code=code).stdout)

    def simulated(self, *flags):
        """The same by the simulation."""
        model = self.folder / "simulated.flaim"
        self.simulate("-o", str(model), *flags)
        return model.read_bytes()

    def simulate(self, *flags):
        data = self.folder / "union.csv"
        with open(data, "w") as out:
            out.write(f"{self.header},site\n")
            for site, lines in enumerate(self.tables):
                out.writelines(f"{line},{site}\n" for line in lines)
        return self.flaim("simulate", str(data), "--schema", str(self.schema), "--partition", "column:site",
                          "--split-noise", *flags).stdout
