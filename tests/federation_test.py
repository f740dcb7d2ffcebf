"""The federation over the network, as its users meet it: a coordinator and sites as processes on the loopback.

Run by ctest as: python3 federation_test.py PATH_OF_FLAIM
"""

import json
import pathlib
import shutil
import signal
import sys
import time
import unittest
import urllib.request

from cli_testing import CommandLineTest
from counting_proxy import CountingProxy
from federation_testing import Federation, free_port, tables_of_sites, wait_until

METHOD = ("--method", "augflaim-private", "--rounds", "3", "--epsilon", "3", "--workload", "all:2")
ONCE = ("--method", "flaim-once", "--accounting", "cap", "--epsilon", "3", "--workload", "all:2")
GROUP = ("--minimum-sites", "3", "--dropouts", "0.2", "--colluders", "1")


class FederationTest(CommandLineTest):
    def federation(self, sites=5, per_site=200, method=METHOD, seed=7, extra=(), tables=None, name="study", **named):
        research = ("--research-seed", str(seed)) if seed is not None else ()
        tables = tables if tables is not None else tables_of_sites(sites, per_site)
        return Federation(self, self.folder / name, tables, (*method, *GROUP, *research, *extra), **named)


class WholeStudies(FederationTest):
    def test_the_model_is_the_simulations_byte_for_byte(self):
        for name, method in (("private", METHOD), ("once", ONCE)):
            with self.subTest(name):
                study = self.federation(method=method, name=name)
                study.enrol()
                study.start_coordinator()
                study.start_sites()
                networked = study.finish()
                self.assertEqual(networked, study.simulated(*method, *GROUP, "--availability", "all", "--seed", "7"))
                study.stop()

    def test_in_earnest_noise_is_secret_ledgers_are_paid_and_rows_come_out(self):
        tables = tables_of_sites(5, 200)
        tables[4] = []  # a site with an empty table
        study = self.federation(seed=None, tables=tables)
        study.enrol(consent=("--yes",))
        study.start_coordinator()
        study.start_sites()
        study.finish()
        for site in range(5):
            wait_until(lambda: study.processes[study.names[site]].poll() is not None, "the site has stopped")
            self.assertEqual(study.processes[study.names[site]].returncode, 0, study.log_of(study.names[site]))
        spent = {self.spent(study, site) for site in range(5)}
        self.assertEqual(len(spent), 1, "every site pays the same, whatever it has")
        model = study.coordinator_folder + "/model.flaim"
        shown = json.loads(study.flaim("show", model, "--json").stdout)
        self.assertEqual(shown["noise"], "secure")
        sampled = study.flaim("sample", model, "-n", "50", "-o", "-").stdout
        self.assertEqual(len(sampled.splitlines()), 51)

    def spent(self, study, site):
        return study.flaim("ledger", "verify", study.site_folder(site) + "/site.ledger").stdout.split("spent")[1].splitlines()[0]


    def test_nothing_private_is_in_logs_pages_or_metrics(self):
        tables = tables_of_sites(5, 211)  # row counts that appear nowhere else
        tables[2] += ["3,2,1,4"] * 1733
        study = self.federation(seed=None, tables=tables)
        study.enrol(consent=("--yes",))
        study.start_coordinator("--linger", "--status", "127.0.0.1:0")
        study.start_sites()
        wait_until(lambda: "study finished" in study.log_of("coordinator"), "the study is finished")
        url = (pathlib.Path(study.coordinator_folder) / "status-url").read_text().strip()
        seen = [urllib.request.urlopen(url + page, timeout=10).read().decode() for page in ("", "status.json", "metrics")]
        self.assertEqual(urllib.request.urlopen(url + "healthz", timeout=10).status, 200)
        seen += [study.log_of(name) for name in ("coordinator", *study.names)]
        for text in seen:
            for canary in ("1944", "1733", "211"):
                self.assertNotRegex(text, rf"(?<![0-9.]){canary}(?![0-9])")

    def test_a_slow_network_only_takes_longer(self):
        port = free_port()
        proxy = CountingProxy(port, delay=0.02)
        self.addCleanup(proxy.close)
        study = self.federation(method=ONCE, dialled_port=proxy.port, port=port)
        study.enrol()
        study.start_coordinator()
        study.start_sites()
        self.assertEqual(study.finish(), study.simulated(*ONCE, *GROUP, "--availability", "all", "--seed", "7"))
        self.assertGreater(proxy.sent, 5000)


