"""The flaim program and the accounts of private rows: one for the same people, whatever their file is called; one kind
of noise in each; and no run that comes back for other rows than it was about."""

import json
import os
import pathlib
import stat
import subprocess
import sys
import unittest

from cli_testing import FLAIM, NOT_PRIVATE, ROWS, CommandLineTest

OTHER_ROWS = "age,sex,income\n" + "".join(f"{i % 3},{'FM'[i % 7 == 0]},{i % 50}\n" for i in range(500))


class AccountTest(CommandLineTest):
    def fit_rows(self, data, *extra, code=0, output="m.flaim", **named):
        return self.run_flaim("fit", data, "--schema", self.schema, "--epsilon", "1", "--workload", "all:1", "-o",
                              self.path(output), *extra, code=code, **named)

    def measure_rows(self, data, *extra, code=0, **named):
        return self.run_flaim("measure", data, "--schema", self.schema, "--epsilon", "1", "-o", self.path("m.json"),
                              *extra, code=code, **named)

    def shown(self, ledger, code=0):
        return json.loads(self.run_flaim("ledger", "show", ledger, "--json", code=code).stdout)


class OneAccountTest(AccountTest):
    def test_a_link_leads_to_the_account_of_the_rows(self):
        self.fit_rows(self.data)
        os.symlink(self.data, self.path("link.csv"))
        self.assertIn("left", self.fit_rows(self.path("link.csv"), "--run", "more", code=4).stderr)
        self.assertIn("left", self.measure_rows(self.path("link.csv"), code=4).stderr)
        self.assertFalse(os.path.exists(self.path("link.csv.ledger")))

    def test_an_account_beside_a_link_is_not_forgotten(self):
        os.symlink(self.data, self.path("link.csv"))
        self.run_flaim("ledger", "create", self.path("link.csv.ledger"), "--data", "d", "--epsilon", "1")
        self.assertIn("have an account already", self.fit_rows(self.path("link.csv"), code=3).stderr)
        self.assertFalse(os.path.exists(self.data + ".ledger"))
        self.fit_rows(self.path("link.csv"), "--ledger", self.path("link.csv.ledger"))

    def test_a_second_account_is_refused_unless_it_is_meant(self):
        self.fit_rows(self.data)
        self.run_flaim("ledger", "create", self.path("made"), "--data", "d", "--epsilon", "1")
        for ledger in ("new", "made"):
            for command in (self.fit_rows, self.measure_rows):
                refused = command(self.data, "--ledger", self.path(ledger), code=3).stderr
                self.assertIn(self.data + ".ledger", refused)
                self.assertIn("--separate-ledger", refused)
        self.assertFalse(os.path.exists(self.path("new")))
        self.assertEqual(self.shown(self.path("made"))["debits"], [])
        self.fit_rows(self.data, "--ledger", self.path("new"), "--separate-ledger")
        self.fit_rows(self.data, "--ledger", self.data + ".ledger")

    def test_rows_from_a_stream_need_an_account_by_name(self):
        for stream in ("-", "/dev/stdin"):
            for command in ("fit", "measure"):
                done = subprocess.run([FLAIM, command, stream, "--schema", self.schema, "--epsilon", "1", "-o",
                                       self.path("m")], input=ROWS, capture_output=True, text=True, timeout=120,
                                      cwd=self.folder)
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn("name a ledger", done.stderr)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["d.csv", "s.toml"])


