"""The federation over the network, as its users meet it: a coordinator and sites as processes on the loopback.

Run by ctest as: python3 federation_test.py PATH_OF_FLAIM
"""

import gzip
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
from federation_testing import HEADER, SCHEMA, Federation, free_port, tables_of_sites, wait_until

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

    def test_the_ledger_of_an_exact_study_is_spent_by_nobody_else(self):
        exact = ("--method", "flaim-once", "--accounting", "exact", "--epsilon", "1", "--workload", "all:2")
        study = self.federation(method=exact, seed=None)
        study.enrol(consent=("--yes",))
        study.start_coordinator()
        study.start_sites()
        study.finish()
        wait_until(lambda: study.processes[study.names[0]].poll() is not None, "the site has stopped")
        ledger, data = study.ledger_path(0), str(study.folder / f"{study.names[0]}.csv")
        verified = study.flaim("ledger", "verify", ledger).stdout
        self.assertIn("exact accountant of run", verified)
        self.assertIn("promise   kept: epsilon", verified)
        before = study.ledger(0, code=0)
        self.assertEqual(before["accountant"], "exact")
        self.assertLessEqual(before["epsilon_spent"], 1.001)
        # All of these were let through: a small budget, what is left, and the study's own name.
        output = str(study.folder / "out")
        for run in ("mine", before["accountant_run"]):
            for epsilon in ("0.1", "1"):
                for command in ("fit", "measure"):
                    refused = study.flaim(command, data, "--schema", str(study.schema), "--epsilon", epsilon, "--run",
                                          run, "-o", output, code=3).stderr
                    self.assertIn("nobody else may spend it", refused)
        self.assertEqual(study.ledger(0, code=0), before)

    def spent(self, study, site):
        return study.flaim("ledger", "verify", study.ledger_path(site)).stdout.split("spent")[1].splitlines()[0]

    def test_nothing_private_is_in_logs_pages_or_metrics(self):
        tables = tables_of_sites(5, 211)  # row counts that appear nowhere else
        tables[2] += ["3,2,1,4"] * 1733
        tables[3] += ["9,0,0,0"] * 1301  # left out
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
            for canary in ("1944", "1733", "1512", "1301", "211"):
                # As a number by itself: digits of fingerprints, digests and paths are random.
                self.assertNotRegex(text, rf"(?<![\w.-]){canary}(?![\w-])")

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


class UnfitRows(FederationTest):
    """Whether a site comes to its study, and how it ends, is seen by everybody: no value of a row may decide it."""

    FAULTY = ["9,0,0,0", "x,1,1,1", ",,,", "1,1,1", "1,1,1,1,1", '"a ""quoted"" text, and more",1,1,1']

    def tables(self):
        tables = tables_of_sites(5, 200)
        return [lines + faulty for lines, faulty in zip(tables, ([], self.FAULTY, [], self.FAULTY[:1], []))]

    def test_do_not_keep_a_site_from_its_study(self):
        study = self.federation(seed=None, tables=self.tables())
        study.enrol(consent=("--yes",))
        study.serve()
        study.start_sites()
        for name in study.names:
            wait_until(lambda: '"connected"' in study.log_of(name), f"{name} is connected")
        for name in study.names:
            study.processes[name].send_signal(signal.SIGTERM)
        codes = {study.processes[name].wait(timeout=60) for name in study.names}
        self.assertEqual(len(codes), 1, "every site ends in the same way")
        # How often a connection has to be tried again is the network's doing, and no value's.
        said = {tuple(event for event in study.events_of(name) if event not in ("connected", "not connected"))
                for name in study.names}
        self.assertEqual(len(said), 1, "and its log says the same")

    def test_are_left_out_by_the_rule_of_the_manifest_and_only_the_steward_sees_how_many(self):
        study = self.federation(tables=self.tables())
        study.enrol()
        doctor = study.flaim("site", "doctor", study.site_folder(1), code=3).stdout  # no coordinator is running
        self.assertIn(f"{len(self.FAULTY)} row(s) of", doctor)
        self.assertNotIn("quoted", doctor)
        self.assertIn("is left out", study.flaim("site", "show", study.site_folder(1)).stdout)
        study.start_coordinator()
        study.start_sites()
        networked = study.finish()
        study.stop()
        study.tables = tables_of_sites(5, 200)
        self.assertEqual(networked, study.simulated(*METHOD, *GROUP, "--availability", "all", "--seed", "7"))

    def test_stop_nobody_else_than_the_owner_of_one_table(self):
        schema = self.folder / "schema.toml"
        schema.write_text(SCHEMA)
        data = self.folder / "own.csv"
        data.write_text("\n".join([HEADER, *self.tables()[1]]) + "\n")
        fit = ("fit", str(data), "--schema", str(schema), "--epsilon", "1", "--workload", "all:2",
               "-o", str(self.folder / "own.flaim"))
        self.assertIn("own.csv:202: column 'a'", self.run_flaim(*fit, code=3).stderr)
        dropped = self.run_flaim(*fit, "--unfit", "drop").stderr
        self.assertIn(f"{len(self.FAULTY)} row(s) have a value that does not fit the schema, and were left out", dropped)
        self.assertIn("column 'a' has no code for a value that does not fit",
                      self.run_flaim(*fit, "--unfit", "other", code=3).stderr)
        schema.write_text(SCHEMA.replace("max", "nullable = true\nmax"))
        other = ("fit", str(data.rename(self.folder / "other.csv")), *fit[2:])  # with a budget of its own
        self.assertIn("count as other or missing", self.run_flaim(*other, "--unfit", "other").stderr)

    def test_are_never_refused_by_a_study(self):
        refusal = self.federation_refused("--unfit", "refuse", code=1)
        self.assertIn("tells that it has one; give unfit drop or other", refusal)
        self.assertIn("column 'a' has no code", self.federation_refused("--unfit", "other", code=3))
        self.assertIn("separates columns", self.federation_refused(schema=SCHEMA.replace('"a"', '"a,z"'), code=1))

    def federation_refused(self, *flags, code, schema=SCHEMA):
        path = self.folder / "refused.toml"
        path.write_text(schema)
        folder = str(self.folder / f"refused-{len(self.leftovers())}")
        return self.run_flaim("coordinator", "init", folder, "--name", "test", "--address", "127.0.0.1:1", "--schema",
                              str(path), *METHOD, *GROUP, *flags, code=code).stderr


