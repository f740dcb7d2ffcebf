"""The flaim program as a user meets it: right and wrong flags, good and broken files, exit codes; schemas,
measurements and ledgers. Models: cli_model_test.py."""

import json
import os
import pathlib
import signal
import stat
import subprocess
import sys
import time
import unittest

from cli_testing import FLAIM, NOT_PRIVATE, CommandLineTest


class UsageTest(CommandLineTest):
    def test_no_command_explains_itself(self):
        self.assertIn("--help", self.run_flaim(code=2).stderr)

    def test_an_unknown_command_is_named_and_the_known_ones_are_listed(self):
        message = self.run_flaim("bugdet", code=2).stderr
        self.assertIn("bugdet", message)
        self.assertIn("budget", message)

    def test_an_unknown_flag_is_named(self):
        self.assertIn("--epsilom", self.run_flaim("budget", "--epsilom", "1", code=2).stderr)

    def test_a_missing_flag_is_named(self):
        self.assertIn("--epsilon", self.run_flaim("budget", code=2).stderr)

    def test_every_command_has_help(self):
        for command in (["schema"], ["schema", "init"], ["schema", "check"], ["plan"], ["fit"], ["show"], ["sample"],
                        ["budget"], ["measure"], ["encode"], ["ledger"], ["ledger", "create"], ["ledger", "show"],
                        ["ledger", "verify"]):
            self.assertIn("Usage", self.run_flaim(*command, "--help").stdout)

    def test_the_version_is_printed(self):
        self.assertRegex(self.run_flaim("--version").stdout, r"^\d+\.\d+\.\d+\n$")

    def test_a_result_that_cannot_be_written_is_a_failure(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([FLAIM, "budget", "--epsilon", "1"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("standard output", done.stderr)


class BudgetTest(CommandLineTest):
    def test_the_golden_values_are_printed(self):
        for delta, rho, mu in ((1e-5, 0.03056, 0.2681), (1e-6, 0.02436, 0.2367), (1e-7, 0.02019, 0.2137),
                               (1e-9, 0.01497, 0.1820)):
            result = json.loads(self.run_flaim("budget", "--epsilon", "1", "--delta", str(delta), "--json").stdout)
            self.assertAlmostEqual(result["rho"], rho, delta=6e-6)
            self.assertAlmostEqual(result["mu"], mu, delta=6e-5)

    def test_the_exact_accountant_never_asks_for_more_noise_than_zcdp_nor_less_than_the_limit(self):
        result = json.loads(self.run_flaim("budget", "--epsilon", "1", "--json").stdout)
        for row in result["measuring_only"]:
            self.assertLess(row["sigma_exact"], row["sigma_zcdp"])
            self.assertGreater(row["sigma_exact"], 0.999 * row["sigma_continuous"])

    def test_a_senseless_promise_is_refused(self):
        for epsilon in ("0", "-1", "nan", "1e9"):
            self.run_flaim("budget", "--epsilon", epsilon, code=3)
        self.run_flaim("budget", "--epsilon", "1", "--delta", "2", code=3)


class SchemaTest(CommandLineTest):
    def test_init_without_from_data_shows_no_value_of_the_rows(self):
        secret = self.write("secret.csv", "name,salary\nAlice Canary,918273\nBob,5\n")
        done = self.run_flaim("schema", "init", secret)
        for text in ("Canary", "918273", "Bob"):
            self.assertNotIn(text, done.stdout + done.stderr)
        self.assertIn("No value, bound or count", done.stderr)

    def test_init_stamps_the_types_that_it_guessed_from_rows_until_their_owner_knows_better(self):
        rows = self.write("flags.csv", "smoker\ntrue\nfalse\n")
        schema = self.path("flags.toml")
        self.assertIn("remove that line", self.run_flaim("schema", "init", rows, "-o", schema).stderr)
        self.assertIn("not private", self.run_flaim("schema", "check", schema).stderr)
        text = pathlib.Path(schema).read_text()
        pathlib.Path(schema).write_text(text.replace("derived_from_private_rows = true\n", ""))
        self.assertNotIn("not private", self.run_flaim("schema", "check", schema).stderr)

    def test_an_unfinished_schema_is_refused_by_name_of_column(self):
        self.run_flaim("schema", "init", self.data, "-o", self.path("new.toml"))
        self.assertIn("sex", self.run_flaim("schema", "check", self.path("new.toml"), code=3).stderr)

    def test_from_data_warns_writes_it_down_and_fits_its_data(self):
        done = self.run_flaim("schema", "init", "--from-data", self.data, "-o", self.path("new.toml"))
        self.assertIn("NOT private", done.stderr)
        self.assertIn("derived_from_private_rows = true", pathlib.Path(self.path("new.toml")).read_text())
        self.assertIn("fits", self.run_flaim("schema", "check", self.path("new.toml"), self.data).stdout)

    def test_a_bad_row_is_named_by_file_line_column_and_value(self):
        bad = self.write("bad.csv", "age,sex,income\n1,F,2\n3,X,4\n")
        message = self.run_flaim("schema", "check", self.schema, bad, code=3).stderr
        for part in ("bad.csv", "3", "sex", "X"):
            self.assertIn(part, message)

    def test_a_missing_file_is_an_error_of_the_system(self):
        self.assertIn("nowhere.toml", self.run_flaim("schema", "check", self.path("nowhere.toml"), code=1).stderr)


class EncodeTest(CommandLineTest):
    def test_codes_come_out_in_schema_order(self):
        self.run_flaim("encode", self.data, "--schema", self.schema, "-o", self.path("c.csv"))
        lines = pathlib.Path(self.path("c.csv")).read_text().splitlines()
        self.assertEqual(lines[:3], ["age,sex,income", "0,0,0", "1,1,0"])
        self.assertEqual(len(lines), 501)

    def test_compressed_data_is_read_as_it_is(self):
        for tool, ending in (("gzip", "gz"), ("xz", "xz"), ("zstd", "zst")):
            packed = self.path("d.csv." + ending)
            with open(packed, "wb") as file:
                subprocess.run([tool, "-c", self.data], stdout=file, check=True)
            self.run_flaim("encode", packed, "--schema", self.schema, "-o", self.path(ending))
            self.run_flaim("encode", self.data, "--schema", self.schema, "-o", self.path("plain"))
            self.assertEqual(pathlib.Path(self.path(ending)).read_bytes(), pathlib.Path(self.path("plain")).read_bytes())

    def test_a_failure_leaves_the_old_output_alone(self):
        kept = self.write("c.csv", "precious")
        bad = self.write("bad.csv", "age,sex,income\n1,F,2\n3,X,4\n")
        self.run_flaim("encode", bad, "--schema", self.schema, "-o", kept, code=3)
        self.assertEqual(pathlib.Path(kept).read_text(), "precious")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["bad.csv", "c.csv", "d.csv", "s.toml"])


class MeasureTest(CommandLineTest):
    def test_a_run_is_paid_for_and_repeating_it_is_free(self):
        self.measure("--workload", "all:2")
        first = pathlib.Path(self.path("m.json")).read_text()
        spent = json.loads(self.run_flaim("ledger", "show", self.data + ".ledger", "--json").stdout)
        self.assertEqual(len(spent["debits"]), 3)
        self.assertLessEqual(spent["rho_spent"], spent["rho_total"])
        self.assertGreater(spent["rho_spent"], 0.9999 * spent["rho_total"])
        self.measure("--workload", "all:2", output="again.json")
        self.assertEqual(pathlib.Path(self.path("again.json")).read_text(), first)
        again = json.loads(self.run_flaim("ledger", "show", self.data + ".ledger", "--json").stdout)
        self.assertEqual(again["rho_spent"], spent["rho_spent"])

    def test_what_the_budget_does_not_allow_is_refused_whole(self):
        self.measure("--workload", "all:1")
        before = self.run_flaim("ledger", "show", self.data + ".ledger").stdout
        self.assertIn("left", self.measure("--workload", "all:2", "--run", "more", code=4, output="x.json").stderr)
        self.assertFalse(os.path.exists(self.path("x.json")))
        self.assertEqual(self.run_flaim("ledger", "show", self.data + ".ledger").stdout, before)

    def test_a_run_that_can_be_paid_for_in_part_only_is_refused_before_it_starts(self):
        self.run_flaim("ledger", "create", self.path("l"), "--data", "d", "--epsilon", "1.2")
        self.measure("--ledger", self.path("l"), "--workload", "all:1")
        self.measure("--ledger", self.path("l"), "--workload", "all:2", "--run", "more", code=4)
        shown = json.loads(self.run_flaim("ledger", "show", self.path("l"), "--json").stdout)
        self.assertEqual({debit["run"] for debit in shown["debits"]}, {"measure"})

    def test_seeded_noise_stamps_output_and_ledger(self):
        done = self.measure("--seed", "5")
        self.assertIn("NOT private", done.stderr)
        self.assertIn("NOT PRIVATE", json.loads(pathlib.Path(self.path("m.json")).read_text())["noise"])
        self.assertIn("NOT PRIVATE", self.run_flaim("ledger", "show", self.data + ".ledger", code=NOT_PRIVATE).stdout)

    def test_secure_noise_differs_between_ledgers(self):
        self.measure("--ledger", self.path("a"), output="a.json")
        self.measure("--ledger", self.path("b"), "--separate-ledger", output="b.json")
        first, second = (json.loads(pathlib.Path(self.path(n)).read_text()) for n in ("a.json", "b.json"))
        self.assertEqual(first["noise"], "secure")
        self.assertNotEqual(first["marginals"], second["marginals"])

    def test_noise_is_of_the_size_that_is_stated(self):
        columns = "".join(f'[[column]]\nname = "c{i}"\ntype = "integer"\nmin = 0\nmax = 255\n' for i in range(8))
        wide = self.write("wide.toml", columns)
        rows = self.write("wide.csv", ",".join(f"c{i}" for i in range(8)) + "\n")
        self.run_flaim("measure", rows, "--schema", wide, "--epsilon", "1", "-o", self.path("w.json"))
        result = json.loads(pathlib.Path(self.path("w.json")).read_text())
        numerator, _, denominator = result["sigma_squared"].partition("/")
        variance = int(numerator) / int(denominator or 1)
        cells = [count for marginal in result["marginals"] for count in marginal["counts"]]
        self.assertEqual(len(cells), 2048)
        measured = sum(cell * cell for cell in cells) / len(cells)
        # chi-squared with 2048 degrees of freedom: 7 standard deviations are 22%
        self.assertAlmostEqual(measured / variance, 1, delta=0.22)

    def test_an_unwritable_output_costs_nothing(self):
        self.run_flaim("measure", self.data, "--schema", self.schema, "--epsilon", "1", "-o",
                       self.path("no/such/folder/m.json"), code=1)
        shown = json.loads(self.run_flaim("ledger", "show", self.data + ".ledger", "--json").stdout)
        self.assertEqual(shown["debits"], [])

    def test_bad_workloads_are_refused_before_anything_is_paid(self):
        for workload in ("all:0", "all:9", "random:5:2", "all:x"):
            self.assertNotEqual(self.run_for_code("--workload", workload), 0)
        self.assertFalse(os.path.exists(self.data + ".ledger"))

    def run_for_code(self, *extra):
        return subprocess.run([FLAIM, "measure", self.data, "--schema", self.schema, "--epsilon", "1", "-o",
                               self.path("m.json"), *extra], capture_output=True, timeout=120).returncode

    def test_killed_at_random_moments_it_never_releases_two_values_for_one_debit(self):
        command = [FLAIM, "-q", "measure", self.data, "--schema", self.schema, "--workload", "all:2", "--epsilon", "1",
                   "--ledger", self.path("l"), "-o", self.path("m.json")]
        self.run_flaim("ledger", "create", self.path("l"), "--data", "d", "--epsilon", "20")
        for attempt in range(15):
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.004 * attempt)
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.run_flaim("ledger", "verify", self.path("l"))
        self.run_flaim(*command[1:])
        shown = json.loads(self.run_flaim("ledger", "show", self.path("l"), "--json").stdout)
        released = [debit["query"] for debit in shown["debits"] if debit["noise"] == "secure"]
        self.assertEqual(sorted(released), ["age,income", "age,sex", "sex,income"])


class LedgerTest(CommandLineTest):
    def test_a_shared_budget_serves_several_runs(self):
        self.run_flaim("ledger", "create", self.path("l"), "--data", "d", "--epsilon", "3")
        self.measure("--ledger", self.path("l"), "--run", "one", output="1.json")
        self.measure("--ledger", self.path("l"), "--run", "two", output="2.json")
        self.assertIn("verified", self.run_flaim("ledger", "verify", self.path("l")).stdout)

    def test_an_existing_ledger_is_not_overwritten(self):
        self.run_flaim("ledger", "create", self.path("l"), "--data", "d", "--epsilon", "3")
        self.run_flaim("ledger", "create", self.path("l"), "--data", "d", "--epsilon", "9", code=1)

    def test_only_the_owner_may_read_it(self):
        self.run_flaim("ledger", "create", self.path("l"), "--data", "d", "--epsilon", "3")
        self.assertEqual(stat.S_IMODE(os.stat(self.path("l")).st_mode), 0o600)

    def test_a_changed_byte_is_found(self):
        self.measure("--ledger", self.path("l"))
        content = bytearray(pathlib.Path(self.path("l")).read_bytes())
        position = content.index(b"income") + 2
        content[position] ^= 1
        pathlib.Path(self.path("l")).write_bytes(content)
        self.run_flaim("ledger", "verify", self.path("l"), code=5)

    def test_removed_rows_are_found_with_a_noted_head(self):
        self.run_flaim("ledger", "create", self.path("l"), "--data", "d", "--epsilon", "3")
        early = pathlib.Path(self.path("l")).read_bytes()
        self.measure("--ledger", self.path("l"))
        head = json.loads(self.run_flaim("ledger", "show", self.path("l"), "--json").stdout)["head"]
        pathlib.Path(self.path("l")).write_bytes(early)
        self.run_flaim("ledger", "verify", self.path("l"))
        self.run_flaim("ledger", "verify", self.path("l"), "--head", head, code=5)

    def test_what_is_no_ledger_is_refused_clearly(self):
        self.assertIn("ledger", self.run_flaim("ledger", "show", self.data, code=5).stderr)
        self.run_flaim("ledger", "show", self.path("nothing"), code=1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