class CopiesTest(AccountTest):
    def setUp(self):
        super().setUp()
        self.state = self.folder / "state"
        self.environment = {"env": {**os.environ, "XDG_STATE_HOME": str(self.state)}}

    def warned(self, done):
        return "many of these rows were charged to" in done.stderr

    def test_a_copy_of_the_rows_is_noticed(self):
        self.assertFalse(self.warned(self.fit_rows(self.data, **self.environment)))
        header, *lines = ROWS.splitlines()
        shuffled = self.write("copy.csv", "\n".join([header, *reversed(lines), lines[0]]) + "\n")
        warned = self.fit_rows(shuffled, **self.environment)
        self.assertTrue(self.warned(warned))
        self.assertIn(self.data + ".ledger", warned.stderr)
        self.assertFalse(self.warned(self.fit_rows(self.write("other.csv", OTHER_ROWS), **self.environment)))

    def test_a_part_of_the_rows_is_noticed_and_a_table_that_has_grown(self):
        header, *lines = "".join(f"{i % 10},{'FM'[i % 3 == 0]},{i % 100}\n" for i in range(5000)).splitlines()
        for name, kept in (("half", 2500), ("whole", 4400), ("grown", 5000)):
            rows = self.write(name + ".csv", "\n".join(["age,sex,income", *lines[:kept]]) + "\n")
            self.assertEqual(self.warned(self.fit_rows(rows, **self.environment)), name != "half", name)

    def test_rows_that_were_paid_from_elsewhere_get_no_second_account_unless_it_is_meant(self):
        self.fit_rows(self.data, "--ledger", self.path("a"), **self.environment)
        os.symlink(self.data, self.path("link.csv"))
        for data in (self.data, self.path("link.csv")):
            for other in (("--ledger", self.path("b")), ()):
                for command in (self.fit_rows, self.measure_rows):
                    refused = command(data, *other, code=3, **self.environment).stderr
                    self.assertIn(f"have an account already, '{self.path('a')}'", refused)
                    self.assertIn("--separate-ledger", refused)
        self.assertFalse(os.path.exists(self.path("b")) or os.path.exists(self.data + ".ledger"))
        self.assertTrue(self.warned(self.fit_rows(self.data, "--ledger", self.path("b"), "--separate-ledger",
                                                  **self.environment)))
        self.fit_rows(self.data, "--ledger", self.path("a"), **self.environment)

    def test_a_fit_that_its_ledger_refuses_is_not_remembered(self):
        self.run_flaim("ledger", "create", self.path("small"), "--data", "d", "--epsilon", "0.1")
        for command in (self.fit_rows, self.measure_rows):
            command(self.data, "--ledger", self.path("small"), code=4, **self.environment)
        self.assertFalse(self.warned(self.fit_rows(self.data, **self.environment)))

    def test_a_user_without_a_home_is_told_that_no_record_is_kept(self):
        homeless = {name: value for name, value in os.environ.items() if name not in ("HOME", "XDG_STATE_HOME")}
        self.assertIn("no record is kept", self.fit_rows(self.data, env=homeless).stderr)

    def test_a_ledger_that_was_removed_is_remembered(self):
        self.fit_rows(self.data, "--ledger", self.path("l"), **self.environment)
        self.assertFalse(self.warned(self.fit_rows(self.data, "--ledger", self.path("l"), **self.environment)))
        os.remove(self.path("l"))
        self.assertTrue(self.warned(self.fit_rows(self.data, **self.environment)))

    def test_what_is_kept_is_private_to_its_owner(self):
        self.fit_rows(self.data, **self.environment)
        self.assertEqual(stat.S_IMODE(os.stat(self.state / "flaim").st_mode), 0o700)
        for kept in (self.state / "flaim").iterdir():
            self.assertEqual(stat.S_IMODE(os.stat(kept).st_mode), 0o600)

    def test_seeded_noise_promises_nothing_and_is_not_remembered(self):
        self.fit_rows(self.data, "--seed", "1", **self.environment)
        self.assertFalse(self.state.exists())

    def test_a_fit_does_not_depend_on_it(self):
        self.state.write_text("a file where the folder should be")
        self.assertIn("go unnoticed", self.fit_rows(self.data, **self.environment).stderr)


