"""The commands that make and use models, as a user meets them: plan, fit, show, sample, and their interruption."""

import json
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import time
import unittest

from cli_testing import FLAIM, NOT_PRIVATE, SCHEMA, CommandLineTest


class FitTest(CommandLineTest):
    def test_the_model_the_ledger_and_the_summary_agree(self):
        summary = json.loads(self.fit("--json").stdout)
        self.assertEqual([key for key in summary if "second" in key or "time" in key], [], "they depend on the rows")
        self.assertEqual(summary["noise"], "secure")
        self.assertEqual(summary["workload"], "all:3:10000")
        shown = json.loads(self.run_flaim("show", self.path("m.flaim"), "--json").stdout)
        for key in ("epsilon", "delta", "rho", "rho_spent", "rounds", "records", "model_cells"):
            self.assertEqual(shown[key], summary[key])
        ledger = json.loads(self.run_flaim("ledger", "show", self.data + ".ledger", "--json").stdout)
        self.assertEqual(ledger["rho_spent"], summary["ledger"]["rho_spent"])
        self.assertLessEqual(ledger["rho_spent"], ledger["rho_total"])
        self.assertGreater(ledger["rho_spent"], 0.999 * ledger["rho_total"])
        self.assertEqual({debit["run"] for debit in ledger["debits"]}, {summary["run"]})
        self.run_flaim("ledger", "verify", self.data + ".ledger")

    def test_repeating_a_command_is_free_and_gives_the_same_bytes(self):
        self.fit()
        before = self.run_flaim("ledger", "show", self.data + ".ledger").stdout
        self.assertIn("not paid again", self.fit(output="again.flaim").stderr)
        self.assertEqual(self.run_flaim("ledger", "show", self.data + ".ledger").stdout, before)
        self.assertEqual(self.bytes_of("m.flaim"), self.bytes_of("again.flaim"))

    def test_every_public_setting_makes_another_run(self):
        zeros = self.write("z.json", '[{"columns": ["age", "sex"], "impossible": [["3", "M"]]}]')
        other_schema = self.write("s2.toml", SCHEMA.replace("bins = 4", "bins = 5"))
        variants = ([], ["--epsilon", "0.9"], ["--delta", "1e-7"], ["--workload", "all:2"], ["--rounds", "3"],
                    ["--model-cells", "999"], ["--zeros", zeros], ["--seed", "1"], ["--seed", "2"],
                    ["--schema", other_schema])
        for ledger in ("secure", "seeded"):
            self.run_flaim("ledger", "create", self.path(ledger), "--data", "d", "--epsilon", "50")
        runs = []
        for variant in variants:
            flags = {"--schema": self.schema, "--epsilon": "1"}
            flags.update(zip(variant[::2], variant[1::2]))
            ledger = self.path("seeded" if "--seed" in variant else "secure")
            done = self.run_flaim("fit", self.data, "--ledger", ledger, "--separate-ledger", "--json",
                                  "-o", self.path("m"),
                                  *(word for flag in flags.items() for word in flag))
            runs.append(json.loads(done.stdout)["run"])
        self.assertEqual(len(set(runs)), len(variants))

    def test_memory_and_threads_that_change_nothing_keep_the_run(self):
        self.fit("--threads", "1")
        self.fit("--threads", "3", "--memory", "500M", output="again.flaim")
        self.assertEqual(self.bytes_of("m.flaim"), self.bytes_of("again.flaim"))

    def test_what_the_budget_does_not_allow_is_refused_before_anything_is_paid(self):
        self.fit()
        before = self.run_flaim("ledger", "show", self.data + ".ledger").stdout
        self.assertIn("left", self.fit("--run", "more", code=4, output="more.flaim").stderr)
        self.assertFalse(os.path.exists(self.path("more.flaim")))
        self.assertEqual(self.run_flaim("ledger", "show", self.data + ".ledger").stdout, before)

    def test_a_budget_too_small_for_a_measurement_is_refused(self):
        message = self.run_flaim("fit", self.data, "--schema", self.schema, "--epsilon", "1e-7", "-o",
                                 self.path("m.flaim"), code=4).stderr
        self.assertIn("epsilon", message)
        self.assertFalse(os.path.exists(self.data + ".ledger"))

    def test_a_pair_that_does_not_fit_the_memory_is_refused_by_name(self):
        columns = "".join(f'[[column]]\nname = "c{i}"\ntype = "integer"\nmin = 0\nmax = 2999\nbins = 3000\n'
                          for i in range(3))
        wide = self.write("wide.toml", columns)
        rows = self.write("wide.csv", "c0,c1,c2\n1,2,3\n")
        for command in (["fit", rows, "-o", self.path("m.flaim")], ["plan"]):
            done = self.run_flaim(*command, "--schema", wide, "--epsilon", "1", "--workload", "all:2", "--memory",
                                  "100M", code=3)
            self.assertIn("c0,c1", done.stderr)
            self.assertIn("model-cells", done.stderr)
            self.assertIn("and memory", done.stderr)
        self.assertFalse(os.path.exists(rows + ".ledger"))
        self.run_flaim("plan", "--schema", wide, "--epsilon", "1", "--memory", "60M")  # the default leaves them out

    def test_what_a_run_is_does_not_depend_on_the_memory(self):
        self.assertIn("model-cells", self.fit("--memory", "20M", code=3).stderr)
        self.assertFalse(os.path.exists(self.data + ".ledger"))
        self.fit("--memory", "60M")
        spent = self.run_flaim("ledger", "show", self.data + ".ledger").stdout
        again = self.fit("--memory", "2G", output="again.flaim")
        self.assertIn("is not paid again", again.stderr)
        self.assertEqual(self.run_flaim("ledger", "show", self.data + ".ledger").stdout, spent)
        self.assertEqual(pathlib.Path(self.path("again.flaim")).read_bytes(),
                         pathlib.Path(self.path("m.flaim")).read_bytes())

    def test_an_unwritable_output_costs_nothing(self):
        self.run_flaim("fit", self.data, "--schema", self.schema, "--epsilon", "1", "-o", self.path("no/such/m"),
                       code=1)
        self.assertFalse(os.path.exists(self.data + ".ledger"))

    def test_a_full_disk_is_no_budget_problem_and_loses_nothing(self):
        done = self.run_flaim("fit", self.data, "--schema", self.schema, "--epsilon", "1", "-o", "/dev/full", code=1)
        self.assertIn("No space left", done.stderr)
        self.assertIn("nothing is paid again", done.stderr)
        self.assertIn("not paid again", self.fit().stderr)

    def test_a_file_size_limit_leaves_no_file(self):
        self.fit()
        for command in (["sample", self.path("m.flaim"), "-n", "200000", "-o", self.path("s.csv")],
                        ["fit", self.data, "--schema", self.schema, "--epsilon", "1", "-o", self.path("n.flaim")]):
            limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (65536 if command[0] == "sample" else 512,) * 2)
            if command[0] == "fit":  # the ledger is written already; only the model is to hit the limit
                command += ["--ledger", self.data + ".ledger"]
            done = subprocess.run([FLAIM, *command], preexec_fn=limit, capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("too large", done.stderr.lower())
        self.assertEqual(self.leftovers(), ["d.csv", "d.csv.ledger", "m.flaim", "s.toml"])

    def test_bad_data_costs_nothing(self):
        bad = self.write("bad.csv", "age,sex,income\n1,F,2\n3,X,4\n")
        self.run_flaim("fit", bad, "--schema", self.schema, "--epsilon", "1", "-o", self.path("m.flaim"), code=3)
        self.assertFalse(os.path.exists(bad + ".ledger"))
        self.assertFalse(os.path.exists(self.path("m.flaim")))

    def test_seeded_noise_and_a_schema_from_the_rows_are_stamped_for_good(self):
        self.assertIn("NOT private", self.fit("--seed", "3").stderr)
        shown = self.run_flaim("show", self.path("m.flaim"))
        self.assertIn("WARNING", shown.stderr)
        self.assertIn("NONE", shown.stdout)
        self.assertIn("WARNING", self.run_flaim("-q", "sample", self.path("m.flaim"), "-o", self.path("s")).stderr)
        self.run_flaim("schema", "init", "--from-data", self.data, "-o", self.path("new.toml"))
        done = self.run_flaim("fit", self.data, "--schema", self.path("new.toml"), "--epsilon", "1", "--ledger",
                              self.path("l"), "--separate-ledger", "-o", self.path("n.flaim"))
        self.assertIn("NOT private", done.stderr)
        shown = json.loads(self.run_flaim("show", self.path("n.flaim"), "--json").stdout)
        self.assertFalse(shown["is_private"] or shown["schema_is_private"])
        self.run_flaim("measure", self.data, "--schema", self.path("new.toml"), "--epsilon", "1", "--ledger",
                       self.path("k"), "--separate-ledger", "-o", self.path("n.json"))
        self.assertFalse(json.loads(pathlib.Path(self.path("n.json")).read_text())["schema_is_private"])

    def test_json_tells_no_time(self):
        fitted = self.run_flaim("fit", self.data, "--schema", self.schema, "--epsilon", "1", "--seed", "1", "--json",
                                "-o", self.path("m.flaim"))
        shown = self.run_flaim("show", self.path("m.flaim"), "--json")
        exact = self.run_flaim("evaluate", self.path("m.flaim"), self.data, "--json")
        for done in (fitted, shown, exact):
            self.assertNotRegex(done.stdout, r'"[^"]*(second|time|duration|elapsed)[^"]*":')

    def test_a_domain_file_of_codes_is_a_schema(self):
        domain = self.write("domain.json", '{"a": 3, "b": 2}')
        rows = self.write("codes.csv", "a,b\n" + "0,1\n2,0\n" * 50)
        self.run_flaim("fit", rows, "--schema", domain, "--epsilon", "1", "-o", self.path("m.flaim"))
        self.assertEqual(self.run_flaim("sample", self.path("m.flaim"), "-n", "1", "-o", "-").stdout[:4], "a,b\n")

    def test_quiet_says_nothing(self):
        self.assertEqual(self.run_flaim("-q", "fit", self.data, "--schema", self.schema, "--epsilon", "1", "-o",
                                        self.path("m.flaim")).stderr, "")

    def test_wrong_flags_are_named(self):
        for flags, word in ((["--memory", "lots"], "lots"), (["--memory", "1K"], "1K"),
                            (["--model-cells", "10000000"], "and memory")):
            self.assertIn(word, self.fit(*flags, code=3).stderr)
        for flags, word in ((["--rounds", "0"], "--rounds"), (["--threads", "0"], "--threads"),
                            (["--sede", "3"], "--sede")):
            self.assertIn(word, self.fit(*flags, code=2).stderr)
        self.run_flaim("fit", self.data, "--schema", self.path("none"), "--epsilon", "1", "-o", self.path("m"), code=1)
        self.run_flaim("fit", self.path("none"), "--schema", self.schema, "--epsilon", "1", "-o", self.path("m"),
                       code=1)
        self.assertFalse(os.path.exists(self.data + ".ledger"))


class ZerosTest(CommandLineTest):
    def test_what_cannot_occur_is_never_drawn(self):
        zeros = self.write("z.json", '[{"columns": ["sex", "age"], "impossible": [["M", "3..5"], ["F", 0]]}]')
        self.fit("--zeros", zeros)
        rows = self.run_flaim("sample", self.path("m.flaim"), "-n", "5000", "-o", "-").stdout.splitlines()[1:]
        seen = {tuple(row.split(",")[:2]) for row in rows}
        self.assertFalse(seen & {("3", "M"), ("4", "M"), ("5", "M"), ("0", "F")})
        self.assertIn(("2", "F"), seen)

    def test_bad_files_are_refused_before_anything_is_paid(self):
        for text, word in (("{", "look like"), ("[3]", "look like"), ('[{"columns": ["x"], "impossible": []}]', "'x'"),
                           ('[{"columns": ["sex"], "impossible": [["Q"]]}]', "'Q'"),
                           ('[{"columns": ["sex"], "impossible": [["F", "M"]]}]', "2 values"),
                           ('[{"columns": ["sex", "sex"], "impossible": []}]', "twice"),
                           ('[{"columns": ["sex"], "impossible": [["F"], ["M"]]}]', "record")):
            self.assertIn(word, self.fit("--zeros", self.write("z.json", text), code=3).stderr)
        self.assertFalse(os.path.exists(self.data + ".ledger"))


class InterruptionTest(CommandLineTest):
    COLUMNS = 8

    def setUp(self):
        super().setUp()
        names = [f"c{i}" for i in range(self.COLUMNS)]
        self.schema = self.write("wide.toml", "".join(
            f'[[column]]\nname = "{name}"\ntype = "integer"\nmin = 0\nmax = 7\n' for name in names))
        rows = ((i * i + i * k + (i >> k)) % 8 for i in range(3000) for k in range(self.COLUMNS))
        self.data = self.write("wide.csv", ",".join(names) + "\n" + "".join(
            ",".join(map(str, row)) + "\n" for row in zip(*[rows] * self.COLUMNS)))

    def command(self, ledger, output):
        return [FLAIM, "fit", self.data, "--schema", self.schema, "--epsilon", "3", "--rounds", "80", "--seed", "7",
                "--threads", "1", "--ledger", self.path(ledger), "-o", self.path(output)]

    def debits(self, ledger):
        done = subprocess.run([FLAIM, "ledger", "show", self.path(ledger), "--json"], capture_output=True, text=True)
        return json.loads(done.stdout)["debits"] if done.returncode == NOT_PRIVATE else []

    def size_of(self, name):
        return os.path.getsize(self.path(name)) if os.path.exists(self.path(name)) else 0

    def test_an_interrupted_fit_resumes_to_the_model_that_it_would_have_had(self):
        subprocess.run(self.command("whole", "whole.flaim"), check=True, capture_output=True)
        for stop in (signal.SIGINT, signal.SIGTERM):
            size = max(self.size_of("part"), 30000)  # an empty ledger is nearly that large
            process = subprocess.Popen(self.command("part", "part.flaim"), stderr=subprocess.PIPE, text=True)
            while process.poll() is None and self.size_of("part") < size + 20000:
                time.sleep(0.001)
            process.send_signal(stop)
            message = process.communicate(timeout=120)[1]
            self.assertEqual(process.returncode, 130, message)
            self.assertIn("ledger is intact", message)
            self.run_flaim("ledger", "verify", self.path("part"), code=NOT_PRIVATE)
            self.assertNotIn("no value", " ".join(debit["noise"] for debit in self.debits("part")))
            self.assertEqual(self.leftovers(), sorted(["d.csv", "s.toml", "wide.csv", "wide.toml", "whole",
                                                       "whole.flaim", "part"]))
        subprocess.run(self.command("part", "part.flaim"), check=True, capture_output=True)
        self.assertEqual(self.bytes_of("part.flaim"), self.bytes_of("whole.flaim"))
        keys = ("round", "query", "mechanism", "rho")
        self.assertEqual(*([[debit[key] for key in keys] for debit in self.debits(ledger)]
                           for ledger in ("part", "whole")))

    # The wider a table, the longer each phase of a fit: of this one, a round alone takes longer than the patience here.
    def test_a_signal_at_any_moment_ends_the_fit_of_a_wide_table_soon_and_nothing_is_paid_twice(self):
        columns, seed = 250, random.randrange(1 << 32)
        generator = random.Random(seed)
        self.schema = self.write("wide.toml", "".join(
            f'[[column]]\nname = "c{i}"\ntype = "integer"\nmin = 0\nmax = {2 + i % 7}\n' for i in range(columns)))
        rows = ([str((row * (i % 5) + generator.randrange(3)) % (3 + i % 7)) for i in range(columns)]
                for row in range(1000))
        self.data = self.write("wide.csv", "\n".join(
            [",".join(f"c{i}" for i in range(columns))] + [",".join(row) for row in rows]) + "\n")
        for attempt in range(6):
            process = subprocess.Popen(self.command("part", "part.flaim"), stderr=subprocess.PIPE, text=True)
            while process.poll() is None and not any(name.startswith(".flaim") for name in self.leftovers()):
                time.sleep(0.01)  # what comes before is reading of settings
            time.sleep(generator.uniform(0.1, 5) if attempt % 2 else generator.uniform(5, 12))
            self.assertIsNone(process.poll(), f"seed {seed}: it has ended by itself")
            asked = time.monotonic()
            process.send_signal(generator.choice([signal.SIGINT, signal.SIGTERM]))
            message = process.communicate(timeout=120)[1]
            self.assertLess(time.monotonic() - asked, 3, f"seed {seed}, attempt {attempt}: {message}")
            self.assertEqual(process.returncode, 130, message)
            self.assertEqual([name for name in self.leftovers() if name.startswith((".flaim", "part.flaim"))], [])
            debits = self.debits("part")
            self.assertNotIn("no value", " ".join(debit["noise"] for debit in debits))
            names = [(debit["round"], debit["query"]) for debit in debits]
            self.assertEqual(len(names), len(set(names)), "something was paid for twice")
        self.run_flaim("ledger", "verify", self.path("part"), code=NOT_PRIVATE if debits else 0)

    def test_interrupted_sampling_leaves_no_file(self):
        subprocess.run(self.command("whole", "whole.flaim"), check=True, capture_output=True)
        process = subprocess.Popen([FLAIM, "sample", self.path("whole.flaim"), "-n", "2000000000", "-o",
                                    self.path("s.csv")], stderr=subprocess.PIPE, text=True)
        while not any(name.startswith(".flaim-") for name in self.leftovers()):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130)
        self.assertEqual([name for name in self.leftovers() if name.startswith((".flaim", "s.csv"))], [])