class Interruptions(FederationTest):
    def test_a_site_ends_while_it_reads_its_rows(self):
        study = self.federation(sites=1)
        study.enrol()
        rows = ("\n".join(tables_of_sites(1, 20000)[0]) + "\n").encode()
        large = study.folder / "large.csv.gz"  # half a gigabyte, which takes much longer to read than to write
        with open(large, "wb") as out:
            out.write(gzip.compress((HEADER + "\n").encode()))
            part = gzip.compress(rows)
            for _ in range(3000):
                out.write(part)
        study.consent(0, "--yes", "--accept-research", data=large)
        for stop in (signal.SIGTERM, signal.SIGINT):
            site = study.start_site(0)
            begun = study.log_of("site-000").count("opening the rows")
            wait_until(lambda: study.log_of("site-000").count("opening the rows") > begun, "it reads", seconds=120)
            time.sleep(0.3)
            self.assertIsNone(site.poll())
            asked = time.monotonic()
            site.send_signal(stop)
            self.assertEqual(site.wait(timeout=120), 130, study.log_of("site-000"))
            self.assertLess(time.monotonic() - asked, 3)
            self.assertNotIn("site starts", study.log_of("site-000"))


class Consents(FederationTest):
    def joined(self):
        study = self.federation(sites=1, seed=None)
        study.serve()
        study.flaim("site", "join", study.site_folder(0), study.invite("site-000"))
        return study

    def consent_of(self, study):
        path = pathlib.Path(study.site_folder(0)) / "consent.json"
        return json.loads(path.read_text()) if path.exists() else None

    def test_are_for_the_files_that_were_meant_wherever_links_lead_later(self):
        study = self.joined()
        (study.folder / "far" / "inner").mkdir(parents=True)
        meant = study.folder / "far" / "rows.csv"
        meant.write_text((study.folder / "site-000.csv").read_text())
        (study.folder / "rows.csv").write_text(HEADER + "\n")  # what `inner/../rows.csv` is not
        (study.folder / "inner").symlink_to(study.folder / "far" / "inner")
        (study.folder / "link.csv").symlink_to(meant)
        for data in ("inner/../rows.csv", "link.csv"):
            for ledger in ((), ("--ledger", str(study.folder / "inner" / ".." / "rows.csv.ledger"))):
                study.consent(0, "--yes", *ledger, data=study.folder / data)
                text = json.dumps(self.consent_of(study))
                self.assertIn(f'"{meant.resolve()}"', text)
                self.assertIn(f'"{meant.resolve()}.ledger"', text)

    def test_are_to_no_second_account_of_the_same_rows(self):
        study = self.joined()
        study.flaim("ledger", "create", study.ledger_path(0), "--data", "rows", "--epsilon", "1")
        other = str(study.folder / "other.ledger")
        refused = study.consent(0, "--yes", "--ledger", other, code=3).stderr
        self.assertIn("have an account already", refused)
        self.assertIsNone(self.consent_of(study))
        study.consent(0, "--yes", "--ledger", other, "--separate-ledger")
        self.assertIn(other, json.dumps(self.consent_of(study)))

    def test_warn_of_copies_that_another_account_paid_for(self):
        study = self.joined()
        first = study.folder / "site-000.csv"
        study.flaim("fit", str(first), "--schema", str(study.schema), "--epsilon", "1", "--workload", "all:2", "-o",
                    str(study.folder / "own.flaim"))
        copy = study.folder / "copy.csv"
        header, *lines = first.read_text().splitlines()
        copy.write_text("\n".join([header, *reversed(lines)]) + "\n")
        warned = study.consent(0, "--yes", data=copy).stderr
        self.assertRegex(warned, rf"WARNING: .*of these rows were charged to .*{first.name}.ledger before")