class RunOfOtherRowsTest(AccountTest):
    def setUp(self):
        super().setUp()
        self.run_flaim("ledger", "create", self.path("l"), "--data", "d", "--epsilon", "5")
        self.other = self.write("other.csv", OTHER_ROWS)
        self.account = ("--ledger", self.path("l"))

    def test_a_fit_does_not_come_back_for_other_rows(self):
        self.fit_rows(self.data, *self.account)
        before = self.shown(self.path("l"))
        refused = self.fit_rows(self.other, *self.account, code=3, output="other.flaim").stderr
        self.assertIn("of other rows than these", refused)
        self.assertFalse(os.path.exists(self.path("other.flaim")))
        self.assertEqual(self.shown(self.path("l")), before)
        self.assertIn("not paid again", self.fit_rows(self.data, *self.account).stderr)

    def test_measured_marginals_do_not_come_back_for_other_rows(self):
        self.measure_rows(self.data, *self.account)
        self.assertIn("of other rows than these", self.measure_rows(self.other, *self.account, code=3).stderr)
        self.measure_rows(self.data, *self.account, "--workload", "all:2")

    def test_a_table_on_standard_input_does_not_get_the_model_of_the_one_before(self):
        self.fit_rows("-", *self.account, input=ROWS)
        self.fit_rows("-", *self.account, input=OTHER_ROWS, code=3, output="other.flaim")
        self.fit_rows("-", *self.account, input=ROWS)

    def test_a_column_in_another_order_is_another_table(self):
        header, *lines = ROWS.splitlines()
        ages = [line.split(",")[0] for line in lines]
        rows = [",".join([age, *line.split(",")[1:]]) for age, line in zip(ages[1:] + ages[:1], lines)]
        self.fit_rows(self.data, *self.account)
        self.fit_rows(self.write("turned.csv", "\n".join([header, *rows]) + "\n"), *self.account, code=3)

    def test_the_same_rows_in_another_order_or_file_are_the_same(self):
        header, *lines = ROWS.splitlines()
        self.fit_rows(self.data, *self.account)
        shuffled = self.write("shuffled.csv", "\n".join([header, *reversed(lines)]) + "\n")
        self.assertIn("not paid again", self.fit_rows(shuffled, *self.account).stderr)

    def test_one_account_pays_for_runs_of_several_tables(self):
        self.fit_rows(self.data, *self.account)
        self.fit_rows(self.other, *self.account, "--run", "other")
        self.assertEqual(len({debit["run"] for debit in self.shown(self.path("l"))["debits"]}), 2)

    def test_nothing_that_is_printed_tells_the_rows(self):
        self.fit_rows(self.data, *self.account)
        for command in (("show",), ("show", "--json"), ("verify",)):
            printed = self.run_flaim("ledger", command[0], self.path("l"), *command[1:]).stdout
            self.assertNotIn("digest", printed)
            self.assertNotIn("binding", printed)


class SeededAccountTest(AccountTest):
    def test_secure_and_seeded_noise_share_no_account(self):
        for first, second in (((), ("--seed", "1")), (("--seed", "1"), ())):
            for command in (self.fit_rows, self.measure_rows):
                ledger = self.path("l")
                pathlib.Path(ledger).unlink(missing_ok=True)
                self.run_flaim("ledger", "create", ledger, "--data", "d", "--epsilon", "5")
                self.measure_rows(self.data, "--ledger", ledger, *first)
                code = NOT_PRIVATE if first else 0
                before = self.shown(ledger, code=code)
                refused = command(self.data, "--ledger", ledger, "--run", "second", *second, code=3).stderr
                self.assertIn("seed", refused)
                self.assertEqual(self.shown(ledger, code=code), before, "nothing was paid")

    def test_an_account_of_seeded_noise_is_not_private_and_says_so_to_scripts(self):
        self.fit_rows(self.data, "--seed", "1")
        ledger = self.data + ".ledger"
        for command in (("verify",), ("show",), ("show", "--json")):
            done = self.run_flaim("ledger", command[0], ledger, *command[1:], code=NOT_PRIVATE)
            self.assertIn("NOT PRIVATE", done.stderr)
            self.assertNotIn("promise   kept", done.stdout)
        self.assertFalse(self.shown(ledger, code=NOT_PRIVATE)["is_private"])
        self.assertFalse(self.shown(ledger, code=NOT_PRIVATE)["is_within_promise"])

    def test_an_account_names_its_accountant_and_compares_with_the_promise(self):
        self.fit_rows(self.data)
        verified = self.run_flaim("ledger", "verify", self.data + ".ledger").stdout
        self.assertIn("zCDP accountant", verified)
        self.assertIn("kept: epsilon 1.0000 of 1 is spent", verified)
        shown = self.shown(self.data + ".ledger")
        self.assertEqual(shown["accountant"], "zcdp")
        self.assertLessEqual(shown["epsilon_spent"], 1 + 1e-9)
        self.assertTrue(shown["is_within_promise"] and shown["is_private"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
