"""The pages that the program writes about itself.

    cli_help_test.py PATH_OF_FLAIM
"""

import pathlib
import re
import subprocess
import sys
import unittest

from cli_testing import CommandLineTest

ROOT = pathlib.Path(__file__).parent.parent


class Help(CommandLineTest):
    def test_the_page_of_commands_is_what_the_program_says(self):
        committed = (ROOT / "docs/COMMANDS.md").read_text()
        self.assertEqual(self.run_flaim("help").stdout, committed, "write it anew: flaim help > docs/COMMANDS.md")

    def test_every_flag_of_the_short_help_is_in_the_long_one(self):
        for command in (("fit",), ("simulate",), ("ledger", "verify"), ("coordinator", "init")):
            short = self.run_flaim(*command, "--help").stdout
            long = self.run_flaim("help", *command).stdout
            flags = set(re.findall(r"^ +(?:-\w,)?(--[\w-]+)", short, re.MULTILINE)) - {"--help"}
            self.assertGreater(len(flags), 0)
            for flag in flags:
                self.assertRegex(long, rf"\| `.*{flag}\b")

    def test_every_text_belongs_to_a_command(self):
        page = self.run_flaim("help").stdout
        for text in (ROOT / "src/cli/help").glob("*.md"):
            self.assertIn(text.read_text(), page, f"no command is called as {text.name} is")

    def test_an_unknown_command_is_named(self):
        refused = self.run_flaim("help", "ledger", "burn", code=3)
        self.assertIn("flaim ledger burn", refused.stderr)

    def test_man_pages_are_written_for_the_program_and_each_command(self):
        self.run_flaim("help", "--files", self.path("share"))
        folder = pathlib.Path(self.path("share/man/man1"))
        commands = re.findall(r"^\| \[`flaim (\w+)`\]", self.run_flaim("help").stdout, re.MULTILINE)
        self.assertEqual({page.name for page in folder.iterdir()}, {"flaim.1"} | {f"flaim-{name}.1" for name in commands})
        fit = (folder / "flaim-fit.1").read_text()
        self.assertIn("\\fB\\-\\-epsilon\\fR \\fIFLOAT\\fR", fit)
        self.assertEqual(fit.count(".nf\n"), fit.count(".fi\n"))

    def completions(self, line):
        script = pathlib.Path(self.path("share/bash-completion/completions/flaim"))
        ask = f'source {script}; COMP_WORDS=({line} ""); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _flaim; echo "${{COMPREPLY[@]}}"'
        return subprocess.run(["bash", "-c", ask], check=True, capture_output=True, text=True).stdout.split()

    def test_bash_offers_commands_flags_and_values(self):
        self.run_flaim("help", "--files", self.path("share"))
        self.assertIn("fit", self.completions("flaim"))
        self.assertIn("--epsilon", self.completions("flaim fit data.csv"))
        self.assertEqual(self.completions("flaim ledger")[:3], ["create", "show", "verify"])
        self.assertIn("--head", self.completions("flaim -q ledger verify"))
        self.assertEqual(self.completions("flaim sample --method"), ["rounded", "exact"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=1)