class Rosters(FederationTest):
    """A coordinator can invent sites. What a site gives rests on others only after somebody has looked at who they are."""

    def wait_for_refusal(self, study, site):
        name = study.names[site]
        wait_until(lambda: study.processes[name].poll() is not None, f"{name} has stopped")
        self.assertNotEqual(study.processes[name].returncode, 0)
        self.assertIn("nobody here has consented to the roster", study.log_of(name))

    def test_are_looked_at_before_the_first_sum(self):
        study = self.federation(method=ONCE)
        study.enrol(roster=())
        early = study.flaim("site", "roster", study.site_folder(0), code=3).stderr
        self.assertIn("has not begun", early)
        study.start_coordinator("--status", "127.0.0.1:0")
        study.start_sites()
        for site in range(5):
            self.wait_for_refusal(study, site)
        self.assertNotIn("sum made", study.log_of("coordinator"))
        self.assertFalse(pathlib.Path(study.ledger_path(0)).exists() and study.ledger(0, code=0)["debits"])
        shown = {study.flaim("site", "roster", study.site_folder(site)).stdout for site in range(5)}
        self.assertEqual(len(shown), 1, "everybody sees the same")
        digest = shown.pop().split("digest")[1].split()[0]
        url = (pathlib.Path(study.coordinator_folder) / "status-url").read_text().strip()
        status = json.loads(urllib.request.urlopen(url + "status.json", timeout=10).read())
        self.assertEqual(status["roster"], digest)
        fingerprint = study.flaim("site", "show", study.site_folder(2)).stdout.split("fingerprint")[1].split()[0]
        enrolled = study.flaim("coordinator", "sites", study.coordinator_folder).stdout
        roster = study.flaim("site", "roster", study.site_folder(0)).stdout
        for shown in (enrolled, roster):
            self.assertRegex(shown, rf"site-002 .*{fingerprint}", "what was compared when the site joined")

        wrong = study.flaim("site", "roster", study.site_folder(0), "--accept", "0" * 64, code=1).stderr
        self.assertIn("another digest", wrong)
        for site in range(5):
            study.flaim("site", "roster", study.site_folder(site), "--accept", digest)
        study.start_sites()
        self.assertEqual(study.finish(), study.simulated(*ONCE, *GROUP, "--availability", "all", "--seed", "7"))

    def test_play_no_role_for_a_site_that_draws_all_of_the_noise(self):
        study = self.federation(method=ONCE, seed=None)
        study.enrol(consent=("--yes",), roster=("--known", "0"))
        study.start_coordinator()
        study.start_sites()
        study.finish()
        self.assertGreater(len(study.ledger(0, code=0)["debits"]), 0)


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
                study.start_coordinator(timeout="10")
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
        wait_until(lambda: '"connected"' in study.log_of("site-000"), "the site is connected")
        in_use = study.flaim("site", "run", study.site_folder(0), code=3).stderr
        self.assertIn("in use by another program", in_use)
        shutil.copytree(study.site_folder(0), study.folder / "copy")
        before = study.events_of("site-000")  # on a busy machine it may have taken several attempts
        study.start("copy", "site", "run", str(study.folder / "copy"), "--log", "json")
        wait_until(lambda: "same identity" in study.log_of("copy"), "the copy is refused")
        self.assertIsNone(study.processes["site-000"].poll())
        self.assertEqual(study.events_of("site-000"), before)

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

    def test_a_file_that_is_no_table_is_the_doctors_to_explain_and_in_no_log(self):
        tables = tables_of_sites(1, 50)
        tables[0][30] = '3,2,1,"4711'
        study = self.federation(tables=tables)
        study.enrol()
        study.serve()
        doctor = study.flaim("site", "doctor", study.site_folder(0), "--timeout", "5", code=3).stdout
        self.assertIn("site-000.csv: line 32", doctor)
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
