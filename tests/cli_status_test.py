"""How a study stands, as a user meets it: status.

Run by ctest as: python3 cli_status_test.py PATH_OF_FLAIM PATH_OF_STATUS_PAGE_SERVER
"""

import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios
import unittest

from cli_testing import FLAIM, CommandLineTest

SERVER = sys.argv[2]


class StatusTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.server = subprocess.Popen([SERVER, "127.0.0.1:0"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.stop)
        self.url = self.server.stdout.readline().strip()

    def stop(self):
        self.server.communicate()

    def tell(self, command):
        print(command, file=self.server.stdin, flush=True)
        self.assertEqual(self.server.stdout.readline().strip(), command)

    def test_an_address_or_a_study_folder_leads_to_the_status(self):
        self.write("status-url", self.url + "\n")
        for target in [self.url, self.url.removeprefix("http://").rstrip("/"), str(self.folder)]:
            lines = self.run_flaim("status", target).stdout.splitlines()
            self.assertEqual(lines[0], "stroke-outcomes-2030: running")
            self.assertTrue(any(line.startswith("sites     5 of 6") for line in lines), lines)
        here = subprocess.run([FLAIM, "status"], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertTrue(here.stdout.startswith("stroke-outcomes-2030: running"))

    def test_lines_are_80_columns_wide_without_a_terminal(self):
        self.tell("hostile")
        lines = self.run_flaim("status", self.url).stdout.splitlines()
        self.assertEqual(max(len(line) for line in lines), 80)
        self.assertTrue(all(line.isprintable() for line in lines), lines)

    def test_lines_are_as_wide_as_the_terminal(self):
        self.tell("hostile")
        for columns in [70, 120]:
            leader, follower = pty.openpty()
            fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
            done = subprocess.Popen([FLAIM, "status", self.url], stdout=follower)
            os.close(follower)
            shown = b""
            try:
                while chunk := os.read(leader, 65536):
                    shown += chunk
            except OSError:  # the terminal's other end is closed
                pass
            os.close(leader)
            self.assertEqual(done.wait(), 0)
            self.assertEqual(max(len(line) for line in shown.decode().splitlines()), columns)

    def test_json_is_what_the_server_says(self):
        status = json.loads(self.run_flaim("status", self.url, "--json").stdout)
        self.assertEqual(status["study"], "stroke-outcomes-2030")
        self.assertEqual(len(status["sites"]), 6)

    def test_watch_ends_with_the_study(self):
        watch = subprocess.Popen([FLAIM, "status", self.url, "--watch"], stdout=subprocess.PIPE, text=True)
        self.assertEqual(watch.stdout.readline(), "stroke-outcomes-2030: running\n")
        self.tell("finish")
        shown, _ = watch.communicate(timeout=60)
        self.assertEqual(watch.returncode, 0)
        self.assertIn("stroke-outcomes-2030: finished\n", shown)
        self.assertIn("result    study/model.flaim\n", shown)

    def test_watch_and_json_exclude_each_other(self):
        self.run_flaim("status", self.url, "--watch", "--json", code=2)

    def test_says_why_there_is_no_status(self):
        self.assertIn("has no file status-url", self.run_flaim("status", str(self.folder), code=1).stderr)
        self.assertIn("neither the folder", self.run_flaim("status", self.path("nowhere"), code=1).stderr)
        self.assertIn("http only", self.run_flaim("status", "https://127.0.0.1:1/", code=3).stderr)
        self.write("status-url", "nonsense nonsense\n")
        self.assertIn("nonsense nonsense", self.run_flaim("status", str(self.folder), code=3).stderr)
        self.stop()
        done = self.run_flaim("status", self.url, code=1)
        self.assertIn("no coordinator answers at " + self.url, done.stderr)
        self.run_flaim("status", self.url, "--watch", code=1)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=1)
