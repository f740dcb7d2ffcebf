"""A hundred sites as processes on the loopback, a tenth of which is killed at random moments.

Run by ctest as: python3 federation_slow_test.py PATH_OF_FLAIM
"""

import collections
import itertools
import json
import random
import sys
import time
import unittest

from cli_testing import CommandLineTest
from federation_testing import COLUMNS, Federation, tables_of_sites, wait_until

SITES = 100
ROUNDS = 10
MOST_NOISE = 12  # sigma is below 2, and there are a few thousand numbers


class ManySites(CommandLineTest):
    def test_a_tenth_killed_at_random_moments_leaves_the_right_sums(self):
        tables = tables_of_sites(SITES, 300)
        study = Federation(self, self.folder / "study", tables, (
            "--method", "augflaim-private", "--rounds", str(ROUNDS), "--epsilon", "100", "--workload", "all:2",
            "--availability", "poisson", "--participation", "0.2", "--minimum-sites", "6", "--dropouts", "0.3",
            "--colluders", "1"))
        study.enrol(consent=("--yes",))
        study.start_sites(timeout="20")
        study.start_coordinator(timeout="20")
        rng = random.Random(3)
        victims = rng.sample(range(SITES), SITES // 10)
        wait_until(lambda: '"sum made"' in study.log_of("coordinator"), "the first sum is made", seconds=120)
        for victim in victims:
            time.sleep(rng.uniform(0, 0.5))
            study.kill(study.names[victim])
        study.finish(seconds=400)

        journal = json.loads(study.flaim("coordinator", "journal", study.coordinator_folder).stdout)
        rounds = [event for event in journal["events"] if "members" in event and event["members"]]
        sums = [event for event in journal["events"] if "counts" in event]
        self.assertEqual(len(rounds), ROUNDS)
        one_ways = [event for event in sums if event["query"] == "one-ways"]
        self.assertEqual(len(one_ways), ROUNDS)
        for event in one_ways:
            expected = self.one_ways_of(tables, event["contributors"])
            self.assertLessEqual(max(abs(a - b) for a, b in zip(event["counts"], expected)), MOST_NOISE)
        for event in sums:
            if event["query"].startswith("select"):
                self.assertEqual(sum(event["counts"]), len(event["contributors"]), "everybody chooses one")
        survivors = [site for site in range(SITES) if site not in victims]
        for site in rng.sample(survivors, 5):
            releases = collections.Counter((debit["round"], debit["query"]) for debit in study.ledger(site, code=0)["debits"])
            self.assertTrue(all(count == 1 for count in releases.values()), releases)

    def one_ways_of(self, tables, contributors):
        lines = list(itertools.chain.from_iterable(tables[site] for site in contributors))
        counts = []
        for position, (_, size) in enumerate(COLUMNS):
            values = collections.Counter(int(line.split(",")[position]) for line in lines)
            counts += [values[value] for value in range(size)]
        return counts


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