class EvaluateTest(CommandLineTest):
    def test_what_is_exact_says_that_it_is_not_private(self):
        self.fit("--seed", "1")
        done = self.run_flaim("evaluate", self.path("m.flaim"), self.data, "--json")
        self.assertIs(json.loads(done.stdout)["is_private"], False)
        self.assertIn("without noise", done.stderr)


class SampleTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.fit("--seed", "1")

    def sample(self, *extra, code=0):
        done = self.run_flaim("sample", self.path("m.flaim"), "-o", "-", *extra, code=code)
        return done.stderr if code else [line.split(",") for line in done.stdout.splitlines()]

    def test_rows_are_values_of_the_schema_as_many_as_asked_for(self):
        self.run_flaim("sample", self.path("m.flaim"), "-n", "1234", "-o", self.path("s.csv"))
        self.run_flaim("schema", "check", self.schema, self.path("s.csv"))
        self.assertEqual(len(pathlib.Path(self.path("s.csv")).read_text().splitlines()), 1235)

    def test_without_a_number_as_many_as_the_model_estimates(self):
        records = json.loads(self.run_flaim("show", self.path("m.flaim"), "--json").stdout)["records"]
        self.assertEqual(len(self.sample()) - 1, round(records))
        women = len(self.sample("--where", "sex=F")) - 1
        men = len(self.sample("--where", "sex=M")) - 1
        self.assertAlmostEqual(women + men, records, delta=1.01)

    def test_conditions_hold_in_every_row(self):
        for row in self.sample("-n", "500", "--where", "sex=F", "--where", "age=2", "--where", "age=7..8")[1:]:
            self.assertEqual(row[1], "F")
            self.assertIn(row[0], ("2", "7", "8"))

    def test_conditions_that_make_no_sense_are_explained(self):
        self.assertIn("'F', 'M'", self.sample("--where", "sex=X", code=3))
        self.assertIn("Did you mean 'sex'", self.sample("--where", "sec=F", code=3))
        self.assertIn("0 to 9", self.sample("--where", "age=12", code=3))
        self.assertIn("COLUMN=VALUE", self.sample("--where", "age", code=3))

    def test_a_condition_that_no_record_meets_is_refused(self):
        zeros = self.write("z.json", '[{"columns": ["sex", "age"], "impossible": [["M", "3"]]}]')
        self.fit("--zeros", zeros, "--ledger", self.path("l"), "--separate-ledger")
        self.assertIn("no record", self.sample("--where", "sex=M", "--where", "age=3", code=3))

    def test_a_seed_repeats_the_rows_and_its_absence_does_not(self):
        self.assertEqual(self.sample("--seed", "1"), self.sample("--seed", "1"))
        self.assertNotEqual(self.sample("--seed", "1"), self.sample("--seed", "2"))
        self.assertNotEqual(self.sample(), self.sample())

    def test_the_number_of_threads_does_not_change_the_rows(self):
        self.assertEqual(self.sample("--seed", "1", "--threads", "1"), self.sample("--seed", "1", "--threads", "4"))

    def test_codes_delimiters_and_methods(self):
        for row in self.sample("-n", "200", "--codes")[1:]:
            self.assertTrue(int(row[0]) < 10 and int(row[1]) < 2 and int(row[2]) < 4)
        self.assertEqual(self.sample("-n", "1", "--delimiter", "tab")[0], ["age\tsex\tincome"])
        self.assertEqual(len(self.sample("-n", "100", "--method", "exact")), 101)
        self.assertIn("rounded", self.sample("--method", "round", code=2))
        self.sample("-n", "-1", code=2)

    def swapped(self, *extra):
        return self.sample("-n", "3000", "--seed", "1", "--swap", *extra)

    def test_swapped_rows_are_other_ones_that_repeat_themselves_whatever_the_threads(self):
        rows = self.swapped("--threads", "1")
        self.assertEqual(len(rows), 3001)
        self.assertNotEqual(rows, self.sample("-n", "3000", "--seed", "1"))
        for threads in ("2", "3"):
            self.assertEqual(self.swapped("--threads", threads), rows)

    def test_swapping_keeps_conditions(self):
        for row in self.swapped("--where", "sex=F", "--where", "age=2", "--workload", "all:2")[1:]:
            self.assertEqual(row[:2], ["2", "F"])

    def test_what_to_swap_for_is_checked(self):
        self.assertIn("--swap", self.sample("--workload", "all:2", code=2))
        self.assertIn("number of columns", self.sample("--swap", "--workload", "all:", code=3))

    def test_a_full_disk_is_a_failure(self):
        self.assertIn("No space left", self.run_flaim("sample", self.path("m.flaim"), "-n", "200000", "-o",
                                                      "/dev/full", code=1).stderr)


