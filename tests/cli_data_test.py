"""Datasets on the command line, as a user meets them: data list, data prepare and data embed.

Run by ctest as: python3 cli_data_test.py PATH_OF_FLAIM FOLDER_OF_THE_DATASETS
"""

import csv
import json
import math
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import unittest

from cli_testing import FLAIM, CommandLineTest

DATASETS = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "datasets")

NAMES = ["adult", "magic", "census", "covtype", "credit", "intrusion", "marketing", "synthfs", "reference-adult",
         "reference-synthfs"]


def needs(file):
    return unittest.skipUnless((DATASETS / file).exists(), f"{DATASETS / file} is absent")


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


class DataTest(CommandLineTest):
    def run_with_variable(self, variable, *arguments, code=0, folder=None):
        environment = {name: value for name, value in os.environ.items() if name != "FLAIM_DATA"}
        if variable is not None:
            environment["FLAIM_DATA"] = str(variable)
        done = subprocess.run([FLAIM, *arguments], capture_output=True, text=True, timeout=120, env=environment,
                              cwd=folder or self.folder)
        self.assertEqual(done.returncode, code, f"flaim {' '.join(arguments)}\n{done.stdout}{done.stderr}")
        return done

    def prepare(self, name, *extra, output="out", data_dir=DATASETS, code=0):
        return self.run_flaim("data", "prepare", name, "-o", self.path(output), "--data-dir", str(data_dir), *extra,
                              code=code)

    def use(self, command):
        """Runs the command that prepare printed."""
        words = shlex.split(command)
        self.assertEqual(words[:2], ["flaim", "simulate"])
        return json.loads(self.run_flaim(*words[1:], "--accounting", "cap", "--json").stdout)


class ListTest(DataTest):
    def test_every_dataset_is_listed_with_its_facts(self):
        listed = json.loads(self.run_flaim("data", "list", "--json", "--data-dir", str(DATASETS)).stdout)
        self.assertEqual([entry["name"] for entry in listed], NAMES)
        text = self.run_flaim("data", "list", "--data-dir", str(DATASETS)).stdout
        for entry in listed:
            self.assertIn(entry["name"], text)
            self.assertIn(str(entry["rows"]), text)
            self.assertEqual(entry.get("is_present"),
                             None if entry["is_generated"] else (DATASETS / entry["file"]).exists())

    def test_credit_is_called_a_genuine_subset(self):
        line = next(line for line in self.run_flaim("data", "list").stdout.splitlines() if "credit" in line)
        self.assertIn("genuine subset", line)

    def test_the_folder_is_the_flag_then_the_variable_then_the_one_beside_the_project(self):
        there = self.folder / "there"
        there.mkdir()
        for name in ("magic.csv.xz", "magic.schema.json"):
            (there / name).write_text("")
        present = lambda done: {entry["name"] for entry in json.loads(done.stdout) if entry.get("is_present")}
        listing = ("data", "list", "--json")
        self.assertEqual(present(self.run_with_variable(None, *listing)), set())
        self.assertEqual(present(self.run_with_variable(there, *listing)), {"magic"})
        self.assertEqual(present(self.run_with_variable(self.folder, *listing, "--data-dir", str(there))), {"magic"})
        beside = self.folder / "shared"
        beside.mkdir()
        shutil.copytree(there, beside / "data")
        project = self.folder / "project"
        project.mkdir()
        self.assertEqual(present(self.run_with_variable(None, *listing, folder=project)), {"magic"})

    def test_absent_datasets_are_listed_with_where_they_come_from(self):
        done = self.run_flaim("data", "list", "--data-dir", self.path("none"))
        self.assertIn("UCI, Covertype", done.stderr)
        self.assertIn("--data-dir", done.stderr)
        self.assertIn("FLAIM_DATA", done.stderr)


class PrepareTest(DataTest):
    def test_synthfs_needs_no_file_and_the_printed_command_runs(self):
        done = self.prepare("synthfs", "--clients", "20", "--beta", "1", "--seed", "3", data_dir="none",
                            output="folder with blanks")
        folder = self.folder / "folder with blanks"
        train = rows_of(folder / "train.csv")
        self.assertEqual(len(train), 9000)
        self.assertEqual(len(rows_of(folder / "test.csv")), 1000)
        self.assertEqual({row["client_id"] for row in train}, {str(client) for client in range(20)})
        self.assertEqual(len(json.loads((folder / "workload.json").read_text())), 64)
        self.assertIn("9000 training rows", done.stderr)
        report = self.use(done.stdout)
        self.assertEqual(report["clients"]["enrolled"], 20)
        self.assertEqual(report["held_out"]["records"], 1000)

    def test_a_seed_repeats_itself_and_another_does_not(self):
        for output, seed in (("a", "1"), ("b", "1"), ("c", "2")):
            self.prepare("synthfs", "--clients", "3", "--seed", seed, output=output)
        read = lambda output, name: (self.folder / output / name).read_bytes()
        for name in ("train.csv", "test.csv", "workload.json"):
            self.assertEqual(read("a", name), read("b", name))
            self.assertNotEqual(read("a", name), read("c", name))

    def test_quiet_prints_the_command_alone(self):
        done = self.prepare("synthfs", "--clients", "2", "-q")
        self.assertEqual(done.stderr, "")
        self.assertEqual(len(done.stdout.splitlines()), 1)

    @needs("aim_adult.csv.xz")
    def test_adult_is_split_nine_to_one_and_ready_for_use(self):
        done = self.prepare("adult")
        train, test = (rows_of(self.folder / "out" / name) for name in ("train.csv", "test.csv"))
        self.assertEqual((len(train), len(test)), (43958, 4884))
        self.assertNotIn("client_id", train[0])
        self.assertEqual(sum(row["income>50K"] == "1" for row in train + test), 11687)
        self.run_flaim("schema", "check", self.path("out/schema.toml"), self.path("out/train.csv"))
        report = self.use(done.stdout)
        self.assertEqual(report["clients"]["enrolled"], 100)
        self.assertLess(report["error"]["rows"]["queries"], 0.5)

    @needs("reference/adult/train.csv.xz")
    def test_the_reference_input_keeps_its_clients_and_its_workload(self):
        self.prepare("reference-adult")
        train = rows_of(self.folder / "out" / "train.csv")
        self.assertEqual(len({row["client_id"] for row in train}), 100)
        sets = lambda path: {frozenset(query) for query in json.loads(path.read_text())}
        self.assertEqual(sets(self.folder / "out" / "workload.json"),
                         sets(DATASETS / "reference" / "adult" / "workload.json"))

    @needs("credit.csv.xz")
    def test_credit_is_called_a_genuine_subset_also_with_quiet(self):
        done = self.prepare("credit", "-q")
        self.assertIn("genuine subset", done.stderr)
        self.assertIn("genuine subset", (self.folder / "out" / "schema.toml").read_text())
        train = rows_of(self.folder / "out" / "train.csv")
        self.assertEqual(len(train[0]), 30)
        self.assertNotIn("Time", train[0])


