"""What the tests of the flaim program share: a small table with its schema, and a way to run the program.

Each is run by ctest as: python3 TEST PATH_OF_FLAIM
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

FLAIM = sys.argv[1]
NOT_PRIVATE = 6  # the exit code

SCHEMA = """
[[column]]
name = "age"
type = "integer"
min = 0
max = 9

[[column]]
name = "sex"
type = "categorical"
values = ["F", "M"]

[[column]]
name = "income"
type = "real"
min = 0
max = 100
bins = 4
"""

ROWS = "age,sex,income\n" + "".join(f"{i % 10},{'FM'[i % 2]},{(i * 7) % 100}\n" for i in range(500))


class CommandLineTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        state = tempfile.TemporaryDirectory()  # where the program remembers ledgers: not that of whoever runs the tests
        self.addCleanup(state.cleanup)
        os.environ["XDG_STATE_HOME"] = state.name
        self.schema = self.write("s.toml", SCHEMA)
        self.data = self.write("d.csv", ROWS)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def path(self, name):
        return str(self.folder / name)

    def run_flaim(self, *arguments, code=0, **named):
        done = subprocess.run([FLAIM, *arguments], capture_output=True, text=True, timeout=120, **named)
        self.assertEqual(done.returncode, code, f"flaim {' '.join(arguments)}\n{done.stdout}{done.stderr}")
        return done

    def measure(self, *extra, code=0, output="m.json"):
        return self.run_flaim(
            "measure", self.data, "--schema", self.schema, "--epsilon", "1", "-o", self.path(output), *extra, code=code
        )

    def fit(self, *extra, code=0, output="m.flaim"):
        return self.run_flaim(
            "fit", self.data, "--schema", self.schema, "--epsilon", "1", "-o", self.path(output), *extra, code=code
        )

    def bytes_of(self, name):
        return pathlib.Path(self.path(name)).read_bytes()

    def leftovers(self):
        return sorted(path.name for path in self.folder.iterdir())
