"""flaim audit, as a user sees it.

    cli_audit_test.py PATH_OF_FLAIM
"""

import json
import pathlib
import sys
import unittest
import xml.etree.ElementTree

from cli_testing import CommandLineTest

SCHEMA = """
[[column]]
name = "age"
type = "integer"
min = 0
max = 1

[[column]]
name = "code"
type = "categorical"
values = ["a", "b"]
"""


class Audit(CommandLineTest):
    def run_flaim(self, *arguments, code=0):
        return super().run_flaim(*map(str, arguments), code=code)

    def test_finds_the_claim_kept_and_draws_it(self):
        page = self.path("audit.html")
        done = self.run_flaim("audit", "--method", "flaim-once", "--canary", "alone", "--runs", 600, "--json", "-o", page)
        results = json.loads(done.stdout)
        self.assertEqual([result["attacker"] for result in results], ["sees sums only", "knows a colluder's noise"])
        for result in results:
            self.assertTrue(result["kept"], result)
            self.assertLess(result["mu_at_1e-6"], result["mu_claimed"])
            self.assertEqual([check["name"] for check in result["checks"]],
                             ["books", "promise", "likelihood", "divergence", "trade-off", "reach"])
        self.assertGreater(results[1]["mu_reached"], results[0]["mu_reached"])
        html = pathlib.Path(page).read_text()
        self.assertEqual(html.count("<svg"), 2)
        self.assertNotIn("http", html, "the page needs something from elsewhere")
        xml.etree.ElementTree.fromstring(html.removeprefix("<!DOCTYPE html>\n"))

    def test_repeats_itself_with_the_same_seed(self):
        command = ("audit", "--method", "augflaim-private", "--canary", "opposed", "--runs", 50, "--seed", 7, "--json")
        self.assertEqual(self.run_flaim(*command, "--threads", 1).stdout, self.run_flaim(*command, "--threads", 2).stdout)

    def test_says_which_claim_was_not_come_near(self):
        done = self.run_flaim("audit", "--method", "flaim-once", "--canary", "alone", "--runs", 20)
        self.assertIn("too few runs", done.stdout)

    def test_finds_records_in_models_that_it_fits_itself(self):
        done = self.run_flaim("audit", "--black-box", "--canary", "alone", "--runs", 300, "--json")
        [result] = json.loads(done.stdout)
        self.assertEqual(result["attacker"], "has model files only")
        self.assertGreater(result["mu_reached"], 0.3)
        self.assertTrue(result["kept"])

    def fit(self, folder, rows, epsilon, count):
        pathlib.Path(self.path(folder)).mkdir()
        for seed in range(count):
            data = self.write(f"{folder}-{seed}.csv", "age,code\n" + "".join(rows))
            self.run_flaim("fit", data, "--schema", self.path("two.toml"), "--epsilon", epsilon, "--seed", seed,
                           "-o", self.path(f"{folder}/{seed}.flaim"))

    def test_notices_that_published_models_promise_too_much(self):
        self.write("two.toml", SCHEMA)
        self.write("record.csv", "age,code\n1,b\n")
        others = ["0,a\n"] * 10
        self.fit("with", others + ["1,b\n"], 50, 60)
        self.fit("without", others, 50, 60)
        folders = ("--with", self.path("with"), "--without", self.path("without"), "--record", self.path("record.csv"))
        self.run_flaim("audit", *folders, "--epsilon", 50)
        broken = self.run_flaim("audit", *folders, "--epsilon", 0.1, code=1)
        self.assertIn("the claim rules that out", broken.stdout)
        self.assertIn("FAILED", broken.stdout)

    def test_refuses_what_it_cannot_audit(self):
        self.assertIn("--record", self.run_flaim("audit", "--with", self.path(""), code=3).stderr)
        self.run_flaim("audit", "--method", "dist-aim", code=2)
        self.run_flaim("audit", "--epsilon", -1, code=3)
        pathlib.Path(self.path("none")).mkdir()
        refused = self.run_flaim("audit", "--black-box", "--method", "flaim-once", code=3)
        self.assertIn("--black-box fits aim, and reads its model files: leave --method out", refused.stderr)
        for flag in (("--black-box",), ("--method", "aim"), ("--canary", "alone"), ("--runs", 20), ("--seed", 2)):
            refused = self.run_flaim("audit", "--with", self.path("none"), "--without", self.path("none"), "--record",
                                     self.path("r.csv"), *flag, code=3)
            self.assertIn(f"model files that are there: leave {flag[0]} out", refused.stderr)
        refused = self.run_flaim("audit", "--with", self.path("none"), "--without", self.path("none"), "--record",
                                 self.path("r.csv"), code=3)
        self.assertIn("0 model files", refused.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=1)