class EmbedTest(DataTest):
    def embed(self, output, *extra, schema=None, code=0):
        return self.run_flaim("data", "embed", self.data, "--schema", schema or self.schema, "-o", self.path(output),
                              *extra, code=code)

    def test_every_row_has_a_place_which_the_seed_decides_and_threads_do_not(self):
        done = self.embed("one.csv", "--threads", "1")
        self.assertIn("500 rows", done.stderr)
        self.assertIn("as private as", done.stderr)
        places = rows_of(self.path("one.csv"))
        self.assertEqual(len(self.bytes_of("one.csv").splitlines()), 501)
        self.assertEqual(list(places[0]), ["x", "y"])
        self.assertTrue(all(math.isfinite(float(place[axis])) for place in places for axis in "xy"))
        self.embed("three.csv", "--threads", "3")
        self.embed("other.csv", "--seed", "1")
        self.assertEqual(self.bytes_of("one.csv"), self.bytes_of("three.csv"))
        self.assertNotEqual(self.bytes_of("one.csv"), self.bytes_of("other.csv"))

    def test_an_unknown_schema_and_one_of_other_rows_are_refused_and_leave_nothing(self):
        self.assertIn("none.toml", self.embed("out.csv", schema=self.path("none.toml"), code=1).stderr)
        other = self.write("other.toml", '[[column]]\nname = "a"\ntype = "integer"\nmin = 0\nmax = 3\n')
        self.assertIn("does not match the schema", self.embed("out.csv", schema=other, code=3).stderr)
        self.assertNotIn("out.csv", self.leftovers())


class RefusalTest(DataTest):
    def test_an_unknown_dataset_is_wrong_usage_with_the_nearest_name(self):
        done = self.prepare("covtipe", code=2)
        self.assertIn("Did you mean 'covtype'?", done.stderr)
        self.assertIn("reference-adult", done.stderr)

    def test_an_absent_file_says_where_the_original_comes_from_and_leaves_nothing(self):
        done = self.run_flaim("data", "prepare", "magic", "-o", self.path("out"), "--data-dir", self.path("none"),
                              code=1)
        for word in ("magic.schema.json", "UCI, MAGIC Gamma Telescope", "data-dir", "FLAIM_DATA"):
            self.assertIn(word, done.stderr)
        self.assertFalse((self.folder / "out").exists())

    @needs("magic.csv.xz")
    def test_an_altered_file_is_refused_with_both_hashes(self):
        shutil.copy(DATASETS / "magic.schema.json", self.folder)
        altered = bytearray((DATASETS / "magic.csv.xz").read_bytes())
        altered[1000] ^= 1
        (self.folder / "magic.csv.xz").write_bytes(altered)
        done = self.run_flaim("data", "prepare", "magic", "-o", self.path("out"), "--data-dir", str(self.folder),
                              code=5)
        self.assertIn("SHA-256", done.stderr)
        self.assertIn("10e9219bd5958e8c8dfa498099de83f377742d301c5b9b1da36461d4da0b326c", done.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_flags_of_synthfs_are_refused_for_others_and_out_of_bounds(self):
        self.assertIn("--beta", self.prepare("magic", "--beta", "1", code=3).stderr)
        self.assertIn("--clients", self.prepare("magic", "--clients", "7", code=3).stderr)
        for flag, value in (("--beta", "-1"), ("--beta", "nan"), ("--clients", "0"), ("--clients", "99999999")):
            self.assertIn(flag, self.prepare("synthfs", flag, value, code=2).stderr)

    def test_an_output_that_cannot_be_a_folder_is_refused(self):
        self.write("file", "")
        self.prepare("synthfs", "--clients", "1", output="file/below", code=1)
        self.run_flaim("data", "prepare", "synthfs", code=2)
        self.run_flaim("data", code=2)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=1)
