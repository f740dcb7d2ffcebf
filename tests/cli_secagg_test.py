"""What protocols cost, as a user meets it: bench and bench secagg.

Run by ctest as: python3 cli_secagg_test.py PATH_OF_FLAIM
"""

import json
import re
import signal
import subprocess
import sys
import time
import unittest

from cli_testing import FLAIM, CommandLineTest


class BenchTest(CommandLineTest):
    def bench(self, *extra, code=0):
        return self.run_flaim("bench", "secagg", *extra, code=code)

    def bench_json(self, *extra):
        done = self.bench("--json", self.path("b.json"), *extra)
        return json.loads(self.bytes_of("b.json")), done

    def rows_of(self, text):
        """The lines of the table by title. Titles and entries are two blanks apart, and numbers end under their titles."""
        lines = [line for line in text.splitlines() if line.startswith(("  sum", "  secure", "  plain"))]
        ends = [(match.group(), match.end()) for match in re.finditer(r"\S+(?: \S+)*", lines[0])]
        starts = [0] + [end for _, end in ends[:-1]]
        # The first column is aligned to the left and as wide as "secure".
        starts[1] = len("  secure")
        return [{title: line[start:end].strip() for (title, end), start in zip(ends, starts)} | {"sum": line.split()[0]}
                for line in lines[1:]]


class ListTest(BenchTest):
    def test_without_a_name_it_lists_what_there_is(self):
        self.assertIn("flaim bench secagg", self.run_flaim("bench").stdout)

    def test_an_unknown_name_is_refused(self):
        self.assertIn("secagk", self.run_flaim("bench", "secagk", code=2).stderr)

    def test_there_is_help(self):
        for command in (["bench"], ["bench", "secagg"]):
            self.assertIn("Usage", self.run_flaim(*command, "--help").stdout)