class ModelFileTest(CommandLineTest):
    def test_a_damaged_or_foreign_file_is_refused(self):
        self.fit()
        content = self.bytes_of("m.flaim")
        changed = bytearray(content)
        changed[len(content) // 2] ^= 1
        for name, damaged, code in (("cut", content[:-40], 5), ("short", content[:20], 5), ("changed", changed, 5),
                                    ("other", b"age,sex\n1,2\n", 3)):
            pathlib.Path(self.path(name)).write_bytes(damaged)
            for command in (["show"], ["sample", "-o", self.path("s.csv")]):
                self.assertIn(name, self.run_flaim(*command, self.path(name), code=code).stderr)
        self.assertFalse(os.path.exists(self.path("s.csv")))
        self.run_flaim("show", self.path("nothing"), code=1)

    def test_show_lists_every_marginal_once_worst_first(self):
        self.fit()
        shown = json.loads(self.run_flaim("show", self.path("m.flaim"), "--json").stdout)
        names = [",".join(marginal["columns"]) for marginal in shown["marginals"]]
        self.assertEqual(len(names), len(set(names)))
        bounds = [marginal["error_bound"] for marginal in shown["marginals"]]
        self.assertEqual(bounds, sorted(bounds, reverse=True))
        text = self.run_flaim("show", self.path("m.flaim"), "--all").stdout
        for name in names + ["epsilon 1", "delta 1e-06", "add or remove one record", "secure"]:
            self.assertIn(name, text)

    def test_a_model_over_bins_is_shown_conditioned_and_drawn_from_as_one_over_values(self):
        model = str(pathlib.Path(__file__).parents[1] / "fuzz" / "corpus" / "model" / "version_2_levels.flaim")
        shown = json.loads(self.run_flaim("show", model, "--json").stdout)
        self.assertEqual(shown["bins"], {"age": 3})
        self.assertEqual(shown["possible_records"], 10)
        self.assertEqual(shown["model_cells"], 6)
        self.assertEqual(sum(marginal["measured"] for marginal in shown["marginals"]), 3)
        self.assertIn("bins of their values", self.run_flaim("show", model).stdout)
        rows = self.run_flaim("sample", model, "-n", "300", "--where", "age=v0", "--where", "age=v1", "-o", "-").stdout
        ages = {line.split(",")[1] for line in rows.split()[1:]}
        self.assertEqual(ages, {"v0", "v1"})
        self.run_flaim("sample", model, "-n", "3", "--where", "age=v4", "-o", "-", code=3)


class PlanTest(CommandLineTest):
    def plan(self, *extra):
        return json.loads(self.run_flaim("plan", "--schema", self.schema, "--epsilon", "1", "--json", *extra).stdout)

    def test_a_fit_does_what_was_planned(self):
        plan = self.plan()
        fitted = json.loads(self.fit("--json").stdout)
        self.assertEqual(plan["run"], fitted["run"])
        self.assertEqual(plan["rho"], fitted["rho"])
        self.assertTrue(plan["rounds"]["fewest"] <= fitted["rounds"] <= plan["rounds"]["most"])
        debits = json.loads(self.run_flaim("ledger", "show", self.data + ".ledger", "--json").stdout)["debits"]
        self.assertAlmostEqual(debits[0]["rho"] / plan["rho"], plan["one_ways"]["share_of_budget"], places=9)

    def test_fixed_rounds_are_that_many(self):
        plan = self.plan("--rounds", "7")
        self.assertEqual((plan["rounds"]["fewest"], plan["rounds"]["most"]), (7, 7))
        self.assertEqual(json.loads(self.fit("--rounds", "7", "--json").stdout)["rounds"], 7)

    def test_errors_are_relative_to_the_records(self):
        few, many = self.plan("--rows", "1000"), self.plan("--rows", "100000")
        for one, other in zip(few["marginals"], many["marginals"]):
            self.assertAlmostEqual(one["error_at_first_noise"], 100 * other["error_at_first_noise"], places=9)

    def test_queries_that_cannot_fit_are_listed_and_no_data_is_needed(self):
        columns = "".join(f'[[column]]\nname = "c{i}"\ntype = "integer"\nmin = 0\nmax = 199\n' for i in range(3))
        wide = self.write("wide.toml", columns)
        done = self.run_flaim("plan", "--schema", wide, "--epsilon", "1", "--workload", "all:3", "--json")
        self.assertEqual(json.loads(done.stdout)["queries_too_large"], ["c0,c1,c2"])
        self.assertIn("c0,c1,c2", done.stderr)
        self.assertEqual(self.leftovers(), ["d.csv", "s.toml", "wide.toml"])

    def test_it_reads_well(self):
        text = self.run_flaim("plan", "--schema", self.schema, "--epsilon", "1").stdout
        for word in ("promise", "one-ways", "rounds", "memory", "very roughly"):
            self.assertIn(word, text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
