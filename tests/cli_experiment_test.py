"""Experiments on the command line, as a researcher meets them: run, kill, resume, spread over processes, report.

Run by ctest as: python3 cli_experiment_test.py PATH_OF_FLAIM
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

from cli_testing import FLAIM, CommandLineTest

# SynthFS is generated, so these run without any file.
SMALL = """
title = "A small experiment"
[common]
datasets = ["synthfs"]
clients = 10
participation = 0.5
rounds = 2
workload = "all:2:1700"
seeds = {seeds}
[[grid]]
methods = ["aim", "dist-aim", "augflaim-private"]
[[table]]
title = "Errors"
columns = "dataset"
cells = ["error", "nll", "bytes"]
[[plot]]
title = "By beta"
x = "beta"
y = "error"
"""


class ExperimentTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.file = self.write("small.toml", SMALL.format(seeds=3))
        self.results = self.path("results")

    def run_experiment(self, *extra, code=0, output=None):
        return self.run_flaim("experiment", "run", self.file, "-o", output or self.results, *extra, code=code)

    def lines(self, output=None, name="small"):
        return (pathlib.Path(output or self.results) / name / "runs.jsonl").read_bytes()

    def test_gives_a_line_for_each_run_with_all_that_repeats_it(self):
        self.run_experiment()
        lines = [json.loads(line) for line in self.lines().splitlines()]
        self.assertEqual(len(lines), 9)
        for line in lines:
            settings, results = line["settings"], line["results"]
            self.assertLess(0, results["error"])
            self.assertLess(results["error"], 2)
            self.assertTrue({"dataset", "preset", "epsilon", "delta", "seed", "data-seed", "rounds"} <= settings.keys())
            self.assertEqual("bytes" in results, settings["preset"] != "aim")
            self.assertNotIn("seconds", results)
        costs = (pathlib.Path(self.results) / "small" / "costs.jsonl").read_text().splitlines()
        self.assertEqual(len(costs), 9)

    def test_gives_the_same_bytes_for_any_number_of_threads(self):
        self.run_experiment("--threads", "1")
        self.run_experiment("--threads", "3", output=self.path("other"))
        self.assertEqual(self.lines(), self.lines(self.path("other")))

    def test_gives_the_same_bytes_when_killed_and_resumed(self):
        self.file = self.write("small.toml", SMALL.format(seeds=6))
        self.run_experiment("--threads", "1")
        killed = self.path("killed")
        runs = pathlib.Path(killed) / "small" / "runs.jsonl"
        kills = 0
        for least in (2, 7, 11):
            process = subprocess.Popen([FLAIM, "experiment", "run", self.file, "-o", killed, "--threads", "2"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while process.poll() is None and not (runs.exists() and runs.read_bytes().count(b"\n") >= least):
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
            kills += process.wait() == -signal.SIGKILL
        self.assertGreater(kills, 0)
        self.assertLess(runs.read_bytes().count(b"\n"), 18)
        done = self.run_experiment(output=killed)
        self.assertIn("known already", done.stdout)
        self.assertEqual(self.lines(), self.lines(killed))

    def test_stops_when_asked_and_says_how_to_go_on(self):
        self.file = self.write("small.toml", SMALL.format(seeds=200))
        process = subprocess.Popen([FLAIM, "experiment", "run", self.file, "-o", self.results],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        runs = pathlib.Path(self.results) / "small" / "runs.jsonl"
        while not (runs.exists() and runs.read_bytes().count(b"\n") >= 2):
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        self.assertIn("goes on from there", process.communicate(timeout=60)[1])
        self.assertEqual(process.returncode, 130)

    @unittest.skipUnless(shutil.which("mpirun"), "mpirun is not installed")
    def test_gives_the_same_bytes_on_several_processes_of_mpirun(self):
        self.run_experiment()
        spread = self.path("spread")
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        done = subprocess.run(["mpirun", "-n", "3", "--oversubscribe", FLAIM, "experiment", "run", self.file, "-o", spread],
                              env=environment, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("9 runs"), 1, done.stdout)
        self.assertEqual(self.lines(), self.lines(spread))

    @unittest.skipUnless(shutil.which("mpirun"), "mpirun is not installed")
    def test_leaves_no_process_of_mpirun_waiting_when_the_folder_cannot_be_used(self):
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        blocked = self.write("blocked", "a file, not a folder")
        done = subprocess.run(["mpirun", "-n", "2", "--oversubscribe", FLAIM, "experiment", "run", self.file, "-o", blocked],
                              env=environment, capture_output=True, text=True, timeout=60)
        self.assertNotEqual(done.returncode, 0)

    def test_does_nothing_twice_also_not_for_another_experiment(self):
        self.run_experiment()
        self.assertIn("9 of them known already", self.run_experiment().stdout)
        first = self.file
        self.file = self.write("larger.toml", SMALL.format(seeds=4))
        self.assertIn("12 runs, 9 of them known already", self.run_experiment().stdout)
        self.assertNotEqual(first, self.file)

    def test_lists_the_runs_without_doing_them(self):
        done = self.run_experiment("--dry-run")
        self.assertEqual(len([json.loads(line) for line in done.stdout.splitlines()]), 9)
        self.assertFalse(pathlib.Path(self.results).exists())

    def test_keeps_a_run_that_cannot_be_done_as_a_failure_and_tries_it_again(self):
        self.file = self.write("lost.toml", SMALL.format(seeds=1).replace("participation = 0.5", "participation = 1e-9"))
        done = self.run_experiment(code=1)
        self.assertIn("FAILED", done.stdout)
        failures = [json.loads(line) for line in self.lines(name="lost").splitlines() if b"failure" in line]
        self.assertTrue(failures)
        self.assertIn("FAILED", self.run_experiment(code=1).stdout)

    def test_says_what_is_wrong_with_a_file_before_anything_runs(self):
        self.file = self.write("wrong.toml", SMALL.format(seeds=3).replace("rounds = 2", "round = 2"))
        done = self.run_experiment(code=3)
        self.assertIn("wrong.toml:7", done.stderr)
        self.assertIn("rounds", done.stderr)
        self.assertFalse(pathlib.Path(self.results).exists())

    def test_says_where_an_absent_dataset_comes_from(self):
        self.file = self.write("absent.toml", SMALL.format(seeds=1).replace('"synthfs"', '"magic"'))
        done = self.run_experiment("--data-dir", self.path("nowhere"), code=1)
        self.assertIn("MAGIC Gamma Telescope", done.stderr)
        self.assertIn("--data-dir", done.stderr)
        self.assertFalse(pathlib.Path(self.results).exists())

    def test_makes_one_page_that_needs_nothing_else(self):
        self.run_experiment()
        done = self.run_flaim("experiment", "report", self.results)
        page = (pathlib.Path(self.results) / "report.html").read_text()
        self.assertIn("report.html", done.stdout)
        self.assertIn("A small experiment", page)
        self.assertIn("<svg", page)
        self.assertNotIn("http://", page.replace("http://www.w3.org", ""))
        self.assertNotIn("https://", page)
        self.assertLess(len(page), 3_000_000)

    def test_has_nothing_to_report_before_anything_ran(self):
        done = self.run_flaim("experiment", "report", self.path("nowhere"), code=1)
        self.assertIn("flaim experiment run", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=["cli_experiment_test"])