class SecaggTest(BenchTest):
    def test_each_combination_is_measured_secure_and_plain(self):
        report, _ = self.bench_json("--clients", "10,12", "--entries", "1000", "--dropout", "0,10")
        self.assertEqual([(row["sum"], row["clients"], row["dropout_percent"]) for row in report["sums"]],
                         [(kind, clients, dropout) for clients in (10, 12) for dropout in (0, 10)
                          for kind in ("secure", "plain")])
        self.assertEqual(report["skipped"], [])
        self.assertEqual(report["asked_for"], [])

    def test_a_tenth_of_ten_vanishes_and_the_rest_contribute(self):
        report, _ = self.bench_json("--clients", "10", "--entries", "1000", "--dropout", "0,10")
        for row in report["sums"]:
            self.assertEqual(row["vanished"], 1 if row["dropout_percent"] == 10 else 0)
            self.assertEqual(row["contributors"], 10 - row["vanished"])
            self.assertEqual(row["dropouts_allowed"], 1, "the study allows it, whether or not it happens")

    def test_the_table_says_what_the_json_says(self):
        report, done = self.bench_json("--clients", "10,100", "--entries", "1000", "--dropout", "0,10")
        rows = self.rows_of(done.stdout)
        self.assertEqual(len(rows), len(report["sums"]))
        for shown, row in zip(rows, report["sums"]):
            self.assertEqual(shown["sum"], row["sum"])
            self.assertEqual(int(shown["clients"]), row["clients"])
            self.assertEqual(int(shown["entries"]), row["entries"])
            self.assertEqual(float(shown["dropout %"]), row["dropout_percent"])
            self.assertAlmostEqual(float(shown["client ms"]), 1e3 * row["client_s"]["total"], delta=0.006)
            self.assertAlmostEqual(float(shown["server s"]), row["server_s"]["total"], delta=6e-5)
            self.assertAlmostEqual(float(shown["upload MB"]), row["upload_bytes"] / 1e6, delta=6e-4)
            self.assertAlmostEqual(float(shown["extra kB"]), row["upload_bytes_beyond_the_vector"] / 1e3,
                                   delta=0.06)
            self.assertEqual(int(shown["rounds"]), row["rounds"])
            if row["sum"] == "secure":
                self.assertEqual((int(shown["k"]), int(shown["t"])), (row["degree"], row["threshold"]))
                self.assertAlmostEqual(float(shown["model ms"]), 1e3 * row["model_s"]["client_without_noise"],
                                       delta=0.006)

    def test_the_parts_add_up(self):
        report, _ = self.bench_json("--clients", "10", "--entries", "1000", "--dropout", "0,10")
        for row in report["sums"]:
            for party, parts in (("client_s", ("keys", "noise", "masking", "confirming")),
                                 ("server_s", ("receiving", "unmasking", "rest"))):
                self.assertAlmostEqual(row[party]["total"], sum(row[party][part] for part in parts), places=9)
            self.assertLessEqual(row["client_s"]["total"], row["client_s"]["slowest_total"])
            self.assertEqual(row["upload_bytes"], row["vector_bytes"] + row["upload_bytes_beyond_the_vector"])

    def test_a_plain_sum_takes_fewer_messages_and_bytes(self):
        report, _ = self.bench_json("--clients", "10", "--entries", "1000", "--dropout", "10")
        secure, plain = report["sums"]
        self.assertEqual((secure["rounds"], plain["rounds"]), (5, 2))
        self.assertLess(plain["upload_bytes"], secure["upload_bytes"])
        self.assertEqual(plain["vector_bytes"], secure["vector_bytes"])
        self.assertNotIn("degree", plain)

    def test_without_noise_there_is_none(self):
        report, _ = self.bench_json("--clients", "10", "--entries", "1000", "--dropout", "10", "--sigma", "0")
        for row in report["sums"]:
            self.assertEqual((row["noise_sigma"], row["noise_sigma_expected"], row["client_s"]["noise"]), (0, 0, 0))

    def test_as_few_bits_as_will_do_are_fewer_than_32(self):
        report, _ = self.bench_json("--clients", "10", "--entries", "1000", "--dropout", "0", "--ring-bits", "0")
        for row in report["sums"]:
            self.assertLess(row["ring_bits"], 32)
            self.assertEqual(row["vector_bytes"], 1000 // 8 * row["ring_bits"])

    def test_the_other_cipher_and_wide_words_work_on_several_threads(self):
        report, _ = self.bench_json("--clients", "12", "--entries", "1000", "--cipher", "chacha", "--ring-bits", "64",
                                    "--threads", "3")
        self.assertEqual((report["cipher"], report["threads"]), ("chacha", 3))
        self.assertEqual(report["sums"][0]["vector_bytes"], 8000)

    def test_json_can_go_to_standard_output_alone(self):
        done = self.bench("--clients", "10", "--entries", "1000", "--json", "-")
        self.assertEqual(len(json.loads(done.stdout)["sums"]), 4)

    def test_what_takes_long_is_left_out_and_how_to_run_it_is_said(self):
        report, done = self.bench_json("--clients", "10,100000", "--entries", "1000000", "--dropout", "0")
        self.assertEqual([row["clients"] for row in report["sums"]], [10, 10])
        self.assertEqual([row["clients"] for row in report["skipped"]], [100000])
        self.assertIn("--all", done.stderr)
        self.assertIn("100000 clients", done.stderr)

    def test_wrong_flags_are_explained(self):
        for arguments, expected in ((["--clients", "1"], "--clients"), (["--clients", "ten"], "--clients"),
                                    (["--entries", "0"], "--entries"), (["--dropout", "60"], "--dropout"),
                                    (["--dropout", "nan"], "--dropout"), (["--colluders", "-1"], "--colluders"),
                                    (["--sigma", "inf"], "--sigma"), (["--ring-bits", "65"], "--ring-bits"),
                                    (["--cipher", "des"], "--cipher"), (["--threads", "0"], "--threads")):
            self.assertIn(expected, self.bench(*arguments, code=2).stderr)

    def test_what_cannot_be_is_refused_before_anything_is_measured(self):
        small = ("--clients", "10", "--entries", "1000")
        self.assertIn("bits", self.bench(*small, "--ring-bits", "8", code=3).stderr)
        self.assertNotEqual(self.bench(*small, "--dropout", "50", "--colluders", "50", code=3).stderr, "")
        self.assertEqual(self.bench(*small, "--dropout", "50", "--colluders", "50", code=3).stdout, "")

    def test_an_output_that_cannot_be_made_is_refused_at_once(self):
        done = self.bench("--all", "--json", self.path("absent/b.json"), code=1)
        self.assertIn("absent", done.stderr)

    def test_interrupted_it_stops_soon_and_shows_what_was_finished(self):
        process = subprocess.Popen([FLAIM, "bench", "secagg", "--clients", "10,2000", "--entries", "1000",
                                    "--dropout", "0", "--json", self.path("b.json")],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        first = process.stderr.readline()
        process.stderr.readline()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, notes = process.communicate(timeout=60)
        self.assertIn("10 clients", first)
        self.assertEqual(process.returncode, 130, notes)
        self.assertEqual([row["clients"] for row in self.rows_of(out)], ["10", "10"])
        self.assertNotIn("b.json", self.leftovers())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=1)
