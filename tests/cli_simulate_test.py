"""Federated methods on the command line, as a user meets them: simulate and methods.

Run by ctest as: python3 cli_simulate_test.py PATH_OF_FLAIM FOLDER_OF_THE_DATASETS
"""

import collections
import json
import math
import pathlib
import random
import signal
import subprocess
import sys
import time
import unittest

from cli_testing import FLAIM, CommandLineTest

DATASETS = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "datasets")

METHODS = ("aim", "aim-paper", "dist-aim", "naive-flaim", "augflaim-oracle", "augflaim-private", "flaim-random", "fed-naive-bayes",
           "flaim-once", "flaim-once-joint", "dist-aim-once")
NOT_PRIVATE = ("augflaim-oracle",)

SCHEMA = "".join(f'[[column]]\nname = "{name}"\ntype = "integer"\nmin = 0\nmax = {size - 1}\n'
                 for name, size in (("a", 4), ("b", 3), ("c", 2), ("d", 5)))


def row(i):
    """b and c follow from a most of the time; d is on its own."""
    a = (i * 7 + i // 5) % 4
    return a, a % 3 if i % 10 else i % 3, a % 2 if i % 8 else i % 2, i * i % 5


def rows(count, client=lambda i: random.Random(i).randrange(20)):
    return "a,b,c,d,site\n" + "".join(",".join(map(str, (*row(i), client(i)))) + "\n" for i in range(count))


def without_clients(text):
    return "".join(line.rsplit(",", 1)[0] + "\n" for line in text.splitlines())


class SimulateTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.schema = self.write("s.toml", SCHEMA)
        self.data = self.write("d.csv", rows(2000))
        self.plain = self.write("plain.csv", without_clients(rows(2000)))

    def simulate(self, *extra, method="flaim-once", data=None, partition="column:site", epsilon="3", code=0,
                 as_preset=False):
        """Unless told otherwise with the fast one of the two accountants that FLAIM-Once can have."""
        if "once" in method and not as_preset and "--accounting" not in extra:
            extra += ("--accounting", "cap")
        return self.run_flaim("simulate", data or self.data, "--schema", self.schema, "--partition", partition,
                              "--method", method, "--epsilon", epsilon, "--workload", "all:2", *extra, code=code)

    def test_swapped_rows_are_closer_to_the_model(self):
        def distance(*extra):
            error = self.report("--seed", "4", "--evaluate", *extra, epsilon="50")["error"]
            return abs(error["rows"]["queries"] - error["model"]["queries"])
        self.assertLess(distance("--swap-rows"), distance())

    def report(self, *extra, **named):
        return json.loads(self.simulate("--json", *extra, **named).stdout)

    def refused(self, *extra, words=(), code=3, **named):
        message = self.simulate(*extra, "-o", self.path("refused.flaim"), code=code, **named).stderr
        for word in words:
            self.assertIn(word, message)
        self.assertNotIn("refused.flaim", self.leftovers())
        return message


class RunTest(SimulateTest):
    def test_every_method_learns_something_and_nobody_pays_more_than_allowed(self):
        guess = self.report("--evaluate", "--seed", "5", method="fed-naive-bayes")
        for method in METHODS:
            with self.subTest(method):
                report = self.report("--evaluate", "--seed", "5", method=method, as_preset=True)
                self.assertEqual(report["method"], method)
                self.assertEqual(report["changes"], "")
                self.assertLess(report["error"]["rows"]["queries"], 1)
                if method not in ("fed-naive-bayes", "flaim-random"):
                    self.assertLess(report["error"]["model"]["queries"], guess["error"]["model"]["queries"])
                spend = report["spend"]
                self.assertGreater(spend["rho"]["mean"], 0)
                self.assertLessEqual(spend["rho"]["mean"], spend["rho"]["max"] * (1 + 1e-12))
                self.assertLessEqual(spend["rho"]["max"], spend["rho_allowed"])
                if spend["accounting"] != "exact":
                    self.assertLessEqual(spend["epsilon_max"], 3 + 1e-9)
                self.assertEqual(report["method_is_private"], method not in NOT_PRIVATE)
                self.assertFalse(report["is_private"])

    def test_the_seed_decides_everything_and_threads_nothing(self):
        for method, partition, data in (("flaim-once", "column:site", self.data), ("naive-flaim", "iid:15", self.plain),
                                        ("dist-aim", "iid:15", self.plain)):
            with self.subTest(method):
                run = lambda seed, threads, output: self.simulate(
                    "--seed", seed, "--threads", threads, "-o", self.path(output), method=method, partition=partition,
                    data=data)
                run("7", "1", "one")
                run("7", "2", "two")
                run("8", "1", "other")
                self.assertEqual(self.bytes_of("one"), self.bytes_of("two"))
                self.assertNotEqual(self.bytes_of("one"), self.bytes_of("other"))

    def test_a_fit_is_the_simulation_of_a_method_on_one_table(self):
        for number, how in enumerate(([], ["--rounds", "3"], ["--method", "aim-paper"], ["--noise-penalty", "0.3"],
                                      ["--anneal=2", "--model-cells", "40"], ["--selection-share", "0.3"])):
            with self.subTest(how):
                method = how if "--method" in how else ["--method", "aim", *how]
                common = ["--schema", self.schema, "--epsilon", "3", "--workload", "all:2", "--seed", "7"]
                self.run_flaim("fit", self.plain, *common, *how, "--ledger", self.path(f"{number}.ledger"), "-o",
                               self.path("fit"))
                self.run_flaim("simulate", self.plain, *common, *method, "--partition", "iid:20", "-o",
                               self.path("simulation"))
                self.assertEqual(self.bytes_of("fit"), self.bytes_of("simulation"))

    def test_a_run_without_a_seed_draws_one_and_can_be_repeated(self):
        first = self.report("-o", self.path("first"))
        second = self.report("-o", self.path("second"))
        self.assertNotEqual(first["seed"], second["seed"])
        self.simulate("--seed", str(first["seed"]), "-o", self.path("again"))
        self.assertEqual(self.bytes_of("first"), self.bytes_of("again"))

    def test_the_model_is_stamped_and_can_be_used(self):
        self.simulate("--seed", "4", "-o", self.path("m"), "--cap", "2")
        shown = json.loads(self.run_flaim("show", self.path("m"), "--json").stdout)
        self.assertFalse(shown["is_private"])
        self.assertIn("seeded:4", shown["noise"])
        self.assertRegex(shown["algorithm"], r"^flaim-once \(.*cap 2\b.*\)$")
        self.assertIn("WARNING", self.run_flaim("sample", self.path("m"), "-n", "5", "-o", self.path("rows")).stderr)
        self.simulate("--seed", "4", "-o", self.path("m"), method="augflaim-oracle")
        shown = json.loads(self.run_flaim("show", self.path("m"), "--json").stdout)
        self.assertIn("method that is NOT PRIVATE", shown["noise"])

    def test_the_report_agrees_with_the_model(self):
        report = self.report("--seed", "1", "--evaluate", "-o", self.path("m"))
        self.assertNotIn("seconds", report)
        shown = json.loads(self.run_flaim("show", self.path("m"), "--json").stdout)
        for key in ("epsilon", "delta", "records", "model_cells", "noise", "adjacency"):
            self.assertEqual(report[key], shown[key])
        self.assertEqual(report["model"], self.path("m"))
        self.assertEqual(report["rows"], 2000)
        self.assertEqual(report["seed"], 1)
        self.assertEqual(len(report["rounds"]), 10)
        self.assertEqual(report["rounds"][-1]["error"], report["error"]["model"])
        self.assertAlmostEqual(report["rounds"][-1]["records"], report["records"])
        self.assertTrue(all(set(name.split(",")) <= set("abcd") for name in report["rounds"][0]["chosen"]))
        self.assertEqual(report["clients"]["enrolled"], 20)
        self.assertEqual(report["clients"]["took_part"], 20)
        self.assertEqual(report["clients"]["rounds_served"], {"mean": 1, "max": 1})
        self.assertGreaterEqual(report["clients"]["sent_bytes"]["max"], report["clients"]["sent_bytes"]["mean"])
        preset = json.loads(self.run_flaim("methods", "flaim-once", "--json").stdout)["choices"]
        self.assertEqual(report["choices"], {**preset, "accounting": "cap"})

    def test_errors_are_plausible(self):
        report = self.report("--seed", "2", "--evaluate", epsilon="50", method="aim")
        self.assertEqual(report["error"]["queries_are"], "2-way")
        self.assertLess(report["error"]["rows"]["queries"], 0.05)
        self.assertLessEqual(report["error"]["rows"]["closure"], report["error"]["rows"]["queries"])
        noisy = self.report("--seed", "2", "--evaluate", epsilon="0.05", method="aim")
        self.assertGreater(noisy["error"]["rows"]["queries"], report["error"]["rows"]["queries"])
        self.assertLessEqual(noisy["error"]["rows"]["queries"], 2)
        self.assertNotIn("error", self.report("--seed", "2"))

    def test_held_out_rows_with_or_without_the_client_column_give_the_same_likelihood(self):
        test = self.write("test.csv", rows(300))
        plain = self.write("test_plain.csv", without_clients(rows(300)))
        one, other = (self.report("--seed", "2", "--test", path)["held_out"] for path in (test, plain))
        self.assertEqual(one, other)
        self.assertEqual(one["records"], 300)
        self.assertEqual(one["impossible_records"], 0)
        self.assertLess(one["smoothed_nats"], 4.79)  # log of the 120 possible records
        counts = collections.Counter(row(i) for i in range(300)).values()
        self.assertGreater(one["smoothed_nats"], -sum(n / 300 * math.log(n / 300) for n in counts))  # their entropy
        self.refused("--test", self.path("none"), code=1)
        self.refused("--test", self.write("empty.csv", "a,b,c,d\n"), words=["empty.csv", "no rows"])
        self.refused("--test", self.write("bad.csv", "a,b,c,d\n9,0,0,0\n"), words=["bad.csv:2"])

    def test_overrides_are_named_and_take_effect(self):
        report = self.report("--selection", "random", "--accounting", "exact", "--cap", "3", "--rounds", "4", "--seed",
                             "1", method="naive-flaim")
        self.assertEqual(report["changes"], "selection random, accounting exact, cap 3, rounds 4")
        self.assertIn("turns", report["availability"])
        report = self.report("--accounting", "paper", "--seed", "1", method="naive-flaim")
        self.assertIn("probability 0.1", report["availability"])
        report = self.report("--marginals", "4", "--choosing-rounds", "1", "--rounds", "5", "--participation", "0.2",
                             "--one-way-share", "0.3", "--seed", "1")
        self.assertEqual(report["choices"]["marginals"], 4)
        self.assertEqual([len(round["chosen"]) > 0 for round in report["rounds"]], [True] + [False] * 4)
        report = self.report("--local-steps", "2", "--local-stepping", "measure", "--seed", "1", method="naive-flaim")
        self.assertEqual(report["choices"]["local-stepping"], "measure")
        self.assertLessEqual(report["spend"]["rho"]["max"], report["spend"]["rho_allowed"])
        report = self.report("--anneal", "--seed", "1", method="dist-aim")
        self.assertEqual(report["choices"]["anneal"], 8)
        report = self.report("--anneal=2", "--paper-fit", "--seed", "1", method="aim")
        self.assertEqual(report["choices"]["anneal"], 2)
        report = self.report("--wait-for", "0.5", "--seed", "1", method="dist-aim")
        self.assertGreaterEqual(report["rounds"][0]["clients"], 10)

    def test_the_exact_accountant_says_what_zcdp_would_have_said(self):
        done = self.simulate("--accounting", "exact", "--seed", "1", method="flaim-once-joint")
        self.assertIn("at most 3 by the exact accountant", done.stdout)

    def test_availability_can_be_everybody_or_a_trace(self):
        report = self.report("--participation", "1", "--seed", "1", "--rounds", "1", "--choosing-rounds", "1")
        self.assertEqual([round["clients"] for round in report["rounds"]], [20])
        trace = self.write("trace.txt", "# round by round\n0 1 2\n\n5 19\n3 4 5\n")
        report = self.report("--availability", "trace:" + trace, "--seed", "1")
        self.assertEqual([round["clients"] for round in report["rounds"]], [3, 2, 2])  # 5 has served already
        self.assertEqual(report["clients"]["took_part"], 7)
        self.assertIn("3 of 10 rounds", self.simulate("--availability", "trace:" + trace).stdout)

    def test_quiet_leaves_the_summary_and_a_model_on_standard_output_nothing_else(self):
        loud = self.simulate("--seed", "1", "--evaluate")
        self.assertIn("chosen marginals", loud.stderr)
        self.assertRegex(loud.stdout, r"(?m)^error +2-way 0\.\d+, closure 0\.\d+")
        for word in ("clients ", "sent ", "received ", "spend ", "promise ", "trust ", "seed "):
            self.assertRegex(loud.stdout, f"(?m)^{word}")
        quiet = self.simulate("--seed", "1", "--evaluate", "-q")
        self.assertEqual(quiet.stderr, "")
        drop_seconds = lambda text: [line for line in text.splitlines() if not line.startswith("method")]
        self.assertEqual(drop_seconds(quiet.stdout), drop_seconds(loud.stdout))
        command = [FLAIM, "simulate", self.data, "--schema", self.schema, "--partition", "column:site", "--method",
                   "flaim-once", "--epsilon", "3", "--workload", "all:2", "--seed", "1"]
        streamed = subprocess.run([*command, "-o", "-"], capture_output=True, timeout=120)
        subprocess.run([*command, "-o", self.path("m")], capture_output=True, timeout=120, check=True)
        self.assertEqual(streamed.stdout, self.bytes_of("m"))
        self.assertIn(b"promise", streamed.stderr)

    def test_what_is_not_private_is_said_loudly(self):
        for flags, method, word in (([], "augflaim-oracle", "oracle"),
                                    (["--weighting", "true-sizes"], "naive-flaim", "true-sizes"),
                                    (["--published-code", "--accounting", "paper"], "naive-flaim", "half")):
            done = self.simulate("-q", "--seed", "1", *flags, method=method)
            self.assertIn("WARNING", done.stderr)
            self.assertIn("NOT private", done.stderr)
            self.assertIn(word, done.stderr)
            self.assertIn("promise   NONE", done.stdout)
        report = self.report("--published-code", "--accounting", "paper", "--seed", "1", method="naive-flaim")
        self.assertGreater(report["spend"]["epsilon_allowed"], 3.01)
        self.assertIn("claimed epsilon 3; what clients pay at worst is epsilon", done.stdout)


class UnevenPartitionTest(SimulateTest):
    def setUp(self):
        super().setUp()
        self.few = self.write("few.csv", without_clients(rows(600)))

    def test_rows_can_be_dealt_by_clusters_and_by_label(self):
        for partition in ("clusters:5", "label-skew:5:0.5:a"):
            with self.subTest(partition):
                run = lambda seed, threads, output: self.report(
                    "--seed", seed, "--threads", threads, "-o", self.path(output), partition=partition, data=self.few)
                self.assertEqual(run("1", "1", "one")["clients"]["enrolled"], 5)
                run("1", "3", "three")
                run("2", "1", "other")
                self.assertEqual(self.bytes_of("one"), self.bytes_of("three"))
                self.assertNotEqual(self.bytes_of("one"), self.bytes_of("other"))

    def test_uneven_partitions_that_are_none_are_refused(self):
        self.refused(data=self.few, partition="clusters:601", words=["600 rows", "601 clients"])
        for partition, word in (("clusters:0", "'0'"), ("label-skew:5:0:a", "'0'"), ("label-skew:5:0.5", "label-skew"),
                                ("label-skew:5:x:a", "'x'")):
            self.refused(data=self.few, partition=partition, words=[word])
        self.refused(data=self.few, partition="label-skew:5:0.5:z", words=["'z'"])


class LabelTest(SimulateTest):
    def setUp(self):
        super().setUp()
        self.test = self.write("test.csv", without_clients(rows(400)))

    def test_synthetic_rows_are_scored_by_what_a_classifier_learns_from_them(self):
        report = self.report("--seed", "1", "--test", self.test, "--label", "c", data=self.plain, partition="iid:5")
        self.assertEqual(set(report["auc"]), {"synthetic", "true"})
        for score in report["auc"].values():
            self.assertGreaterEqual(score, 0)
            self.assertLessEqual(score, 1)
        self.assertGreater(report["auc"]["true"], 0.8)  # c follows from a most of the time
        text = self.simulate("--seed", "1", "--test", self.test, "--label", "c", data=self.plain, partition="iid:5")
        self.assertRegex(text.stdout, r"(?m)^auc +0\.\d+ ")
        self.assertNotIn("auc", self.report("--seed", "1", "--test", self.test, data=self.plain, partition="iid:5"))

    def test_a_label_that_is_no_column_or_has_nothing_to_be_tested_on_is_refused(self):
        self.refused("--test", self.test, "--label", "z", data=self.plain, partition="iid:5", words=["'z'", "--label"])
        self.refused("--label", "c", data=self.plain, partition="iid:5", words=["--label", "--test"])


class BadInputTest(SimulateTest):
    def test_clients_without_rows_take_part_and_add_nothing(self):
        few = self.write("few.csv", without_clients(rows(30)))
        for method in METHODS:
            with self.subTest(method):
                report = self.report("--seed", "1", method=method, partition="iid:50", data=few)
                self.assertEqual(report["clients"]["without_rows"], 0 if method.startswith("aim") else 20)
        self.assertIn("20 of them have no rows", self.simulate(data=few, partition="iid:50").stderr)

    def test_one_client_is_a_federation(self):
        alone = self.write("alone.csv", rows(200, lambda i: 77))
        for method in METHODS:
            with self.subTest(method):
                report = self.report("--seed", "1", "--participation", "1", method=method, data=alone)
                self.assertEqual(report["clients"]["took_part"], 1)

    def test_gaps_between_client_numbers_make_no_clients_and_a_trace_calls_them_by_their_numbers(self):
        gaps = self.write("gaps.csv", rows(200, lambda i: (3, 70, 12)[i % 3]))
        self.assertEqual(self.report("--seed", "1", "--participation", "1", data=gaps)["clients"]["enrolled"], 3)
        trace = self.write("trace.txt", "70\n3 12\n")
        report = self.report("--seed", "1", "--availability", "trace:" + trace, data=gaps)
        self.assertEqual([round["clients"] for round in report["rounds"]], [1, 2])
        unknown = self.write("unknown.txt", "70\n3 4\n")
        self.refused("--availability", "trace:" + unknown, data=gaps,
                     words=["unknown.txt", "round 2", "client 4", "3 to 70"])
        self.refused("--availability", "trace:" + unknown, data=self.write("p.csv", without_clients(rows(20))),
                     partition="iid:4", words=["round 1", "client 70", "0 to 3"])

    def test_a_partition_column_with_blanks_or_words_is_refused_with_its_line(self):
        blank = self.write("blank.csv", rows(3) + "0,0,0,0,\n")
        self.refused(data=blank, words=["blank.csv:5", "'site'", "partition"])
        word = self.write("word.csv", rows(3) + "0,0,0,0,north\n")
        self.refused(data=word, words=["word.csv:5", "'north'"])

    def test_a_partition_column_that_is_missing_or_kept_is_refused(self):
        self.refused(partition="column:ward", words=["'ward'", "partition column:ward"])
        self.refused(partition="column:a", words=["'a'", "kept by the schema"])
        self.refused(partition="iid:10", words=["'site'", "drop"])
        dropped = self.write("s2.toml", 'drop = ["site"]\n' + SCHEMA)
        self.schema = dropped
        self.simulate(partition="iid:10")
        self.simulate(partition="column:site")

    def test_partitions_that_are_none_are_refused(self):
        for partition, word in (("iid:0", "'0'"), ("iid:many", "'many'"), ("column:", "names no column"),
                                ("idd:5", "Did you mean"), ("iid:99999999999", "10000000")):
            self.refused(partition=partition, words=[word])

    def test_tables_without_rows_are_refused(self):
        self.refused(data=self.write("empty.csv", "a,b,c,d,site\n"), words=["empty.csv", "no rows"])
        self.refused(data=self.write("e.csv", "a,b,c,d\n"), partition="iid:3", words=["no rows"])
        self.refused(data=self.path("none.csv"), code=1)

    def test_rates_and_rounds_of_zero_are_wrong_usage(self):
        self.refused("--participation", "0", words=["--participation", "nobody"], code=2)
        for rate in ("-0.1", "1.1", "nan", "half"):
            self.refused("--participation", rate, words=["--participation"], code=2)
        self.refused("--selection", "globally", words=["--selection", "summed-scores"], code=2)
        self.refused("--availability", "posson", words=["Did you mean 'poisson'"], code=2)

    def test_choices_out_of_their_bounds_are_wrong_usage(self):
        for flag, values in (("rounds", ("0", "100001", "2.5", "ten")), ("cap", ("0", "100001")), ("wait-for", ("-0.1", "1.1")),
                             ("choosing-rounds", ("0",)), ("marginals", ("0",)), ("choices-at-once", ("-1",)),
                             ("one-way-share", ("0", "1")), ("selection-share", ("0", "1")), ("local-steps", ("0", "101")),
                             ("noise-penalty", ("nan", "-1", "1001")), ("anneal", ("0", "none", "100001")),
                             ("selection", ("globally",)), ("penalty", ("some",)), ("one-ways", ("last",)),
                             ("one-way-candidates", ("drop",)), ("weighting", ("none",)), ("membership", ("absent",)),
                             ("accounting", ("book",)), ("local-stepping", ("jump",))):
            for value in values:
                with self.subTest(f"--{flag}={value}"):
                    self.refused(f"--{flag}={value}", words=[f"--{flag}", "is not"], code=2)

    def test_a_rate_at_which_nobody_comes_is_refused(self):
        self.refused("--participation", "0.001", "--rounds", "2", words=["no client", "participation"])
        nobody = self.write("nobody.txt", "\n\n")
        self.refused("--availability", "trace:" + nobody, words=["no client"])
        self.refused("--availability", "trace:" + self.path("none.txt"), code=1)
        self.refused("--availability", "trace:" + self.write("words.txt", "0 one\n"), words=["words.txt, line 1"])

    def test_a_budget_that_cannot_pay_for_a_round_is_refused(self):
        for method in ("flaim-once", "naive-flaim", "aim"):
            self.refused(epsilon="1e-9", method=method, words=["epsilon"], code=4)
        self.refused(epsilon="-1")

    def test_an_unknown_method_is_wrong_usage_with_the_closest_name(self):
        self.refused(method="flaim-one", words=["'flaim-one'", "Did you mean 'flaim-once'?", "dist-aim"], code=2)

    def test_flags_that_contradict_each_other_are_refused(self):
        for method, flags, word in (
                ("dist-aim", ["--rounds", "3", "--anneal"], "anneal"),
                ("dist-aim-once", ["--rounds", "3"], "rounds"),
                ("dist-aim", ["--cap", "2", "--accounting", "cap"], "pool"),
                ("flaim-once", ["--cap", "2", "--accounting", "exact"], "accounting cap"),
                ("naive-flaim", ["--cap", "2", "--accounting", "paper"], "accounting cap"),
                ("naive-flaim", ["--anneal", "--accounting", "cap"], "accounting paper"),
                ("naive-flaim", ["--marginals", "5"], "marginals"),
                ("naive-flaim", ["--wait-for", "0.5"], "membership pool"),
                ("naive-flaim", ["--local-stepping", "measure"], "local-steps"),
                ("flaim-once", ["--penalty", "proxy"], "penalty"),
                ("flaim-once", ["--one-ways", "first"], "one-ways"),
                ("flaim-once", ["--selection", "local"], "selection by sums"),
                ("flaim-once", ["--accounting", "paper"], "accounting"),
                ("flaim-once", ["--published-code"], "published"),
                ("flaim-once", ["--choosing-rounds", "11"], "rounds"),
                ("flaim-once", ["--availability", "all", "--participation", "0.5"], "availability"),
                ("flaim-once", ["--json", "-o", "-"], "standard output"),
                ("aim", ["--selection", "random"], "has no clients"),
        ):
            with self.subTest(f"{method} {flags}"):
                done = self.simulate(*flags, method=method, code=3)
                self.assertIn(word, done.stderr)

    def test_an_unwritable_output_is_noticed_before_the_work(self):
        self.simulate("-o", self.path("no/such/m"), data=self.path("none.csv"), code=1)
        self.assertNotIn("round ", self.simulate("-o", self.path("no/such/m"), code=1).stderr)


class InterruptionTest(SimulateTest):
    def test_an_interrupted_run_says_so_and_leaves_no_file(self):
        process = subprocess.Popen(
            [FLAIM, "simulate", self.plain, "--schema", self.schema, "--partition", "iid:300", "--method",
             "naive-flaim", "--epsilon", "9", "--accounting", "paper", "--rounds", "20000", "--threads", "1", "-o",
             self.path("m")], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        self.addCleanup(process.kill)
        while "chosen marginals" not in process.stderr.readline():
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        self.assertIn("interrupted", process.communicate(timeout=60)[1])
        self.assertEqual(process.returncode, 130)
        self.assertEqual(self.leftovers(), ["d.csv", "plain.csv", "s.toml"])

    # Each round is held against the truth in all triples of thirty columns.
    def test_a_run_that_is_being_evaluated_ends_soon(self):
        columns = 30
        schema = self.write("wide.toml", "".join(
            f'[[column]]\nname = "c{i}"\ntype = "integer"\nmin = 0\nmax = 3\n' for i in range(columns)))
        rows = [",".join(f"c{i}" for i in range(columns))]
        rows += [",".join(str((row * (i + 1) + row // 7) % 4) for i in range(columns)) for row in range(400)]
        process = subprocess.Popen(
            [FLAIM, "simulate", self.write("wide.csv", "\n".join(rows) + "\n"), "--schema", schema, "--partition", "iid:4",
             "--method", "naive-flaim", "--epsilon", "9", "--rounds", "2000", "--availability", "all", "--workload", "all:3", "--evaluate",
             "--threads", "1"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        self.addCleanup(process.kill)
        while "chosen marginals" not in process.stderr.readline():
            self.assertIsNone(process.poll())
        time.sleep(0.5)
        asked = time.monotonic()
        process.send_signal(signal.SIGTERM)
        self.assertIn("interrupted", process.communicate(timeout=60)[1])
        self.assertLess(time.monotonic() - asked, 3)
        self.assertEqual(process.returncode, 130)


class MethodsTest(CommandLineTest):
    def test_the_page_on_methods_has_the_choices_of_the_program(self):
        page = (pathlib.Path(__file__).parent.parent / "docs" / "METHODS.md").read_text()
        generated = page.split("<!-- flaim methods --markdown -->\n")[1].split("<!-- end -->")[0]
        self.assertEqual(generated.strip(), self.run_flaim("methods", "--markdown").stdout.strip())

    def test_all_methods_are_listed_with_whom_they_trust(self):
        listed = json.loads(self.run_flaim("methods", "--json").stdout)
        self.assertEqual([method["name"] for method in listed], list(METHODS))
        self.assertEqual([method["name"] for method in listed if not method["is_private"]], list(NOT_PRIVATE))
        text = self.run_flaim("methods").stdout
        for method in listed:
            self.assertIn(method["name"], text)
            self.assertIn(method["summary"], text)
            self.assertIn(method["trust"], text)

    def test_one_method_shows_its_choices_as_the_flags_of_simulate(self):
        help_text = self.run_flaim("simulate", "--help").stdout
        for method in json.loads(self.run_flaim("methods", "--json").stdout):
            one = json.loads(self.run_flaim("methods", method["name"], "--json").stdout)
            self.assertEqual(one, method)
            text = self.run_flaim("methods", method["name"]).stdout
            for choice in one["choices"]:
                self.assertIn(f"--{choice}", text)
                self.assertIn(f"--{choice}", help_text)

    def test_an_unknown_method_is_wrong_usage(self):
        self.assertIn("Did you mean 'aim'?", self.run_flaim("methods", "aym", code=2).stderr)


class RealDataTest(CommandLineTest):
    def test_the_reference_split_of_adult(self):
        folder = DATASETS / "reference" / "adult"
        if not (folder / "train.csv.xz").exists():
            self.skipTest(f"the reference split of Adult is not in {folder}")
        done = self.run_flaim("simulate", str(folder / "train.csv.xz"), "--schema", str(folder / "domain.json"),
                              "--workload", str(folder / "workload.json"), "--partition", "column:client_id",
                              "--method", "flaim-once", "--epsilon", "1", "--delta", "1e-5", "--rounds", "10",
                              "--participation", "0.1", "--seed", "1", "--evaluate", "--test",
                              str(folder / "test.csv.xz"), "--json", "-o", self.path("m.flaim"))
        report = json.loads(done.stdout)
        self.assertEqual(report["clients"]["enrolled"], 100)
        self.assertEqual(report["held_out"]["records"], 4884)
        self.assertEqual(report["error"]["queries_are"], "3-way")
        self.assertLess(report["error"]["rows"]["queries"], 0.35)
        self.assertGreater(report["error"]["rows"]["queries"], 0.1)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=1)