class Faults(FederationTest):
    def test_a_coordinator_killed_twenty_times_comes_to_the_same_model_with_one_payment_for_each_release(self):
        study = self.federation()
        study.enrol()
        study.start_sites(timeout="6")
        expected = study.simulated(*METHOD, *GROUP, "--availability", "all", "--seed", "7")
        for kill in range(20):
            study.start_coordinator()
            time.sleep(0.15 + 0.045 * kill)
            study.kill("coordinator")
        study.start_coordinator()
        self.assertEqual(study.finish(), expected)
        for site in range(5):
            names = self.releases(study, site)
            self.assertEqual(len(names), len(set(names)), "nothing is paid for twice")
            self.assertEqual(len(names), 3 * 3)  # one-ways, a choice and what was chosen, in three rounds

    def releases(self, study, site):
        return [(debit["round"], debit["query"]) for debit in study.ledger(site)["debits"]]

    def test_a_site_that_stalls_or_dies_is_done_without(self):
        for name, how in (("stalls", signal.SIGSTOP), ("dies", signal.SIGKILL)):
            with self.subTest(name):
                study = self.federation(sites=6, name=name)
                study.enrol()
                study.start_sites()
                study.start_coordinator(timeout="5")
                wait_until(lambda: '"sum made"' in study.log_of("coordinator"), "the first sum is made")
                study.processes[study.names[2]].send_signal(how)
                study.finish()
                study.stop()


class Refusals(FederationTest):
    def test_a_second_program_with_the_same_identity_is_refused(self):
        study = self.federation(sites=1)
        study.enrol()
        study.serve()
        study.start_site(0)
        wait_until(lambda: "connected" in study.log_of("site-000"), "the site is connected")
        in_use = study.flaim("site", "run", study.site_folder(0), code=3).stderr
        self.assertIn("in use by another program", in_use)
        shutil.copytree(study.site_folder(0), study.folder / "copy")
        study.start("copy", "site", "run", str(study.folder / "copy"), "--log", "json")
        wait_until(lambda: "same identity" in study.log_of("copy"), "the copy is refused")
        self.assertIsNone(study.processes["site-000"].poll())
        self.assertNotIn("not connected", study.log_of("site-000"))

    def test_a_site_of_another_study_is_not_let_in(self):
        here = self.federation(sites=1, name="here")
        here.enrol()
        there = self.federation(sites=1, name="there")
        there.serve()
        settings = pathlib.Path(here.site_folder(0)) / "site.json"
        settings.write_text(json.dumps({"site": "site-000", "address": f"127.0.0.1:{there.port}"}))
        here.start_site(0, timeout="3")
        wait_until(lambda: "not connected" in here.log_of("site-000"), "the site is refused")
        self.assertNotIn("site connected", there.log_of("serve"))
        doctor = here.flaim("site", "doctor", here.site_folder(0), "--timeout", "3", code=3)
        self.assertIn("FAIL", doctor.stdout)

    def test_rows_that_do_not_fit_the_schema_are_the_doctors_to_explain_and_in_no_log(self):
        tables = tables_of_sites(1, 50)
        tables[0][30] = "3,2,1,4711"
        study = self.federation(tables=tables)
        study.enrol()
        study.serve()
        doctor = study.flaim("site", "doctor", study.site_folder(0), "--timeout", "5", code=3).stdout
        self.assertIn("4711", doctor)
        refused = study.flaim("site", "run", study.site_folder(0), code=3).stderr
        self.assertIn("flaim site doctor", refused)
        self.assertNotIn("4711", refused)

    def test_a_site_without_consent_or_approval_says_what_to_do(self):
        study = self.federation(sites=1, extra=())
        study.serve()
        code = study.invite("site-000")
        joined = study.flaim("site", "join", study.site_folder(0), code).stdout
        self.assertIn("not yet", joined)
        refused = study.flaim("site", "run", study.site_folder(0), code=3).stderr
        self.assertIn("flaim site approve", refused)
        study.consent(0, "--yes", "--accept-research")
        refused = study.flaim("site", "run", study.site_folder(0), code=3).stderr
        self.assertIn("have not approved this site yet", refused)

    def test_a_study_with_seeded_noise_needs_an_explicit_word(self):
        study = self.federation(sites=1)
        study.serve()
        study.flaim("site", "join", study.site_folder(0), study.invite("site-000"))
        self.assertIn("protects nobody", study.consent(0, "--yes", code=1).stderr)

    def test_an_invite_works_once(self):
        study = self.federation(sites=2)
        study.serve()
        code = study.invite("site-000")
        study.flaim("site", "join", study.site_folder(0), code)
        refused = study.flaim("site", "join", str(study.folder / "thief"), code, code=1).stderr
        self.assertIn("invite", refused)

    def test_methods_that_are_not_for_networks_are_refused(self):
        for method, words in ((("--method", "augflaim-oracle"), "NOT private"), (("--method", "dist-aim"), "secret shares"),
                              (("--method", "naive-flaim", "--weighting", "true-sizes"), "NOT private")):
            refused = self.run_flaim("coordinator", "init", self.path("no"), "--name", "x", "--address", "127.0.0.1:9",
                                     "--schema", self.schema, "--epsilon", "1", *method, code=1).stderr
            self.assertIn(words, refused)
            self.assertFalse(pathlib.Path(self.path("no")).exists())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
