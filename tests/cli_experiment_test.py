"""Experiments on the command line, as a researcher meets them: run, kill, resume, spread over processes, report.

Run by ctest as: python3 cli_experiment_test.py PATH_OF_FLAIM
"""

import json
import os
import pathlib
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


# The smallest that still has something to resume, spread and compare.
TINY = """
title = "A tiny experiment"
[common]
datasets = ["synthfs"]
clients = 5
participation = 0.6
rounds = 2
workload = "all:2:1700"
[[grid]]
{grid}
"""

DEADLINE_SECONDS = 100


class ExperimentTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.file = self.write("small.toml", SMALL.format(seeds=3))
        self.results = self.path("results")

    def run_experiment(self, *extra, code=0, output=None):
        return self.run_flaim("experiment", "run", self.file, "-o", output or self.results, *extra, code=code)

    def lines(self, output=None, name="small"):
        return (pathlib.Path(output or self.results) / name / "runs.jsonl").read_bytes()

    def run_with_mpi(self, processes, *arguments):
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        return subprocess.run(["mpirun", "-n", str(processes), "--oversubscribe", FLAIM, "experiment", "run", *arguments],
                              env=environment, capture_output=True, text=True, timeout=120)

    def write_tiny(self, name, grid):
        return self.write(name + ".toml", TINY.format(grid=grid))

    def results_of(self, name, output=None):
        """Pairs of settings and results."""
        lines = [json.loads(line) for line in self.lines(output, name).splitlines()]
        return [(line["settings"], line["results"]) for line in lines]

    def start(self, output, *extra, **named):
        process = subprocess.Popen([FLAIM, "experiment", "run", self.file, "-o", output, *extra],
                                   stdout=subprocess.DEVNULL, **named)
        self.addCleanup(process.kill)
        return process

    def wait_for_lines(self, process, output, least):
        """Until there are so many, or the process has ended."""
        runs = pathlib.Path(output) / "small" / "runs.jsonl"
        deadline = time.monotonic() + DEADLINE_SECONDS
        while process.poll() is None and not (runs.exists() and runs.read_bytes().count(b"\n") >= least):
            self.assertLess(time.monotonic(), deadline, f"no {least} runs in {DEADLINE_SECONDS} s")
            time.sleep(0.005)

    def test_gives_a_line_for_each_run_with_all_that_repeats_it(self):
        self.run_experiment()
        lines = [json.loads(line) for line in self.lines().splitlines()]
        self.assertEqual(len(lines), 9)
        for line in lines:
            self.assertEqual(line["version"], 2)
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
        # So many that also a fast machine is not done before it is killed.
        self.file = self.write("small.toml", SMALL.format(seeds=40))
        self.run_experiment("--threads", "2")
        killed = self.path("killed/results")
        kills = 0
        for least in (2, 7, 11):
            process = self.start(killed, "--threads", "2", stderr=subprocess.DEVNULL)
            self.wait_for_lines(process, killed, least)
            process.send_signal(signal.SIGKILL)
            kills += process.wait() == -signal.SIGKILL
        self.assertGreater(kills, 0)
        done = self.run_experiment(output=killed)
        self.assertIn("known already", done.stdout)
        self.assertEqual(self.lines(), self.lines(killed))

    def test_stops_when_asked_and_says_how_to_go_on(self):
        self.file = self.write("small.toml", SMALL.format(seeds=200))
        process = self.start(self.results, stderr=subprocess.PIPE, text=True)
        self.wait_for_lines(process, self.results, 2)
        self.assertIsNone(process.poll(), "ended before it was asked to")
        process.send_signal(signal.SIGINT)
        self.assertIn("goes on from there", process.communicate(timeout=60)[1])
        self.assertIn(process.returncode, (-signal.SIGINT, 130))  # a shell shows both as 130

    def test_gives_the_same_bytes_on_several_processes_of_mpirun(self):
        self.run_experiment()
        spread = self.path("spread")
        done = self.run_with_mpi(3, self.file, "-o", spread)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("9 runs"), 1, done.stdout)
        self.assertEqual(self.lines(), self.lines(spread))

    def test_keeps_several_files_apart_under_mpirun_with_fewer_runs_than_processes(self):
        one = self.write_tiny("one", 'methods = ["aim"]\nseeds = 2')
        two = self.write_tiny("two", 'methods = ["augflaim-private", "dist-aim"]\nseeds = 2')
        self.run_flaim("experiment", "run", one, two, "-o", self.results)
        for processes in (2, 3, 5):
            with self.subTest(processes):
                spread = self.path(f"spread{processes}/results")
                done = self.run_with_mpi(processes, one, two, "-o", spread)
                self.assertEqual(done.returncode, 0, done.stderr)
                for name, runs in (("one", 2), ("two", 4)):
                    self.assertIn(f"{name}: {runs} runs, in", done.stdout)
                    self.assertEqual(self.lines(spread, name), self.lines(name=name))
                    self.assertEqual(self.lines(name=name).count(b"\n"), runs)

    def test_has_nothing_to_do_a_second_time_under_mpirun(self):
        one = self.write_tiny("one", 'methods = ["aim"]\nseeds = 2')
        for known in ("2 runs, in", "2 runs, 2 of them known already"):
            done = self.run_with_mpi(2, one, "-o", self.results)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(known, done.stdout)

    def test_leaves_no_process_of_mpirun_waiting_when_the_folder_cannot_be_used(self):
        blocked = self.write("blocked", "a file, not a folder")
        self.assertNotEqual(self.run_with_mpi(2, self.file, "-o", blocked).returncode, 0)

    def test_describes_partitions_without_a_method(self):
        self.file = self.write_tiny("skew", 'methods = []\nclients = 2\npartition = ["iid", "clusters"]')
        self.run_experiment()
        (iid, even), (clusters, uneven) = self.results_of("skew")
        self.assertEqual((iid["partition"], clusters["partition"]), ("iid", "clusters"))
        self.assertEqual((list(even), list(uneven)), (["heterogeneity"], ["heterogeneity"]))
        self.assertNotIn("preset", iid)
        self.assertLess(0, even["heterogeneity"])
        self.assertLess(even["heterogeneity"], uneven["heterogeneity"])
        self.assertLess(uneven["heterogeneity"], 1)

    def test_draws_other_rows_for_each_data_seed(self):
        self.file = self.write_tiny("drawn", 'methods = ["augflaim-private"]\npartition = "iid"\ndata-seed = [0, 1, 2]')
        self.run_experiment()
        found = self.results_of("drawn")
        self.assertEqual([settings["data-seed"] for settings, _ in found], [0, 1, 2])
        for name in ("heterogeneity", "error", "nll"):
            self.assertEqual(len({results[name] for _, results in found}), 3, name)

    def test_refuses_threads_under_mpirun_where_each_process_does_one_run(self):
        environment = dict(os.environ, OMPI_COMM_WORLD_SIZE="2")
        for flag in (("--threads", "2"), ("--dry-run",)):
            done = subprocess.run([FLAIM, "experiment", "run", self.file, "-o", self.results, *flag], env=environment,
                                  capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 3)
            self.assertIn("mpirun", done.stderr)

    def test_does_nothing_twice_also_not_for_another_experiment(self):
        self.run_experiment()
        self.assertIn("9 of them known already", self.run_experiment().stdout)
        self.file = self.write("larger.toml", SMALL.format(seeds=4))
        self.assertIn("12 runs, 9 of them known already", self.run_experiment().stdout)

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

    def test_refuses_a_grid_that_would_not_do_what_it_says(self):
        for grid, words in (('method = "aim"', ["methods"]),
                            ('preset = "aim"', ["methods"]),
                            ('methods = ["aim"]\nseeds = []', ["'seeds'", "no values"]),
                            ('methods = ["aim"]\nseeds = 2\nseed = 3', ["seed", "twice"])):
            with self.subTest(grid):
                self.file = self.write_tiny("grid", grid)
                done = self.run_experiment(code=3)
                for word in ("grid.toml:", *words):
                    self.assertIn(word, done.stderr)
                self.assertFalse(pathlib.Path(self.results).exists())

    def test_says_where_an_absent_dataset_comes_from(self):
        self.file = self.write("absent.toml", SMALL.format(seeds=1).replace('"synthfs"', '"magic"'))
        done = self.run_experiment("--data-dir", self.path("nowhere"), code=1)
        self.assertIn("MAGIC Gamma Telescope", done.stderr)
        self.assertIn("data-dir", done.stderr)
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
